//! What the tensors between two tasks say about the difference of their clocks.
//!
//! For every two tasks, the difference is chosen that breaks the fewest bounds, as NTP does to find its false tickers (Marzullo's
//! algorithm). The broken bounds are left out.
//!
//! The start of a `RecvTensor` would be a tighter bound than the making of the tensor, since it leaves out the wait for the send.
//! But it is by the sender's clock only where TensorFlow did not replace it by the receiver's clock (`grpc_remote_worker.cc`), and
//! no single record says whether it did: a replaced start may also be between the bounds, and be off by as much as the clocks are.
//! So the start is not used.

use super::arrows::Arrow;
use crate::base::order;

/// `o[to] - o[from] <= at_most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) at_most: i64,
    /// The number of tensors that give this bound, or contradict it.
    pub(super) arrows: u32,
}

/// The bounds for every two tasks with tensors between them. `arrows` must be in order of [`Arrow::two_tasks`].
pub(super) fn bounds(arrows: &[Arrow]) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for own in arrows.chunk_by(|a, b| a.two_tasks() == b.two_tasks()) {
        let (first, second) = two_tasks(own);
        let (lowers, uppers) = of_difference(own, first);
        let (low, high) = kept_by_most(&lowers, &uppers);
        let arrows = own.len() as u32;
        let bound = |from, to, at_most| Bound { from, to, at_most, arrows };
        bounds.extend(high.map(|high| bound(first, second, high)));
        bounds.extend(low.map(|low| bound(second, first, low.saturating_neg())));
    }
    bounds
}

/// Which of `arrows`, in order of [`Arrow::two_tasks`], keep `bounds`. The bounds were made from some of the arrows. The other
/// arrows contradict most of the tensors, whatever the clocks are.
pub(super) fn kept(arrows: &[Arrow], bounds: &[Bound]) -> Vec<bool> {
    let mut kept = Vec::with_capacity(arrows.len());
    let mut rest = bounds;
    for own in arrows.chunk_by(|a, b| a.two_tasks() == b.two_tasks()) {
        let (first, second) = two_tasks(own);
        let is_own = |bound: &&Bound| (bound.from.min(bound.to), bound.from.max(bound.to)) == (first, second);
        let (of_pair, after) = rest.split_at(rest.iter().take_while(is_own).count());
        rest = after;
        let keeps = |arrow: &Arrow| {
            let bound = of_pair.iter().find(|bound| bound.from == arrow.source);
            bound.is_some_and(|bound| arrow.slack() >= bound.at_most)
        };
        kept.extend(own.iter().map(keeps));
    }
    kept
}

/// The two tasks of arrows that are all between the same tasks, the lower row first.
pub(super) fn two_tasks(own: &[Arrow]) -> (u32, u32) {
    own.first().map_or((0, 0), |any| (any.source.min(any.destination), any.source.max(any.destination)))
}

/// With `x = o[second] - o[first]`: the lower bounds and the upper bounds of x from the arrows between the two; both ascending.
pub(super) fn of_difference(own: &[Arrow], first: u32) -> (Vec<i64>, Vec<i64>) {
    let of =
        |source_is_first: bool| own.iter().filter(move |arrow| (arrow.source == first) == source_is_first);
    let mut uppers: Vec<i64> = of(true).map(Arrow::slack).collect();
    let mut lowers: Vec<i64> = of(false).map(|arrow| arrow.slack().saturating_neg()).collect();
    order::by_number(&mut uppers, |x| (x, 0));
    order::by_number(&mut lowers, |x| (x, 0));
    (lowers, uppers)
}

/// The interval of x that breaks the fewest of `lowers <= x <= uppers`, both ascending; of several the widest.
pub(super) fn kept_by_most(lowers: &[i64], uppers: &[i64]) -> (Option<i64>, Option<i64>) {
    let (Some(&highest), Some(&least)) = (lowers.last(), uppers.first()) else {
        return (lowers.last().copied(), uppers.first().copied());
    };
    if highest <= least {
        return (Some(highest), Some(least));
    }
    // With x at a lower bound, the lower bounds after it are broken, and the upper bounds before it.
    let at = |place: usize| {
        let low = lowers[place];
        let broken_uppers = uppers.partition_point(|&upper| upper < low);
        let broken_lowers = lowers.len() - lowers.partition_point(|&lower| lower <= low);
        let high = uppers.get(broken_uppers).copied();
        (broken_lowers + broken_uppers, low, high)
    };
    let width = |low: i64, high: Option<i64>| high.map_or(i64::MAX, |high| high.saturating_sub(low));
    let best = (0..lowers.len()).map(at).min_by_key(|&(broken, low, high)| (broken, -width(low, high)));
    // Below all lower bounds, exactly the lower bounds are broken.
    match best {
        Some((broken, low, high)) if broken < lowers.len() => (Some(low), high),
        _ => (None, Some(least)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_that_most_keep() {
        assert_eq!(kept_by_most(&[-9, -5], &[3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[], &[3, 8]), (None, Some(3)));
        assert_eq!(kept_by_most(&[-9], &[]), (Some(-9), None));
        // First one upper bound is absurd, then one lower bound.
        assert_eq!(kept_by_most(&[-9, -6, -5], &[-100, 3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[-9, -5, 90], &[2, 3, 8]), (Some(-5), Some(2)));
    }
}
