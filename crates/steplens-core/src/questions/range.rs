//! Ranges: the ops of a window, of some devices or lanes, and the figures about them.

use crate::Study;
use crate::base::ids::{DeviceId, LaneId, OpId, StringId};
use crate::base::units::{Bytes, Interval, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::timeline::coverage::Coverage;
use crate::timeline::nesting::Piece;
use crate::timeline::split::Split;
use crate::transfers::Transfer;
use hashbrown::HashMap;

/// The ops that figures are about: the chosen ones that overlap the window.
///
/// An op overlaps the window if it starts before the window ends and ends after it starts; an op without length, if it starts
/// within.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeQuery {
    /// The window.
    pub window: Interval,
    /// The chosen device; `None` for all.
    pub device: Option<DeviceId>,
    /// Chooses all devices that recorded the accelerator of `device`, without what they repeat.
    pub accelerator: bool,
    /// The chosen lanes; `None` for all.
    pub lanes: Option<Vec<LaneId>>,
}

impl RangeQuery {
    /// Chooses everything within `window`.
    pub fn of(window: Interval) -> Self {
        Self { window, ..Self::default() }
    }
}

/// The ops of a query, ready to iterate over.
pub struct Range<'a> {
    study: &'a Study,
    window: Interval,
    /// The chosen devices, in order; `None` for all.
    only: Option<Vec<DeviceId>>,
    /// For each lane whether it is chosen; `None` for all.
    chosen: Option<Vec<bool>>,
}

impl<'a> Range<'a> {
    /// Prepares the ops of `query`.
    pub fn of(study: &'a Study, query: &RangeQuery) -> Self {
        let chosen = query.lanes.as_ref().map(|lanes| {
            let mut chosen = vec![false; study.lanes().len()];
            for lane in lanes {
                if let Some(chosen) = chosen.get_mut(lane.index()) {
                    *chosen = true;
                }
            }
            chosen
        });
        let trace = study.trace();
        let all_of = |device: DeviceId| match query.accelerator {
            true => accelerators(trace).into_iter().find(|one| one.devices.contains(&device)),
            false => None,
        };
        let only = query
            .device
            .map(|device| all_of(device).map_or_else(|| vec![device], |one| one.unrepeated(trace).collect()));
        Self { study, window: query.window, only, chosen }
    }

    /// The window.
    pub fn window(&self) -> Interval {
        self.window
    }

    /// Whether no lanes are chosen, so that all lanes count.
    pub fn has_all_lanes(&self) -> bool {
        self.chosen.is_none()
    }

    /// The chosen devices. A host profiler is included only if it is chosen explicitly.
    pub fn devices(&self) -> impl Iterator<Item = DeviceId> + '_ {
        let (devices, all) = (self.study.trace().devices(), self.has_everything());
        devices.ids().filter(move |id| self.has(id) && !(all && devices.is_host_profiler(*id)))
    }

    /// The devices to sum over. If everything is chosen, devices that repeat others are left out.
    pub fn counted_devices(&self) -> impl Iterator<Item = DeviceId> + '_ {
        let all = self.has_everything();
        self.devices().filter(move |&id| !(all && self.study.trace().devices().repeats_others(id)))
    }

    /// The chosen ops on `device`: first those that run when the window starts, then the others in order of start.
    pub fn ops(&self, device: DeviceId) -> impl Iterator<Item = OpId> + '_ {
        let (before, within) = self.parts(device);
        let is_chosen = |op: &OpId| self.chosen.is_none() || self.chooses(self.study.lanes().lane(*op));
        before.chain(within.map(OpId::new).filter(is_chosen))
    }

    /// The ops to sum over: without ranges, unless lanes are chosen.
    pub fn counted_ops(&self) -> impl Iterator<Item = OpId> + '_ {
        let trace = self.study.trace();
        let counts = move |op: &OpId| self.chosen.is_some() || !trace.nodes().is_range(trace.ops().node(*op));
        self.counted_devices().flat_map(|device| self.ops(device)).filter(counts)
    }

    /// The number of ops on `device`. Takes time in proportion to lanes, not to ops.
    pub fn count(&self, device: DeviceId) -> usize {
        let (before, within) = self.parts(device);
        let before = before.count();
        if self.chosen.is_none() {
            return before + within.len();
        }
        let place = |ops: &[OpId], row| ops.partition_point(|op| op.get() < row);
        let of_lane = |lane| {
            let ops = self.study.lanes().ops(lane);
            place(ops, within.end) - place(ops, within.start)
        };
        before + self.chosen_lanes(device).map(of_lane).sum::<usize>()
    }

    /// Whether `op` is chosen and its last moment is within the window. For a transfer this is its arrival.
    pub fn receives(&self, op: OpId) -> bool {
        let Interval { start, end } = self.study.trace().ops().interval(op);
        let last = Timestamp(end.0.saturating_sub(1)).max(start);
        self.window.start <= last
            && last < self.window.end
            && (self.chosen.is_none() || self.chooses(self.study.lanes().lane(op)))
            && self.has(&self.study.trace().device_of(op))
    }

    /// Whether `transfer` arrives in the range. A transfer that no op recorded has no time: it counts only if the range has all
    /// times, and its device is chosen.
    pub fn receives_transfer(&self, transfer: &Transfer) -> bool {
        let Some(op) = transfer.op else { return self.is_all_of_time() && self.may_receive(transfer) };
        self.receives(op)
    }

    /// Whether it is not known if `transfer` arrives in the range.
    pub fn may_hold(&self, transfer: &Transfer) -> bool {
        transfer.op.is_none() && !self.is_all_of_time() && self.may_receive(transfer)
    }

    fn may_receive(&self, transfer: &Transfer) -> bool {
        let devices = self.study.trace().devices();
        self.only.is_none() || devices.by_name(transfer.destination).is_some_and(|device| self.has(&device))
    }

    /// Whether the window has all times and no lanes are chosen.
    fn is_all_of_time(&self) -> bool {
        let span = self.study.trace().span();
        self.chosen.is_none() && self.window.start <= span.start && span.end <= self.window.end
    }

    /// Whether all devices and all lanes are chosen.
    pub fn has_everything(&self) -> bool {
        self.only.is_none() && self.chosen.is_none()
    }

    /// How the window divides on `device`, counting only chosen ops.
    pub fn split(&self, device: DeviceId) -> Split {
        if !self.has(&device) {
            return Coverage::default().split(self.window);
        }
        match self.chosen {
            None => self.study.split(Some(device), self.window),
            Some(_) => self.coverage(device).split(self.window),
        }
    }

    /// How the window divides on `devices` taken as one, such as those of a GPU, counting only chosen ops.
    pub fn split_of(&self, devices: &[DeviceId]) -> Split {
        let own = devices.iter().filter(|id| self.has(id));
        match self.chosen {
            None => Coverage::together(own.map(|own| &self.study.coverage()[own.index()])).split(self.window),
            Some(_) => {
                let parts: Vec<_> = own.map(|&own| self.coverage(own)).collect();
                Coverage::together(parts.iter()).split(self.window)
            }
        }
    }

    /// How the window divides, with all chosen ops taken together, whatever their device.
    pub fn split_together(&self) -> Split {
        match (&self.only, &self.chosen) {
            (None, None) => self.study.split(None, self.window),
            _ => self.split_of(&self.devices().collect::<Vec<_>>()),
        }
    }

    /// How the window divides on average over the accelerators, or over all devices without accelerators; for a choice, as
    /// [`split_together`](Self::split_together).
    pub fn step_split(&self) -> Split {
        match self.has_everything() {
            true => self.study.step_split(self.window),
            false => self.split_together(),
        }
    }

    /// The coverage of the chosen ops on `device`, within the window.
    fn coverage(&self, device: DeviceId) -> Coverage {
        let trace = self.study.trace();
        if trace.devices().get(device).nests {
            let own = self.pieces(device);
            return Coverage::summed(own.map(|piece| (trace.category(piece.op), piece.interval)));
        }
        // Ops that run when the window starts all begin with the window.
        let pieces =
            self.ops(device).map(|op| (trace.category(op), trace.ops().interval(op).clamp_to(self.window)));
        Coverage::summed(pieces)
    }

    /// The self time of the chosen ops on `device` within the window, in order of start.
    pub fn pieces(&self, device: DeviceId) -> impl Iterator<Item = Piece> + '_ {
        let window = self.window;
        let pieces = self.study.pieces(device).iter();
        pieces
            .take_while(move |piece| piece.interval.start < window.end)
            .filter(move |piece| piece.interval.end > window.start)
            .filter(|piece| self.chooses(self.study.lanes().lane(piece.op)))
            .map(move |piece| Piece { interval: piece.interval.clamp_to(window), ..*piece })
    }

    fn has(&self, device: &DeviceId) -> bool {
        self.only.as_ref().is_none_or(|only| only.binary_search(device).is_ok())
    }

    #[inline]
    fn chooses(&self, lane: LaneId) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen[lane.index()])
    }

    fn chosen_lanes(&self, device: DeviceId) -> impl Iterator<Item = LaneId> + '_ {
        self.study.lanes().of_device(device).filter(|&lane| self.chooses(lane))
    }

    /// The chosen ops that run when the window starts, and the rows of all ops that start within it.
    fn parts(&self, device: DeviceId) -> (impl Iterator<Item = OpId> + '_, std::ops::Range<u32>) {
        let (ops, lanes) = (self.study.trace().ops(), self.study.lanes());
        let row = self.study.trace().devices().get(device);
        let rows = row.first_op..row.end_op();
        let first_from = |time: Timestamp| {
            let (mut low, mut high) = (rows.start, rows.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if ops.start(OpId::new(middle)) < time { low = middle + 1 } else { high = middle }
            }
            low
        };
        let first = first_from(self.window.start);
        let within = first..first_from(self.window.end).max(first);
        // At most one op of a lane runs at a time: the last one that started.
        let running = move |lane| {
            let own = lanes.ops(lane);
            let last = own.partition_point(|op| op.get() < first).checked_sub(1)?;
            (ops.end(own[last]) > self.window.start).then_some(own[last])
        };
        (self.chosen_lanes(device).filter_map(running), within)
    }
}

/// The transfers over one link in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeLink {
    /// The device that sent.
    pub source: StringId,
    /// The device that received.
    pub destination: StringId,
    /// The number of transfers.
    pub count: u64,
    /// Their bytes, summed.
    pub bytes: Bytes,
}

/// The transfers of a range, by link; the links with the most bytes first.
pub fn links(study: &Study, range: &Range<'_>) -> Vec<RangeLink> {
    let mut place_of: HashMap<(StringId, StringId), usize, foldhash::fast::FixedState> = HashMap::default();
    let mut links: Vec<RangeLink> = Vec::new();
    for transfer in study.transfers().rows().iter().filter(|transfer| range.receives_transfer(transfer)) {
        let (source, destination) = (transfer.source, transfer.destination);
        let place = *place_of.entry((source, destination)).or_insert_with(|| {
            links.push(RangeLink { source, destination, count: 0, bytes: Bytes(0) });
            links.len() - 1
        });
        links[place].count += 1;
        links[place].bytes += transfer.bytes;
    }
    let ends = |link: RangeLink| [link.source, link.destination].map(|id| study.trace().text(id));
    links.sort_by(|&a, &b| b.bytes.cmp(&a.bytes).then_with(|| ends(a).cmp(&ends(b))));
    links
}
