//! Makers: what every op waited for, told for all ops at once.
//!
//! The same as [`Edges::inputs`] tells op by op. In one execution most nodes run once and most tensors come once: a table of these saves
//! the search for every input of every op.

use crate::analysis::dataflow::executions::Executions;
use crate::analysis::edges::{Edges, MAX_INPUTS, Source};
use crate::analysis::transfers::{Brought, Transfers};
use crate::graph::End;
use crate::ids::{GraphNodeId, OpId, TransferId};
use crate::output::range;
use crate::{Category, Trace, label};

/// How many there are at most, for every op and beside that: real ops have three inputs, and a few have thousands.
const MAX_PER_OP: usize = 16;
const MAX_MORE: usize = 1 << 20;

/// By op: the ops that made its inputs, and the transfers that brought them; of a transfer its producer.
#[derive(Default)]
pub struct Makers {
    /// Of each op the first in `makers`, and the one after the last.
    ranges: Vec<(u32, u32)>,
    makers: Vec<OpId>,
    /// Places of `makers` where an op that recorded a transfer stands for something else than that: ascending.
    apart: Vec<u32>,
    unrecorded: Vec<OpId>,
}

impl Makers {
    /// The makers of all ops, in time n log n.
    pub fn of(edges: Edges<'_>) -> Self {
        let trace = edges.trace;
        let n_ops = trace.ops().len();
        let mut makers = Self { ranges: vec![(0, 0); n_ops], ..Self::default() };
        let executions = &edges.flow.executions;
        let ops: Vec<(u32, OpId)> = trace.ops().ids().map(|op| (executions.of_op(trace, op), op)).collect();
        let ops = ByExecution::of(executions.len(), &ops);
        let brought = edges.transfers.all().filter_map(|(id, transfer)| {
            let (place, Brought::By(node)) = edges.transfers.input_of(id)? else { return None };
            Some((place.execution, (node, transfer.op?)))
        });
        let brought = ByExecution::of(executions.len(), &brought.collect::<Vec<_>>());
        let mut once = Once::of(trace);
        let mut nodes = Nodes { known: vec![None; trace.nodes().len()], executions };
        let mut node_of: Vec<Option<GraphNodeId>> = Vec::new();
        for execution in 0..executions.len() {
            let own = ops.in_execution(execution);
            once.execution += 1;
            brought.in_execution(execution).iter().for_each(|&(node, op)| once.put(node, op));
            node_of.clear();
            for &op in own {
                let node = nodes.of(edges, op);
                let is_transfer = edges.transfers.id_of_op(op).is_some();
                if let Some(node) = node.filter(|node| !is_transfer && !once.receives[node.index()]) {
                    once.put(node, op);
                }
                node_of.push(node);
            }
            for (&op, &node) in own.iter().zip(&node_of) {
                let first = makers.makers.len();
                if first < n_ops * MAX_PER_OP + MAX_MORE && !makers.add_quickly(edges, &once, op, node) {
                    makers.makers.truncate(first);
                    makers.add(edges, op);
                }
                makers.ranges[op.index()] = (first as u32, makers.makers.len() as u32);
            }
        }
        makers
    }

    /// What `op` waited for.
    pub fn of_op(&self, op: OpId) -> &[OpId] {
        let (first, end) = self.range(op);
        &self.makers[first as usize..end as usize]
    }

    /// The transfer that the maker in place `at` stands for.
    pub(crate) fn transfer(&self, transfers: &Transfers, at: u32) -> Option<TransferId> {
        transfers.id_of_op(self.at(at)).filter(|_| self.apart.binary_search(&at).is_err())
    }

    /// Where the makers of `op` stand among those of all.
    pub(crate) fn range(&self, op: OpId) -> (u32, u32) {
        self.ranges[op.index()]
    }

    /// The maker in place `at`.
    pub(crate) fn at(&self, at: u32) -> OpId {
        self.makers[at as usize]
    }

    /// The ops that used a tensor from elsewhere whose transfer was not recorded.
    pub fn unrecorded(&self) -> &[OpId] {
        &self.unrecorded
    }

    /// By the table alone; false where that does not tell.
    fn add_quickly(&mut self, edges: Edges<'_>, once: &Once, op: OpId, node: Option<GraphNodeId>) -> bool {
        let trace = edges.trace;
        // Transfers have a producer, and no input.
        let is_transfer = || edges.transfers.of_op(op).is_some();
        let Some(node) = node.filter(|_| trace.category(op) != Category::Communication || !is_transfer())
        else {
            return false;
        };
        // A `Merge` goes on with one of its inputs.
        if matches!(trace.text(trace.nodes().op_type(trace.ops().node(op))), "Merge" | "RefMerge") {
            return false;
        }
        for maker in edges.flow.graph.makers_of(trace.graph(), node).iter().take(MAX_INPUTS) {
            match maker.and_then(|maker| once.get(maker)) {
                Some(maker) => self.makers.extend(Some(maker).filter(|&maker| maker != op)),
                None => return false,
            }
        }
        true
    }

    fn add(&mut self, edges: Edges<'_>, op: OpId) {
        if let Some(transfer) = edges.transfers.of_op(op) {
            self.makers.extend(transfer.producer.ok());
            return;
        }
        let mut is_unrecorded = false;
        for edge in edges.inputs(op, MAX_INPUTS) {
            let maker = edges.maker(edge.source);
            let is_here = edge.source == Source::NotTaken || maker.is_some();
            is_unrecorded |= !is_here && label::without_partition_suffix(edge.input.name).is_some();
            let recorded = maker.and_then(|maker| edges.transfers.id_of_op(maker));
            if recorded.is_some_and(|id| edge.source != Source::Transfer(id)) {
                self.apart.push(self.makers.len() as u32);
            }
            self.makers.extend(maker);
        }
        if is_unrecorded {
            self.unrecorded.push(op);
        }
    }
}

/// Rows by execution, each in the order in which they came.
struct ByExecution<T> {
    rows: Vec<T>,
    first: Vec<u32>,
}

impl<T: Copy> ByExecution<T> {
    /// A counting sort of (execution, row).
    fn of(executions: usize, rows: &[(u32, T)]) -> Self {
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

/// What ran, or came, once in the execution that is looked at, by node of the graphs.
struct Once {
    execution: u32,
    /// The last execution in which something was put, and what; `None` if that was put twice.
    last: Vec<(u32, Option<OpId>)>,
    /// Whether the node receives a tensor.
    receives: Vec<bool>,
}

impl Once {
    fn of(trace: &Trace) -> Self {
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

/// The nodes of the graphs that stand for ops; kept from execution to execution, which mostly have the same graphs.
struct Nodes<'a> {
    /// By node of the ops: for which device and execution it was looked for last, and what was found.
    known: Vec<Option<(OpId, Option<GraphNodeId>)>>,
    executions: &'a Executions,
}

impl Nodes<'_> {
    fn of(&mut self, edges: Edges<'_>, op: OpId) -> Option<GraphNodeId> {
        let (trace, executions) = (edges.trace, self.executions);
        let known = &mut self.known[trace.ops().node(op).index()];
        if let Some((other, node)) = *known {
            let graphs = |op| executions.graphs(executions.of_op(trace, op));
            let device = trace.devices().get(trace.device_of(op));
            if (device.first_op..device.end_op()).contains(&other.get()) && graphs(op) == graphs(other) {
                return node;
            }
        }
        let node = edges.flow.node(trace, op);
        *known = Some((op, node));
        node
    }
}
