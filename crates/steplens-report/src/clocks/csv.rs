//! The clocks of the tasks as CSV.

use super::answer;
use crate::csv::Sheet;
use std::io::{self, Write};
use steplens_core::Trace;
use steplens_core::clocks::Clocks;

const COLUMNS: [&str; 11] = [
    "task",
    "offset_ns",
    "low_ns",
    "high_ns",
    "transfers",
    "unknown_because",
    "drift_ppm_low",
    "drift_ppm_best",
    "drift_ppm_high",
    "drift_ppm_applied",
    "drift_unknown_because",
];

/// Writes the tasks of `steplens.clocks/1`, one per row.
pub fn write_csv(trace: &Trace, clocks: &Clocks, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for task in answer(trace, clocks).tasks {
        sheet.text(task.task)?;
        sheet.figures([task.offset_ns])?;
        sheet.maybe(task.low_ns)?;
        sheet.maybe(task.high_ns)?;
        sheet.figures([task.transfers])?;
        sheet.text(task.unknown_because.unwrap_or_default())?;
        let drift = task.drift_ppm.as_ref();
        sheet.maybe(drift.map(|drift| drift.low))?;
        sheet.maybe(drift.map(|drift| drift.best))?;
        sheet.maybe(drift.map(|drift| drift.high))?;
        sheet.maybe(drift.map(|drift| drift.applied))?;
        sheet.text(task.drift_unknown_because.unwrap_or_default())?;
        sheet.end()?;
    }
    sheet.finish()
}
