//! Every op with its moments, as CSV.

use super::every_op::every_op;
use crate::csv::Sheet;
use std::io::{self, Write};
use steplens_core::Study;

const COLUMNS: [&str; 16] = [
    "op",
    "op_row",
    "device",
    "op_type",
    "run_by",
    "ready_ns",
    "scheduled_ns",
    "start_ns",
    "kernel_start_ns",
    "kernel_end_ns",
    "end_ns",
    "wait_ns",
    "queue_ns",
    "set_up_ns",
    "kernel_ns",
    "tear_down_ns",
];

/// Writes the ops of `steplens.scheduling/1`, one per row. Cells of what was not recorded are empty.
pub fn write_csv(study: &Study, out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &COLUMNS)?;
    for own in every_op(study) {
        sheet.text(own.op)?;
        sheet.figures([own.op_row])?;
        sheet.text(own.device)?;
        sheet.text(own.op_type)?;
        sheet.text(own.moments.run_by)?;
        let (start, end) = (Some(own.moments.start_ns), Some(own.moments.end_ns));
        for moment in [
            own.moments.ready_ns,
            own.moments.scheduled_ns,
            start,
            own.moments.kernel_start_ns,
            own.moments.kernel_end_ns,
            end,
        ] {
            sheet.maybe(moment)?;
        }
        for part in [
            own.moments.wait_ns,
            own.moments.queue_ns,
            own.moments.set_up_ns,
            own.moments.kernel_ns,
            own.moments.tear_down_ns,
        ] {
            sheet.maybe(part)?;
        }
        sheet.end()?;
    }
    sheet.finish()
}
