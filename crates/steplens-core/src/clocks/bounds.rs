//! What the tensors between two tasks say of the difference of their clocks.
//!
//! For every two tasks the difference is sought that breaks the fewest bounds, which is how NTP finds its false tickers
//! (Marzullo's algorithm); what it breaks is left out.
//!
//! A `RecvTensor`'s own start would bound more tightly than the making, since it leaves out the wait for the sending. But it is
//! the sender's clock only where TensorFlow did not replace it by the receiver's (`grpc_remote_worker.cc`), which no single record
//! says: a replaced one may lie between the bounds as well, and be off by as much as the clocks are. So it is not made use of.

use super::arrows::Arrow;
use crate::base::order;

/// `o[to] - o[from] <= at_most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) at_most: i64,
    /// How many tensors say so, or contradict.
    pub(super) arrows: u32,
}

/// Of every two tasks that tensors went between; `arrows` are in order of [`Arrow::two_tasks`].
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

/// Which of `arrows`, in order of [`Arrow::two_tasks`], keep `bounds` that were made of some of them. The others contradict
/// more of what the tensors say, whatever the clocks.
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

/// The two tasks of arrows that are all between them, in order.
pub(super) fn two_tasks(own: &[Arrow]) -> (u32, u32) {
    own.first().map_or((0, 0), |any| (any.source.min(any.destination), any.source.max(any.destination)))
}

/// With `x = o[second] - o[first]`: what it is at least, and at most, by each of the arrows between the two; both ascending.
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
    // x at a lower bound: those after it are broken, and the upper ones before it.
    let at = |place: usize| {
        let low = lowers[place];
        let broken_uppers = uppers.partition_point(|&upper| upper < low);
        let broken_lowers = lowers.len() - lowers.partition_point(|&lower| lower <= low);
        let high = uppers.get(broken_uppers).copied();
        (broken_lowers + broken_uppers, low, high)
    };
    let width = |low: i64, high: Option<i64>| high.map_or(i64::MAX, |high| high.saturating_sub(low));
    let best = (0..lowers.len()).map(at).min_by_key(|&(broken, low, high)| (broken, -width(low, high)));
    // Below all lower bounds only these are broken.
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
        // One upper bound is absurd, then one lower.
        assert_eq!(kept_by_most(&[-9, -6, -5], &[-100, 3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[-9, -5, 90], &[2, 3, 8]), (Some(-5), Some(2)));
    }
}
