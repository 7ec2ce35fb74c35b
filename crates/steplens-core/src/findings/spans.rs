//! The steps in what is shown, where these are less.
//!
//! Keras calls `train_function` for a step, and callbacks after it: one that records the last step writes its summaries then. What follows the last call
//! is no part of any step, and its shares say nothing of one. Where nothing marks steps, what comes before the first call is none, either: TensorBoard
//! records one batch from within a callback. Other programs call functions of TensorFlow.
//!
//! The last step ends with its call, with the work of accelerators that was launched until then, and with calls that wait for that work.

use super::framework::STEPS_OF_KERAS;
use super::host_op::only_records;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::model::category::only_wraps;
use crate::storage::busy::Busy;
use crate::{Category, OpId, Study, Trace};
use std::cmp::Reverse;

/// How TensorFlow 2 calls a function that it traced.
const FUNCTION: &str = "EagerExecute: __inference_";
/// How the threads are called that only load batches.
const PIPELINE: &str = "tf_data";
/// What lies outside of the steps is left out if it has at least this part of the recording, as its divisor,
const LEAST_OUTSIDE: i64 = 20;
/// if accelerators, or without them the ops of the host, do less than this part of their work then, as its divisor.
const LEAST_WORK: [i64; 2] = [50, 10];
/// or ops of the host for less than this part of what lies outside, as its divisor.
const LEAST_BUSY: i128 = 50;

/// The part of a recording that its steps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InSteps {
    /// That part.
    pub span: Interval,
    /// How long it is from the start of what is shown, or its first step, to its end.
    pub whole: Nanos,
    /// The longest op of the host in what follows.
    pub longest: Option<OpId>,
    /// The first call of a function that is a step, where nothing marks one, and how many there are.
    pub calls: Option<(OpId, u64)>,
    /// How long it is from the first call to the first op.
    pub lead: Nanos,
    /// Whether accelerators were recorded.
    pub has_accelerators: bool,
}

impl InSteps {
    /// How much is in no step.
    pub fn outside(&self) -> Nanos {
        self.whole - self.span.length()
    }
}

/// The calls that are steps: Keras' functions, or the outermost calls of functions of TensorFlow; with Keras all of the latter, too.
fn calls(trace: &Trace) -> (Vec<OpId>, Option<Vec<OpId>>) {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let of = |is_it: &dyn Fn(&str) -> bool| -> Vec<OpId> {
        let is_call: Vec<bool> = nodes.ids().map(|node| is_it(trace.text(nodes.name(node)))).collect();
        ops.ids().filter(|&op| is_call[ops.node(op).index()]).collect()
    };
    let (of_keras, functions) =
        (of(&|name| STEPS_OF_KERAS.contains(&name)), of(&|name| name.starts_with(FUNCTION)));
    if of_keras.is_empty() { (outermost(trace, functions), None) } else { (of_keras, Some(functions)) }
}

/// Those of `calls` that none of them contains on its thread: a call that two nested events record is one.
fn outermost(trace: &Trace, mut calls: Vec<OpId>) -> Vec<OpId> {
    let ops = trace.ops();
    let thread = |op: OpId| (trace.device_of(op), ops.thread(op));
    calls.sort_unstable_by_key(|&op| (thread(op), ops.start(op), Reverse(ops.end(op)), op));
    let mut kept: Vec<OpId> = Vec::new();
    for call in calls {
        let is_within = |&outer: &OpId| thread(outer) == thread(call) && ops.end(call) <= ops.end(outer);
        if !kept.last().is_some_and(is_within) {
            kept.push(call);
        }
    }
    kept
}

/// From the start of what is shown, or of the first call that is a step, to the end of the last step, if what lies outside is much of the time and
/// hardly any of the work.
pub(super) fn in_steps(study: &Study) -> Option<InSteps> {
    let (trace, ops) = (study.trace(), study.trace().ops());
    let (nodes, shown) = (trace.nodes(), trace.span());
    let (calls, functions) = calls(trace);
    let called = calls.iter().copied().max_by_key(|&op| ops.end(op))?;
    let devices = accelerators(trace);
    let has_accelerators = !devices.is_empty();
    let rows = devices.iter().flat_map(|one| one.unrepeated(trace)).flat_map(|device| trace.ops_of(device));
    // What only writes something down, or loads the next batch, is no work of a step.
    let thread = |op: OpId| trace.thread_name(trace.device_of(op), ops.thread(op)).unwrap_or_default();
    let is_of_host = |op: &OpId| {
        trace.category(*op) == Category::Compute
            && !only_records(trace, *op)
            && !thread(*op).starts_with(PIPELINE)
    };
    let work: Vec<OpId> = match has_accelerators {
        true => rows.filter(|&op| !nodes.is_range(ops.node(op))).collect(),
        false => ops.ids().take(trace.counted_ops()).filter(is_of_host).collect(),
    };
    let launched = |op: OpId| trace.call_of(op).map_or(ops.start(op), |call| ops.start(call));
    let worked = match has_accelerators {
        true => work.iter().filter(|op| launched(**op) <= ops.end(called)).map(|op| ops.end(*op)).max()?,
        false => ops.end(called),
    };
    let worked = worked.max(ops.end(called));
    let waits = |op: &OpId| trace.category(*op) == Category::Waiting && trace.is_call(*op);
    let waited = ops.ids().filter(|op| ops.start(*op) < worked && waits(op)).map(|op| ops.end(op)).max();
    let end = waited.map_or(worked, |own| own.max(worked));
    let is_marked = study.view().step.is_some() || trace.parts().iter().any(|part| part.step.is_some());
    let first = calls.iter().copied().min_by_key(|&op| ops.start(op)).filter(|_| !is_marked);
    let start = first.map_or(shown.start, |call| ops.start(call));
    let span = Interval::new(start, end);
    let whole = shown.hull(span).length();
    let is_much = (whole - span.length()).0.saturating_mul(LEAST_OUTSIDE) >= whole.0;
    let length = |op: &OpId| i128::from(ops.interval(*op).length().0);
    // Without accelerators, Keras' call returns when its step is done. Threads of a pool that run something later, and for no function that the program
    // called, load the next batches.
    let mut asked: Vec<Interval> = functions.iter().flatten().map(|&op| ops.interval(op)).collect();
    order::by_number(&mut asked, |own| (own.start.0, own.end.0));
    let asked = Busy::of(asked.into_iter());
    let is_of_program = |op: OpId| {
        let is_own = ops.thread(op) == ops.thread(called) && trace.device_of(op) == trace.device_of(called);
        has_accelerators || functions.is_none() || is_own || asked.within(ops.interval(op)) > Nanos(0)
    };
    let is_outside = |op: &&OpId| ops.end(**op) <= start || ops.start(**op) >= end && is_of_program(**op);
    let outside = work.iter().filter(is_outside).map(length).sum::<i128>();
    let all = work.iter().map(length).sum::<i128>();
    let is_little = outside * i128::from(LEAST_WORK[usize::from(!has_accelerators)]) < all;
    // Of what a GPU does that was not recorded, little is known: then the host hardly does anything outside.
    let is_idle = !has_accelerators && outside * LEAST_BUSY <= i128::from((whole - span.length()).0);
    if !is_much || !(is_little || is_idle) {
        return None;
    }
    let is_after = |op: &OpId| {
        ops.start(*op) >= end
            && ops.thread(*op) == ops.thread(called)
            && trace.device_of(*op) == trace.device_of(called)
            && trace.category(*op) == Category::Compute
            && !only_wraps(trace.op_type(*op))
            && !trace.op_type(*op).contains("_Py_")
    };
    let mut own: Vec<OpId> = ops.ids().filter(is_after).collect();
    order::by_number(&mut own, |op| (ops.interval(op).length().0.wrapping_neg(), i64::from(op.get())));
    let calls = first.map(|first| (first, calls.len() as u64));
    let began = ops.ids().filter(|&op| !nodes.is_range(ops.node(op)) && ops.start(op) >= start);
    let began = began.map(|op| ops.start(op)).min();
    let lead = began.map_or(Nanos(0), |began| began.min(end) - start);
    Some(InSteps { span, whole, longest: own.first().copied(), calls, lead, has_accelerators })
}

/// From the first work of any accelerator to the last: what their own clocks say.
pub(super) fn work_of_accelerators(trace: &Trace) -> Option<Interval> {
    let devices = accelerators(trace).into_iter().flat_map(|one| one.devices);
    let is_work = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
    let intervals = devices.flat_map(|device| trace.ops_of(device)).filter(is_work);
    let intervals = intervals.map(|op| trace.ops().interval(op).clamp_to(trace.span()));
    intervals.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end)))
}
