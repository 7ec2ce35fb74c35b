//! The waterfall as CSV.

use super::Compare;
use crate::csv::Sheet;
use std::io::{self, Write};

const COLUMNS: [&str; 8] =
    ["cause", "op_type", "device", "difference_ns", "a_ns", "b_ns", "ops_count", "sentence"];

/// Writes the waterfall of `steplens.compare/1`.
pub fn write_csv(answer: &Compare<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for row in &answer.waterfall {
        sheet.text(row.cause)?;
        sheet.text(row.op_type.unwrap_or_default())?;
        sheet.text(row.device.unwrap_or_default())?;
        sheet.figures([row.difference_ns])?;
        sheet.maybe(row.a_ns)?;
        sheet.maybe(row.b_ns)?;
        sheet.figures([row.ops_count])?;
        sheet.text(&row.sentence)?;
        sheet.end()?;
    }
    sheet.finish()
}
