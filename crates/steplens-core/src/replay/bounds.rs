//! What no change can undercut: a stream, a thread of a program or a pool of threads is busy for as long as its work takes.
//!
//! Streams and threads of programs run one op after the other. A stream whose kernels overlap by some hundred nanoseconds is one, too; two
//! kernels that overlap more ran at once, and nothing says that they could not start together. The threads of a pool share its ops.

use super::timing::Place;
use crate::base::order;
use crate::causality::graph::ExecutionGraph;
use crate::gpu::kernels::has_kernels;
use crate::{Study, Trace};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The longest overlap of two kernels of a stream that run one after the other: of two clock readings, and of what starts a kernel.
const OVERLAP: i64 = 1_000;

/// Streams and threads of programs, each with its nodes in order of start.
#[derive(Default)]
pub(super) struct Bounds {
    nodes: Vec<u32>,
    /// Where the nodes of each begin in `nodes`.
    first: Vec<u32>,
    /// Where each node that ran on a thread of a pool ran, and how long it held its thread.
    pools: usize,
}

impl Bounds {
    pub(super) fn of(
        study: &Study,
        graph: &ExecutionGraph,
        place: &[Place],
        by_rank: &[u32],
        pools: usize,
    ) -> Self {
        let trace = study.trace();
        if !trace.devices().ids().any(|id| trace.devices().get(id).nests || has_kernels(trace, id)) {
            return Self { pools, ..Self::default() };
        }
        let is_serial: Vec<bool> =
            trace.devices().ids().map(|id| trace.devices().get(id).nests || has_kernels(trace, id)).collect();
        let row = |node: u32| row_of(trace, graph, node);
        let mut nodes: Vec<u32> = by_rank
            .iter()
            .copied()
            .filter(|&node| {
                is_serial[trace.device_of(graph.nodes.op(node)).index()]
                    && matches!(place[node as usize], Place::Own | Place::Collective(_))
            })
            .collect();
        order::by_number(&mut nodes, row);
        let mut first = vec![0];
        for own in nodes.chunk_by(|&a, &b| row(a) == row(b)) {
            first.push(first.last().copied().unwrap_or(0) + own.len() as u32);
        }
        Self { nodes, first, pools }
    }

    /// The longest time that any of them is busy if nodes take `length`. `start` and `end` are as recorded, `threads` has the number of threads
    /// of each pool.
    pub(super) fn busiest(
        &self,
        length: impl Fn(usize) -> i64,
        place: &[Place],
        leaves: &[bool],
        threads: &[u32],
        start: &[i64],
        end: impl Fn(usize) -> i64,
    ) -> i64 {
        let rows = self.first.windows(2).map(|ends| &self.nodes[ends[0] as usize..ends[1] as usize]);
        let serial = rows.map(|own| busy(&length, own, start, &end)).max().unwrap_or(0);
        let mut sums = vec![0_i64; self.pools];
        if !sums.is_empty() {
            for (node, place) in place.iter().enumerate() {
                if let (Place::Pool(pool), false) = (*place, leaves[node]) {
                    let sum = &mut sums[pool as usize];
                    *sum = sum.saturating_add(length(node));
                }
            }
        }
        let each = sums.iter().zip(threads);
        let pools = each.map(|(&sum, &own)| sum / i64::from(own.max(1))).max().unwrap_or(0);
        serial.max(pools)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.nodes.capacity() + self.first.capacity()) * size_of::<u32>()
    }
}

fn row_of(trace: &Trace, graph: &ExecutionGraph, node: u32) -> (i64, i64) {
    let op = graph.nodes.op(node);
    (i64::from(trace.device_of(op).get()), i64::from(trace.ops().thread(op)))
}

/// How long the nodes of one row take at least: each after those that had ended when it started.
fn busy(length: &impl Fn(usize) -> i64, row: &[u32], start: &[i64], end: &impl Fn(usize) -> i64) -> i64 {
    let mut longest = 0_i64;
    // (when it ended, how long everything up to it takes); those that ran at once.
    let mut running: BinaryHeap<Reverse<(i64, i64)>> = BinaryHeap::new();
    let mut before = 0_i64;
    for &node in row {
        let node = node as usize;
        while let Some(&Reverse((ended, until))) = running.peek()
            && ended - OVERLAP <= start[node]
        {
            before = before.max(until - (ended - start[node]).max(0));
            running.pop();
        }
        let until = before.saturating_add(length(node));
        longest = longest.max(until);
        running.push(Reverse((end(node), until)));
    }
    longest
}
