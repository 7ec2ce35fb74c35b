//! What-if as CSV: without changes the table, with changes what the step waits for before and after.

use super::WhatIf;
use crate::csv::Sheet;
use std::io::{self, Write};

const TABLE: [&str; 8] = [
    "kind",
    "name",
    "on_path_ns",
    "saving_10_ns",
    "saving_25_ns",
    "saving_50_ns",
    "saving_100_ns",
    "flat_from",
];
const PARTS: [&str; 3] = ["category", "before_ns", "after_ns"];

/// Writes the table of `steplens.what-if/1`, or with changes both critical paths by category.
pub fn write_csv(answer: &WhatIf<'_>, out: &mut impl Write) -> io::Result<()> {
    if answer.changes.is_empty() {
        let mut sheet = Sheet::new(out, &TABLE)?;
        for row in &answer.table {
            sheet.text(row.kind)?;
            sheet.text(&row.name)?;
            sheet.figures([row.on_path_ns])?;
            sheet.figures(row.saving_ns)?;
            sheet.maybe(row.flat_from)?;
            sheet.end()?;
        }
        return sheet.finish();
    }
    let mut sheet = Sheet::new(out, &PARTS)?;
    let length = |rows: &[super::ReplayedPart], category: &str| {
        rows.iter().find(|row| row.category == category).map_or(0, |row| row.length_ns)
    };
    let mut categories: Vec<&str> = answer.critical_before.iter().map(|row| row.category).collect();
    for row in &answer.critical_after {
        if !categories.contains(&row.category) {
            categories.push(row.category);
        }
    }
    for category in categories {
        sheet.text(category)?;
        sheet
            .figures([length(&answer.critical_before, category), length(&answer.critical_after, category)])?;
        sheet.end()?;
    }
    sheet.finish()
}
