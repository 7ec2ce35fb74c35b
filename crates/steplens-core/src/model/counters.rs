//! Counters: values that a file recorded again and again, such as bytes in use or the load of a GPU.
//!
//! A value holds until the next one. Each counter's points are in order of time; points at the same time keep the order of the file,
//! and the last of them holds. The lowest and the highest value of any run of points are known in logarithmic time, so that a
//! picture costs the same at any length of a trace.

use crate::base::ids::{CounterId, StringId};
use crate::base::order;
use crate::base::units::{Nanos, Timestamp};
use crate::model::owner::{Owner, OwnerOrder};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::Range;

/// How many points, or blocks of them, the next level of [`Counters`] sums up.
const FAN: usize = 16;

/// A value of a counter. It is finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Value(f64);

impl Value {
    /// `number`, if it is finite. There is only one zero.
    pub fn new(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self(number + 0.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// The lowest and the highest of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The lowest.
    pub min: Value,
    /// The highest.
    pub max: Value,
}

impl Extent {
    /// Of one value.
    pub fn of(value: Value) -> Self {
        Self { min: value, max: value }
    }

    /// Of the values of both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let (min, max) = (self.min.0.min(other.min.0), self.max.0.max(other.max.0));
        Self { min: Value(min), max: Value(max) }
    }
}

/// One counter. Several series may have one name, as a file writes them in one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Where it was counted.
    pub owner: Owner,
    /// Its name.
    pub name: StringId,
    /// What the value is of: the key of the value in the file.
    pub series: StringId,
    first: u32,
    end: u32,
}

impl Counter {
    fn key(&self) -> (Owner, StringId, StringId) {
        (self.owner, self.name, self.series)
    }

    /// The rows of its points. There is at least one.
    pub fn points(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A counter before its points are sorted.
#[derive(Clone, Copy, Debug)]
pub struct CounterRow {
    /// Where it was counted.
    pub owner: Owner,
    /// Its name.
    pub name: StringId,
    /// What the value is of.
    pub series: StringId,
    /// The file that it is from, until the clocks of files are set.
    pub file: u32,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The number of its [`CounterRow`].
    pub row: u32,
    /// Since when.
    pub at: Timestamp,
    /// The value.
    pub value: Value,
}

/// Of what a text of a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfCounter {
    /// Its process.
    Process,
    /// Its name or its series.
    Name,
}

/// What a counter did in a window of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of points.
    pub points: usize,
    /// The lowest and the highest value.
    pub extent: Extent,
    /// The mean by time, from the first point to the last one. Of points at one time it is the last value.
    pub mean: f64,
}

/// All counters of a trace: in order of their owners, then as the files named them first.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    rows: Vec<Counter>,
    at: Vec<Timestamp>,
    value: Vec<Value>,
    /// For each level the extents of [`FAN`] neighbours of the level before.
    levels: Vec<Vec<Extent>>,
    /// The file of each row, until the clocks of files are set.
    files: Vec<u32>,
}

impl Counters {
    /// The counters of `points`. Rows with the same owner, name and series of one file become one counter; rows without points become
    /// none.
    pub fn new(rows: &[CounterRow], mut points: Vec<Point>) -> Self {
        let mut counts = vec![0_u32; rows.len()];
        points.iter().for_each(|point| counts[point.row as usize] += 1);
        let mut wanted: Vec<u32> = (0..rows.len() as u32).filter(|&row| counts[row as usize] > 0).collect();
        // Equal counters must be neighbours, in the place of the first of them.
        let mut first_of = HashMap::<_, u32, FixedState>::default();
        let key = |row: u32| {
            let CounterRow { owner, name, series, file } = rows[row as usize];
            (owner, name, series, file)
        };
        let firsts: Vec<u32> = (0..rows.len() as u32)
            .map(|row| if counts[row as usize] > 0 { *first_of.entry(key(row)).or_insert(row) } else { row })
            .collect();
        drop(first_of);
        wanted.retain(|&row| firsts[row as usize] == row);
        let mut owners = OwnerOrder::default();
        let owner: Vec<i64> = rows.iter().map(|row| owners.of(row.owner)).collect();
        order::by_number(&mut wanted, |row| (owner[row as usize], i64::from(row)));
        let mut place_of = vec![0_u32; rows.len()];
        (0..).zip(&wanted).for_each(|(place, &row)| place_of[row as usize] = place);
        points.iter_mut().for_each(|point| point.row = place_of[firsts[point.row as usize] as usize]);
        order::by_number(&mut points, |point| (i64::from(point.row), point.at.0));
        let (at, value) = points.iter().map(|point| (point.at, point.value)).unzip();
        let mut end = 0;
        let counters = points.chunk_by(|a, b| a.row == b.row).zip(&wanted).map(|(own, &row)| {
            let first = end;
            end += own.len() as u32;
            let CounterRow { owner, name, series, .. } = rows[row as usize];
            Counter { owner, name, series, first, end }
        });
        let rows_in_order: Vec<Counter> = counters.collect();
        let files = wanted.iter().map(|&row| rows[row as usize].file).collect();
        let mut counters = Self { rows: rows_in_order, at, value, levels: Vec::new(), files };
        counters.build_levels();
        counters
    }

    /// Sums up blocks of points, then blocks of blocks.
    fn build_levels(&mut self) {
        let hull = |extents: &[Extent]| extents.iter().copied().reduce(Extent::hull);
        let of_values = |values: &[Value]| values.iter().map(|&value| Extent::of(value)).reduce(Extent::hull);
        let mut level: Vec<Extent> = self.value.chunks(FAN).filter_map(of_values).collect();
        while level.len() > 1 {
            let next = level.chunks(FAN).filter_map(hull).collect();
            self.levels.push(std::mem::replace(&mut level, next));
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of counters.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = CounterId> + use<> {
        (0..self.rows.len()).map(CounterId::from_usize)
    }

    /// One counter.
    pub fn get(&self, counter: CounterId) -> &Counter {
        &self.rows[counter.index()]
    }

    /// The points of a counter, in order of time.
    pub fn points(&self, counter: CounterId) -> impl ExactSizeIterator<Item = (Timestamp, Value)> {
        self.get(counter).points().map(|point| (self.at[point], self.value[point]))
    }

    /// The number of points of all counters.
    pub fn point_count(&self) -> usize {
        self.at.len()
    }

    /// The first row of `counter`'s points that is at `time` or later.
    pub fn first_from(&self, counter: CounterId, time: Timestamp) -> usize {
        let points = self.get(counter).points();
        points.start + self.at[points].partition_point(|&at| at < time)
    }

    /// The time and the value in a row of points.
    pub fn point(&self, row: usize) -> (Timestamp, Value) {
        (self.at[row], self.value[row])
    }

    /// The lowest and the highest value in some rows of points; `None` if there are none.
    pub fn extent(&self, rows: Range<usize>) -> Option<Extent> {
        let (mut start, mut end) = (rows.start, rows.end);
        let mut all: Option<Extent> = None;
        let mut add = |extent: Extent| all = Some(all.map_or(extent, |all| all.hull(extent)));
        let mut level = 0;
        while start < end {
            let of = |place: usize| match level {
                0 => Extent::of(self.value[place]),
                _ => self.levels[level - 1][place],
            };
            // The ends that are no whole blocks, unless all of it is less than a block.
            if level == self.levels.len() || start / FAN == (end - 1) / FAN {
                (start..end).for_each(|place| add(of(place)));
                break;
            }
            while !start.is_multiple_of(FAN) {
                add(of(start));
                start += 1;
            }
            while !end.is_multiple_of(FAN) {
                end -= 1;
                add(of(end));
            }
            (start, end, level) = (start / FAN, end / FAN, level + 1);
        }
        all
    }

    /// What a counter did: all of it.
    pub fn summary(&self, counter: CounterId) -> Option<Summary> {
        let rows = self.get(counter).points();
        let extent = self.extent(rows.clone())?;
        let (first, last) = (self.at[rows.start], self.at[rows.end - 1]);
        let held = rows.clone().zip(rows.clone().skip(1)).map(|(row, next)| {
            let share = (self.at[next] - self.at[row]).0 as f64 / (last - first).0 as f64;
            self.value[row].0 * share
        });
        let mean = if last > first { held.sum() } else { self.value[rows.end - 1].0 };
        Some(Summary { points: rows.len(), extent, mean: mean.clamp(extent.min.0, extent.max.0) })
    }

    /// The counters with other texts.
    pub(crate) fn with_texts(&self, text: &mut dyn FnMut(OfCounter, StringId) -> StringId) -> Self {
        let mut counters = self.clone();
        for row in &mut counters.rows {
            let owner = row.owner.with_process(&mut |id| text(OfCounter::Process, id));
            let [name, series] = [row.name, row.series].map(|id| text(OfCounter::Name, id));
            *row = Counter { owner, name, series, ..*row };
        }
        counters
    }

    /// The counters at other times, with other owners: `place` says both, of an owner and the file of the counter, if that still
    /// counts. Counters that become the same one are joined.
    pub(crate) fn placed(&self, place: impl Fn(Owner, Option<u32>) -> (Owner, Nanos)) -> Self {
        let (mut rows, mut points) = (Vec::with_capacity(self.rows.len()), Vec::with_capacity(self.at.len()));
        for (number, row) in self.rows.iter().enumerate() {
            let (owner, later) = place(row.owner, self.files.get(number).copied());
            rows.push(CounterRow { owner, name: row.name, series: row.series, file: 0 });
            points.extend(row.points().map(|point| {
                let at = Timestamp(self.at[point].0.saturating_add(later.0));
                Point { row: number as u32, at, value: self.value[point] }
            }));
        }
        Self::new(&rows, points).without_files()
    }

    /// The points from `start` until before `end`, and the last one before them, which still holds at `start`. Counters without
    /// either are left out.
    pub(crate) fn within(&self, start: Timestamp, end: Timestamp) -> Self {
        let mut points = Vec::new();
        for counter in self.ids() {
            let before =
                self.first_from(counter, start).saturating_sub(1).max(self.get(counter).points().start);
            let after = self.first_from(counter, end);
            let row = counter.get();
            points.extend((before..after).map(|point| Point {
                row,
                at: self.at[point],
                value: self.value[point],
            }));
        }
        let rows: Vec<CounterRow> = self.rows.iter().map(Self::row).collect();
        Self::new(&rows, points).without_files()
    }

    fn row(counter: &Counter) -> CounterRow {
        let Counter { owner, name, series, .. } = *counter;
        CounterRow { owner, name, series, file: 0 }
    }

    /// Forgets which file each counter is from, and joins those of several files.
    pub(crate) fn joined(&self) -> Self {
        self.placed(|owner, _| (owner, Nanos(0)))
    }

    /// Whether any counter is in there as often as it has files.
    pub(crate) fn has_files(&self) -> bool {
        let is_same = |pair: &[Counter]| pair[0].key() == pair[1].key();
        self.files.iter().any(|&file| file != self.files[0]) || self.rows.windows(2).any(is_same)
    }

    fn without_files(mut self) -> Self {
        self.files = Vec::new();
        self
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Counter>()
            + self.at.capacity() * size_of::<Timestamp>()
            + self.value.capacity() * size_of::<Value>()
            + self.levels.iter().map(|level| level.capacity() * size_of::<Extent>()).sum::<usize>()
            + self.files.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters(of_rows: &[&[(i64, f64)]]) -> Counters {
        let row = |name: usize| CounterRow {
            owner: Owner::Process(StringId::new(0)),
            name: StringId::from_usize(name),
            series: StringId::new(1),
            file: 0,
        };
        let rows: Vec<_> = (0..of_rows.len()).map(row).collect();
        let points = (0..).zip(of_rows).flat_map(|(row, own)| {
            own.iter().map(move |&(at, value)| Point { row, at: Timestamp(at), value: Value(value) })
        });
        Counters::new(&rows, points.collect())
    }

    fn first(counters: &Counters) -> CounterId {
        counters.ids().next().unwrap()
    }

    #[test]
    fn values_are_finite() {
        assert!(
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].iter().all(|&number| Value::new(number).is_none())
        );
        assert_eq!(Value::new(f64::MAX).map(Value::get), Some(f64::MAX));
    }

    #[test]
    fn the_extent_of_any_rows_is_that_of_all_of_them() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64
        };
        let points: Vec<(i64, f64)> = (0..5_000).map(|at| (at, (random() % 1_000_000) as f64)).collect();
        let counters = counters(&[&points]);
        for _ in 0..2_000 {
            let [a, b] = [random() as usize % 5_001, random() as usize % 5_001];
            let rows = a.min(b)..a.max(b);
            let plain = points[rows.clone()].iter().map(|&(_, value)| Extent::of(Value(value)));
            assert_eq!(counters.extent(rows.clone()), plain.reduce(Extent::hull), "{rows:?}");
        }
    }

    #[test]
    fn points_come_in_order_and_equal_times_keep_that_of_the_file() {
        let counters = counters(&[&[(5, 1.0), (3, 2.0), (5, 3.0), (3, 4.0)], &[], &[(1, 9.0)]]);
        assert_eq!(counters.len(), 2, "a row without points is no counter");
        let points: Vec<_> =
            counters.points(first(&counters)).map(|(at, value)| (at.0, value.get())).collect();
        assert_eq!(points, [(3, 2.0), (3, 4.0), (5, 1.0), (5, 3.0)]);
    }

    #[test]
    fn a_mean_is_by_time() {
        let mean = |points: &[(i64, f64)]| {
            let counters = counters(&[points]);
            counters.summary(first(&counters)).unwrap().mean
        };
        // 1 for 9 ns, 11 for 1 ns; the last value has no length.
        assert!((mean(&[(0, 1.0), (9, 11.0), (10, 500.0)]) - 2.0).abs() < 1e-12);
        assert_eq!(mean(&[(4, 3.0), (4, 7.0)]), 7.0);
        let most = [(i64::MIN / 4, f64::MAX), (i64::MAX / 4, f64::MAX), (i64::MAX / 2, f64::MAX)];
        assert_eq!(mean(&most), f64::MAX);
    }

    #[test]
    fn a_window_keeps_the_value_that_holds_at_its_start() {
        let all = counters(&[&[(0, 1.0), (10, 2.0), (20, 3.0), (30, 4.0)], &[(40, 5.0)]]);
        let some = all.within(Timestamp(15), Timestamp(30));
        assert_eq!(some.len(), 1);
        let points: Vec<_> = some.points(first(&some)).map(|(at, value)| (at.0, value.get())).collect();
        assert_eq!(points, [(10, 2.0), (20, 3.0)]);
    }

    #[test]
    fn equal_counters_of_two_files_are_joined_once_their_clocks_are_set() {
        let row = |file| CounterRow {
            owner: Owner::Process(StringId::new(0)),
            name: StringId::new(0),
            series: StringId::new(1),
            file,
        };
        let point = |row, at| Point { row, at: Timestamp(at), value: Value(at as f64) };
        let counters = Counters::new(&[row(0), row(1), row(0)], vec![point(0, 1), point(1, 2), point(2, 3)]);
        assert!(counters.has_files() && counters.len() == 2);
        let later = |owner, file| (owner, Nanos(if file == Some(1) { 100 } else { 0 }));
        let placed = counters.placed(later);
        let times: Vec<_> = placed.points(first(&placed)).map(|(at, _)| at.0).collect();
        assert_eq!(times, [1, 3, 102]);
        assert!(!placed.has_files());
    }
}
