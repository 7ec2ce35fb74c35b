//! Every op as CSV.

use crate::csv::Sheet;
use std::io::{self, Write};
use steplens_core::{OpId, Study};

const COLUMNS: [&str; 14] = [
    "device",
    "lane",
    "name",
    "op_type",
    "category",
    "reason",
    "start_ns",
    "end_ns",
    "self_ns",
    "scheduled_ns",
    "op_start_ns",
    "op_end_ns",
    "bytes",
    "label",
];

/// Writes the ops of `steplens.ops/1` as one sheet.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    let counted = study.trace().ops().ids().take(study.trace().counted_ops());
    counted.into_iter().try_for_each(|op| write_op(study, op, &mut sheet))?;
    sheet.finish()
}

fn write_op(study: &Study, op: OpId, sheet: &mut Sheet<impl Write>) -> io::Result<()> {
    let (trace, node) = (study.trace(), study.trace().ops().node(op));
    let device = trace.device_of(op);
    let first_lane = study.lanes().of_device(device).next().map_or(0, |lane| lane.get());
    let (interval, kernel) = (trace.ops().interval(op), trace.ops().kernel(op));
    sheet.text(trace.text(trace.devices().get(device).name))?;
    sheet.figures([study.lanes().lane(op).get() - first_lane])?;
    sheet.text(trace.op_name(op))?;
    sheet.text(trace.text(trace.nodes().op_type(node)))?;
    sheet.text(trace.category(op).word())?;
    sheet.text(trace.text(trace.nodes().reason(node)))?;
    sheet.figures([interval.start.0, interval.end.0, study.self_time(op).0])?;
    sheet.maybe(trace.ops().scheduled(op).map(|time| time.0))?;
    sheet.figures([kernel.start.0, kernel.end.0])?;
    sheet.figures([trace.outputs().requested_bytes(op).0])?;
    sheet.text(trace.text(trace.nodes().label(node)))?;
    sheet.end()
}
