//! Ops in flight: how many ops of a device run at once, as an average over each of many slices of time.
//!
//! The average over a slice is the time that ops spend in it, divided by its length. Checkpoints along the ops store the time that
//! ops have spent before, and the ops that run at that moment; from a checkpoint on, ops are read one by one. So the averages are
//! exact. Many slices of a long window take time by slices and by ops in flight, and never more than reading the ops of the window
//! once. A checkpoint stands for at least [`EVERY`] ops and for at least [`SPREAD`] times the ops that run at it, so all
//! checkpoints take about one byte per op, whatever is in the file.

use crate::base::ids::{DeviceId, OpId};
use crate::base::units::{Interval, Timestamp};
use crate::timeline::colors::{Colors, FLIGHT_PARTS};
use crate::timeline::coverage::Shares;
use crate::{Category, Trace};
use std::ops::Range;

/// The fewest ops between two checkpoints.
const EVERY: usize = 64;
/// At least this many ops follow a checkpoint for each op that runs at it.
const SPREAD: usize = 8;

/// The width of the columns of a density strip, in pixels.
pub const STRIP_COLUMN_PX: f64 = 2.0;

/// What is stored at the start of an op.
struct Checkpoint {
    first: OpId,
    at: Timestamp,
    /// The end, in `running`, of the ops before `first` that run at this moment.
    running_end: u32,
}

/// The checkpoints of one device.
#[derive(Default)]
pub struct InFlight {
    checkpoints: Vec<Checkpoint>,
    running: Vec<OpId>,
    /// The parts that the ops of the device belong to.
    parts: Vec<u8>,
    /// For each checkpoint and each of these parts: nanoseconds that ops spent before. Sums wrap; only differences are read.
    spent: Vec<i64>,
    end: u32,
}

impl InFlight {
    /// Computes the checkpoints of `device` in one pass.
    pub fn counted(trace: &Trace, device: DeviceId, colors: &Colors) -> Self {
        let ops = trace.ops();
        let mut in_flight = Self { end: trace.devices().get(device).end_op(), ..Self::default() };
        let mut known = [false; FLIGHT_PARTS];
        trace.ops_of(device).filter_map(|op| colors.part(trace, op)).for_each(|part| known[part] = true);
        in_flight.parts =
            (0_u8..).zip(known).filter(|&(_, is_there)| is_there).map(|(part, _)| part).collect();
        in_flight.parts.shrink_to_fit();
        let mut spent = [0_i64; FLIGHT_PARTS];
        let mut live: Vec<OpId> = Vec::new();
        let (mut left, mut last) = (0, Timestamp(0));
        for op in trace.ops_of(device) {
            if left == 0 {
                let at = ops.start(op);
                for &op in &live {
                    let piece = ops.interval(op).clamp_to(Interval { start: last, end: at }).length();
                    let Some(part) = colors.part(trace, op) else { continue };
                    let spent = &mut spent[part];
                    *spent = spent.wrapping_add(piece.0);
                }
                live.retain(|&op| ops.end(op) > at);
                in_flight.running.extend(&live);
                let running_end = in_flight.running.len() as u32;
                in_flight.checkpoints.push(Checkpoint { first: op, at, running_end });
                in_flight.spent.extend(in_flight.parts.iter().map(|&part| spent[usize::from(part)]));
                (left, last) = (EVERY.max(SPREAD * live.len()), at);
            }
            left -= 1;
            live.push(op);
        }
        in_flight.checkpoints.shrink_to_fit();
        in_flight.running.shrink_to_fit();
        in_flight.spent.shrink_to_fit();
        in_flight
    }

    /// Adds to `averages` how many ops of each part are in flight in each slice. The colours must be those of the checkpoints.
    pub fn add_averages(
        &self,
        trace: &Trace,
        colors: &Colors,
        slices: &Slices,
        averages: &mut [[f32; FLIGHT_PARTS]],
    ) {
        if slices.width <= 0.0 {
            return;
        }
        let mut spent = Spent::default();
        // The edges between slices; the edges after one checkpoint are done together.
        let (mut edge, mut place) = (0, 0);
        let mut before = ([0; FLIGHT_PARTS], [0.0; FLIGHT_PARTS]);
        while edge <= averages.len() {
            place += self.checkpoints[place..]
                .partition_point(|checkpoint| slices.at(edge) >= slices.offset(checkpoint.at));
            let until = self
                .checkpoints
                .get(place)
                .map_or(averages.len() + 1, |next| slices.first_after(slices.offset(next.at)));
            let edges = edge..until.clamp(edge + 1, averages.len() + 1);
            spent.start(edges.len());
            let base = place
                .checked_sub(1)
                .map(|place| self.read(trace, colors, place, slices, edges.clone(), &mut spent));
            for row in 0..edges.len() {
                let now = (base.unwrap_or_default(), spent.next(row, slices.at(edge)));
                if let Some(slice) = edge.checked_sub(1) {
                    for (color, average) in averages[slice].iter_mut().enumerate() {
                        let whole = now.0[color].wrapping_sub(before.0[color]) as f64;
                        *average += slices.average(whole + (now.1[color] - before.1[color]));
                    }
                }
                before = now;
                edge += 1;
            }
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.checkpoints.capacity() * size_of::<Checkpoint>()
            + self.running.capacity() * size_of::<OpId>()
            + self.parts.capacity()
            + self.spent.capacity() * size_of::<i64>()
    }

    /// Reads the ops from a checkpoint on; returns the time spent before the checkpoint.
    fn read(
        &self,
        trace: &Trace,
        colors: &Colors,
        place: usize,
        slices: &Slices,
        edges: Range<usize>,
        spent: &mut Spent,
    ) -> [i64; FLIGHT_PARTS] {
        let checkpoint = &self.checkpoints[place];
        let first_running = place.checked_sub(1).map_or(0, |before| self.checkpoints[before].running_end);
        let running = &self.running[first_running as usize..checkpoint.running_end as usize];
        let end = self.checkpoints.get(place + 1).map_or(self.end, |next| next.first.get());
        let last = slices.at(edges.end - 1);
        let rest = (checkpoint.first.get()..end).map(OpId::new);
        for op in running.iter().copied().chain(rest) {
            let Interval { start, end } = trace.ops().interval(op);
            let (start, end) = (slices.offset(start.max(checkpoint.at)), slices.offset(end));
            if start >= last {
                break;
            }
            if let Some(part) = colors.part(trace, op) {
                spent.add(part, (start, end), slices, edges.clone());
            }
        }
        let mut before = [0; FLIGHT_PARTS];
        let spent_here = &self.spent[place * self.parts.len()..(place + 1) * self.parts.len()];
        self.parts.iter().zip(spent_here).for_each(|(&part, &spent)| before[usize::from(part)] = spent);
        before
    }
}

/// How many of `pieces` of each category are in flight, as an average over each of `count` slices of `window`.
pub fn averages(
    pieces: impl Iterator<Item = (Category, Interval)>,
    window: Interval,
    count: usize,
) -> Vec<Shares> {
    let mut averages = vec![[0.0; Category::PARTS]; count];
    let slices = Slices::cut(window, count);
    if slices.width > 0.0 {
        let mut spent = Spent::default();
        spent.start(count + 1);
        pieces.for_each(|(category, piece)| {
            let piece = piece.clamp_to(window);
            if let Some(part) = category.part() {
                let ends = (slices.offset(piece.start), slices.offset(piece.end));
                spent.add(part, ends, &slices, 0..count + 1);
            }
        });
        let mut before = spent.next(0, 0.0);
        for (slice, average) in averages.iter_mut().enumerate() {
            let now = spent.next(slice + 1, slices.at(slice + 1));
            *average = std::array::from_fn(|category| slices.average(now[category] - before[category]));
            before = now;
        }
    }
    averages
}

/// Equal slices of time, one after the other. Offsets are nanoseconds from the first one's start.
#[derive(Clone, Copy, Debug)]
pub struct Slices {
    start: Timestamp,
    width: f64,
    per_ns: f64,
}

impl Slices {
    /// `window` cut into `count` slices.
    pub fn cut(window: Interval, count: usize) -> Self {
        Self::new(window.start, window.length().0 as f64 / count.max(1) as f64)
    }

    /// Slices of `width` nanoseconds from `start` on.
    pub fn new(start: Timestamp, width: f64) -> Self {
        Self { start, width, per_ns: width.recip() }
    }

    /// Where a slice starts and the one before it ends.
    fn at(&self, edge: usize) -> f64 {
        edge as f64 * self.width
    }

    /// How many slices are before `time`; negative before the first.
    pub(crate) fn place(&self, time: Timestamp) -> f64 {
        self.offset(time) * self.per_ns
    }

    /// The start of the first slice.
    pub(crate) fn start(&self) -> Timestamp {
        self.start
    }

    fn offset(&self, time: Timestamp) -> f64 {
        (time - self.start).0 as f64
    }

    /// The first edge after `offset`.
    #[inline]
    fn first_after(&self, offset: f64) -> usize {
        // The cast rounds towards zero, and negative values become zero.
        (offset * self.per_ns + 1.0) as usize
    }

    fn average(&self, spent: f64) -> f32 {
        (spent.max(0.0) / self.width) as f32
    }
}

/// What ops spent until each of some edges, by colour: at an edge, each running op adds the time since its start, and each ended op
/// its length. Both are straight lines in time, so an op is two changes of the sum of lines.
#[derive(Default)]
struct Spent {
    /// For each edge and colour the slope and the value at 0.
    changes: Vec<[(f64, f64); FLIGHT_PARTS]>,
    sum: [(f64, f64); FLIGHT_PARTS],
}

impl Spent {
    fn start(&mut self, edges: usize) {
        self.changes.clear();
        self.changes.resize(edges + 1, Default::default());
        self.sum = Default::default();
    }

    fn add(&mut self, part: usize, (start, end): (f64, f64), slices: &Slices, edges: Range<usize>) {
        let row = |offset: f64| slices.first_after(offset).clamp(edges.start, edges.end) - edges.start;
        let runs = &mut self.changes[row(start)][part];
        *runs = (runs.0 + 1.0, runs.1 - start);
        let is_over = &mut self.changes[row(end)][part];
        *is_over = (is_over.0 - 1.0, is_over.1 + end);
    }

    /// What was spent until the edge of `row` at `offset`. Must be called for one row after the other.
    fn next(&mut self, row: usize, offset: f64) -> [f64; FLIGHT_PARTS] {
        for (sum, change) in self.sum.iter_mut().zip(self.changes[row]) {
            *sum = (sum.0 + change.0, sum.1 + change.1);
        }
        self.sum.map(|(slope, value)| slope * offset + value)
    }
}
