//! Transfers between tasks whose tensor and sender are not in the file: `timeline.py` writes `RecvTensor` without its label. The suffix that the
//! partitioner gives an input (`MatMul_S13`) says that an op took it from another device. Which `RecvTensor` brought it is inferred: the last one that
//! ended before the op began, and began after the tensor was made.

use super::pools::MAX_DISPATCH;
use crate::base::order;
use crate::base::units::Timestamp;
use crate::gpu::accelerators::{begins_executor, ends_executor};
use crate::makers::{Edges, Makers};
use crate::model::label;
use crate::{Category, DeviceId, OpId, Trace};

/// What records a transfer.
const RECORD: &str = "RecvTensor";
/// How many of them are searched before an op: any number may end at once.
const MOST_NEAR: usize = 16;

/// The records of such tensors, and what they stand between.
#[derive(Default)]
pub(super) struct Unnamed {
    /// All of them, sorted.
    records: Vec<OpId>,
    /// (what waited, for what), sorted: an op for a record, a record for the op that made its tensor.
    causes: Vec<(OpId, OpId)>,
}

impl Unnamed {
    /// Finds them, in time n log n; without cost for a trace that has none.
    pub(super) fn found(edges: Edges<'_>, makers: &Makers) -> Self {
        let (trace, ops) = (edges.trace, edges.trace.ops());
        let is_record = |&op: &OpId| {
            trace.category(op) == Category::Communication
                && trace.op_type(op) == RECORD
                && edges.transfers.id_of_op(op).is_none()
        };
        let mut found = Self { records: ops.ids().filter(is_record).collect(), causes: Vec::new() };
        if found.records.is_empty() {
            return found;
        }
        let row = |op: OpId| (trace.device_of(op), ops.end(op), op);
        let mut ended: Vec<(DeviceId, Timestamp, OpId)> = found.records.iter().map(|&op| row(op)).collect();
        ended.sort_unstable();
        let mut causes = Vec::new();
        let mut is_used = vec![false; ops.len()];
        // In a file of one task the senders are not there. In one of several an op may have another name than its users say.
        let is_cut = if tasks(trace) == 1 { takes_from_others(trace) } else { Vec::new() };
        for op in ops.ids() {
            let device = trace.device_of(op);
            let task = trace.devices().get(device).task;
            let mut from_others = 0;
            for &maker in makers.of_op(op) {
                is_used[maker.index()] = true;
                let from = trace.device_of(maker);
                from_others += u32::from(from != device);
                if trace.devices().get(from).task != task
                    && let Some(record) = brought(trace, &ended, op, ops.end(maker))
                {
                    causes.extend([(op, record), (record, maker)]);
                }
            }
            if from_others == 0 && is_cut.get(ops.node(op).index()) == Some(&true) {
                causes.extend(brought(trace, &ended, op, Timestamp(i64::MIN)).map(|record| (op, record)));
            }
        }
        causes.extend(unused_before(trace, &found.records, &causes, &is_used));
        causes.sort_unstable();
        causes.dedup();
        found.causes = causes;
        found
    }

    /// Whether `op` is such a record.
    pub(super) fn has(&self, op: OpId) -> bool {
        self.records.binary_search(&op).is_ok()
    }

    /// What `op` waited for, of these tensors.
    pub(super) fn causes(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        let first = self.causes.partition_point(|&(own, _)| own < op);
        self.causes[first..].iter().take_while(move |own| own.0 == op).map(|own| own.1)
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.records.capacity() * size_of::<OpId>() + self.causes.capacity() * size_of::<(OpId, OpId)>()
    }
}

/// How many tasks have devices.
fn tasks(trace: &Trace) -> usize {
    let mut tasks: Vec<_> = trace.devices().ids().filter_map(|id| trace.devices().get(id).task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    tasks.len()
}

/// For each node whether its label has an input with the suffix of the partitioner.
fn takes_from_others(trace: &Trace) -> Vec<bool> {
    let nodes = trace.nodes();
    let takes =
        |label: &str| label::inputs(label).any(|own| label::without_partition_suffix(own.name).is_some());
    nodes.ids().map(|node| takes(trace.text(nodes.label(node)))).collect()
}

/// The record on the device of `op` that ended last before it, of those that began at `since` or later. `ended` has (device, end, record), sorted.
fn brought(trace: &Trace, ended: &[(DeviceId, Timestamp, OpId)], op: OpId, since: Timestamp) -> Option<OpId> {
    let (device, start) = (trace.device_of(op), trace.ops().start(op));
    let count = ended.partition_point(|&(own, end, _)| (own, end) <= (device, start));
    let near = ended[..count].iter().rev().take(MOST_NEAR).take_while(|own| own.0 == device);
    near.map(|own| own.2).find(|&record| record != op && trace.ops().start(record) >= since)
}

/// For each record that nothing took, and that begins at most a dispatch after an op of another task whose result no recorded op took: that op.
/// What a step fetches is sent to its client.
fn unused_before(
    trace: &Trace,
    records: &[OpId],
    causes: &[(OpId, OpId)],
    is_used: &[bool],
) -> Vec<(OpId, OpId)> {
    let ops = trace.ops();
    let mut known: Vec<OpId> = causes.iter().flat_map(|&(op, from)| [op, from]).collect();
    known.sort_unstable();
    let is_made = |op: &OpId| {
        let begins_or_ends = begins_executor(trace, *op) || ends_executor(trace, *op);
        !is_used[op.index()] && trace.category(*op) == Category::Compute && !begins_or_ends
    };
    let mut made: Vec<OpId> = ops.ids().filter(is_made).collect();
    order::by_number(&mut made, |op| (ops.end(op).0, i64::from(op.get())));
    let task = |op: OpId| trace.devices().get(trace.device_of(op)).task;
    let last = |&record: &OpId| {
        let start = ops.start(record);
        let count = made.partition_point(|&op| ops.end(op) <= start);
        let near = made[..count].iter().rev().take(MOST_NEAR);
        let near = near.take_while(|&&op| start - ops.end(op) <= MAX_DISPATCH);
        near.copied().find(|&op| task(op) != task(record)).map(|op| (record, op))
    };
    records.iter().filter(|record| known.binary_search(record).is_err()).filter_map(last).collect()
}
