//! The observed path: from the last end backwards, what each moment was spent on or waited for.
//!
//! The path goes from each node back to the node that it waited for last: the one whose result it needed, or the one that held its
//! thread or link, whichever was later; from a collective to the participant that came last. The time between the two is named by what was recorded about it. The segments tile the span
//! of the step.

use super::awaited_input::name_loading;
use super::edge_kind::EdgeKind;
use super::graph::ExecutionGraph;
use super::held;
use super::host::name_frames;
pub use super::segment::{Segment, SegmentKind};
pub(crate) use super::walk::MAX_LAUNCH;
use super::walk::{self, OnPath, Walk};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::makers::Edges;
use crate::{Category, OpId};

/// The observed path.
#[derive(Default)]
pub struct Observed {
    /// The segments from the start of the step to the last end. Each begins where the one before ends, and none is empty.
    pub segments: Vec<Segment>,
    /// The edge from each op of the path to the next as (cause, effect, kind), in order of time.
    pub steps: Vec<(OpId, OpId, EdgeKind)>,
}

impl Observed {
    /// Walks back through `graph` from the node that ended last.
    pub fn walked_back(edges: Edges<'_>, graph: &ExecutionGraph) -> Self {
        let mut walk =
            Walk::new(edges, graph, edges.trace.span().end, OnPath::Many(vec![false; graph.nodes.len()]));
        let mut steps = Vec::new();
        if let Some(last) = walk.last() {
            back_from(&mut walk, last, &mut steps);
        }
        let mut found = Self { segments: walk.segments, steps };
        found.segments.reverse();
        found.steps.reverse();
        name_loading(edges.trace, &mut found.segments);
        name_frames(edges.trace, &mut found.segments);
        found.segments.shrink_to_fit();
        found.steps.shrink_to_fit();
        found
    }

    /// Which result `node` waited for last, and the segments that tile the time from there to its start. The path goes the same way,
    /// unless something else held the thread or link of `node` for longer: [`Observed::path_before`].
    pub fn wait_of(
        edges: Edges<'_>,
        graph: &ExecutionGraph,
        node: u32,
    ) -> (Option<(u32, EdgeKind)>, Vec<Segment>) {
        let mut walk = Walk::new(edges, graph, graph.nodes.interval(node).start, OnPath::One(node));
        let cause = walk.cause(node);
        walk.between(node, cause);
        walk.segments.reverse();
        name_frames(edges.trace, &mut walk.segments);
        (cause, walk.segments)
    }

    /// What the observed path would go to from `node`, and by which edge.
    pub fn path_before(edges: Edges<'_>, graph: &ExecutionGraph, node: u32) -> Option<(u32, EdgeKind)> {
        let came_last =
            Walk::new(edges, graph, graph.nodes.interval(node).end, OnPath::One(node)).came_last(node);
        if let Some(last) = came_last {
            return Some((last, EdgeKind::Transfer));
        }
        Self::before_start(edges, graph, node)
    }

    /// The same for the start of `node`, whatever it waited for after that.
    pub(crate) fn path_before_start(edges: Edges<'_>, graph: &ExecutionGraph, node: u32) -> Option<u32> {
        Self::before_start(edges, graph, node).map(|(from, _)| from)
    }

    fn before_start(edges: Edges<'_>, graph: &ExecutionGraph, node: u32) -> Option<(u32, EdgeKind)> {
        let walk = Walk::new(edges, graph, graph.nodes.interval(node).start, OnPath::One(node));
        let cause = walk.cause(node);
        held::by(&walk, node, cause).map(|held| (held.from, held.kind)).or(cause)
    }

    /// When the executor made `node` ready, if that was recorded.
    pub fn scheduled(edges: Edges<'_>, graph: &ExecutionGraph, node: u32) -> Option<Timestamp> {
        walk::scheduled(edges, graph, node)
    }

    /// The length of the path: the span of the step.
    pub fn length(&self) -> Nanos {
        match (self.segments.first(), self.segments.last()) {
            (Some(first), Some(last)) => last.interval.end - first.interval.start,
            _ => Nanos(0),
        }
    }

    /// The time of each kind, in the order of [`SegmentKind::ALL`].
    pub fn by_kind(&self) -> [Nanos; SegmentKind::ALL.len()] {
        let mut sums = [Nanos(0); SegmentKind::ALL.len()];
        self.segments.iter().for_each(|segment| sums[segment.kind as usize] += segment.interval.length());
        sums
    }

    /// How much of the path is not explained by anything that was recorded.
    pub fn unexplained(&self) -> Nanos {
        self.by_kind()[SegmentKind::Gap as usize]
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.segments.capacity() * size_of::<Segment>()
            + self.steps.capacity() * size_of::<(OpId, OpId, EdgeKind)>()
    }
}

/// Goes back from the node `last`; adds the edges that the path takes to `steps`, the last one first.
fn back_from(walk: &mut Walk<'_>, last: u32, steps: &mut Vec<(OpId, OpId, EdgeKind)>) {
    let mut next = Some(last);
    // From when on a node from which the path came was ready, and waited for its thread, link or GPU.
    let mut waits_since: Option<Timestamp> = None;
    walk.after(last);
    while let Some(node) = next {
        walk.on_path.add(node);
        if let Some(last) = walk.came_last(node) {
            let first = walk.segments.len();
            walk.back_to(node, walk.graph.nodes.interval(last).start, kind_of(walk, node));
            if let Some(ran) = walk.segments.get_mut(first) {
                // Participants are joined by their order.
                ran.edge = Some((EdgeKind::Transfer, true));
            }
            steps.push((walk.graph.nodes.op(last), walk.graph.nodes.op(node), EdgeKind::Transfer));
            waits_since = None;
            next = Some(last);
            continue;
        }
        let cause = walk.cause(node);
        let held = held::by(walk, node, cause);
        let edge = held.map(|held| (held.from, held.kind, held.is_inferred)).or_else(|| {
            let (from, kind) = cause?;
            // The graph has no edge from what made an op ready whose inputs were not recorded.
            let has_edge = walk.graph.causes(node).any(|own| own == (from, kind));
            Some((from, kind, !has_edge || walk.graph.is_inferred(node, kind)))
        });
        let first = walk.segments.len();
        if let Some(copied) = walk.graph.feeders.copied(walk.trace(), walk.graph.nodes.op(node)) {
            let began = walk.graph.nodes.interval(node).start;
            walk.back_to(node, copied.end.max(began), SegmentKind::Launching);
            walk.back_to(node, copied.start.max(began), SegmentKind::Copy);
        }
        if let Some(kernel) = walk.graph.feeders.awaited(walk.graph.nodes.op(node)) {
            let (ran, began) = (walk.trace().ops().interval(kernel), walk.graph.nodes.interval(node).start);
            walk.back_to(node, ran.end.max(began), SegmentKind::Launching);
            let kind = SegmentKind::of_op(walk.trace().category(kernel));
            walk.put(kernel, ran.start.max(began), kind, None);
        }
        walk.back_to(node, walk.graph.nodes.interval(node).start, kind_of(walk, node));
        match held {
            Some(held) => walk.until_held(node, &held),
            None => walk.go_to_result(node, cause),
        }
        let own = walk.segments.get_mut(first..).unwrap_or_default();
        if let Some(since) = waits_since {
            let waited = |own: Interval| own.end - since.clamp(own.start, own.end);
            // While nothing is known to have run, nothing held anything.
            let known = own.iter_mut().filter(|own| own.kind != SegmentKind::Gap);
            known.for_each(|own| own.held = waited(own.interval));
        }
        if let Some(ran) = own.first_mut() {
            ran.edge = edge.map(|(_, kind, is_inferred)| (kind, is_inferred));
            ran.earlier = held.map_or(Nanos(0), |held| walk.graph.nodes.interval(node).start - held.since);
            let behind = held.filter(|_| ran.earlier > Nanos(0));
            ran.behind = behind.map(|held| (walk.graph.nodes.op(held.from), held.count));
        }
        waits_since = held.map(|held| held.since).into_iter().chain(waits_since).min();
        if let Some((from, kind, _)) = edge {
            steps.push((walk.graph.nodes.op(from), walk.graph.nodes.op(node), kind));
        }
        next = edge.map(|(from, ..)| from);
    }
    walk.back_to(last, walk.start, SegmentKind::Gap);
}

/// The kind of the time in which `node` itself ran, without waiting.
fn kind_of(walk: &Walk<'_>, node: u32) -> SegmentKind {
    let category = walk.edges.trace.category(walk.graph.nodes.op(node));
    // A call that waited continues when its kernel has ended: its node begins there. One that does not return then waits for something else.
    let waited = |kinds: (u32, EdgeKind)| kinds.1 == EdgeKind::Sync;
    let returns = walk.graph.nodes.length(node) <= MAX_LAUNCH;
    if category == Category::Waiting && returns && walk.graph.causes(node).any(waited) {
        return SegmentKind::Launching;
    }
    SegmentKind::of_op(category)
}
