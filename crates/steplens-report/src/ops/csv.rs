//! Every op as CSV.

use crate::csv::Row;
use std::io::{self, Write};
use steplens_core::{OpId, Study};

/// Writes the ops of `steplens.ops/1`, one in a row.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
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
