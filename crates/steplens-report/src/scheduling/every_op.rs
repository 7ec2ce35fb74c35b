//! Every op with its moments and the parts between them.

use super::moments::MomentsRow;
use serde::Serialize;
use steplens_core::scheduling::RunBy;
use steplens_core::{OpId, Study};

/// An op that an executor or a stream ran.
#[derive(Serialize)]
pub struct ScheduledOp<'a> {
    /// The title of the op.
    pub op: &'a str,
    /// Its row in `steplens ops --json`.
    pub op_row: u32,
    /// Its device.
    pub device: &'a str,
    /// Its op type.
    pub op_type: &'a str,
    /// Its moments.
    #[serde(flatten)]
    pub moments: MomentsRow,
}

pub(super) fn every_op(study: &Study) -> impl Iterator<Item = ScheduledOp<'_>> {
    let trace = study.trace();
    let own = trace.ops().ids().map(|op| (op, RunBy::of(trace, study.transfers(), op)));
    let own = own.filter(|(_, run_by)| matches!(run_by, RunBy::Executor | RunBy::Stream));
    own.map(|(op, run_by)| row(study, op, run_by))
}

fn row(study: &Study, op: OpId, run_by: RunBy) -> ScheduledOp<'_> {
    let trace = study.trace();
    ScheduledOp {
        op: study.title(op),
        op_row: op.get(),
        device: trace.text(trace.devices().get(trace.device_of(op)).name),
        op_type: trace.text(trace.nodes().op_type(trace.ops().node(op))),
        moments: MomentsRow::of(study, op, run_by),
    }
}
