//! What a host does while its GPU is idle, in parts.

use crate::gpu::accelerators::{begins_executor, ends_executor};
use crate::gpu::launching::is_copy_call;
use crate::model::category::runs_python;
use crate::{Category, OpId, Trace};

/// What a host did while its GPU was idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum HostPart {
    /// It ran an op that is no call: a framework's operator.
    Operators = 0,
    /// It was in a call that launches a kernel or a graph.
    Launching = 1,
    /// It was in a call that copies or sets memory: from memory that is not pinned it returns when that is done.
    Copying = 2,
    /// It was in a call that asks the driver, or tells it something.
    Asking = 3,
    /// It was in a call that gets memory or gives it back.
    Allocating = 4,
    /// It was in a call that waits, though the GPU was done.
    Waiting = 5,
    /// It loaded the next batch.
    Input = 6,
    /// It ran nothing that was recorded.
    Between = 7,
    /// Its executor began.
    Beginning = 8,
}

impl HostPart {
    /// All parts.
    pub const ALL: [Self; 9] = [
        Self::Operators,
        Self::Launching,
        Self::Copying,
        Self::Asking,
        Self::Allocating,
        Self::Waiting,
        Self::Input,
        Self::Between,
        Self::Beginning,
    ];

    /// The part of `op`.
    pub fn of(trace: &Trace, op: OpId, is_launching: bool) -> Self {
        match trace.category(op) {
            Category::Launch if is_launching && is_copy_call(trace.op_type(op)) => Self::Copying,
            Category::Launch if is_launching => Self::Launching,
            Category::Launch => Self::Asking,
            Category::Allocation => Self::Allocating,
            Category::Waiting => Self::Waiting,
            Category::Input => Self::Input,
            Category::Compute if trace.is_call(op) => Self::Asking,
            Category::Compute if begins_executor(trace, op) => Self::Beginning,
            Category::Compute if ends_executor(trace, op) || runs_python(trace.op_type(op)) => Self::Between,
            Category::Compute | Category::Copy | Category::Communication | Category::Range => Self::Operators,
        }
    }

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Operators => "operators",
            Self::Launching => "launching",
            Self::Copying => "copying",
            Self::Asking => "asking",
            Self::Allocating => "allocation",
            Self::Waiting => "waiting",
            Self::Input => "input",
            Self::Between => "between",
            Self::Beginning => "beginning",
        }
    }
}
