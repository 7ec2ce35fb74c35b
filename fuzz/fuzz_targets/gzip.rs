//! Files packed with gzip: what they hold is the same as unpacked.

#![no_main]

use flate2::read::MultiGzDecoder;
use libfuzzer_sys::{Corpus, fuzz_target};
use std::io::Read;
use steplens_formats::session;
use steplens_formats::sniff::{FileKind, sniff};
use steplens_tests::laws;

/// What unpacks to more is only opened.
const MOST: u64 = 64 << 10;

fuzz_target!(|file: &[u8]| -> Corpus {
    if sniff(file) != FileKind::Gzip {
        return Corpus::Reject;
    }
    let packed = laws::opened(&[file]);
    let mut plain = Vec::new();
    let unpacked = MultiGzDecoder::new(file).take(MOST + 1).read_to_end(&mut plain);
    let is_packed_twice = matches!(sniff(&plain), FileKind::Gzip | FileKind::Zstd);
    if unpacked.is_ok() && plain.len() as u64 <= MOST && !is_packed_twice {
        let plain = laws::opened(&[&plain]);
        let [packed, plain] =
            [packed, plain].map(|opened| opened.map(|opened| session::write(&opened.trace, &[])));
        assert!(packed == plain, "packed and plain are one trace");
    }
    Corpus::Keep
});
