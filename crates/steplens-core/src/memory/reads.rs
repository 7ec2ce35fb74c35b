//! Reads: which outputs each op took as inputs, for all ops in one pass; and which outputs are the bytes of an input.

use crate::Trace;
use crate::base::ids::OpId;
use crate::base::units::Bytes;
use crate::makers::{Edges, Source};
use crate::makers::{Makers, Nodes};
use crate::model::label::InputRef;
use crate::model::output::Output;
use crate::storage::ranges::range;

/// Outputs by number, in the order of their ops; and the outputs that each op read.
#[derive(Debug, Default)]
pub struct Reads {
    /// The number of the first output of each op, and one entry more.
    first_output: Vec<u32>,
    /// The index of the first read of each op, and one entry more.
    first_read: Vec<u32>,
    /// The output of each read.
    output: Vec<u32>,
    /// For each output the output whose bytes it passes on; itself if it has its own bytes.
    root: Vec<u32>,
    /// (output, the op of the variable whose value it is), ascending.
    variable: Vec<(u32, OpId)>,
    /// The number of ops that were left out because other ops have too many inputs.
    pub ops_without: u64,
}

/// What an op does with the bytes of its inputs, by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its outputs are its first input, if the sizes are equal.
    HandsOn,
    /// Its output exists before and after the step.
    Holds,
    /// Its output is the value of the variable that is its first input.
    ReadsVariable,
    Makes,
}

impl Role {
    /// The role of each node of `trace`.
    pub(super) fn of_nodes(trace: &Trace) -> Vec<Self> {
        let nodes = trace.nodes();
        nodes.ids().map(|node| Self::of(trace.text(nodes.op_type(node)))).collect()
    }

    /// The role of kernels of TensorFlow that allocate no buffer.
    fn of(op_type: &str) -> Self {
        match op_type {
            "Identity"
            | "RefIdentity"
            | "Reshape"
            | "ExpandDims"
            | "Squeeze"
            | "StopGradient"
            | "PreventGradient"
            | "Enter"
            | "RefEnter"
            | "Exit"
            | "RefExit"
            | "Merge"
            | "RefMerge"
            | "Switch"
            | "RefSwitch"
            | "NextIteration"
            | "RefNextIteration"
            | "Bitcast"
            | "PlaceholderWithDefault" => Self::HandsOn,
            "Const" | "HostConst" | "Variable" | "VariableV2" | "AutoReloadVariable" | "VarHandleOp" => {
                Self::Holds
            }
            "ReadVariableOp" => Self::ReadsVariable,
            _ => Self::Makes,
        }
    }
}

/// The first `DataType` in types.proto that is a reference to the tensor of a variable; all higher ones are, too.
const FIRST_REFERENCE: u32 = 101;

impl Reads {
    /// All reads of a trace whose ops have outputs.
    pub fn followed(edges: Edges<'_>) -> Self {
        let (trace, mut reads) = (edges.trace, Self::default());
        if trace.outputs().is_empty() {
            return reads;
        }
        let makers = Makers::found(edges);
        reads.ops_without = makers.ops_without();
        let mut outputs = 0;
        reads.first_output = Vec::with_capacity(trace.ops().len() + 1);
        for op in trace.ops().ids() {
            reads.first_output.push(outputs);
            outputs += trace.outputs().of(op).count() as u32;
        }
        reads.first_output.push(outputs);
        reads.root = (0..outputs).collect();
        reads.find(edges, &makers);
        reads.follow_roots();
        reads
    }

    /// The outputs that `op` read; an output that it read twice is there twice.
    pub fn of_op(&self, op: OpId) -> &[u32] {
        self.output.get(range(&self.first_read, op.index())).unwrap_or_default()
    }

    /// The number of an output.
    pub fn number(&self, op: OpId, output: u32) -> Option<u32> {
        let outputs = range(&self.first_output, op.index());
        (outputs.start + (output as usize) < outputs.end).then(|| outputs.start as u32 + output)
    }

    /// The op that made an output, and the index of the output among the outputs of that op.
    pub fn made_by(&self, output: u32) -> (OpId, u32) {
        let after = self.first_output.partition_point(|&first| first <= output);
        // Ops without outputs start where the next op does, so the last op with this start has the output.
        let op = after.saturating_sub(1);
        (OpId::from_usize(op), output - self.first_output.get(op).copied().unwrap_or(0))
    }

    /// The output whose bytes an output passes on, or itself.
    pub fn root(&self, output: u32) -> u32 {
        self.root.get(output as usize).copied().unwrap_or(output)
    }

    /// The op of the variable whose value an output is, where a `ReadVariableOp` read it.
    pub(super) fn variable(&self, output: u32) -> Option<OpId> {
        let place = self.variable.binary_search_by_key(&output, |entry| entry.0).ok()?;
        Some(self.variable[place].1)
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.root.len()
    }

    /// The ops that read the bytes of the output `root`, in order.
    pub fn readers(&self, root: u32) -> Vec<OpId> {
        let mut readers = Vec::new();
        let mut op = 0;
        for (row, &output) in self.output.iter().enumerate() {
            if self.root[output as usize] != root {
                continue;
            }
            op += self.first_read[op..].partition_point(|&first| first as usize <= row).saturating_sub(1);
            let reader = OpId::from_usize(op);
            if readers.last() != Some(&reader) {
                readers.push(reader);
            }
        }
        readers
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let columns = [&self.first_output, &self.first_read, &self.output, &self.root];
        columns.map(|column| column.capacity() * 4).iter().sum::<usize>()
            + self.variable.capacity() * size_of::<(u32, OpId)>()
    }

    fn find(&mut self, edges: Edges<'_>, makers: &Makers) {
        let (trace, graph) = (edges.trace, edges.trace.graph());
        let roles = Role::of_nodes(trace);
        // The output that each input of the graphs takes; `None` for a control input.
        let slot = |input: InputRef<'_>| (!input.control).then_some(input.slot);
        let inputs = graph.ids().flat_map(|node| graph.inputs(node));
        let slots: Vec<Option<u32>> = inputs.map(|&input| slot(InputRef::parse(trace.text(input)))).collect();
        let mut nodes = Nodes::of_trace(trace, &edges.flow.executions);
        self.first_read = Vec::with_capacity(trace.ops().len() + 1);
        let mut taken: Vec<(OpId, u32)> = Vec::new();
        for op in trace.ops().ids() {
            self.first_read.push(self.output.len() as u32);
            let made_by = makers.of_op(op);
            if made_by.is_empty() {
                continue;
            }
            taken.clear();
            if let Some(transfer) = edges.transfers.of_op(op) {
                taken.extend(made_by.iter().map(|&maker| (maker, transfer.output(trace).slot)));
            } else if let Some(slots) = nodes
                .of(edges, op)
                .and_then(|node| slots.get(graph.input_range(node)))
                .filter(|slots| slots.len() == made_by.len())
            {
                taken.extend(made_by.iter().zip(slots).filter_map(|(&maker, &slot)| Some((maker, slot?))));
            } else {
                taken_one_by_one(edges, op, &mut taken);
            }
            let (before, role) = (self.output.len(), roles[trace.ops().node(op).index()]);
            for &(maker, slot) in &taken {
                let made = trace.outputs().of(maker).position(|output| output.slot as u32 == slot);
                self.output.extend(made.and_then(|made| self.number(maker, made as u32)));
            }
            if let (Some(&first), Some(&(maker, _))) = (self.output.get(before), taken.first()) {
                self.hand_on(trace, op, role, first, maker);
            }
        }
        self.first_read.push(self.output.len() as u32);
    }

    /// Joins the outputs of `op` with its first input, which `maker` made, where they are the same bytes.
    fn hand_on(&mut self, trace: &Trace, op: OpId, role: Role, first: u32, maker: OpId) {
        let (from, place) = self.made_by(first);
        let Some(input) = trace.outputs().of(from).nth(place as usize) else { return };
        for (row, output) in (0..).zip(trace.outputs().of(op)) {
            let Some(number) = self.number(op, row) else { continue };
            let is_same =
                |own: &Output<'_>| own.requested == input.requested && own.allocator == input.allocator;
            if role == Role::ReadsVariable {
                self.variable.push((number, maker));
            } else if (role == Role::HandsOn || output.dtype >= FIRST_REFERENCE)
                && is_same(&output)
                && role != Role::Holds
                && output.requested > Bytes(0)
            {
                self.root[number as usize] = first;
            }
        }
    }

    /// Makes every output point to the first output with its bytes; in a circle, to one output of the circle.
    fn follow_roots(&mut self) {
        let mut path: Vec<u32> = Vec::new();
        // For each output the path that met it first, plus 1.
        let mut met_by = vec![0_u32; self.root.len()];
        for output in 0..self.root.len() as u32 {
            path.clear();
            let mut at = output;
            while met_by[at as usize] == 0 {
                met_by[at as usize] = output + 1;
                path.push(at);
                at = self.root[at as usize];
            }
            // A path ends at an output whose root is known, or it comes back to itself: then the root is where the circle begins.
            let root = if met_by[at as usize] == output + 1 { at } else { self.root[at as usize] };
            path.iter().for_each(|&step| self.root[step as usize] = root);
        }
    }
}

/// The value inputs of `op`: who made each, and which of its outputs it is.
fn taken_one_by_one(edges: Edges<'_>, op: OpId, taken: &mut Vec<(OpId, u32)>) {
    for edge in edges.inputs(op, usize::MAX).iter().filter(|edge| !edge.input.control) {
        let slot = match edge.source {
            Source::Transfer(id) => match edges.transfers.get(id) {
                transfer if transfer.op.is_some() => 0,
                transfer => transfer.output(edges.trace).slot,
            },
            _ => edge.input.slot,
        };
        taken.extend(edges.maker(edge.source).map(|maker| (maker, slot)));
    }
}
