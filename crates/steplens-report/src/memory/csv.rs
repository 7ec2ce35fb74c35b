//! What is alive at the peak of every account as CSV.

use crate::csv::Sheet;
use crate::memory::{at_or_before, rows_at};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::memory::{By, Reading};

const COLUMNS: [&str; 14] = [
    "reading",
    "device",
    "allocator",
    "peak_bytes",
    "peak_ns",
    "op",
    "output",
    "bytes",
    "count",
    "dtype",
    "shape",
    "allocated_ns",
    "freed_ns",
    "op_id",
];

/// Writes what is alive at each peak, with one row for equal tensors.
pub fn write_csv(study: &Study, by: By, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    let trace = study.trace();
    for reading in Reading::ALL {
        for account in &study.memory(reading).accounts {
            let (peak, at) = account.peak();
            let device = account.device.map_or("", |device| trace.text(trace.devices().get(device).name));
            for alive in rows_at(study, account, at, by).0 {
                sheet.text(reading.word())?;
                sheet.text(device)?;
                sheet.text(trace.text(account.allocator))?;
                sheet.figures([peak.0])?;
                sheet.maybe(at_or_before(at))?;
                sheet.text(&alive.op)?;
                sheet.maybe(alive.output)?;
                sheet.figures([alive.bytes, alive.count])?;
                sheet.text(alive.dtype.as_deref().unwrap_or_default())?;
                sheet.text(alive.shape.as_deref().unwrap_or_default())?;
                sheet.maybe(alive.allocated_ns)?;
                sheet.maybe(alive.freed_ns)?;
                sheet.figures([alive.op_id])?;
                sheet.end()?;
            }
        }
    }
    sheet.finish()
}
