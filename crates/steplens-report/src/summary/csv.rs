//! The devices of a summary as CSV.

use super::Summary;
use crate::csv::{SPLIT, Sheet};
use std::io::{self, Write};

const BEFORE: [&str; 7] = ["name", "task", "kind", "ops", "lanes", "window_ns", "busy_ns"];
const AFTER: [&str; 5] =
    ["communication_ns", "overlapped_communication_ns", "transfers", "received_bytes", "sent_bytes"];

/// Writes the devices of `steplens.summary/1` as one sheet.
pub fn write_csv(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &[&BEFORE[..], &SPLIT, &AFTER].concat())?;
    for device in &summary.devices {
        let split = device.split;
        sheet.text(&device.name)?;
        sheet.text(device.task.as_deref().unwrap_or_default())?;
        sheet.text(device.kind)?;
        sheet.figures([device.ops, device.lanes])?;
        sheet.figures([
            split.window_ns,
            split.busy_ns,
            split.compute_ns,
            split.exposed_input_ns,
            split.exposed_copy_ns,
            split.exposed_communication_ns,
            split.exposed_launch_ns,
            split.exposed_allocation_ns,
            split.exposed_waiting_ns,
            split.idle_ns,
            split.communication_ns,
            split.overlapped_communication_ns,
        ])?;
        let totals = device.totals.unwrap_or_default();
        sheet.figures([totals.transfers])?;
        sheet.figures([totals.received_bytes, totals.sent_bytes])?;
        sheet.end()?;
    }
    sheet.finish()
}
