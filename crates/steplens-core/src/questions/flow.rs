//! Flow: what an op's data was made from and what was made of it, hop by hop, across devices through their transfers.

use crate::Study;
use crate::base::ids::OpId;
use crate::base::order;
use crate::base::units::Timestamp;
use crate::edges::{Bounds, Users};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// How many edges are followed: a picture of more is not legible.
pub const MAX_EDGES: usize = 2_000;
/// How many inputs are visited in all: five for each edge. Bounds the cost of hostile files, whose inputs lead nowhere.
const MAX_INPUTS_TOGETHER: usize = 5 * MAX_EDGES;

/// One op used what another made, or launched it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// What made it.
    pub from: OpId,
    /// What used it.
    pub to: OpId,
    /// How far from the op that was asked about: -1 from its producers to it, -2 to these from theirs; 1 from it to its
    /// consumers, 2 from these to theirs.
    pub hop: i32,
    /// Whether one of the two is a transfer.
    pub is_transfer: bool,
    /// When the call was made by which `from` launched `to`, where that was recorded: `from` may go on while `to` runs.
    pub called: Option<Timestamp>,
}

/// The edges around an op, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Every edge once.
    pub edges: Vec<Edge>,
    /// Whether there are more within the hops asked for.
    pub is_truncated: bool,
}

impl Flow {
    /// What leads to `op` and on from it, at most `hops` edges away. An op leads to the kernels that it launched, and so does the call
    /// that launched them for it. A transfer is an op on the way: one hop leads from the producer to the transfer, the next one to the consumers.
    pub fn around(study: &Study, op: OpId, hops: u32) -> Self {
        let mut search = Search { study, seen: HashSet::default(), inputs: 0, flow: Self::default() };
        let (mut back, mut forth) = (Side::from(op), Side::from(op));
        // Both ways in turn, so that what is left out is what is farthest.
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

/// What was reached one way.
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
    /// The edges by their ends.
    seen: HashSet<(OpId, OpId), FixedState>,
    inputs: usize,
    flow: Flow,
}

impl Search<'_> {
    /// Follows every edge from the front of `side` to where it leads.
    fn step(&mut self, side: &mut Side, hop: i32) {
        for op in std::mem::take(&mut side.front) {
            let data = if hop < 0 { self.producers(op) } else { self.consumers(op) };
            let launches = if hop < 0 { launchers(self.study, op) } else { kernels(self.study, op) };
            // No op feeds itself, whatever names say.
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

/// What launched the kernel `op`: the operator, and the call that did it.
fn launchers(study: &Study, op: OpId) -> Vec<OpId> {
    let (operator, call) = (study.kernels().op_of(op), study.trace().call_of(op));
    operator.into_iter().chain(call.filter(|&call| Some(call) != operator)).collect()
}

/// What `op` launched.
fn kernels(study: &Study, op: OpId) -> Vec<OpId> {
    study.kernels().of_op(study.trace(), op)
}

/// What made the inputs of `op`: ops and the transfers that brought them, or the producer of what it transferred itself; the producer, too,
/// of what no op transferred. Visits no more than `most` inputs, and returns how many.
fn producers(study: &Study, op: OpId, most: usize) -> (Vec<OpId>, usize) {
    let sender = study.transfers().of_op(op).and_then(|transfer| transfer.producer.ok());
    let mut producers: Vec<OpId> = sender.into_iter().collect();
    let edges = study.edges().inputs(op, most);
    producers.extend(edges.iter().filter_map(|edge| study.edges().maker(edge.source)));
    (producers, edges.len())
}

/// Who used what `op` made, or transferred itself, in order of start: ops of its device, the transfers that took it elsewhere, and
/// those who got it from a transfer of no op.
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
