//! The head: all of a summary but the planes.

use super::packing::Block;
use crate::overview::answers::lists::FleetLists;
use crate::overview::error::{Unreadable, damaged};
use crate::overview::figure::Stored;
use crate::overview::shape::{Grid, MOST_CELLS, MOST_CELLS_OF_RUN, MOST_SIDE};
use serde::{Deserialize, Serialize};

/// The most bytes of what is known of days.
const MOST_OF_DAYS: usize = 128 << 20;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) runs: Vec<Run>,
    /// The days on which steps began, in UTC, ascending.
    pub(crate) days: Vec<String>,
    /// What was spent on each: `Days` as JSON.
    pub(crate) of_days: Option<Block>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) tasks: usize,
    pub(crate) steps: usize,
    pub(crate) grid: Grid,
    pub(crate) rows: Vec<Row>,
    pub(crate) jobs: Vec<String>,
    /// By column: its first and its last step.
    pub(crate) columns: Vec<(i64, i64)>,
    /// How many rows of `split` a cell has at most.
    pub(crate) most_in_cell: u32,
    /// How many rows of `split` there were.
    pub(crate) split_rows: u64,
    /// How many of them had a task or a step that the shape lacks.
    pub(crate) unplaced: u64,
    /// A figure that is not among them is 0 in every cell.
    pub(crate) planes: Vec<PlaneOf>,
    /// By cell, the source; where cells have several rows, each figure has its own.
    pub(crate) source_of: Option<Block>,
    pub(crate) sources: usize,
    /// The names of the sources, each ended by a 0.
    pub(crate) source_names: Block,
    /// By column, when the first of its tasks began, in ns from 1970; 0 where that is not known.
    pub(crate) starts: Block,
    /// The numbers of all steps, where a cell may stand for several.
    pub(crate) step_numbers: Option<Block>,
    pub(crate) lists: FleetLists,
}

/// A row: a task, or several that follow one another.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) first: String,
    pub(crate) last: String,
    pub(crate) tasks: usize,
    /// Among `jobs`; of the first one.
    pub(crate) job: usize,
}

/// The planes of a figure.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PlaneOf {
    pub(crate) figure: Stored,
    pub(crate) mean: Block,
    pub(crate) most: Option<Most>,
}

/// By cell, the largest of its rows: its value, the place of its step among all steps, and its source.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Most {
    pub(crate) value: Block,
    pub(crate) step: Block,
    pub(crate) source: Block,
}

impl Head {
    /// What must be true of any head: sizes agree, and nothing is larger than a builder makes it.
    pub(super) fn check(&self, blocks: usize) -> Result<(), Unreadable> {
        let cells = self.runs.iter().try_fold(0_usize, |sum, run| sum.checked_add(run.grid.cells()));
        // Shares are rounded, and each run has a row and a column at least.
        if cells.is_none_or(|cells| cells > MOST_CELLS + self.runs.len()) {
            return Err(damaged("head", "cells"));
        }
        for run in &self.runs {
            run.check(blocks)?;
        }
        match self.of_days.is_none_or(|block| is_within(block, blocks) && block.bytes <= MOST_OF_DAYS) {
            true => Ok(()),
            false => Err(damaged("head", "days")),
        }
    }
}

/// Whether `block` ends within the `blocks` bytes of all of them.
fn is_within(block: Block, blocks: usize) -> bool {
    block.at.checked_add(block.packed).is_some_and(|end| end <= blocks)
}

impl Run {
    fn check(&self, blocks: usize) -> Result<(), Unreadable> {
        let Grid { rows, columns, tasks_per_row, steps_per_column } = self.grid;
        let is_sound = rows <= MOST_SIDE
            && columns <= MOST_SIDE
            && self.grid.cells() <= MOST_CELLS_OF_RUN
            && self.rows.len() == rows
            && self.columns.len() == columns
            && tasks_per_row > 0
            && steps_per_column > 0
            && rows == self.tasks.div_ceil(tasks_per_row)
            && columns == self.steps.div_ceil(steps_per_column)
            && self.rows.iter().all(|row| row.job < self.jobs.len())
            && self.columns.iter().all(|(first, last)| first <= last)
            && self.columns.is_sorted_by(|before, after| before.1 < after.0);
        if !is_sound {
            return Err(damaged("head", &self.name));
        }
        let of_planes = self.planes.iter().flat_map(|plane| {
            let most = plane.most.iter().flat_map(|most| [most.value, most.step, most.source]);
            [plane.mean].into_iter().chain(most)
        });
        let mut all =
            of_planes.chain(self.source_of).chain(self.step_numbers).chain([self.source_names, self.starts]);
        match all.all(|block| is_within(block, blocks)) {
            true => Ok(()),
            false => Err(damaged("head", "blocks")),
        }
    }
}
