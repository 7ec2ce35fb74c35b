//! A GPU that is busy from its first work on, and did nothing before, though that work was launched: the recording begins, or was cut, while it did what
//! was launched before. Until the call that launched its first work returned, it was idle for its host.
//!
//! Where several streams were recorded, one that waits from the beginning hides behind little work of another one.

use super::framework::{Framework, has_gpu};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::storage::busy::Busy;
use crate::{DeviceId, OpId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// A GPU that did nothing at first, for this part of the time or more (as its divisor),
const LEAST_BEFORE: i64 = 10;
/// worked for at least this share of the rest, in percent.
const LEAST_AFTER_PERCENT: i128 = 90;
/// What ran before it is little, if it is at most this part of that time, as its divisor.
const LITTLE: i64 = 1_000;

/// How long a GPU did nothing, and the work that began then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeforeWork {
    /// How long.
    pub time: Nanos,
    /// That work.
    pub op: OpId,
    /// Whether a little work of another stream was recorded before it.
    pub is_hidden: bool,
}

/// How long the only GPU of PyTorch did nothing, or next to nothing, before the first work of a stream, since that was launched, if it hardly rested
/// after that: the recording begins, or was cut, while it did what was launched before.
pub(super) fn before_work(study: &Study) -> Option<BeforeWork> {
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
    let span = trace.span();
    let found = longest_before(trace, &all)?;
    let BeforeWork { time, op, .. } = found;
    let first = trace.ops().start(op);
    let rest = Interval { start: first, end: span.end.max(first) };
    let worked = Busy::of(all.into_iter().map(|op| trace.ops().interval(op))).within(rest);
    let is_much = time.0.saturating_mul(LEAST_BEFORE) >= span.length().0 && time > Nanos(0);
    let is_busy = i128::from(worked.0) * 100 >= i128::from(rest.length().0) * LEAST_AFTER_PERCENT;
    (is_much && is_busy).then_some(found)
}

/// Of `all`, in order, the first work of a stream for which the GPU did nothing for longest, though it was launched, while little ran before it.
fn longest_before(trace: &Trace, all: &[OpId]) -> Option<BeforeWork> {
    let (ops, span) = (trace.ops(), trace.span());
    let mut streams: HashSet<(DeviceId, u32), FixedState> = HashSet::default();
    let (mut now, mut ran): (Timestamp, Nanos) = (span.start, Nanos(0));
    let mut found: Option<BeforeWork> = None;
    for &op in all {
        let launched = trace.call_of(op).map_or(span.start, |call| ops.end(call));
        let time = ops.start(op) - launched.max(now);
        // Without its call a later one may have been launched at any time.
        let is_known = streams.is_empty() || trace.call_of(op).is_some();
        let is_first = streams.insert((trace.device_of(op), ops.thread(op))) && is_known;
        let is_longest = found.is_none_or(|own| time > own.time);
        if is_first && is_longest && ran.0.saturating_mul(LITTLE) <= time.0 {
            found = Some(BeforeWork { time, op, is_hidden: ran > Nanos(0) });
        }
        ran += Interval::new(ops.start(op).max(now), ops.end(op).max(now)).length();
        now = now.max(ops.end(op));
        // Nothing that comes later has so little before it.
        if ran.0.saturating_mul(LITTLE) > span.length().0 {
            break;
        }
    }
    found
}
