//! Ops that run on the thread that made them ready.
//!
//! When an op has ended, TensorFlow's executor keeps the cheap ops that became ready for the same thread, one after the other, and
//! gives the dear ones to the pool (`ScheduleReady` in `executor.cc`). Which ops were cheap is not recorded, but on which thread
//! each op ran is known or inferred: an op was kept if it ran on the thread of the op that it waited for last, and that thread ran
//! only this op and others that it kept in between. All else that ran on the same thread later came from the queue.

use super::timing::{NONE, Place};
use crate::Trace;
use crate::causality::graph::ExecutionGraph;
use crate::causality::pools::MAX_DISPATCH;

/// For each node whether it ran on the thread that made it ready.
pub(super) struct Inline {
    pub(super) is_inline: Vec<bool>,
}

impl Inline {
    /// `last` has for each node the node that it waited for last.
    pub(super) fn of(
        trace: &Trace,
        graph: &ExecutionGraph,
        place: &[Place],
        last: &[u32],
        rank: &[u32],
    ) -> Self {
        let threads = &graph.threads;
        let is_kept = |node: usize, is_inline: &[bool]| {
            let by = last[node];
            if by == NONE || !matches!(place[node], Place::Pool(_)) || place[node] != place[by as usize] {
                return false;
            }
            let (op, maker) = (graph.nodes.op(node as u32), graph.nodes.op(by));
            if threads.thread(op) != threads.thread(maker) || trace.device_of(op) != trace.device_of(maker) {
                return false;
            }
            let before = threads.before(op).map_or(maker, |before| before);
            let is_kept = |before: u32| is_inline[before as usize];
            if before != maker && !graph.nodes.of_op(before).is_some_and(is_kept) {
                return false;
            }
            let free = trace.ops().end(before).max(trace.ops().end(maker));
            trace.ops().start(op) - free <= MAX_DISPATCH
        };
        let mut by_rank = vec![0; rank.len()];
        rank.iter().zip(0..).for_each(|(&rank, node)| by_rank[rank as usize] = node);
        let mut is_inline = vec![false; place.len()];
        for node in by_rank {
            is_inline[node] = is_kept(node, &is_inline);
        }
        Self { is_inline }
    }
}
