//! Lengths: a histogram of op durations.
//!
//! If the longest op is at least ten times as long as the shortest, each bin is about twice as long as the one before: 1, 2, 5, 10
//! and so on. Otherwise all bins are equal: 1, 2 or 5 times a power of ten nanoseconds wide.

use crate::Trace;
use crate::base::ids::OpId;
use crate::base::units::Nanos;

/// Equal bins are made wide enough that there are at most this many.
const MOST_EQUAL: i64 = 24;

/// Ops of about the same length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The least length.
    pub from: Nanos,
    /// All lengths are less than this.
    pub to: Nanos,
    /// The number of ops.
    pub count: u64,
    /// The sum of their lengths.
    pub total: Nanos,
}

/// The lengths of `ops` in bins, from the shortest op to the longest, including empty bins between them.
pub fn lengths<I: Iterator<Item = OpId>>(trace: &Trace, ops: impl Fn() -> I) -> Vec<Bin> {
    let length = |op| trace.ops().interval(op).length().0.max(0);
    let (shortest, longest) = ops()
        .map(length)
        .fold((i64::MAX, i64::MIN), |(least, most), length| (least.min(length), most.max(length)));
    if shortest > longest {
        return Vec::new();
    }
    let edges = match longest / 10 >= shortest.max(1) {
        true => doubling(shortest, longest),
        false => equal(shortest, longest),
    };
    let mut bins: Vec<Bin> = edges
        .windows(2)
        .map(|pair| Bin { from: Nanos(pair[0]), to: Nanos(pair[1]), count: 0, total: Nanos(0) })
        .collect();
    for op in ops() {
        let length = length(op);
        let place = bins.partition_point(|bin| bin.to.0 <= length);
        if let Some(bin) = bins.get_mut(place) {
            bin.count += 1;
            bin.total += Nanos(length);
        }
    }
    bins
}

/// 0, 1, 2, 5, 10, …: from the last that is at most `shortest` to the first above `longest`.
fn doubling(shortest: i64, longest: i64) -> Vec<i64> {
    let decades = std::iter::successors(Some(1_i64), |&decade| decade.checked_mul(10));
    let steps = decades.flat_map(|decade| [1, 2, 5].map(|step| decade.saturating_mul(step)));
    let all: Vec<i64> = std::iter::once(0).chain(steps).chain([i64::MAX]).collect();
    let first = all.partition_point(|&edge| edge <= shortest).saturating_sub(1);
    let end = all.partition_point(|&edge| edge <= longest).min(all.len() - 1);
    all[first..=end].to_vec()
}

fn equal(shortest: i64, longest: i64) -> Vec<i64> {
    let decades = std::iter::successors(Some(1_i64), |&decade| decade.checked_mul(10));
    let mut widths = decades.flat_map(|decade| [1, 2, 5].map(|step| decade.saturating_mul(step)));
    let fits = |&width: &i64| longest / width - shortest / width < MOST_EQUAL;
    let width = widths.find(fits).unwrap_or(i64::MAX);
    let bins = longest / width - shortest / width + 1;
    (0..=bins).map(|bin| (shortest / width).saturating_add(bin).saturating_mul(width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_hold_the_shortest_and_the_longest() {
        assert_eq!(doubling(0, 12), [0, 1, 2, 5, 10, 20]);
        assert_eq!(doubling(7, 100), [5, 10, 20, 50, 100, 200]);
        assert_eq!(equal(0, 0), [0, 1]);
        assert_eq!(equal(100, 123), (100..=124).collect::<Vec<_>>());
        assert_eq!(equal(100, 124), (50..=63).map(|edge| 2 * edge).collect::<Vec<_>>()[..14]);
        for (shortest, longest) in [(i64::MAX - 3, i64::MAX), (1, i64::MAX), (i64::MAX, i64::MAX)] {
            for edges in [doubling(shortest, longest), equal(shortest, longest)] {
                assert!(edges[0] <= shortest && edges.windows(2).all(|pair| pair[0] <= pair[1]), "{edges:?}");
            }
        }
    }
}
