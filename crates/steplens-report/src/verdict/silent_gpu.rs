//! A file that names a GPU and has nothing of what it did: that is what the verdict begins with, and why, where the profiler says so.

use super::{Inputs, is_between};
use crate::figures::duration;
use crate::names::cut_to;
use steplens_core::findings::{PathPart, Verdict, executors_at_work};
use steplens_core::model::file::FileReport;
use steplens_messages::say;

/// What a profiler says of a file is a text of that file.
const LONGEST_REASON: usize = 200;
/// The library that records what GPUs do.
const LIBRARY: &str = "cupti";
/// Ops that ran for this part of the time, as its divisor, say what it went to.
const LEAST_RAN: i64 = 10;
/// How long executors were at work is said from this part of the time on, as its divisor.
const LEAST_DISPATCHED: i64 = 100;

/// Why nothing of a GPU was recorded, as the profiler says.
pub(super) fn reason(files: &[FileReport]) -> Option<String> {
    let mut problems = files.iter().flat_map(|file| &file.problems);
    let said = problems.find(|own| own.code == "profiler-said")?;
    let is_of_gpu = said.detail.to_ascii_lowercase().contains(LIBRARY);
    is_of_gpu.then(|| say!("verdict-gpu-why", reason = cut_to(&said.detail, LONGEST_REASON)))
}

/// Whether the path consists of time between ops: shares of it say nothing where those of a GPU are missing.
pub(super) fn says_nothing(own: &Verdict) -> bool {
    let has_reason = |part: PathPart| !matches!(part, PathPart::Between | PathPart::Unknown);
    let names_other = own.second.is_some_and(|(part, _)| has_reason(part));
    is_between(own) && !names_other && own.compute.0.saturating_mul(LEAST_RAN) < own.length.0
}

/// How long executors were at work.
pub(super) fn dispatched(inputs: &Inputs<'_>) -> Option<String> {
    let time = executors_at_work(inputs.study.trace());
    let is_much = time.0.saturating_mul(LEAST_DISPATCHED) >= inputs.own.length.0;
    is_much.then(|| say!("verdict-dispatched", time = duration(time.0)))
}
