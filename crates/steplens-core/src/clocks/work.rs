//! A bound on work, for files that were constructed to be hard.

/// How many more constraints may be visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(u64);

impl Work {
    pub(super) fn bounded(visits: u64) -> Self {
        Self(visits)
    }

    /// Spends `visits`; `None` if there are not that many left.
    pub(super) fn spend(&mut self, visits: usize) -> Option<()> {
        self.0 = self.0.checked_sub(visits as u64)?;
        Some(())
    }
}
