//! The shape of a run: tasks by steps, and how many of both a cell stands for, so that the largest run is still a picture.

use serde::{Deserialize, Serialize};

/// The most cells of a run.
pub const MOST_CELLS_OF_RUN: usize = 1 << 20;
/// The most cells of all runs together.
pub const MOST_CELLS: usize = 4 << 20;
/// The most rows, and the most columns: canvases of browsers are no larger.
pub const MOST_SIDE: usize = 16_384;
/// With fewer columns than that, tasks are put together before steps are.
const LEAST_COLUMNS: usize = 64;

/// What is known of a run before its rows come.
#[derive(Clone, Debug, Default)]
pub struct RunShape {
    /// Its name.
    pub name: String,
    /// Its tasks in natural order, and the job of each: tasks of one job are peers. A task that the trace does not name is ''.
    pub tasks: Vec<(String, String)>,
    /// Tasks that appear in links alone, such as parameter servers without a file.
    pub linked: Vec<String>,
    /// The numbers of its steps, ascending, each once.
    pub steps: Vec<i64>,
}

/// How the cells of a run divide its tasks and steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
    /// How many tasks a row stands for; the last one may have fewer.
    pub tasks_per_row: usize,
    /// How many steps a column stands for; the last one may have fewer.
    pub steps_per_column: usize,
}

impl Grid {
    /// The finest grid of at most `most` cells.
    pub fn fitting(tasks: usize, steps: usize, most: usize) -> Self {
        let most = most.max(1);
        let least_columns = LEAST_COLUMNS.min(steps.max(1)).min(most);
        let rows = tasks.min(MOST_SIDE).min((most / least_columns).max(1)).max(1);
        let tasks_per_row = tasks.div_ceil(rows).max(1);
        let rows = tasks.div_ceil(tasks_per_row);
        let columns = steps.min(MOST_SIDE).min((most / rows.max(1)).max(1)).max(1);
        let steps_per_column = steps.div_ceil(columns).max(1);
        Self { rows, columns: steps.div_ceil(steps_per_column), tasks_per_row, steps_per_column }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.rows.saturating_mul(self.columns)
    }

    /// Whether a cell stands for more than one task and step.
    pub fn is_aggregated(&self) -> bool {
        self.tasks_per_row > 1 || self.steps_per_column > 1
    }
}

/// How many cells each run may have, so that all of them stay below [`MOST_CELLS`].
pub(crate) fn shares(shapes: &[RunShape]) -> Vec<usize> {
    let wanted = |shape: &RunShape| {
        shape.tasks.len().max(1).saturating_mul(shape.steps.len().max(1)).min(MOST_CELLS_OF_RUN)
    };
    let all: usize = shapes.iter().map(wanted).sum();
    let share = |shape| match all > MOST_CELLS {
        // Exact in u128: both are below 2^64.
        true => (wanted(shape) as u128 * MOST_CELLS as u128 / all as u128) as usize,
        false => wanted(shape),
    };
    shapes.iter().map(|shape| share(shape).max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_covers_all_and_stays_within_its_bounds() {
        for tasks in [0, 1, 2, 64, 1000, 4097, 100_000] {
            for steps in [0, 1, 16, 63, 1000, 10_000, 3_000_000] {
                for most in [1, 100, MOST_CELLS_OF_RUN] {
                    let grid = Grid::fitting(tasks, steps, most);
                    assert!(grid.cells() <= most.max(grid.rows.min(most)), "{tasks} {steps} {grid:?}");
                    assert!(grid.rows <= MOST_SIDE && grid.columns <= MOST_SIDE, "{grid:?}");
                    assert!(grid.rows * grid.tasks_per_row >= tasks, "{tasks} {grid:?}");
                    assert!(grid.columns * grid.steps_per_column >= steps, "{steps} {grid:?}");
                }
            }
        }
        let exact = Grid::fitting(1000, 1000, MOST_CELLS_OF_RUN);
        assert_eq!((exact.rows, exact.columns, exact.is_aggregated()), (1000, 1000, false));
        let binned = Grid::fitting(1000, 10_000, MOST_CELLS_OF_RUN);
        assert_eq!((binned.rows, binned.tasks_per_row, binned.steps_per_column), (1000, 1, 10));
    }

    #[test]
    fn many_runs_share_what_there_is() {
        let shape = RunShape {
            tasks: vec![Default::default(); 1000],
            steps: (0..1000).collect(),
            ..Default::default()
        };
        let shares = shares(&vec![shape; 8]);
        assert!(shares.iter().sum::<usize>() <= MOST_CELLS && shares.iter().all(|&share| share > 500_000));
    }
}
