//! What the waiting of a verdict is for.

use steplens_core::causality::spent::waits_for_gpu;
use steplens_core::findings::Verdict;
use steplens_core::{Nanos, OpId, Study};

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
