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
use foldhash::fast::FixedState;
use hashbrown::HashMap;

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
    let mut ran = Ran::default();
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
        if let Some(row) = rows.last_mut().filter(|row| row.device == device && !pauses.is_empty()) {
            row.between = without_work(pauses, ran.on(trace, causes, device));
        }
    }
    rows
}

/// How much of `pauses` nothing of `ran` covers.
fn without_work(mut pauses: Vec<Interval>, ran: &Union) -> Nanos {
    order::by_number(&mut pauses, |own| (own.start.0, own.end.0));
    let mut all = Union::default();
    pauses.into_iter().for_each(|own| all.push(own));
    let covered = |pause: Interval| -> i64 {
        let within = ran.after(pause.start).take_while(|ran| ran.start < pause.end);
        within.map(|ran| ran.clamp_to(pause).length().0).sum()
    };
    Nanos(all.iter().map(|pause| pause.length().0 - covered(pause)).sum())
}

/// When anything ran, by the first of the devices that share threads: what others do meanwhile is not lost.
#[derive(Default)]
struct Ran {
    of_pool: HashMap<DeviceId, Union, FixedState>,
}

impl Ran {
    fn on(&mut self, trace: &Trace, causes: &Causes, device: DeviceId) -> &Union {
        let sharing = causes.graph.threads.pools.sharing_with(device);
        let devices = if sharing.is_empty() { std::slice::from_ref(&device) } else { sharing };
        self.of_pool.entry(devices.first().copied().unwrap_or(device)).or_insert_with(|| {
            let ops = devices.iter().flat_map(|&own| trace.ops_of(own));
            let work = ops.filter(|&op| trace.category(op) != Category::Range);
            let mut all: Vec<Interval> = work.map(|op| trace.ops().interval(op)).collect();
            order::by_number(&mut all, |own| (own.start.0, own.end.0));
            let mut union = Union::default();
            all.into_iter().for_each(|own| union.push(own));
            union
        })
    }
}

/// The op that ran before `op` on its executor thread or stream.
pub(super) fn before(causes: &Causes, op: OpId) -> Option<OpId> {
    let graph = &causes.graph;
    graph.threads.before(op).or_else(|| {
        let mut own = graph.causes(graph.nodes.of_op(op)?);
        own.find(|(_, kind)| *kind == EdgeKind::Stream).map(|(from, _)| graph.nodes.op(from))
    })
}
