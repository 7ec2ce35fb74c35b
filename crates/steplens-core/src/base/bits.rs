//! A set of row numbers as bits, which counts the members of any range in constant time.

use std::ops::Range;

/// Row numbers below a length, one bit each; and for every 64 rows the number of members before them.
#[derive(Clone, Debug, Default)]
pub struct RankedBits {
    words: Vec<u64>,
    /// One entry more than there are words: the last one is the number of all members.
    before: Vec<u32>,
    /// The word of every [`MARKED`]th member.
    marked: Vec<u32>,
}

/// The distance between members whose word is stored. Other members are searched from there.
const MARKED: usize = 256;

impl RankedBits {
    /// The set of `members` of `0..rows`, in any order.
    pub fn of_members(rows: usize, members: impl Iterator<Item = usize>) -> Self {
        let mut words = vec![0; rows.div_ceil(64)];
        for row in members.filter(|&row| row < rows) {
            words[row / 64] |= 1 << (row % 64);
        }
        Self::of_words(words)
    }

    /// The set of the rows in `0..rows` for which `is_member` holds.
    pub fn of(rows: usize, mut is_member: impl FnMut(usize) -> bool) -> Self {
        let mut words = vec![0; rows.div_ceil(64)];
        for (word, first) in words.iter_mut().zip((0..rows).step_by(64)) {
            for row in first..(first + 64).min(rows) {
                *word |= u64::from(is_member(row)) << (row % 64);
            }
        }
        Self::of_words(words)
    }

    fn of_words(words: Vec<u64>) -> Self {
        let mut bits = Self { words, before: Vec::new(), marked: Vec::new() };
        let ones = bits.words.iter().scan(0, |count, word| {
            *count += word.count_ones();
            Some(*count)
        });
        bits.before = std::iter::once(0).chain(ones).collect();
        for (word, members) in bits.before.windows(2).enumerate() {
            // A word has fewer members than there are between two marks, so at most one mark is in it.
            if members[1] as usize > bits.marked.len() * MARKED {
                bits.marked.push(word as u32);
            }
        }
        bits.marked.shrink_to_fit();
        bits
    }

    /// Whether `row` is a member.
    #[inline]
    pub fn contains(&self, row: usize) -> bool {
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// The number of members in `rows`.
    #[inline]
    pub fn count(&self, rows: Range<usize>) -> usize {
        self.rank(rows.end).saturating_sub(self.rank(rows.start))
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.before.last().map_or(0, |&count| count as usize)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members within `rows`, in order.
    pub fn iter(&self, rows: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let words = rows.start / 64..rows.end.div_ceil(64).min(self.words.len());
        words
            .flat_map(|place| {
                let mut word = self.words[place];
                std::iter::from_fn(move || {
                    let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                    word &= word - 1;
                    Some(place * 64 + bit)
                })
            })
            .skip_while(move |&row| row < rows.start)
            .take_while(move |&row| row < rows.end)
    }

    /// The member with exactly `rank` members before it.
    pub fn select(&self, rank: usize) -> Option<usize> {
        if rank >= self.len() {
            return None;
        }
        let first = *self.marked.get(rank / MARKED)? as usize;
        let end = self.marked.get(rank / MARKED + 1).map_or(self.words.len(), |&word| word as usize + 1);
        let near = self.before.get(first..end)?;
        let place = first + near.partition_point(|&before| before as usize <= rank) - 1;
        let mut word = self.words[place];
        for _ in self.before[place] as usize..rank {
            word &= word - 1;
        }
        Some(place * 64 + word.trailing_zeros() as usize)
    }

    /// The first member at or after `row`.
    #[inline]
    pub fn next_from(&self, row: usize) -> Option<usize> {
        let mut place = row / 64;
        let mut word = self.words.get(place)? & (u64::MAX << (row % 64));
        while word == 0 {
            place += 1;
            word = *self.words.get(place)?;
        }
        Some(place * 64 + word.trailing_zeros() as usize)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.words.capacity() * 8 + (self.before.capacity() + self.marked.capacity()) * 4
    }

    /// The number of members before `row`.
    #[inline]
    fn rank(&self, row: usize) -> usize {
        let Some(word) = self.words.get(row / 64) else { return self.len() };
        let below = word & ((1 << (row % 64)) - 1);
        self.before[row / 64] as usize + below.count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_is_counted_and_listed() {
        for rows in [0, 1, 63, 64, 65, 130, 1_000] {
            let is_member = |row: usize| row % 3 == 1 || row > 120;
            let bits = RankedBits::of(rows, is_member);
            assert_eq!(bits.len(), (0..rows).filter(|&row| is_member(row)).count());
            let listed = RankedBits::of_members(rows, (0..rows + 9).rev().filter(|&row| is_member(row)));
            assert!((0..rows).all(|row| listed.count(0..row) == bits.count(0..row)));
            for start in 0..=rows {
                for end in (start..=rows).step_by(rows / 100 + 1) {
                    let wanted: Vec<usize> = (start..end).filter(|&row| is_member(row)).collect();
                    assert_eq!(bits.count(start..end), wanted.len());
                    assert_eq!(bits.iter(start..end).collect::<Vec<_>>(), wanted);
                }
            }
            assert!((0..rows).all(|row| bits.contains(row) == is_member(row)) && !bits.contains(rows + 64));
            let all: Vec<usize> = (0..rows).filter(|&row| is_member(row)).collect();
            assert_eq!((0..rows).map_while(|rank| bits.select(rank)).collect::<Vec<_>>(), all);
            for row in 0..rows + 70 {
                assert_eq!(bits.next_from(row), all.iter().copied().find(|&member| member >= row));
            }
        }
    }
}
