//! Kernels as CSV.

use super::Kernels;
use crate::csv::Sheet;
use std::io::{self, Write};

const COLUMNS: [&str; 16] = [
    "name",
    "short_name",
    "category",
    "count",
    "total_ns",
    "share_ppm",
    "mean_ns",
    "min_ns",
    "max_ns",
    "occupancy_percent",
    "grid",
    "block",
    "registers",
    "shared_bytes",
    "launched_by",
    "longest",
];

/// Writes the kernels of one name per row, with the way of launching and the op type that most of their time is of.
pub fn write_csv(kernels: &Kernels<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for row in &kernels.kernels {
        sheet.text(row.name)?;
        sheet.text(&row.short_name)?;
        sheet.text(row.category)?;
        sheet.figures([row.count])?;
        sheet.figures([row.total_ns, row.share_ppm, row.mean_ns, row.min_ns, row.max_ns])?;
        sheet.maybe(row.occupancy_percent)?;
        sheet.maybe(row.launch.grid.map(extent))?;
        sheet.maybe(row.launch.block.map(extent))?;
        sheet.maybe(row.launch.registers)?;
        sheet.maybe(row.launch.shared_bytes)?;
        sheet.text(row.launched_by.first().map_or("", |own| own.op_type))?;
        sheet.figures([row.longest])?;
        sheet.end()?;
    }
    sheet.finish()
}

/// The three dimensions in one cell: `2400x1x1`.
fn extent([x, y, z]: [u64; 3]) -> String {
    format!("{x}x{y}x{z}")
}
