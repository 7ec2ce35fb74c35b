//! Links: how much went from each place to each other place, how fast, and how busy the link was. Places are devices or tasks.
//!
//! Counts and bytes are of all transfers. Times are only of transfers with a known time in transit ([`Moved::wire`]), and so are
//! the bytes from which the bandwidth is computed: otherwise a link on which one transfer in ten has a time would seem ten times as
//! fast.

use crate::Trace;
use crate::base::ids::StringId;
use crate::base::units::{Bytes, Interval, Nanos, Timestamp};
use crate::base::{natural, order};
use crate::model::device;
use crate::transfers::{CLAMPED, Transfer, Transfers};

/// What the ends of a link are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Devices.
    Devices,
    /// Tasks; a device whose name has no task stands for itself.
    Tasks,
}

/// Which transfers are counted: all, or those of one link. Without one of its ends, all transfers from or to the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Whether the ends are devices or tasks.
    pub between: Between,
    /// The name of the place that sent; `None` for any.
    pub source: Option<String>,
    /// The name of the place that received; `None` for any.
    pub destination: Option<String>,
}

/// One transfer or copy: how much moved, and when.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moved {
    /// The size.
    pub bytes: Bytes,
    /// The time in transit, from the send to the arrival, where it was recorded.
    pub wire: Option<Interval>,
    /// The arrival, where it was recorded.
    pub received: Option<Timestamp>,
}

/// The sums over several transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The number of transfers.
    pub count: u64,
    /// Their sizes together.
    pub bytes: Bytes,
    /// How many of them have a known time in transit. All fields below, except `largest`, are of these.
    pub timed: u64,
    /// The sizes of the timed transfers, summed.
    pub timed_bytes: Bytes,
    /// The time during which at least one of them was in transit.
    pub busy: Nanos,
    /// The median of their times in transit, as the nearest rank.
    pub p50: Option<Nanos>,
    /// The time in transit that 99 of 100 of them do not exceed.
    pub p99: Option<Nanos>,
    /// The row of the largest of all transfers, also of those without times. Of several the first.
    pub largest: Option<u32>,
    /// The first send.
    pub first: Option<Timestamp>,
    /// The last arrival.
    pub last: Option<Timestamp>,
}

/// What went from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The place that sent: a row of [`Matrix::places`].
    pub source: u32,
    /// The place that received.
    pub destination: u32,
    /// The sums over its transfers.
    pub load: Load,
}

/// Every link, with sums for each place and for everything.
#[derive(Debug)]
pub struct Matrix<'a> {
    /// The names of the places in natural order.
    pub places: Vec<&'a str>,
    /// The links with at least one transfer, in order of source and destination.
    pub links: Vec<Link>,
    /// For each place what it sent.
    pub sent: Vec<Load>,
    /// For each place what it received.
    pub received: Vec<Load>,
    /// The sum over all transfers.
    pub all: Load,
}

impl Matrix<'_> {
    /// The matrix of the transfers of `trace`, in time n log n.
    pub fn summed<'a>(trace: &'a Trace, transfers: &Transfers, between: Between) -> Matrix<'a> {
        Self::within(trace, transfers, &Route { between, ..Route::ALL }, None)
    }

    /// The matrix between devices and the matrix between tasks, which share most of the work.
    pub fn both<'a>(trace: &'a Trace, transfers: &Transfers) -> [Matrix<'a>; 2] {
        let (mut ends, mut moved) = (Vec::new(), Vec::new());
        for transfer in transfers.rows() {
            ends.push((transfer.source, transfer.destination));
            moved.push(Moved::with(trace, &transfer));
        }
        let orders = Orders::of(&moved);
        [Between::Devices, Between::Tasks]
            .map(|between| between_places(trace, between, &ends, &moved, &orders))
    }

    /// Like `summed`, but only of the transfers on a route, and of the part of them that is within `window`. The rows in `largest`
    /// count only the transfers that are included.
    pub fn within<'a>(
        trace: &'a Trace,
        transfers: &Transfers,
        route: &Route,
        window: Option<Interval>,
    ) -> Matrix<'a> {
        let (mut ends, mut moved) = (Vec::new(), Vec::new());
        for transfer in transfers.rows().iter().filter(|transfer| route.holds(trace, transfer)) {
            let whole = Moved::with(trace, &transfer);
            if let Some(part) = window.map_or(Some(whole), |window| whole.within(window)) {
                ends.push((transfer.source, transfer.destination));
                moved.push(part);
            }
        }
        between_places(trace, route.between, &ends, &moved, &Orders::of(&moved))
    }
}

/// The matrix of what moved between `ends`.
fn between_places<'a>(
    trace: &'a Trace,
    between: Between,
    ends: &[(StringId, StringId)],
    moved: &[Moved],
    orders: &Orders,
) -> Matrix<'a> {
    let (places, place_of) = places(trace, ends, between);
    let place = |id: StringId| place_of[id.index()];
    let pairs: Vec<(u32, u32)> = ends.iter().map(|&(from, to)| (place(from), place(to))).collect();
    matrix_in(places, &pairs, moved, orders)
}

impl Route {
    /// Every transfer.
    pub const ALL: Self = Self { between: Between::Tasks, source: None, destination: None };

    /// Whether `transfer` is on the route.
    pub fn holds(&self, trace: &Trace, transfer: &Transfer) -> bool {
        let is_at =
            |id, end: &Option<String>| end.as_ref().is_none_or(|name| place(trace, id, self.between) == name);
        is_at(transfer.source, &self.source) && is_at(transfer.destination, &self.destination)
    }
}

impl Moved {
    /// The part that is in transit, or arrives, within `window`. The bytes are spread evenly over the time in transit.
    fn within(self, window: Interval) -> Option<Self> {
        let Some(wire) = self.wire else {
            let is_in = |at| window.start <= at && at < window.end;
            return self.received.is_some_and(is_in).then_some(self);
        };
        let inside = wire.clamp_to(window);
        let bytes = u128::from(self.bytes.0) * inside.length().0 as u128 / wire.length().0.max(1) as u128;
        let part = Self { bytes: Bytes(bytes as u64), wire: Some(inside), received: Some(inside.end) };
        (inside.length() > Nanos(0)).then_some(part)
    }

    /// What moved with `transfer`.
    pub fn with(trace: &Trace, transfer: &Transfer) -> Self {
        let recorded = transfer.op.map(|op| trace.ops().interval(op));
        let is_wire = |interval: &Interval| transfer.is_of_transport && interval.length() > CLAMPED;
        Self {
            bytes: transfer.bytes,
            wire: recorded.filter(is_wire),
            received: recorded.map(|interval| interval.end),
        }
    }
}

/// The place of the device called `id`: the device or its task.
pub fn place(trace: &Trace, id: StringId, between: Between) -> &str {
    let name = trace.text(id);
    match between {
        Between::Devices => name,
        Between::Tasks => device::task_of(name).unwrap_or_else(|| {
            let known = trace.devices().by_name(id).and_then(|device| trace.devices().get(device).task);
            known.map_or(name, |task| trace.text(task))
        }),
    }
}

/// The places of `ends` in natural order, and the place of each string that names an end.
fn places<'a>(trace: &'a Trace, ends: &[(StringId, StringId)], between: Between) -> (Vec<&'a str>, Vec<u32>) {
    let mut place_of = vec![u32::MAX; trace.strings().len()];
    let mut named: Vec<(StringId, &str)> = Vec::new();
    for &(source, destination) in ends {
        for id in [source, destination] {
            if std::mem::replace(&mut place_of[id.index()], 0) != 0 {
                named.push((id, place(trace, id, between)));
            }
        }
    }
    named.sort_by(|&(_, a), &(_, b)| natural::compare(a, b));
    let mut places: Vec<&str> = Vec::new();
    for (id, name) in named {
        if places.last() != Some(&name) {
            places.push(name);
        }
        place_of[id.index()] = places.len() as u32 - 1;
    }
    (places, place_of)
}

/// Rows of `moved`, in two orders.
struct Orders {
    /// In order of the send; rows without a time come first.
    by_start: Vec<u32>,
    /// Only rows with a time, in order of their time in transit.
    by_length: Vec<u32>,
}

impl Orders {
    fn of(moved: &[Moved]) -> Self {
        let wire = |row: u32| moved[row as usize].wire;
        let mut by_start: Vec<u32> = (0..moved.len() as u32).collect();
        order::by_number(&mut by_start, |row| (wire(row).map_or(i64::MIN, |wire| wire.start.0), 0));
        let mut by_length = by_start.clone();
        by_length.retain(|&row| wire(row).is_some());
        order::by_number(&mut by_length, |row| (wire(row).map_or(0, |wire| wire.length().0), 0));
        Self { by_start, by_length }
    }
}

/// The matrix of what moved between `pairs` of places, which are rows of `places`.
pub(crate) fn matrix<'a>(places: Vec<&'a str>, pairs: &[(u32, u32)], moved: &[Moved]) -> Matrix<'a> {
    matrix_in(places, pairs, moved, &Orders::of(moved))
}

fn matrix_in<'a>(places: Vec<&'a str>, pairs: &[(u32, u32)], moved: &[Moved], orders: &Orders) -> Matrix<'a> {
    let key = |(source, destination): (u32, u32)| i64::from(source) << 32 | i64::from(destination);
    let mut links = pairs.to_vec();
    order::by_number(&mut links, |pair| (key(pair), 0));
    links.dedup();
    // All loads are in one list, so that each transfer is added to four of them: everything, its source's, its destination's, its
    // link's.
    let (received, linked) = (1 + places.len(), 1 + 2 * places.len());
    let mut loads = vec![Load::default(); linked + links.len()];
    let link_of: Vec<u32> =
        pairs.iter().map(|&pair| links.partition_point(|&other| key(other) < key(pair)) as u32).collect();
    let loads_of = |row: u32| {
        let (pair, link) = (pairs[row as usize], link_of[row as usize] as usize);
        [0, 1 + pair.0 as usize, received + pair.1 as usize, linked + link]
    };
    let mut until = vec![Timestamp(i64::MIN); loads.len()];
    for &row in &orders.by_start {
        for at in loads_of(row) {
            loads[at].add(row, moved, &mut until[at]);
        }
    }
    // In order of the time in transit: the transfer at which a load has counted half of its own is the median.
    let length = |row: u32| moved[row as usize].wire.map_or(Nanos(0), Interval::length);
    let mut passed = vec![0_u64; loads.len()];
    for &row in &orders.by_length {
        for at in loads_of(row) {
            passed[at] += 1;
            let load = &mut loads[at];
            let rank = |percent: u64| (load.timed * percent).div_ceil(100);
            let (half, most) = (rank(50), rank(99));
            if passed[at] == half {
                load.p50 = Some(length(row));
            }
            if passed[at] == most {
                load.p99 = Some(length(row));
            }
        }
    }
    let of_links = loads.split_off(linked);
    let received = loads.split_off(received);
    let all = loads.remove(0);
    let link = |((source, destination), load)| Link { source, destination, load };
    Matrix { places, links: links.into_iter().zip(of_links).map(link).collect(), sent: loads, received, all }
}

impl Load {
    /// Adds the next transfer in order of the send. `until` is the last arrival of the transfers before it.
    fn add(&mut self, row: u32, moved: &[Moved], until: &mut Timestamp) {
        let Moved { bytes, wire, received } = moved[row as usize];
        self.count += 1;
        self.bytes += bytes;
        self.last = self.last.max(received);
        let largest = self.largest.map(|row| (moved[row as usize].bytes, std::cmp::Reverse(row)));
        if largest.is_none_or(|largest| (bytes, std::cmp::Reverse(row)) > largest) {
            self.largest = Some(row);
        }
        let Some(Interval { start, end }) = wire else { return };
        self.timed += 1;
        self.timed_bytes += bytes;
        self.first = self.first.or(Some(start));
        self.busy += (end - start.max(*until)).max(Nanos(0));
        *until = end.max(*until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(bytes: u64, start: i64, end: i64) -> Moved {
        let wire = Interval::new(Timestamp(start), Timestamp(end));
        Moved { bytes: Bytes(bytes), wire: Some(wire), received: Some(wire.end) }
    }

    #[test]
    fn a_link_is_busy_while_anything_is_on_the_wire() {
        let silent = Moved { bytes: Bytes(500), ..Moved::default() };
        let clamped = Moved { bytes: Bytes(7), received: Some(Timestamp(90)), ..Moved::default() };
        let moved = [sent(100, 10, 30), silent, sent(20, 20, 40), clamped, sent(3, 60, 65)];
        let pairs = [(0, 1), (0, 1), (0, 1), (1, 0), (1, 0)];
        let matrix = matrix(vec!["a", "b"], &pairs, &moved);
        let [there, back] = matrix.links.as_slice() else { panic!("{matrix:?}") };
        assert_eq!((there.source, there.destination, back.source, back.destination), (0, 1, 1, 0));
        let expected = Load {
            count: 3,
            bytes: Bytes(620),
            timed: 2,
            timed_bytes: Bytes(120),
            busy: Nanos(30),
            p50: Some(Nanos(20)),
            p99: Some(Nanos(20)),
            largest: Some(1),
            first: Some(Timestamp(10)),
            last: Some(Timestamp(40)),
        };
        assert_eq!(there.load, expected);
        assert_eq!((back.load.count, back.load.timed, back.load.busy), (2, 1, Nanos(5)));
        assert_eq!(back.load.last, Some(Timestamp(90)));
        assert_eq!((matrix.sent[0], matrix.received[1]), (expected, expected));
        assert_eq!((matrix.all.count, matrix.all.bytes.0, matrix.all.busy.0), (5, 630, 35));
        assert_eq!(matrix.all.p50, Some(Nanos(20)));
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        let moved: Vec<Moved> = (0..200).map(|at| sent(1, at, 2 * at + 1)).collect();
        let matrix = matrix(vec!["a"], &[(0, 0); 200], &moved);
        assert_eq!((matrix.all.p50, matrix.all.p99), (Some(Nanos(100)), Some(Nanos(198))));
    }
}
