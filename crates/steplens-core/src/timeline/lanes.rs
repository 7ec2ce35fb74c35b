//! Lanes: the rows of the timeline. Ops in one lane never overlap, and a device has as few lanes as its ops allow.
//!
//! Two ops overlap if each starts before the other ends; an op that ends at t and one that starts at t share a lane. When packed,
//! compute, copies and input of a device have the upper lanes, and its communication the lower ones, so that a long op never shares
//! a lane with transfers, which are many and thin. When arranged by thread, op type or name scope, each group of ops has separate
//! lanes. In any arrangement a group has as few lanes as its ops allow, filled from the top.

use crate::Trace;
use crate::base::ids::{DeviceId, LaneId, OpId};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::host_profile::HostProfile;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::ranges::range;
use crate::timeline::grouping::{Arrangement, COMMUNICATION, GroupKind, Groups, LaneGroup, effective};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The lane of every op and the ops of every lane.
#[derive(Default)]
pub struct Lanes {
    lane_of: Column,
    /// The lanes of device `i` are `first_lane[i] .. first_lane[i + 1]`.
    first_lane: Vec<u32>,
    /// The ops of lane `i` are `ops[first_op[i] .. first_op[i + 1]]`.
    first_op: Vec<u32>,
    ops: Vec<OpId>,
    /// For each device the number of lanes, from the top, that have no communication.
    op_lanes: Vec<u32>,
    /// The groups of every device; `None` if the device is packed.
    groups: Vec<Option<Vec<LaneGroup>>>,
}

impl Lanes {
    /// Packs the ops of every device. Takes time n log(lanes).
    pub fn packed(trace: &Trace) -> Self {
        Self::arranged(trace, &HostProfile::read(trace), Arrangement::Packed)
    }

    /// Packs the ops of every group of every device. `host` has threads that the ops do not have. Takes time n log(lanes).
    pub fn arranged(trace: &Trace, host: &HostProfile, by: Arrangement) -> Self {
        let mut lanes = Self::default();
        let mut lane_of = Vec::with_capacity(trace.ops().len());
        let mut count = 0;
        for device in trace.devices().ids() {
            let by = effective(trace, device, by);
            let groups = Groups::divided(trace, host, device, by);
            lanes.first_lane.push(count);
            let lane_counts = pack(trace, device, &groups, count, &mut lane_of);
            count += lane_counts.iter().sum::<u32>();
            let of_ops =
                groups.names.iter().zip(&lane_counts).filter(|((_, kind), _)| *kind == GroupKind::Ops);
            lanes.op_lanes.push(of_ops.map(|(_, lanes)| lanes).sum());
            let named = groups.names.into_iter().zip(lane_counts);
            let named = named.map(|((name, kind), lanes)| LaneGroup { name, kind, lanes: lanes as usize });
            lanes.groups.push((by != Arrangement::Packed).then(|| named.collect()));
        }
        lanes.first_lane.push(count);
        lanes.first_lane.shrink_to_fit();
        lanes.list_ops(count as usize, &lane_of);
        lanes.lane_of = ColumnBuilder::of(lane_of.into_iter().map(i64::from));
        lanes
    }

    /// The number of lanes.
    pub fn len(&self) -> usize {
        self.first_op.len().saturating_sub(1)
    }

    /// Whether there are no lanes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lane of `op`.
    #[inline]
    pub fn lane(&self, op: OpId) -> LaneId {
        LaneId::new(self.lane_of.get(op.index()) as u32)
    }

    /// The lanes of `device`.
    pub fn of_device(&self, device: DeviceId) -> impl ExactSizeIterator<Item = LaneId> + use<> {
        range(&self.first_lane, device.index()).map(LaneId::from_usize)
    }

    /// The number of lanes of `device`, from the top, without communication; the others are for communication.
    pub fn op_lanes(&self, device: DeviceId) -> usize {
        self.op_lanes.get(device.index()).map_or(0, |&lanes| lanes as usize)
    }

    /// The groups of lanes of `device`, from the top.
    pub fn groups(&self, device: DeviceId) -> Vec<LaneGroup> {
        if let Some(Some(groups)) = self.groups.get(device.index()) {
            return groups.clone();
        }
        let ops = self.op_lanes(device);
        let rest = self.of_device(device).len() - ops;
        let packed = [("", ops, GroupKind::Ops), (COMMUNICATION, rest, GroupKind::Communication)];
        let named = packed.into_iter().filter(|&(_, lanes, _)| lanes > 0);
        named.map(|(name, lanes, kind)| LaneGroup { name: name.to_owned(), lanes, kind }).collect()
    }

    /// The ops of `lane`, in order of start; empty for a lane that does not exist.
    #[inline]
    pub fn ops(&self, lane: LaneId) -> &[OpId] {
        &self.ops[range(&self.first_op, lane.index())]
    }

    /// Whether an op of `lane` overlaps `window`. Takes time log(ops).
    pub fn is_used(&self, trace: &Trace, lane: LaneId, window: Interval) -> bool {
        let (lane_ops, ops) = (self.ops(lane), trace.ops());
        // Ops of a lane do not overlap: the one that starts last also ends last.
        let until = lane_ops.partition_point(|&op| ops.start(op) <= window.end);
        until.checked_sub(1).is_some_and(|last| ops.end(lane_ops[last]) >= window.start)
    }

    /// The op of `lane` that covers `at`; otherwise the nearest one that overlaps `window`, which must contain `at`.
    pub fn op_near(&self, trace: &Trace, lane: LaneId, at: Timestamp, window: Interval) -> Option<OpId> {
        let (lane_ops, ops) = (self.ops(lane), trace.ops());
        let after = lane_ops.partition_point(|&op| ops.start(op) <= at);
        let before =
            after.checked_sub(1).map(|place| lane_ops[place]).filter(|&op| ops.end(op) >= window.start);
        let after = lane_ops.get(after).copied().filter(|&op| ops.start(op) <= window.end);
        let distance = |op: OpId| (ops.start(op) - at).max(at - ops.end(op)).max(Nanos(0));
        before.into_iter().chain(after).min_by_key(|&op| distance(op))
    }

    /// The start or end of an op in `lanes` that is nearest to `at`, within `window`, which must contain `at`. Takes time log(ops)
    /// per lane.
    pub fn edge_near(
        &self,
        trace: &Trace,
        lanes: impl Iterator<Item = LaneId>,
        at: Timestamp,
        window: Interval,
    ) -> Option<Timestamp> {
        let ops = trace.ops();
        let edges = lanes.flat_map(|lane| {
            let lane_ops = self.ops(lane);
            // Ops of a lane do not overlap, so their ends are sorted, too.
            let after = lane_ops.partition_point(|&op| ops.start(op) <= at);
            let ended = lane_ops.partition_point(|&op| ops.end(op) <= at);
            let near = |place: Option<usize>| place.and_then(|place| lane_ops.get(place));
            [
                near(after.checked_sub(1)).map(|&op| ops.start(op)),
                near(Some(after)).map(|&op| ops.start(op)),
                near(ended.checked_sub(1)).map(|&op| ops.end(op)),
                near(Some(ended)).map(|&op| ops.end(op)),
            ]
        });
        let inside = edges.flatten().filter(|&edge| window.start <= edge && edge <= window.end);
        inside.min_by_key(|&edge| ((edge - at).max(at - edge), edge))
    }

    /// The longest op that covers `at` in any of `lanes`; otherwise the nearest one that overlaps `window`, which must contain
    /// `at`.
    pub fn longest_near(
        &self,
        trace: &Trace,
        lanes: impl Iterator<Item = LaneId>,
        at: Timestamp,
        window: Interval,
    ) -> Option<OpId> {
        let interval = |op: OpId| trace.ops().interval(op);
        let away = |op: OpId| (interval(op).start - at).max(at - interval(op).end).max(Nanos(0));
        let found = lanes.filter_map(|lane| self.op_near(trace, lane, at, window));
        found.min_by_key(|&op| (away(op), Reverse(interval(op).length()), op))
    }

    /// The ops of all lanes, lane after lane.
    #[inline]
    pub(crate) fn all_ops(&self) -> &[OpId] {
        &self.ops
    }

    /// The range of the ops of `lane` in [`all_ops`](Self::all_ops).
    #[inline]
    pub(crate) fn places(&self, lane: LaneId) -> std::ops::Range<usize> {
        range(&self.first_op, lane.index())
    }

    /// The op before (-1) or after (+1) `op` in its lane.
    pub fn neighbour(&self, op: OpId, step: isize) -> Option<OpId> {
        let ops = self.ops(LaneId::new(self.lane_of.get_option(op.index())? as u32));
        let place = ops.binary_search(&op).ok()?;
        ops.get(place.checked_add_signed(step)?).copied()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let groups = self.groups.iter().flatten().map(|groups| {
            let names = groups.iter().map(|group| group.name.capacity()).sum::<usize>();
            groups.capacity() * size_of::<LaneGroup>() + names
        });
        self.lane_of.heap_bytes()
            + (self.ops.capacity()
                + self.first_op.capacity()
                + self.first_lane.capacity()
                + self.op_lanes.capacity())
                * size_of::<u32>()
            + self.groups.capacity() * size_of::<Option<Vec<LaneGroup>>>()
            + groups.sum::<usize>()
    }

    /// Lists the ops of each lane. Ops come in order of start, and a counting sort by lane keeps that order.
    fn list_ops(&mut self, lanes: usize, lane_of: &[u32]) {
        self.first_op = vec![0; lanes + 1];
        for &lane in lane_of {
            self.first_op[lane as usize + 1] += 1;
        }
        for lane in 0..lanes {
            self.first_op[lane + 1] += self.first_op[lane];
        }
        let mut next = self.first_op.clone();
        self.ops = vec![OpId::new(0); lane_of.len()];
        for (row, &lane) in lane_of.iter().enumerate() {
            self.ops[next[lane as usize] as usize] = OpId::from_usize(row);
            next[lane as usize] += 1;
        }
    }
}

/// Appends the lane of each op of `device`, counted from `first`; returns the number of lanes of each group.
///
/// If each op, in order of start, takes any free lane, there are never more lanes than ops that overlap at some moment. So any free
/// lane may be chosen: the topmost is.
fn pack(trace: &Trace, device: DeviceId, groups: &Groups, first: u32, lane_of: &mut Vec<u32>) -> Vec<u32> {
    let ops = trace.ops();
    let row = trace.devices().get(device);
    // If ops contain one another, outer ones come first: of ops with the same start the longest.
    let mut turns: Vec<u32> = if row.nests { (0..row.op_count).collect() } else { Vec::new() };
    order::by_number(&mut turns, |place| {
        let op = OpId::new(row.first_op + place);
        (ops.start(op).0, ops.end(op).0.wrapping_neg())
    });
    let grouped = || {
        (0..row.op_count).map(|turn| {
            let place = turns.get(turn as usize).copied().unwrap_or(turn);
            (groups.of_op(place as usize), OpId::new(row.first_op + place))
        })
    };
    // The first pass finds which ops end before each op starts; then this is replayed to give out lanes.
    let mut running: Vec<BinaryHeap<Reverse<(Timestamp, u32)>>> = vec![BinaryHeap::new(); groups.names.len()];
    let mut most = vec![0; running.len()];
    let count = row.op_count as usize;
    let (mut ended, mut ended_by) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (place, (group, op)) in grouped().enumerate() {
        let running = &mut running[group];
        let interval = ops.interval(op);
        while let Some(&Reverse((end, first))) = running.peek()
            && end <= interval.start
        {
            ended.push(first);
            running.pop();
        }
        ended_by.push(ended.len() as u32);
        running.push(Reverse((interval.end, place as u32)));
        most[group] = running.len().max(most[group]);
    }
    let mut next = first;
    let mut free: Vec<_> = most
        .iter()
        .map(|&lanes| {
            let free = FreeLanes::new(next, lanes);
            next += lanes as u32;
            free
        })
        .collect();
    let first_place = lane_of.len();
    let mut done = 0;
    for ((group, _), end) in grouped().zip(ended_by) {
        for &place in &ended[done as usize..end as usize] {
            free[group].give_back(lane_of[first_place + place as usize]);
        }
        done = end;
        lane_of.push(free[group].take());
    }
    if row.nests {
        let by_turn = lane_of.split_off(first_place);
        lane_of.resize(first_place + count, first);
        turns.iter().zip(by_turn).for_each(|(&place, lane)| lane_of[first_place + place as usize] = lane);
    }
    most.into_iter().map(|lanes| lanes as u32).collect()
}

/// The free lanes of a group: bits, and above them bits that say which words have any.
struct FreeLanes {
    first_lane: u32,
    levels: Vec<Vec<u64>>,
}

impl FreeLanes {
    fn new(first_lane: u32, lanes: usize) -> Self {
        let mut levels: Vec<Vec<u64>> = Vec::new();
        let mut bits = lanes;
        loop {
            let mut words = vec![u64::MAX; bits.div_ceil(64).max(1)];
            // Bits after the last lane are never free.
            if let Some(last) = words.last_mut()
                && !bits.is_multiple_of(64)
            {
                *last = (1 << (bits % 64)) - 1;
            }
            bits = words.len();
            levels.push(words);
            if bits == 1 {
                return Self { first_lane, levels };
            }
        }
    }

    /// Takes the topmost free lane. One is always free, because there are as many lanes as ops that overlap.
    fn take(&mut self) -> u32 {
        let place = self.levels.iter().rev().fold(0, |word_place, level| {
            let word = level[word_place];
            word_place * 64 + word.trailing_zeros() as usize
        });
        let mut at = place;
        for level in &mut self.levels {
            level[at / 64] &= !(1 << (at % 64));
            if level[at / 64] != 0 {
                break;
            }
            at /= 64;
        }
        self.first_lane + place as u32
    }

    fn give_back(&mut self, lane: u32) {
        let mut at = (lane - self.first_lane) as usize;
        for level in &mut self.levels {
            let was_empty = level[at / 64] == 0;
            level[at / 64] |= 1 << (at % 64);
            if !was_empty {
                break;
            }
            at /= 64;
        }
    }
}
