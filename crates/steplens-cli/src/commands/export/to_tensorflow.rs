//! The export of RunMetadata, and of its pickles.

use super::super::Loaded;
use super::super::report::own_name;
use super::LeftOut;
use crate::render::units;
use std::io::{self, Write};
use steplens_core::Trace;
use steplens_export::pickle;
use steplens_export::run_metadata::{Lost, RunMetadata};
use steplens_messages::{message, say};

pub(super) fn run_metadata(trace: &Trace, out: &mut dyn Write) -> io::Result<LeftOut> {
    let own = RunMetadata::of(trace);
    own.write(out)?;
    Ok(left_out(own.lost()))
}

pub(super) fn tfvis(trace: &Trace, out: &mut dyn Write) -> io::Result<LeftOut> {
    let own = RunMetadata::of(trace);
    pickle::write_tfvis(&own, out)?;
    Ok(left_out(own.lost()))
}

/// Writes each step as a run with the name of the step.
pub(super) fn session(loaded: &Loaded, out: &mut dyn Write) -> io::Result<LeftOut> {
    let trace = loaded.study.trace();
    let files: Vec<_> = loaded.files.iter().map(|file| own_name(&file.name)).collect();
    let runs = pickle::runs(&loaded.study, &loaded.whole, &files);
    let own = RunMetadata::of(trace);
    pickle::write_session(trace, &own, &runs, out)?;
    Ok(left_out(Lost { runs: 0, ..own.lost() }))
}

fn left_out(lost: Lost) -> LeftOut {
    let Lost { categories, calls, devices, runs, cut } = lost;
    let count = |count: u64, said: String| (count > 0).then_some(said);
    let ops = |count| units::plural(count, message!("program-ops", count));
    [
        count(categories, say!("export-loses-categories", ops = ops(categories))),
        count(calls, say!("export-loses-calls", ops = ops(calls))),
        count(
            devices,
            say!(
                "export-loses-devices",
                devices = units::plural(devices, message!("program-devices", count))
            ),
        ),
        count(runs, say!("export-loses-runs", steps = units::plural(runs, message!("program-steps", count)))),
        count(
            cut,
            say!(
                "export-cuts-times",
                allocations = units::plural(cut, message!("program-allocations", count))
            ),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}
