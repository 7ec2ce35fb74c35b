//! The execution graph: every node with the nodes it waited for. Each edge has its kind.

use super::ahead::Ahead;
use super::arrivals::Arrivals;
use super::began::Began;
use super::edge_kind::EdgeKind;
use super::host::Feeders;
use super::nodes::Nodes;
use super::segment::SegmentKind;
use super::threads::Threads;
use super::turns::Turns;
use super::unnamed::Unnamed;
use crate::base::units::{Nanos, Timestamp};
use crate::storage::ranges::range;
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// Dependencies whose cause ended after its effect began. As a repair, the cause counts as ended when the effect starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// The number of such dependencies.
    pub count: u64,
    /// The longest time from the start of an effect to the end of its cause, of all pairs in which the cause ended later.
    pub largest: Nanos,
    /// The cause and the effect of that largest case.
    pub worst: Option<(OpId, OpId)>,
}

/// Nodes, and edges grouped by the node that waited.
pub struct ExecutionGraph {
    /// The nodes.
    pub nodes: Nodes,
    first: Vec<u32>,
    from: Vec<u32>,
    kind: Vec<EdgeKind>,
    /// The executor's threads.
    pub threads: Threads,
    /// The ops that held threads for which others waited.
    pub turns: Turns,
    /// The threads of programs that feed GPUs.
    pub(super) feeders: Feeders,
    /// When each of several ranks began.
    pub(crate) began: Began,
    /// The threads that only ask a driver.
    pub(crate) watchers: HashSet<(DeviceId, u32), FixedState>,
    /// What pipelines of input do ahead of the steps.
    pub(super) ahead: HashMap<DeviceId, Ahead, FixedState>,
    /// Who came last to the collectives of the ops that waited there.
    pub(super) arrivals: Arrivals,
    /// Tensors without a name that came from other tasks.
    pub(super) unnamed: Unnamed,
    /// The dependencies that run back in time.
    pub repaired: Repaired,
    /// The number of edges that were cut because they closed a circle; [order](super::order) finds them.
    pub cut: u64,
    /// The number of ops without edges, because other ops have too many inputs (see `Makers::ops_without`).
    pub ops_without: u64,
}

/// The edges collected so far, grouped by node, in the order of the nodes.
#[derive(Default)]
pub(super) struct EdgeList {
    pub(super) first: Vec<u32>,
    pub(super) from: Vec<u32>,
    pub(super) kind: Vec<EdgeKind>,
}

impl EdgeList {
    pub(super) fn next_node(&mut self) {
        self.first.push(self.from.len() as u32);
    }

    /// What the last node waited for, so far.
    pub(super) fn of_last(&self) -> &[u32] {
        self.first.last().map_or(&[], |&first| &self.from[first as usize..])
    }

    #[inline]
    pub(super) fn push(&mut self, from: u32, kind: EdgeKind) {
        self.from.push(from);
        self.kind.push(kind);
    }
}

impl ExecutionGraph {
    /// Builds the graph from nodes and edges, and counts the edges that run back in time.
    pub(super) fn new(
        nodes: Nodes,
        mut list: EdgeList,
        (threads, turns): (Threads, Turns),
        feeders: Feeders,
        ops_without: u64,
    ) -> Self {
        list.next_node();
        let EdgeList { mut first, mut from, mut kind } = list;
        first.shrink_to_fit();
        from.shrink_to_fit();
        kind.shrink_to_fit();
        let (arrivals, repaired) = (Arrivals::default(), Repaired::default());
        let mut graph = Self {
            nodes,
            first,
            from,
            kind,
            threads,
            turns,
            feeders,
            began: Began::default(),
            watchers: HashSet::default(),
            ahead: HashMap::default(),
            arrivals,
            unnamed: Unnamed::default(),
            repaired,
            cut: 0,
            ops_without,
        };
        graph.repaired = graph.backward();
        graph
    }

    fn backward(&self) -> Repaired {
        let mut repaired = Repaired::default();
        for node in 0..self.nodes.len() as u32 {
            let start = self.nodes.interval(node).start;
            for (from, kind) in self.causes(node).filter(|(_, kind)| kind.is_dependency()) {
                let interval = self.nodes.interval(from);
                // A kernel may start before the call that launched it returns.
                let there = if kind == EdgeKind::Launch { interval.start } else { interval.end };
                if there > start {
                    repaired.count += 1;
                    if there - start > repaired.largest {
                        repaired.largest = there - start;
                        repaired.worst = Some((self.nodes.op(from), self.nodes.op(node)));
                    }
                }
            }
        }
        repaired
    }

    /// The nodes that `node` waited for, each with the kind of its edge.
    #[inline]
    pub fn causes(&self, node: u32) -> impl ExactSizeIterator<Item = (u32, EdgeKind)> + '_ {
        let edges = range(&self.first, node as usize);
        self.from[edges.clone()].iter().copied().zip(self.kind[edges].iter().copied())
    }

    /// The range of the edges of `node` in the list of all edges.
    pub(super) fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        range(&self.first, node as usize)
    }

    /// The cause and the kind of the edge at `place`.
    pub(super) fn edge(&self, place: usize) -> (u32, EdgeKind) {
        (self.from[place], self.kind[place])
    }

    pub(super) fn cut(&mut self, place: usize) {
        self.kind[place] = EdgeKind::Cut;
        self.cut += 1;
    }

    /// When the result of `from` was ready for `node`: the end of `from`, or the start of `node` if that is earlier.
    #[inline]
    pub fn ready(&self, from: u32, node: u32) -> Timestamp {
        self.nodes.interval(from).end.min(self.nodes.interval(node).start)
    }

    /// Whether `op` records a tensor that came from another task, and neither its name nor its sender.
    pub(crate) fn is_unnamed(&self, op: OpId) -> bool {
        self.unnamed.has(op)
    }

    /// What the time is called in which the thread of `op` ran no recorded op, until `op` began. `before` is what `op` waited for.
    pub(crate) fn kind_between(&self, trace: &Trace, op: OpId, before: Option<OpId>) -> SegmentKind {
        self.feeders.kind(trace, op, before)
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.from.len()
    }

    /// The number of edges of each kind, in the order of [`EdgeKind::ALL`].
    pub fn kinds(&self) -> [u64; EdgeKind::ALL.len()] {
        let mut counts = [0; EdgeKind::ALL.len()];
        self.kind.iter().for_each(|&kind| counts[kind as usize] += 1);
        counts
    }

    /// How many edges of each kind are inferred, in the order of [`EdgeKind::ALL`].
    pub fn inferred_kinds(&self) -> [u64; EdgeKind::ALL.len()] {
        let mut counts = [0; EdgeKind::ALL.len()];
        for node in 0..self.nodes.len() as u32 {
            for (_, kind) in self.causes(node).filter(|&(_, kind)| self.is_inferred(node, kind)) {
                counts[kind as usize] += 1;
            }
        }
        counts
    }

    /// Whether the edge of this `kind` to `node` is inferred: nothing in the file says so.
    pub fn is_inferred(&self, node: u32, kind: EdgeKind) -> bool {
        match kind {
            EdgeKind::Thread => !self.threads.is_recorded(self.nodes.op(node)),
            EdgeKind::Transfer => self.unnamed.causes(self.nodes.op(node)).next().is_some(),
            kind => kind.is_inferred(),
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.heap_bytes()
            + (self.first.capacity() + self.from.capacity()) * size_of::<u32>()
            + self.kind.capacity()
            + self.threads.heap_bytes()
            + self.turns.heap_bytes()
            + self.feeders.heap_bytes()
            + self.began.heap_bytes()
            + self.ahead.values().map(Ahead::heap_bytes).sum::<usize>()
            + self.arrivals.heap_bytes()
            + self.unnamed.heap_bytes()
    }
}
