//! Traffic: how many bytes per second and how many transfers are in transit, over slices of time.
//!
//! The bytes of a transfer are spread evenly over its time in transit. Where only the arrival is known, all of them arrive at that
//! moment. So the bytes received until a moment, and the time that transfers have been in transit until then, are straight lines
//! between the starts and ends of transfers. The starts and ends are kept in order, and both sums are kept for every [`EVERY`]th of
//! them: a slice costs two look-ups, however long the trace is.

mod peak;

pub use peak::{PEAK_WINDOW, Peak};

use self::peak::Knot;
use crate::Trace;
use crate::base::ids::OpId;
use crate::base::order;
use crate::base::units::{Interval, Timestamp};
use crate::storage::column::{Column, ColumnBuilder};
use crate::timeline::in_flight::STRIP_COLUMN_PX;
use crate::transfers::Transfers;
use crate::transfers::links::{Moved, Route};

/// How many binary digits after the point are kept for bytes per nanosecond: a transfer of four seconds is off by at most one byte.
const FRACTION: u32 = 32;
/// Larger sizes are cut to this value, which keeps the sums within 128 bits.
const MOST_BYTES: u64 = 1 << 50;
/// The number of changes between two checkpoints.
const EVERY: usize = 128;

/// The traffic on a route.
#[derive(Debug, Default)]
pub struct Traffic {
    /// The changes in order of time. Each is the op that recorded the transfer, times two, plus one where the transfer arrives.
    changes: Column,
    count: usize,
    /// The sums before every [`EVERY`]th change.
    checkpoints: Vec<Sums>,
    /// The most transfers in transit at the same moment.
    pub most_in_flight: u32,
    /// The first moment with that many.
    pub most_in_flight_at: Timestamp,
    /// The most bytes in any window of [`PEAK_WINDOW`].
    pub peak: Peak,
}

/// The averages over a slice of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Bytes per second in transit.
    pub bytes_per_second: f64,
    /// Transfers in transit.
    pub in_flight: f64,
}

/// The sums until a moment.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    at: Timestamp,
    /// Bytes received.
    bytes: f64,
    /// Nanoseconds in transit, summed over all transfers.
    flown: f64,
}

/// The sums until a change.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    bytes: u128,
    /// How many bytes come per nanosecond.
    slope: u128,
    live: u32,
    /// The end of the last straight line. Where bytes arrive all at once, two lines meet at one moment.
    point: Point,
}

/// How the sum over all transfers changes at a moment.
#[derive(Clone, Copy)]
enum Change {
    Ends,
    Starts,
    Arrives,
}

impl Traffic {
    /// Follows the transfers on `route`, in time n log n.
    pub fn followed(trace: &Trace, transfers: &Transfers, route: &Route) -> Self {
        let mut changes: Vec<(Timestamp, Change, OpId)> = Vec::new();
        for transfer in transfers.rows().iter().filter(|transfer| route.holds(trace, transfer)) {
            // A transfer without an op has no known time.
            let Some(op) = transfer.op else { continue };
            match Moved::with(trace, &transfer) {
                Moved { wire: Some(wire), .. } => {
                    changes.push((wire.start, Change::Starts, op));
                    changes.push((wire.end, Change::Ends, op));
                }
                Moved { received: Some(received), .. } => changes.push((received, Change::Arrives, op)),
                Moved { received: None, .. } => {}
            }
        }
        // At equal times, ends come before starts.
        order::by_number(&mut changes, |(at, change, _)| (at.0, change as i64));
        let packed = |&(_, change, op): &(Timestamp, Change, OpId)| {
            i64::from(op.get()) << 1 | i64::from(matches!(change, Change::Ends))
        };
        let mut traffic = Self {
            changes: ColumnBuilder::of(changes.iter().map(packed)),
            count: changes.len(),
            checkpoints: Vec::with_capacity(changes.len().div_ceil(EVERY)),
            ..Self::default()
        };
        let first = changes.first().map_or(Timestamp(0), |&(at, ..)| at);
        let mut sums = Sums { point: Point { at: first, ..Point::default() }, ..Sums::default() };
        let mut knots: Vec<Knot> = Vec::with_capacity(changes.len());
        for (place, &(at, change, op)) in changes.iter().enumerate() {
            if place % EVERY == 0 {
                traffic.checkpoints.push(sums);
            }
            if at > sums.point.at {
                if sums.live > traffic.most_in_flight {
                    (traffic.most_in_flight, traffic.most_in_flight_at) = (sums.live, sums.point.at);
                }
                sums.pass(at);
            }
            if knots.last().is_none_or(|knot| knot.at < at) {
                let before = sums.point.bytes;
                knots.push(Knot { at, before, after: before });
            }
            sums.change(change, moved(trace, transfers, op));
            if let Some(knot) = knots.last_mut() {
                knot.after = sums.point.bytes;
            }
        }
        traffic.peak = Peak::of(&knots);
        traffic
    }

    /// The averages over each of `count` slices of `width` nanoseconds that follow one another from `start` on. The trace and its
    /// transfers must be those given to `of`.
    pub fn rates(
        &self,
        (trace, transfers): (&Trace, &Transfers),
        start: Timestamp,
        width: f64,
        count: usize,
    ) -> Vec<Rates> {
        let mut rates = Vec::with_capacity(count);
        let mut lines = Lines::new(self, trace, transfers);
        let mut before = lines.until(start, 0.0);
        for slice in 1..=count {
            let now = lines.until(start, slice as f64 * width);
            let per_ns = |sum: f64| if width > 0.0 { sum / width } else { 0.0 };
            rates.push(Rates {
                bytes_per_second: per_ns(now.0 - before.0) * 1e9,
                in_flight: per_ns(now.1 - before.1),
            });
            before = now;
        }
        rates
    }

    /// Divides `window`, drawn `width_px` wide, into columns of [`STRIP_COLUMN_PX`]: for each the bytes per second and the
    /// transfers in transit.
    pub fn columns(&self, of: (&Trace, &Transfers), window: Interval, width_px: f64) -> Vec<[f32; 2]> {
        let count = (width_px / STRIP_COLUMN_PX).ceil().max(0.0) as usize;
        let width = window.length().0 as f64 * STRIP_COLUMN_PX / width_px.max(1.0);
        let rates = self.rates(of, window.start, width, count);
        rates.iter().map(|rates| [rates.bytes_per_second as f32, rates.in_flight as f32]).collect()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.changes.heap_bytes() + self.checkpoints.capacity() * size_of::<Sums>()
    }
}

impl Sums {
    /// Adds the time until `at`.
    fn pass(&mut self, at: Timestamp) {
        let elapsed = (at - self.point.at).0;
        self.bytes += self.slope * elapsed as u128;
        let flown = self.point.flown + f64::from(self.live) * elapsed as f64;
        self.point = Point { at, bytes: self.whole(), flown };
    }

    fn change(&mut self, change: Change, moved: Moved) {
        let size = u128::from(moved.bytes.0.min(MOST_BYTES)) << FRACTION;
        let length = moved.wire.map_or(1, |wire| wire.length().0.max(1)) as u128;
        match change {
            Change::Starts => {
                self.slope += size / length;
                // The remainder from rounding comes at once, so that no byte is lost, and none comes after the end.
                self.bytes += size % length;
                self.live += 1;
            }
            Change::Ends => {
                self.slope -= size / length;
                self.live -= 1;
            }
            Change::Arrives => {
                self.bytes += size;
                self.point.bytes = self.whole();
            }
        }
    }

    fn whole(&self) -> f64 {
        (self.bytes >> FRACTION) as u64 as f64
    }
}

fn moved(trace: &Trace, transfers: &Transfers, op: OpId) -> Moved {
    transfers.of_op(op).map_or_else(Moved::default, |transfer| Moved::with(trace, &transfer))
}

/// Reads the straight lines of the traffic from left to right.
struct Lines<'a> {
    traffic: &'a Traffic,
    trace: &'a Trace,
    transfers: &'a Transfers,
    /// The sums before the change at `place`, which is later than the last moment that was asked for.
    sums: Sums,
    place: usize,
    /// The change at `place`, once it was read.
    next: Option<(Timestamp, Change, Moved)>,
}

impl<'a> Lines<'a> {
    fn new(traffic: &'a Traffic, trace: &'a Trace, transfers: &'a Transfers) -> Self {
        let sums = traffic.checkpoints.first().copied().unwrap_or_default();
        Self { traffic, trace, transfers, sums, place: 0, next: None }
    }

    /// Bytes and time in transit until `offset` nanoseconds after `start`, without what arrives exactly then. Moments must come in
    /// ascending order.
    fn until(&mut self, start: Timestamp, offset: f64) -> (f64, f64) {
        let time = |at: Timestamp| (at - start).0 as f64;
        let checkpoints = &self.traffic.checkpoints;
        if checkpoints.first().is_none_or(|first| time(first.point.at) >= offset) {
            return (0.0, 0.0);
        }
        let last = checkpoints.partition_point(|sums| time(sums.point.at) < offset).saturating_sub(1);
        if last * EVERY > self.place {
            (self.sums, self.place, self.next) = (checkpoints[last], last * EVERY, None);
        }
        while self.place < self.traffic.count {
            let (at, change, moved) =
                *self.next.get_or_insert_with(|| read(self.traffic, self.place, self.trace, self.transfers));
            if time(at) >= offset {
                // Bytes that arrive at once when another transfer starts belong to the line that starts there.
                let Sums { point: before, .. } = self.sums;
                let mut after = self.sums;
                after.pass(at);
                let share = (offset - time(before.at)) / (time(at) - time(before.at));
                return (
                    before.bytes + (after.point.bytes - before.bytes) * share,
                    before.flown + (after.point.flown - before.flown) * share,
                );
            }
            if at > self.sums.point.at {
                self.sums.pass(at);
            }
            self.sums.change(change, moved);
            (self.place, self.next) = (self.place + 1, None);
        }
        (self.sums.whole(), self.sums.point.flown)
    }
}

/// Reads the change at `place`.
fn read(traffic: &Traffic, place: usize, trace: &Trace, transfers: &Transfers) -> (Timestamp, Change, Moved) {
    let packed = traffic.changes.get(place);
    let moved = moved(trace, transfers, OpId::new((packed >> 1) as u32));
    match moved.wire {
        Some(wire) if packed & 1 == 1 => (wire.end, Change::Ends, moved),
        Some(wire) => (wire.start, Change::Starts, moved),
        None => (moved.received.unwrap_or_default(), Change::Arrives, moved),
    }
}
