//! Ops that run on the thread that made them ready.
//!
//! When an op has ended, TensorFlow's executor keeps the cheap ops that became ready for the same thread, one after the other, and
//! gives the dear ones to the pool (`ScheduleReady` in `executor.cc`). Which ops were cheap is not recorded, but on which thread
//! each op ran is known or inferred: an op was kept if it ran on the thread of the op that it waited for last, or right after the
//! op before it in its batch.

use super::model::{NONE, Place};
use crate::Trace;
use crate::causality::graph::ExecutionGraph;
use crate::causality::pools::MAX_DISPATCH;

/// For each node whether it ran on the thread that made it ready.
pub(super) struct Inline {
    pub(super) is_inline: Vec<bool>,
}

impl Inline {
    /// `last` has for each node the node that it waited for last.
    pub(super) fn of(trace: &Trace, graph: &ExecutionGraph, place: &[Place], last: &[u32]) -> Self {
        let threads = &graph.threads;
        let is_inline = |node: usize| {
            let by = last[node];
            if by == NONE || !matches!(place[node], Place::Pool(_)) || place[node] != place[by as usize] {
                return false;
            }
            let (op, maker) = (graph.nodes.op(node as u32), graph.nodes.op(by));
            if threads.thread(op) != threads.thread(maker) || trace.device_of(op) != trace.device_of(maker) {
                return false;
            }
            let before = threads.before(op).map_or(maker, |before| before);
            let free = trace.ops().end(before).max(trace.ops().end(maker));
            trace.ops().start(op) - free <= MAX_DISPATCH
        };
        Self { is_inline: (0..place.len()).map(is_inline).collect() }
    }
}
