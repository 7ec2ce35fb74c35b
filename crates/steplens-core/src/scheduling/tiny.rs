//! Tiny ops: so short that starting them costs as much as running them.

use super::RunBy;
use crate::base::units::Nanos;
use crate::causality::Causes;
use crate::causality::edge_kind::EdgeKind;
use crate::causality::pools::MAX_DISPATCH;
use crate::makers::Edges;
use crate::{DeviceId, OpId};

/// The limit for tiny ops unless the user sets one: about the time an executor takes to dispatch an op.
pub const TINY: Nanos = Nanos(10_000);

/// The tiny ops of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiny {
    /// The device.
    pub device: DeviceId,
    /// What ran them.
    pub run_by: RunBy,
    /// The number of ops that took any time.
    pub ops: u64,
    /// The length of these ops, summed.
    pub length: Nanos,
    /// How many of them are shorter than the limit.
    pub tiny: u64,
    /// The length of the tiny ops, summed.
    pub tiny_length: Nanos,
    /// How many of the tiny ops followed another op on their thread or stream after a pause of at most 0.1 ms.
    pub in_a_row: u64,
    /// The pauses before these ops, summed: the cost of getting to the next op.
    pub between: Nanos,
}

/// The tiny ops of each device that an executor or a stream ran: those shorter than `limit`.
pub fn tiny(edges: Edges<'_>, causes: &Causes, limit: Nanos) -> Vec<Tiny> {
    let trace = edges.trace;
    let mut rows: Vec<Tiny> = Vec::new();
    for device in trace.devices().ids() {
        for op in trace.ops_of(device) {
            let run_by = RunBy::of(trace, edges.transfers, op);
            let length = trace.ops().interval(op).length();
            if !matches!(run_by, RunBy::Executor | RunBy::Stream) || length == Nanos(0) {
                continue;
            }
            if rows.last().is_none_or(|row| row.device != device) {
                let (zero, none) = (Nanos(0), 0);
                rows.push(Tiny {
                    device,
                    run_by,
                    ops: none,
                    length: zero,
                    tiny: none,
                    tiny_length: zero,
                    in_a_row: none,
                    between: zero,
                });
            }
            let Some(row) = rows.last_mut() else { continue };
            row.ops += 1;
            row.length += length;
            if length >= limit {
                continue;
            }
            row.tiny += 1;
            row.tiny_length += length;
            let Some(before) = before(causes, op) else { continue };
            let pause = trace.ops().start(op) - trace.ops().end(before);
            if (Nanos(0)..=MAX_DISPATCH).contains(&pause) {
                row.in_a_row += 1;
                row.between += pause;
            }
        }
    }
    rows
}

/// The op that ran before `op` on its executor thread or stream.
pub(super) fn before(causes: &Causes, op: OpId) -> Option<OpId> {
    let graph = &causes.graph;
    graph.threads.before(op).or_else(|| {
        let mut own = graph.causes(graph.nodes.of_op(op)?);
        own.find(|(_, kind)| *kind == EdgeKind::Stream).map(|(from, _)| graph.nodes.op(from))
    })
}
