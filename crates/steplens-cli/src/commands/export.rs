//! `steplens export`: the trace as one or several files for another tool.

use super::Print;
use crate::args;
use crate::render::{units, visible};
use std::io::{self, Write};
use steplens_export::{Format, timeline};
use steplens_formats::Opener;
use steplens_host::export::Wanted;
use steplens_host::export::left_out::notes;
use steplens_host::failure::Failure;
use steplens_host::outputs::{self, Output};
use steplens_host::progress::Progress;
use steplens_host::reading::input::inputs;
use steplens_host::reading::loaded::Loaded;
use steplens_host::reading::opening::rules;
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
    let written = wanted(args, output).write(&loaded, progress)?;
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

fn wanted<'a>(args: &'a args::Export, output: Output<'a>) -> Wanted<'a> {
    Wanted {
        files: &args.files,
        format: args.format,
        output,
        timeline: timeline::Options { show_dataflow: !args.no_dataflow, show_memory: args.show_memory },
        view: &args.view,
    }
}
