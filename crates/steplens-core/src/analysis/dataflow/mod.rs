//! Data flow: which op made an op's input, and which ops used its output.
//!
//! An op whose node stands in a graph of its execution takes its inputs from the nodes that the graph says; for others their labels
//! name the inputs: an inference. Which of several runs of a node it was is told by [`pairing`]. What came from another
//! device came by a [`transfer`](super::transfers).

pub mod executions;
pub mod graph_links;
mod graph_of_part;
pub mod label_links;
pub mod pairing;
pub mod runs;

use crate::Trace;
use crate::analysis::steps::StepRule;
use crate::ids::{GraphNodeId, OpId};
use crate::label::InputRef;
use executions::Executions;
use graph_links::GraphLinks;
use label_links::LabelLinks;
use pairing::User;
use runs::{Place, Runs};

/// On how many devices it is looked for what made an input that was cut.
const MAX_DEVICES: usize = 64;

/// How surely something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// The graphs that ran say so.
    Exact,
    /// Names in labels say so.
    Inferred,
    /// It is one of so many, and nothing that was recorded decides which.
    Ambiguous(u32),
}

impl Certainty {
    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Inferred => "inferred",
            Self::Ambiguous(_) => "ambiguous",
        }
    }

    /// How many there are to choose from; `None` where it is decided.
    pub fn candidates(self) -> Option<u32> {
        match self {
            Self::Ambiguous(candidates) => Some(candidates),
            _ => None,
        }
    }

    /// How surely it is known if it is one of `candidates`.
    pub(crate) fn among(self, candidates: u32) -> Self {
        match (self, candidates) {
            (Self::Ambiguous(most), _) => Self::Ambiguous(most.max(candidates)),
            (_, 2..) => Self::Ambiguous(candidates),
            _ => self,
        }
    }
}

/// Who makes an input, as far as graphs tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// This node.
    Node(GraphNodeId),
    /// A node that is not in the graph.
    Unknown,
    /// Only the label names it.
    Label,
}

/// Indexes from names and nodes to ops, both ways.
#[derive(Default)]
pub struct DataFlow {
    /// Which parts are of one run.
    pub executions: Executions,
    /// The ops of each node.
    pub runs: Runs,
    /// The edges of the graphs.
    pub graph: GraphLinks,
    /// The edges that labels name.
    pub labels: LabelLinks,
    /// The rows of the names of `LoopCond` nodes.
    loops: Vec<u32>,
}

impl DataFlow {
    /// Indexes `trace`, in time n log n in its ops, graphs and labels.
    pub fn of(trace: &Trace, rule: StepRule) -> Self {
        let graph = GraphLinks::of(trace);
        let executions = Executions::of(trace, rule, &graph);
        let runs = Runs::of(trace, &executions);
        let mut flow = Self { executions, runs, graph, ..Self::default() };
        flow.labels = LabelLinks::of(trace, &flow);
        flow.loops = pairing::loops(trace, &flow);
        flow
    }

    /// Where `op` ran.
    pub fn place(&self, trace: &Trace, op: OpId) -> Place {
        Place { execution: self.executions.of_op(trace, op), device: trace.device_of(op) }
    }

    /// The same; quicker if it ran on the device of `before`.
    fn place_near(&self, trace: &Trace, op: OpId, before: Option<Place>) -> Place {
        let is_on = |place: &Place| {
            let device = trace.devices().get(place.device);
            (device.first_op..device.end_op()).contains(&op.get())
        };
        let device = before.filter(is_on).map_or_else(|| trace.device_of(op), |place| place.device);
        Place { execution: self.executions.of_op(trace, op), device }
    }

    /// Whether the same graph nodes stand for the ops of two places.
    fn has_same_graphs(&self, a: Place, b: Place) -> bool {
        a.device == b.device
            && (a.execution == b.execution
                || self.executions.graphs(a.execution) == self.executions.graphs(b.execution))
    }

    /// The node of the graphs that `op` is a run of; `None` if they do not have it.
    pub fn node(&self, trace: &Trace, op: OpId) -> Option<GraphNodeId> {
        self.node_at(trace, op, self.place(trace, op))
    }

    fn node_at(&self, trace: &Trace, op: OpId, place: Place) -> Option<GraphNodeId> {
        self.graph.node(trace, &self.executions, trace.nodes().name(trace.ops().node(op)), place)
    }

    /// `op` as one of the runs of its node.
    pub(crate) fn user(&self, trace: &Trace, op: OpId) -> User<'_> {
        let place = self.place(trace, op);
        let runs = self.runs.on(trace, &self.executions, self.runs.name_of(trace, op), place);
        let run = runs.binary_search(&op).unwrap_or(0);
        User { op, place, runs, run, node: self.node_at(trace, op, place) }
    }

    /// The first `most` inputs of `op`, whose node in the graphs is `node`, with who makes them.
    pub fn inputs<'a>(
        &'a self,
        trace: &'a Trace,
        op: OpId,
        node: Option<GraphNodeId>,
        most: usize,
    ) -> Vec<(InputRef<'a>, Maker)> {
        let Some(node) = node else {
            return pairing::label_inputs(trace, op).take(most).map(|input| (input, Maker::Label)).collect();
        };
        let texts = trace.graph().inputs(node).iter().map(|&input| InputRef::parse(trace.text(input)));
        let makers = self.graph.makers_of(trace.graph(), node).iter();
        let makers = makers.map(|maker| maker.map_or(Maker::Unknown, Maker::Node));
        texts.zip(makers).take(most).collect()
    }

    /// The runs of the node that makes `input` at `place`.
    pub(crate) fn makers(&self, trace: &Trace, place: Place, input: InputRef<'_>, maker: Maker) -> &[OpId] {
        match maker {
            Maker::Node(node) => self.runs_of_node(trace, node, place),
            Maker::Unknown => &[],
            Maker::Label => {
                let row = trace.strings().find(input.name).and_then(|name| self.runs.row(name));
                row.map_or(&[], |row| self.runs.on(trace, &self.executions, row, place))
            }
        }
    }

    /// The runs of `node` at `place`.
    pub(crate) fn runs_of_node(&self, trace: &Trace, node: GraphNodeId, place: Place) -> &[OpId] {
        let row = self.runs.row(trace.graph().name(node));
        row.map_or(&[], |row| self.runs.on(trace, &self.executions, row, place))
    }

    /// The runs of the name of row `name` on each device of the execution but that of `place`.
    pub(crate) fn elsewhere(&self, trace: &Trace, name: u32, place: Place) -> Vec<&[OpId]> {
        let mut rest = self.runs.of_execution(trace, &self.executions, name, place.execution);
        let mut lists = Vec::new();
        while let Some(&first) = rest.first().filter(|_| lists.len() < MAX_DEVICES) {
            let device = trace.device_of(first);
            let end = trace.devices().get(device).end_op();
            let (own, after) = rest.split_at(rest.partition_point(|op| op.get() < end));
            if device != place.device {
                lists.push(own);
            }
            rest = after;
        }
        lists
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.executions.heap_bytes()
            + self.runs.heap_bytes()
            + self.graph.heap_bytes()
            + self.labels.heap_bytes()
            + self.loops.capacity() * 4
    }
}
