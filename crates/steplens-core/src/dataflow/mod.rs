//! Which node makes an input of an op, and which of the node's runs did. From the graphs of the trace, or, where they lack an
//! op, from its label. For transfers and [makers](super::makers), which follow an input to the op or transfer that made it.
//!
//! An op whose node is in a graph of its execution takes its inputs from the nodes that the graph names. For other ops the labels
//! name the inputs, which is an inference. [`pairing`] decides which of several runs of a node made the input. An input from
//! another device came by a [`transfer`](super::transfers).

pub mod executions;
pub mod graph_links;
mod graph_of_part;
pub mod label_links;
mod node_of_execution;
pub mod pairing;
pub mod runs;

use crate::Trace;
use crate::base::ids::{GraphNodeId, OpId};
use crate::base::order;
use crate::base::pace::{Pace, at_once};
use crate::model::label::InputRef;
use crate::steps::rule::StepRule;
use executions::Executions;
use graph_links::GraphLinks;
use label_links::LabelLinks;
use pairing::{LoopRuns, User};
use runs::{ExecutionDevice, Runs};
use std::ops::Range;

/// How sure a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// The graphs that ran have it.
    Exact,
    /// Names in labels imply it.
    Inferred,
    /// There are several candidates, this many, and nothing that was recorded decides between them.
    Ambiguous(u32),
}

impl Certainty {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Inferred => "inferred",
            Self::Ambiguous(_) => "ambiguous",
        }
    }

    /// The number of candidates; `None` where it is decided.
    pub fn candidates(self) -> Option<u32> {
        match self {
            Self::Ambiguous(candidates) => Some(candidates),
            _ => None,
        }
    }

    /// The certainty if it is one of `candidates`.
    pub(crate) fn among(self, candidates: u32) -> Self {
        match (self, candidates) {
            (Self::Ambiguous(most), _) => Self::Ambiguous(most.max(candidates)),
            (_, 2..) => Self::Ambiguous(candidates),
            _ => self,
        }
    }
}

/// The node that makes an input, as far as the graphs say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// This node.
    Node(GraphNodeId),
    /// A node that is not in the graph.
    Unknown,
    /// The graph does not have the user of the input; only a label names the input.
    Label,
}

/// Indexes from names and nodes to ops, in both directions.
#[derive(Default)]
pub struct DataFlow {
    /// Which parts were recorded from the same run.
    pub executions: Executions,
    /// The ops of each node.
    pub runs: Runs,
    /// The edges of the graphs.
    pub graph: GraphLinks,
    /// The edges that labels imply.
    pub labels: LabelLinks,
    /// How often the loops ran at each place.
    loops: Vec<LoopRuns>,
    /// (row of a name, execution, number of devices that ran it), for the names of inputs that the partitioner cut; sorted.
    devices: Vec<(u32, u32, u32)>,
    /// The number of ops for which the search for their node was stopped at its bound.
    pub(crate) given_up: u64,
}

impl DataFlow {
    /// Indexes `trace`, in time n log n in its ops, graphs and labels.
    pub fn indexed(trace: &Trace, rule: StepRule) -> Self {
        at_once(async |pace: &Pace| Self::paced(trace, rule, pace).await)
    }

    /// Like `indexed`, but in pieces, so that the caller can do other work between them.
    pub(crate) async fn paced(trace: &Trace, rule: StepRule, pace: &Pace) -> Self {
        let graph = GraphLinks::indexed(trace);
        pace.worked(trace.graph().len()).await;
        let executions = Executions::found(trace, rule, &graph, pace).await;
        let runs = Runs::indexed(trace, &executions, pace).await;
        let mut flow = Self { executions, runs, graph, ..Self::default() };
        (flow.labels, flow.given_up) = LabelLinks::indexed(trace, &flow, pace).await;
        flow.loops = pairing::loops(trace, &flow);
        flow.devices = flow.count_devices(trace, pace).await;
        flow
    }

    /// The execution and device of `op`.
    pub fn place(&self, trace: &Trace, op: OpId) -> ExecutionDevice {
        ExecutionDevice { execution: self.executions.of_op(trace, op), device: trace.device_of(op) }
    }

    /// Like `place`, but quicker if the op ran on the device of `before`.
    fn place_near(&self, trace: &Trace, op: OpId, before: Option<ExecutionDevice>) -> ExecutionDevice {
        let is_on = |place: &ExecutionDevice| {
            let device = trace.devices().get(place.device);
            (device.first_op..device.end_op()).contains(&op.get())
        };
        let device = before.filter(is_on).map_or_else(|| trace.device_of(op), |place| place.device);
        ExecutionDevice { execution: self.executions.of_op(trace, op), device }
    }

    /// Whether the ops at two places are runs of the same graph nodes.
    fn has_same_graphs(&self, a: ExecutionDevice, b: ExecutionDevice) -> bool {
        a.device == b.device
            && (a.execution == b.execution || self.executions.have_same_graphs(a.execution, b.execution))
    }

    /// The graph node that `op` is a run of; `None` if the graphs of its execution do not have it.
    pub fn node(&self, trace: &Trace, op: OpId) -> Option<GraphNodeId> {
        self.node_at(trace, op, self.place(trace, op))
    }

    fn node_at(&self, trace: &Trace, op: OpId, place: ExecutionDevice) -> Option<GraphNodeId> {
        self.graph.node(trace, &self.executions, trace.nodes().name(trace.ops().node(op)), place)
    }

    /// `op` as one of the runs of its node.
    pub(crate) fn user(&self, trace: &Trace, op: OpId) -> User<'_> {
        let place = self.place(trace, op);
        let runs = self.runs.on(trace, &self.executions, self.runs.name_of(trace, op), place);
        let run = runs.binary_search(&op).unwrap_or(0);
        User { op, place, runs, run, node: self.node_at(trace, op, place) }
    }

    /// The inputs of `op`, each with its maker. `node` is the graph node of `op`.
    pub fn inputs<'a>(
        &'a self,
        trace: &'a Trace,
        op: OpId,
        node: Option<GraphNodeId>,
    ) -> impl Iterator<Item = (InputRef<'a>, Maker)> {
        let of_graph = node.map(|node| {
            let texts = trace.graph().inputs(node).iter().map(|&input| InputRef::parse(trace.text(input)));
            let makers = self.graph.makers_of(trace.graph(), node).iter();
            texts.zip(makers.map(|maker| maker.map_or(Maker::Unknown, Maker::Node)))
        });
        let of_label =
            node.is_none().then(|| pairing::label_inputs(trace, op).map(|input| (input, Maker::Label)));
        of_graph.into_iter().flatten().chain(of_label.into_iter().flatten())
    }

    /// The runs of the node that makes `input` at `place`.
    pub(crate) fn makers(
        &self,
        trace: &Trace,
        place: ExecutionDevice,
        input: InputRef<'_>,
        maker: Maker,
    ) -> &[OpId] {
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
    pub(crate) fn runs_of_node(&self, trace: &Trace, node: GraphNodeId, place: ExecutionDevice) -> &[OpId] {
        let row = self.runs.row(trace.graph().name(node));
        row.map_or(&[], |row| self.runs.on(trace, &self.executions, row, place))
    }

    /// The runs of the name in row `name`, on each device of the execution except the device of `place`.
    pub(crate) fn elsewhere<'a>(
        &'a self,
        trace: &'a Trace,
        name: u32,
        place: ExecutionDevice,
    ) -> impl Iterator<Item = &'a [OpId]> {
        self.elsewhere_among(trace, name, place, 0..u32::MAX)
    }

    /// Like `elsewhere`, but only for devices whose ops are within `ops`.
    pub(crate) fn elsewhere_among<'a>(
        &'a self,
        trace: &'a Trace,
        name: u32,
        place: ExecutionDevice,
        ops: Range<u32>,
    ) -> impl Iterator<Item = &'a [OpId]> {
        let all = self.runs.of_execution(trace, &self.executions, name, place.execution);
        let end = all.partition_point(|op| op.get() < ops.end);
        let mut rest = &all[all.partition_point(|op| op.get() < ops.start).min(end)..end];
        let mut by_device = std::iter::from_fn(move || {
            let device = trace.device_of(*rest.first()?);
            let end = trace.devices().get(device).end_op();
            let (own, after) = rest.split_at(rest.partition_point(|op| op.get() < end));
            rest = after;
            Some((device, own))
        });
        std::iter::from_fn(move || Some(by_device.find(|&(device, _)| device != place.device)?.1))
    }

    /// The number of devices of the execution, except the device of `place`, that ran the name in row `name`. Quick for the names
    /// of inputs that the partitioner cut.
    pub(crate) fn devices_elsewhere(&self, trace: &Trace, name: u32, place: ExecutionDevice) -> u32 {
        let key = (name, place.execution);
        let Ok(at) = self.devices.binary_search_by_key(&key, |&(name, execution, _)| (name, execution))
        else {
            return self.elsewhere(trace, name, place).count() as u32;
        };
        let is_here = !self.runs.on(trace, &self.executions, name, place).is_empty();
        self.devices[at].2 - u32::from(is_here)
    }

    async fn count_devices(&self, trace: &Trace, pace: &Pace) -> Vec<(u32, u32, u32)> {
        let mut devices = Vec::new();
        for same in self.labels.cut().chunk_by(|a, b| a.0 == b.0) {
            let Some(name) = self.runs.row(same[0].0) else { continue };
            pace.worked(self.runs.of_name(name).len()).await;
            let mut newest: Option<ExecutionDevice> = None;
            for &op in self.runs.of_name(name) {
                let place = self.place_near(trace, op, newest);
                let before = newest.replace(place);
                match before.filter(|before| before.execution == place.execution) {
                    None => devices.push((name, place.execution, 1)),
                    Some(before) if before.device != place.device => {
                        devices.iter_mut().next_back().into_iter().for_each(|(.., count)| *count += 1);
                    }
                    Some(_) => {}
                }
            }
        }
        order::by_number(&mut devices, |(name, execution, _)| (i64::from(name), i64::from(execution)));
        devices
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.executions.heap_bytes()
            + self.runs.heap_bytes()
            + self.graph.heap_bytes()
            + self.labels.heap_bytes()
            + self.loops.capacity() * size_of::<LoopRuns>()
            + self.devices.capacity() * size_of::<(u32, u32, u32)>()
    }
}
