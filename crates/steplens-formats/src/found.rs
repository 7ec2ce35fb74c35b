//! The result of reading ops, in any format.

use crate::error::ReadErrorKind;
use steplens_core::Problems;

/// The result of reading ops.
pub(crate) struct FoundTrace {
    /// The name of the format.
    pub(crate) format: &'static str,
    /// Why there are no ops, if there are none; `None` if the problems say it.
    pub(crate) nothing: Option<ReadErrorKind>,
    /// The problems that were found.
    pub(crate) problems: Problems,
    /// Where and why reading stopped before the end.
    pub(crate) stopped_at: Option<(u64, String)>,
    /// Where the memory was full.
    pub(crate) full_at: Option<u64>,
    /// The number of bytes, unpacked.
    pub(crate) bytes: u64,
}
