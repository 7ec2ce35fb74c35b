//! All transfers in order, each put together when it is asked for.

use super::{Transfer, Transfers};
use crate::base::ids::OpId;

/// All transfers: those that ops recorded, in the order of these; then the others, in the order of their producers.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    transfers: &'a Transfers,
}

impl<'a> Rows<'a> {
    pub(super) fn of(transfers: &'a Transfers) -> Self {
        Self { transfers }
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.transfers.table.len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The transfer in `row`.
    pub fn get(self, row: usize) -> Option<Transfer> {
        let Transfers { table, .. } = self.transfers;
        (row < table.len()).then(|| table.row(row, self.transfers.op(row)))
    }

    /// One after the other.
    pub fn iter(self) -> Iter<'a> {
        Iter { transfers: self.transfers, row: 0, next_op: 0 }
    }
}

impl<'a> IntoIterator for Rows<'a> {
    type Item = Transfer;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Transfers one after the other.
#[derive(Clone)]
pub struct Iter<'a> {
    transfers: &'a Transfers,
    row: usize,
    /// From where on the op of the next one is looked for.
    next_op: usize,
}

impl Iterator for Iter<'_> {
    type Item = Transfer;

    #[inline]
    fn next(&mut self) -> Option<Transfer> {
        let Transfers { table, recording, .. } = self.transfers;
        let row = self.row;
        if row >= table.len() {
            return None;
        }
        self.row += 1;
        let op = recording.next_from(self.next_op);
        self.next_op = op.map_or(usize::MAX, |op| op + 1);
        Some(table.row(row, op.map(OpId::from_usize)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.transfers.table.len() - self.row;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}
