//! Flow: the ops from which an op's data came and the ops to which it went, hop by hop, across devices through transfers.

use crate::Study;
use crate::base::ids::OpId;
use crate::base::order;
use crate::base::units::Timestamp;
use crate::makers::{Bounds, Users};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// The most edges that are followed: a picture with more is not legible.
pub const MAX_EDGES: usize = 2_000;
/// The most inputs that are visited: five for each edge. Bounds the cost of hostile files whose inputs lead nowhere.
const MAX_INPUTS_TOGETHER: usize = 5 * MAX_EDGES;

/// An edge: one op used an output of another, or was launched by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The op that made the output.
    pub from: OpId,
    /// The op that used it.
    pub to: OpId,
    /// The distance from the op in question: -1 for edges from its producers, -2 for edges to these producers; 1 for edges to its
    /// consumers, 2 for edges from these consumers.
    pub hop: i32,
    /// Whether one of the two is a transfer.
    pub is_transfer: bool,
    /// When the call was made by which `from` launched `to`, if that was recorded: `from` may continue while `to` runs.
    pub called: Option<Timestamp>,
}

/// The edges around an op, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The edges, each once.
    pub edges: Vec<Edge>,
    /// Whether there are more edges within the requested hops.
    pub is_truncated: bool,
}

impl Flow {
    /// The edges that lead to `op` and from it, at most `hops` edges away. An op leads to the kernels that it launched, and so does
    /// the call that launched them. A transfer is an op on the way: one hop leads from the producer to the transfer, the next one
    /// to the consumers.
    pub fn around(study: &Study, op: OpId, hops: u32) -> Self {
        let mut search = Search { study, seen: HashSet::default(), inputs: 0, flow: Self::default() };
        let (mut back, mut forth) = (Side::from(op), Side::from(op));
        // Take one hop back and one forth in turn, so that the farthest edges are left out.
        for hop in 1..=i32::try_from(hops).unwrap_or(i32::MAX) {
            if back.front.is_empty() && forth.front.is_empty() || search.flow.is_truncated {
                break;
            }
            search.step(&mut back, -hop);
            search.step(&mut forth, hop);
        }
        search.flow
    }
}

/// The ops reached in one direction.
struct Side {
    reached: HashSet<OpId, FixedState>,
    /// The ops reached by the last hop.
    front: Vec<OpId>,
}

impl Side {
    fn from(op: OpId) -> Self {
        Self { reached: HashSet::from_iter([op]), front: vec![op] }
    }
}

struct Search<'a> {
    study: &'a Study,
    /// The edges found so far, by their ends.
    seen: HashSet<(OpId, OpId), FixedState>,
    inputs: usize,
    flow: Flow,
}

impl Search<'_> {
    /// Follows every edge from the front of `side`.
    fn step(&mut self, side: &mut Side, hop: i32) {
        for op in std::mem::take(&mut side.front) {
            let data = if hop < 0 { self.producers(op) } else { self.consumers(op) };
            let launches = if hop < 0 { launchers(self.study, op) } else { kernels(self.study, op) };
            // No op is its own input, whatever names say.
            for &other in data.iter().chain(&launches).filter(|&&other| other != op) {
                if self.flow.edges.len() == MAX_EDGES {
                    self.flow.is_truncated = true;
                    return;
                }
                let (from, to) = if hop < 0 { (other, op) } else { (op, other) };
                if self.seen.insert((from, to)) {
                    let is_transfer =
                        [from, to].iter().any(|&end| self.study.transfers().of_op(end).is_some());
                    let called =
                        self.study.trace().call_of(to).map(|call| self.study.trace().ops().start(call));
                    self.flow.edges.push(Edge { from, to, hop, is_transfer, called });
                }
                if side.reached.insert(other) {
                    side.front.push(other);
                }
            }
        }
    }

    fn consumers(&mut self, op: OpId) -> Vec<OpId> {
        let users = consumers_within(self.study, op, Bounds::MANY);
        self.flow.is_truncated |= users.is_cut;
        users.ops
    }

    fn producers(&mut self, op: OpId) -> Vec<OpId> {
        let left = MAX_INPUTS_TOGETHER - self.inputs;
        let (producers, inputs) = producers(self.study, op, left);
        self.inputs += inputs;
        self.flow.is_truncated |= self.inputs == MAX_INPUTS_TOGETHER;
        producers
    }
}

/// The ops that launched the kernel `op`: the operator and the call.
fn launchers(study: &Study, op: OpId) -> Vec<OpId> {
    let (operator, call) = (study.kernels().op_of(op), study.trace().call_of(op));
    operator.into_iter().chain(call.filter(|&call| Some(call) != operator)).collect()
}

/// The kernels that `op` launched.
fn kernels(study: &Study, op: OpId) -> Vec<OpId> {
    study.kernels().of_op(study.trace(), op)
}

/// The ops that made the inputs of `op`, and the transfers that brought them; for an op that recorded a transfer its producer; for
/// an input whose transfer no op recorded also its producer. Visits no more than `most` inputs, and returns how many it visited.
fn producers(study: &Study, op: OpId, most: usize) -> (Vec<OpId>, usize) {
    let sender = study.transfers().of_op(op).and_then(|transfer| transfer.producer.ok());
    let mut producers: Vec<OpId> = sender.into_iter().collect();
    let edges = study.edges().inputs(op, most);
    producers.extend(edges.iter().filter_map(|edge| study.edges().maker(edge.source)));
    (producers, edges.len())
}

/// The ops that used an output of `op`, or the tensor that it transferred, in order of start: ops of its device, the transfers that
/// took it to other devices, and the ops that received it by a transfer without an op.
pub fn consumers(study: &Study, op: OpId) -> Vec<OpId> {
    consumers_within(study, op, Bounds::NONE).ops
}

fn consumers_within(study: &Study, op: OpId, bounds: Bounds) -> Users {
    let trace = study.trace();
    let Users { ops: mut consumers, mut is_cut } = match study.transfers().id_of_op(op) {
        Some(transfer) => study.edges().consumers_of_within(transfer, bounds),
        None => study.edges().consumers_within(op, bounds),
    };
    for id in study.transfers().sent_from(op) {
        match study.transfers().get(id).op {
            Some(transfer) => consumers.push(transfer),
            None => {
                let users = study.edges().consumers_of_within(id, bounds);
                is_cut |= users.is_cut;
                consumers.extend(users.ops);
            }
        }
    }
    consumers.retain(|&consumer| consumer != op);
    order::by_number(&mut consumers, |consumer| (trace.ops().start(consumer).0, i64::from(consumer.get())));
    consumers.dedup();
    Users { ops: consumers, is_cut }
}
