//! The devices of a summary as CSV.

use super::Summary;
use crate::csv::Row;
use std::io::{self, Write};

/// Writes the devices of `steplens.summary/1`, one in a row.
pub fn write_csv(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    out.write_all(
        b"name,task,kind,ops,lanes,window_ns,busy_ns,compute_ns,exposed_input_ns,exposed_copy_ns,exposed_communication_ns,\
          exposed_launch_ns,exposed_waiting_ns,idle_ns,communication_ns,overlapped_communication_ns,transfers,received_bytes,sent_bytes\n",
    )?;
    for device in &summary.devices {
        let split = device.split;
        let mut row = Row::new(out);
        row.text(&device.name)?;
        row.text(device.task.as_deref().unwrap_or_default())?;
        row.text(device.kind)?;
        row.figures([device.ops, device.lanes])?;
        row.figures([
            split.window_ns,
            split.busy_ns,
            split.compute_ns,
            split.exposed_input_ns,
            split.exposed_copy_ns,
            split.exposed_communication_ns,
            split.exposed_launch_ns,
            split.exposed_waiting_ns,
            split.idle_ns,
            split.communication_ns,
            split.overlapped_communication_ns,
        ])?;
        let totals = device.totals.unwrap_or_default();
        row.figures([totals.transfers])?;
        row.figures([totals.received_bytes, totals.sent_bytes])?;
        row.end()?;
    }
    Ok(())
}
