//! Rows of `split` as figures by cell: the mean of a cell's rows, and where there are several, the largest and whose it is.

use crate::overview::answers::lists::FleetLists;
use crate::overview::figure::Stored;
use crate::overview::file::{Blocks, Most, PlaneOf, Row, Run, f32_bytes, i64_bytes, u32_bytes};
use crate::overview::rows::SplitRow;
use crate::overview::shape::{Grid, RunShape};
use std::collections::HashMap;

/// The figures of one run.
#[derive(Debug)]
pub(super) struct Cells {
    shape: RunShape,
    grid: Grid,
    /// By name, the place of a task.
    task_of: HashMap<String, usize>,
    sources: Names,
    /// By cell, how many rows it has.
    rows: Vec<u32>,
    /// By figure and cell.
    sums: Vec<Vec<f32>>,
    /// By cell; of the last row.
    source_of: Vec<u32>,
    /// By figure; only once a cell has two rows, or may have.
    most: Option<Vec<Largest>>,
    /// By column.
    starts: Vec<i64>,
    split_rows: u64,
    unplaced: u64,
}

/// By cell, the largest row of a figure.
#[derive(Clone, Debug)]
struct Largest {
    value: Vec<f32>,
    step: Vec<u32>,
    source: Vec<u32>,
}

/// Names that are each kept once.
#[derive(Debug, Default)]
struct Names {
    all: Vec<String>,
    place: HashMap<String, u32>,
    last: u32,
}

impl Names {
    fn place_of(&mut self, name: &str) -> u32 {
        // Rows of a source follow one another.
        if self.all.get(self.last as usize).is_some_and(|last| last == name) {
            return self.last;
        }
        self.last = match self.place.get(name) {
            Some(&place) => place,
            None => {
                let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
                self.all.push(name.to_owned());
                self.place.insert(name.to_owned(), place);
                place
            }
        };
        self.last
    }
}

impl Cells {
    pub(super) fn new(shape: RunShape, grid: Grid) -> Self {
        let cells = grid.cells();
        let task_of = shape.tasks.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect();
        let mut new = Self {
            task_of,
            sources: Names::default(),
            rows: vec![0; cells],
            sums: vec![vec![0.0; cells]; Stored::COUNT],
            source_of: vec![0; cells],
            most: None,
            starts: vec![0; grid.columns],
            split_rows: 0,
            unplaced: 0,
            shape,
            grid,
        };
        if grid.is_aggregated() {
            new.look_for_the_largest();
        }
        new
    }

    /// From now on the largest row of each cell is kept; so far each has one at most.
    fn look_for_the_largest(&mut self) {
        let columns = self.grid.columns;
        let steps: Vec<u32> = (0..self.rows.len()).map(|cell| (cell % columns.max(1)) as u32).collect();
        let of = |sums: &Vec<f32>| Largest {
            value: sums.clone(),
            step: steps.clone(),
            source: self.source_of.clone(),
        };
        self.most = Some(self.sums.iter().map(of).collect());
    }

    pub(super) fn add(&mut self, row: &SplitRow<'_>) {
        self.split_rows += 1;
        let task = self.task_of.get(row.task).copied();
        let step = self.shape.steps.binary_search(&row.step).ok();
        let Some((task, step)) = task.zip(step) else {
            self.unplaced += 1;
            return;
        };
        let column = step / self.grid.steps_per_column;
        let cell = task / self.grid.tasks_per_row * self.grid.columns + column;
        let source = self.sources.place_of(row.source);
        if self.rows[cell] > 0 && self.most.is_none() {
            self.look_for_the_largest();
        }
        let figures = row.figures();
        if let Some(most) = &mut self.most {
            for (largest, &ns) in most.iter_mut().zip(&figures) {
                if self.rows[cell] == 0 || ns as f32 > largest.value[cell] {
                    largest.value[cell] = ns as f32;
                    largest.step[cell] = step as u32;
                    largest.source[cell] = source;
                }
            }
        }
        for (sums, &ns) in self.sums.iter_mut().zip(&figures) {
            sums[cell] += ns as f32;
        }
        self.rows[cell] += 1;
        self.source_of[cell] = source;
        let start = &mut self.starts[column];
        if row.start_unix_ns != 0 && (*start == 0 || row.start_unix_ns < *start) {
            *start = row.start_unix_ns;
        }
    }

    pub(super) fn finish(mut self, lists: FleetLists, blocks: &mut Blocks) -> Run {
        let mut planes = Vec::new();
        for (at, figure) in Stored::ALL.into_iter().enumerate() {
            let sums = std::mem::take(&mut self.sums[at]);
            let mean = |(sum, &rows): (f32, &u32)| if rows == 0 { f32::NAN } else { sum / rows as f32 };
            let means: Vec<f32> = sums.into_iter().zip(&self.rows).map(mean).collect();
            // Which cells there are at all is what the first one says.
            if figure != Stored::Window && means.iter().all(|&mean| mean.is_nan() || mean == 0.0) {
                continue;
            }
            let most = self.most.as_mut().map(|most| {
                let largest = &mut most[at];
                for (value, &rows) in largest.value.iter_mut().zip(&self.rows) {
                    *value = if rows == 0 { f32::NAN } else { *value };
                }
                Most {
                    value: blocks.add(&f32_bytes(&largest.value)),
                    step: blocks.add(&u32_bytes(&largest.step)),
                    source: blocks.add(&u32_bytes(&largest.source)),
                }
            });
            planes.push(PlaneOf { figure, mean: blocks.add(&f32_bytes(&means)), most });
        }
        let names: Vec<u8> = self.sources.all.iter().flat_map(|name| name.bytes().chain([0])).collect();
        let Grid { tasks_per_row, steps_per_column, .. } = self.grid;
        let mut jobs: Vec<String> = self.shape.tasks.iter().map(|(_, job)| job.clone()).collect();
        jobs.sort();
        jobs.dedup();
        let row = |tasks: &[(String, String)]| {
            let (first, job) = tasks.first().cloned().unwrap_or_default();
            let last = tasks.last().map(|(name, _)| name.clone()).unwrap_or_default();
            Row { first, last, tasks: tasks.len(), job: jobs.binary_search(&job).unwrap_or(0) }
        };
        let ends = |steps: &[i64]| (steps.first().copied().unwrap_or(0), steps.last().copied().unwrap_or(0));
        Run {
            tasks: self.shape.tasks.len(),
            steps: self.shape.steps.len(),
            grid: self.grid,
            rows: self.shape.tasks.chunks(tasks_per_row).map(row).collect(),
            columns: self.shape.steps.chunks(steps_per_column).map(ends).collect(),
            most_in_cell: self.rows.iter().copied().max().unwrap_or(0),
            split_rows: self.split_rows,
            unplaced: self.unplaced,
            planes,
            source_of: self.most.is_none().then(|| blocks.add(&u32_bytes(&self.source_of))),
            sources: self.sources.all.len(),
            source_names: blocks.add(&names),
            starts: blocks.add(&i64_bytes(&self.starts)),
            step_numbers: self.most.is_some().then(|| blocks.add(&i64_bytes(&self.shape.steps))),
            lists,
            name: self.shape.name,
            jobs,
        }
    }
}
