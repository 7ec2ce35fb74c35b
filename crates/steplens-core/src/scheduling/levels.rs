//! How long the queue of each stream was, and how much its copies moved, moment by moment. A level holds until the next change of it.
//!
//! Work stands in the queue of its stream from its launch ([`launched`]) to its start. A copy moves its bytes at one rate, from its start
//! to its end: what was recorded says no more.

use super::moments::launched;
use super::streams::work_of;
use crate::base::order;
use crate::base::units::{Nanos, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::model::op_bytes::op_bytes;
use crate::transfers::Transfers;
use crate::transfers::copies::Way;
use crate::{Category, DeviceId, OpId, Trace};

/// How much work in the queue of a stream makes it full: about where a call that launches more waits until some of it has started. NVIDIA documents
/// no number; the authors of HTA saw 1,022 to 1,024.
pub const FULL: f64 = 1022.0;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelKind {
    /// Pieces of work that were launched and had not started.
    Queue {
        /// For how long there were [`FULL`] of them or more.
        full: Nanos,
    },
    /// Bytes that copies moved this way in a second.
    Copies(Way),
}

/// One level of one stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// What is counted.
    pub kind: LevelKind,
    /// The device of the stream.
    pub device: DeviceId,
    /// The thread of the stream, where one device has all streams of the GPU.
    pub thread: u32,
    /// Since when it was how much, in order of time; each differs from the one before. There is at least one, and the last is 0.
    pub changes: Vec<(Timestamp, f64)>,
}

/// That something begins (`more` is 1) or ends (-1), and what the level is `by` then.
#[derive(Clone, Copy)]
struct Move {
    at: Timestamp,
    more: i64,
    by: f64,
}

/// The levels of all streams, stream by stream: its queue, if launches were recorded, then its copies by their op types, in the order in
/// which these began. In time n log n.
pub fn levels(trace: &Trace, transfers: &Transfers) -> Vec<Level> {
    let mut found = Vec::new();
    for gpu in accelerators(trace) {
        let work = work_of(trace, transfers, &gpu);
        for stream in work.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            found.extend(queue(trace, stream));
            found.extend(copies(trace, stream));
        }
    }
    found
}

fn queue(trace: &Trace, stream: &[(DeviceId, u32, OpId)]) -> Option<Level> {
    let &(device, thread, _) = stream.first()?;
    let mut moves = Vec::new();
    for &(_, _, op) in stream {
        let start = trace.ops().start(op);
        if let Some(launch) = launched(trace, op).filter(|&launch| launch < start) {
            let both = [(launch, 1, 1.0), (start, -1, -1.0)];
            moves.extend(both.map(|(at, more, by)| Move { at, more, by }));
        }
    }
    let changes = summed(moves);
    let at_full = changes.windows(2).filter(|pair| pair[0].1 >= FULL);
    let full = at_full.fold(Nanos(0), |sum, pair| sum + (pair[1].0 - pair[0].0));
    (!changes.is_empty()).then_some(Level { kind: LevelKind::Queue { full }, device, thread, changes })
}

fn copies(trace: &Trace, stream: &[(DeviceId, u32, OpId)]) -> Vec<Level> {
    let mut of_ways = Way::ALL.map(|way| (way, Vec::new()));
    for &(_, _, op) in stream.iter().filter(|&&(_, _, op)| trace.category(op) == Category::Copy) {
        let (interval, bytes) = (trace.ops().interval(op), op_bytes(trace, op).0);
        let Some(way) = Way::of(trace, op).filter(|_| interval.length() > Nanos(0) && bytes > 0) else {
            continue;
        };
        let rate = bytes as f64 / interval.length().0 as f64 * 1e9;
        let moves = [(interval.start, 1, rate), (interval.end, -1, -rate)];
        of_ways[way as usize].1.extend(moves.map(|(at, more, by)| Move { at, more, by }));
    }
    let &[(device, thread, _), ..] = stream else { return Vec::new() };
    let moving = of_ways.into_iter().filter(|(_, moves)| !moves.is_empty());
    moving
        .map(|(way, moves)| Level { kind: LevelKind::Copies(way), device, thread, changes: summed(moves) })
        .collect()
}

/// The sum after each moment at which it changes.
fn summed(mut moves: Vec<Move>) -> Vec<(Timestamp, f64)> {
    order::by_number(&mut moves, |own| (own.at.0, own.more));
    let (mut count, mut sum, mut rounded) = (0_i64, 0.0_f64, 0.0_f64);
    let mut changes: Vec<(Timestamp, f64)> = Vec::new();
    for own in moves.chunk_by(|a, b| a.at == b.at) {
        for one in own {
            count += one.more;
            let next = sum + one.by;
            // What the sum rounds away is added up by itself (Neumaier, 1974).
            rounded += if sum.abs() >= one.by.abs() { (sum - next) + one.by } else { (one.by - next) + sum };
            sum = next;
        }
        // Of floats there is a rounding error left where nothing else is.
        if count == 0 {
            (sum, rounded) = (0.0, 0.0);
        }
        let level = (sum + rounded).max(0.0);
        if level != changes.last().map_or(0.0, |&(_, last)| last) {
            changes.push((own[0].at, level));
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(of: &[(i64, i64, f64)]) -> Vec<(i64, f64)> {
        let moves = of.iter().flat_map(|&(start, end, by)| {
            [(start, 1, by), (end, -1, -by)].map(|(at, more, by)| Move { at: Timestamp(at), more, by })
        });
        summed(moves.collect()).into_iter().map(|(at, sum)| (at.0, sum)).collect()
    }

    #[test]
    fn a_level_says_only_what_changes_and_ends_at_nothing() {
        assert_eq!(
            changes(&[(0, 4, 1.0), (4, 6, 1.0), (5, 9, 1.0)]),
            [(0, 1.0), (5, 2.0), (6, 1.0), (9, 0.0)]
        );
        assert_eq!(changes(&[]), []);
    }

    #[test]
    fn what_rounds_leaves_nothing_behind() {
        assert_eq!(changes(&[(0, 9, 0.1), (1, 5, 1e28)]).last(), Some(&(9, 0.0)));
        assert!(changes(&[(0, 9, 0.1), (1, 5, 1e28), (2, 6, 0.7)]).iter().all(|&(_, sum)| sum >= 0.0));
    }
}
