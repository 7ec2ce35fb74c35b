//! How many ops were at work and how many were queued over time: slices of equal length, for a chart.

use crate::base::units::{Interval, Nanos, Timestamp};

/// How many slices there are, about two pixels each.
pub const SLICES: usize = 240;

/// The figures of each slice of a window. They are exact sums: all slices together add up to the figures of the window.
///
/// Slices in which nothing happened are not kept, and those that are alike are kept once: there may be as many of these as devices, most of
/// which have few ops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverTime {
    /// The window; empty where there are no slices.
    pub window: Interval,
    /// In order; no two of the same slice.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// The first slice.
    first: u32,
    /// The slice after the last.
    end: u32,
    figures: Figures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figures {
    /// Of one slice: the running times and the times in the queue, summed, and the most ops at once.
    Sums { work: Nanos, queued: Nanos, most: u32 },
    /// The numbers of ops that are at work, and queued, from the first moment to the last.
    Throughout { running: u32, queued: u32 },
}

impl OverTime {
    pub(super) fn over(window: Interval) -> Self {
        Self { window, pieces: Vec::new() }
    }

    /// How many slices there are.
    pub fn slices(&self) -> usize {
        if self.window.length() > Nanos(0) { SLICES } else { 0 }
    }

    /// The running times of all ops in each slice, summed.
    pub fn work(&self) -> Vec<Nanos> {
        self.each(|_, figures, length| match figures {
            Figures::Sums { work, .. } => work,
            Figures::Throughout { running, .. } => times(length, running),
        })
    }

    /// The times for which ops were scheduled and had not started, summed for each slice.
    pub fn queued(&self) -> Vec<Nanos> {
        self.each(|_, figures, length| match figures {
            Figures::Sums { queued, .. } => queued,
            Figures::Throughout { queued, .. } => times(length, queued),
        })
    }

    /// The most ops at work at any moment of each slice.
    pub fn most(&self) -> Vec<u32> {
        self.each(|_, figures, _| match figures {
            Figures::Sums { most, .. } => most,
            Figures::Throughout { running, .. } => running,
        })
    }

    /// A figure of each slice: `of` makes it from the place of the slice, what is kept of it, and its length.
    fn each<T: Clone + Default>(&self, of: impl Fn(usize, Figures, Nanos) -> T) -> Vec<T> {
        let mut all = vec![T::default(); self.slices()];
        for piece in &self.pieces {
            let slices = piece.first as usize..piece.end as usize;
            for (own, slice) in all.iter_mut().skip(slices.start).zip(slices) {
                *own = of(slice, piece.figures, self.start(slice + 1) - self.start(slice));
            }
        }
        all
    }

    /// Frees unused capacity, because nothing will be added.
    pub(super) fn shrink(&mut self) {
        self.pieces.shrink_to_fit();
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.pieces.capacity() * size_of::<Piece>()
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
        let running = u32::try_from(running).unwrap_or(u32::MAX);
        if from >= end || (running, queued) == (0, 0) {
            return;
        }
        let length = i128::from(self.window.length().0);
        let mut slice = (i128::from((from - self.window.start).0) * SLICES as i128 / length) as usize;
        while from < end && slice < SLICES {
            let (begins, ends) = (self.start(slice), self.start(slice + 1));
            let until = ends.min(end);
            if until > from {
                let is_whole = (begins, ends) == (from, until);
                self.add_within(slice as u32, until - from, is_whole, (running, queued));
            }
            from = from.max(until);
            slice += 1;
        }
    }

    fn add_within(&mut self, slice: u32, passed: Nanos, is_whole: bool, (running, queued): (u32, u32)) {
        let throughout = Figures::Throughout { running, queued };
        match self.pieces.last_mut() {
            Some(last) if is_whole && last.end == slice && last.figures == throughout => last.end += 1,
            Some(Piece { first, figures: Figures::Sums { work, queued: waited, most }, .. })
                if *first == slice =>
            {
                work.0 = work.0.saturating_add(times(passed, running).0);
                waited.0 = waited.0.saturating_add(times(passed, queued).0);
                *most = (*most).max(running);
            }
            _ => {
                let sums = Figures::Sums {
                    work: times(passed, running),
                    queued: times(passed, queued),
                    most: running,
                };
                let figures = if is_whole { throughout } else { sums };
                self.pieces.push(Piece { first: slice, end: slice + 1, figures });
            }
        }
    }
}

fn times(length: Nanos, count: u32) -> Nanos {
    Nanos(length.0.saturating_mul(i64::from(count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every nanosecond by itself.
    #[test]
    fn slices_are_those_of_plain_sums() {
        for length in [1, 7, 239, 240, 241, 480, 1_000, 4_813] {
            let window = Interval::new(Timestamp(100), Timestamp(100 + length));
            let mut found = OverTime::over(window);
            let (mut work, mut queued, mut most) = (vec![0; SLICES], vec![0; SLICES], vec![0; SLICES]);
            let (mut at, mut state) = (90, 50_u64);
            while at < 110 + length {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (running, waiting) = ((state >> 40) % 3, (state >> 50) % 2);
                let until = at + 1 + ((state >> 33) % (1 + length as u64 / 3)) as i64;
                let time = Interval::new(Timestamp(at), Timestamp(until));
                found.add(time, running as usize, waiting as u32);
                for now in at.max(100)..until.min(100 + length) {
                    let is_in =
                        |slice: &usize| (found.start(*slice).0..found.start(*slice + 1).0).contains(&now);
                    let slice = (0..SLICES).find(is_in).unwrap_or_default();
                    work[slice] += running as i64;
                    queued[slice] += waiting as i64;
                    most[slice] = most[slice].max(running as u32);
                }
                at = until;
            }
            assert_eq!(found.work().iter().map(|sum| sum.0).collect::<Vec<_>>(), work, "{length}");
            assert_eq!(found.queued().iter().map(|sum| sum.0).collect::<Vec<_>>(), queued, "{length}");
            assert_eq!(found.most(), most, "{length}");
        }
    }

    #[test]
    fn what_is_alike_is_kept_once() {
        let mut found = OverTime::over(Interval::new(Timestamp(0), Timestamp(24_000)));
        found.add(Interval::new(Timestamp(50), Timestamp(23_950)), 3, 0);
        assert_eq!(found.pieces.len(), 3);
        assert_eq!(found.work().iter().map(|sum| sum.0).sum::<i64>(), 3 * 23_900);
        assert_eq!(OverTime::default().work(), []);
    }
}
