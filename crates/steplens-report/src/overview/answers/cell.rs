//! A cell: its task, its steps, all its figures next to those of its peers, and the file that it leads to.

use crate::overview::Overview;
use crate::overview::error::Unreadable;
use crate::overview::figure::Figure;
use crate::text;
use serde::Serialize;

/// A cell.
#[derive(Serialize)]
pub struct FleetCell {
    /// The row of the run.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// All figures that are known of it; none where the cell has no row of the table `split`.
    pub figures: Vec<CellFigure>,
    /// The file to open: of an aggregated cell the one with the largest value of the figure that was asked for. Null where there is none.
    pub source: Option<String>,
    /// The step to open.
    pub step: i64,
    /// Which part of the step it has most more of than the median of its peers, as the word of a figure; null where it has more of none.
    pub most_beyond: Option<&'static str>,
    /// How much more of that.
    pub beyond_ns: f64,
}

/// A figure of a cell.
#[derive(Serialize)]
pub struct CellFigure {
    /// Its word.
    pub figure: &'static str,
    /// The mean of its rows.
    pub value_ns: f64,
    /// As a part of the step.
    pub share: f64,
    /// The median of its peers in this column; null with fewer than three.
    pub peers_ns: Option<f64>,
    /// The largest of its rows; null where it is one.
    pub largest_ns: Option<f64>,
}

/// What is part of the step.
const PARTS: [Figure; 7] = [
    Figure::Compute,
    Figure::Input,
    Figure::Copy,
    Figure::Communication,
    Figure::Launch,
    Figure::Allocation,
    Figure::Waiting,
];

impl Overview {
    /// `FleetCell` as JSON; `of` chooses which row of an aggregated cell it leads to.
    ///
    /// # Errors
    ///
    /// If there is no such run, or what it is made from is damaged.
    pub fn cell_json(
        &mut self,
        run: usize,
        row: usize,
        column: usize,
        of: Figure,
    ) -> Result<String, Unreadable> {
        Ok(text(&self.cell(run, row, column, of)?))
    }

    /// The same as a value.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn cell(
        &mut self,
        run: usize,
        row: usize,
        column: usize,
        of: Figure,
    ) -> Result<FleetCell, Unreadable> {
        let grid = self.grid(run)?;
        let cell = (row < grid.rows && column < grid.columns).then(|| row * grid.columns + column);
        let mut said = FleetCell {
            row,
            column,
            figures: Vec::new(),
            source: None,
            step: 0,
            most_beyond: None,
            beyond_ns: 0.0,
        };
        let Some(cell) = cell else { return Ok(said) };
        let window = self.mean(run, Figure::Window.stored())?[cell];
        if window.is_nan() {
            return Ok(said);
        }
        for figure in Figure::ALL.into_iter().filter(|figure| !figure.is_beyond_peers()) {
            let value = self.mean(run, figure.stored())?[cell];
            let peers = self.median_of_peers(run, row, column, figure)?;
            let largest = self.largest(run, figure.stored())?.map(|largest| largest.value[cell]);
            said.figures.push(CellFigure {
                figure: figure.word(),
                value_ns: value.into(),
                share: if window > 0.0 { f64::from(value) / f64::from(window) } else { 0.0 },
                peers_ns: peers.map(f64::from),
                largest_ns: largest.map(f64::from),
            });
            let beyond = peers.map_or(0.0, |peers| f64::from(value) - f64::from(peers));
            if PARTS.contains(&figure) && beyond > said.beyond_ns {
                (said.most_beyond, said.beyond_ns) = (Some(figure.word()), beyond);
            }
        }
        let names = self.names(run)?;
        said.step = self.run(run)?.columns[column].0;
        said.source = names.of_cell(cell).map(str::to_owned);
        if let Some(largest) = self.largest(run, of.stored())? {
            said.source = names.name(largest.source[cell]).map(str::to_owned);
            said.step = self.step_number(run, largest.step[cell])?.unwrap_or(said.step);
        }
        Ok(said)
    }

    fn median_of_peers(
        &mut self,
        run: usize,
        row: usize,
        column: usize,
        figure: Figure,
    ) -> Result<Option<f32>, Unreadable> {
        let plane = self.mean(run, figure.stored())?;
        let own = self.run(run)?;
        let job = own.rows[row].job;
        let peers = own.rows.iter().enumerate().filter(|(_, row)| row.job == job);
        let values = peers.map(|(row, _)| plane[row * own.grid.columns + column]);
        let mut values: Vec<f32> = values.filter(|value| !value.is_nan()).collect();
        values.sort_unstable_by(f32::total_cmp);
        Ok((values.len() >= super::peers::LEAST_PEERS).then(|| super::quantile(&values, 0.5)))
    }
}
