//! Who keeps the fleet waiting, and what is worst in it.
//!
//! In a column of a job, the task with the most own work is behind its peers if it has a tenth more than their median: the others wait for
//! it where they exchange gradients. What the fleet loses by that is this task's own work beyond the median, times the steps of the column.

use super::lists::{FinishedLast, FleetFinding};
use crate::overview::Overview;
use crate::overview::error::Unreadable;
use crate::overview::figure::{Figure, Stored};
use crate::text;
use serde::Serialize;

/// A task is behind if it has that much more than the median.
const BEHIND: f32 = 1.1;
/// What takes less of the whole run is not worth a word before all others.
const WORTH: f64 = 0.005;
/// The most tasks that are listed.
const MOST_LISTED: usize = 200;

/// The parts of own work.
const PARTS: [Figure; 5] = [Figure::Compute, Figure::Input, Figure::Copy, Figure::Launch, Figure::Allocation];

/// Who keeps the fleet waiting.
#[derive(Serialize)]
pub struct FleetStragglers<'a> {
    /// What is worst in the run.
    pub worst: FleetWorst<'a>,
    /// By the time that is lost, most first.
    pub behind: Vec<BehindPeers<'a>>,
    /// The median step of each column, times its steps, over the run.
    pub run_ns: f64,
    /// How many steps have three tasks or more, so that somebody can be behind.
    pub judged_steps: u64,
}

/// A task that had more work than its peers.
#[derive(Clone, Serialize)]
pub struct BehindPeers<'a> {
    /// The row of the run.
    pub row: usize,
    /// The task; of several in a row the first.
    pub task: &'a str,
    /// In how many steps it had the most work, a tenth beyond the median or more.
    pub steps: u64,
    /// What the fleet lost by that.
    pub time_ns: f64,
    /// The part of its work that it had most more of in the worst column, as the word of a figure.
    pub part: &'static str,
    /// How much more of it, there.
    pub part_ns: f64,
    /// The worst column.
    pub column: usize,
}

/// What is worst: one of these, or none.
#[derive(Default, Serialize)]
pub struct FleetWorst<'a> {
    /// `work`: a task had more work than its peers; `end`: a task finished last; `finding`; `even`: nothing stands out; `empty`: nothing was read.
    pub kind: &'static str,
    /// As a part of the time of the run; null where it is not measured against that.
    pub share: Option<f64>,
    /// Of `work`.
    pub behind: Option<BehindPeers<'a>>,
    /// Of `end`.
    pub finished_last: Option<&'a FinishedLast>,
    /// Of `finding`.
    pub finding: Option<&'a FleetFinding>,
}

/// What a row lost so far.
#[derive(Clone, Copy, Default)]
struct Lost {
    steps: u64,
    time_ns: f64,
    worst_ns: f32,
    column: usize,
}

impl Overview {
    /// `FleetStragglers` as JSON.
    ///
    /// # Errors
    ///
    /// If there is no such run, or what it is made from is damaged.
    pub fn stragglers_json(&mut self, run: usize) -> Result<String, Unreadable> {
        let (lost, judged_steps) = self.lost(run)?;
        let run_ns = self.run_ns(run)?;
        let mut rows: Vec<usize> = (0..lost.len()).filter(|&row| lost[row].steps > 0).collect();
        rows.sort_by(|&a, &b| lost[b].time_ns.total_cmp(&lost[a].time_ns));
        rows.truncate(MOST_LISTED);
        let mut parts = Vec::with_capacity(rows.len());
        let mut medians = Vec::with_capacity(PARTS.len());
        for part in PARTS {
            medians.push((part, self.mean(run, part.stored())?, self.medians(run, part.stored())?));
        }
        let own = self.run(run)?;
        for &row in &rows {
            let Lost { column, .. } = lost[row];
            let beyond = |(part, plane, medians): &(Figure, std::rc::Rc<Vec<f32>>, Vec<f32>)| {
                let median = medians[own.rows[row].job * own.grid.columns + column];
                (*part, plane[row * own.grid.columns + column] - median)
            };
            let most = medians.iter().map(beyond).max_by(|a, b| a.1.total_cmp(&b.1));
            parts.push(most.unwrap_or((Figure::Compute, 0.0)));
        }
        let behind: Vec<BehindPeers<'_>> = rows
            .iter()
            .zip(parts)
            .map(|(&row, (part, part_ns))| BehindPeers {
                row,
                task: &own.rows[row].first,
                steps: lost[row].steps,
                time_ns: lost[row].time_ns,
                part: part.word(),
                part_ns: part_ns.into(),
                column: lost[row].column,
            })
            .collect();
        let worst = worst(&behind, &own.lists, run_ns);
        Ok(text(&FleetStragglers { worst, behind, run_ns, judged_steps }))
    }

    /// By row, what it lost; and how many steps were judged.
    fn lost(&mut self, run: usize) -> Result<(Vec<Lost>, u64), Unreadable> {
        let medians = self.medians(run, Stored::Own)?;
        let plane = self.mean(run, Stored::Own)?;
        let own = self.run(run)?;
        let columns = own.grid.columns;
        let mut lost = vec![Lost::default(); own.rows.len()];
        let mut most: Vec<Option<(f32, usize)>> = vec![None; own.jobs.len()];
        let mut judged = 0;
        for column in 0..columns {
            let steps = own.steps_in(column);
            most.fill(None);
            for (row, of) in own.rows.iter().enumerate() {
                let value = plane[row * columns + column];
                let is_most = most[of.job].is_none_or(|(before, _)| value > before);
                if !value.is_nan() && is_most {
                    most[of.job] = Some((value, row));
                }
            }
            // A median is there with enough peers only.
            let of_jobs = most.iter().enumerate().map(|(job, most)| (medians[job * columns + column], most));
            let known: Vec<_> = of_jobs.filter(|(median, _)| !median.is_nan()).collect();
            judged += if known.is_empty() { 0 } else { steps };
            for (median, most) in known {
                let Some((value, row)) = *most else { continue };
                if value < median * BEHIND || value <= median {
                    continue;
                }
                let lost = &mut lost[row];
                lost.steps += steps;
                lost.time_ns += f64::from(value - median) * steps as f64;
                if value - median > lost.worst_ns {
                    (lost.worst_ns, lost.column) = (value - median, column);
                }
            }
        }
        Ok((lost, judged))
    }

    fn run_ns(&mut self, run: usize) -> Result<f64, Unreadable> {
        let plane = self.mean(run, Stored::Window)?;
        let own = self.run(run)?;
        let columns = own.grid.columns;
        let mut values = Vec::new();
        let mut all = 0.0;
        for column in 0..columns {
            values.clear();
            values.extend(plane.iter().skip(column).step_by(columns).filter(|value| !value.is_nan()));
            values.sort_unstable_by(f32::total_cmp);
            let median = super::quantile(&values, 0.5);
            if !median.is_nan() {
                all += f64::from(median) * own.steps_in(column) as f64;
            }
        }
        Ok(all)
    }
}

impl crate::overview::file::Run {
    /// How many steps a column stands for.
    pub(crate) fn steps_in(&self, column: usize) -> u64 {
        let before = column * self.grid.steps_per_column;
        self.steps.saturating_sub(before).min(self.grid.steps_per_column) as u64
    }
}

fn worst<'a>(behind: &[BehindPeers<'a>], lists: &'a super::lists::FleetLists, run_ns: f64) -> FleetWorst<'a> {
    if run_ns <= 0.0 {
        return FleetWorst { kind: "empty", ..Default::default() };
    }
    let by_work = behind.first().map(|row| (row, row.time_ns / run_ns));
    let by_end = lists.stragglers.first().map(|row| (row, row.time_ns as f64 / run_ns));
    let share_of_end = by_end.map_or(0.0, |(_, share)| share);
    if let Some((row, share)) = by_work.filter(|(_, share)| *share >= WORTH && *share >= share_of_end) {
        return FleetWorst {
            kind: "work",
            share: Some(share),
            behind: Some(row.clone()),
            ..Default::default()
        };
    }
    if let Some((row, share)) = by_end.filter(|(_, share)| *share >= WORTH) {
        return FleetWorst {
            kind: "end",
            share: Some(share),
            finished_last: Some(row),
            ..Default::default()
        };
    }
    match lists.findings.first().filter(|row| row.saving_ns > 0) {
        Some(finding) => FleetWorst { kind: "finding", finding: Some(finding), ..Default::default() },
        None => FleetWorst { kind: "even", ..Default::default() },
    }
}
