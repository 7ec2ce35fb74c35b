//! The moments of an op and the parts between them: for every op in a list, and for the op that a user asks about.

use serde::Serialize;
use steplens_core::scheduling::RunBy;
use steplens_core::scheduling::moments::Moments;
use steplens_core::{OpId, Study};

/// The moments of an op; null for those that were not recorded.
#[derive(Serialize)]
pub struct MomentsRow {
    /// What ran it: `executor`, `stream`, `network`, `program`, or `nothing` for a range.
    pub run_by: &'static str,
    /// When its last input was ready.
    pub ready_ns: Option<i64>,
    /// When it was scheduled; for a kernel, when it was launched.
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

impl MomentsRow {
    /// The moments of `op`, which `run_by` ran.
    pub(super) fn of(study: &Study, op: OpId, run_by: RunBy) -> Self {
        let moments = Moments::of(study.edges(), study.causes(), op);
        let [wait_ns, queue_ns, set_up_ns, kernel_ns, tear_down_ns] =
            moments.parts().map(|part| part.map(|part| part.0));
        Self {
            run_by: run_by.word(),
            ready_ns: moments.ready.map(|at| at.0),
            scheduled_ns: moments.scheduled.map(|at| at.0),
            start_ns: moments.start.0,
            kernel_start_ns: moments.kernel.map(|kernel| kernel.start.0),
            kernel_end_ns: moments.kernel.map(|kernel| kernel.end.0),
            end_ns: moments.end.0,
            wait_ns,
            queue_ns,
            set_up_ns,
            kernel_ns,
            tear_down_ns,
        }
    }
}
