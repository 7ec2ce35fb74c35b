//! The strings of a session: sorted, each written as the length that it shares with the one before, and its rest.

use super::Damage;
use super::codec::{Column, Encoding, Writing};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_messages::say;
use steplens_proto::sessions;

/// Every string that a session refers to, while it is written.
#[derive(Default)]
pub(super) struct Strings<'a> {
    sorted: Vec<&'a str>,
    rows: HashMap<&'a str, u32, FixedState>,
    /// How many bytes of text a reader will look up.
    pub(super) looked_up: u64,
}

impl<'a> Strings<'a> {
    /// Adds a string, unless it was added already.
    #[inline(never)]
    pub(super) fn add(&mut self, text: &'a str) {
        if self.rows.insert(text, 0).is_none() {
            self.sorted.push(text);
        }
    }

    /// Numbers the strings in order of their bytes. No string may be added after that.
    pub(super) fn sort(&mut self) {
        self.sorted.sort();
        for (text, row) in self.sorted.iter().zip(0..) {
            self.rows.insert(text, row);
            self.looked_up += text.len() as u64;
        }
    }

    /// The row of a string that was added.
    #[inline(never)]
    pub(super) fn row(&mut self, text: &str) -> u64 {
        self.looked_up += text.len() as u64;
        self.rows.get(text).copied().map_or(0, u64::from)
    }

    /// The table: length shared with the string before, length of the rest, the rests.
    pub(super) fn message(&self) -> sessions::Strings {
        let [mut shared, mut lengths, mut rests] = [(); 3].map(|()| Writing::default());
        rests.encoding = Encoding::Text;
        let mut previous = "";
        for text in &self.sorted {
            let same = previous.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
            shared.number(same as u64);
            lengths.number((text.len() - same) as u64);
            rests.text.extend_from_slice(&text.as_bytes()[same..]);
            previous = text;
        }
        sessions::Strings {
            rows: self.sorted.len() as u64,
            shared: shared.message(),
            length: lengths.message(),
            rest: rests.message(),
        }
    }
}

/// The strings of a session that is being read.
pub(super) struct StringRows {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl StringRows {
    /// Reads `rows` strings with at most `budget` bytes together.
    pub(super) fn read(rows: usize, columns: [Column<'_>; 3], budget: u64) -> Result<Self, Damage> {
        let [mut shared, mut lengths, mut rests] = columns;
        let mut strings = Self { text: Vec::new(), ends: Vec::with_capacity(rows) };
        let mut start = 0;
        for _ in 0..rows {
            let previous = start;
            start = strings.text.len();
            let same = shared.row(start - previous + 1)?;
            if (start + same) as u64 > budget {
                return Err(shared.damage(say!("got-more-text")));
            }
            strings.text.extend_from_within(previous..previous + same);
            let length = lengths.number()?;
            strings.text.extend_from_slice(rests.take(length)?);
            strings.ends.push(strings.text.len());
        }
        [shared, lengths, rests].iter().try_for_each(Column::end)?;
        Ok(strings)
    }

    /// The strings before the first that cannot be right, with at most `budget` bytes together. They are in order, and each shares with the one
    /// before as many bytes as it can, so that a length that is wrong seldom stays unseen for long.
    pub(super) fn whole(shared: &[i64], lengths: &[i64], mut rest: &[u8], budget: u64) -> Self {
        let mut strings = Self { text: Vec::new(), ends: Vec::new() };
        let mut start = 0;
        for (&same, &length) in shared.iter().zip(lengths) {
            let (previous, end) = (start, strings.text.len());
            let own = usize::try_from(same).ok().zip(usize::try_from(length).ok());
            let Some((same, length)) = own.filter(|&(same, _)| same <= end - previous) else { break };
            let Some((own, after)) = rest.split_at_checked(length) else { break };
            let next = strings.text[previous..end].get(same);
            let is_after = match own.first() {
                Some(first) => next.is_none_or(|next| first > next),
                None => strings.ends.is_empty(),
            };
            if !is_after || (end + same + length) as u64 > budget {
                break;
            }
            strings.text.extend_from_within(previous..previous + same);
            strings.text.extend_from_slice(own);
            strings.ends.push(strings.text.len());
            (start, rest) = (end, after);
        }
        strings
    }

    /// The number of strings.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string of a row below [`len`](Self::len).
    #[inline]
    pub(super) fn get(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[row]]
    }
}
