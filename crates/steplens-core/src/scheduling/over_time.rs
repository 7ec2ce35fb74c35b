//! How many ops were at work and how many were queued over time: slices of equal length, for a chart.

use crate::base::units::{Interval, Nanos, Timestamp};

/// How many slices there are, about two pixels each.
pub const SLICES: usize = 240;

/// The figures of each slice of a window. They are exact sums: all slices together add up to the figures of the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverTime {
    /// The window; empty where there are no slices.
    pub window: Interval,
    /// The running times of all ops in the slice, summed.
    pub work: Vec<Nanos>,
    /// The times for which ops were scheduled and had not started, summed.
    pub queued: Vec<Nanos>,
    /// The most ops at work at any moment of the slice.
    pub most: Vec<u32>,
}

impl OverTime {
    pub(super) fn over(window: Interval) -> Self {
        let slices = if window.length() > Nanos(0) { SLICES } else { 0 };
        Self { window, work: vec![Nanos(0); slices], queued: vec![Nanos(0); slices], most: vec![0; slices] }
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        (self.work.capacity() + self.queued.capacity()) * size_of::<Nanos>()
            + self.most.capacity() * size_of::<u32>()
    }

    /// Where a slice begins.
    pub fn start(&self, slice: usize) -> Timestamp {
        let length = i128::from(self.window.length().0);
        Timestamp(self.window.start.0 + (length * slice as i128 / SLICES as i128) as i64)
    }

    /// Adds `time`, in which `running` ops were at work and `queued` ops were queued. Times must come in order, so that the total
    /// cost is linear in the number of times and slices.
    pub(super) fn add(&mut self, time: Interval, running: usize, queued: u32) {
        let (mut from, end) = (time.start.max(self.window.start), time.end.min(self.window.end));
        if from >= end {
            return;
        }
        let length = i128::from(self.window.length().0);
        let mut slice = (i128::from((from - self.window.start).0) * SLICES as i128 / length) as usize;
        while from < end && slice < self.work.len() {
            let until = self.start(slice + 1).min(end);
            let passed = (until - from).0.max(0);
            if passed > 0 {
                self.work[slice].0 = self.work[slice].0.saturating_add(passed.saturating_mul(running as i64));
                self.queued[slice].0 =
                    self.queued[slice].0.saturating_add(passed.saturating_mul(i64::from(queued)));
                self.most[slice] = self.most[slice].max(running as u32);
            }
            from = from.max(until);
            slice += 1;
        }
    }
}
