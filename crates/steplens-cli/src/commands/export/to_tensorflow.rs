//! RunMetadata, and the pickles of it.

use super::super::Loaded;
use super::super::report::own_name;
use super::LeftOut;
use crate::render::units;
use std::io::{self, Write};
use steplens_core::Trace;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_export::pickle::{self, Run};
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

/// Writes each step as a run, which has the name of the step.
pub(super) fn session(loaded: &Loaded, out: &mut dyn Write) -> io::Result<LeftOut> {
    let (trace, view) = (loaded.study.trace(), loaded.study.view());
    let steps = match view.step {
        Some(_) => Steps::of(trace, StepRule::Together),
        None => view.steps(&loaded.whole).1,
    };
    let runs = (1..).zip(steps.rows()).filter(|(_, step)| step.ops > 0).map(|(number, step)| {
        let part = step.parts.iter().filter_map(|id| trace.parts().get(id.index())).find(|part| part.ops > 0);
        let name = part.map_or("", |part| trace.text(part.name));
        let file = part.and_then(|part| loaded.files.get(part.file as usize));
        let name = match name {
            "" => file.map_or_else(String::new, |file| format!("{} {number}", own_name(&file.name))),
            name => name.to_owned(),
        };
        Run { name, parts: &step.parts, span: step.span }
    });
    let runs: Vec<Run<'_>> = runs.collect();
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
