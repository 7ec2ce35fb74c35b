//! Single ops far away from all others: a clock that was read before it was set, or a field that was never written.

use super::{Finding, FindingKind, about};
use crate::base::order;
use crate::{DeviceId, OpId, Trace};

/// At least this many ops are sampled to find the usual times.
const SAMPLE: usize = 1 << 16;
/// An op is far away if its distance is more than this many times the usual span, and more than a minute.
const SPANS: i64 = 100;
const MINUTE_NS: i64 = 60_000_000_000;

/// The times between which nearly all ops are.
pub(super) struct Usual {
    first: i64,
    last: i64,
    /// The distance from there that counts as far, and the length that counts as too long.
    reach: i64,
    /// For each device whether most of its ops are far away. Then its clock is different, and no single op is wrong.
    is_elsewhere: Vec<bool>,
}

impl Usual {
    /// Takes the starts and ends of 98 of 100 ops.
    pub(super) fn of(trace: &Trace) -> Self {
        let ops = trace.ops();
        let every = ops.len().div_ceil(SAMPLE).max(1);
        let mut starts: Vec<i64> = ops.ids().step_by(every).map(|op| ops.start(op).0).collect();
        let mut ends: Vec<i64> = ops.ids().step_by(every).map(|op| ops.end(op).0).collect();
        order::by_number(&mut starts, |start| (start, 0));
        order::by_number(&mut ends, |end| (end, 0));
        // With few ops a hundredth is less than one op, but a single op must not decide what is usual.
        let hundredth = (starts.len() / 100).max(usize::from(starts.len() > 4));
        let first = starts.get(hundredth).copied().unwrap_or(0);
        let last = ends.get(ends.len().saturating_sub(1 + hundredth)).copied().unwrap_or(0).max(first);
        let reach = last.saturating_sub(first).saturating_mul(SPANS).max(MINUTE_NS);
        let mut usual = Self { first, last, reach, is_elsewhere: Vec::new() };
        let is_elsewhere = |device| {
            let far = trace.ops_of(device).filter(|&op| usual.is_outside(trace, op)).count();
            far * 2 > trace.ops_of(device).len()
        };
        usual.is_elsewhere = trace.devices().ids().map(is_elsewhere).collect();
        usual
    }

    fn is_outside(&self, trace: &Trace, op: OpId) -> bool {
        let own = trace.ops().interval(op);
        own.start.0 < self.first.saturating_sub(self.reach)
            || own.start.0 > self.last.saturating_add(self.reach)
            || own.length().0 > self.reach
    }

    /// Whether `op` is far away from the other ops of `device`.
    pub(super) fn is_far(&self, trace: &Trace, device: DeviceId, op: OpId) -> bool {
        !self.is_elsewhere[device.index()] && self.is_outside(trace, op)
    }
}

pub(super) fn find(trace: &Trace, usual: &Usual) -> Option<Finding> {
    let ops = trace
        .devices()
        .ids()
        .flat_map(|device| trace.ops_of(device).filter(move |&op| usual.is_far(trace, device, op)));
    about(trace, FindingKind::FarOps, ops)
}
