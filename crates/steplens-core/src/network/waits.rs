//! Waits: which transfer or which collective a device waited for.
//!
//! Exposed communication is time in which a device neither computes nor copies while something communicates. Every moment of it is
//! blamed on one of the communications in transit, so the blame adds up exactly to the exposed communication of the split. A device
//! continues when the last thing that it needs has arrived. So, in the stretch of exposed communication before it continues:
//!
//! - a moment is blamed on the communication in transit that ended last by the end of the stretch;
//! - if all in transit end after the stretch, the device did not continue because of any of them: the one that ends first is
//!   blamed.
//!
//! Idle time is different: nothing was in transit. If a device was idle until a transfer was sent, and continued as soon as it
//! arrived, it waited for a tensor that was not made or not sent yet. This is a separate figure (idle before send), and never a
//! part of the exposed communication.

use crate::base::order;
use crate::base::pace::{Pace, at_once};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::study::step_of_op::StepOfOp;
use crate::transfers::CLAMPED;
use crate::{Category, DeviceId, OpId, Study};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How long a device waited because of one communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The transfer or collective.
    pub op: OpId,
    /// The device that waited.
    pub device: DeviceId,
    /// Its step.
    pub step: usize,
    /// Exposed communication that is blamed on the op.
    pub waited: Nanos,
    /// How long the device was idle before the send, if it continued once the tensor arrived.
    pub idle_before: Nanos,
}

/// The waits of every device, in the order of the ops. Takes time n log n for any times.
pub fn waits(study: &Study, steps: &StepOfOp) -> Vec<Wait> {
    at_once(async |pace: &Pace| waits_paced(study, steps, pace).await)
}

/// Like `waits`, but in pieces, so that the caller can do other work between them.
pub async fn waits_paced(study: &Study, steps: &StepOfOp, pace: &Pace) -> Vec<Wait> {
    let trace = study.trace();
    let mut waits = Vec::new();
    let communicating = study.communicating();
    for device in trace.devices().ids() {
        let is_own = |&op: &OpId| {
            trace.category(op) == Category::Communication
                && !trace.nodes().is_range(trace.ops().node(op))
                && trace.ops().interval(op).length() > Nanos(0)
        };
        let ops: Vec<OpId> = trace.ops_of(device).filter(is_own).collect();
        if ops.is_empty() {
            continue;
        }
        let flights: Vec<Interval> = ops.iter().map(|&op| trace.ops().interval(op)).collect();
        let mut by_end: Vec<u32> = (0..flights.len() as u32).collect();
        order::by_number(&mut by_end, |row| (flights[row as usize].end.0, 0));
        let coverage = &communicating[device.index()];
        let ends: Vec<Timestamp> = by_end.iter().map(|&row| flights[row as usize].end).collect();
        let waited = blamed(&coverage.exposed(), &flights, &by_end);
        let arrivals = Arrivals { ops: &ops, flights: &flights, by_end: &by_end, ends: &ends };
        let idle = idle_before(study, steps, device, arrivals);
        for ((&op, &waited), &idle_before) in ops.iter().zip(&waited).zip(&idle) {
            if waited > Nanos(0) || idle_before > Nanos(0) {
                waits.push(Wait { op, device, step: steps.step(study, op), waited, idle_before });
            }
        }
        pace.worked(trace.ops_of(device).len()).await;
    }
    waits
}

/// How much of `exposed`, which must be in order, is blamed on each of `flights`. These must be in order of start; `by_end` has
/// their rows in order of end.
fn blamed(exposed: &[Interval], flights: &[Interval], by_end: &[u32]) -> Vec<Nanos> {
    let mut waited = vec![Nanos(0); flights.len()];
    let flight = |row: u32| flights[row as usize];
    let mut landing = by_end;
    let mut started = 0;
    // The flights that end after the stretch, the one that ends first on top.
    let mut aloft: BinaryHeap<Reverse<(Timestamp, u32)>> = BinaryHeap::new();
    let mut gaps: Vec<Interval> = Vec::new();
    for stretch in exposed {
        landing = &landing[landing.partition_point(|&row| flight(row).end <= stretch.start)..];
        let (within, later) =
            landing.split_at(landing.partition_point(|&row| flight(row).end <= stretch.end));
        landing = later;
        // From the flight that ended last backwards. The time that it covers is not blamed on earlier ones. What is left always
        // ends at one boundary, because all of them only reach further left.
        let mut left = stretch.end;
        for &row in within.iter().rev() {
            let flying = flight(row);
            if flying.end < left {
                gaps.push(Interval { start: flying.end, end: left });
                left = flying.end;
            }
            let start = flying.start.max(stretch.start);
            if start < left {
                waited[row as usize] += left - start;
                left = start;
            }
        }
        gaps.push(Interval { start: stretch.start, end: left });
        while let Some(gap) = gaps.pop() {
            let mut now = gap.start;
            while now < gap.end {
                while let Some(flying) = flights.get(started).filter(|flying| flying.start <= now) {
                    aloft.push(Reverse((flying.end, started as u32)));
                    started += 1;
                }
                while aloft.peek().is_some_and(|&Reverse((end, _))| end <= stretch.end) {
                    aloft.pop();
                }
                let until = flights.get(started).map_or(gap.end, |next| next.start.min(gap.end));
                if let Some(&Reverse((_, row))) = aloft.peek() {
                    waited[row as usize] += until - now;
                }
                now = until;
            }
        }
    }
    waited
}

/// The communications of one device, in order of start.
#[derive(Clone, Copy)]
struct Arrivals<'a> {
    ops: &'a [OpId],
    flights: &'a [Interval],
    /// Their rows, in order of end.
    by_end: &'a [u32],
    /// Their ends, in order.
    ends: &'a [Timestamp],
}

/// For each communication: how long the device was idle before it because it waited for it.
///
/// Between two stretches of work, the op that works next was ready when it was scheduled. If the last arrival before that was
/// within the pause, the device waited for it.
fn idle_before(study: &Study, steps: &StepOfOp, device: DeviceId, arrivals: Arrivals<'_>) -> Vec<Nanos> {
    let trace = study.trace();
    let Arrivals { ops, flights, by_end, ends } = arrivals;
    let in_flight: Vec<Interval> =
        study.coverage()[device.index()].union(Category::Communication).iter().collect();
    let mut idle = vec![Nanos(0); flights.len()];
    let mut worked_until = Timestamp(i64::MIN);
    for op in trace.ops_of(device) {
        let interval = trace.ops().interval(op);
        let works = trace.category(op) != Category::Communication
            && interval.length() > Nanos(0)
            && !trace.nodes().is_range(trace.ops().node(op));
        if !works {
            continue;
        }
        let paused_at = worked_until;
        worked_until = worked_until.max(interval.end);
        if interval.start <= paused_at {
            continue;
        }
        // If it is not recorded when the op was ready, only a transfer that arrived right before the op counts as its cause.
        let scheduled = trace.ops().scheduled(op).map(|at| (at.min(interval.start), paused_at));
        let (ready, received_after) =
            scheduled.unwrap_or((interval.start, paused_at.max(interval.start - CLAMPED)));
        let landed = ends.partition_point(|&end| end <= ready);
        let Some(&row) = landed.checked_sub(1).and_then(|last| by_end.get(last)) else { continue };
        let flight = flights[row as usize];
        if flight.end <= received_after {
            continue;
        }
        let began = steps.span(steps.step(study, ops[row as usize])).start;
        let pause = Interval::new(paused_at.max(began), flight.start);
        let first = in_flight.partition_point(|piece| piece.end <= pause.start);
        let busy = in_flight[first..].iter().take_while(|piece| piece.start < pause.end);
        let busy: i64 = busy.map(|piece| piece.clamp_to(pause).length().0).sum();
        idle[row as usize] += pause.length() - Nanos(busy);
    }
    idle
}
