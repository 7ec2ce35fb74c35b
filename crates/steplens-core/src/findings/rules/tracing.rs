//! The recording itself: the profiler's own events take at least a fiftieth of the step on the threads that they stop. Kineto and
//! CUPTI write such events, also of what the driver does for the first time ([`overhead`](crate::gpu::overhead)). Where functions of Python were recorded, those of PyTorch's profiler count while the path is between two ops of their
//! thread. What it costs to record each operator is known where that is even ([`recording_cost`](super::super::recording_cost)). The profiler before Kineto records two events of the GPU for each operator: its calls for that are its own.

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Rule, Ruling};
use super::super::pauses::{is_between, is_of_profiler};
use super::super::recording_cost::recording_cost;
use crate::base::units::{Interval, Nanos};
use crate::causality::host::frames_of;
use crate::gpu::accelerators::accelerators;
use crate::gpu::overhead::{counted_ranges, rows};
use crate::scheduling::host_idle::HostIdle;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// At least this part of the step, as its divisor.
const LEAST: i64 = 50;
/// The names of such events, in lower case.
const OWN: [&str; 5] =
    ["activity buffer request", "cupti", "instrumentation", "buffer flush", "resource (profiler)"];

/// How long the profiler itself ran while the GPUs of `own` were idle.
pub(super) fn recording(context: &Context<'_>, own: &HostIdle) -> Nanos {
    let trace = context.trace();
    let events = events(trace);
    if events.is_empty() {
        return Nanos(0);
    }
    let gpus = accelerators(trace);
    let devices = gpus.iter().find(|one| one.devices.contains(&own.device));
    let busy = context.busy(devices.map_or(&[], |one| one.devices.as_slice()), |_| true);
    let mut intervals: Vec<Interval> =
        events.iter().map(|&op| trace.ops().interval(op).clamp_to(trace.span())).collect();
    intervals.sort_by_key(|own| (own.start, own.end));
    let ran = Busy::of(intervals.iter().copied()).within(trace.span());
    ran - intervals.iter().fold(Nanos(0), |sum, &own| sum + busy.within(own)).min(ran)
}

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let counted = counted_ranges(trace);
    if !counted.is_empty() {
        let facts = Facts { count: counted.len() as u64, of: 3, ..Facts::default() };
        return figure(Rule::Tracing, Nanos(0), facts, Vec::new());
    }
    if let Some(own) =
        recording_cost(trace).filter(|own| own.time().0.saturating_mul(LEAST) >= trace.span().length().0)
    {
        let (time, since, usual) = (own.time().min(trace.span().length()), own.before, own.after);
        let facts = Facts { count: own.count, of: 4, time, since, usual, ..Facts::default() };
        return figure(Rule::Tracing, Nanos(0), facts, Vec::new());
    }
    let mut found = events(trace);
    let time = union(trace, &found);
    let noted = union(trace, &rows(trace));
    let (functions, within) = functions(context);
    let time = time + within;
    found.extend(functions);
    if found.is_empty() || time.0.saturating_mul(LEAST) < trace.span().length().0 {
        return Ruling::Nothing;
    }
    found.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: largest(trace, &found).to_owned(),
        count: found.len() as u64,
        time,
        of: u64::from(noted.0.saturating_mul(2) >= time.0 && noted > Nanos(0)),
        ..Facts::default()
    };
    figure(Rule::Tracing, Nanos(0), facts, found)
}

/// The functions of the profiler that ran while the path was between two ops, the outermost of each, and how long it was there meanwhile.
fn functions(context: &Context<'_>) -> (Vec<OpId>, Nanos) {
    let (trace, ops) = (context.trace(), context.trace().ops());
    let nodes = trace.nodes();
    let is_own: Vec<bool> = nodes.ids().map(|node| is_of_profiler(trace.text(nodes.name(node)))).collect();
    if !context.compares || !is_own.contains(&true) {
        return (Vec::new(), Nanos(0));
    }
    // By thread, in order, without those that lie within another one.
    let mut of_thread: BTreeMap<(DeviceId, u32), Vec<OpId>> = BTreeMap::new();
    for op in ops.ids().filter(|&op| is_own[ops.node(op).index()]) {
        let own = of_thread.entry((trace.device_of(op), ops.thread(op))).or_default();
        if own.last().is_none_or(|&last| ops.end(last) <= ops.start(op)) {
            own.push(op);
        }
    }
    let mut found: Vec<OpId> = Vec::new();
    let mut time = Nanos(0);
    for own in context.study.causes().observed.segments.iter().filter(|own| is_between(own)) {
        let frames = frames_of(trace, trace.device_of(own.op));
        let frames = frames.and_then(|frames| of_thread.get(&(frames, ops.thread(own.op))));
        let Some(frames) = frames else { continue };
        let first = frames.partition_point(|&frame| ops.end(frame) <= own.interval.start);
        for &frame in frames[first..].iter().take_while(|&&frame| ops.start(frame) < own.interval.end) {
            time += ops.interval(frame).clamp_to(own.interval).length();
            if found.last() != Some(&frame) {
                found.push(frame);
            }
        }
    }
    (found, time)
}

/// Calls by which a profiler marks when the GPU was where, in lower case.
const MARKS: [&str; 2] = ["cudaeventrecord", "cudaeventcreate"];
/// They are the profiler's if there are at least this many for two operators.
const LEAST_MARKS: usize = 3;

/// For each node whether it is a call by which the profiler before Kineto marks operators.
pub(in super::super) fn marking(trace: &Trace) -> Vec<bool> {
    let nodes = trace.nodes();
    let is_mark: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node)).to_ascii_lowercase();
            MARKS.iter().any(|own| name.starts_with(own))
        })
        .collect();
    if !is_mark.contains(&true) {
        return is_mark;
    }
    let is_operator = |op: &OpId| trace.category(*op) != Category::Range && trace.op_name(*op).contains("::");
    let operators = trace.ops().ids().filter(is_operator).count();
    let records = |op: &OpId| trace.op_name(*op).starts_with("cudaEventRecord");
    let records = trace.ops().ids().filter(records).count();
    match operators > 0 && records * 2 >= operators * LEAST_MARKS {
        true => is_mark,
        false => vec![false; is_mark.len()],
    }
}

/// The profiler's own events.
fn events(trace: &Trace) -> Vec<OpId> {
    let nodes = trace.nodes();
    let marks = marking(trace);
    let is_own: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node)).to_ascii_lowercase();
            marks[node.index()] || OWN.iter().any(|own| name.starts_with(own))
        })
        .collect();
    let named = trace.ops().ids().filter(|&op| is_own[trace.ops().node(op).index()]);
    let mut all: Vec<OpId> = named.chain(rows(trace)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The name that has most of the time of `all`.
fn largest<'a>(trace: &'a Trace, all: &[OpId]) -> &'a str {
    let mut sums: BTreeMap<&str, Nanos> = BTreeMap::new();
    for &op in all {
        *sums.entry(trace.op_name(op)).or_default() += trace.ops().interval(op).length();
    }
    sums.into_iter().max_by_key(|&(name, time)| (time, Reverse(name))).map_or("", |(name, _)| name)
}

/// How long any of `all` ran.
fn union(trace: &Trace, all: &[OpId]) -> Nanos {
    let mut intervals: Vec<Interval> =
        all.iter().map(|&op| trace.ops().interval(op).clamp_to(trace.span())).collect();
    intervals.sort_by_key(|own| (own.start, own.end));
    Busy::of(intervals.into_iter()).within(trace.span())
}
