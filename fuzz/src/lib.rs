//! What the fuzz targets share: a file of one kind goes in, and the laws of `steplens_tests::laws` must hold.
//!
//! No target needs a back door into its reader: what the sniffer takes for another kind is turned down at once, and libFuzzer
//! keeps only inputs that get through. So the inputs are plain files, and each finding opens in the program, too.

use libfuzzer_sys::Corpus;
use steplens_core::Study;
use steplens_formats::sniff::{FileKind, sniff};
use steplens_tests::laws;
use steplens_tests::meter::Meter;

#[global_allocator]
static METER: Meter = Meter;

/// Opens a file of the format called `name`; any other is not for this target.
pub fn reader(file: &[u8], name: &str) -> Corpus {
    match sniff(file) {
        FileKind::Trace(format) if format.name() == name => opened(file),
        _ => Corpus::Reject,
    }
}

/// Opens a file of `kind`; any other is not for this target.
pub fn packed(file: &[u8], kind: FileKind) -> Corpus {
    if sniff(file) == kind { opened(file) } else { Corpus::Reject }
}

fn opened(file: &[u8]) -> Corpus {
    if let Some(opened) = laws::opened(&[file]) {
        laws::study_holds(&Study::new(opened.trace));
    }
    Corpus::Keep
}
