//! Nodes of the execution graph. A node is an op; where ops of one thread contain one another, it is a piece of an op in which no
//! nested op ran.
//!
//! A transfer is the node of the op that recorded it; a transfer that no op recorded is an edge. The interval of a node excludes
//! waiting, and what is outside of the period that is shown: a receiving op counts from the moment when its tensor was made, and a call that waits for a device counts from the end
//! of the last kernel that it waited for.

use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::has_kernels;
use crate::model::device::DeviceKind;
use crate::timeline::nesting;
use crate::{Category, DeviceId, OpId, Trace};

/// The nodes, by row.
#[derive(Default)]
pub struct Nodes {
    /// The op of each node; empty where every op is one node, in the order of the ops.
    op: Vec<OpId>,
    /// The row of the last node of each op, plus one; 0 for ops without a node. Empty where every op is one node.
    last: Vec<u32>,
    intervals: Vec<Interval>,
}

impl Nodes {
    /// Builds the nodes of `trace`: the pieces of ops on devices whose ops nest, and whole ops on all others.
    pub(super) fn numbered(trace: &Trace) -> Self {
        let ops = trace.ops();
        if !trace.devices().ids().any(|id| trace.devices().get(id).nests) {
            let interval = |op| if is_work(trace, op) { ops.interval(op) } else { empty(ops.start(op)) };
            // The copies of ops that a host profiler recorded come last, and are not nodes.
            let counted = ops.ids().take(trace.counted_ops());
            let within = |interval: Interval| match trace.is_period() {
                true => interval.clamp_to(trace.span()),
                false => interval,
            };
            return Self { intervals: counted.map(interval).map(within).collect(), ..Self::default() };
        }
        let mut nodes = Self { last: vec![0; ops.len()], ..Self::default() };
        for device in trace.devices().ids() {
            if trace.devices().get(device).nests {
                nesting::pieces(trace, device).iter().for_each(|piece| nodes.push(piece.op, piece.interval));
            } else {
                let work = trace.ops_of(device).filter(|&op| is_work(trace, op));
                work.for_each(|op| nodes.push(op, ops.interval(op)));
            }
        }
        if trace.is_period() {
            let span = trace.span();
            nodes.intervals.iter_mut().for_each(|interval| *interval = interval.clamp_to(span));
        }
        nodes.op.shrink_to_fit();
        nodes.intervals.shrink_to_fit();
        nodes
    }

    fn push(&mut self, op: OpId, interval: Interval) {
        self.op.push(op);
        self.intervals.push(interval);
        self.last[op.index()] = self.op.len() as u32;
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.intervals.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The op of `node`.
    #[inline]
    pub fn op(&self, node: u32) -> OpId {
        self.op.get(node as usize).copied().unwrap_or(OpId::new(node))
    }

    /// The node of `op`; for a nested op the last of its pieces. `None` if the op has no self time.
    #[inline]
    pub fn of_op(&self, op: OpId) -> Option<u32> {
        match self.last.get(op.index()) {
            Some(&last) => last.checked_sub(1),
            None => Some(op.get()).filter(|&node| (node as usize) < self.len()),
        }
    }

    /// The nodes of `device`.
    pub(crate) fn of_device(&self, trace: &Trace, device: DeviceId) -> std::ops::Range<u32> {
        let row = trace.devices().get(device);
        let before = |end_op: u32| {
            let (mut low, mut high) = (0, self.len() as u32);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.op(middle).get() < end_op { low = middle + 1 } else { high = middle }
            }
            low
        };
        before(row.first_op)..before(row.end_op())
    }

    /// The first node of `op`; `None` if the op has no self time.
    pub fn first_of(&self, trace: &Trace, op: OpId) -> Option<u32> {
        let last = self.of_op(op)?;
        let device = trace.device_of(op);
        if self.last.is_empty() || !trace.devices().get(device).nests {
            return Some(last);
        }
        self.of_device(trace, device).find(|&node| self.op(node) == op)
    }

    /// When `node` ran, without waiting.
    #[inline]
    pub fn interval(&self, node: u32) -> Interval {
        self.intervals[node as usize]
    }

    /// How long `node` ran, without waiting.
    #[inline]
    pub fn length(&self, node: u32) -> Nanos {
        self.interval(node).length()
    }

    /// Cuts the interval of `node`: until `until` it only waited.
    pub(super) fn waits_until(&mut self, node: u32, until: Timestamp) {
        let piece = &mut self.intervals[node as usize];
        piece.start = until.clamp(piece.start, piece.end);
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.op.capacity() * size_of::<OpId>()
            + self.last.capacity() * size_of::<u32>()
            + self.intervals.capacity() * size_of::<Interval>()
    }
}

/// Whether `op` is work that no other op of the trace repeats.
pub(crate) fn is_work(trace: &Trace, op: OpId) -> bool {
    if trace.category(op) == Category::Range {
        return false;
    }
    let device = trace.device_of(op);
    // A GPU does nothing while a call waits for it. The call itself is a node, which starts where the wait ends.
    if trace.category(op) == Category::Waiting && has_kernels(trace, device) {
        return false;
    }
    // Only RunMetadata has GPU devices that repeat the ops of others.
    let may_repeat = matches!(trace.devices().get(device).kind, DeviceKind::StreamAll | DeviceKind::Memcpy);
    !(may_repeat && trace.devices().repeats_streams(device))
}

fn empty(at: Timestamp) -> Interval {
    Interval { start: at, end: at }
}
