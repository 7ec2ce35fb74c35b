//! A figure over the steps: what is usual among the tasks of each column, and how far they are apart.

use super::heat::HeatQuery;
use super::quantile;
use crate::overview::Overview;
use crate::overview::error::Unreadable;

/// By column, over its rows by nearest rank; NaN where no row has a value.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// A tenth of the rows is no larger.
    pub p10: Vec<f32>,
    /// Half of the rows is no larger.
    pub median: Vec<f32>,
    /// Nine of ten rows are no larger.
    pub p90: Vec<f32>,
    /// The largest.
    pub most: Vec<f32>,
    /// The row with the largest, as the run has it.
    pub most_row: Vec<u32>,
}

impl Overview {
    /// The series of a figure.
    ///
    /// # Errors
    ///
    /// If there is no such run, or what it is made from is damaged.
    pub fn series(&mut self, run: usize, query: HeatQuery) -> Result<Series, Unreadable> {
        let heat = self.heat(run, HeatQuery { by_figure: false, ..query })?;
        let columns = self.grid(run)?.columns;
        let mut series = Series::default();
        let mut sorted: Vec<(f32, u32)> = Vec::new();
        for column in 0..columns {
            sorted.clear();
            let rows = heat.values.iter().skip(column).step_by(columns).zip(0..);
            sorted.extend(rows.filter(|(value, _)| !value.is_nan()).map(|(value, row)| (*value, row)));
            sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let values: Vec<f32> = sorted.iter().map(|(value, _)| *value).collect();
            series.p10.push(quantile(&values, 0.1));
            series.median.push(quantile(&values, 0.5));
            series.p90.push(quantile(&values, 0.9));
            series.most.push(quantile(&values, 1.0));
            series.most_row.push(sorted.last().map_or(u32::MAX, |(_, row)| *row));
        }
        Ok(series)
    }
}
