//! Data flow: which op made an op's input, and which ops used its output.
//!
//! Ops name their inputs in their labels. A node that ran several times (a loop, or several steps) has several ops:
//! an input comes from the last of them that ended before the consumer started.

use crate::Trace;
use crate::ids::{DeviceId, NodeId, OpId, StringId};
use crate::label::{self, InputRef};
use crate::order;
use crate::output::range;
use crate::units::Timestamp;

/// How many ops of one node are looked at to find the one that was last. Ops of a node overlap only when they run in
/// parallel, so that more than a few are never needed; the bound keeps hostile files from costing n².
const MAX_LOOK_BACK: usize = 64;
/// How many nodes with one name, or with one input, are looked at. TensorFlow gives a name to one node; a variable of
/// a large model has some hundreds of readers. Bounds the cost of hostile files, too.
const MAX_NODES: usize = 4096;
/// How many consumers of one value are found at most. A loop reads a variable once an iteration.
const MAX_CONSUMERS: usize = 16_384;
/// How many ops are looked at to find the consumers of one, times the nodes that may have made their input.
const MAX_LOOKS: usize = 1 << 16;

/// Indexes from names to ops, both ways. Built once for a trace, in time linear in ops and labels.
#[derive(Default)]
pub struct DataFlow {
    /// Ops of node `i`: `ops[first_op[i] .. first_op[i + 1]]`, in order of device and start.
    first_op: Vec<u32>,
    ops: Vec<OpId>,
    /// (name, node) of every node, sorted.
    named: Vec<(StringId, NodeId)>,
    /// (name of an input, node that has it), sorted, without repeats.
    consumers: Vec<(StringId, NodeId)>,
    /// (name of an input without the partitioner's suffix, node that has it), sorted, without repeats.
    cut: Vec<(StringId, NodeId)>,
}

impl DataFlow {
    /// Indexes `trace`.
    pub fn of(trace: &Trace) -> Self {
        let nodes = trace.nodes();
        let mut flow = Self { first_op: vec![0; nodes.len() + 1], ..Self::default() };
        for op in trace.ops().ids() {
            flow.first_op[trace.ops().node(op).index() + 1] += 1;
        }
        for node in 0..nodes.len() {
            flow.first_op[node + 1] += flow.first_op[node];
        }
        let mut next = flow.first_op.clone();
        flow.ops = vec![OpId::new(0); trace.ops().len()];
        for op in trace.ops().ids() {
            let place = &mut next[trace.ops().node(op).index()];
            flow.ops[*place as usize] = op;
            *place += 1;
        }
        for node in nodes.ids() {
            flow.named.push((nodes.name(node), node));
            for input in label::inputs(trace.text(nodes.label(node))) {
                // A name that no string of the trace equals was never a node's.
                let find = |name: &str| trace.strings().find(name).map(|name| (name, node));
                flow.consumers.extend(find(input.name));
                flow.cut.extend(label::without_partition_suffix(input.name).and_then(find));
            }
        }
        sort_pairs(&mut flow.named);
        sort_pairs(&mut flow.consumers);
        flow.consumers.dedup();
        sort_pairs(&mut flow.cut);
        flow.cut.dedup();
        flow
    }

    /// The ops on `device` whose node is called `name`, in order of start within each node.
    pub fn ops_named(&self, trace: &Trace, device: DeviceId, name: StringId) -> Vec<OpId> {
        let mut ops = Vec::new();
        for &(_, node) in equal(&self.named, name) {
            ops.extend_from_slice(self.ops_of(trace, device, node));
        }
        sort_ops(&mut ops);
        ops
    }

    /// Of the ops on `device` called `name`, the last that ended by `time`; else the last that started by then.
    pub fn last_before(
        &self,
        trace: &Trace,
        device: DeviceId,
        name: StringId,
        time: Timestamp,
    ) -> Option<OpId> {
        let ops = trace.ops();
        let (mut ended, mut started) = (None, None);
        for &(_, node) in equal(&self.named, name) {
            let own = self.ops_of(trace, device, node);
            let by_then = &own[..own.partition_point(|&op| ops.start(op) <= time)];
            started = started.max(by_then.last().map(|&op| (ops.start(op), op)));
            let found = by_then.iter().rev().take(MAX_LOOK_BACK).find(|&&op| ops.end(op) <= time);
            ended = ended.max(found.map(|&op| (ops.start(op), op)));
        }
        ended.or(started).map(|(_, op)| op)
    }

    /// The op that made `input` of `op`, on the same device.
    pub fn producer(&self, trace: &Trace, op: OpId, input: InputRef<'_>) -> Option<OpId> {
        let name = trace.strings().find(input.name)?;
        let producer = self.last_before(trace, trace.device_of(op), name, trace.ops().start(op))?;
        (producer != op).then_some(producer)
    }

    /// The ops on the device of `op` that used what it made, in order of start; the first of very many.
    pub fn consumers(&self, trace: &Trace, op: OpId) -> Vec<OpId> {
        let name = trace.nodes().name(trace.ops().node(op));
        let device = trace.device_of(op);
        let start = |op| trace.ops().start(op);
        let mut consumers = Vec::new();
        let mut looks = MAX_LOOKS / equal(&self.named, name).len().max(1);
        for &(_, node) in equal(&self.consumers, name) {
            let own = self.ops_of(trace, device, node);
            for &consumer in &own[own.partition_point(|&other| start(other) < start(op))..] {
                let Some(left) = looks.checked_sub(1) else { break };
                looks = left;
                let producer = self.last_before(trace, device, name, start(consumer));
                if producer == Some(op) && consumer != op {
                    consumers.push(consumer);
                } else if producer.is_some_and(|producer| {
                    // Over before this consumer, so over before all that follow: none of them takes an earlier run.
                    // (One that is still running gives way to an earlier one once that is over.)
                    start(producer) > start(op) && trace.ops().end(producer) <= start(consumer)
                }) {
                    break;
                }
            }
        }
        sort_ops(&mut consumers);
        consumers
    }

    /// The ops on `device` that have `name` among their inputs and start in `[from, until)`, in order of start.
    pub fn ops_with_input(
        &self,
        trace: &Trace,
        device: DeviceId,
        name: StringId,
        from: Timestamp,
        until: Timestamp,
    ) -> Vec<OpId> {
        self.started_within(trace, device, equal(&self.consumers, name), from, until)
    }

    /// Like [`ops_with_input`](Self::ops_with_input), for inputs that are `base` with a partitioner's suffix.
    pub fn ops_with_cut_input(
        &self,
        trace: &Trace,
        device: DeviceId,
        base: StringId,
        from: Timestamp,
        until: Timestamp,
    ) -> Vec<OpId> {
        self.started_within(trace, device, equal(&self.cut, base), from, until)
    }

    fn started_within(
        &self,
        trace: &Trace,
        device: DeviceId,
        nodes: &[(StringId, NodeId)],
        from: Timestamp,
        until: Timestamp,
    ) -> Vec<OpId> {
        let mut ops = Vec::new();
        for &(_, node) in nodes {
            let own = self.ops_of(trace, device, node);
            let first = own.partition_point(|&op| trace.ops().start(op) < from);
            let room = MAX_CONSUMERS - ops.len();
            ops.extend(own[first..].iter().take_while(|&&op| trace.ops().start(op) < until).take(room));
        }
        sort_ops(&mut ops);
        ops
    }

    /// The ops of `node` on `device`.
    fn ops_of(&self, trace: &Trace, device: DeviceId, node: NodeId) -> &[OpId] {
        let own = &self.ops[range(&self.first_op, node.index())];
        let device = trace.devices().get(device);
        let first = own.partition_point(|op| op.get() < device.first_op);
        let end = own.partition_point(|op| op.get() < device.first_op + device.op_count);
        &own[first..end]
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.first_op.capacity() + self.ops.capacity()) * 4
            + (self.named.capacity() + self.consumers.capacity() + self.cut.capacity()) * 8
    }
}

/// The rows of a sorted table that start with `name`.
fn equal(table: &[(StringId, NodeId)], name: StringId) -> &[(StringId, NodeId)] {
    let first = table.partition_point(|&(other, _)| other < name);
    let count = table[first..].partition_point(|&(other, _)| other == name);
    &table[first..first + count.min(MAX_NODES)]
}

fn sort_pairs(pairs: &mut [(StringId, NodeId)]) {
    order::by_number(pairs, |(name, node)| (i64::from(name.get()), i64::from(node.get())));
}

fn sort_ops(ops: &mut [OpId]) {
    order::by_number(ops, |op| (i64::from(op.get()), 0));
}
