//! A figure as a picture: by cell its value, and its level on a scale from little to much.

use crate::overview::Overview;
use crate::overview::error::Unreadable;
use crate::overview::figure::{Figure, Stored};
use crate::text;
use serde::Serialize;

/// Levels of the scale: 1 to 255. Level 0 is a cell without a row.
const LEVELS: f32 = 254.0;
/// The scale ends where this part of the cells is no larger, so that one cell does not make all others pale.
const SCALE_ENDS: f64 = 0.999;
/// The scale reaches half as far again as its low end at least: what is nearly even is to look even.
const LEAST_SPAN: f32 = 1.5;

/// What a picture is of.
#[derive(Clone, Copy, Debug)]
pub struct HeatQuery {
    /// The figure.
    pub figure: Figure,
    /// As a share of the step, where it is a part of it.
    pub as_share: bool,
    /// Of cells that stand for several rows, the largest and not the mean.
    pub largest: bool,
    /// The rows with most of it first; else by name.
    pub by_figure: bool,
}

/// A picture: rows from the top, columns from the left.
#[derive(Clone, Debug)]
pub struct Heat {
    /// By cell: ns, or a part of 1. NaN where there is none.
    pub values: Vec<f32>,
    /// By cell: 1 is the low end of the scale and 255 the high one; 0 is none.
    pub levels: Vec<u8>,
    /// By row of the picture, which row of the run it is.
    pub order: Vec<u32>,
    /// By row of the picture, the mean over its columns.
    pub row_means: Vec<f32>,
    /// What the scale is.
    pub scale: HeatScale,
}

/// The scale of a picture.
#[derive(Clone, Debug, Serialize)]
pub struct HeatScale {
    /// What level 1 stands for, in ns or as a part of 1.
    pub low: f64,
    /// What level 255 stands for.
    pub high: f64,
    /// Whether values are parts of the step.
    pub is_share: bool,
    /// Whether they are of the largest row of each cell.
    pub is_largest: bool,
    /// How many cells have a value.
    pub cells: u64,
    /// How many of them lie above the scale; they have level 255.
    pub above: u64,
    /// The largest value of all.
    pub most: f64,
}

impl Heat {
    /// The scale as JSON.
    pub fn scale_json(&self) -> String {
        text(&self.scale)
    }
}

impl Overview {
    /// The picture of a figure.
    ///
    /// # Errors
    ///
    /// If there is no such run, or what it is made from is damaged.
    pub fn heat(&mut self, run: usize, query: HeatQuery) -> Result<Heat, Unreadable> {
        let HeatQuery { figure, as_share, largest, by_figure } = query;
        let is_share = as_share && figure.is_part();
        // The largest part and the largest step may be of different rows: their quotient would be of none.
        let (mut values, is_largest) = self.values(run, figure, largest && !is_share)?;
        if is_share {
            let windows = self.mean(run, Stored::Window)?;
            for (value, window) in values.iter_mut().zip(windows.iter()) {
                *value = if *window > 0.0 { *value / window } else { f32::NAN };
            }
        }
        let grid = self.grid(run)?;
        let mean = |row: &[f32]| {
            let (sum, count) = row
                .iter()
                .filter(|value| !value.is_nan())
                .fold((0.0, 0_u32), |(sum, count), value| (sum + f64::from(*value), count + 1));
            if count == 0 { f32::NAN } else { (sum / f64::from(count)) as f32 }
        };
        let columns = grid.columns.max(1);
        let means: Vec<f32> = values.chunks_exact(columns).map(mean).collect();
        let mut order: Vec<u32> = (0..means.len() as u32).collect();
        if by_figure {
            let key = |row: &u32| means[*row as usize];
            let some = |mean: f32| if mean.is_nan() { f32::NEG_INFINITY } else { mean };
            order.sort_by(|a, b| some(key(b)).total_cmp(&some(key(a))));
            values =
                order.iter().flat_map(|&row| &values[row as usize * columns..][..columns]).copied().collect();
        }
        let scale = HeatScale { is_share, is_largest, ..scale_of(&values) };
        Ok(Heat {
            levels: values.iter().map(|&value| level(value, &scale)).collect(),
            row_means: order.iter().map(|&row| means[row as usize]).collect(),
            values,
            order,
            scale,
        })
    }
}

fn scale_of(values: &[f32]) -> HeatScale {
    let mut some: Vec<f32> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let (low, most) = some
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, most), &value| (low.min(value), most.max(value)));
    let (low, most) = if some.is_empty() { (0.0, 0.0) } else { (low, most) };
    let rank = (some.len() as f64 * SCALE_ENDS).ceil() as usize;
    let end = match rank.checked_sub(1) {
        Some(place) => *some.select_nth_unstable_by(place, f32::total_cmp).1,
        None => 0.0,
    };
    // Where all but a few are the same, the scale shows these few.
    let high = (if end > low { end } else { most }).max(low * LEAST_SPAN);
    let above = some.iter().filter(|&&value| value > high).count();
    HeatScale {
        low: low.into(),
        high: high.into(),
        is_share: false,
        is_largest: false,
        cells: some.len() as u64,
        above: above as u64,
        most: most.into(),
    }
}

fn level(value: f32, scale: &HeatScale) -> u8 {
    if value.is_nan() {
        return 0;
    }
    let (low, high) = (scale.low as f32, scale.high as f32);
    let part = if high > low { (value - low) / (high - low) } else { 0.0 };
    // Between 1 and 255.
    1 + (part.clamp(0.0, 1.0) * LEVELS).round() as u8
}
