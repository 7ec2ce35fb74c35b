//! Tiny ops: so short that starting them costs as much as running them.

use super::RunBy;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::Causes;
use crate::causality::edge_kind::EdgeKind;
use crate::causality::pools::MAX_DISPATCH;
use crate::makers::Edges;
use crate::storage::union::Union;
use crate::{Category, DeviceId, OpId, Trace};

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
    /// The cost of getting to the next op: the pauses before these ops, while nothing else ran on the device, nor on one that shares its
    /// threads. Of pauses at the same time each moment counts once.
    pub between: Nanos,
}

/// The tiny ops of each device that an executor or a stream ran: those shorter than `limit`.
pub fn tiny(edges: Edges<'_>, causes: &Causes, limit: Nanos) -> Vec<Tiny> {
    let trace = edges.trace;
    let mut rows: Vec<Tiny> = Vec::new();
    for device in trace.devices().ids() {
        let mut pauses: Vec<Interval> = Vec::new();
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
            let (since, start) = (trace.ops().end(before), trace.ops().start(op));
            if (Nanos(0)..=MAX_DISPATCH).contains(&(start - since)) {
                row.in_a_row += 1;
                pauses.push(Interval { start: since, end: start });
            }
        }
        if let Some(row) = rows.last_mut().filter(|row| row.device == device) {
            row.between = without_work(trace, causes, device, pauses);
        }
    }
    rows
}

/// How much of `pauses` nothing ran in, on `device` or on those that share its threads: what others do meanwhile is not lost.
fn without_work(trace: &Trace, causes: &Causes, device: DeviceId, mut pauses: Vec<Interval>) -> Nanos {
    order::by_number(&mut pauses, |own| (own.start.0, own.end.0));
    let mut all = Union::default();
    pauses.into_iter().for_each(|own| all.push(own));
    if all.is_empty() {
        return Nanos(0);
    }
    let sharing = causes.graph.threads.pools.sharing_with(device);
    let devices = if sharing.is_empty() { std::slice::from_ref(&device) } else { sharing };
    let is_work = |&op: &OpId| trace.category(op) != Category::Range;
    let ran = devices.iter().fold(Union::default(), |ran, &own| {
        let mut union = Union::default();
        trace.ops_of(own).filter(is_work).for_each(|op| union.push(trace.ops().interval(op)));
        if ran.is_empty() { union } else { ran.with(&union) }
    });
    // What both cover counts in both lengths, and once in that of their union.
    all.with(&ran).length() - ran.length()
}

/// The op that ran before `op` on its executor thread or stream.
pub(super) fn before(causes: &Causes, op: OpId) -> Option<OpId> {
    let graph = &causes.graph;
    graph.threads.before(op).or_else(|| {
        let mut own = graph.causes(graph.nodes.of_op(op)?);
        own.find(|(_, kind)| *kind == EdgeKind::Stream).map(|(from, _)| graph.nodes.op(from))
    })
}
