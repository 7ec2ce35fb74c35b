//! `steplens baseline`: what `steplens check` needs of these steps later, as a small file. It is a session of the step with the median
//! length, packed, with the figures of all steps.

use super::Print;
use crate::args;
use crate::render::{units, visible};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use steplens_core::compare::significance::LEAST_STEPS;
use steplens_formats::session::{Shown, write_shown};
use steplens_host::export::files_of;
use steplens_host::failure::Failure;
use steplens_host::judged::findings;
use steplens_host::outputs::{self, Output};
use steplens_host::reading::input::inputs;
use steplens_host::reading::loaded::Loaded;
use steplens_host::reading::opening::rules;
use steplens_host::sides::Compared;
use steplens_messages::say;
use steplens_report::check::{MOST_STEPS, Past};

pub(super) fn run(args: &args::Baseline) -> Result<(), Failure> {
    let inputs = inputs(&args.files.files)?;
    let output = Output::at(&args.output, &inputs)?;
    rules(&args.files)?;
    let own = Compared::with_use(&args.files, Loaded::read(&args.files)?)?;
    let loaded = &own.loaded;
    let past = Past::of(&own.steps, &own.step_use, &findings(loaded)).to_text();
    let trace = loaded.study.view().of(&loaded.opened).trace;
    let moved = trace.origin_unix_ns() - loaded.opened.origin_unix_ns();
    let communication = match args.files.reading.communication.as_slice() {
        [] => loaded.kept.communication.clone(),
        own => own.to_vec(),
    };
    let shown = Shown { view: loaded.kept.fragment_of_corrected(&trace, moved), communication, past };
    let session = write_shown(&trace, &files_of(&trace, &loaded.files), &shown);
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&session)?;
    let bytes = packed.finish()?;
    outputs::remove_when_stopped();
    let size = output.write_bytes(&bytes)?;
    let steps = own.steps.lengths.len();
    if !output.is_stdout() {
        let (path, size) = (args.output.to_string_lossy(), units::bytes(size));
        writeln!(io::stdout(), "{}", say!("baseline-written", path = visible(&path), size, count = steps))?;
    }
    let few = (steps < LEAST_STEPS).then(|| say!("baseline-few-steps", count = steps, least = LEAST_STEPS));
    let many = (steps > MOST_STEPS).then(|| say!("baseline-many-steps", most = MOST_STEPS));
    for note in few.into_iter().chain(many) {
        // If standard error cannot be written either, there is nothing left to do.
        let _ = writeln!(io::stderr(), "steplens: {note}");
    }
    loaded.report_problems(false)
}
