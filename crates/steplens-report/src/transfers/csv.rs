//! Every transfer as CSV.

use super::rows;
use crate::OpRef;
use crate::csv::Row;
use std::io::{self, Write};
use steplens_core::Study;

/// Writes the transfers of `steplens.transfers/1`, one in a row; ops stand there by name, consumers apart by a space.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    out.write_all(
        b"tensor,source,destination,bytes,dtype,shape,producer,producer_end_ns,sent_ns,received_ns,queued_ns,wire_ns,\
          unused_ns,delayed_ns,bytes_per_second,consumers,joined,unjoined_because,output,variable,kind,certainty,candidates,op\n",
    )?;
    for transfer in rows(study) {
        let mut row = Row::new(out);
        row.text(&transfer.tensor)?;
        row.text(&transfer.source)?;
        row.text(&transfer.destination)?;
        row.maybe(transfer.bytes)?;
        row.text(transfer.dtype.as_deref().unwrap_or_default())?;
        row.text(transfer.shape.as_deref().unwrap_or_default())?;
        row.text(transfer.producer.as_ref().map_or("", OpRef::name))?;
        row.maybe(transfer.producer_end_ns)?;
        row.maybe(transfer.sent_ns)?;
        row.maybe(transfer.received_ns)?;
        row.maybe(transfer.queued_ns)?;
        row.maybe(transfer.wire_ns)?;
        row.maybe(transfer.unused_ns)?;
        row.maybe(transfer.delayed_ns)?;
        row.maybe(transfer.bytes_per_second)?;
        let consumers: Vec<_> = transfer.consumers.iter().map(OpRef::name).collect();
        row.text(&consumers.join(" "))?;
        row.text(transfer.joined.unwrap_or_default())?;
        row.text(transfer.unjoined_because.unwrap_or_default())?;
        row.figures([transfer.output])?;
        row.text(transfer.variable.as_deref().unwrap_or_default())?;
        row.text(transfer.kind.unwrap_or_default())?;
        row.text(transfer.certainty)?;
        row.maybe(transfer.candidates)?;
        row.maybe(transfer.op)?;
        row.end()?;
    }
    Ok(())
}
