//! What the tensors between two tasks say of the difference of their clocks.
//!
//! For every two tasks the difference is sought that breaks the fewest bounds, which is how NTP finds its false tickers
//! (Marzullo's algorithm); what it breaks is left out.
//!
//! A `RecvTensor`'s own start would bound more tightly than the making, since it leaves out the wait for the sending. But it is
//! the sender's clock only where TensorFlow did not replace it by the receiver's (`grpc_remote_worker.cc`), which no single record
//! tells. So the bounds do without it, and only the estimate between them makes use of it: of starts that lie within the bounds.

use super::arrows::Arrow;
use crate::order;

/// By so many of the next fastest it is told how long the fastest waited.
const NEXT_ONES: usize = 4;

/// `o[to] - o[from] <= at_most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) at_most: i64,
    /// What it most likely is at most, by the recorded starts; no more than `at_most`.
    pub(super) likely: i64,
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
        let (likely_low, likely_high) = likely(own, first, low, high);
        let arrows = own.len() as u32;
        let bound = |from, to, at_most, likely| Bound { from, to, at_most, likely, arrows };
        bounds.extend(high.zip(likely_high).map(|(high, likely)| bound(first, second, high, likely)));
        let backwards = low.zip(likely_low);
        bounds.extend(
            backwards
                .map(|(low, likely)| bound(second, first, low.saturating_neg(), likely.saturating_neg())),
        );
    }
    bounds
}

/// The same, with what is likely in the place of what is certain.
pub(super) fn likely_ones(bounds: &[Bound]) -> Vec<Bound> {
    bounds.iter().map(|bound| Bound { at_most: bound.likely, ..*bound }).collect()
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

/// `low <= x <= high`, drawn together by the recorded starts of `arrows` that lie within, and by how much even the fastest most
/// likely waited.
fn likely(arrows: &[Arrow], first: u32, low: Option<i64>, high: Option<i64>) -> (Option<i64>, Option<i64>) {
    let (Some(least), Some(most)) = (low, high) else { return (low, high) };
    // By direction, how long what was kept took, by two clocks: from the sending where that is possible, or else from the making.
    let took = |source_is_first: bool| {
        let (fastest, slowest) = if source_is_first { (least, most) } else { (-most, -least) };
        let own = arrows.iter().filter(move |arrow| (arrow.source == first) == source_is_first);
        let own = own.map(move |arrow| match (arrow.received - arrow.sent).0 {
            wire if arrow.sent < arrow.received && (fastest..=slowest).contains(&wire) => wire,
            _ => arrow.slack(),
        });
        let mut took: Vec<i64> = own.filter(|&took| took >= fastest).collect();
        order::by_number(&mut took, |took| (took, 0));
        took.dedup();
        took
    };
    let (forwards, backwards) = (took(true), took(false));
    let (Some(&closer_high), Some(&closer_low)) = (forwards.first(), backwards.first()) else {
        return (low, high);
    };
    let (closer_low, closer_high) = (least.max(-closer_low), most.min(closer_high));
    let room = closer_high.saturating_sub(closer_low);
    if room < 0 {
        return (low, high);
    }
    let (late, early) = (waited(&forwards), waited(&backwards));
    let both = late.saturating_add(early);
    // Where they are more than there is room for, both in proportion.
    let share = |wait: i64| match both > room {
        true => (room as f64 * wait as f64 / both as f64) as i64,
        false => wait,
    };
    let (likely_low, likely_high) = (closer_low + share(early), closer_high - share(late));
    if likely_low <= likely_high { (Some(likely_low), Some(likely_high)) } else { (low, high) }
}

/// How much longer the fastest took than it would have, had it not waited at all: where waits are exponential, the first lies as
/// far above none as the next ones lie above each other.
fn waited(took: &[i64]) -> i64 {
    let last = took.len().saturating_sub(1).min(NEXT_ONES);
    match (took.first(), took.get(last)) {
        (Some(first), Some(next)) if last > 0 => next.saturating_sub(*first) / last as i64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Timestamp;

    #[test]
    fn the_bounds_that_most_keep() {
        assert_eq!(kept_by_most(&[-9, -5], &[3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[], &[3, 8]), (None, Some(3)));
        assert_eq!(kept_by_most(&[-9], &[]), (Some(-9), None));
        // One upper bound is absurd, then one lower.
        assert_eq!(kept_by_most(&[-9, -6, -5], &[-100, 3, 8]), (Some(-5), Some(3)));
        assert_eq!(kept_by_most(&[-9, -5, 90], &[2, 3, 8]), (Some(-5), Some(2)));
    }

    #[test]
    fn starts_within_the_bounds_draw_them_together() {
        let sent = |source: u32, wire: i64| Arrow {
            source,
            destination: 1 - source,
            made: Timestamp(-wire),
            sent: Timestamp(-wire),
            received: Timestamp(0),
        };
        let likely = |arrows: &[Arrow]| likely(arrows, 0, Some(-100), Some(300));
        assert_eq!(likely(&[sent(0, 20), sent(1, 30)]), (Some(-30), Some(20)));
        // Not the sender's clock: outside of what can be.
        assert_eq!(likely(&[sent(0, 400), sent(1, 150)]), (Some(-100), Some(300)));
        // The next ones after 20 came 16 apart, and so did 20 after it was sent; 30 was the only one.
        let next = [sent(0, 36), sent(0, 20), sent(0, 52), sent(1, 30)];
        assert_eq!(likely(&next), (Some(-30), Some(4)));
    }
}
