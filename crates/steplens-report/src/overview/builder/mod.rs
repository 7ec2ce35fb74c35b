//! Makes a summary of rows that come one after the other: a run is in memory at a time, whatever its size.

mod cells;
mod days;
mod lists;
mod slow_links;
mod texts;

use crate::fleet::State;
use crate::overview::Overview;
use crate::overview::file::{self, Blocks, Head};
use crate::overview::rows::{FindingRow, LinkRow, OpTypeRow, SourceRow, SplitRow, StragglerRow};
use crate::overview::shape::{Grid, RunShape, shares};
use cells::Cells;
use days::OfDays;
use lists::Gathered;
use std::collections::{HashMap, HashSet};

/// A row came for a run that is finished already, or is not among the shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("run {0} is finished already or is not known")]
pub struct OutOfOrder(pub usize);

/// Takes the rows of each run, one run after the other, within a run its sources first and then the others in any order. What else is known
/// of a source that is damaged does not count: half of a step is no step.
#[derive(Debug)]
pub struct Builder {
    shapes: Vec<RunShape>,
    shares: Vec<usize>,
    /// The run whose rows come.
    now: Option<Rows>,
    days: OfDays,
    head: Head,
    blocks: Blocks,
}

/// The rows of one run.
#[derive(Debug)]
struct Rows {
    cells: Cells,
    lists: Gathered,
    /// By task.
    job_of: HashMap<String, String>,
    /// Its damaged sources.
    damaged: HashSet<String>,
}

impl Builder {
    /// Of the runs in order.
    pub fn new(shapes: Vec<RunShape>) -> Self {
        let shares = shares(&shapes);
        let head = Head { runs: Vec::with_capacity(shapes.len()), ..Head::default() };
        let days = OfDays::default();
        let mut builder = Self { shapes, shares, now: None, days, head, blocks: Blocks::default() };
        builder.begin();
        builder
    }

    /// How the cells of run `run` will divide it.
    pub fn grid(&self, run: usize) -> Option<Grid> {
        let (shape, most) = self.shapes.get(run).zip(self.shares.get(run))?;
        Some(Grid::fitting(shape.tasks.len(), shape.steps.len(), *most))
    }

    /// Takes a row of `split`.
    ///
    /// # Errors
    ///
    /// If a row of a later run came before; so do the others.
    pub fn split(&mut self, run: usize, row: &SplitRow<'_>) -> Result<(), OutOfOrder> {
        if let Some(rows) = self.whole(run, row.source)? {
            rows.cells.add(row);
            let job = rows.job_of.get(row.task).cloned().unwrap_or_default();
            self.days.step(&job, row.day);
        }
        Ok(())
    }

    /// Takes a row of `stragglers`.
    ///
    /// # Errors
    ///
    /// As [`Builder::split`].
    pub fn straggler(&mut self, run: usize, row: &StragglerRow<'_>) -> Result<(), OutOfOrder> {
        if let Some(rows) = self.whole(run, row.source)? {
            rows.lists.straggler(row);
        }
        Ok(())
    }

    /// Takes a row of `findings`.
    ///
    /// # Errors
    ///
    /// As [`Builder::split`].
    pub fn finding(&mut self, run: usize, row: &FindingRow<'_>) -> Result<(), OutOfOrder> {
        if let Some(rows) = self.whole(run, row.source)? {
            rows.lists.finding(row);
        }
        Ok(())
    }

    /// Takes a row of `links`.
    ///
    /// # Errors
    ///
    /// As [`Builder::split`].
    pub fn link(&mut self, run: usize, row: &LinkRow<'_>) -> Result<(), OutOfOrder> {
        if let Some(rows) = self.whole(run, row.source)? {
            rows.lists.link(row);
        }
        Ok(())
    }

    /// Takes a row of `op_types`.
    ///
    /// # Errors
    ///
    /// As [`Builder::split`].
    pub fn op_type(&mut self, run: usize, row: &OpTypeRow<'_>) -> Result<(), OutOfOrder> {
        if let Some(rows) = self.whole(run, row.source)? {
            rows.lists.op_type(row);
            self.days.op_type(row);
        }
        Ok(())
    }

    /// Takes a row of `sources`.
    ///
    /// # Errors
    ///
    /// As [`Builder::split`].
    pub fn source(&mut self, run: usize, row: &SourceRow<'_>) -> Result<(), OutOfOrder> {
        let rows = self.of(run)?;
        rows.lists.source(row);
        if row.state == State::Damaged.word() {
            rows.damaged.insert(row.source.to_owned());
        }
        Ok(())
    }

    /// The bytes of the file `overview.steplens-fleet`.
    pub fn to_bytes(mut self) -> Vec<u8> {
        while self.now.is_some() {
            self.end_run();
        }
        let (days, of_days) = self.days.finish();
        if !days.is_empty() {
            // Writing to memory succeeds.
            let bytes = serde_json::to_vec(&of_days).unwrap_or_default();
            self.head.of_days = Some(self.blocks.add(&bytes));
            self.head.days = days;
        }
        file::write(&self.head, &self.blocks)
    }

    /// What was made, as it is read again.
    ///
    /// # Errors
    ///
    /// Only by a fault of this crate.
    pub fn finish(self) -> Result<Overview, crate::overview::Unreadable> {
        Overview::read(self.to_bytes())
    }

    fn of(&mut self, run: usize) -> Result<&mut Rows, OutOfOrder> {
        while self.now.is_some() && self.head.runs.len() < run {
            self.end_run();
        }
        match self.head.runs.len() == run {
            true => self.now.as_mut().ok_or(OutOfOrder(run)),
            false => Err(OutOfOrder(run)),
        }
    }

    /// Where a row of `source` goes; nowhere if that is damaged.
    fn whole(&mut self, run: usize, source: &str) -> Result<Option<&mut Rows>, OutOfOrder> {
        let rows = self.of(run)?;
        Ok(match rows.damaged.contains(source) {
            true => None,
            false => Some(rows),
        })
    }

    fn begin(&mut self) {
        let run = self.head.runs.len();
        let shape = self.shapes.get_mut(run).map(std::mem::take);
        self.now = shape.zip(self.shares.get(run)).map(|(shape, &most)| {
            let grid = Grid::fitting(shape.tasks.len(), shape.steps.len(), most);
            Rows {
                lists: Gathered::new(&shape),
                job_of: shape.tasks.iter().cloned().collect(),
                damaged: HashSet::new(),
                cells: Cells::new(shape, grid),
            }
        });
    }

    fn end_run(&mut self) {
        if let Some(Rows { cells, lists, .. }) = self.now.take() {
            self.head.runs.push(cells.finish(lists.finish(), &mut self.blocks));
        }
        self.begin();
    }
}
