//! Shared by all tables while a session is written: texts as their rows.

use super::codec::Writing;
use super::strings::Strings;
use steplens_core::base::pace::Pace;
use steplens_core::{OpId, StringId, Trace};
use steplens_proto::sessions::Session;

/// How many ops are written between two pauses of the work.
const STRIDE: usize = 1 << 12;

pub(super) struct Writer<'a> {
    pub(super) trace: &'a Trace,
    pub(super) strings: Strings<'a>,
    pub(super) out: Session,
}

impl Writer<'_> {
    #[inline(never)]
    pub(super) fn row(&mut self, id: StringId) -> u64 {
        self.strings.row(self.trace.text(id))
    }

    /// The row of a text that is no string of the trace.
    pub(super) fn row_of(&mut self, text: &str) -> u64 {
        self.strings.row(text)
    }
}

/// Reports ops as done, at some of the ops.
pub(super) async fn rest(op: OpId, pace: &Pace) {
    if op.index().is_multiple_of(STRIDE) {
        pace.worked(STRIDE).await;
    }
}

/// New columns.
pub(super) fn columns<const N: usize>() -> [Writing; N] {
    [(); N].map(|()| Writing::default())
}
