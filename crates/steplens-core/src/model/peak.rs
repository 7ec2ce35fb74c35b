//! What accelerators calculate at most, as their profilers recorded it.

use crate::base::units::Flops;

/// The most floating-point operations of a second, of several accelerators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Peak {
    /// No profiler says it.
    #[default]
    Unknown,
    /// All accelerators whose profilers say it have the same.
    Same(Flops),
    /// They differ.
    Unlike,
}

impl Peak {
    /// That of these accelerators and one more.
    #[must_use]
    pub fn and(self, one: Flops) -> Self {
        match self {
            Self::Unknown => Self::Same(one),
            Self::Same(own) if own == one => self,
            Self::Same(_) | Self::Unlike => Self::Unlike,
        }
    }

    /// The one figure of all.
    pub fn of_all(self) -> Option<Flops> {
        match self {
            Self::Same(own) => Some(own),
            Self::Unknown | Self::Unlike => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accelerators_that_differ_have_no_peak_of_all() {
        let of = |peaks: &[u64]| peaks.iter().fold(Peak::default(), |all, &own| all.and(Flops(own))).of_all();
        assert_eq!(
            [of(&[]), of(&[9]), of(&[9, 9]), of(&[9, 8]), of(&[9, 8, 9])],
            [None, Some(Flops(9)), Some(Flops(9)), None, None]
        );
    }
}
