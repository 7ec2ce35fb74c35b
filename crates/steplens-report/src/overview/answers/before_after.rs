//! What is different from a step on, and whether that is sure: the question `before-after` of `steplens fleet`, within one run.
//!
//! A column is a step, or where a run is too large for its picture the mean of some. Its figure is the mean over its tasks; the length of the
//! step is that of the longest. Columns that began before the moment are one side, the others the other; medians that differ by more than
//! the noise differ with some 95 % certainty (McGill's notches).

use crate::overview::Overview;
use crate::overview::error::Unreadable;
use crate::overview::figure::{Figure, Stored};
use crate::text;
use serde::Serialize;

/// With fewer columns on a side nothing is sure.
const LEAST_COLUMNS: usize = 8;
/// What McGill, Tukey and Larsen (1978) multiply `(Q3 - Q1) / sqrt(n)` by.
const NOTCH: f64 = 1.57;

/// What is different from a step on.
#[derive(Serialize)]
pub struct FleetBeforeAfter {
    /// The first column of what is after.
    pub column: usize,
    /// When it began, in ns from 1970 as decimal text; '' where that is not known.
    pub start_unix_ns: String,
    /// How many columns are before.
    pub before: usize,
    /// How many are after.
    pub after: usize,
    /// The length of the step first; then what is sure, most difference first; then the others.
    pub figures: Vec<FigureBeforeAfter>,
}

/// A figure before and after.
#[derive(Serialize)]
pub struct FigureBeforeAfter {
    /// Its word.
    pub figure: &'static str,
    /// Its median before.
    pub before_ns: f64,
    /// Its median after.
    pub after_ns: f64,
    /// How much more it is after; below 0 where it is less.
    pub difference_ns: f64,
    /// Differences up to this may be chance.
    pub noise_ns: f64,
    /// Whether it differs by more; null where a side has fewer than eight columns.
    pub is_sure: Option<bool>,
}

impl Overview {
    /// `FleetBeforeAfter` as JSON. Without a column, or with one that is not there, the moment is the middle between the first and the last
    /// start.
    ///
    /// # Errors
    ///
    /// If there is no such run, or its planes are damaged.
    pub fn before_after_json(&mut self, run: usize, column: Option<usize>) -> Result<String, Unreadable> {
        let starts = self.starts(run)?;
        let has_cells = self.columns_with_cells(run)?;
        let known: Vec<usize> = (0..starts.len()).filter(|&at| has_cells[at]).collect();
        // Where a start is not known, steps follow one another by their numbers.
        let are_dated = known.iter().all(|&at| starts[at] != 0);
        let time = |at: usize| if are_dated { starts[at] } else { at as i64 };
        let chosen = column.filter(|at| has_cells.get(*at) == Some(&true));
        let ends = known.iter().map(|&at| time(at)).min().zip(known.iter().map(|&at| time(at)).max());
        let (first, last) = ends.unwrap_or_default();
        let moment = chosen.map_or_else(|| first.saturating_add(last.saturating_sub(first) / 2), time);
        let (before, after): (Vec<usize>, Vec<usize>) = known.iter().partition(|&&at| time(at) < moment);
        let column = after.iter().copied().min_by_key(|&at| time(at)).unwrap_or(0);
        let mut figures = Vec::new();
        for stored in Stored::ALL {
            let Some(figure) = Figure::ALL.into_iter().find(|own| own.stored() == stored) else { continue };
            // Ends of tasks are not of the split.
            if stored == Stored::End {
                continue;
            }
            let values = self.of_columns(run, stored)?;
            let side = |columns: &[usize]| Side::of(columns.iter().map(|&at| values[at]).collect());
            figures.extend(compared(figure, &side(&before), &side(&after)));
        }
        figures.sort_by(|a, b| {
            let key =
                |own: &FigureBeforeAfter| (own.figure != Figure::Window.word(), own.is_sure != Some(true));
            key(a).cmp(&key(b)).then(b.difference_ns.abs().total_cmp(&a.difference_ns.abs()))
        });
        let start = starts.get(column).copied().unwrap_or(0);
        Ok(text(&FleetBeforeAfter {
            column,
            start_unix_ns: if start == 0 { String::new() } else { start.to_string() },
            before: before.len(),
            after: after.len(),
            figures,
        }))
    }

    /// By column, whether anything was recorded.
    fn columns_with_cells(&mut self, run: usize) -> Result<Vec<bool>, Unreadable> {
        Ok(self.of_columns(run, Stored::Window)?.into_iter().map(|value| !value.is_nan()).collect())
    }

    /// By column, the mean over its rows, and of the length of the step the largest; NaN where it has none.
    fn of_columns(&mut self, run: usize, figure: Stored) -> Result<Vec<f64>, Unreadable> {
        let plane = self.mean(run, figure)?;
        let columns = self.grid(run)?.columns;
        let mut sums = vec![(0.0_f64, 0_u32); columns];
        for row in plane.chunks_exact(columns.max(1)) {
            for ((sum, count), &value) in sums.iter_mut().zip(row).filter(|(_, value)| !value.is_nan()) {
                let value = f64::from(value);
                *sum = if figure == Stored::Window { sum.max(value) } else { *sum + value };
                *count += 1;
            }
        }
        let mean = |(sum, count): (f64, u32)| match (count, figure) {
            (0, _) => f64::NAN,
            (_, Stored::Window) => sum,
            _ => sum / f64::from(count),
        };
        Ok(sums.into_iter().map(mean).collect())
    }
}

/// The columns before, or after.
struct Side {
    columns: usize,
    median: f64,
    /// The third quartile less the first.
    spread: f64,
}

impl Side {
    fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        let quartile = |share| interpolated(&values, share);
        let (first, median, third) = (quartile(0.25)?, quartile(0.5)?, quartile(0.75)?);
        Some(Self { columns: values.len(), median, spread: third - first })
    }

    fn notch(&self) -> f64 {
        self.spread / (self.columns as f64).sqrt()
    }
}

/// `percentile_cont` of SQL: between two values, in proportion.
fn interpolated(sorted: &[f64], share: f64) -> Option<f64> {
    let place = sorted.len().checked_sub(1)? as f64 * share;
    let (below, above) = (sorted.get(place.floor() as usize)?, sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}

/// `None` where a side has no column, or the figure is 0 on both.
fn compared(figure: Figure, before: &Option<Side>, after: &Option<Side>) -> Option<FigureBeforeAfter> {
    let (before, after) = before.as_ref().zip(after.as_ref())?;
    if before.median == 0.0 && after.median == 0.0 {
        return None;
    }
    let (difference_ns, noise_ns) = (after.median - before.median, NOTCH * (before.notch() + after.notch()));
    let is_judged = before.columns >= LEAST_COLUMNS && after.columns >= LEAST_COLUMNS;
    Some(FigureBeforeAfter {
        figure: figure.word(),
        before_ns: before.median,
        after_ns: after.median,
        difference_ns,
        noise_ns,
        is_sure: is_judged.then_some(difference_ns.abs() > noise_ns),
    })
}
