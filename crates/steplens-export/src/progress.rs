//! Counts the progress of an export and pauses it: between two pieces the page answers other questions, and may stop the export.

use steplens_core::base::pace::Pace;

/// The amount of work that a row counts as. A piece has some thousand rows: up to a megabyte, in some milliseconds.
const ROW: usize = 64;

/// Counts rows that are written: ops, lines of a table, values of a counter.
pub(crate) struct Progress<'a> {
    pace: &'a Pace,
    done: usize,
    of: usize,
}

impl<'a> Progress<'a> {
    /// Progress with `done` of `of` rows written.
    pub(crate) fn new(pace: &'a Pace, done: usize, of: usize) -> Self {
        Self { pace, done, of }
    }

    /// Counts one row.
    pub(crate) async fn row(&mut self) {
        self.done += 1;
        let parts = [self.done.min(self.of), self.of].map(|rows| u32::try_from(rows).unwrap_or(u32::MAX));
        self.pace.did(parts[0], parts[1]);
        self.pace.worked(ROW).await;
    }

    /// Works on a row that is not in the total, because the number of such rows is not known beforehand.
    pub(crate) async fn other_row(&self) {
        self.pace.worked(ROW).await;
    }
}
