//! Whether what is shown is a step, or a recording with an unknown number of steps.

use steplens_core::Study;
use steplens_core::model::file::FileReport;
use steplens_core::model::part::Part;

/// Formats in which each part is the recording of one run of a session: a step.
const OF_RUNS: [&str; 8] = [
    "event-file",
    "pickle",
    "run-metadata",
    "run-metadata-json",
    "run-metadata-text",
    "step-stats",
    "steplens-session",
    "tracing-session",
];
/// Prefixes of the executor's device names, also in `timeline.py`'s files, which have one run.
const OF_EXECUTOR: [&str; 4] = ["/job:", "/device:", "/gpu:", "/cpu:"];

/// Formats whose readers use the executor's device names, though these recordings are not of one run.
const NAMED_ALIKE: [&str; 2] = ["xspace", "paddle"];

/// Whether nothing says that what `study` shows of `files` is one step: no number or marker of a step, no run of a session. Several
/// steps on one axis are no recording either, because their number is known.
pub fn is_recording(study: &Study, files: &[FileReport]) -> bool {
    let trace = study.trace();
    let is_marked = |part: &Part| part.ops > 0 && (part.is_run || part.step.is_some());
    let is_of_runs = |file: &FileReport| OF_RUNS.contains(&file.format.split('.').next().unwrap_or_default());
    let is_of_executor = || {
        // TensorFlow 2's profiler calls devices as the executor does, with rows that nest.
        let rows = trace.devices().ids().map(|id| trace.devices().get(id));
        let mut names = rows.filter(|row| !row.nests && !row.is_accelerator).map(|row| trace.text(row.name));
        names.any(|name| OF_EXECUTOR.iter().any(|start| name.starts_with(start)))
    };
    let is_all_of_several = study.view().step.is_none() && study.has_several();
    // Without files: no executor records nesting, nor calls a device of its own an accelerator.
    let is_no_executor = |id| {
        let device = trace.devices().get(id);
        device.nests || device.is_accelerator
    };
    let is_named_alike = files.iter().any(|file| NAMED_ALIKE.iter().any(|own| file.format.starts_with(own)))
        || (files.is_empty() && trace.devices().ids().any(is_no_executor));
    !(trace.ops().is_empty()
        || is_all_of_several
        || trace.parts().iter().any(is_marked)
        || (!files.is_empty() && files.iter().all(is_of_runs))
        || (!is_named_alike && is_of_executor()))
}
