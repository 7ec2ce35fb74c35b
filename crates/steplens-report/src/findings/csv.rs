//! Findings as CSV.

use super::FindingList;
use crate::csv::Sheet;
use std::io::{self, Write};

const COLUMNS: [&str; 9] =
    ["rule", "saving_ns", "share_ppm", "basis", "sentence", "advice", "after", "op", "op_row"];

/// Writes one finding per row, with the first op of its evidence.
pub fn write_csv(list: &FindingList<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for row in &list.findings {
        sheet.text(row.rule)?;
        sheet.maybe(row.saving_ns)?;
        sheet.maybe(row.share_ppm)?;
        sheet.text(row.basis)?;
        sheet.text(&row.sentence)?;
        sheet.text(&row.advice)?;
        sheet.text(row.after.unwrap_or_default())?;
        let first = row.evidence.first();
        sheet.text(first.map_or("", |own| own.op))?;
        sheet.maybe(first.map(|own| own.op_row))?;
        sheet.end()?;
    }
    sheet.finish()
}
