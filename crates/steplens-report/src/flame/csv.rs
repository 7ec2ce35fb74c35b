//! Flames as CSV, and as folded stacks.

use super::{FlameAnswer, Measure};
use crate::csv::Sheet;
use std::io::{self, Write};

const COLUMNS: [&str; 7] = ["name", "category", "count", "self_ns", "total_ns", "gpu_self_ns", "gpu_ns"];

/// Writes one name per row.
pub fn write_csv(flame: &FlameAnswer<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for row in &flame.names {
        sheet.text(row.name)?;
        sheet.text(row.category.unwrap_or(""))?;
        sheet.figures([row.count])?;
        sheet.figures([row.self_ns, row.total_ns, row.gpu_self_ns, row.gpu_ns])?;
        sheet.end()?;
    }
    sheet.finish()
}

/// Writes one path of names per line, and its own time in nanoseconds, as `flamegraph.pl` and speedscope read it. Semicolons and
/// line ends in names become commas and spaces, because these divide names and lines.
pub fn write_folded(flame: &FlameAnswer<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut path: Vec<String> = Vec::new();
    for bar in &flame.bars {
        path.truncate(bar.depth as usize);
        path.push(bar.name.replace(';', ",").replace(['\n', '\r'], " "));
        let own = if flame.measure == Measure::Gpu.word() { bar.gpu_self_ns } else { bar.self_ns };
        if own > 0 {
            writeln!(out, "{} {own}", path.join(";"))?;
        }
    }
    Ok(())
}
