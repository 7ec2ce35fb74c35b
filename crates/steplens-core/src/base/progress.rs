//! Counts the progress of an export and pauses it: between two pieces the page answers other questions, and may stop the export.

use super::pace::Pace;

/// The amount of work that a row counts as. A piece has some thousand rows: up to a megabyte, in some milliseconds.
const ROW: usize = 64;

/// Rows that are written: ops, lines of a table, values of a counter.
pub struct Progress<'a> {
    pace: &'a Pace,
    done: usize,
    of: usize,
}

impl<'a> Progress<'a> {
    /// Progress when `done` of `of` rows are written.
    pub fn new(pace: &'a Pace, done: usize, of: usize) -> Self {
        Self { pace, done, of }
    }

    /// For work that comes before a row.
    pub fn pace(&self) -> &'a Pace {
        self.pace
    }

    /// One more of them.
    pub async fn row(&mut self) {
        self.done += 1;
        let parts = [self.done.min(self.of), self.of].map(|rows| u32::try_from(rows).unwrap_or(u32::MAX));
        self.pace.did(parts[0], parts[1]);
        self.pace.worked(ROW).await;
    }

    /// Works on a row that is not in the total, because the number of such rows is not known beforehand.
    pub async fn other_row(&self) {
        self.pace.worked(ROW).await;
    }
}
