//! The transfers over each link, between devices and between tasks; what each place sent and received; copies; and the peaks.

use crate::rate::rate;
use serde::Serialize;
use std::cmp::Reverse;
use steplens_core::transfers::copies::copies;
use steplens_core::transfers::links::{Link, Load, Matrix, Route};
use steplens_core::transfers::traffic::{PEAK_WINDOW, Traffic};
use steplens_core::{Interval, Study, Timestamp};

/// The most links that are listed for a moment.
const MOST_LINKS: usize = 4;

/// The transfers from one place to another; without a source from everywhere, without a destination to everywhere.
#[derive(Serialize)]
pub struct LinkRow<'a> {
    /// The place that sent.
    pub source: Option<&'a str>,
    /// The place that received.
    pub destination: Option<&'a str>,
    /// The number of transfers.
    pub count: u64,
    /// Their bytes; null if none were recorded.
    pub bytes: Option<u64>,
    /// How many of them have a known time in transit: the figures that follow are of these.
    pub timed: u64,
    /// The time in which at least one of them was in transit.
    pub busy_ns: i64,
    /// Their bytes divided by that time.
    pub bytes_per_second: Option<u64>,
    /// The median of their times in transit.
    pub p50_ns: Option<i64>,
    /// The time in transit that 99 of 100 of them do not exceed.
    pub p99_ns: Option<i64>,
    /// The largest of all transfers.
    pub largest: Option<LargestTransfer<'a>>,
    /// The first send.
    pub first_ns: Option<i64>,
    /// The last arrival.
    pub last_ns: Option<i64>,
}

/// The largest transfer of a link.
#[derive(Serialize)]
pub struct LargestTransfer<'a> {
    /// Its tensor.
    pub tensor: &'a str,
    /// Its size.
    pub bytes: u64,
}

/// Links between devices or between tasks, and their sums.
#[derive(Serialize)]
pub struct LinkTable<'a> {
    /// The places in natural order.
    pub places: Vec<&'a str>,
    /// The links in order of source and destination.
    pub pairs: Vec<LinkRow<'a>>,
    /// What each place sent, in the order of places.
    pub sent: Vec<LinkRow<'a>>,
    /// What each place received.
    pub received: Vec<LinkRow<'a>>,
    /// The sum of all links.
    pub all: LinkRow<'a>,
}

/// The most that was in transit.
#[derive(Serialize)]
pub struct Peaks {
    /// Bytes per second are averages over windows of this length, wherever they begin.
    pub window_ns: i64,
    /// The most bytes per second in any such window.
    pub bytes_per_second: u64,
    /// The start of that window.
    pub at_ns: i64,
    /// The most transfers in transit at any moment.
    pub in_flight: u32,
    /// The first moment with that many.
    pub in_flight_at_ns: i64,
}

impl LinkTable<'_> {
    /// Removes every figure that is based on two clocks.
    pub(super) fn withhold_times(&mut self) {
        let rows = self.pairs.iter_mut().chain(&mut self.sent).chain(&mut self.received);
        for row in rows.chain([&mut self.all]) {
            (row.timed, row.busy_ns, row.bytes_per_second) = (0, 0, None);
            (row.p50_ns, row.p99_ns, row.first_ns, row.last_ns) = (None, None, None, None);
        }
    }
}

/// The links between devices, and those between tasks.
pub(super) fn both(study: &Study) -> [LinkTable<'_>; 2] {
    Matrix::both(study.trace(), study.transfers()).map(|matrix| table(study, matrix))
}

/// The copies of GPU streams, as links between GPUs and host.
pub(super) fn copied(study: &Study) -> Vec<LinkRow<'_>> {
    let mut rows = table(study, copies(study.trace())).pairs;
    for row in &mut rows {
        row.largest = None;
        row.bytes = row.bytes.filter(|&bytes| bytes > 0);
        row.bytes_per_second = row.bytes_per_second.filter(|&bytes| bytes > 0);
    }
    rows
}

/// The most that was in transit; `None` if nothing was.
pub(super) fn peaks(study: &Study) -> Option<Peaks> {
    Peaks::of(study.traffic())
}

/// [`Peaks`] of the traffic on one route, or `null`.
pub fn traffic_peaks(traffic: &Traffic) -> String {
    crate::text(&Peaks::of(traffic))
}

impl Peaks {
    fn of(traffic: &Traffic) -> Option<Self> {
        let peak = traffic.peak;
        (peak.bytes > 0.0).then(|| Self {
            window_ns: PEAK_WINDOW.0,
            bytes_per_second: peak.bytes_per_second() as u64,
            at_ns: peak.start.0,
            in_flight: traffic.most_in_flight,
            in_flight_at_ns: traffic.most_in_flight_at.0,
        })
    }
}

/// `TrafficLinks`: the links of a route with the most bytes in a window, each with the part in the window.
pub fn traffic_links(study: &Study, route: &Route, window: Interval) -> String {
    /// The links with the most bytes in a window, each with the part in the window; the bandwidth is an average over the whole
    /// window.
    #[derive(Serialize)]
    struct TrafficLinks<'a> {
        links: Vec<LinkRow<'a>>,
        /// The number of other links with any bytes.
        more: usize,
    }
    let mut matrix = Matrix::within(study.trace(), study.transfers(), route, Some(window));
    matrix.links.sort_by_key(|link| Reverse(link.load.bytes));
    let mut links = table(study, matrix).pairs;
    // If only one link does not fit, it is shown, too.
    let more = if links.len() <= MOST_LINKS + 1 { 0 } else { links.len() - MOST_LINKS };
    links.truncate(links.len() - more);
    for row in &mut links {
        row.bytes_per_second = row.bytes.and_then(|bytes| rate(bytes, Some(window.length().0)));
        row.largest = None;
    }
    crate::text(&TrafficLinks { links, more })
}

fn table<'a>(study: &'a Study, matrix: Matrix<'a>) -> LinkTable<'a> {
    let place = |place: u32| matrix.places.get(place as usize).copied();
    let row = |source, destination, load: &Load| row(study, source, destination, load);
    let links = |&Link { source, destination, ref load }: &Link| row(place(source), place(destination), load);
    LinkTable {
        pairs: matrix.links.iter().map(links).collect(),
        sent: matrix.sent.iter().zip(0..).map(|(load, source)| row(place(source), None, load)).collect(),
        received: matrix.received.iter().zip(0..).map(|(load, to)| row(None, place(to), load)).collect(),
        all: row(None, None, &matrix.all),
        places: matrix.places,
    }
}

fn row<'a>(
    study: &'a Study,
    source: Option<&'a str>,
    destination: Option<&'a str>,
    load: &Load,
) -> LinkRow<'a> {
    let largest = load.largest.and_then(|row| study.transfers().rows().get(row as usize));
    let largest = largest.filter(|transfer| transfer.known_bytes().is_some());
    let at = |time: Option<Timestamp>| time.map(|time| time.0);
    LinkRow {
        source,
        destination,
        count: load.count,
        bytes: (load.timed > 0 || load.bytes.0 > 0).then_some(load.bytes.0),
        timed: load.timed,
        busy_ns: load.busy.0,
        bytes_per_second: rate(load.timed_bytes.0, Some(load.busy.0)),
        p50_ns: load.p50.map(|length| length.0),
        p99_ns: load.p99.map(|length| length.0),
        largest: largest.map(|transfer| LargestTransfer {
            tensor: study.trace().text(transfer.tensor),
            bytes: transfer.bytes.0,
        }),
        first_ns: at(load.first),
        last_ns: at(load.last),
    }
}
