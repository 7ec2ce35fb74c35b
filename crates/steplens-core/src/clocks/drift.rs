//! Drift: clocks that are fast or slow, where the trace is long enough to show it.
//!
//! The tensors between two tasks are cut into windows of equal counts. In each window, the fastest tensors of both directions bound
//! the difference of the clocks from both sides, at the times when they arrived. A steady drift is a line between all of these
//! bounds. For every pair of a lower and an upper bound,
//!
//! ```text
//! slope <= (upper - lower) / (time of upper - time of lower),   if the upper bound is later,
//! slope >= (upper - lower) / (time of upper - time of lower),   if the upper bound is earlier,
//! ```
//!
//! and all these conditions together are exact. Slopes add up over tasks as offsets do.

use super::arrows::Arrow;
use super::bounds::{Bound, kept_by_most, of_difference, two_tasks};
use super::paths::{self, Followed};
use crate::base::units::{Nanos, Timestamp};

/// The least number of tensors in a window, and the largest number of windows: every two of them are compared.
const MIN_ARROWS: usize = 16;
const MAX_WINDOWS: usize = 64;
/// Clocks of computers are right to 100 parts in a million. An interval wider than twice that says nothing.
const WIDEST_PPB: i64 = 200_000;

/// How much faster than the reference a clock runs, in parts per billion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The lower bound.
    pub low_ppb: i64,
    /// The middle between the bounds.
    pub best_ppb: i64,
    /// The upper bound.
    pub high_ppb: i64,
    /// Whether it is subtracted when clocks are aligned: only if the drift cannot be 0.
    pub is_applied: bool,
}

impl Drift {
    /// The best estimate if the drift cannot be 0; otherwise 0.
    pub(super) fn if_any(&self) -> i64 {
        if self.low_ppb <= 0 && self.high_ppb >= 0 { 0 } else { self.best_ppb }
    }
}

/// Why no drift can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDrift {
    /// Tensors did not go in both directions, not even over other tasks.
    NotConnected,
    /// The trace is too short, or has too few tensors.
    TooShort,
    /// There is no line between the bounds.
    NoLine,
}

impl NoDrift {
    /// The code for this value in every output.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotConnected => "not-connected",
            Self::TooShort => "too-short",
            Self::NoLine => "not-a-line",
        }
    }
}

/// A bound on the difference of two clocks, and its time.
type Point = (Timestamp, i64);

/// The drift of every task. `arrows` must be in order of [`Arrow::two_tasks`] and of arrival.
pub(super) fn drifts(
    arrows: &[Arrow],
    tasks: usize,
    reference: usize,
    middle: Timestamp,
) -> Vec<Result<Drift, NoDrift>> {
    let mut slopes = Vec::new();
    for own in arrows.chunk_by(|a, b| a.two_tasks() == b.two_tasks()) {
        let (first, second) = two_tasks(own);
        let (low, high) = slope_between(own, first, middle);
        let bound = |from, to, at_most| Bound { from, to, at_most, arrows: own.len() as u32 };
        slopes.extend(high.map(|high| bound(first, second, high)));
        slopes.extend(low.map(|low| bound(second, first, low.saturating_neg())));
    }
    if paths::can_be_kept(tasks, &slopes) != Followed::ToTheEnd {
        return vec![Err(NoDrift::NoLine); tasks];
    }
    let around = paths::around(tasks, reference, &slopes, |bound| bound.at_most);
    let both_ways = paths::around(tasks, reference, &super::bounds::bounds(arrows), |bound| bound.at_most);
    let drift = |row: usize| {
        both_ways.from[row].and(both_ways.towards[row]).ok_or(NoDrift::NotConnected)?;
        let (high, low) = around.from[row].zip(around.towards[row]).ok_or(NoDrift::TooShort)?;
        let low = low.saturating_neg();
        if high.saturating_sub(low) > WIDEST_PPB {
            return Err(NoDrift::TooShort);
        }
        Ok(Drift { low_ppb: low, best_ppb: low + (high - low) / 2, high_ppb: high, is_applied: false })
    };
    (0..tasks).map(drift).collect()
}

/// The lowest and the highest slope, in parts per billion, of lines between the bounds of all windows.
fn slope_between(own: &[Arrow], first: u32, middle: Timestamp) -> (Option<i64>, Option<i64>) {
    let windows = (own.len() / MIN_ARROWS).min(MAX_WINDOWS);
    let (mut lowers, mut uppers): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
    for window in 0..windows {
        let window = &own[own.len() * window / windows..own.len() * (window + 1) / windows];
        let (of_lowers, of_uppers) = of_difference(window, first);
        let (Some(low), Some(high)) = kept_by_most(&of_lowers, &of_uppers) else { continue };
        let at = |source_is_first: bool, slack: i64| {
            let is_it = |arrow: &&Arrow| (arrow.source == first) == source_is_first && arrow.slack() == slack;
            window.iter().find(is_it).map(|arrow| arrow.received)
        };
        lowers.extend(at(false, low.saturating_neg()).map(|time| (time, low)));
        uppers.extend(at(true, high).map(|time| (time, high)));
    }
    let (mut low, mut high) = (None, None);
    for &(upper_at, upper) in &uppers {
        for &(lower_at, lower) in &lowers {
            let Nanos(later) = (upper_at - middle) - (lower_at - middle);
            if later == 0 {
                continue;
            }
            let ppb = (upper.saturating_sub(lower) as f64 * 1e9 / later as f64) as i64;
            // One part per billion more on each side, because the division cuts off the remainder.
            if later > 0 {
                high = Some(ppb.saturating_add(1).min(high.unwrap_or(i64::MAX)));
            } else {
                low = Some(ppb.saturating_sub(1).max(low.unwrap_or(i64::MIN)));
            }
        }
    }
    (low, high)
}
