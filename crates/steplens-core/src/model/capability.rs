//! The compute capability of a GPU of NVIDIA, which says what it can calculate with (CUDA C++ Programming Guide, “Compute Capabilities”).

use std::fmt::{Display, Formatter, Result as Written};
use std::num::NonZeroU8;

/// The compute capability of a GPU of NVIDIA: `7.0` of a V100. What other makers write in its place is none. It is one byte, because a file may have
/// very many devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capability(NonZeroU8);

impl Capability {
    /// That of these two numbers, if a GPU may have it.
    pub fn new(major: i64, minor: i64) -> Option<Self> {
        let (major, minor) = (u8::try_from(major).ok()?, u8::try_from(minor).ok()?);
        if !(1..25).contains(&major) || minor >= 10 {
            return None;
        }
        NonZeroU8::new(10 * major + minor).map(Self)
    }

    /// Both as one number: 86 for `8.6`.
    pub fn number(self) -> u64 {
        u64::from(self.0.get())
    }

    /// That of such a number.
    pub fn of_number(number: u64) -> Option<Self> {
        Self::new((number / 10).try_into().ok()?, (number % 10).try_into().ok()?)
    }

    fn parts(self) -> (u8, u8) {
        (self.0.get() / 10, self.0.get() % 10)
    }

    /// Whether the GPU has tensor cores; `None` of `7.5`, which Turing's GPUs have with them (T4, RTX) and without (GTX 16).
    pub fn has_tensor_cores(self) -> Option<bool> {
        match self.parts() {
            (..7, _) => Some(false),
            (7, 5) => None,
            _ => Some(true),
        }
    }

    /// Whether its tensor cores take bfloat16 and TF32, too.
    pub fn has_tf32(self) -> bool {
        self.parts().0 >= 8
    }
}

impl Display for Capability {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        let (major, minor) = self.parts();
        write!(out, "{major}.{minor}")
    }
}

#[cfg(test)]
mod tests {
    use super::Capability;

    #[test]
    fn tensor_cores_come_with_volta_and_tf32_with_ampere() {
        let of = |major, minor| {
            Capability::new(major, minor).map(|own| (own.has_tensor_cores(), own.has_tf32(), own.to_string()))
        };
        assert_eq!(of(6, 1), Some((Some(false), false, "6.1".to_owned())));
        assert_eq!(of(7, 0), Some((Some(true), false, "7.0".to_owned())));
        assert_eq!(of(7, 5), Some((None, false, "7.5".to_owned())));
        assert_eq!(of(8, 6), Some((Some(true), true, "8.6".to_owned())));
        assert_eq!(of(12, 0), Some((Some(true), true, "12.0".to_owned())));
        assert_eq!([of(0, 0), of(-1, 0), of(7, 10), of(300, 0)], [None, None, None, None]);
    }

    #[test]
    fn one_number_has_both() {
        for (major, minor) in [(3, 5), (7, 5), (12, 1)] {
            let own = Capability::new(major, minor);
            assert_eq!(own.and_then(|own| Capability::of_number(own.number())), own);
        }
        assert_eq!([Capability::of_number(0), Capability::of_number(u64::MAX)], [None, None]);
    }
}
