//! A curve: how many bytes were alive from each moment on. The maximum of a window costs time in proportion to its columns.

use crate::base::order;
use crate::base::units::{Bytes, Interval, Timestamp};
use crate::memory::lives::Life;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::moments::Moments;
use crate::timeline::in_flight::STRIP_COLUMN_PX;

/// The number of moments per maximum, and of maxima per maximum of the next level.
const BLOCK: usize = 32;

/// The bytes alive at every moment: a step at each time at which any were allocated or freed. Frees and allocations at the same
/// time count together, so that memory that is freed and allocated again at once is not counted twice.
#[derive(Debug, Default)]
pub struct Curve {
    /// The bytes alive before the first moment.
    before: i64,
    times: Moments,
    levels: Column,
    /// The maximum of every [`BLOCK`] levels, of every [`BLOCK`] of these maxima, and so on.
    maxima: Vec<Vec<i64>>,
    peak: (i64, Timestamp),
}

impl Curve {
    /// The sum of `lives`, and how many sizes and sums were too large to store.
    pub(crate) fn summed(lives: impl Iterator<Item = Life>) -> (Self, u64) {
        let (mut before, mut too_large) = (0_i128, 0);
        let mut changes: Vec<(i64, i64)> = Vec::new();
        for life in lives {
            let bytes = i64::try_from(life.bytes.0).unwrap_or(i64::MAX);
            too_large += u64::from(bytes as u64 != life.bytes.0);
            match life.allocated {
                None => before += i128::from(bytes),
                Some(start) => changes.push((start.0, bytes)),
            }
            changes.extend(life.freed.map(|end| (end.0, -bytes)));
        }
        order::by_number(&mut changes, |(at, _)| (at, 0));
        let mut kept = |level: i128| {
            let kept = i64::try_from(level).unwrap_or(if level < 0 { 0 } else { i64::MAX });
            too_large += u64::from(i128::from(kept) != level);
            kept
        };
        let before_kept = kept(before);
        let (mut level, mut peak) = (before, (before_kept, Timestamp(i64::MIN)));
        let (mut times, mut levels) = (Vec::new(), Vec::new());
        for same in changes.chunk_by(|a, b| a.0 == b.0) {
            let change: i128 = same.iter().map(|change| i128::from(change.1)).sum();
            if change == 0 {
                continue;
            }
            level += change;
            let (at, now) = (Timestamp(same[0].0), kept(level));
            if now > peak.0 {
                peak = (now, at);
            }
            times.push(at);
            levels.push(now);
        }
        let mut maxima: Vec<Vec<i64>> = Vec::new();
        let mut below = &levels;
        while below.len() > BLOCK {
            let above = below.chunks(BLOCK).map(|block| block.iter().copied().max().unwrap_or(0)).collect();
            maxima.push(above);
            below = &maxima[maxima.len() - 1];
        }
        let curve = Self {
            before: before_kept,
            times: Moments::of(times.len(), times.iter().copied()),
            levels: ColumnBuilder::of(levels.iter().copied()),
            maxima,
            peak,
        };
        (curve, too_large)
    }

    /// The most bytes alive at once, and since when; the smallest timestamp if they were alive before the recording.
    pub fn peak(&self) -> (Bytes, Timestamp) {
        (Bytes(self.peak.0.max(0) as u64), self.peak.1)
    }

    /// How many bytes are alive at `at`.
    pub fn at(&self, at: Timestamp) -> Bytes {
        let level = self.after(at).checked_sub(1).map_or(self.before, |row| self.levels.get(row));
        Bytes(level.max(0) as u64)
    }

    /// The steps of the curve: (time, bytes alive from then on).
    pub fn steps(&self) -> impl ExactSizeIterator<Item = (Timestamp, Bytes)> + '_ {
        (0..self.times.len()).map(|row| (self.times.get(row), Bytes(self.levels.get(row).max(0) as u64)))
    }

    /// The most bytes alive at once in each of `columns` equal parts of `window`.
    pub fn maxima(&self, window: Interval, columns: usize) -> Vec<Bytes> {
        let length = window.length().0 as f64;
        let edge = |column: usize| {
            let at = window.start.0 as f64 + length * (column as f64 / columns.max(1) as f64);
            Timestamp(at as i64)
        };
        let mut from = self.after(window.start);
        let most = |column: usize| {
            // A column counts what is alive when it begins (including a step at that moment), and each step before its end.
            let end = if column + 1 == columns { window.end } else { edge(column + 1) };
            let to = self.before_or_at(end, from);
            let carried = from.checked_sub(1).map_or(self.before, |row| self.levels.get(row));
            let most = carried.max(self.most(from, to));
            from = self.search(to, |time| time <= end);
            Bytes(most.max(0) as u64)
        };
        (0..columns).map(most).collect()
    }

    /// Like `maxima`, in columns of [`STRIP_COLUMN_PX`] of `window`, drawn `width_px` wide: the last column may reach beyond it.
    pub fn strip(&self, window: Interval, width_px: f64) -> Vec<Bytes> {
        let columns = (width_px / STRIP_COLUMN_PX).ceil().max(0.0);
        let length = window.length().0 as f64 * STRIP_COLUMN_PX / width_px.max(1.0) * columns;
        let end = Timestamp(window.start.0.saturating_add(length as i64));
        self.maxima(Interval::new(window.start, end), columns as usize)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let maxima = self.maxima.iter().map(|level| level.capacity() * 8).sum::<usize>();
        self.times.heap_bytes()
            + self.levels.heap_bytes()
            + self.maxima.capacity() * size_of::<Vec<i64>>()
            + maxima
    }

    /// The number of steps at or before `at`.
    fn after(&self, at: Timestamp) -> usize {
        self.search(0, |time| time <= at)
    }

    /// The index of the first step at or after `end`, at least `from`.
    fn before_or_at(&self, end: Timestamp, from: usize) -> usize {
        self.search(from, |time| time < end)
    }

    fn search(&self, from: usize, is_before: impl Fn(Timestamp) -> bool) -> usize {
        let (mut low, mut high) = (from, self.times.len());
        while low < high {
            let middle = low.midpoint(high);
            if is_before(self.times.get(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The largest level of steps `from..to`.
    fn most(&self, mut from: usize, mut to: usize) -> i64 {
        let mut most = i64::MIN;
        let mut level = 0;
        let value = |level: usize, row: usize| match level {
            0 => self.levels.get(row),
            _ => self.maxima[level - 1][row],
        };
        while from < to {
            if level == self.maxima.len() || to - from <= BLOCK {
                return (from..to).map(|row| value(level, row)).fold(most, i64::max);
            }
            let (first, last) = (from.next_multiple_of(BLOCK), to / BLOCK * BLOCK);
            most = (from..first).chain(last..to).map(|row| value(level, row)).fold(most, i64::max);
            (from, to, level) = (first / BLOCK, last / BLOCK, level + 1);
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::OpId;

    fn lives(count: i64) -> Vec<Life> {
        let life = |i: i64| Life {
            op: OpId::new(i as u32),
            output: None,
            bytes: Bytes((i * 7919 % 1000) as u64),
            allocated: (i % 17 > 0).then_some(Timestamp(i * 31 % 5000)),
            freed: (i % 13 > 0).then_some(Timestamp(i * 31 % 5000 + i * i % 400)),
        };
        (0..count).map(life).collect()
    }

    #[test]
    fn a_curve_is_the_sum_of_its_lives_at_every_moment() {
        let lives = lives(3000);
        let (curve, too_large) = Curve::summed(lives.iter().copied());
        let sum = |at| {
            lives.iter().filter(|life| life.is_alive(Timestamp(at))).map(|life| life.bytes).sum::<Bytes>()
        };
        let mut peak = sum(-1);
        for at in -1..5500 {
            assert_eq!(curve.at(Timestamp(at)), sum(at), "{at}");
            peak = peak.max(sum(at));
        }
        assert_eq!((curve.peak().0, too_large), (peak, 0));
        for (start, end, columns) in
            [(0, 5500, 7), (-100, 6000, 333), (1000, 1010, 10), (2000, 2000, 1), (40, 4711, 1)]
        {
            let window = Interval { start: Timestamp(start), end: Timestamp(end) };
            let maxima = curve.maxima(window, columns as usize);
            for (column, &most) in maxima.iter().enumerate() {
                let edge =
                    |column: f64| (start as f64 + (end - start) as f64 * (column / columns as f64)) as i64;
                let (from, to) = (edge(column as f64), edge(column as f64 + 1.0));
                let naive = (from..to.max(from + 1)).map(sum).max().unwrap();
                assert_eq!(most, naive, "{start}..{end}, column {column} of {columns}");
            }
        }
    }

    #[test]
    fn sums_beyond_all_numbers_stop_there_and_are_counted() {
        let life = |start| Life {
            op: OpId::new(0),
            output: None,
            bytes: Bytes(i64::MAX as u64),
            allocated: Some(Timestamp(start)),
            freed: None,
        };
        let (curve, too_large) = Curve::summed([life(1), life(2), life(3)].into_iter());
        assert_eq!((curve.peak(), too_large), ((Bytes(i64::MAX as u64), Timestamp(1)), 2));
        assert_eq!(curve.at(Timestamp(0)), Bytes(0));
    }
}
