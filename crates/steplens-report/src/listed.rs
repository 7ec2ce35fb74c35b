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
    /// At most `most` of `total` rows; `row` makes the one at a place. It is called through a pointer: a copy of this for every table
    /// would be a kilobyte of the page each.
    pub(crate) fn of(total: usize, most: usize, row: &mut dyn FnMut(usize) -> R) -> Self {
        let mut rows = Vec::new();
        for at in 0..total.min(most) {
            rows.push(row(at));
        }
        Self { total, rows }
    }
}
