//! Moments in nearly ascending order, in four bytes each: distances from the earliest of every block.

use crate::base::units::Timestamp;

/// Moments a block. Of a step, blocks span less than the 4.3 s that four bytes hold.
const BLOCK: usize = 128;
/// Marks a moment that is too far from its block's first, and kept aside.
const ASIDE: u32 = u32::MAX;

/// When things happened, by row; it never changes.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    /// The earliest moment of each block.
    first: Vec<i64>,
    after: Vec<u32>,
    /// (row, moment) of those that are too far, in order of rows.
    aside: Vec<(u32, i64)>,
}

impl Moments {
    /// Stores `rows` moments; those of a block should lie together.
    #[inline]
    pub fn of(rows: usize, moments: impl Iterator<Item = Timestamp>) -> Self {
        let mut stored = Self {
            first: Vec::with_capacity(rows.div_ceil(BLOCK)),
            after: Vec::with_capacity(rows),
            aside: Vec::new(),
        };
        let mut block = Vec::with_capacity(BLOCK);
        for moment in moments {
            block.push(moment.0);
            if block.len() == BLOCK {
                stored.push_block(&block);
                block.clear();
            }
        }
        stored.push_block(&block);
        stored
    }

    fn push_block(&mut self, block: &[i64]) {
        let Some(first) = block.iter().copied().min() else { return };
        self.first.push(first);
        for &moment in block {
            // The distance of any two `i64` fits a `u64`.
            let after = moment.wrapping_sub(first) as u64;
            let after = u32::try_from(after).unwrap_or(ASIDE);
            if after == ASIDE {
                self.aside.push((self.after.len() as u32, moment));
            }
            self.after.push(after);
        }
    }

    /// The moment of `row`, which must exist.
    #[inline]
    pub fn get(&self, row: usize) -> Timestamp {
        match self.after[row] {
            ASIDE => self.far(row),
            after => Timestamp(self.first[row / BLOCK] + i64::from(after)),
        }
    }

    #[cold]
    fn far(&self, row: usize) -> Timestamp {
        let place = self.aside.binary_search_by_key(&(row as u32), |&(row, _)| row);
        Timestamp(place.map_or(0, |place| self.aside[place].1))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.first.capacity() * 8 + self.after.capacity() * 4 + self.aside.capacity() * 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_near_and_far_come_back() {
        let mut moments: Vec<i64> = (0..1000).map(|i| i * 1_000_000 + i * i % 7).collect();
        moments.extend([i64::MIN, 0, i64::MAX, 5, i64::from(u32::MAX), i64::from(u32::MAX) - 1]);
        moments.extend((0..300).map(|i| i * 1_000_000_000));
        let stored = Moments::of(moments.len(), moments.iter().map(|&moment| Timestamp(moment)));
        assert!(moments.iter().enumerate().all(|(row, &moment)| stored.get(row) == Timestamp(moment)));
        let near = Moments::of(1000, moments[..1000].iter().map(|&moment| Timestamp(moment)));
        assert_eq!((near.len(), near.heap_bytes()), (1000, 1000 * 4 + 8 * 8));
    }
}
