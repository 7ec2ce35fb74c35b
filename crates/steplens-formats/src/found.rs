//! What reading ops came to, whatever the format.

use crate::error::ReadErrorKind;
use steplens_core::Problems;

/// What reading ops came to.
pub(crate) struct FoundTrace {
    /// What its format is called.
    pub(crate) format: &'static str,
    /// Why there is no op, if there is none; `None` where the problems say it.
    pub(crate) nothing: Option<ReadErrorKind>,
    /// What was wrong with it.
    pub(crate) problems: Problems,
    /// Where and why reading stopped before its end.
    pub(crate) stopped_at: Option<(u64, String)>,
    /// Where the memory was full.
    pub(crate) full_at: Option<u64>,
    /// How many bytes it has, unpacked.
    pub(crate) bytes: u64,
}
