//! The runs of a session of tensorflow-tracer: one for each step that is shown.

use std::sync::Arc;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{Interval, PartId, Study, Trace};

/// A run of a session: one step that was traced once.
pub struct Run {
    /// The text that tensorflow-tracer shows as the run's fetches.
    pub name: String,
    /// The parts of the step.
    pub parts: Vec<PartId>,
    /// From the first start to the last end.
    pub span: Interval,
}

/// The runs for what `study` shows of `whole`. `files` are the names of the files that were read. A run has the name of its step;
/// if the step has none, the name of its file and the number of the step.
pub fn runs(study: &Study, whole: &Arc<Trace>, files: &[String]) -> Vec<Run> {
    let (trace, view) = (study.trace(), study.view());
    let steps = match view.step {
        Some(_) => Steps::divided(trace, StepRule::Together),
        None => view.steps(whole).1,
    };
    let runs = (1..).zip(steps.rows()).filter(|(_, step)| step.ops > 0).map(|(number, step)| {
        let part = step.parts.iter().filter_map(|id| trace.parts().get(id.index())).find(|part| part.ops > 0);
        let name = part.map_or("", |part| trace.text(part.name));
        let file = part.and_then(|part| files.get(part.file as usize));
        let name = match name {
            "" => file.map_or_else(String::new, |file| format!("{file} {number}")),
            name => name.to_owned(),
        };
        Run { name, parts: step.parts.to_vec(), span: step.span }
    });
    runs.collect()
}
