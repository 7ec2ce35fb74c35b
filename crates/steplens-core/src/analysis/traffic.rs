//! Traffic: how many bytes a second are on the wire, and how many transfers, over slices of time.
//!
//! The bytes of a transfer are spread evenly over its time on the wire; where only the receipt is known, all of them
//! arrive then. So the bytes received until a moment, and the time that transfers have spent in flight until then, are
//! straight lines between the starts and ends of transfers. Both sums are kept at these points: a slice costs two
//! look-ups, however long the trace is.

use crate::analysis::in_flight::STRIP_COLUMN_PX;
use crate::analysis::links::{Moved, Route};
use crate::analysis::transfers::Transfers;
use crate::units::{Interval, Timestamp};
use crate::{Trace, order};

/// How many binary digits of bytes a nanosecond are kept behind the point: a transfer of four seconds is off by a byte at most.
const FRACTION: u32 = 32;
/// No transfer is larger: keeps the sums within 128 bits.
const MOST_BYTES: u64 = 1 << 50;

/// What was until a moment.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    at: Timestamp,
    /// Bytes received.
    bytes: f64,
    /// Nanoseconds that transfers spent in flight, all added up.
    flown: f64,
}

/// The traffic on a route.
#[derive(Debug, Default)]
pub struct Traffic {
    /// In order of time; two at one moment where something arrived at once.
    points: Vec<Point>,
    /// The most transfers in flight at any moment.
    pub most_in_flight: u32,
    /// When that was first.
    pub most_in_flight_at: Timestamp,
}

/// What a slice of time holds, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Bytes on the wire each second.
    pub bytes_per_second: f64,
    /// Transfers in flight.
    pub in_flight: f64,
}

/// What happens to the sum of all transfers at a moment.
#[derive(Clone, Copy)]
enum Change {
    Ends,
    Starts,
    Arrives,
}

impl Traffic {
    /// Follows the transfers on `route`, in time n log n.
    pub fn of(trace: &Trace, transfers: &Transfers, route: &Route) -> Self {
        let mut changes: Vec<(Timestamp, Change, u32)> = Vec::new();
        for (transfer, row) in transfers.rows().iter().zip(0..) {
            if !route.holds(trace, transfer) {
                continue;
            }
            let moved = Moved::with(trace, transfer);
            match (moved.wire, moved.received) {
                (Some(wire), _) => {
                    changes.push((wire.start, Change::Starts, row));
                    changes.push((wire.end, Change::Ends, row));
                }
                (None, Some(received)) => changes.push((received, Change::Arrives, row)),
                // It left no op.
                (None, None) => {}
            }
        }
        // What ends makes room before the next one starts.
        order::by_number(&mut changes, |(at, change, _)| (at.0, change as i64));
        let mut traffic = Self::default();
        let (mut bytes, mut slope, mut flown, mut live) = (0_u128, 0_u128, 0.0, 0_u32);
        let mut now = changes.first().map_or(Timestamp(0), |&(at, ..)| at);
        let whole = |bytes: u128| (bytes >> FRACTION) as u64 as f64;
        for (at, change, row) in changes {
            if at > now || traffic.points.is_empty() {
                let elapsed = (at - now).0;
                if live > traffic.most_in_flight {
                    (traffic.most_in_flight, traffic.most_in_flight_at) = (live, now);
                }
                bytes += slope * elapsed as u128;
                flown += f64::from(live) * elapsed as f64;
                now = at;
                traffic.points.push(Point { at, bytes: whole(bytes), flown });
            }
            let moved = Moved::with(trace, &transfers.rows()[row as usize]);
            let size = u128::from(moved.bytes.0.min(MOST_BYTES)) << FRACTION;
            let length = moved.wire.map_or(1, |wire| wire.length().0.max(1)) as u128;
            match change {
                Change::Starts => {
                    slope += size / length;
                    // What rounding leaves comes at once, so that no byte is lost, nor seen after the end.
                    bytes += size % length;
                    live += 1;
                }
                Change::Ends => {
                    slope -= size / length;
                    live -= 1;
                }
                Change::Arrives => {
                    bytes += size;
                    traffic.points.push(Point { at, bytes: whole(bytes), flown });
                }
            }
        }
        traffic.points.push(Point { at: now, bytes: whole(bytes), flown });
        traffic
    }

    /// The averages over each of `count` slices that are `width` nanoseconds long and follow one another from `start` on.
    pub fn rates(&self, start: Timestamp, width: f64, count: usize) -> Vec<Rates> {
        let mut rates = Vec::with_capacity(count);
        let mut before = self.until(start, 0.0);
        for slice in 1..=count {
            let now = self.until(start, slice as f64 * width);
            let per_ns = |sum: f64| if width > 0.0 { sum / width } else { 0.0 };
            rates.push(Rates {
                bytes_per_second: per_ns(now.0 - before.0) * 1e9,
                in_flight: per_ns(now.1 - before.1),
            });
            before = now;
        }
        rates
    }

    /// `window`, drawn `width_px` wide, in columns of [`STRIP_COLUMN_PX`]: of each the bytes a second and what is in flight.
    pub fn columns(&self, window: Interval, width_px: f64) -> Vec<[f32; 2]> {
        let count = (width_px / STRIP_COLUMN_PX).ceil().max(0.0) as usize;
        let width = window.length().0 as f64 * STRIP_COLUMN_PX / width_px.max(1.0);
        let rates = self.rates(window.start, width, count);
        rates.iter().map(|rates| [rates.bytes_per_second as f32, rates.in_flight as f32]).collect()
    }

    /// Bytes and time in flight until `offset` nanoseconds after `start`; what arrives just then is not among them.
    fn until(&self, start: Timestamp, offset: f64) -> (f64, f64) {
        let time = |point: &Point| (point.at - start).0 as f64;
        let next = self.points.partition_point(|point| time(point) < offset);
        let Some(before) = next.checked_sub(1).map(|place| self.points[place]) else { return (0.0, 0.0) };
        let Some(after) = self.points.get(next) else { return (before.bytes, before.flown) };
        let share = (offset - time(&before)) / (time(after) - time(&before));
        (
            before.bytes + (after.bytes - before.bytes) * share,
            before.flown + (after.flown - before.flown) * share,
        )
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>()
    }
}
