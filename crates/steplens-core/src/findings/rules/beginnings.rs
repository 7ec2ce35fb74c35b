//! Beginnings of executors that take as long as they only do once: `_SOURCE` waits for threads and devices that a first step makes.

use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::begins_executor;
use crate::{DeviceId, OpId, Trace};
use std::collections::BTreeMap;

/// It takes at least this long,
const LEAST: Nanos = Nanos(10_000_000);
/// and this many times the median of later ones of its device.
const TIMES: i64 = 10;

/// The first `_SOURCE` of each device, if it takes that long. `is_idle` says whether accelerators were idle for most of a time.
pub(super) fn beginnings(trace: &Trace, is_idle: impl Fn(DeviceId, Interval) -> bool) -> Vec<OpId> {
    let ops = trace.ops();
    let mut of_device: BTreeMap<DeviceId, Vec<OpId>> = BTreeMap::new();
    for op in ops.ids().filter(|&op| begins_executor(trace, op)) {
        of_device.entry(trace.device_of(op)).or_default().push(op);
    }
    let first = of_device.into_iter().filter_map(|(device, mut own)| {
        own.sort_unstable_by_key(|&op| (ops.start(op), op));
        let (&first, later) = own.split_first()?;
        let mut later: Vec<Nanos> = later.iter().map(|&op| ops.interval(op).length()).collect();
        later.sort_unstable();
        let usual = later.get(later.len() / 2).copied().unwrap_or_default();
        let interval = ops.interval(first);
        let is_long = interval.length() >= LEAST && interval.length().0 >= usual.0.saturating_mul(TIMES);
        (is_long && is_idle(device, interval)).then_some(first)
    });
    first.collect()
}

/// These ops without beginnings of executors, unless there is nothing else: their name says nothing.
pub(super) fn without_beginnings(trace: &Trace, ops: Vec<OpId>) -> Vec<OpId> {
    let others: Vec<OpId> = ops.iter().copied().filter(|&op| !begins_executor(trace, op)).collect();
    if others.is_empty() { ops } else { others }
}
