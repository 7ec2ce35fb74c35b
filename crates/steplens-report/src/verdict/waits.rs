//! What the waiting of a verdict is for.

use super::{Inputs, words_of_path};
use crate::figures::share;
use steplens_core::causality::spent::waits_for_gpu;
use steplens_core::findings::{PathPart, Verdict};
use steplens_core::{Nanos, OpId, Study};
use steplens_messages::say;

/// Whether nearly all of the waiting is Horovod's for the last rank to be ready.
pub(super) fn is_negotiation(study: &Study, own: &Verdict) -> bool {
    nearly_all(own).is_some_and(|op| study.trace().op_type(op).starts_with("NEGOTIATE"))
}

/// Whether the longest wait began before anything was launched that was recorded.
pub(super) fn is_for_earlier(study: &Study, own: &Verdict) -> bool {
    let (trace, ops) = (study.trace(), study.trace().ops());
    let first = trace.calls().iter().map(|&(_, call)| ops.start(call)).min();
    own.mostly.is_some_and(|(op, _)| first.is_some_and(|first| ops.start(op) < first))
}

/// Whether nearly all of the waiting is for a GPU.
pub(super) fn is_for_gpu(study: &Study, own: &Verdict) -> bool {
    nearly_all(own).is_some_and(|op| waits_for_gpu(study.trace(), op))
}

/// An op of the type that nearly all of the largest part of the path is.
fn nearly_all(own: &Verdict) -> Option<OpId> {
    let whole = own.path.map_or(Nanos(0), |(_, time)| time);
    let (op, time) = own.mostly?;
    (time.0.saturating_mul(10) >= whole.0.saturating_mul(9)).then_some(op)
}

/// `clause` of the split, with the next batch if that is much of the path of a program on a CPU.
pub(super) fn with_input(inputs: &Inputs<'_>, clause: String) -> String {
    let own = inputs.own;
    let input = own.second.filter(|&(part, _)| part == PathPart::Input && own.accelerators == 0);
    match input {
        Some((part, time)) => {
            let what = words_of_path(inputs, part, time);
            say!("verdict-path-second", clause, what, share = share(time.0, own.length.0))
        }
        None => clause,
    }
}
