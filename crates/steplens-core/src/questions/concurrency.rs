//! Concurrency: how many ops of a range run at once, on average over time and at most.

use crate::base::ids::OpId;
use crate::base::units::Timestamp;
use crate::questions::range::Range;
use crate::timeline::colors::{COLORS, ColorBy, FLIGHT_PARTS};
use crate::timeline::coverage::Shares;
use crate::timeline::in_flight::{Slices, averages};
use crate::{Category, Study};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// How many ops run at once, over the window of a range.
///
/// If everything is chosen, devices that repeat the numbered streams (`stream:all`, `memcpy`) are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Concurrency {
    /// For each slice of the window and category the average number of ops in flight.
    pub averages: Vec<Shares>,
    /// For each category the most ops in flight at any moment.
    pub peaks: [u32; Category::PARTS],
    /// The most ops of all categories together.
    pub peak: u32,
}

/// The concurrency of `range`, with its window cut into `count` equal slices.
pub fn concurrency(study: &Study, range: &Range<'_>, count: usize) -> Concurrency {
    let mut concurrency = Concurrency { averages: vec![Shares::default(); count], ..Concurrency::default() };
    let (trace, window) = (study.trace(), range.window());
    let colors = study.colors();
    if range.has_all_lanes() && colors.by() == ColorBy::Category {
        let (slices, mut averages) = (Slices::cut(window, count), vec![[0.0; FLIGHT_PARTS]; count]);
        for device in range.counted_devices() {
            study.in_flight(device).add_averages(trace, colors, &slices, &mut averages);
        }
        let parts =
            averages.iter().map(|own| std::array::from_fn(|category| own[category] + own[COLORS + category]));
        concurrency.averages = parts.collect();
    } else {
        let ops = range.counted_devices().flat_map(|device| range.ops(device));
        let pieces = ops.map(|op| (trace.category(op), trace.ops().interval(op)));
        concurrency.averages = averages(pieces, window, count);
    }
    find_peaks(study, range, &mut concurrency);
    concurrency
}

/// Goes through the starts of all devices in order, and removes the ops that ended before each start.
fn find_peaks(study: &Study, range: &Range<'_>, concurrency: &mut Concurrency) {
    let (trace, ops) = (study.trace(), study.trace().ops());
    // Ops that run when the window starts are in no order, and need none.
    let start = |op: OpId| ops.start(op).max(range.window().start);
    let mut rows: Vec<_> = range.counted_devices().map(|device| range.ops(device)).collect();
    let mut heads: BinaryHeap<Reverse<(Timestamp, usize, OpId)>> = rows
        .iter_mut()
        .enumerate()
        .filter_map(|(row, ops)| ops.next().map(|op| Reverse((start(op), row, op))))
        .collect();
    let mut running: BinaryHeap<Reverse<(Timestamp, usize)>> = BinaryHeap::new();
    let mut counts = [0_u32; Category::PARTS];
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((now, row, op)) = *head;
        match rows[row].next() {
            Some(next) => *head = Reverse((start(next), row, next)),
            None => _ = PeekMut::pop(head),
        }
        while let Some(first) = running.peek_mut().filter(|first| first.0.0 <= now) {
            counts[PeekMut::pop(first).0.1] -= 1;
        }
        // An op without length is never in flight, and a range does not count as an op.
        if let Some(category) = trace.category(op).part().filter(|_| ops.end(op) > now) {
            running.push(Reverse((ops.end(op), category)));
            counts[category] += 1;
            concurrency.peaks[category] = concurrency.peaks[category].max(counts[category]);
            concurrency.peak = concurrency.peak.max(counts.iter().sum());
        }
    }
}
