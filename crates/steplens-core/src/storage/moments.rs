//! Moments in nearly ascending order, in four bytes each: distances from the earliest of every block.

use crate::base::units::Timestamp;

/// The number of moments in a block. In a step, a block spans less than the 4.3 s that fit in four bytes.
pub(crate) const BLOCK: usize = 128;
/// Marks a moment that is too far from the first of its block, and is stored aside.
const ASIDE: u32 = u32::MAX;

/// Times by row; immutable.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    /// The earliest moment of each block.
    first: Vec<i64>,
    after: Vec<u32>,
    /// (row, moment) of the moments that are stored aside, in order of rows.
    aside: Vec<(u32, i64)>,
}

impl Moments {
    /// Stores `rows` moments. The moments of a block should be close together.
    #[inline]
    pub fn of(rows: usize, moments: impl Iterator<Item = Timestamp>) -> Self {
        let mut builder = MomentsBuilder::with_rows(rows);
        moments.for_each(|moment| builder.push(moment));
        builder.finish()
    }

    #[inline]
    fn push_block(&mut self, block: &[i64]) {
        let Some(first) = block.iter().copied().min() else { return };
        self.first.push(first);
        let (mut farthest, rows) = (0, self.after.len());
        self.after.extend(block.iter().map(|&moment| {
            // The distance of any two `i64` fits a `u64`.
            let after = moment.wrapping_sub(first) as u64;
            farthest = farthest.max(after);
            after.min(u64::from(ASIDE)) as u32
        }));
        if farthest >= u64::from(ASIDE) {
            let is_far = |&(_, moment): &(usize, &i64)| moment.wrapping_sub(first) as u64 >= u64::from(ASIDE);
            let far = block.iter().enumerate().filter(is_far);
            self.aside.extend(far.map(|(place, &moment)| ((rows + place) as u32, moment)));
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

    /// Fills `out` with the moments from row `from` on. `from` must be the first row of a block of [`BLOCK`].
    #[inline]
    pub(crate) fn read(&self, from: usize, out: &mut [i64]) {
        let blocks = out.chunks_mut(BLOCK).zip(self.after[from..].chunks(BLOCK));
        for ((out, after), &first) in blocks.zip(&self.first[from / BLOCK..]) {
            out.iter_mut().zip(after).for_each(|(out, &after)| *out = first + i64::from(after));
        }
        let far = self.aside.partition_point(|&(row, _)| (row as usize) < from);
        for &(row, moment) in &self.aside[far..] {
            let Some(out) = out.get_mut(row as usize - from) else { break };
            *out = moment;
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Whether there are no moments.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.first.capacity() * 8 + self.after.capacity() * 4 + self.aside.capacity() * 16
    }
}

/// Collects moments row by row.
#[derive(Debug)]
pub struct MomentsBuilder {
    stored: Moments,
    block: [i64; BLOCK],
    used: usize,
}

impl MomentsBuilder {
    /// A builder with room for `rows` moments.
    pub fn with_rows(rows: usize) -> Self {
        let stored = Moments {
            first: Vec::with_capacity(rows.div_ceil(BLOCK)),
            after: Vec::with_capacity(rows),
            aside: Vec::new(),
        };
        Self { stored, block: [0; BLOCK], used: 0 }
    }

    /// Adds the moment of the next row.
    #[inline]
    pub fn push(&mut self, moment: Timestamp) {
        self.block[self.used % BLOCK] = moment.0;
        self.used += 1;
        if self.used == BLOCK {
            self.stored.push_block(&self.block);
            self.used = 0;
        }
    }

    /// Returns all moments.
    pub fn finish(mut self) -> Moments {
        self.stored.push_block(&self.block[..self.used]);
        self.stored
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
        for from in (0..moments.len()).step_by(BLOCK) {
            let mut read = [0; 2 * BLOCK];
            stored.read(from, &mut read);
            assert!(read.iter().zip(&moments[from..]).all(|(read, moment)| read == moment));
        }
        let near = Moments::of(1000, moments[..1000].iter().map(|&moment| Timestamp(moment)));
        assert_eq!((near.len(), near.heap_bytes()), (1000, 1000 * 4 + 8 * 8));
    }
}
