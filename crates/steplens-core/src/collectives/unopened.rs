//! Collectives that go on for long after the last opened rank has come: they wait for a rank whose file was not opened. Only where nothing says
//! how many ranks a collective has: another one of the same operation and ranks moves as much or more in a tenth of that time, and an accelerator
//! says that it waited meanwhile (`Notify Wait` of Ascend). Without that a library may have begun in the first one.

use super::{Collective, Collectives};
use crate::base::order;
use crate::base::units::{Bytes, Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, Trace};
use std::collections::BTreeMap;

/// What takes longer than this,
const LEAST: Nanos = Nanos(1_000_000);
/// and this many times as long as what moves as much, waits.
const TIMES: i64 = 10;

/// Collectives of one operation between the same devices.
type Kind = (Option<u32>, Vec<DeviceId>);

/// Forgets who came last where a rank is missing.
pub(super) fn mark(all: &mut Collectives, trace: &Trace) {
    let mut alike: BTreeMap<Kind, Vec<(Bytes, Nanos, usize)>> = BTreeMap::new();
    for (row, own) in all.rows.iter().enumerate() {
        let known = own.bytes.filter(|_| own.group.is_none() && own.without_files == 0);
        let (Some(bytes), Some(moved)) = (known, moved(all, trace, own)) else { continue };
        alike.entry((own.operation, devices(all, own))).or_default().push((bytes, moved, row));
    }
    let waits = Waits::of(trace);
    let mut missing: Vec<usize> = Vec::new();
    for mut rows in alike.into_values() {
        rows.sort_by_key(|&(bytes, moved, row)| (std::cmp::Reverse(bytes), moved, row));
        let mut quickest = Nanos(i64::MAX);
        let mut longest: Option<(Nanos, usize)> = None;
        for &(_, moved, row) in &rows {
            quickest = quickest.min(moved);
            if moved >= LEAST && moved.0 >= quickest.0.saturating_mul(TIMES) {
                longest = longest.max(Some((moved, row)));
            }
        }
        if longest.is_some_and(|(_, row)| all.rows.get(row).is_some_and(|own| waits.have(all, trace, own))) {
            missing.extend(rows.into_iter().map(|(.., row)| row));
        }
    }
    for row in missing {
        let Some(own) = all.rows.get_mut(row) else { continue };
        (own.last, own.waiting, own.without_files) = (None, Nanos(0), 1);
        let participants = all.participants.get_mut(own.participants.clone());
        participants.into_iter().flatten().for_each(|own| own.waiting = None);
    }
}

/// How long it took the first participant to end after the last one had come.
fn moved(all: &Collectives, trace: &Trace, own: &Collective) -> Option<Nanos> {
    let (last, _) = own.last?;
    let ends = all.participants.get(own.participants.clone())?.iter().map(|own| trace.ops().end(own.op));
    Some((ends.min()? - trace.ops().start(last)).max(Nanos(0)))
}

/// When accelerators waited, as they say themselves: one union for each, which its devices share.
struct Waits {
    of_device: BTreeMap<DeviceId, usize>,
    unions: Vec<Busy>,
}

impl Waits {
    fn of(trace: &Trace) -> Self {
        let mut found = Self { of_device: BTreeMap::new(), unions: Vec::new() };
        for one in accelerators(trace) {
            let all = one.devices.iter().flat_map(|&device| trace.ops_of(device));
            let waiting = all.filter(|&op| trace.category(op) == Category::Waiting);
            let mut intervals: Vec<Interval> = waiting.map(|op| trace.ops().interval(op)).collect();
            order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
            found.of_device.extend(one.devices.iter().map(|&device| (device, found.unions.len())));
            found.unions.push(Busy::of(intervals.into_iter()));
        }
        found
    }

    /// Whether an accelerator of `own` waited for half of the time after its last participant came.
    fn have(&self, all: &Collectives, trace: &Trace, own: &Collective) -> bool {
        let (Some((last, _)), Some(moved)) = (own.last, moved(all, trace, own)) else { return false };
        let start = trace.ops().start(last);
        let time = Interval::new(start, start + moved);
        devices(all, own).iter().filter_map(|device| self.of_device.get(device)).any(|&unit| {
            self.unions.get(unit).is_some_and(|own| own.within(time).0.saturating_mul(2) >= moved.0)
        })
    }
}

fn devices(all: &Collectives, own: &Collective) -> Vec<DeviceId> {
    let participants = all.participants.get(own.participants.clone()).unwrap_or_default();
    participants.iter().map(|own| own.device).collect()
}
