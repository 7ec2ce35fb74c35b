//! The observed path as CSV.

use super::CriticalPath;
use crate::csv::Sheet;
use std::io::{self, Write};

const COLUMNS: [&str; 13] = [
    "op",
    "op_row",
    "device",
    "category",
    "start_ns",
    "end_ns",
    "behind",
    "behind_count",
    "frame",
    "earlier_ns",
    "held_ns",
    "edge",
    "inferred",
];

/// Writes the segments of `steplens.critical-path/1`, one per row.
pub fn write_csv(path: &CriticalPath<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for segment in &path.segments {
        sheet.text(segment.op)?;
        sheet.figures([segment.op_row])?;
        sheet.text(segment.device)?;
        sheet.text(segment.category)?;
        sheet.figures([segment.start_ns, segment.end_ns])?;
        sheet.text(segment.behind.unwrap_or_default())?;
        sheet.maybe(segment.behind_count)?;
        sheet.text(segment.frame.unwrap_or_default())?;
        sheet.figures([segment.earlier_ns, segment.held_ns])?;
        sheet.text(segment.edge.unwrap_or_default())?;
        sheet.figures([segment.inferred])?;
        sheet.end()?;
    }
    sheet.finish()
}
