//! Unions of intervals in about five bytes per interval: each boundary is stored as its distance from the one before.

use crate::base::units::{Interval, Nanos, Timestamp};

/// The number of intervals between two checkpoints.
const EVERY: usize = 128;

/// The times that some intervals cover: disjoint intervals that do not touch, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Union {
    /// All but the last interval: start and end in turn, each as its distance from the boundary before, seven bits per byte, the
    /// lowest first. The highest bit of a byte says that more follow.
    bytes: Vec<u8>,
    /// Before every [`EVERY`]th interval: the boundary before it, and its index in `bytes`.
    checkpoints: Vec<(Timestamp, usize)>,
    len: usize,
    /// The end of the last interval in `bytes`.
    written_until: Timestamp,
    /// The last interval, which may still grow.
    last: Option<Interval>,
}

impl Union {
    /// Covers nothing.
    pub const EMPTY: Self =
        Self { bytes: Vec::new(), checkpoints: Vec::new(), len: 0, written_until: Timestamp(0), last: None };

    /// Adds an interval that starts no earlier than the last one. Empty intervals are ignored.
    pub fn push(&mut self, interval: Interval) {
        if interval.end <= interval.start {
            return;
        }
        match &mut self.last {
            Some(last) if interval.start <= last.end => last.end = last.end.max(interval.end),
            last => {
                if let Some(done) = last.replace(interval) {
                    self.write(done);
                }
                if self.len.is_multiple_of(EVERY) {
                    self.checkpoints.push((self.written_until, self.bytes.len()));
                }
                self.len += 1;
            }
        }
    }

    /// The union of both.
    pub fn with(&self, other: &Self) -> Self {
        let mut union = Self::default();
        let (mut a, mut b) = (self.iter(), other.iter());
        while let (Some(first_a), Some(first_b)) = (a.peek(), b.peek()) {
            let first = if first_a.start <= first_b.start { &mut a } else { &mut b };
            first.next().into_iter().for_each(|interval| union.push(interval));
        }
        a.chain(b).for_each(|interval| union.push(interval));
        union
    }

    /// Frees unused capacity, because nothing will be added.
    pub fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.checkpoints.shrink_to_fit();
    }

    /// The number of intervals.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is covered.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// From the first start to the last end.
    pub fn span(&self) -> Option<Interval> {
        Some(Interval { start: self.iter().peek()?.start, end: self.last?.end })
    }

    /// The sum of the lengths.
    pub fn length(&self) -> Nanos {
        Nanos(self.iter().map(|interval| interval.length().0).sum())
    }

    /// The intervals, in order.
    pub fn iter(&self) -> Intervals<'_> {
        Intervals::of(self, 0)
    }

    /// The intervals that end after `time`, in order.
    pub fn after(&self, time: Timestamp) -> Intervals<'_> {
        // The first block may start anywhere.
        let later = self.checkpoints.get(1..).unwrap_or_default();
        let block = later.partition_point(|&(before, _)| before <= time);
        let mut rest = Intervals::of(self, block);
        while rest.peek().is_some_and(|interval| interval.end <= time) {
            rest.next();
        }
        rest
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.checkpoints.capacity() * size_of::<(Timestamp, usize)>()
    }

    fn write(&mut self, interval: Interval) {
        for boundary in [interval.start, interval.end] {
            // The first distance may be any number: what wraps here wraps back when it is read.
            let mut distance = boundary.0.wrapping_sub(self.written_until.0) as u64;
            while distance >= 0x80 {
                self.bytes.push(distance as u8 | 0x80);
                distance >>= 7;
            }
            self.bytes.push(distance as u8);
            self.written_until = boundary;
        }
    }
}

/// Iterates over the intervals of a union, in order.
#[derive(Clone, Debug)]
pub struct Intervals<'a> {
    bytes: &'a [u8],
    until: Timestamp,
    last: Option<Interval>,
    next: Option<Interval>,
}

impl<'a> Intervals<'a> {
    fn of(union: &'a Union, block: usize) -> Self {
        let (until, place) = union.checkpoints.get(block).copied().unwrap_or_default();
        let bytes = union.bytes.get(place..).unwrap_or_default();
        let mut intervals = Self { bytes, until, last: union.last, next: None };
        intervals.next = intervals.read();
        intervals
    }

    /// The next interval.
    #[inline]
    pub fn peek(&self) -> Option<Interval> {
        self.next
    }

    #[inline]
    fn read(&mut self) -> Option<Interval> {
        if self.bytes.is_empty() {
            return self.last.take();
        }
        let start = self.boundary();
        Some(Interval { start, end: self.boundary() })
    }

    #[inline]
    fn boundary(&mut self) -> Timestamp {
        let (mut distance, mut shift) = (0_u64, 0);
        while let Some((&byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            distance |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        self.until = Timestamp(self.until.0.wrapping_add(distance as i64));
        self.until
    }
}

impl Iterator for Intervals<'_> {
    type Item = Interval;

    #[inline]
    fn next(&mut self) -> Option<Interval> {
        let next = self.next?;
        self.next = self.read();
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(start: i64, end: i64) -> Interval {
        Interval { start: Timestamp(start), end: Timestamp(end) }
    }

    /// Intervals with gaps and lengths of every size. The first one starts at the earliest possible time.
    fn intervals() -> Vec<Interval> {
        let mut now = i64::MIN;
        let mut intervals = Vec::new();
        for row in 0..500_i64 {
            let start = now + if row == 0 { 0 } else { 1 + row * row * row % 1_000_003 };
            now = start + 1 + (row * 7_919) % 300;
            intervals.push(interval(start, now));
        }
        intervals.push(interval(0, 1));
        intervals.push(interval(i64::MAX - 1, i64::MAX));
        intervals
    }

    fn union(intervals: &[Interval]) -> Union {
        let mut union = Union::default();
        intervals.iter().for_each(|&interval| union.push(interval));
        union.shrink();
        union
    }

    #[test]
    fn intervals_come_back_from_any_time_on() {
        let all = intervals();
        let union = union(&all);
        assert!(union.iter().eq(all.iter().copied()));
        assert_eq!((union.len(), union.span()), (502, Some(interval(i64::MIN, i64::MAX))));
        for own in &all {
            for time in [own.start, Timestamp(own.start.0.saturating_add(1)), own.end] {
                assert!(union.after(time).eq(all.iter().copied().filter(|other| other.end > time)));
            }
        }
        assert!(union.heap_bytes() < all.len() * 6, "{}", union.heap_bytes());
        assert_eq!(Union::default().after(Timestamp(0)).next(), None);
    }

    #[test]
    fn what_overlaps_or_touches_is_one() {
        let parts = [interval(0, 5), interval(2, 3), interval(5, 7), interval(7, 7), interval(8, 9)];
        let own = union(&parts);
        assert!(own.iter().eq([interval(0, 7), interval(8, 9)]));
        assert_eq!(own.length(), Nanos(8));
        let other = union(&[interval(-4, -2), interval(6, 8), interval(20, 30)]);
        let both = union(&[interval(-4, -2), interval(0, 9), interval(20, 30)]);
        assert!(own.with(&other).iter().eq(both.iter()) && other.with(&own) == own.with(&other));
        assert_eq!(own.with(&Union::default()).iter().count(), 2);
    }
}
