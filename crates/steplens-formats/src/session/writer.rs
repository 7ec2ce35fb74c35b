//! What all tables of a session are written with: texts as their rows.

use super::codec::Writing;
use super::envelope::Message;
use super::strings::Strings;
use steplens_core::base::pace::Pace;
use steplens_core::{OpId, StringId, Trace};

/// How often the work may rest: after so many ops.
const STRIDE: usize = 1 << 12;

pub(super) struct Writer<'a> {
    pub(super) trace: &'a Trace,
    pub(super) strings: Strings<'a>,
    pub(super) out: Message,
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

/// Counts ops as done, now and then.
pub(super) async fn rest(op: OpId, pace: &Pace) {
    if op.index().is_multiple_of(STRIDE) {
        pace.worked(STRIDE).await;
    }
}

/// New columns.
pub(super) fn columns<const N: usize>() -> [Writing; N] {
    [(); N].map(|()| Writing::default())
}
