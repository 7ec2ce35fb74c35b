//! What a verdict is about, where that is less than what is shown.
//!
//! Keras calls `train_function` for a step, and callbacks after it: one that records the last step writes its summaries then. What follows the last call
//! is no part of any step, and its shares say nothing of one.
//!
//! The last step ends with its call, with the work of accelerators that was launched until then, and with calls that wait for that work.

use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::causality::observed::Segment;
use crate::gpu::accelerators::accelerators;
use crate::model::category::only_wraps;
use crate::{Category, OpId, Study, Trace};

/// What Keras calls for a step (`keras/engine/training.py`).
const STEPS: [&str; 3] = ["train_function", "test_function", "predict_function"];
/// What follows the last step is left out if it has at least this part of the recording, as its divisor,
const LEAST_AFTER: i64 = 20;
/// if accelerators do less than this part of their work then, as its divisor.
const LEAST_WORK: i64 = 50;

/// The part of a recording until the work of its steps is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UntilDone {
    /// That part.
    pub span: Interval,
    /// How long the rest is.
    pub after: Nanos,
    /// The longest op of the host in the rest.
    pub longest: Option<OpId>,
}

/// From the start of what is shown to the end of its last step, if what follows is much of the time and none of the work.
pub(super) fn until_done(study: &Study) -> Option<UntilDone> {
    let (trace, ops) = (study.trace(), study.trace().ops());
    let nodes = trace.nodes();
    let is_step: Vec<bool> = nodes.ids().map(|node| STEPS.contains(&trace.text(nodes.name(node)))).collect();
    let called = ops.ids().filter(|&op| is_step[ops.node(op).index()]).max_by_key(|&op| ops.end(op))?;
    let devices = accelerators(trace);
    let rows = devices.iter().flat_map(|one| one.unrepeated(trace)).flat_map(|device| trace.ops_of(device));
    let work: Vec<OpId> = rows.filter(|&op| !nodes.is_range(ops.node(op))).collect();
    let launched = |op: OpId| trace.call_of(op).map_or(ops.start(op), |call| ops.start(call));
    let is_of_step = |op: &OpId| launched(*op) <= ops.end(called);
    let worked = work.iter().copied().filter(is_of_step).map(|op| ops.end(op)).max()?;
    let worked = worked.max(ops.end(called));
    let waits = |op: &OpId| trace.category(*op) == Category::Waiting && trace.is_call(*op);
    let waited = ops.ids().filter(|op| ops.start(*op) < worked && waits(op)).map(|op| ops.end(op)).max();
    let end = waited.map_or(worked, |own| own.max(worked));
    let span = trace.span();
    let after = span.end - end;
    let length = |op: &OpId| i128::from(ops.interval(*op).length().0);
    let sum = |from: Timestamp| work.iter().filter(|op| ops.start(**op) >= from).map(length).sum::<i128>();
    let is_much = after.0.saturating_mul(LEAST_AFTER) >= span.length().0;
    if !is_much || sum(end) * i128::from(LEAST_WORK) >= sum(span.start) {
        return None;
    }
    let is_of_host = |op: &OpId| {
        ops.start(*op) >= end
            && ops.thread(*op) == ops.thread(called)
            && trace.device_of(*op) == trace.device_of(called)
            && trace.category(*op) == Category::Compute
            && !only_wraps(trace.op_type(*op))
            && !trace.op_type(*op).contains("_Py_")
    };
    let mut own: Vec<OpId> = ops.ids().filter(is_of_host).collect();
    order::by_number(&mut own, |op| (ops.interval(op).length().0.wrapping_neg(), i64::from(op.get())));
    Some(UntilDone { span: Interval::new(span.start, end), after, longest: own.first().copied() })
}

/// The segments within `span`, which cuts the last of them.
pub(super) fn within(all: &[Segment], span: Interval) -> Vec<Segment> {
    let own = all.iter().filter(|own| own.interval.start < span.end);
    own.map(|own| Segment { interval: own.interval.clamp_to(span), ..*own }).collect()
}

/// From the first work of any accelerator to the last: what their own clocks say.
pub(super) fn work_of_accelerators(trace: &Trace) -> Option<Interval> {
    let devices = accelerators(trace).into_iter().flat_map(|one| one.devices);
    let is_work = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
    let intervals = devices.flat_map(|device| trace.ops_of(device)).filter(is_work);
    let intervals = intervals.map(|op| trace.ops().interval(op).clamp_to(trace.span()));
    intervals.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end)))
}
