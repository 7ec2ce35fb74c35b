//! The runs of a dataset, and what a run is made of: `steplens.fleet-overview/1`.

use super::lists::FleetLists;
use crate::overview::Overview;
use crate::overview::error::Unreadable;
use crate::overview::figure::{Figure, Stored};
use crate::text;
use serde::Serialize;

/// The runs of a dataset.
#[derive(Serialize)]
pub struct FleetOverview<'a> {
    schema: &'static str,
    /// In the order of the dataset.
    pub runs: Vec<FleetRunName<'a>>,
    /// The days on which its steps began, in UTC, the first one first.
    pub days: Vec<&'a str>,
}

/// A run in a list.
#[derive(Serialize)]
pub struct FleetRunName<'a> {
    /// Its name.
    pub name: &'a str,
    /// How many tasks it has.
    pub tasks: usize,
    /// How many steps it has.
    pub steps: usize,
}

/// A run.
#[derive(Serialize)]
pub struct FleetRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// How many tasks it has.
    pub tasks: usize,
    /// How many steps it has.
    pub steps: usize,
    /// How many tasks a row stands for; the last one may have fewer.
    pub tasks_per_row: usize,
    /// How many steps a column stands for; the last one may have fewer.
    pub steps_per_column: usize,
    /// How many rows of the table `split` a cell has at most. Above 1 a cell is their mean, or the largest of them.
    pub most_in_cell: u32,
    /// How many rows of the table `split` are in no cell, because the manifest lacks their task or step.
    pub unplaced: u64,
    /// From the top, by name.
    pub rows: Vec<FleetRow<'a>>,
    /// By column, its first step.
    pub first_steps: Vec<i64>,
    /// By column, its last step.
    pub last_steps: Vec<i64>,
    /// By column, when it began, in ns from 1970 as decimal text; '' where that is not known.
    pub starts_unix_ns: Vec<String>,
    /// Those that are not 0 in all cells.
    pub figures: Vec<&'static str>,
    /// Stragglers, findings, links, op types and files.
    pub lists: &'a FleetLists,
}

/// A task, or several that follow one another.
#[derive(Serialize)]
pub struct FleetRow<'a> {
    /// The first of them; '' for files that name none.
    pub first: &'a str,
    /// The last of them; the same where it is one.
    pub last: &'a str,
    /// How many.
    pub tasks: usize,
    /// The job, whose tasks are peers.
    pub job: &'a str,
}

impl Overview {
    /// The runs as JSON.
    pub fn overview_json(&self) -> String {
        let name = |run: usize| {
            let run = self.run(run).ok()?;
            Some(FleetRunName { name: &run.name, tasks: run.tasks, steps: run.steps })
        };
        let runs = (0..self.runs()).filter_map(name).collect();
        let days = self.head().days.iter().map(String::as_str).collect();
        text(&FleetOverview { schema: "steplens.fleet-overview/1", runs, days })
    }

    /// A run as JSON.
    ///
    /// # Errors
    ///
    /// If there is no such run, or its times are damaged.
    pub fn run_json(&self, run: usize) -> Result<String, Unreadable> {
        let starts = self.starts(run)?;
        let own = self.run(run)?;
        let has = |stored: Stored| own.planes.iter().any(|plane| plane.figure == stored);
        let rows = own.rows.iter().map(|row| FleetRow {
            first: &row.first,
            last: &row.last,
            tasks: row.tasks,
            job: own.jobs.get(row.job).map_or("", String::as_str),
        });
        let start = |ns: i64| if ns == 0 { String::new() } else { ns.to_string() };
        Ok(text(&FleetRun {
            name: &own.name,
            tasks: own.tasks,
            steps: own.steps,
            tasks_per_row: own.grid.tasks_per_row,
            steps_per_column: own.grid.steps_per_column,
            most_in_cell: own.most_in_cell,
            unplaced: own.unplaced,
            rows: rows.collect(),
            first_steps: own.columns.iter().map(|(first, _)| *first).collect(),
            last_steps: own.columns.iter().map(|(_, last)| *last).collect(),
            starts_unix_ns: starts.into_iter().map(start).collect(),
            figures: Figure::ALL.into_iter().filter(|own| has(own.stored())).map(Figure::word).collect(),
            lists: &own.lists,
        }))
    }
}
