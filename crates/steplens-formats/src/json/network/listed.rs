//! Long tables: their first rows, and how many there are.

use serde::Serialize;

/// The first rows of a table, and how many it has in all.
#[derive(Serialize)]
pub struct Listed<R> {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    pub rows: Vec<R>,
}

impl<R> Listed<R> {
    /// At most `most` of `all`.
    pub(super) fn of<T>(all: &[T], most: usize, row: impl FnMut(&T) -> R) -> Self {
        Self { total: all.len(), rows: all.iter().take(most).map(row).collect() }
    }
}
