//! `steplens export`: the trace as one or several files for another tool.

pub(crate) mod left_out;

use super::report::own_name;
use crate::args;
use crate::failure::Failure;
use crate::input::inputs;
use crate::loaded::Loaded;
use crate::opening::{self, rules};
use crate::outputs::{self, Output};
use crate::progress::Progress;
use crate::render::{units, visible};
use left_out::notes;
use std::io::{self, Write};
use std::sync::Arc;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::model::file::FileReport;
use steplens_core::{Study, Trace};
use steplens_export::archive::Archive;
use steplens_export::{Format, LeftOut, Only, Own, timeline};
use steplens_formats::Opener;
use steplens_formats::session::{self, Shown};
use steplens_messages::say;

pub(super) fn run(args: &args::Export) -> Result<(), Failure> {
    let inputs = inputs(&args.files.files)?;
    let output = Output::at(&args.output, &inputs)?;
    let mut files = args.files.clone();
    if args.format == Format::Session {
        // The session stores the patterns next to the trace, so they are checked here but not applied.
        rules(&files)?;
        files.reading.communication.clear();
    }
    let facts = args.format.facts();
    let set_up = |opener: Opener| if facts.is_in_order_of_file { opener.keep_file_order() } else { opener };
    let loaded = Loaded::read_with(&files, set_up)?;
    outputs::remove_when_stopped();
    let progress = Progress::of_writing(output.is_stdout());
    let written = Wanted::of(args, output).write(&loaded, progress)?;
    if !output.is_stdout() {
        let (path, size) = (args.output.to_string_lossy(), units::bytes(written.bytes));
        writeln!(io::stdout(), "{}", say!("export-written", path = visible(&path), size))?;
    }
    for note in notes(written.left_out) {
        // If standard error cannot be written either, there is nothing left to do.
        let _ = writeln!(io::stderr(), "steplens: {note}");
    }
    loaded.report_problems(false)
}

/// An export that is wanted.
pub(crate) struct Wanted<'a> {
    pub(crate) files: &'a args::Files,
    pub(crate) format: Format,
    pub(crate) output: Output<'a>,
    pub(crate) timeline: timeline::Options,
    pub(crate) view: &'a str,
}

/// How many bytes were written, and what the format could not hold.
pub(crate) struct Written {
    pub(crate) bytes: u64,
    pub(crate) left_out: LeftOut,
}

impl<'a> Wanted<'a> {
    fn of(args: &'a args::Export, output: Output<'a>) -> Self {
        Self {
            files: &args.files,
            format: args.format,
            output,
            timeline: timeline::Options { show_dataflow: !args.no_dataflow, show_memory: args.show_memory },
            view: &args.view,
        }
    }

    /// Writes it of what `loaded` shows.
    pub(crate) fn write(&self, loaded: &Loaded, progress: Progress) -> Result<Written, Failure> {
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
pub(super) fn files_of(trace: &Trace, files: &[FileReport]) -> Vec<FileReport> {
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
