//! The peak of bandwidth: the most bytes that arrive in any window of one fixed length, wherever it begins.
//!
//! The maximum over slices would depend on where the slices begin and how long they are: on a screen, on its width and zoom.

use crate::base::units::{Nanos, Timestamp};

/// The length of the window.
pub const PEAK_WINDOW: Nanos = Nanos(1_000_000);

/// The window of length [`PEAK_WINDOW`] in which the most bytes arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The number of bytes.
    pub bytes: f64,
    /// Its start. Of several such windows the first one that begins or ends at a change of bandwidth.
    pub start: Timestamp,
}

/// A point where the sum of received bytes bends or jumps; between two such points it is a straight line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    pub at: Timestamp,
    /// The sum without the bytes that arrive exactly then.
    pub before: f64,
    /// The sum with these bytes.
    pub after: f64,
}

impl Peak {
    /// Bytes per second, on average over the window.
    pub fn bytes_per_second(self) -> f64 {
        self.bytes * 1e9 / PEAK_WINDOW.0 as f64
    }

    /// The peak of the sum with these knots, in order of time. The most bytes come in a window whose start or end is at a knot.
    pub(super) fn of(knots: &[Knot]) -> Self {
        let mut peak = Self::default();
        let mut offer = |bytes: f64, start: Timestamp| {
            if bytes > peak.bytes {
                peak = Self { bytes, start };
            }
        };
        // A window goes from just before one moment to just before another, or from just after one to just after another.
        let (mut ends, mut starts) = (Reader::default(), Reader::default());
        for knot in knots {
            let end = knot.at + PEAK_WINDOW;
            offer(ends.sum_before(knots, end) - knot.before, knot.at);
            let start = knot.at - PEAK_WINDOW;
            offer(knot.after - starts.sum_after(knots, start), start);
        }
        peak
    }
}

/// Reads the sum at moments in ascending order.
#[derive(Default)]
struct Reader {
    /// The number of knots that were passed.
    passed: usize,
}

impl Reader {
    fn sum_before(&mut self, knots: &[Knot], at: Timestamp) -> f64 {
        self.pass(knots, |knot| knot.at < at);
        self.sum(knots, at)
    }

    fn sum_after(&mut self, knots: &[Knot], at: Timestamp) -> f64 {
        self.pass(knots, |knot| knot.at <= at);
        self.sum(knots, at)
    }

    fn pass(&mut self, knots: &[Knot], is_passed: impl Fn(&Knot) -> bool) {
        while knots.get(self.passed).is_some_and(&is_passed) {
            self.passed += 1;
        }
    }

    fn sum(&self, knots: &[Knot], at: Timestamp) -> f64 {
        let Some(from) = self.passed.checked_sub(1).and_then(|last| knots.get(last)) else { return 0.0 };
        let Some(to) = knots.get(self.passed) else { return from.after };
        let share = (at - from.at).0 as f64 / (to.at - from.at).0 as f64;
        from.after + (to.before - from.after) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knot(at: i64, before: f64, after: f64) -> Knot {
        Knot { at: Timestamp(at), before, after }
    }

    #[test]
    fn the_stretch_lies_where_most_comes() {
        // 1,000 bytes from 0 to 2 ms, 1,000 at once at 2.5 ms, 1,000 from 3 to 4 ms.
        let knots = [
            knot(0, 0.0, 0.0),
            knot(2_000_000, 1000.0, 1000.0),
            knot(2_500_000, 1000.0, 2000.0),
            knot(3_000_000, 2000.0, 2000.0),
            knot(4_000_000, 3000.0, 3000.0),
        ];
        // From 2.5 to 3.5 ms: all bytes that come at once, and half of the last transfer.
        assert_eq!(Peak::of(&knots), Peak { bytes: 1500.0, start: Timestamp(2_500_000) });
        assert_eq!(Peak::of(&knots[..3]), Peak { bytes: 1250.0, start: Timestamp(1_500_000) });
        assert_eq!(Peak::of(&knots[..2]), Peak { bytes: 500.0, start: Timestamp(0) });
        assert_eq!(Peak::of(&[knot(7, 0.0, 9.0)]), Peak { bytes: 9.0, start: Timestamp(7) });
        assert_eq!(Peak::of(&[]), Peak::default());
    }
}
