//! Makers: what each op waited for, computed for all ops in one pass.
//!
//! The results are the same as those of [`Edges::inputs`] for single ops. In one execution most nodes run once and most tensors
//! come once: a table of these saves the search for every input of every op.

use crate::base::bits::RankedBits;
use crate::base::ids::{GraphNodeId, OpId, StringId, TransferId};
use crate::base::pace::{Pace, at_once};
use crate::dataflow::DataFlow;
use crate::dataflow::executions::Executions;
use crate::makers::{Edges, Source};
use crate::model::graph::End;
use crate::model::label;
use crate::storage::ranges::range;
use crate::transfers::{InputKey, Transfers};
use crate::{Category, Trace};

/// How many inputs are followed per op of the trace, and how many in addition. Real ops have about three inputs, and a few have
/// thousands. The bounds keep files whose nodes have a million inputs and a million runs from costing n². Ops beyond the bound have
/// no makers: see [`Makers::ops_without`].
const INPUTS_PER_OP: usize = 16;
const MORE_INPUTS: usize = 1 << 20;

/// For each op: the ops that made its inputs, and the ops that recorded the transfers of its inputs. For an op that recorded a
/// transfer: the producer.
#[derive(Default)]
pub struct Makers {
    /// For each op the range of its makers in `makers`, as first and end.
    ranges: Vec<(u32, u32)>,
    makers: Vec<OpId>,
    /// Indexes of `makers`, ascending, where an op that recorded a transfer does not stand for this transfer.
    apart: Vec<u32>,
    /// Indexes of `makers`, ascending, that are control edges and bring no value.
    orders: Vec<u32>,
    unrecorded: Vec<OpId>,
    ops_without: u64,
}

impl Makers {
    /// Finds the makers of all ops, in time n log n.
    pub fn found(edges: Edges<'_>) -> Self {
        at_once(async |pace: &Pace| Self::paced(edges, pace).await)
    }

    /// Like `found`, but in pieces, so that the caller can do other work between them.
    pub async fn paced(edges: Edges<'_>, pace: &Pace) -> Self {
        let trace = edges.trace;
        let n_ops = trace.ops().len();
        let mut makers = Self { ranges: vec![(0, 0); n_ops], ..Self::default() };
        let executions = &edges.flow.executions;
        let ops: Vec<(u32, OpId)> = trace.ops().ids().map(|op| (executions.of_op(trace, op), op)).collect();
        let ops = ByExecution::grouped(executions.len(), &ops);
        let brought = edges.transfers.all().filter_map(|(id, transfer)| {
            let (place, InputKey::GraphNode(node)) = edges.transfers.input_of(id)? else { return None };
            Some((place.execution, (node, transfer.op?)))
        });
        let brought = ByExecution::grouped(executions.len(), &brought.collect::<Vec<_>>());
        let mut once = Once::empty(trace);
        let is_order = orders_of(trace);
        let mut nodes = Nodes::of_trace(trace, executions);
        let mut node_of: Vec<Option<GraphNodeId>> = Vec::new();
        let mut inputs_left = n_ops * INPUTS_PER_OP + MORE_INPUTS;
        for execution in 0..executions.len() {
            let ops_here = ops.in_execution(execution);
            once.execution += 1;
            brought.in_execution(execution).iter().for_each(|&(node, op)| once.put(node, op));
            node_of.clear();
            for &op in ops_here {
                let node = nodes.of(edges, op);
                let is_transfer = edges.transfers.id_of_op(op).is_some();
                if let Some(node) = node.filter(|node| !is_transfer && !once.receives[node.index()]) {
                    once.put(node, op);
                }
                node_of.push(node);
            }
            for (&op, &node) in ops_here.iter().zip(&node_of) {
                let first = makers.makers.len();
                if inputs_left == 0 {
                    makers.ops_without += 1;
                } else if makers.add_quickly(edges, &once, &is_order, op, node) {
                    inputs_left = inputs_left.saturating_sub(makers.makers.len() - first);
                } else {
                    makers.makers.truncate(first);
                    while makers.orders.last().is_some_and(|&place| place as usize >= first) {
                        makers.orders.pop();
                    }
                    inputs_left = inputs_left.saturating_sub(makers.add(edges, op));
                }
                makers.ranges[op.index()] = (first as u32, makers.makers.len() as u32);
            }
            pace.worked(ops_here.len()).await;
        }
        makers
    }

    /// The ops that `op` waited for.
    pub fn of_op(&self, op: OpId) -> &[OpId] {
        let (first, end) = self.range(op);
        &self.makers[first as usize..end as usize]
    }

    /// The transfer that the maker at index `at` stands for.
    pub(crate) fn transfer(&self, transfers: &Transfers, at: u32) -> Option<TransferId> {
        transfers.id_of_op(self.at(at)).filter(|_| self.apart.binary_search(&at).is_err())
    }

    /// The indexes of makers that ops waited for without using a value, ascending.
    pub(crate) fn orders(&self) -> &[u32] {
        &self.orders
    }

    /// Whether the makers are in the order of their ops.
    pub(crate) fn is_by_op(&self) -> bool {
        self.ranges.is_sorted_by_key(|&(first, _)| first)
    }

    /// The range of the makers of `op` in the list of all makers.
    pub(crate) fn range(&self, op: OpId) -> (u32, u32) {
        self.ranges[op.index()]
    }

    /// The maker at index `at`.
    pub(crate) fn at(&self, at: u32) -> OpId {
        self.makers[at as usize]
    }

    /// The ops that used a tensor from another device whose transfer was not recorded.
    pub fn unrecorded(&self) -> &[OpId] {
        &self.unrecorded
    }

    /// The number of ops that were left out because the ops before have too many inputs.
    pub fn ops_without(&self) -> u64 {
        self.ops_without
    }

    /// The number of makers of all ops.
    pub(crate) fn len(&self) -> usize {
        self.makers.len()
    }

    /// Adds the makers of an op from the table alone; returns false where the table does not decide.
    fn add_quickly(
        &mut self,
        edges: Edges<'_>,
        once: &Once,
        is_order: &RankedBits,
        op: OpId,
        node: Option<GraphNodeId>,
    ) -> bool {
        let trace = edges.trace;
        // A transfer has a producer and no inputs.
        let is_transfer = || edges.transfers.of_op(op).is_some();
        let Some(node) = node.filter(|_| trace.category(op) != Category::Communication || !is_transfer())
        else {
            return false;
        };
        // A `Merge` continues with one of its inputs.
        if matches!(trace.text(trace.nodes().op_type(trace.ops().node(op))), "Merge" | "RefMerge") {
            return false;
        }
        let inputs = trace.graph().input_range(node);
        for (maker, input) in edges.flow.graph.makers_of(trace.graph(), node).iter().zip(inputs) {
            match maker.and_then(|maker| once.get(maker)) {
                Some(maker) if maker != op => self.put(maker, is_order.contains(input)),
                Some(_) => {}
                None => return false,
            }
        }
        true
    }

    fn put(&mut self, maker: OpId, is_order: bool) {
        if is_order {
            self.orders.push(self.makers.len() as u32);
        }
        self.makers.push(maker);
    }

    /// Adds the makers of `op`, and returns the number of inputs that were followed.
    fn add(&mut self, edges: Edges<'_>, op: OpId) -> usize {
        if let Some(transfer) = edges.transfers.of_op(op) {
            self.makers.extend(transfer.producer.ok());
            return 1;
        }
        let mut is_unrecorded = false;
        let inputs = edges.inputs(op, usize::MAX);
        for edge in &inputs {
            let maker = edges.maker(edge.source);
            let is_here = edge.source == Source::NotTaken || maker.is_some();
            is_unrecorded |= !is_here && label::without_partition_suffix(edge.input.name).is_some();
            let recorded = maker.and_then(|maker| edges.transfers.id_of_op(maker));
            if recorded.is_some_and(|id| edge.source != Source::Transfer(id)) {
                self.apart.push(self.makers.len() as u32);
            }
            if let Some(maker) = maker {
                self.put(maker, edge.input.control);
            }
        }
        if is_unrecorded {
            self.unrecorded.push(op);
        }
        inputs.len()
    }
}

/// Which inputs of the graph nodes are control inputs.
fn orders_of(trace: &Trace) -> RankedBits {
    let mut is_order = Vec::with_capacity(trace.graph().input_count());
    for node in trace.graph().ids() {
        is_order.extend(trace.graph().inputs(node).iter().map(|&input| trace.text(input).starts_with('^')));
    }
    RankedBits::of(is_order.len(), |input| is_order[input])
}

/// Whether the ops of `trace` may have more inputs than the bound. An upper estimate, which is quicker than to follow the inputs.
pub(crate) fn may_be_too_many(trace: &Trace, flow: &DataFlow) -> bool {
    let (nodes, graph) = (trace.nodes(), trace.graph());
    // For each name the most inputs of any node or label with this name. A transfer has one.
    let mut most = vec![1; flow.runs.len()];
    let mut count = |name: StringId, inputs: usize| {
        if let Some(row) = flow.runs.row(name) {
            most[row as usize] = most[row as usize].max(inputs);
        }
    };
    graph.ids().for_each(|node| count(graph.name(node), graph.inputs(node).len()));
    nodes
        .ids()
        .for_each(|node| count(nodes.name(node), label::inputs(trace.text(nodes.label(node))).count()));
    let inputs = |(row, &most): (u32, &usize)| flow.runs.of_name(row).len().saturating_mul(most);
    let all = (0..).zip(&most).map(inputs).fold(0, usize::saturating_add);
    all > trace.ops().len() * INPUTS_PER_OP + MORE_INPUTS
}

/// Rows grouped by execution, each group in the original order.
struct ByExecution<T> {
    rows: Vec<T>,
    first: Vec<u32>,
}

impl<T: Copy> ByExecution<T> {
    /// Sorts (execution, row) with a counting sort.
    fn grouped(executions: usize, rows: &[(u32, T)]) -> Self {
        let mut first = vec![0; executions + 1];
        rows.iter().for_each(|&(execution, _)| first[execution as usize + 1] += 1);
        for execution in 0..executions {
            first[execution + 1] += first[execution];
        }
        let mut next = first.clone();
        let mut sorted: Vec<T> = rows.iter().map(|&(_, row)| row).collect();
        for &(execution, row) in rows {
            let place = &mut next[execution as usize];
            sorted[*place as usize] = row;
            *place += 1;
        }
        Self { rows: sorted, first }
    }

    fn in_execution(&self, execution: usize) -> &[T] {
        &self.rows[range(&self.first, execution)]
    }
}

/// For each graph node the op that ran, or the tensor that arrived, if that happened exactly once in the current execution.
struct Once {
    execution: u32,
    /// The last execution with an entry, and the entry; `None` if there were two.
    last: Vec<(u32, Option<OpId>)>,
    /// Whether the node receives a tensor.
    receives: Vec<bool>,
}

impl Once {
    fn empty(trace: &Trace) -> Self {
        let mut receives = vec![false; trace.graph().len()];
        for end in trace.graph().rendezvous().iter().filter(|end| end.end == End::Recv) {
            receives[end.node.index()] = true;
        }
        Self { execution: 0, last: vec![(0, None); receives.len()], receives }
    }

    fn put(&mut self, node: GraphNodeId, op: OpId) {
        let last = &mut self.last[node.index()];
        *last = (self.execution, Some(op).filter(|_| last.0 != self.execution));
    }

    fn get(&self, node: GraphNodeId) -> Option<OpId> {
        self.last.get(node.index()).filter(|last| last.0 == self.execution)?.1
    }
}

/// The graph nodes of ops. Kept from execution to execution, because most executions have the same graphs.
pub(crate) struct Nodes<'a> {
    /// For each node of the ops: the op that was searched last, and the result.
    known: Vec<Option<(OpId, Option<GraphNodeId>)>>,
    executions: &'a Executions,
}

impl<'a> Nodes<'a> {
    pub(crate) fn of_trace(trace: &Trace, executions: &'a Executions) -> Self {
        Self { known: vec![None; trace.nodes().len()], executions }
    }

    pub(crate) fn of(&mut self, edges: Edges<'_>, op: OpId) -> Option<GraphNodeId> {
        let (trace, executions) = (edges.trace, self.executions);
        let known = &mut self.known[trace.ops().node(op).index()];
        if let Some((other, node)) = *known {
            let [execution, others] = [op, other].map(|op| executions.of_op(trace, op));
            let device = trace.devices().get(trace.device_of(op));
            if (device.first_op..device.end_op()).contains(&other.get())
                && executions.have_same_graphs(execution, others)
            {
                return node;
            }
        }
        let node = edges.flow.node(trace, op);
        *known = Some((op, node));
        node
    }
}
