//! All transfers in order. Each is put together when it is read.

use super::{Transfer, Transfers};
use crate::base::ids::OpId;

/// All transfers: first those that ops recorded, in the order of these ops; then the others, in the order of their producers.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    transfers: &'a Transfers,
}

impl<'a> Rows<'a> {
    pub(super) fn new(transfers: &'a Transfers) -> Self {
        Self { transfers }
    }

    /// The number of transfers.
    pub fn len(self) -> usize {
        self.transfers.table.len()
    }

    /// Whether there are no transfers.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The transfer in `row`.
    pub fn get(self, row: usize) -> Option<Transfer> {
        let Transfers { table, .. } = self.transfers;
        (row < table.len()).then(|| table.row(row, self.transfers.op(row)))
    }

    /// An iterator over the transfers.
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

/// Iterates over the transfers.
#[derive(Clone)]
pub struct Iter<'a> {
    transfers: &'a Transfers,
    row: usize,
    /// The search for the op of the next transfer starts here.
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
