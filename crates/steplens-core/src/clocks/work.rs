//! A bound on work, for files that were made to be hard.

/// How many more constraints may be visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(u64);

impl Work {
    pub(super) fn of(visits: u64) -> Self {
        Self(visits)
    }

    /// `None` once more was spent than there was.
    pub(super) fn spend(&mut self, visits: usize) -> Option<()> {
        self.0 = self.0.checked_sub(visits as u64)?;
        Some(())
    }
}
