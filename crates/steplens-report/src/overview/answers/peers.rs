//! Tasks of one job in the same column: what is usual there, and what a task has beyond it.

use crate::overview::Overview;
use crate::overview::error::Unreadable;
use crate::overview::figure::{Figure, Stored};

/// With fewer peers nothing is usual.
pub(crate) const LEAST_PEERS: usize = 3;

impl Overview {
    /// By job and column, the median over its rows; NaN with fewer than three of them.
    pub(crate) fn medians(&mut self, run: usize, figure: Stored) -> Result<Vec<f32>, Unreadable> {
        let plane = self.mean(run, figure)?;
        let run = self.run(run)?;
        let columns = run.grid.columns;
        let mut medians = vec![f32::NAN; run.jobs.len() * columns];
        let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); run.jobs.len()];
        for (at, row) in run.rows.iter().enumerate() {
            rows_of[row.job].push(at);
        }
        let mut values = Vec::new();
        for (job, rows) in rows_of.iter().enumerate() {
            for column in 0..columns {
                values.clear();
                values.extend(
                    rows.iter().map(|row| plane[row * columns + column]).filter(|value| !value.is_nan()),
                );
                if values.len() >= LEAST_PEERS {
                    let middle = (values.len() - 1) / 2;
                    let (_, median, _) = values.select_nth_unstable_by(middle, f32::total_cmp);
                    medians[job * columns + column] = *median;
                }
            }
        }
        Ok(medians)
    }

    /// A figure by cell: the mean, or of aggregated cells the largest row where that is wanted and known. NaN where there is none.
    pub(crate) fn values(
        &mut self,
        run: usize,
        figure: Figure,
        wants_largest: bool,
    ) -> Result<(Vec<f32>, bool), Unreadable> {
        let stored = figure.stored();
        if figure.is_beyond_peers() {
            let medians = self.medians(run, stored)?;
            let plane = self.mean(run, stored)?;
            let run = self.run(run)?;
            let columns = run.grid.columns;
            let mut values = plane.to_vec();
            for (row, values) in values.chunks_exact_mut(columns.max(1)).enumerate() {
                let medians = &medians[run.rows[row].job * columns..][..columns];
                for (value, median) in values.iter_mut().zip(medians) {
                    // Of NaN neither is larger, and the difference stays NaN.
                    let beyond = *value - median;
                    *value = if beyond < 0.0 { 0.0 } else { beyond };
                }
            }
            return Ok((values, false));
        }
        match self.largest(run, stored)?.filter(|_| wants_largest) {
            Some(largest) => Ok((largest.value.clone(), true)),
            None => Ok((self.mean(run, stored)?.to_vec(), false)),
        }
    }
}
