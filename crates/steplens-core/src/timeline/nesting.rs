//! Nested ops: which op a moment belongs to if events of one thread contain one another.
//!
//! On the threads of hosts whose format records nesting, a moment belongs to the op that started last among those that are running:
//! a launch inside an operator is a launch, and the rest of the operator is the operator's self time. Ranges are transparent.
//! Elsewhere ops overlap without containing each other, and the whole time of an op is its self time.
//!
//! A call of a driver has its times from another clock than the operator around it (CUPTI's), and may seem to begin before that: most of it lies
//! within the operator, so it counts from the operator's start.

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
    let mut pieces = Vec::new();
    for thread in nested(trace, work.collect()).chunk_by(|a, b| are_of_one_thread(trace, a, b)) {
        of_thread(thread, &mut pieces);
    }
    order::by_number(&mut pieces, |piece| (piece.interval.start.0, i64::from(piece.op.get())));
    pieces
}

/// The most that a call of a driver seems to begin before its operator.
const SKEW: Nanos = Nanos(50_000);
/// The most ops that begin meanwhile and are looked at: more have no length.
const MOST_MEANWHILE: usize = 64;

fn are_of_one_thread(trace: &Trace, a: &Piece, b: &Piece) -> bool {
    trace.ops().thread(a.op) == trace.ops().thread(b.op)
}

/// `all`, thread by thread, an op before those that it contains, and the calls of a driver within the operators that they are of.
fn nested(trace: &Trace, all: Vec<OpId>) -> Vec<Piece> {
    let mut rows: Vec<Piece> =
        all.into_iter().map(|op| Piece { op, interval: trace.ops().interval(op) }).collect();
    // Of ops with the same start, the longest comes first.
    let sort = |rows: &mut Vec<Piece>| {
        order::by_number(rows, |own| (own.interval.start.0, own.interval.end.0.wrapping_neg()));
        order::by_number(rows, |own| (i64::from(trace.ops().thread(own.op)), 0));
    };
    sort(&mut rows);
    let mut has_moved = false;
    for place in 0..rows.len() {
        let call = rows[place];
        if !trace.is_call(call.op) {
            continue;
        }
        let meanwhile = rows[place + 1..].iter().take(MOST_MEANWHILE).take_while(|own| {
            are_of_one_thread(trace, own, &call)
                && own.interval.start <= call.interval.start + SKEW
                && own.interval.start < call.interval.end
        });
        let around = meanwhile.filter(|own| {
            let (before, within) =
                (own.interval.start - call.interval.start, call.interval.end - own.interval.start);
            own.interval.end > call.interval.end && before < within && !trace.is_call(own.op)
        });
        if let Some(start) = around.map(|own| own.interval.start).last() {
            has_moved |= start > call.interval.start;
            rows[place].interval.start = start;
        }
    }
    if has_moved {
        sort(&mut rows);
    }
    rows
}

/// Adds the pieces of ops of one thread. `sorted` has an op before those that it contains.
pub(crate) fn of_thread(sorted: &[Piece], pieces: &mut Vec<Piece>) {
    let mut open: Vec<Piece> = Vec::new();
    for op in sorted.iter().map(|&own| Some(own)).chain([None]) {
        let until = op.map(|own| own.interval.start);
        // The open ops that continue until the next op starts, the innermost first.
        while let Some(Piece { op: inner, interval }) = open.last_mut() {
            let end = until.map_or(interval.end, |until| interval.end.min(until));
            if end > interval.start {
                pieces.push(Piece { op: *inner, interval: Interval { start: interval.start, end } });
                interval.start = end;
            }
            if until.is_some_and(|until| interval.end > until) {
                break;
            }
            // One that ended before those that began in it ended leaves what is around it no more than they do.
            let known = interval.end.max(interval.start);
            open.pop();
            if let Some(outer) = open.last_mut() {
                outer.interval.start = outer.interval.start.max(known);
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
    let is_operator = |op: OpId| !trace.is_call(op) && trace.category(op) != Category::Range;
    for thread in
        nested(trace, trace.ops_of(device).collect()).chunk_by(|a, b| are_of_one_thread(trace, a, b))
    {
        let mut open: Vec<Piece> = Vec::new();
        for &own in thread {
            while open.last().is_some_and(|outer| outer.interval.end <= own.interval.start) {
                open.pop();
            }
            within[(own.op.get() - row.first_op) as usize] = open.last().map(|outer| outer.op);
            if is_operator(own.op) {
                open.push(own);
            }
        }
    }
    within
}
