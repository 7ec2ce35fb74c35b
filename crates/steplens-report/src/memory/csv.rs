//! What is alive at the peak of every account as CSV.

use crate::csv::Row;
use crate::memory::{at_or_before, rows_at};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::memory::{By, Reading};

/// Writes what is alive at each peak, one row for equal tensors.
pub fn write_csv(study: &Study, by: By, out: &mut impl Write) -> io::Result<()> {
    out.write_all(
        b"reading,device,allocator,peak_bytes,peak_ns,op,output,bytes,count,dtype,shape,allocated_ns,freed_ns,op_id\n",
    )?;
    let trace = study.trace();
    for reading in Reading::ALL {
        for account in &study.memory(reading).accounts {
            let (peak, at) = account.peak();
            let device = account.device.map_or("", |device| trace.text(trace.devices().get(device).name));
            for alive in rows_at(study, account, at, by) {
                let mut row = Row::new(out);
                row.text(reading.word())?;
                row.text(device)?;
                row.text(trace.text(account.allocator))?;
                row.figures([peak.0])?;
                row.maybe(at_or_before(at))?;
                row.text(&alive.op)?;
                row.maybe(alive.output)?;
                row.figures([alive.bytes, alive.count])?;
                row.text(alive.dtype.as_deref().unwrap_or_default())?;
                row.text(alive.shape.as_deref().unwrap_or_default())?;
                row.maybe(alive.allocated_ns)?;
                row.maybe(alive.freed_ns)?;
                row.figures([alive.op_id])?;
                row.end()?;
            }
        }
    }
    Ok(())
}
