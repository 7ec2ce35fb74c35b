//! Units: points in time, lengths of time, sizes, and half-open intervals.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// The largest absolute time that is accepted, in ns from 1970: 146 years in both directions. Every difference of two such times
/// fits in an `i64`.
pub const MAX_UNIX_NS: i64 = 1 << 62;

/// A point in time: nanoseconds from the trace's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub i64);

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A number of floating-point operations: multiplications and additions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flops(pub u64);

/// The half-open interval `[start, end)`; `start <= end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The first moment inside.
    pub start: Timestamp,
    /// The first moment after.
    pub end: Timestamp,
}

impl Interval {
    /// `[start, end)`, or the empty interval at `start` if `end` is before it.
    pub fn new(start: Timestamp, end: Timestamp) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The length.
    pub fn length(self) -> Nanos {
        self.end - self.start
    }

    /// The shortest interval that contains both.
    #[inline]
    pub fn hull(self, other: Interval) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The part of it within `window`.
    pub fn clamp_to(self, window: Interval) -> Self {
        let start = self.start.clamp(window.start, window.end);
        Self { start, end: self.end.clamp(start, window.end) }
    }
}

impl Sub for Timestamp {
    type Output = Nanos;
    fn sub(self, earlier: Self) -> Nanos {
        Nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Nanos> for Timestamp {
    type Output = Self;
    fn add(self, length: Nanos) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}

impl Sub<Nanos> for Timestamp {
    type Output = Self;
    fn sub(self, length: Nanos) -> Self {
        Self(self.0.saturating_sub(length.0))
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self(0), |mut all, size| {
            all += size;
            all
        })
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}
