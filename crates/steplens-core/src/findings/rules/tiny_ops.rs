//! Ops so short that starting them takes longer than they run: ops of an executor below 10 µs. The saving is that of a step in which
//! they, and the delays before them, take no time, as if they were fused into others. It says how long they run in all, and how long the
//! pauses before them are, of which each counts up to 0.1 ms.
//!
//! The profiler of TensorFlow 2 records no moment at which an op became ready, but all ops of an executor's threads: there the finding has no saving, and
//! is ranked by how long the path is in tiny ops, and in the pauses of at most 0.1 ms before them, in which the executor goes on to the next one.
//!
//! PyTorch takes some 1 µs or more to start an operator, whatever that computes. Of a program on a CPU, the operators that themselves take less than
//! 5 µs, and the pauses before them, are found like that, if they have half of the path.
//!
//! The limit is that of `steplens scheduling`; TensorFlow calls a kernel cheap below 5,000 cycles, some 2 µs (`op_kernel.h`).

use super::super::context::{Context, With, by_path};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::super::framework::Framework;
use super::super::only_first::is_most;
use super::super::pauses::is_between;
use super::super::recording_cost::recording_cost;
use super::input_bound::is_all_input;
use crate::base::units::Nanos;
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::has_any;
use crate::gpu::kernels::has_kernels;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::model::category::only_wraps;
use crate::scheduling::RunBy;
use crate::scheduling::tiny::{TINY, tiny};
use crate::{Category, OpId};

/// At least this part of the ops is tiny, in percent.
const LEAST_PERCENT: usize = 25;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let ops = trace.ops();
    let runs = |op: OpId| {
        let device = trace.device_of(op);
        trace.category(op) == Category::Compute
            && !trace.devices().get(device).nests
            && !has_kernels(trace, device)
            && ops.interval(op).length() > Nanos(0)
    };
    let all = || ops.ids().take(trace.counted_ops()).filter(|&op| runs(op));
    let is_tiny = |op: OpId| runs(op) && ops.interval(op).length() < TINY;
    let (count, of) = (all().filter(|&op| is_tiny(op)).count(), all().count());
    if of == 0 {
        let found = of_threads(context).or_else(|| of_torch(context));
        return found.unwrap_or(Ruling::Lacks(Needs::Scheduling));
    }
    if count * 100 < of * LEAST_PERCENT || is_all_input(context) {
        return Ruling::Nothing;
    }
    let rows = tiny(context.study.edges(), context.study.causes(), TINY);
    let rows = || rows.iter().filter(|own| own.run_by == RunBy::Executor);
    let running = rows().fold(Nanos(0), |sum, own| sum + own.tiny_length);
    let pauses = rows().fold(Nanos(0), |sum, own| sum + own.between);
    let facts = facts((count, of), running, pauses);
    // What is fed, or fetched, no compiler fuses.
    let is_of_graph = |op: OpId| !["_Arg", "_Retval"].contains(&trace.op_type(op));
    let evidence = context.longest_on_path(|_, op| is_tiny(op) && is_of_graph(op));
    let scenario = || context.replay.without(is_tiny);
    // What tiny ops cost, as `steplens scheduling` counts it: no change to them can save more.
    let most = Some(running + pauses);
    context.judge(Rule::TinyOps, Nanos(0), With { facts, evidence, change: None, scenario: &scenario, most })
}

/// What is said of `count` tiny ops, of `of` in all: how long they run, and the pauses before them.
fn facts((count, of): (usize, usize), running: Nanos, pauses: Nanos) -> Facts {
    let (count, of) = (count as u64, of as u64);
    Facts { count, of, time: TINY, usual: running, since: pauses, ..Facts::default() }
}

/// Of fewer ops on the threads of an executor nothing is said.
const LEAST_OPS: usize = 500;
/// At least this part of them is tiny, in percent.
const LEAST_OF_THREADS_PERCENT: usize = 75;
/// They have at least this part of the steps, as its divisor.
const LEAST_ON_PATH: i64 = 5;
/// A longer pause is more than the way from one op to the next.
const MOST_PAUSE: Nanos = Nanos(100_000);

/// The tiny ops on the threads of TensorFlow 2's executor; `None` where nothing is to be said of them.
fn of_threads(context: &Context<'_>) -> Option<Ruling> {
    let trace = context.trace();
    if Framework::of_trace(trace) != Framework::TensorFlow2 || has_any(trace) || !context.compares {
        return None;
    }
    let ops = trace.ops();
    let runs = |op: OpId| trace.category(op) == Category::Compute && !only_wraps(trace.op_type(op));
    let is_tiny = |op: OpId| runs(op) && ops.interval(op).length() < TINY;
    let all = || ops.ids().take(trace.counted_ops());
    let (of, count) = (all().filter(|&op| runs(op)).count(), all().filter(|&op| is_tiny(op)).count());
    if of < LEAST_OPS || count * 100 < of * LEAST_OF_THREADS_PERCENT {
        return None;
    }
    let span = trace.span();
    let [ran, pauses] = on_path(context, is_tiny);
    let on_path = ran + pauses;
    let is_much = on_path.0.saturating_mul(LEAST_ON_PATH) >= span.length().0 && on_path > context.least;
    let running = all().filter(|&op| is_tiny(op)).fold(Nanos(0), |sum, op| sum + ops.interval(op).length());
    let facts = facts((count, of), running, pauses);
    let evidence = context.longest_on_path(|_, op| is_tiny(op));
    is_much.then(|| by_path(Rule::TinyOps, on_path, facts, evidence))
}

/// For how long the path is in ops that are tiny, and in the pauses before them.
fn on_path(context: &Context<'_>, is_tiny: impl Fn(OpId) -> bool) -> [Nanos; 2] {
    let segments = &context.study.causes().observed.segments;
    let is_pause = |own: &Segment| is_between(own) && own.interval.length() <= MOST_PAUSE;
    let sum = |is_it: &dyn Fn(&Segment) -> bool| {
        let own = segments.iter().filter(|own| is_tiny(own.op) && is_it(own));
        own.fold(Nanos(0), |sum, own| sum + own.interval.length())
    };
    [sum(&|own| own.kind == SegmentKind::Compute), sum(&is_pause)]
}

/// An operator of PyTorch that takes less itself takes as long to start.
const TINY_OF_TORCH: Nanos = Nanos(5_000);

/// The tiny operators of PyTorch on a CPU; `None` where nothing is to be said of them.
fn of_torch(context: &Context<'_>) -> Option<Ruling> {
    let trace = context.trace();
    let may = Framework::of_trace(trace) == Framework::PyTorch && context.compares;
    if !may || has_any(trace) || is_gpu_unrecorded(trace) {
        return None;
    }
    let runs = |op: OpId| trace.category(op) == Category::Compute && !trace.is_call(op);
    let is_tiny = |op: OpId| runs(op) && context.study.self_time(op) < TINY_OF_TORCH;
    let all = || trace.ops().ids().take(trace.counted_ops());
    let (of, count) = (all().filter(|&op| runs(op)).count(), all().filter(|&op| is_tiny(op)).count());
    if of < LEAST_OPS || count * 100 < of * LEAST_OF_THREADS_PERCENT {
        return None;
    }
    // Where the profiler itself takes that long, its own rule says it.
    let whole = trace.span().length();
    let [ran, pauses] = on_path(context, is_tiny);
    let on_path = ran + pauses;
    let is_recording = recording_cost(trace).is_some_and(|own| is_most(own.time(), whole));
    if on_path.0.saturating_mul(2) < whole.0 || is_recording {
        return None;
    }
    let running = all().filter(|&op| is_tiny(op)).fold(Nanos(0), |sum, op| sum + context.study.self_time(op));
    let facts = Facts { time: TINY_OF_TORCH, ..facts((count, of), running, pauses) };
    let evidence = context.longest_on_path(|_, op| is_tiny(op));
    Some(by_path(Rule::TinyOps, on_path, facts, evidence))
}
