//! Why a tensor was not sent yet after its producer had made it. The critical path, the stragglers and *why late* all use this
//! answer.

use crate::transfers::{CLAMPED, Transfer};
use crate::{OpId, Trace};

/// Why a tensor that was ready was not sent yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeforeSending {
    /// It waited in the queue of its sender: the time of the send was recorded.
    AtSender,
    /// Nothing says when it was sent, because the clocks of the two sides differ by more than the transfer took. The delay is
    /// explained by what the threads of the sender did.
    NotTimed,
    /// The op that receives the tensor had not started: it waits for a thread like any other op of its device.
    NotBegun,
}

impl BeforeSending {
    /// The answer for `transfer`, which `op` recorded.
    pub fn of(trace: &Trace, transfer: &Transfer, op: OpId) -> Self {
        match () {
            () if !transfer.is_of_transport => Self::NotBegun,
            () if trace.ops().interval(op).length() <= CLAMPED => Self::NotTimed,
            () => Self::AtSender,
        }
    }
}
