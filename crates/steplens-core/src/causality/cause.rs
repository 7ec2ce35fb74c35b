//! What a transfer was between the moment when its tensor was made and its sending: one answer for the path, stragglers and *why late*.

use crate::transfers::{CLAMPED, Transfer};
use crate::{OpId, Trace};

/// Why a tensor that was there was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeforeSending {
    /// It stood in the queue of its sender: its sending was recorded.
    AtSender,
    /// Nothing says when it was sent, as the clocks of both sides differ by more than it took. What kept it is what the threads of its sender did.
    NotTimed,
    /// The op that receives it had not begun: it waits for threads as any op of its own device.
    NotBegun,
}

impl BeforeSending {
    /// Of `transfer`, which `op` recorded.
    pub fn of(trace: &Trace, transfer: &Transfer, op: OpId) -> Self {
        match () {
            () if !transfer.is_of_transport => Self::NotBegun,
            () if trace.ops().interval(op).length() <= CLAMPED => Self::NotTimed,
            () => Self::AtSender,
        }
    }
}
