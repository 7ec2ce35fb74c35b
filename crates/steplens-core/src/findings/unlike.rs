//! What a mean, or a number of steps, hides: devices that do most of the work, marks that hold nearly none of it, and a path of many small ops.

use super::pauses::gaps;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::units;
use crate::steps::figures::is_usual;
use crate::steps::rule::{Apart, Steps};
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Study};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// The device that computes most is named where it computes for at least this share of the mean, in percent.
const UNLIKE_PERCENT: i128 = 150;

/// The device that computes most within `span` of several whose mean is `compute`, and for how long, if it is far from the mean.
pub(super) fn busiest(study: &Study, span: Interval, compute: Nanos) -> Option<(DeviceId, Nanos)> {
    let all = units(study.trace());
    let rows = all.iter().zip(study.bar()).map(|(unit, coverage)| (unit, coverage.split(span).compute));
    let (unit, most) = rows.max_by_key(|&(_, own)| own)?;
    let is_unlike = i128::from(most.0) * 100 >= i128::from(compute.0) * UNLIKE_PERCENT;
    let device = *unit.first()?;
    (study.counted().count() > 1 && compute > Nanos(0) && is_unlike).then_some((device, most))
}

/// Marks hold nearly none of the work below this part of it, as its divisor.
const LEAST_HELD: i64 = 100;

/// How long anything ran within the marks of steps, if that is less than a hundredth of the time in which anything ran.
pub(super) fn held_by_marks(study: &Study) -> Option<Nanos> {
    let trace = study.trace();
    if study.view().step.is_some() || study.steps() < 2 {
        return None;
    }
    let ops = trace.ops();
    let work = ops.ids().filter(|&op| !trace.nodes().is_range(ops.node(op)));
    let mut ran: Vec<Interval> = work.map(|op| ops.interval(op)).collect();
    order::by_number(&mut ran, |own| (own.start.0, own.end.0));
    let busy = Busy::of(ran.into_iter());
    let steps = Steps::divided(trace, study.view().rule);
    let usual = is_usual(&steps);
    let marks = steps.rows().iter().zip(usual).filter(|(_, usual)| *usual);
    let held = marks.fold(Nanos(0), |sum, (step, _)| sum + busy.within(step.span));
    (held.0.saturating_mul(LEAST_HELD) < busy.within(trace.span()).0).then_some(held)
}

/// A path has many ops from this number on,
const MANY: u64 = 100;
/// and small ones if they take less than this in the mean.
const SMALL: Nanos = Nanos(100_000);

/// A gap that a small call leaves: ten of the longest that counts as small. Python between two operators takes about as long.
const SHORT: Nanos = Nanos(10 * SMALL.0);

/// How many ops run on a path, and how long they take in the mean, if they are many and small, and short gaps have half of the time between
/// them: a few long pauses are no matter of many calls.
pub(super) fn small_ops(segments: &[Segment]) -> Option<(u64, Nanos)> {
    let ran = segments.iter().filter(|own| own.kind == SegmentKind::Compute);
    let time = ran.clone().fold(Nanos(0), |sum, own| sum + own.interval.length());
    let mut ops: Vec<OpId> = ran.map(|own| own.op).collect();
    ops.sort_unstable();
    ops.dedup();
    let count = ops.len() as u64;
    let mean = Nanos(time.0 / (count as i64).max(1));
    let gaps = gaps(segments);
    let sum = |is_it: &dyn Fn(Nanos) -> bool| {
        let own = gaps.iter().map(|(own, _)| own.length()).filter(|&own| is_it(own));
        own.fold(Nanos(0), |sum, own| sum + own)
    };
    let is_short = sum(&|own| own <= SHORT).0.saturating_mul(2) >= sum(&|_| true).0;
    (count >= MANY && mean < SMALL && is_short).then_some((count, mean))
}

/// A step has most of what is shown from this share of it on, in percent.
const HALF_PERCENT: i128 = 50;

/// A step that has at least half of what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestStep {
    /// Its row among the steps, from 0.
    pub row: usize,
    /// How long it is.
    pub length: Nanos,
    /// How long the next one is.
    pub next: Nanos,
}

/// Of fewer steps one has half of the time without being longer than usual.
const LEAST_STEPS: usize = 3;

/// The longest of the steps that are shown, if it has at least half of what is shown and there are at least three.
pub(super) fn longest_step(study: &Study) -> Option<LongestStep> {
    if study.view().step.is_some() || study.steps() < LEAST_STEPS || study.apart() == Some(Apart::Far) {
        return None;
    }
    let trace = study.trace();
    let steps = Steps::divided(trace, study.view().rule);
    let usual = is_usual(&steps);
    let mut rows: Vec<(Nanos, usize)> = (0..)
        .zip(steps.rows())
        .zip(usual)
        .filter(|(_, usual)| *usual)
        .map(|((row, step), _)| (step.span.length(), row))
        .collect();
    rows.sort_by_key(|&(length, row)| (std::cmp::Reverse(length), row));
    match rows[..] {
        [(length, row), (next, _), _, ..] => {
            let is_most = i128::from(length.0) * 100 >= i128::from(trace.span().length().0) * HALF_PERCENT;
            is_most.then_some(LongestStep { row, length, next })
        }
        _ => None,
    }
}

/// How many threads of pools that run parts of a program of XLA worked, and how many of them in the mean.
pub(super) fn busy_threads(study: &Study, has_accelerators: bool) -> Option<(u64, u64)> {
    let trace = study.trace();
    let is_part = |&op: &OpId| {
        trace.category(op) == Category::Compute && trace.op_type(op) == crate::build::builder::RUNS_PART
    };
    let parts: Vec<OpId> = match has_accelerators {
        true => Vec::new(),
        false => trace.ops().ids().filter(is_part).collect(),
    };
    let threads: HashSet<(DeviceId, u32), FixedState> =
        parts.iter().map(|&op| (trace.device_of(op), trace.ops().thread(op))).collect();
    let busy = parts.iter().map(|&op| i128::from(study.self_time(op).0)).sum::<i128>();
    let mean = busy * 1_000 / i128::from(trace.span().length().0.max(1));
    (threads.len() > 1).then_some((threads.len() as u64, mean as u64))
}
