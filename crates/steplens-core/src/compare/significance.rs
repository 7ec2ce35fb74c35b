//! Whether steps of B differ from those of A, or only vary: the rank test of Mann and Whitney, and the median with its interval.
//!
//! A test says nothing of one step. Below [`LEAST_STEPS`] a side no difference can be significant at 5 %; below
//! six steps there is no interval of 95 %, as benchstat says of benchmarks, too.

use crate::base::units::Nanos;
use crate::steps::figures::Usual;

/// With fewer steps on a side, nothing is significant.
pub const LEAST_STEPS: usize = 4;
/// A difference is significant if it would be found by chance less often than this.
pub const LEVEL: f64 = 0.05;
/// Up to this product of both numbers, the test counts all orders; above, the normal distribution is near enough.
const MOST_COUNTED: usize = 2_500;

/// The values of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many there are.
    pub count: usize,
    /// The median; of an even number the mean of the two in the middle.
    pub median: Nanos,
    /// Where the median of all such steps lies, with a probability of at least 95 %.
    pub interval: Option<(Nanos, Nanos)>,
    /// How many lie outside of Tukey's fences. They count like all others.
    pub outliers: usize,
}

impl Sample {
    /// The figures of `values`; `None` without any.
    pub fn of(values: &[i64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let usual = Usual::computed(sorted.iter().copied())?;
        let outliers = sorted.iter().filter(|&&value| usual.stands_out(value)).count();
        let interval = interval_rank(sorted.len())
            .map(|rank| (Nanos(sorted[rank - 1]), Nanos(sorted[sorted.len() - rank])));
        Some(Self { count: sorted.len(), median: Nanos(median(&sorted)), interval, outliers })
    }
}

fn median(sorted: &[i64]) -> i64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[middle],
        _ => sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2,
    }
}

/// The largest rank `r` for which the median lies between the r-th smallest and the r-th largest of `count` values with at least
/// 95 %: each value is below the median as often as above it.
fn interval_rank(count: usize) -> Option<usize> {
    // The probability that fewer than `rank` values lie below, of a binomial distribution with one half.
    let (mut rank, mut below, mut term) = (0, 0.0, 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX)));
    if term == 0.0 {
        // The normal distribution, where the binomial one underflows.
        let half = count as f64 / 2.0 - 1.96 * (count as f64).sqrt() / 2.0;
        return Some((half.floor() as usize).max(1));
    }
    while rank < count / 2 && (below + term) * 2.0 <= LEVEL {
        below += term;
        term *= (count - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    (rank > 0).then_some(rank)
}

/// How likely values at least as different as `a` and `b` are if both are from one distribution. `None` below [`LEAST_STEPS`]
/// values on a side.
pub fn probability(a: &[i64], b: &[i64]) -> Option<f64> {
    if a.len() < LEAST_STEPS || b.len() < LEAST_STEPS {
        return None;
    }
    let mut all: Vec<(i64, bool)> = a.iter().map(|&value| (value, true)).collect();
    all.extend(b.iter().map(|&value| (value, false)));
    all.sort_unstable();
    // Twice the sum of the ranks of A, so that ties have whole ranks, and the sizes of ties.
    let (mut ranks, mut before, mut ties) = (0_u64, 0_u64, 0.0);
    for tied in all.chunk_by(|x, y| x.0 == y.0) {
        let count = tied.len() as u64;
        let own = tied.iter().filter(|(_, is_of_a)| *is_of_a).count() as u64;
        ranks += own * (2 * before + count + 1);
        before += count;
        ties += (count as f64).powi(3) - count as f64;
    }
    let (m, n) = (a.len(), b.len());
    let least = (m * (m + 1)) as u64;
    let twice_u = ranks - least;
    if ties == 0.0 && m * n <= MOST_COUNTED {
        return Some(counted(m, n, (twice_u / 2) as usize));
    }
    let (m, n) = (m as f64, n as f64);
    let count = m + n;
    let variance = m * n / 12.0 * (count + 1.0 - ties / (count * (count - 1.0)));
    if variance <= 0.0 {
        return Some(1.0);
    }
    let distance = ((twice_u as f64 / 2.0 - m * n / 2.0).abs() - 0.5).max(0.0);
    Some(two_tails(distance / variance.sqrt()))
}

/// The exact probability: of all orders of `m` and `n` different values, those whose `u` is at least as far from the middle.
fn counted(m: usize, n: usize, u: usize) -> f64 {
    // ways[i][u]: how many orders of i values of A among the values of B so far give u, as a part of all orders.
    let all = m * n;
    let mut ways = vec![vec![0.0_f64; all + 1]; m + 1];
    ways.iter_mut().for_each(|ways| ways[0] = 1.0);
    for j in 1..=n {
        for i in 1..=m {
            // The largest value is one of A, which has all j of B below it, or one of B.
            for u in (0..=i * j).rev() {
                let of_a = u.checked_sub(j).map_or(0.0, |rest| ways[i - 1][rest]);
                let (p, q) = (i as f64 / (i + j) as f64, j as f64 / (i + j) as f64);
                ways[i][u] = p * of_a + q * ways[i][u];
            }
        }
    }
    let tail: f64 = ways[m][..=u.min(all - u)].iter().sum();
    (2.0 * tail).min(1.0)
}

/// The probability that a normal value is farther than `z` deviations from the mean: Abramowitz and Stegun 7.1.26, to 1.5e-7.
fn two_tails(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let sum = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592]
        .iter()
        .fold(0.0, |sum, own| (sum + own) * t);
    (sum * (-x * x).exp()).clamp(0.0, 1.0)
}

/// Which of several tests are significant together, by Holm: among many tests some differ by chance.
pub fn significant(probabilities: &[Option<f64>]) -> Vec<bool> {
    let mut order: Vec<(f64, usize)> =
        probabilities.iter().enumerate().filter_map(|(row, p)| Some(((*p)?, row))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut found = vec![false; probabilities.len()];
    let count = order.len();
    for (rank, (p, row)) in order.into_iter().enumerate() {
        if p >= LEVEL / (count - rank) as f64 {
            break;
        }
        found[row] = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By its definition: the share of all divisions of the ranks whose U is at least as far from the middle.
    fn by_enumeration(a: &[i64], b: &[i64]) -> f64 {
        let all: Vec<i64> = a.iter().chain(b).copied().collect();
        let u_of = |mask: u32| {
            let is_of_a = |row: usize| mask >> row & 1 == 1;
            let rows = || 0..all.len();
            rows()
                .filter(|&x| is_of_a(x))
                .map(|x| rows().filter(|&y| !is_of_a(y) && all[y] < all[x]).count())
                .sum()
        };
        let (m, n) = (a.len(), b.len());
        let own: usize = u_of((1 << m) - 1);
        let edge = own.min(m * n - own);
        let masks: Vec<u32> = (0..1_u32 << (m + n)).filter(|mask| mask.count_ones() as usize == m).collect();
        let far = masks.iter().filter(|&&mask| {
            let u: usize = u_of(mask);
            u <= edge || u >= m * n - edge
        });
        (far.count() as f64 / masks.len() as f64).min(1.0)
    }

    #[test]
    fn the_exact_probability_is_that_of_all_orders() {
        let cases: [(&[i64], &[i64]); 4] = [
            (&[1, 2, 3, 4], &[5, 6, 7, 8]),
            (&[1, 3, 5, 7], &[2, 4, 6, 8]),
            (&[10, 2, 30, 4, 50], &[1, 20, 3, 40, 5, 60]),
            (&[7, 9, 11, 13, 2, 3], &[1, 4, 5, 6, 8, 10]),
        ];
        for (a, b) in cases {
            let (own, plain) = (probability(a, b).unwrap_or(9.0), by_enumeration(a, b));
            assert!((own - plain).abs() < 1e-12, "{a:?} {b:?}: {own} is not {plain}");
        }
        // 2 of 70 orders: the least that four and four can show.
        assert_eq!(probability(&[1, 2, 3, 4], &[5, 6, 7, 8]), Some(2.0 / 70.0));
        assert_eq!(probability(&[1, 2, 3], &[5, 6, 7, 8]), None);
    }

    #[test]
    fn with_ties_and_many_values_the_normal_distribution() {
        // U = 1.5; the variance with ties of two and two; erfc of Python's math gives 0.026 856 695 5.
        let p = probability(&[1, 2, 2, 3, 5], &[4, 5, 6, 6, 7]).unwrap_or(9.0);
        assert!((p - 0.026_856_695_5).abs() < 1e-6, "{p}");
        assert_eq!(probability(&[5; 8], &[5; 8]), Some(1.0));
        let (a, b): (Vec<i64>, Vec<i64>) = ((0..60).collect(), (0..60).map(|row| row + 200).collect());
        assert!(probability(&a, &b).is_some_and(|p| p < 1e-9));
        assert!((two_tails(1.959_964) - 0.05).abs() < 1e-6);
    }

    #[test]
    fn the_interval_of_the_median_begins_with_six() {
        let ranks = [5, 6, 8, 9, 12, 20, 100].map(interval_rank);
        // The tables of the sign test.
        assert_eq!(ranks, [None, Some(1), Some(1), Some(2), Some(3), Some(6), Some(40)]);
        let sample = Sample::of(&[6, 1, 2, 5, 3, 4, 100]).map(|own| (own.median, own.interval, own.outliers));
        assert_eq!(sample, Some((Nanos(4), Some((Nanos(1), Nanos(100))), 1)));
    }

    #[test]
    fn of_many_tests_some_differ_by_chance() {
        assert_eq!(significant(&[Some(0.04), Some(0.01), None, Some(0.02)]), [true, true, false, true]);
        assert_eq!(significant(&[Some(0.04), Some(0.03)]), [false, false]);
    }
}
