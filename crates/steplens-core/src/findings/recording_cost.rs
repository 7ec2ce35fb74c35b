//! What it costs to record each operator. A profiler that takes as long before the first of the operators that another one contains, whatever these are,
//! takes it for all of them: no program is that even.

use super::framework::has_operators;
use crate::base::units::{Nanos, Timestamp};
use crate::{Category, OpId, Trace};

/// It costs at least this much before an operator,
const LEAST: Nanos = Nanos(20_000);
/// of at least this number that contain others,
const LEAST_COUNT: usize = 100;
/// and the tenth and the ninetieth of a hundred differ from the median by this part of it at most, as its divisor.
const EVEN: i64 = 5;

/// What it costs to record each operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingCost {
    /// How many operators lie within another one.
    pub count: u64,
    /// How long after the one around it the first one begins, in the middle.
    pub before: Nanos,
    /// How long before the one around it the last one ends.
    pub after: Nanos,
}

impl RecordingCost {
    /// What it costs for all of them.
    pub fn time(self) -> Nanos {
        Nanos((self.before + self.after).0.saturating_mul(self.count as i64))
    }
}

/// What it costs to record each operator of a host, if that is much and known.
pub(super) fn recording_cost(trace: &Trace) -> Option<RecordingCost> {
    if !has_operators(trace) {
        return None;
    }
    let (mut before, mut after, mut count) = (Vec::new(), Vec::new(), 0);
    for device in trace.devices().ids() {
        let own = trace.devices().get(device);
        if !own.nests || own.is_accelerator {
            continue;
        }
        let is_operator = |op: &OpId| trace.category(*op) == Category::Compute && !trace.is_call(*op);
        let mut ops: Vec<OpId> = trace.ops_of(device).filter(is_operator).collect();
        let key = |op: OpId| (trace.ops().thread(op), trace.ops().start(op));
        ops.sort_by_key(|&op| (key(op), std::cmp::Reverse(trace.ops().end(op)), op));
        for thread in ops.chunk_by(|&a, &b| trace.ops().thread(a) == trace.ops().thread(b)) {
            count += offsets(trace, thread, &mut before, &mut after);
        }
    }
    if before.len() < LEAST_COUNT {
        return None;
    }
    before.sort_unstable();
    after.sort_unstable();
    let of = |all: &[Nanos], percent: usize| all.get(all.len() * percent / 100).copied();
    let (usual, end) = (of(&before, 50)?, of(&after, 50)?);
    let is_even = |percent| of(&before, percent).is_some_and(|own| (own - usual).0.abs() <= usual.0 / EVEN);
    (usual >= LEAST && is_even(10) && is_even(90)).then_some(RecordingCost {
        count,
        before: usual,
        after: end,
    })
}

/// Adds how long after each op of a thread the first one within it begins, and how long before its end the last one ends; how many lie within another.
fn offsets(trace: &Trace, ops: &[OpId], before: &mut Vec<Nanos>, after: &mut Vec<Nanos>) -> u64 {
    /// An op that is not over, and the end of the last one within it.
    struct Open {
        start: Timestamp,
        end: Timestamp,
        last: Option<Timestamp>,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut count = 0;
    let mut close = |open: &mut Vec<Open>, until: Option<Timestamp>| {
        while let Some(own) = open.pop_if(|own| until.is_none_or(|until| own.end <= until)) {
            after.extend(own.last.map(|last| own.end - last));
        }
    };
    for &op in ops {
        let own = trace.ops().interval(op);
        close(&mut open, Some(own.start));
        if let Some(around) = open.last_mut().filter(|around| own.end <= around.end) {
            if around.last.is_none() {
                before.push(own.start - around.start);
            }
            around.last = Some(own.end);
            count += 1;
        }
        open.push(Open { start: own.start, end: own.end, last: None });
    }
    close(&mut open, None);
    count
}
