//! Steps of a program of PyTorch that marks none (no `prof.step()`): each ends where a range `Optimizer.step#NAME.step` ends, which PyTorch writes
//! around every step of an optimizer.
//!
//! A program may have several optimizers, or step one of them more often than the others: of several names the rarest counts, and of one name
//! each `p`-th, where `p` is the smallest number after which the program runs as many ops again. Where it never does, nothing is marked.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_core::build::builder::{DeviceSlot, Mark, TraceBuilder};

/// What these ranges begin with.
pub(super) const RANGE: &[u8] = b"Optimizer.step#";
/// Fewer steps are no habit.
const LEAST_STEPS: usize = 3;
/// A step calls at most this many optimizers of one name.
const MOST_OPTIMIZERS: usize = 4;
/// Numbers of ops are alike if they differ by this part at most, as its divisor.
const ALIKE: usize = 20;
/// This part of the steps, in percent, is alike.
const ALIKE_PERCENT: usize = 75;

/// The rows of the ranges with which steps end, in order, among these `rows` of ranges of optimizers; empty if they mark no steps.
pub(super) fn ends(mark: Mark, rows: &[u32], builder: &TraceBuilder) -> Vec<u32> {
    let mut of_name: HashMap<&str, Vec<u32>, FixedState> = HashMap::default();
    for &row in rows.iter().filter(|&&row| !builder.is_discarded(row)) {
        of_name.entry(builder.name_of(row)).or_default().push(row);
    }
    let end = |row: u32| builder.run_of(row).1.end;
    of_name.values_mut().for_each(|own| own.sort_by_key(|&row| (end(row), row)));
    let is_habit = |own: &&Vec<u32>| own.len() >= LEAST_STEPS && are_of_one_thread(own, builder).is_some();
    let last = |own: &[u32]| own.last().map_or(0, |&row| end(row));
    let rarest =
        of_name.values().filter(is_habit).min_by_key(|own| (own.len(), std::cmp::Reverse(last(own))));
    let Some((own, thread)) = rarest.and_then(|own| Some((own, are_of_one_thread(own, builder)?))) else {
        return Vec::new();
    };
    let mut starts: Vec<i64> = builder
        .rows_since(mark)
        .filter(|&row| thread_of(row, builder) == thread && !builder.is_range(row))
        .map(|row| builder.start_of(row))
        .collect();
    starts.sort_unstable();
    let begun: Vec<usize> =
        own.iter().map(|&row| starts.partition_point(|&start| start < end(row))).collect();
    // Of the first step it is not known whether all of it was recorded.
    let counts: Vec<usize> = begun.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let Some(optimizers) = (1..=MOST_OPTIMIZERS).find(|&count| is_period(&counts, count)) else {
        return Vec::new();
    };
    let ends: Vec<u32> = own.iter().copied().skip(optimizers - 1).step_by(optimizers).collect();
    if ends.len() < LEAST_STEPS { Vec::new() } else { ends }
}

/// The thread of the op in `row`.
fn thread_of(row: u32, builder: &TraceBuilder) -> (DeviceSlot, u32) {
    (builder.block_of(row), builder.run_of(row).0)
}

/// The thread of all these ops, if it is one.
fn are_of_one_thread(rows: &[u32], builder: &TraceBuilder) -> Option<(DeviceSlot, u32)> {
    let first = thread_of(*rows.first()?, builder);
    rows.iter().all(|&row| thread_of(row, builder) == first).then_some(first)
}

/// Whether there are as many ops again after `period` of these numbers.
fn is_period(counts: &[usize], period: usize) -> bool {
    let pairs = || counts.iter().zip(counts.iter().skip(period));
    let is_alike = |&(&a, &b): &(&usize, &usize)| a > 0 && a.abs_diff(b) * ALIKE <= a.max(b);
    pairs().count() > 0 && pairs().filter(is_alike).count() * 100 >= pairs().count() * ALIKE_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_ops_tell_how_many_optimizers_there_are() {
        let of = |counts: &[usize]| (1..=MOST_OPTIMIZERS).find(|&count| is_period(counts, count));
        assert_eq!(of(&[100, 100, 102, 100]), Some(1));
        assert_eq!(of(&[100, 40, 100, 41, 100]), Some(2));
        assert_eq!(of(&[30, 30, 90, 30, 30, 90, 30, 30]), Some(3));
        assert_eq!(of(&[10, 20, 40, 80, 160, 320]), None);
        assert_eq!([of(&[]), of(&[5]), of(&[0, 0, 0])], [None; 3]);
    }
}
