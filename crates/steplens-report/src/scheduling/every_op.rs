//! Every op with its moments and the parts between them.

use serde::Serialize;
use steplens_core::scheduling::RunBy;
use steplens_core::scheduling::moments::Moments;
use steplens_core::{OpId, Study};

/// An op that an executor or a stream ran.
#[derive(Serialize)]
pub struct ScheduledOp<'a> {
    /// What to call it.
    pub op: &'a str,
    /// Its row in `steplens ops --json`.
    pub op_row: u32,
    /// Its device.
    pub device: &'a str,
    /// Its type.
    pub op_type: &'a str,
    /// `executor` or `stream`.
    pub run_by: &'static str,
    /// When its last input was there.
    pub ready_ns: Option<i64>,
    /// When it was scheduled; of a kernel, launched.
    pub scheduled_ns: Option<i64>,
    /// When it started.
    pub start_ns: i64,
    /// When its kernel started.
    pub kernel_start_ns: Option<i64>,
    /// When its kernel ended.
    pub kernel_end_ns: Option<i64>,
    /// When it ended.
    pub end_ns: i64,
    /// From ready to scheduled.
    pub wait_ns: Option<i64>,
    /// From scheduled to start.
    pub queue_ns: Option<i64>,
    /// From start to the kernel's start.
    pub set_up_ns: Option<i64>,
    /// How long the kernel took.
    pub kernel_ns: Option<i64>,
    /// From the kernel's end to the end.
    pub tear_down_ns: Option<i64>,
}

pub(super) fn every_op(study: &Study) -> Vec<ScheduledOp<'_>> {
    let trace = study.trace();
    let run_by = |op: OpId| RunBy::of(trace, study.transfers(), op);
    let own = trace.ops().ids().map(|op| (op, run_by(op)));
    let own = own.filter(|(_, run_by)| matches!(run_by, RunBy::Executor | RunBy::Stream));
    own.map(|(op, run_by)| row(study, op, run_by)).collect()
}

fn row(study: &Study, op: OpId, run_by: RunBy) -> ScheduledOp<'_> {
    let trace = study.trace();
    let moments = Moments::of(study.edges(), study.causes(), op);
    let [wait, queue, set_up, kernel, tear_down] = moments.parts().map(|part| part.map(|part| part.0));
    ScheduledOp {
        op: study.title(op),
        op_row: op.get(),
        device: trace.text(trace.devices().get(trace.device_of(op)).name),
        op_type: trace.text(trace.nodes().op_type(trace.ops().node(op))),
        run_by: run_by.word(),
        ready_ns: moments.ready.map(|at| at.0),
        scheduled_ns: moments.scheduled.map(|at| at.0),
        start_ns: moments.start.0,
        kernel_start_ns: moments.kernel.map(|kernel| kernel.start.0),
        kernel_end_ns: moments.kernel.map(|kernel| kernel.end.0),
        end_ns: moments.end.0,
        wait_ns: wait,
        queue_ns: queue,
        set_up_ns: set_up,
        kernel_ns: kernel,
        tear_down_ns: tear_down,
    }
}
