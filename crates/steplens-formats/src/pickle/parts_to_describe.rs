//! Which parts of a pickle have no description yet, and how many runs without a trace may be listed.

use steplens_core::PartId;

/// A session needs at least this many bytes for a run: more runs than that are not listed.
const BYTES_OF_RUN: u64 = 256;

/// Which parts have a description.
pub(super) struct PartsToDescribe<'a> {
    parts: &'a [PartId],
    is_described: Vec<bool>,
    /// How many runs without a trace may still be listed.
    listable: u64,
}

impl<'a> PartsToDescribe<'a> {
    /// The parts of a file of `bytes` bytes.
    pub(super) fn new(parts: &'a [PartId], bytes: u64) -> Self {
        Self { parts, is_described: vec![false; parts.len()], listable: bytes / BYTES_OF_RUN }
    }

    /// The part of a RunMetadata.
    pub(super) fn part(&self, number: u32) -> Option<PartId> {
        self.parts.get(number as usize).copied()
    }

    /// Marks a part as described; returns false if it was already.
    pub(super) fn mark_described(&mut self, number: u32) -> bool {
        self.is_described
            .get_mut(number as usize)
            .is_some_and(|is_described| !std::mem::replace(is_described, true))
    }

    /// Whether another run without a trace may be listed; counts it.
    pub(super) fn list_one_more(&mut self) -> bool {
        let may = self.listable > 0;
        self.listable = self.listable.saturating_sub(1);
        may
    }
}
