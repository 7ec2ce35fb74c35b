//! The first call of a function of TensorFlow 2. A program that makes variables (`VarHandleOp`) is at its start: `tf.function` runs its Python once,
//! which makes them and builds a graph, and TensorFlow prepares the graph within the call, before a kernel runs it.
//!
//! What counts is the time between the ops of that thread, from the pause before the first variable on, until the kernel of the first call that
//! comes after the last one, where that function was not called before, and no accelerator works for a quarter of that time.
//!
//! Where a function is called again, the first call is known by itself: until its kernel runs it, it takes much longer than any later one.

use super::super::framework::Framework;
use super::super::only_first::{FirstStep, Shown};
use super::super::pauses::is_compiling;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::model::device::FRAMES;
use crate::storage::busy::Busy;
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// What makes a variable.
const MAKES: &str = "VarHandleOp";
/// How TensorFlow calls a function that it traced.
const FUNCTION: &str = "__inference_";
/// What runs an op or a function, once it is ready.
const KERNEL: &str = "EagerKernelExecute";
/// Shorter pauses are those between ops of any program.
const LEAST_PAUSE: Nanos = Nanos(1_000_000);
/// What only a first call does takes at least this many times as long as in any later one.
const TIMES: i64 = 10;

/// The first call of a function, with the time before it, of the thread with most of it. `is_idle` says whether the GPUs of a process were idle
/// for most of a time.
pub(super) fn first_function(shown: &Shown<'_>, is_idle: impl Fn(DeviceId, Interval) -> bool) -> FirstStep {
    let trace = shown.trace();
    if Framework::of_trace(trace) != Framework::TensorFlow2 {
        return FirstStep::default();
    }
    let mut threads: BTreeMap<(DeviceId, u32), Vec<OpId>> = BTreeMap::new();
    let is_of_program = |id: &DeviceId| {
        let row = trace.devices().get(*id);
        row.nests && !trace.text(row.name).ends_with(FRAMES)
    };
    for device in trace.devices().ids().filter(is_of_program) {
        for op in trace.ops_of(device) {
            threads.entry((device, trace.ops().thread(op))).or_default().push(op);
        }
    }
    let found = threads.into_iter().filter_map(|((device, _), ops)| {
        let (call, window, time) = of_thread(trace, ops)?;
        is_idle(device, window).then_some((time, call))
    });
    match found.max_by_key(|&(time, call)| (time, std::cmp::Reverse(call))) {
        Some((time, call)) => FirstStep { ops: vec![call], time, is_function: true, ..FirstStep::default() },
        None => FirstStep::default(),
    }
}

/// The call of the ops of a thread, the time from the pause before the first variable to the function's kernel, and how much of it is between ops.
fn of_thread(trace: &Trace, mut all: Vec<OpId>) -> Option<(OpId, Interval, Nanos)> {
    let ops = trace.ops();
    let makes = |op: OpId| trace.op_type(op).trim().ends_with(MAKES);
    let called = |op: OpId| trace.op_name(op).find(FUNCTION).map(|at| &trace.op_name(op)[at..]);
    order::by_number(&mut all, |op| (ops.start(op).0, ops.end(op).0.wrapping_neg()));
    let mut first_of: HashMap<&str, OpId, FixedState> = HashMap::default();
    for &op in &all {
        if let Some(name) = called(op) {
            first_of.entry(name).or_insert(op);
        }
    }
    let is_first = |call: OpId| {
        let first = called(call).and_then(|name| first_of.get(name));
        first.is_some_and(|&first| ops.start(first) == ops.start(call))
    };
    let Some(&first) = all.iter().find(|&&op| makes(op)) else { return called_again(trace, &all) };
    let last = *all.iter().rev().find(|&&op| makes(op))?;
    let mut place = all.iter().position(|&op| ops.start(op) >= ops.end(last) && called(op).is_some())?;
    // One function may make the variables, and the next one use them. A call that takes no time is not its own next one.
    let next = |place: usize| {
        let after = all.partition_point(|&op| ops.start(op) < ops.end(all[place])).max(place + 1);
        Some(after).filter(|&after| all.get(after).is_some_and(|&own| is_first(own)))
    };
    while let Some(after) = next(place) {
        place = after;
    }
    let call = all[place];
    let is_kernel = |op: OpId| trace.op_type(op) == KERNEL && ops.end(op) <= ops.end(call);
    let kernel = all.iter().find(|&&op| ops.start(op) >= ops.start(call) && is_kernel(op));
    let kernel = kernel.filter(|_| is_first(call))?;
    let before = all.iter().filter(|&&op| ops.end(op) <= ops.start(first)).map(|&op| ops.end(op)).max();
    let from = before.unwrap_or(trace.span().start);
    let window = Interval::new(from, ops.start(*kernel).max(from));
    // What traces the function fills no pause, nor does what contains the function until its kernel begins.
    let within = all.iter().filter(|&&op| {
        ops.end(op) <= ops.start(call) && ops.end(op) > from && !is_compiling(trace.op_name(op))
    });
    let busy = Busy::of(within.map(|&op| ops.interval(op).clamp_to(window)));
    let starts = busy.intervals().iter().map(|own| own.start).chain([window.end]);
    let ends = [window.start].into_iter().chain(busy.intervals().iter().map(|own| own.end));
    let pauses = ends.zip(starts).map(|(end, start)| start - end).filter(|&own| own >= LEAST_PAUSE);
    Some((call, window, pauses.fold(Nanos(0), |sum, own| sum + own)))
}

/// The first call of a function that is called again, of the ops of a thread by start: until its kernel it takes much longer than all later ones. The
/// pause before it is a part of that if it is much longer than those before the others.
fn called_again(trace: &Trace, all: &[OpId]) -> Option<(OpId, Interval, Nanos)> {
    let ops = trace.ops();
    let is_call = |op: OpId| {
        trace.op_name(op).strip_prefix("EagerExecute:").is_some_and(|own| own.trim().starts_with(FUNCTION))
    };
    let mut ends: Vec<Timestamp> = all.iter().map(|&op| ops.end(op)).collect();
    ends.sort_unstable();
    let pause = |call: OpId| {
        let before = ends.partition_point(|&end| end <= ops.start(call)).checked_sub(1);
        before.map_or(Nanos(0), |before| ops.start(call) - ends[before])
    };
    let kernels: Vec<OpId> = all.iter().copied().filter(|&op| trace.op_type(op) == KERNEL).collect();
    // For each call until when it was prepared.
    let mut of_name: BTreeMap<&str, Vec<(OpId, Nanos)>> = BTreeMap::new();
    for &call in all.iter().filter(|&&op| is_call(op)) {
        let place = kernels.partition_point(|&kernel| ops.start(kernel) < ops.start(call));
        let kernel = kernels.get(place).filter(|&&kernel| ops.end(kernel) <= ops.end(call));
        let prepared = kernel.map(|&kernel| (call, ops.start(kernel) - ops.start(call)));
        of_name.entry(trace.op_name(call)).or_default().extend(prepared);
    }
    let is_longer = |own: Nanos, later: Nanos| own >= LEAST_PAUSE && own.0 >= later.0.saturating_mul(TIMES);
    let found = of_name.into_values().filter_map(|calls| {
        let (&(first, prepared), later) = calls.split_first()?;
        let usual = later.iter().map(|&(_, own)| own).max()?;
        let before = later.iter().map(|&(call, _)| pause(call)).max()?;
        let own = Some(pause(first)).filter(|&own| is_longer(own, before)).unwrap_or_default();
        let start = Timestamp(ops.start(first).0 - own.0);
        let window = Interval::new(start, Timestamp(ops.start(first).0 + prepared.0));
        is_longer(prepared, usual).then_some((first, window, window.length()))
    });
    found.max_by_key(|&(call, _, time)| (time, std::cmp::Reverse(call)))
}
