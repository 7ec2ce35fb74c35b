//! Whether ops come again and again in what was recorded: in more than one of several steps, or, where steps are not known, in at least
//! three tenths of the recording. Two tenths next to each other must have less than three quarters of their time: what begins once is there. Nor
//! does it recur if three ops that are unlike have nine tenths of the time.

use super::super::only_first::Shown;
use crate::OpId;
use std::collections::BTreeMap;

/// What only begins comes in one tenth of a recording, or in two where it lies across the limit between them.
const LEAST_TENTHS: u32 = 3;

pub(super) fn recurs(shown: &Shown<'_>, ops: &[OpId]) -> bool {
    if !shown.steps.is_one() {
        let mut steps = ops.iter().map(|&op| shown.steps.step(shown.study, op));
        let first = steps.next();
        return steps.any(|step| Some(step) != first);
    }
    let tenths = ops.iter().fold(0_u32, |seen, &op| seen | 1 << tenth(shown, op));
    tenths.count_ones() >= LEAST_TENTHS && is_spread(shown, ops)
}

/// Whether the time of `ops` is spread over what was recorded: no step has more than half of it, and no two neighbouring tenths of a single
/// one have three quarters of it.
pub(super) fn is_spread(shown: &Shown<'_>, ops: &[OpId]) -> bool {
    let trace = shown.trace();
    let mut sums: BTreeMap<usize, i64> = BTreeMap::new();
    for &op in ops {
        let place = match shown.steps.is_one() {
            true => tenth(shown, op) as usize,
            false => shown.steps.step(shown.study, op),
        };
        let sum = sums.entry(place).or_default();
        *sum = sum.saturating_add(trace.ops().interval(op).length().0);
    }
    let all = sums.values().fold(0_i64, |sum, &own| sum.saturating_add(own));
    match shown.steps.is_one() {
        false => sums.values().all(|&own| own.saturating_mul(2) <= all),
        true => {
            let of = |tenth: usize| sums.get(&tenth).copied().unwrap_or_default();
            let lengths = ops.iter().map(|&op| trace.ops().interval(op).length().0).collect();
            !is_of_few(lengths)
                && (0..10)
                    .all(|own| of(own).saturating_add(of(own + 1)).saturating_mul(4) < all.saturating_mul(3))
        }
    }
}

/// How many ops are few,
const FEW: usize = 3;
/// and how much longer the first of them is than the last, if they are unlike.
const UNLIKE: i64 = 4;

/// Whether the longest three of `lengths` have nine tenths of their sum, and are unlike one another: a first call is longer than others.
fn is_of_few(mut lengths: Vec<i64>) -> bool {
    lengths.sort_unstable_by_key(|&own| std::cmp::Reverse(own));
    let sum = |own: &[i64]| own.iter().fold(0_i64, |sum, &own| sum.saturating_add(own));
    let few = lengths.get(..FEW).unwrap_or(&lengths);
    let is_unlike = match few {
        [longest, .., last] => last.saturating_mul(UNLIKE) < *longest,
        _ => true,
    };
    is_unlike && sum(few).saturating_mul(10) >= sum(&lengths).saturating_mul(9)
}

/// The tenth of the recording in which `op` began.
fn tenth(shown: &Shown<'_>, op: OpId) -> u32 {
    let (trace, span) = (shown.trace(), shown.trace().span());
    let at = i128::from((trace.ops().start(op) - span.start).0) * 10 / i128::from(span.length().0.max(1));
    at.clamp(0, 9) as u32
}
