//! A bound on work, for files that were made to be hard.

/// How many more constraints may be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(u64);

impl Work {
    pub(super) fn of(looks: u64) -> Self {
        Self(looks)
    }

    /// `None` once more was spent than there was.
    pub(super) fn spend(&mut self, looks: usize) -> Option<()> {
        self.0 = self.0.checked_sub(looks as u64)?;
        Some(())
    }
}
