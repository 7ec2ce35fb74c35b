//! Which rows of one table belong to each row of another: one byte per row, where a plain index takes four.

use crate::storage::chunked::Chunked;
use std::ops::Range;

/// The number of rows between two sums.
const BLOCK: usize = 64;
/// Marks a count that is stored aside.
const ASIDE: u8 = u8::MAX;

/// Rows `first[i] .. first[i + 1]`.
pub(crate) fn range(first: &[u32], index: usize) -> Range<usize> {
    let start = first.get(index).copied().unwrap_or(0) as usize;
    start..first.get(index + 1).map_or(start, |&end| end as usize)
}

/// The number of items in each row, while a reader adds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RangesBuilder {
    /// Where the items of each row start.
    first: Chunked<u32>,
    next: u32,
}

impl RangesBuilder {
    /// Starts the next row.
    #[inline]
    pub(crate) fn next_row(&mut self) {
        self.first.push(self.next);
    }

    /// Adds one item to the current row.
    #[inline]
    pub(crate) fn push(&mut self) {
        self.next += 1;
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// The number of items in all rows.
    pub(crate) fn pushed(&self) -> u32 {
        self.next
    }

    /// Appends the rows of `other`.
    pub(crate) fn append(&mut self, other: &Self) {
        other.first.iter().for_each(|first| self.first.push(first + self.next));
        self.next += other.next;
    }

    /// The items of `row`.
    pub(crate) fn range(&self, row: usize) -> Range<u32> {
        let end = if row + 1 < self.first.len() { self.first.get(row + 1) } else { self.next };
        self.first.get(row)..end
    }

    /// The ranges of the rows `picks` of `old`, in that order, and the old index of each item in them.
    pub(crate) fn picked(old: &Ranges, picks: impl ExactSizeIterator<Item = usize>) -> (Ranges, Vec<u32>) {
        let mut builder = Self::default();
        let mut places = Vec::new();
        let identity: Vec<u32> = (0..picks.len() as u32).collect();
        for pick in picks {
            builder.next_row();
            for place in old.get(pick) {
                builder.push();
                places.push(place as u32);
            }
        }
        (builder.finish(&identity).0, places)
    }

    /// The ranges in the order of `rows`, and the old index of each item in them.
    pub(crate) fn finish(self, rows: &[u32]) -> (Ranges, Vec<u32>) {
        let mut order = Vec::with_capacity(self.next as usize);
        let mut ranges = Ranges::default();
        if self.next == 0 {
            return (ranges, order);
        }
        ranges.counts.reserve_exact(rows.len());
        ranges.sums.reserve_exact(rows.len().div_ceil(BLOCK));
        for (row, &old) in rows.iter().enumerate() {
            if row % BLOCK == 0 {
                ranges.sums.push(order.len() as u32);
            }
            let own = self.range(old as usize);
            let count = u8::try_from(own.len()).unwrap_or(ASIDE);
            if count == ASIDE {
                ranges.aside.push((row as u32, own.len() as u32));
            }
            ranges.counts.push(count);
            order.extend(own);
        }
        (ranges, order)
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.first.heap_bytes()
    }
}

/// Consecutive ranges, one per row.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// The number of items in each row. Empty if no row has any.
    counts: Vec<u8>,
    /// The start of the range of every [`BLOCK`]th row.
    sums: Vec<u32>,
    /// (row, count) of the rows whose count does not fit in a byte, in order of rows.
    aside: Vec<(u32, u32)>,
}

impl Ranges {
    /// Ranges with these lengths, one after the other.
    #[inline]
    pub fn of(rows: usize, lengths: impl Iterator<Item = u32>) -> Self {
        let mut ranges = Self::default();
        ranges.counts.reserve_exact(rows);
        ranges.sums.reserve_exact(rows.div_ceil(BLOCK));
        let mut sum = 0_u32;
        for (row, length) in lengths.enumerate() {
            if row % BLOCK == 0 {
                ranges.sums.push(sum);
            }
            let count = u8::try_from(length).unwrap_or(ASIDE);
            if count == ASIDE {
                ranges.aside.push((row as u32, length));
            }
            ranges.counts.push(count);
            sum = sum.wrapping_add(length);
        }
        if sum == 0 { Self::default() } else { ranges }
    }

    /// Ranges with these lengths, one after the other. Quick if all of them are small.
    pub fn of_bytes(lengths: &[u8]) -> Self {
        if lengths.contains(&ASIDE) {
            return Self::of(lengths.len(), lengths.iter().map(|&length| u32::from(length)));
        }
        let block_sum = |block: &[u8]| block.iter().map(|&length| u32::from(length)).sum::<u32>();
        let mut sum = 0_u32;
        let sums = lengths.chunks(BLOCK).map(|block| {
            let before = sum;
            sum = sum.wrapping_add(block_sum(block));
            before
        });
        let sums: Vec<u32> = sums.collect();
        if sum == 0 { Self::default() } else { Self { counts: lengths.to_vec(), sums, aside: Vec::new() } }
    }

    /// The items of `row`.
    pub fn get(&self, row: usize) -> Range<usize> {
        let Some(&count) = self.counts.get(row) else { return 0..0 };
        let block = row / BLOCK * BLOCK;
        let before = &self.counts[block..row];
        let start = self.sums[row / BLOCK] as usize
            + before.iter().map(|&count| usize::from(count)).sum::<usize>()
            + if self.aside.is_empty() { 0 } else { self.excess(block, row) };
        let count = if count == ASIDE { self.large(row) } else { usize::from(count) };
        start..start + count
    }

    /// The number of items in all rows.
    pub fn total(&self) -> usize {
        self.counts.len().checked_sub(1).map_or(0, |last| self.get(last).end)
    }

    /// How much is missing in the sum of the bytes `from..to`.
    fn excess(&self, from: usize, to: usize) -> usize {
        let first = self.aside.partition_point(|&(row, _)| (row as usize) < from);
        let large = self.aside[first..].iter().take_while(|&&(row, _)| (row as usize) < to);
        large.map(|&(_, count)| count as usize - usize::from(ASIDE)).sum()
    }

    fn large(&self, row: usize) -> usize {
        let place = self.aside.binary_search_by_key(&(row as u32), |&(row, _)| row);
        place.map_or(0, |place| self.aside[place].1 as usize)
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.counts.capacity() + self.sums.capacity() * 4 + self.aside.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_follow_one_another_in_the_new_order() {
        let counts: Vec<u32> = (0..500).map(|row| [0, 1, 3, 254, 255, 256, 1000][row * row % 7]).collect();
        let mut builder = RangesBuilder::default();
        for &count in &counts {
            builder.next_row();
            (0..count).for_each(|_| builder.push());
        }
        let rows: Vec<u32> = (0..500).map(|row| row * 77 % 500).collect();
        let (ranges, order) = builder.finish(&rows);
        let mut next = 0;
        for (row, &old) in rows.iter().enumerate() {
            let range = ranges.get(row);
            assert_eq!((range.start, range.len()), (next, counts[old as usize] as usize));
            next = range.end;
            let first: u32 = counts[..old as usize].iter().sum();
            assert!(order[range].iter().copied().eq((first..).take(counts[old as usize] as usize)));
        }
        assert_eq!((ranges.get(500), order.len()), (0..0, next));
    }

    #[test]
    fn nothing_takes_no_room() {
        let mut builder = RangesBuilder::default();
        (0..100).for_each(|_| builder.next_row());
        let (ranges, order) = builder.finish(&(0..100).collect::<Vec<_>>());
        assert_eq!((ranges.get(5), ranges.heap_bytes(), order.len()), (0..0, 0, 0));
    }
}
