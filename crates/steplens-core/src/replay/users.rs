//! The nodes that wait for a node.

/// A node that waits for another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    /// The node that waits.
    pub(super) node: u32,
    /// How much of the cause must have run: its whole length, or less where the recording shows that the node did not wait for the
    /// end (a kernel starts before the call that launched it returns).
    pub(super) after: i64,
}

/// For each of `count` rows where its items begin in a list that is sorted by row, and at last the length of the list.
pub(super) fn first_of_each(count: usize, rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut first = vec![0_u32; count + 1];
    rows.for_each(|row| first[row as usize + 1] += 1);
    let mut sum = 0;
    for first in &mut first {
        sum += *first;
        *first = sum;
    }
    first
}
