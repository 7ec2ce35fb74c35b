//! What is opened as one or several files for another tool.

pub mod left_out;

use crate::failure::Failure;
use crate::options::Files;
use crate::outputs::Output;
use crate::progress::Progress;
use crate::reading::loaded::Loaded;
use crate::reading::opening;
use crate::shared::own_name;
use std::io::{self, Write};
use std::sync::Arc;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::model::file::FileReport;
use steplens_core::{Study, Trace};
use steplens_export::archive::Archive;
use steplens_export::{Format, LeftOut, Only, Own, timeline};
use steplens_formats::session::{self, Shown};

/// An export that is wanted.
pub struct Wanted<'a> {
    /// How what is written was read.
    pub files: &'a Files,
    /// Of which other tool.
    pub format: Format,
    /// Where to.
    pub output: Output<'a>,
    /// Of that format only.
    pub timeline: timeline::Options,
    /// The fragment of the page's address that a session is to show; empty for what is shown now.
    pub view: &'a str,
}

/// How many bytes were written, and what the format could not hold.
pub struct Written {
    /// Of all files together.
    pub bytes: u64,
    /// By kind.
    pub left_out: LeftOut,
}

impl Wanted<'_> {
    /// Writes it of what `loaded` shows.
    pub fn write(&self, loaded: &Loaded, progress: Progress) -> Result<Written, Failure> {
        // Perfetto draws every arrow from the earlier op, whichever op made the tensor. So the clocks must be aligned.
        let must_be_aligned =
            self.format == Format::Own(Own::Perfetto) && self.files.reading.clocks.is_empty();
        let aligned = if must_be_aligned { loaded.aligned() } else { None };
        let study = aligned.as_ref().unwrap_or(&loaded.study);
        let (bytes, left_out) = match self.format.facts().has_several_files {
            true => self.output.write_files(progress, |out| write(self, loaded, study, out))?,
            false => self.output.write_file(progress, |out| write(self, loaded, study, &mut Only(out)))?,
        };
        Ok(Written { bytes, left_out })
    }
}

/// What a session should hold: everything that was opened, and how it is shown. What an option corrects is corrected in the trace
/// itself.
fn for_session(wanted: &Wanted<'_>, loaded: &Loaded) -> (Arc<Trace>, Shown) {
    let (study, kept) = (&loaded.study, &loaded.kept);
    let is_corrected = opening::corrects(wanted.files);
    // The patterns are not applied: the program that opens the session applies them, and the user can undo them there.
    let trace = match is_corrected {
        true => study.view().of(&loaded.opened).trace,
        false => Arc::clone(&loaded.opened),
    };
    let view = match wanted.view.trim_start_matches('#') {
        "" if is_corrected => {
            kept.fragment_of_corrected(&trace, trace.origin_unix_ns() - loaded.opened.origin_unix_ns())
        }
        "" => kept.fragment(study.view(), &trace),
        view => view.to_owned(),
    };
    let communication = match wanted.files.reading.communication.as_slice() {
        [] => kept.communication.clone(),
        own => own.to_vec(),
    };
    (trace, Shown { view, communication, ..Shown::default() })
}

fn write(wanted: &Wanted<'_>, loaded: &Loaded, study: &Study, out: &mut dyn Archive) -> io::Result<LeftOut> {
    match wanted.format {
        Format::Own(own) => {
            let files: Vec<_> = loaded.files.iter().map(|file| own_name(&file.name)).collect();
            let mut extras = own.extras(study, &loaded.whole, &files);
            extras.timeline = wanted.timeline;
            at_once(async |pace: &Pace| own.write(study, &extras, out, pace).await)
        }
        Format::Parquet => steplens_export::parquet::write(study, out).map(|()| LeftOut::default()),
        Format::Session => write_session(wanted, loaded, out).map(|()| LeftOut::default()),
    }
}

fn write_session(wanted: &Wanted<'_>, loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    let (trace, shown) = for_session(wanted, loaded);
    out.write_all(&session::write_shown(&trace, &files_of(&trace, &loaded.files), &shown))
}

/// The reports of the files that `trace` is from, as a session has them.
pub fn files_of(trace: &Trace, files: &[FileReport]) -> Vec<FileReport> {
    // The receiver should not see the folders of this machine.
    let mut files = files.to_vec();
    files.iter_mut().for_each(|file| file.name = own_name(&file.name));
    // If the trace is one step, or if ops were left out, it has fewer ops than the files had.
    for (place, file) in (0..).zip(&mut files) {
        let own = trace.parts().iter().filter(|part| part.file == place);
        file.ops = own.map(|part| part.ops as usize).sum();
    }
    files
}
