//! Kernels of each process in order of end, with the time of their launch: from these follows which kernel a call of the process
//! waited for.
//!
//! A kernel whose launch is not in the file was launched before the recording began, or by a CUDA graph: any call that waits is
//! taken to wait for it, too.

use super::nodes::Nodes;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::has_kernels;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The kernels that each process of a trace launched.
pub(super) struct Launched {
    of_process: HashMap<DeviceId, ByEnd, FixedState>,
}

impl Launched {
    /// Collects the kernels of all processes, in time n log n.
    pub(super) fn collected(trace: &Trace, nodes: &Nodes) -> Self {
        let processes = process_of_gpu(trace);
        let mut rows: Vec<Row> = Vec::new();
        for device in trace.devices().ids().filter(|&device| has_kernels(trace, device)) {
            let mut calls = of_device(trace.calls(), trace, device).iter().copied().peekable();
            for kernel in trace.ops_of(device) {
                let call = calls.next_if(|&(joined, _)| joined == kernel).map(|(_, call)| call);
                let process = call.map(|call| trace.device_of(call)).or(processes[device.index()]);
                let (Some(process), Some(node)) = (process, nodes.of_op(kernel)) else { continue };
                if nodes.interval(node).end > nodes.interval(node).start {
                    let at = call.map_or(Timestamp(i64::MIN), |call| trace.ops().start(call));
                    rows.push(Row { process, node, at, end: nodes.interval(node).end });
                }
            }
        }
        order::by_number(&mut rows, |row| (row.end.0, 0));
        let mut launched = Self { of_process: HashMap::default() };
        for row in &rows {
            launched.of_process.entry(row.process).or_default().push(row);
        }
        order::by_number(&mut rows, |row| (nodes.interval(row.node).start.0, row.end.0));
        for row in &rows {
            let interval = nodes.interval(row.node);
            launched.of_process.entry(row.process).or_default().busy.push(interval);
        }
        launched.of_process.values_mut().for_each(ByEnd::finish);
        launched
    }

    /// The last kernel that `call` waited for. `waiting` is the time during which the call waited.
    pub(super) fn last_before(&self, trace: &Trace, call: OpId, waiting: Interval) -> Option<u32> {
        self.of_process.get(&trace.device_of(call))?.last_of(waiting)
    }

    /// How long within `interval` the GPUs ran anything of the process of `call`.
    pub(super) fn worked(&self, trace: &Trace, call: OpId, interval: Interval) -> Nanos {
        self.of_process.get(&trace.device_of(call)).map_or(Nanos(0), |own| own.busy.within(interval))
    }
}

#[derive(Clone, Copy)]
struct Row {
    process: DeviceId,
    node: u32,
    /// When it was launched; earlier than every other time where the launch was not recorded.
    at: Timestamp,
    end: Timestamp,
}

/// For each device the only process that launched kernels on it. Where no process did, the only process that waits for any device.
/// With several candidates the process is not known.
fn process_of_gpu(trace: &Trace) -> Vec<Option<DeviceId>> {
    let mut found = vec![Launcher::None; trace.devices().len()];
    let mut waits = Launcher::None;
    for &(kernel, call) in trace.calls() {
        found[trace.device_of(kernel).index()].add(trace.device_of(call));
    }
    for device in trace.devices().ids().filter(|&id| !has_kernels(trace, id)) {
        if trace.ops_of(device).any(|op| trace.category(op) == Category::Waiting) {
            waits.add(device);
        }
    }
    let of = |own: Launcher| match own {
        Launcher::One(process) => Some(process),
        Launcher::None => match waits {
            Launcher::One(process) => Some(process),
            _ => None,
        },
        Launcher::Several => None,
    };
    found.into_iter().map(of).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Launcher {
    None,
    One(DeviceId),
    Several,
}

impl Launcher {
    fn add(&mut self, process: DeviceId) {
        *self = match *self {
            Self::None => Self::One(process),
            own if own == Self::One(process) => own,
            _ => Self::Several,
        };
    }
}

/// Those rows of `calls` whose kernel ran on `device`. `calls` is in the order of kernels.
fn of_device<'a>(calls: &'a [(OpId, OpId)], trace: &Trace, device: DeviceId) -> &'a [(OpId, OpId)] {
    let row = trace.devices().get(device);
    let first = calls.partition_point(|(kernel, _)| kernel.get() < row.first_op);
    let end = calls.partition_point(|(kernel, _)| kernel.get() < row.end_op());
    &calls[first..end]
}

/// The kernels of one process in order of their ends.
#[derive(Default)]
struct ByEnd {
    busy: Busy,
    nodes: Vec<u32>,
    ends: Vec<Timestamp>,
    /// The launch times as the leaves of a tree. Each inner node has the earliest time below it; the root is at index 1.
    at: Vec<Timestamp>,
}

impl ByEnd {
    fn push(&mut self, row: &Row) {
        self.nodes.push(row.node);
        self.ends.push(row.end);
        self.at.push(row.at);
    }

    fn finish(&mut self) {
        // One leaf more than kernels, so that every count from 0 to the number of kernels is a leaf.
        let leaves = (self.at.len() + 1).next_power_of_two();
        let mut tree = vec![Timestamp(i64::MAX); leaves];
        tree.append(&mut self.at);
        tree.resize(2 * leaves, Timestamp(i64::MAX));
        for at in (1..leaves).rev() {
            tree[at] = tree[2 * at].min(tree[2 * at + 1]);
        }
        self.at = tree;
    }

    /// The kernel that ended last within `waiting`, among those launched before the wait began.
    fn last_of(&self, waiting: Interval) -> Option<u32> {
        let ended = self.ends.partition_point(|&end| end <= waiting.end);
        let row = self.last_launched(ended, waiting.start)?;
        (self.ends[row] > waiting.start).then(|| self.nodes[row])
    }

    /// The last of the first `count` kernels that was launched by the time `by`. Visits a few inner nodes on each level of the
    /// tree.
    fn last_launched(&self, count: usize, by: Timestamp) -> Option<usize> {
        let leaves = self.at.len() / 2;
        // Every leaf to the left of `at`, on the level of `at`, is still to be searched.
        let mut at = leaves + count;
        loop {
            if at.is_power_of_two() {
                return None;
            }
            if at % 2 == 1 {
                at -= 1;
                if self.at[at] <= by {
                    break;
                }
            }
            at /= 2;
        }
        while at < leaves {
            at = if self.at[2 * at + 1] <= by { 2 * at + 1 } else { 2 * at };
        }
        Some(at - leaves)
    }
}
