//! What a profiler notes as overhead: it asks for memory for its records, or the driver loads or compiles what a program uses for the first time.
//! Such a row names no thread; it lies in what the program ran meanwhile.
//!
//! Kineto names the kinds of CUPTI that it knows (`CuptiActivity.cpp`, `overheadKindString`), and calls newer ones `Unrecognized`. A launch that
//! waits because the queue of launches is full (`Command Buffer Full`) is no overhead: the GPU has work then.

use super::accelerators::accelerators;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::storage::busy::Busy;
use crate::{DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The launch waits for the GPU.
const QUEUE_IS_FULL: &str = "Command Buffer Full";
/// A kind that Kineto does not know.
const UNKNOWN: &str = "Unrecognized";

/// When overhead was noted, by task.
#[derive(Default)]
pub(crate) struct Overhead(HashMap<Option<StringId>, Busy, FixedState>);

impl Overhead {
    /// That of `trace`.
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut of_task: HashMap<Option<StringId>, Vec<Interval>, FixedState> = HashMap::default();
        for op in rows(trace) {
            of_task.entry(task(trace, trace.device_of(op))).or_default().push(trace.ops().interval(op));
        }
        Self(of_task.into_iter().map(|(task, all)| (task, union(all))).collect())
    }

    /// How much of `interval` it has, in which the program of `device` ran.
    pub(crate) fn within(&self, trace: &Trace, device: DeviceId, interval: Interval) -> Nanos {
        match self.0.is_empty() {
            true => Nanos(0),
            false => self.0.get(&task(trace, device)).map_or(Nanos(0), |own| own.within(interval)),
        }
    }
}

/// The ranges for which a profiler collected counters of a GPU (`cuda_profiler_range`): each kernel runs alone then, and may run several times.
pub fn counted_ranges(trace: &Trace) -> Vec<OpId> {
    let nodes = trace.nodes();
    let is_range: Vec<bool> = nodes
        .ids()
        .map(|node| trace.text(nodes.reason(node)).starts_with("cat=cuda_profiler_range"))
        .collect();
    trace.ops().ids().filter(|&op| is_range[trace.ops().node(op).index()]).collect()
}

/// The rows of overhead.
pub(crate) fn rows(trace: &Trace) -> Vec<OpId> {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let is_row: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let reason = trace.text(nodes.reason(node)).to_ascii_lowercase();
            reason.starts_with("cat=overhead") && trace.text(nodes.name(node)) != QUEUE_IS_FULL
        })
        .collect();
    if !is_row.contains(&true) {
        return Vec::new();
    }
    let mut worked: HashMap<Option<StringId>, Vec<Interval>, FixedState> = HashMap::default();
    for device in accelerators(trace).into_iter().flat_map(|one| one.devices) {
        let work = trace.ops_of(device).filter(|&op| !nodes.is_range(ops.node(op)));
        worked.entry(task(trace, device)).or_default().extend(work.map(|op| ops.interval(op)));
    }
    let busy: HashMap<Option<StringId>, Busy, FixedState> =
        worked.into_iter().map(|(task, all)| (task, union(all))).collect();
    // What nobody knows may be a queue that is full.
    let counts = |&op: &OpId| {
        let own = ops.interval(op);
        let busy = busy.get(&task(trace, trace.device_of(op))).map_or(Nanos(0), |busy| busy.within(own));
        trace.op_name(op) != UNKNOWN || busy.0.saturating_mul(2) < own.length().0
    };
    ops.ids().filter(|&op| is_row[ops.node(op).index()]).filter(counts).collect()
}

fn task(trace: &Trace, device: DeviceId) -> Option<StringId> {
    trace.devices().get(device).task
}

fn union(mut all: Vec<Interval>) -> Busy {
    order::by_number(&mut all, |own| (own.start.0, own.end.0));
    Busy::of(all.into_iter())
}
