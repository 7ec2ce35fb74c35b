//! What the analyses say, as CSV (RFC 4180): one header row, LF line ends, empty cells where nothing is known.
//!
//! The columns are the fields of the JSON of the same name, so that whoever knows one knows the other.

use crate::json::{self, OpRef, Summary};
use crate::open::FileReport;
use std::fmt::Display;
use std::io::{self, Write};
use steplens_core::steps::figures::step_figures;
use steplens_core::steps::rule::Steps;
use steplens_core::{Category, OpId, Study, Trace};

/// Writes the devices of `steplens.summary/1`, one in a row.
pub fn write_summary(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
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

/// Writes the steps of `steplens.steps/1`, one in a row.
pub fn write_steps(
    trace: &Trace,
    steps: &Steps,
    files: &[FileReport],
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(
        b"file,name,number,recorded_unix_ns,parts,ops,start_ns,window_ns,compute_ns,exposed_input_ns,exposed_copy_ns,\
          exposed_communication_ns,exposed_launch_ns,exposed_waiting_ns,idle_ns,transferred_bytes\n",
    )?;
    for (step, own) in steps.rows().iter().zip(step_figures(trace, steps)) {
        let part = step.parts.first().and_then(|part| trace.parts().get(part.index()));
        let mut row = Row::new(out);
        row.text(part.and_then(|part| files.get(part.file as usize)).map_or("", |file| &file.name))?;
        row.text(part.map_or("", |part| trace.text(part.name)))?;
        row.maybe(part.and_then(|part| part.step))?;
        row.maybe(part.and_then(|part| part.recorded_unix_ns))?;
        row.figures([step.parts.len() as u64, step.ops])?;
        let split = own.split;
        row.figures([step.span.start.0, split.window.0])?;
        for category in Category::parts() {
            row.figures([split.part(category).0])?;
        }
        row.figures([split.idle.0])?;
        row.figures([own.transferred.0])?;
        row.end()?;
    }
    Ok(())
}

/// Writes the ops of `steplens.ops/1`, one in a row.
pub fn write_ops(study: &Study, out: &mut impl Write) -> io::Result<()> {
    out.write_all(
        b"device,lane,name,op_type,category,reason,start_ns,end_ns,self_ns,scheduled_ns,op_start_ns,op_end_ns,bytes,label\n",
    )?;
    study.trace().ops().ids().try_for_each(|op| write_op(study, op, out))
}

fn write_op(study: &Study, op: OpId, out: &mut impl Write) -> io::Result<()> {
    let (trace, node) = (study.trace(), study.trace().ops().node(op));
    let device = trace.device_of(op);
    let first_lane = study.lanes().of_device(device).next().map_or(0, |lane| lane.get());
    let (interval, kernel) = (trace.ops().interval(op), trace.ops().kernel(op));
    let mut row = Row::new(out);
    row.text(trace.text(trace.devices().get(device).name))?;
    row.figures([study.lanes().lane(op).get() - first_lane])?;
    row.text(trace.op_name(op))?;
    row.text(trace.text(trace.nodes().op_type(node)))?;
    row.text(trace.category(op).word())?;
    row.text(trace.text(trace.nodes().reason(node)))?;
    row.figures([interval.start.0, interval.end.0, study.self_time(op).0])?;
    row.maybe(trace.ops().scheduled(op).map(|time| time.0))?;
    row.figures([kernel.start.0, kernel.end.0])?;
    row.figures([trace.outputs().requested_bytes(op).0])?;
    row.text(trace.text(trace.nodes().label(node)))?;
    row.end()
}

/// Writes the transfers of `steplens.transfers/1`, one in a row; ops stand there by name, consumers apart by a space.
pub fn write_transfers(study: &Study, out: &mut impl Write) -> io::Result<()> {
    out.write_all(
        b"tensor,source,destination,bytes,dtype,shape,producer,producer_end_ns,sent_ns,received_ns,queued_ns,wire_ns,\
          unused_ns,delayed_ns,bytes_per_second,consumers,joined,unjoined_because,output,variable,kind,certainty,candidates,op\n",
    )?;
    for transfer in json::transfer_rows(study) {
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

/// A row being written, cell by cell.
struct Row<'a, W> {
    out: &'a mut W,
    is_first: bool,
}

impl<'a, W: Write> Row<'a, W> {
    fn new(out: &'a mut W) -> Self {
        Self { out, is_first: true }
    }

    /// Text with which a spreadsheet would take the cell for a formula gets an apostrophe in front: names in a trace are
    /// hostile.
    fn text(&mut self, text: &str) -> io::Result<()> {
        self.separate()?;
        let guarded;
        let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            guarded = format!("'{text}");
            &guarded
        } else {
            text
        };
        if text.contains([',', '"', '\n', '\r']) {
            write!(self.out, "\"{}\"", text.replace('"', "\"\""))
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    fn figures<T: Display>(&mut self, figures: impl IntoIterator<Item = T>) -> io::Result<()> {
        figures.into_iter().try_for_each(|figure| self.maybe(Some(figure)))
    }

    fn maybe(&mut self, figure: Option<impl Display>) -> io::Result<()> {
        self.separate()?;
        figure.map_or(Ok(()), |figure| write!(self.out, "{figure}"))
    }

    fn separate(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_first, false) {
            return Ok(());
        }
        self.out.write_all(b",")
    }

    fn end(self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        let mut row = Row::new(&mut out);
        for text in ["plain", "", "a,b", "say \"x\"", "two\nlines"] {
            row.text(text).unwrap();
        }
        row.maybe(None::<i64>).unwrap();
        row.figures([-1]).unwrap();
        row.end().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "plain,,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,-1\n");
    }

    #[test]
    fn text_is_never_a_formula() {
        let mut out = Vec::new();
        let mut row = Row::new(&mut out);
        for text in ["=1+1", "+a", "-b", "@c", "=\",x", "a=b"] {
            row.text(text).unwrap();
        }
        row.end().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "'=1+1,'+a,'-b,'@c,\"'=\"\",x\",a=b\n");
    }
}
