//! The findings of the doctor as CSV.

use super::findings;
use crate::csv::Sheet;
use std::io::{self, Write};
use steplens_core::{Study, Trace};

const COLUMNS: [&str; 9] =
    ["code", "is_note", "title", "sentence", "count", "counted", "devices", "repair", "repaired"];

/// Writes the findings of `steplens.doctor/1`, one per row. The devices of a finding are in one cell, one per line.
pub fn write_csv(whole: &Trace, study: &Study, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for finding in findings(whole, study) {
        sheet.text(finding.code)?;
        sheet.figures([finding.is_note])?;
        sheet.text(finding.title)?;
        sheet.text(&finding.sentence)?;
        sheet.figures([finding.count])?;
        sheet.text(finding.counted)?;
        sheet.text(&finding.devices.join("\n"))?;
        sheet.text(finding.repair.unwrap_or_default())?;
        sheet.figures([finding.repaired])?;
        sheet.end()?;
    }
    sheet.finish()
}
