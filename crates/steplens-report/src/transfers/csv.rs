//! Every transfer as CSV.

use super::rows;
use crate::OpRef;
use crate::csv::Sheet;
use std::io::{self, Write};
use steplens_core::Study;

const COLUMNS: [&str; 26] = [
    "tensor",
    "source",
    "destination",
    "bytes",
    "dtype",
    "shape",
    "producer",
    "producer_end_ns",
    "sent_ns",
    "received_ns",
    "queued_ns",
    "wire_ns",
    "unused_ns",
    "delayed_ns",
    "bytes_per_second",
    "consumers",
    "joined",
    "unjoined_because",
    "output",
    "variable",
    "kind",
    "certainty",
    "candidates",
    "op",
    "waited_ns",
    "handed_over_ns",
];

/// Writes the transfers of `steplens.transfers/1`, one per row. Ops are written by name, and consumers are separated by a space.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for transfer in rows(study) {
        sheet.text(&transfer.tensor)?;
        sheet.text(&transfer.source)?;
        sheet.text(&transfer.destination)?;
        sheet.maybe(transfer.bytes)?;
        sheet.text(transfer.dtype.as_deref().unwrap_or_default())?;
        sheet.text(transfer.shape.as_deref().unwrap_or_default())?;
        sheet.text(transfer.producer.as_ref().map_or("", OpRef::name))?;
        sheet.maybe(transfer.producer_end_ns)?;
        sheet.maybe(transfer.sent_ns)?;
        sheet.maybe(transfer.received_ns)?;
        sheet.maybe(transfer.queued_ns)?;
        sheet.maybe(transfer.wire_ns)?;
        sheet.maybe(transfer.unused_ns)?;
        sheet.maybe(transfer.delayed_ns)?;
        sheet.maybe(transfer.bytes_per_second)?;
        let consumers: Vec<_> = transfer.consumers.iter().map(OpRef::name).collect();
        sheet.text(&consumers.join(" "))?;
        sheet.text(transfer.joined.unwrap_or_default())?;
        sheet.text(transfer.unjoined_because.unwrap_or_default())?;
        sheet.figures([transfer.output])?;
        sheet.text(transfer.variable.as_deref().unwrap_or_default())?;
        sheet.text(transfer.kind.unwrap_or_default())?;
        sheet.text(transfer.certainty)?;
        sheet.maybe(transfer.candidates)?;
        sheet.maybe(transfer.op)?;
        sheet.maybe(transfer.waited_ns)?;
        sheet.maybe(transfer.handed_over_ns)?;
        sheet.end()?;
    }
    sheet.finish()
}
