//! Clocks that count from different moments: GPU times on another base than CPU times, hosts with a monotonic clock.

use super::far::Usual;
use super::{Finding, FindingKind};
use crate::base::order;
use crate::model::device::DeviceKind;
use crate::{DeviceId, Trace};

/// Two groups are separate if the time between them is at least this many times the longest span of a device, and at least a
/// second.
const SPANS: i64 = 10;
const SECOND_NS: i64 = 1_000_000_000;

/// From the first start to the last end of the ops of a device.
#[derive(Clone, Copy)]
struct Extent {
    device: DeviceId,
    start: i64,
    end: i64,
}

pub(super) fn find(trace: &Trace, usual: &Usual) -> Option<Finding> {
    let mut extents: Vec<Extent> =
        trace.devices().ids().filter_map(|device| extent(trace, usual, device)).collect();
    order::by_number(&mut extents, |extent| (extent.start, i64::from(extent.device.get())));
    let longest = extents.iter().map(|extent| extent.end.saturating_sub(extent.start)).max()?;
    let apart = longest.saturating_mul(SPANS).max(SECOND_NS);
    // (devices, first start, last end)
    let mut groups: Vec<(Vec<DeviceId>, i64, i64)> = Vec::new();
    for Extent { device, start, end } in extents {
        match groups.last_mut() {
            Some((devices, _, last)) if start <= last.saturating_add(apart) => {
                devices.push(device);
                *last = end.max(*last);
            }
            _ => groups.push((vec![device], start, end)),
        }
    }
    if groups.len() < 2 {
        return None;
    }
    // The reference is the group with most ops of executors: their clock is the host's.
    let ops =
        |devices: &[DeviceId]| devices.iter().map(|&device| trace.ops_of(device).len() as i64).sum::<i64>();
    let on_hosts = |devices: &[DeviceId]| {
        let is_host = |device: &DeviceId| trace.devices().get(*device).kind == DeviceKind::Cpu;
        devices.iter().copied().filter(is_host).collect::<Vec<_>>()
    };
    let weight = |group: usize| {
        let devices = &groups[group].0;
        (ops(&on_hosts(devices)), ops(devices))
    };
    let reference = (0..groups.len()).rev().max_by_key(|&group| weight(group))?;
    groups.swap(0, reference);
    let reference = groups.first()?.1;
    let moved: Vec<DeviceId> =
        groups.iter().skip(1).flat_map(|(devices, ..)| devices.iter().copied()).collect();
    let count = ops(&moved) as u64;
    let first_ops =
        moved.iter().filter_map(|&device| trace.ops_of(device).next()).take(super::MAX_OPS).collect();
    let groups = groups.into_iter().map(|(devices, start, _)| (devices, reference.saturating_sub(start)));
    Some(Finding { kind: FindingKind::TimeBases(groups.collect()), count, ops: first_ops, devices: moved })
}

/// The extent of `device` without ops that are far from its others: those are a separate finding.
fn extent(trace: &Trace, usual: &Usual, device: DeviceId) -> Option<Extent> {
    let near = || trace.ops_of(device).filter(|&op| !usual.is_far(trace, device, op));
    let start = near().next().map(|op| trace.ops().start(op).0)?;
    let end = near().map(|op| trace.ops().end(op).0).max()?;
    Some(Extent { device, start, end })
}
