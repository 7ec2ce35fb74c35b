//! When anything ran: a union of intervals. How much of any time it covers, takes log n to find.

use crate::base::units::{Interval, Nanos, Timestamp};

/// When something ran, to be asked for any interval.
#[derive(Default)]
pub(crate) struct Busy {
    /// Intervals that do not touch, in order.
    intervals: Vec<Interval>,
    /// The length of all intervals before each.
    before: Vec<Nanos>,
    all: Nanos,
}

impl Busy {
    /// The union of `intervals`, which must be in order of start.
    pub(crate) fn of(intervals: impl Iterator<Item = Interval>) -> Self {
        let mut own = Self::default();
        intervals.for_each(|interval| own.push(interval));
        own
    }

    /// Adds `interval`, which begins no earlier than all before it.
    pub(crate) fn push(&mut self, interval: Interval) {
        match self.intervals.last_mut() {
            Some(last) if interval.start <= last.end => {
                let longer = interval.end.max(last.end);
                self.all += longer - last.end;
                last.end = longer;
            }
            _ => {
                self.before.push(self.all);
                self.intervals.push(interval);
                self.all += interval.length();
            }
        }
    }

    /// The intervals, in order: they do not touch.
    pub(crate) fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The end of what began before `at` last.
    pub(crate) fn end_before(&self, at: Timestamp) -> Option<Timestamp> {
        let place = self.intervals.partition_point(|own| own.start < at);
        Some(self.intervals[place.checked_sub(1)?].end)
    }

    /// How much of the time before `at` is in the union.
    fn until(&self, at: Timestamp) -> Nanos {
        let place = self.intervals.partition_point(|own| own.start < at);
        let Some(last) = place.checked_sub(1) else { return Nanos(0) };
        self.before[last] + (self.intervals[last].end.min(at) - self.intervals[last].start)
    }

    /// How much of `interval` is in the union, in time log n.
    pub(crate) fn within(&self, interval: Interval) -> Nanos {
        self.until(interval.end) - self.until(interval.start)
    }
}
