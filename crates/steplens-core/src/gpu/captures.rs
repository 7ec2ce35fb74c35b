//! Captures of graphs: between `cudaStreamBeginCapture` and `cudaStreamEndCapture` (and `hip…`) a thread's launches are written down and not run.
//! No kernel follows from them, and the GPU has nothing to do. A program captures a graph once, and launches it in every step.

use crate::base::order;
use crate::base::units::Interval;
use crate::{DeviceId, OpId, Trace};

/// The capture of one graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    /// The call that begins it.
    pub(crate) begin: OpId,
    /// The process.
    pub(crate) device: DeviceId,
    /// The thread, as [`Ops::thread`](crate::Ops::thread) has it.
    pub(crate) thread: u32,
    /// From the start of the first call to the end of the second one.
    pub(crate) interval: Interval,
}

/// All captures that both begin and end in the recording, in order of process, thread and start. In time of the calls named so.
pub(crate) fn captures(trace: &Trace) -> Vec<Capture> {
    let nodes = trace.nodes();
    let ends_in = |part: &'static str| -> Vec<bool> {
        nodes.ids().map(|node| trace.text(nodes.name(node)).ends_with(part)).collect()
    };
    let (begins, ends) = (ends_in("StreamBeginCapture"), ends_in("StreamEndCapture"));
    if !begins.contains(&true) {
        return Vec::new();
    }
    let is_either = |op: &OpId| begins[trace.ops().node(*op).index()] || ends[trace.ops().node(*op).index()];
    let mut calls: Vec<OpId> = trace.ops().ids().take(trace.counted_ops()).filter(is_either).collect();
    order::by_number(&mut calls, |op| (trace.ops().start(op).0, i64::from(op.get())));
    calls.sort_by_key(|&op| (trace.device_of(op), trace.ops().thread(op)));
    let place = |op: OpId| (trace.device_of(op), trace.ops().thread(op));
    let mut found: Vec<Capture> = Vec::new();
    let mut open: Option<OpId> = None;
    for op in calls {
        if begins[trace.ops().node(op).index()] {
            open = Some(op);
        } else if let Some(begin) = open.take().filter(|&begin| place(begin) == place(op)) {
            let interval = Interval { start: trace.ops().start(begin), end: trace.ops().end(op) };
            let (device, thread) = place(begin);
            found.push(Capture { begin, device, thread, interval });
        }
    }
    found
}

/// What PyTorch calls the recording of a graph by `torch.compile`, which captures it (`torch/_inductor/cudagraph_trees.py`).
const RECORDS: &str = "CUDAGraphNode.record";

/// Whether a range called `name` records a graph.
pub(crate) fn records_graph(name: &str) -> bool {
    name.starts_with(RECORDS)
}

/// When graphs are captured, with what belongs to it: all captures, and the ranges in which PyTorch records a graph. In order of start.
pub(crate) fn windows(trace: &Trace) -> Vec<Capture> {
    let (nodes, ops) = (trace.nodes(), trace.ops());
    let records: Vec<bool> = nodes.ids().map(|node| records_graph(trace.text(nodes.name(node)))).collect();
    let is_on_host = |op: OpId| !trace.devices().get(trace.device_of(op)).is_accelerator;
    let mut found = captures(trace);
    if records.contains(&true) {
        let ranges = ops.ids().filter(|&op| records[ops.node(op).index()] && is_on_host(op));
        found.extend(ranges.map(|begin| Capture {
            begin,
            device: trace.device_of(begin),
            thread: ops.thread(begin),
            interval: ops.interval(begin),
        }));
    }
    found.sort_by_key(|own| (own.interval.start, own.begin));
    found
}

/// Whether `op` began within one of `captures`, as [`captures`] gives them, on its thread.
pub(crate) fn is_captured(captures: &[Capture], trace: &Trace, op: OpId) -> bool {
    let key = (trace.device_of(op), trace.ops().thread(op), trace.ops().start(op));
    let place = captures.partition_point(|own| (own.device, own.thread, own.interval.start) <= key);
    let before = place.checked_sub(1).and_then(|place| captures.get(place));
    before.is_some_and(|own| (own.device, own.thread) == (key.0, key.1) && key.2 < own.interval.end)
}
