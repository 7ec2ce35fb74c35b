//! Whether ops that were joined by their order run at one time. In a collective every rank needs what every other gives: its op cannot
//! end on one rank before it starts on another. Clocks that differ move all ops of a rank by one offset; what no offset brings together
//! was joined wrongly, because a rank took part in others, or because a recording began or ended in between.

use crate::base::order;
use crate::base::units::Interval;
use std::ops::Range;

/// A kernel's times are rounded to microseconds in many files.
const ROUNDING: i64 = 1_000;
/// If more than one in this many cannot be explained, their order says nothing of the others, either.
const MOST_CONTRADICTING: usize = 10;
/// Who only gives, or only takes, does not need all others: it may end before they start.
const ONE_WAY: [&str; 5] = ["broadcast", "bcast", "reduce", "gather", "scatter"];
/// Names that hold one of these, too, and are not one-way.
const OF_ALL: [&str; 3] = ["allreduce", "allgather", "reducescatter"];

/// Whether in the operation or kernel `name` all ranks need one another.
pub(super) fn needs_all(name: &str) -> bool {
    let plain: String =
        name.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect();
    let holds = |all: &[&str]| all.iter().any(|own| plain.contains(own));
    holds(&OF_ALL) || !holds(&ONE_WAY)
}

/// For each of `joined`, whose ops are in one order of ranks, whether its ops may belong together.
pub(super) fn may_be_together<T: Copy>(joined: &[Vec<T>], interval: &dyn Fn(T) -> Interval) -> Vec<bool> {
    let ranks = joined.iter().map(Vec::len).min().unwrap_or(0);
    let mut may_be = vec![true; joined.len()];
    for rank in 1..ranks {
        // How much the first rank's clock may be ahead of this one's.
        let ahead: Vec<(i64, i64)> = joined
            .iter()
            .map(|ops| {
                let (first, own) = (interval(ops[0]), interval(ops[rank]));
                let least = first.start.0.saturating_sub(own.end.0).saturating_sub(ROUNDING);
                (least, first.end.0.saturating_sub(own.start.0).saturating_add(ROUNDING))
            })
            .collect();
        let offset = common(&ahead);
        for (may_be, &(least, most)) in may_be.iter_mut().zip(&ahead) {
            *may_be &= (least..=most).contains(&offset);
        }
    }
    let contradicting = may_be.iter().filter(|may_be| !**may_be).count();
    if contradicting.saturating_mul(MOST_CONTRADICTING) > joined.len() {
        may_be.fill(false);
    }
    may_be
}

/// The most collectives that the recording of one rank has more than another.
const MOST_MORE: usize = 8;

/// Leaves of each of `devices`, the rows of one rank's ops, those that run at the same time as the ops of the rank that has fewest: recordings may
/// begin at different collectives. Of several places with as many the last, because recordings end together. Returns what is left next to what was
/// there; leaves all where some have many more.
pub(super) fn aligned(
    devices: &mut [Range<usize>],
    interval: &dyn Fn(usize) -> Interval,
) -> Vec<(Range<usize>, Range<usize>)> {
    let Some(fewest) = devices.iter().min_by_key(|own| own.len()).cloned() else { return Vec::new() };
    let most = devices.iter().map(Range::len).max().unwrap_or(0);
    if most == fewest.len() || most - fewest.len() > MOST_MORE {
        return Vec::new();
    }
    let overlap = |a: usize, b: usize| {
        let (a, b) = (interval(a), interval(b));
        a.start < b.end && b.start < a.end
    };
    let mut found = Vec::new();
    for own in devices {
        let all = own.clone();
        let together =
            |first: usize| fewest.clone().enumerate().filter(|&(at, row)| overlap(first + at, row)).count();
        let last = own.end - fewest.len();
        let first = (own.start..=last).max_by_key(|&first| (together(first), first)).unwrap_or(last);
        *own = first..first + fewest.len();
        found.push((own.clone(), all));
    }
    found
}

/// The offset that most of `ahead` allow; none at all if as many allow that.
fn common(ahead: &[(i64, i64)]) -> i64 {
    let allow = |offset: i64| ahead.iter().filter(|own| (own.0..=own.1).contains(&offset)).count();
    let as_recorded = allow(0);
    if as_recorded == ahead.len() {
        return 0;
    }
    let mut bounds: Vec<(i64, i64)> =
        ahead.iter().flat_map(|&(least, most)| [(least, -1), (most, 1)]).collect();
    // Where one begins and another ends, both allow the offset.
    order::by_number(&mut bounds, |bound| bound);
    let (mut now, mut most) = (0, (as_recorded, 0));
    for (offset, side) in bounds {
        if side < 0 {
            now += 1;
            if now > most.0 {
                most = (now, offset);
            }
        } else {
            now -= 1;
        }
    }
    most.1
}

#[cfg(test)]
mod tests {
    use super::{may_be_together, needs_all};
    use crate::base::units::{Interval, Timestamp};

    /// Each collective as the (start, end) of its op on each rank, in µs.
    fn together(collectives: &[&[(i64, i64)]]) -> Vec<bool> {
        let joined: Vec<Vec<(i64, i64)>> = collectives.iter().map(|own| own.to_vec()).collect();
        let of = |(start, end): (i64, i64)| Interval::new(Timestamp(start * 1_000), Timestamp(end * 1_000));
        may_be_together(&joined, &of)
    }

    #[test]
    fn one_offset_explains_clocks_that_differ() {
        let skewed = |at: i64| [(at, at + 10), (at + 5, at + 10), (at + 10_000, at + 10_010)];
        assert_eq!(together(&[&skewed(0), &skewed(50), &skewed(90)]), [true; 3]);
    }

    #[test]
    fn what_no_offset_brings_together_is_none() {
        // Shifted by one where the times between differ: 40, 100 and 10.
        let pairs: [&[(i64, i64)]; 3] =
            [&[(0, 10), (40, 50)], &[(40, 50), (140, 150)], &[(140, 150), (150, 160)]];
        assert_eq!(together(&pairs), [false; 3]);
    }

    #[test]
    fn one_of_many_is_left_out_alone() {
        let mut pairs: Vec<Vec<(i64, i64)>> =
            (0..20).map(|at| vec![(at * 100, at * 100 + 20), (at * 100 + 10, at * 100 + 20)]).collect();
        pairs[7][1] = (760, 770);
        let pairs: Vec<&[(i64, i64)]> = pairs.iter().map(Vec::as_slice).collect();
        let found = together(&pairs);
        assert_eq!(found.iter().filter(|own| !**own).count(), 1);
        assert!(!found[7]);
    }

    #[test]
    fn who_only_gives_needs_no_other() {
        for name in
            ["ncclDevKernel_AllReduce_Sum_f32_RING_LL", "_reduce_scatter_base", "all_to_all", "SendRecv"]
        {
            assert!(needs_all(name), "{name}");
        }
        for name in ["CollectiveBcastSend", "ncclKernel_Broadcast_RING", "reduce", "gather"] {
            assert!(!needs_all(name), "{name}");
        }
    }
}
