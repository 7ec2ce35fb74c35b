//! Copies of tensors between a GPU and its host: a copy waits for the last kernel of the op that made its tensor, and what uses the
//! tensor on the host waits for the copy.
//!
//! Streams name the tensor of a copy as the rendezvous does, `edge_22_MatMul`. It belongs to no op of the executor, which leaves out
//! the nodes that hand tensors over.

use super::nodes::Nodes;
use crate::base::order;
use crate::model::device::{DeviceKind, is_of_executor};
use crate::model::label;
use crate::{Category, NodeId, OpId, StringId, Timestamp, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What ran for each op: (its name, the end, the node), by name and end.
#[derive(Default)]
pub(super) struct Copied {
    kernels: Vec<(StringId, Timestamp, u32)>,
    copies: Vec<(StringId, Timestamp, u32)>,
    /// The ops of executors that made the tensors of copies.
    makers: Vec<(StringId, Timestamp, u32)>,
    /// For each node that is a copy of a tensor the name of the op that made the tensor.
    maker_of: HashMap<NodeId, StringId, FixedState>,
}

impl Copied {
    /// Finds the copies of tensors, in time n log n; without cost for a trace that has none.
    pub(super) fn found(trace: &Trace, nodes: &Nodes) -> Self {
        let is_stream = |id: &crate::DeviceId| trace.devices().get(*id).kind == DeviceKind::Stream;
        let mut copied = Self::default();
        let mut names: HashMap<NodeId, Option<StringId>, FixedState> = HashMap::default();
        let streams = trace.devices().ids().filter(is_stream);
        let rows: Vec<OpId> = streams.flat_map(|device| trace.ops_of(device)).collect();
        for &op in &rows {
            let node = trace.ops().node(op);
            let text = |id: StringId| trace.text(id);
            let name = label::op_of_kernel(text(trace.nodes().name(node)), text(trace.nodes().label(node)));
            let tensor = label::producer_of_edge(name);
            let is_copy = trace.category(op) == Category::Copy;
            if is_copy && tensor.name.len() < name.len() && name.starts_with("edge_") {
                let maker = trace.strings().find(tensor.name);
                maker.into_iter().for_each(|maker| _ = copied.maker_of.insert(node, maker));
            } else if !is_copy {
                names.entry(node).or_insert_with(|| trace.strings().find(name));
            }
        }
        if copied.maker_of.is_empty() {
            return copied;
        }
        for &op in &rows {
            let (of, end) = (trace.ops().node(op), trace.ops().end(op));
            let Some(node) = nodes.of_op(op) else { continue };
            if let Some(&maker) = copied.maker_of.get(&of) {
                copied.copies.push((maker, end, node));
            } else if let Some(&Some(name)) = names.get(&of) {
                copied.kernels.push((name, end, node));
            }
        }
        let mut names: Vec<StringId> = copied.maker_of.values().copied().collect();
        names.sort_unstable();
        let of_executor = |id: &crate::DeviceId| is_of_executor(trace.text(trace.devices().get(*id).name));
        for op in trace.devices().ids().filter(of_executor).flat_map(|device| trace.ops_of(device)) {
            let name = trace.nodes().name(trace.ops().node(op));
            if let (Ok(_), Some(node)) = (names.binary_search(&name), nodes.of_op(op)) {
                copied.makers.push((name, trace.ops().end(op), node));
            }
        }
        for rows in [&mut copied.kernels, &mut copied.copies, &mut copied.makers] {
            order::by_number(rows, |(name, end, _)| (i64::from(name.get()), end.0));
        }
        copied
    }

    /// The last kernel that had to end before the copy `op` could begin.
    pub(super) fn kernel_before(&self, trace: &Trace, op: OpId) -> Option<u32> {
        let maker = *self.maker_of.get(&trace.ops().node(op))?;
        last_of(&self.kernels, maker, trace.ops().start(op))
    }

    /// The op that made the tensor of the copy `op`.
    pub(super) fn maker_before(&self, trace: &Trace, op: OpId) -> Option<u32> {
        let maker = *self.maker_of.get(&trace.ops().node(op))?;
        last_of(&self.makers, maker, trace.ops().start(op))
    }

    /// The copies of the tensors that the label of `op` calls `X/_N`: received from another device, by an op that was not recorded.
    pub(super) fn received<'a>(&'a self, trace: &'a Trace, op: OpId) -> impl Iterator<Item = u32> + 'a {
        let has_any = !self.copies.is_empty();
        let label = trace.text(trace.nodes().label(trace.ops().node(op)));
        let inputs = has_any.then(|| label::inputs(label)).into_iter().flatten();
        inputs.filter_map(move |input| {
            let maker = trace.strings().find(label::without_partition_suffix(input.name)?)?;
            self.copy_before(maker, trace.ops().start(op))
        })
    }

    /// The last copy of an output of the op called `maker` that had ended by `at`.
    pub(super) fn copy_before(&self, maker: StringId, at: Timestamp) -> Option<u32> {
        last_of(&self.copies, maker, at)
    }
}

fn last_of(rows: &[(StringId, Timestamp, u32)], name: StringId, at: Timestamp) -> Option<u32> {
    let end = rows.partition_point(|&(own, end, _)| (own, end) <= (name, at));
    rows[..end].last().filter(|(own, ..)| *own == name).map(|&(.., node)| node)
}
