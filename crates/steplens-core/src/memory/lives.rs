//! Lifetimes of allocations: allocation time, free time, bytes, op and output. Stored as columns, sorted by allocation time.

use crate::base::ids::OpId;
use crate::base::order;
use crate::base::units::{Bytes, Timestamp};
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::moments::Moments;

/// A piece of memory, from its allocation until it was freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The op that allocated it.
    pub op: OpId,
    /// The index of the output that it is, among the outputs of the op; `None` for other memory of the op, or where that is not
    /// known.
    pub output: Option<u32>,
    /// The number of bytes.
    pub bytes: Bytes,
    /// When it was allocated; `None` if that was before anything was recorded.
    pub allocated: Option<Timestamp>,
    /// When it was freed; `None` if that was not recorded: it was still held at the end.
    pub freed: Option<Timestamp>,
}

impl Life {
    /// Whether it is alive at `at`: lives are half-open.
    pub fn is_alive(&self, at: Timestamp) -> bool {
        self.allocated.is_none_or(|start| start <= at) && self.freed.is_none_or(|end| at < end)
    }
}

/// The lives of one account, in order of their start; lives from before the recording come first.
#[derive(Debug, Default)]
pub struct Lives {
    op: Column,
    /// The index of the output, plus 1; 0 for no output.
    output: Column,
    bytes: Column,
    /// The starts; 0 for lives from before the recording.
    start: Moments,
    /// The length from start to end; without a start the end itself.
    length: Column,
    /// The number of lives without a start, which come first.
    before: usize,
}

impl Lives {
    /// Stores `lives`.
    pub(crate) fn stored(mut lives: Vec<Life>) -> Self {
        let key = |life: Life| match life.allocated {
            None => (i64::MIN, 0),
            Some(start) => (start.0.max(i64::MIN + 1), i64::from(life.op.get())),
        };
        order::by_number(&mut lives, key);
        let start = |life: &Life| life.allocated.unwrap_or(Timestamp(0));
        let length = |life: &Life| Some(life.freed?.0.wrapping_sub(start(life).0));
        Self {
            op: ColumnBuilder::of(lives.iter().map(|life| i64::from(life.op.get()))),
            output: ColumnBuilder::of(
                lives.iter().map(|life| life.output.map_or(0, |row| i64::from(row) + 1)),
            ),
            bytes: ColumnBuilder::of(lives.iter().map(|life| life.bytes.0 as i64)),
            start: Moments::of(lives.len(), lives.iter().map(start)),
            length: ColumnBuilder::of_options(lives.iter().map(length)),
            before: lives.iter().take_while(|life| life.allocated.is_none()).count(),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are no lives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The life in `row`.
    pub fn get(&self, row: usize) -> Life {
        let allocated = (row >= self.before).then(|| self.start.get(row));
        let length = self.length.get_option(row);
        Life {
            op: OpId::new(self.op.get(row) as u32),
            output: (self.output.get(row) as u32).checked_sub(1),
            bytes: Bytes(self.bytes.get(row) as u64),
            allocated,
            freed: length.map(|length| Timestamp(allocated.unwrap_or(Timestamp(0)).0.wrapping_add(length))),
        }
    }

    /// An iterator over all lives.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Life> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The rows of the lives that are alive at `at`.
    pub fn alive_at(&self, at: Timestamp) -> impl Iterator<Item = usize> + '_ {
        let begun = self.begun_by(at);
        (0..begun).filter(move |&row| match (row < self.before, self.length.get_option(row)) {
            (_, None) => true,
            (true, Some(end)) => at.0 < end,
            (false, Some(length)) => at.0 < self.start.get(row).0.wrapping_add(length),
        })
    }

    /// The number of lives that have begun at `at`.
    pub(crate) fn begun_by(&self, at: Timestamp) -> usize {
        let (mut low, mut high) = (self.before, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.start.get(middle) <= at { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let columns = [&self.op, &self.output, &self.bytes, &self.length];
        self.start.heap_bytes() + columns.map(Column::heap_bytes).iter().sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_come_back_in_order_of_their_beginning() {
        let life = |op, allocated: Option<i64>, freed: Option<i64>| Life {
            op: OpId::new(op),
            output: op.checked_sub(1),
            bytes: Bytes(u64::from(op) << 40),
            allocated: allocated.map(Timestamp),
            freed: freed.map(Timestamp),
        };
        let of = vec![
            life(3, Some(50), Some(60)),
            life(0, None, Some(-5)),
            life(1, Some(i64::MIN), Some(i64::MAX)),
            life(2, Some(50), None),
            life(4, None, None),
        ];
        let lives = Lives::stored(of.clone());
        let rows: Vec<Life> = lives.iter().collect();
        assert_eq!(rows, [of[1], of[4], of[2], of[3], of[0]]);
        for at in [i64::MIN, -6, -5, 0, 49, 50, 59, 60, i64::MAX - 1, i64::MAX].map(Timestamp) {
            let alive: Vec<usize> = lives.alive_at(at).collect();
            let expected: Vec<usize> =
                rows.iter().enumerate().filter(|(_, life)| life.is_alive(at)).map(|(row, _)| row).collect();
            assert_eq!(alive, expected, "{at:?}");
        }
    }
}
