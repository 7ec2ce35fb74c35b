//! Which ranks a collective of Ascend's HCCL waited for: its tasks `Notify_Wait` wait until another rank is there, and name it (`dst rank`), also
//! where the file of that rank was not opened.

use crate::base::units::{Interval, Nanos};
use crate::model::arguments::Argument;
use crate::{DeviceId, OpId, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// A shorter wait is a part of how data goes from rank to rank.
const LEAST: Nanos = Nanos(1_000_000);

/// One wait for another rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Notified {
    interval: Interval,
    rank: u64,
}

/// The waits of a trace, by device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notifications {
    of_device: BTreeMap<DeviceId, Vec<Notified>>,
    /// The ranks whose tasks were recorded.
    own: BTreeSet<u64>,
    /// All ranks that are named.
    all: BTreeSet<u64>,
}

impl Notifications {
    pub(crate) fn found(trace: &Trace) -> Self {
        let nodes = trace.nodes();
        let is_wait: Vec<bool> =
            nodes.ids().map(|node| trace.text(nodes.name(node)) == "Notify_Wait").collect();
        let mut found = Self::default();
        if trace.arguments().is_empty() || !is_wait.contains(&true) {
            return found;
        }
        for op in trace.ops().ids().filter(|&op| is_wait[trace.ops().node(op).index()]) {
            let (mut from, mut rank) = (None, None);
            for Argument { name, value } in trace.arguments().of(op) {
                match name {
                    "src rank" => from = value.count(),
                    "dst rank" => rank = value.count(),
                    _ => {}
                }
            }
            let (Some(from), Some(rank)) = (from, rank) else { continue };
            found.own.insert(from);
            found.all.extend([from, rank]);
            let wait = Notified { interval: trace.ops().interval(op), rank };
            if rank != from && wait.interval.length() >= LEAST {
                found.of_device.entry(trace.device_of(op)).or_default().push(wait);
            }
        }
        found.of_device.values_mut().for_each(|all| all.sort_by_key(|own| own.interval.start));
        found
    }

    /// How many ranks are named; `None` if none is.
    pub(crate) fn ranks(&self) -> Option<u64> {
        (!self.all.is_empty()).then_some(self.all.len() as u64)
    }

    /// How many ranks were opened.
    pub(crate) fn opened(&self) -> usize {
        self.own.len()
    }

    /// Whether the file of `rank` was opened.
    pub(crate) fn is_opened(&self, rank: u64) -> bool {
        self.own.contains(&rank)
    }

    /// The rank for which the collective `op` waited longest, and how long, if that is half of its time or more.
    pub(crate) fn longest(&self, trace: &Trace, op: OpId) -> Option<(u64, Nanos)> {
        let all = self.of_device.get(&trace.device_of(op))?;
        let interval = trace.ops().interval(op);
        let first = all.partition_point(|own| own.interval.start < interval.start);
        let within = all.get(first..)?.iter().take_while(|own| own.interval.start < interval.end);
        let length = |own: &Notified| own.interval.clamp_to(interval).length();
        let longest = within.max_by_key(|own| (length(own), std::cmp::Reverse(own.rank)))?;
        let time = length(longest);
        (time.0.saturating_mul(2) >= interval.length().0).then_some((longest.rank, time))
    }
}
