//! Long tables: their first rows, and the number of all rows.

use serde::Serialize;

/// The first rows of a table, and the number of all rows.
#[derive(Serialize)]
pub struct Listed<R> {
    /// The number of all rows.
    pub total: usize,
    /// The first rows.
    pub rows: Vec<R>,
}

impl<R> Listed<R> {
    /// At most `most` of `total` rows; `row` makes the row at an index. `row` is called through a pointer, because a copy of this
    /// function for each table would be a kilobyte of the page.
    pub(crate) fn of(total: usize, most: usize, row: &mut dyn FnMut(usize) -> R) -> Self {
        let mut rows = Vec::new();
        for at in 0..total.min(most) {
            rows.push(row(at));
        }
        Self { total, rows }
    }
}
