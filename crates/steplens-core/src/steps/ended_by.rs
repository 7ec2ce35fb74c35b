//! What steps end with, where no program marks where they begin.

use super::rule::Steps;
use crate::Trace;

/// The name of the range with whose end each step ends: what marks it begins after others of its ops on that thread.
pub fn ended_by<'a>(trace: &'a Trace, steps: &Steps) -> Option<&'a str> {
    if !steps.has_periods() {
        return None;
    }
    let ops = trace.ops();
    let of_host =
        |&&(_, op): &&(crate::PartId, crate::OpId)| !trace.devices().get(trace.device_of(op)).is_accelerator;
    let &(part, mark) = trace.marks().iter().find(of_host)?;
    let mut before = trace.ops_of(trace.device_of(mark)).take_while(|&op| ops.start(op) < ops.start(mark));
    let is_own = |op| ops.part(op) == part && ops.thread(op) == ops.thread(mark);
    before.any(is_own).then(|| trace.op_name(mark))
}
