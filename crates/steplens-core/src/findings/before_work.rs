//! A GPU that is busy from its first work on, and did nothing before, though that work was launched: the recording begins, or was cut, while it did what
//! was launched before. Until the call that launched its first work returned, it was idle for its host.

use super::framework::{Framework, has_gpu};
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::storage::busy::Busy;
use crate::{OpId, Study};

/// A GPU that did nothing at first, for this part of the time or more (as its divisor),
const LEAST_BEFORE: i64 = 10;
/// worked for at least this share of the rest, in percent.
const LEAST_AFTER_PERCENT: i128 = 90;

/// How long the only GPU of PyTorch did nothing before its first work, since that was launched, if it hardly rested after that: the recording begins, or
/// was cut, while it did what was launched before.
pub(super) fn before_work(study: &Study) -> Option<Nanos> {
    let trace = study.trace();
    let gpus = accelerators(trace);
    let [only] = gpus.as_slice() else { return None };
    if Framework::of_trace(trace) != Framework::PyTorch || !has_gpu(trace) {
        return None;
    }
    let work = only.unrepeated(trace).flat_map(|device| trace.ops_of(device));
    let is_work = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
    let mut all: Vec<OpId> = work.filter(is_work).collect();
    order::by_number(&mut all, |op| (trace.ops().start(op).0, trace.ops().end(op).0));
    let &first_op = all.first()?;
    let first = trace.ops().start(first_op);
    let span = trace.span();
    let rest = Interval { start: first, end: span.end.max(first) };
    let launched = trace.call_of(first_op).map_or(span.start, |call| trace.ops().end(call));
    let before = first - launched.max(span.start);
    let worked = Busy::of(all.into_iter().map(|op| trace.ops().interval(op))).within(rest);
    let is_much = before.0.saturating_mul(LEAST_BEFORE) >= span.length().0 && before > Nanos(0);
    let is_busy = i128::from(worked.0) * 100 >= i128::from(rest.length().0) * LEAST_AFTER_PERCENT;
    (is_much && is_busy).then_some(before)
}
