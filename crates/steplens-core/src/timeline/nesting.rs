//! Nested ops: which op a moment belongs to if events of one thread contain one another.
//!
//! On the threads of hosts whose format records nesting, a moment belongs to the op that started last among those that are running:
//! a launch inside an operator is a launch, and the rest of the operator is the operator's self time. Ranges are transparent.
//! Elsewhere ops overlap without containing each other, and the whole time of an op is its self time.

use crate::base::ids::{DeviceId, OpId};
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::{Category, Trace};

/// A stretch of an op's self time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The op.
    pub op: OpId,
    /// The start and the end.
    pub interval: Interval,
}

/// The self time of all ops of `device` that are work, in order of start.
pub fn pieces(trace: &Trace, device: DeviceId) -> Vec<Piece> {
    let is_work = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
    let work = trace.ops_of(device).filter(is_work);
    if !trace.devices().get(device).nests {
        return work.map(|op| Piece { op, interval: trace.ops().interval(op) }).collect();
    }
    let ops = trace.ops();
    let mut sorted: Vec<OpId> = work.collect();
    // An op that contains another comes before it: of ops with the same start, the longest.
    order::by_number(&mut sorted, |op| (ops.start(op).0, ops.end(op).0.wrapping_neg()));
    order::by_number(&mut sorted, |op| (i64::from(ops.thread(op)), 0));
    let mut pieces = Vec::with_capacity(sorted.len());
    for thread in sorted.chunk_by(|&a, &b| ops.thread(a) == ops.thread(b)) {
        of_thread(trace, thread, &mut pieces);
    }
    order::by_number(&mut pieces, |piece| (piece.interval.start.0, i64::from(piece.op.get())));
    pieces
}

/// Adds the pieces of ops of one thread. `sorted` has an op before those that it contains.
pub(crate) fn of_thread(trace: &Trace, sorted: &[OpId], pieces: &mut Vec<Piece>) {
    let ops = trace.ops();
    let mut open: Vec<(OpId, Interval)> = Vec::new();
    for op in sorted.iter().map(|&op| Some((op, ops.interval(op)))).chain([None]) {
        let until = op.map(|(_, interval)| interval.start);
        // The open ops that continue until the next op starts, the innermost first.
        while let Some((inner, interval)) = open.last_mut() {
            let end = until.map_or(interval.end, |until| interval.end.min(until));
            if end > interval.start {
                pieces.push(Piece { op: *inner, interval: Interval { start: interval.start, end } });
                interval.start = end;
            }
            if until.is_some_and(|until| interval.end > until) {
                break;
            }
            let ended = interval.end;
            open.pop();
            if let Some((_, outer)) = open.last_mut() {
                outer.start = outer.start.max(ended);
            }
        }
        open.extend(op);
    }
}

/// The self time of each op of `device`, by its place among the ops of the device; 0 for ranges.
pub fn self_times(trace: &Trace, device: DeviceId) -> Vec<Nanos> {
    let row = trace.devices().get(device);
    let mut times = vec![Nanos(0); row.op_count as usize];
    for Piece { op, interval } in pieces(trace, device) {
        times[(op.get() - row.first_op) as usize] += interval.length();
    }
    times
}

/// The operator in which each op of `device` runs, by its place among the ops of the device: the innermost op that contains it and
/// is neither a range nor a call; `None` if there is none, or if ops do not nest.
pub fn operators(trace: &Trace, device: DeviceId) -> Vec<Option<OpId>> {
    let row = trace.devices().get(device);
    let mut within = vec![None; row.op_count as usize];
    if !row.nests {
        return within;
    }
    let ops = trace.ops();
    let mut sorted: Vec<OpId> = trace.ops_of(device).collect();
    order::by_number(&mut sorted, |op| (ops.start(op).0, ops.end(op).0.wrapping_neg()));
    order::by_number(&mut sorted, |op| (i64::from(ops.thread(op)), 0));
    let is_operator = |op: OpId| !trace.is_call(op) && trace.category(op) != Category::Range;
    for thread in sorted.chunk_by(|&a, &b| ops.thread(a) == ops.thread(b)) {
        let mut open: Vec<OpId> = Vec::new();
        for &op in thread {
            while open.last().is_some_and(|&outer| ops.end(outer) <= ops.start(op)) {
                open.pop();
            }
            within[(op.get() - row.first_op) as usize] = open.last().copied();
            if is_operator(op) {
                open.push(op);
            }
        }
    }
    within
}
