//! The static path: the longest path by dependencies alone, as if there were unlimited threads and links; and the slack of every
//! node.
//!
//! The length of a node is its running time without waiting. Where a cause ended after its effect began, the overlap counts once.
//! So no path is longer than the span of the step.

use super::graph::ExecutionGraph;
use super::order::in_order;
use crate::OpId;
use crate::base::units::Nanos;

/// The static path, and how far each node is from being on it.
#[derive(Default)]
pub struct Floor {
    /// The length of the path.
    pub length: Nanos,
    /// The nodes of the path, from first to last.
    pub path: Vec<u32>,
    /// For each node: how much longer it could run before the static path gets longer.
    slack: Vec<i64>,
    /// Of the other paths, the one with the most time outside of the static path.
    pub next: Next,
}

/// The path that shares least with the static path: of all paths, the one whose nodes outside of the static path are longest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// The length of the path.
    pub length: Nanos,
    /// How much of this length is outside of the static path.
    pub outside: Nanos,
    /// The nodes of the path, from first to last.
    pub path: Vec<u32>,
}

impl Floor {
    /// Computes the static path of `graph`. Cuts the circles of the graph first.
    pub fn computed(graph: &mut ExecutionGraph) -> Self {
        let sorted = in_order(graph);
        let graph = &*graph;
        let longest = Longest::computed(graph, &sorted, |node| graph.nodes.length(node).0);
        let Some(last) = longest.last() else { return Self::default() };
        let path = longest.back_from(graph, last, |node| graph.nodes.length(node).0);
        let length = longest.until[last as usize];
        let mut is_on = vec![false; graph.nodes.len()];
        path.iter().for_each(|&node| is_on[node as usize] = true);
        let slack = slack(graph, &sorted, longest.until, length);
        let weight = |node: u32| if is_on[node as usize] { 0 } else { graph.nodes.length(node).0 };
        let apart = Longest::computed(graph, &sorted, weight);
        let next = apart.last().filter(|&last| apart.until[last as usize] > 0).map(|last| {
            let path = apart.back_from(graph, last, weight);
            Next { length: along(graph, &path), outside: Nanos(apart.until[last as usize]), path }
        });
        Self { length: Nanos(length), path, slack, next: next.unwrap_or_default() }
    }

    /// How much longer `node` could run before the static path gets longer: 0 for nodes on the path.
    pub fn slack(&self, node: u32) -> Nanos {
        Nanos(self.slack[node as usize])
    }

    /// The slack of `op`; `None` if the graph has no node for it.
    pub fn slack_of(&self, graph: &ExecutionGraph, op: OpId) -> Option<Nanos> {
        graph.nodes.of_op(op).map(|node| self.slack(node))
    }

    /// The number of nodes that took any time and whose slack is at most `most`.
    pub fn within(&self, graph: &ExecutionGraph, most: Nanos) -> usize {
        let rows = self.slack.iter().zip(0..);
        rows.filter(|&(&slack, node)| slack <= most.0 && graph.nodes.length(node) > Nanos(0)).count()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.path.capacity() + self.next.path.capacity()) * size_of::<u32>()
            + self.slack.capacity() * size_of::<i64>()
    }
}

/// The longest path that ends with each node.
struct Longest {
    until: Vec<i64>,
}

impl Longest {
    fn computed(graph: &ExecutionGraph, sorted: &[u32], weight: impl Fn(u32) -> i64) -> Self {
        let mut until = vec![0_i64; sorted.len()];
        for &node in sorted {
            let before = graph.causes(node).filter(|(_, kind)| kind.is_dependency());
            let before = before.map(|(from, _)| until[from as usize] - overlap(graph, from, node)).max();
            until[node as usize] = before.unwrap_or(0).max(0).saturating_add(weight(node));
        }
        Self { until }
    }

    /// The node where the longest path ends; of several the one with the lowest row.
    fn last(&self) -> Option<u32> {
        let longest = *self.until.iter().max()?;
        self.until.iter().position(|&until| until == longest).map(|row| row as u32)
    }

    /// The path to `last`, from first to last node.
    fn back_from(&self, graph: &ExecutionGraph, last: u32, weight: impl Fn(u32) -> i64) -> Vec<u32> {
        let mut path = vec![last];
        let mut node = last;
        loop {
            let before = self.until[node as usize] - weight(node);
            let mut causes = graph.causes(node).filter(|(_, kind)| kind.is_dependency());
            let is_it =
                |&(from, _): &(u32, _)| self.until[from as usize] - overlap(graph, from, node) == before;
            match causes.find(is_it).filter(|_| before > 0) {
                Some((from, _)) => node = from,
                None => break,
            }
            path.push(node);
        }
        path.reverse();
        path.shrink_to_fit();
        path
    }
}

/// The length of `path`, with each overlap counted once.
fn along(graph: &ExecutionGraph, path: &[u32]) -> Nanos {
    let lengths = path.iter().map(|&node| graph.nodes.length(node).0).fold(0, i64::saturating_add);
    let overlaps = path.windows(2).map(|pair| overlap(graph, pair[0], pair[1])).fold(0, i64::saturating_add);
    Nanos(lengths.saturating_sub(overlaps).max(0))
}

/// How much of `from` lies after the start of `node`.
#[inline]
fn overlap(graph: &ExecutionGraph, from: u32, node: u32) -> i64 {
    (graph.nodes.interval(from).end - graph.nodes.interval(node).start).0.max(0)
}

/// For each node: `length` minus the longest path through the node. `until` has the longest path up to the end of each node.
fn slack(graph: &ExecutionGraph, sorted: &[u32], until: Vec<i64>, length: i64) -> Vec<i64> {
    let mut after = vec![0_i64; sorted.len()];
    for &node in sorted.iter().rev() {
        let with_node = after[node as usize].saturating_add(graph.nodes.length(node).0);
        for (from, _) in graph.causes(node).filter(|(_, kind)| kind.is_dependency()) {
            let after = &mut after[from as usize];
            *after = (*after).max(with_node - overlap(graph, from, node));
        }
    }
    let mut slack = until;
    slack.iter_mut().zip(after).for_each(|(until, after)| *until = length - *until - after);
    slack
}
