//! What to draw of counters in a window: the lowest, the highest and the last value of each column.

use crate::CounterId;
use crate::base::units::{Interval, Timestamp};
use crate::model::counters::{Counters, Extent, Value};
use crate::timeline::in_flight::STRIP_COLUMN_PX;

/// What a counter does in one column of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterColumn {
    /// The lowest and the highest value in the column, with the one that holds when it starts.
    pub extent: Extent,
    /// The value that holds when the column ends.
    pub last: Value,
}

/// For each column of `window`, drawn `width_px` wide, what `counter` does there; `None` before its first value. Columns are
/// [`STRIP_COLUMN_PX`] wide. Takes time that grows with the columns, and only with the logarithm of the points.
pub fn counter_columns(
    counters: &Counters,
    counter: CounterId,
    window: Interval,
    width_px: f64,
) -> Vec<Option<CounterColumn>> {
    let count = (width_px / STRIP_COLUMN_PX).ceil().max(0.0) as usize;
    let width_ns = window.length().0 as f64 * STRIP_COLUMN_PX / width_px.max(1.0);
    let edge = |column: usize| Timestamp(window.start.0.saturating_add((column as f64 * width_ns) as i64));
    let first = counters.get(counter).points().start;
    let mut row = counters.first_from(counter, edge(0));
    let columns = (0..count).map(|column| {
        let held = row.checked_sub(1).filter(|&held| held >= first);
        let end = counters.first_from(counter, edge(column + 1));
        let extent = counters.extent(held.unwrap_or(row)..end.max(row));
        row = end.max(row);
        let last = row.checked_sub(1).filter(|&last| last >= first).map(|last| counters.point(last).1);
        Some(CounterColumn { extent: extent?, last: last? })
    });
    columns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::counters::{CounterRow, Point};
    use crate::model::owner::Owner;
    use crate::{StringId, Timestamp};

    fn counters(points: &[(i64, f64)]) -> Counters {
        let text = StringId::new(0);
        let row = CounterRow { owner: Owner::Process(text), name: text, series: text, file: 0 };
        let point = |&(at, value): &(i64, f64)| Point {
            row: 0,
            at: Timestamp(at),
            value: Value::new(value).unwrap(),
        };
        Counters::new(&[row], points.iter().map(point).collect())
    }

    fn drawn(points: &[(i64, f64)], start: i64, end: i64, width_px: f64) -> Vec<Option<[f64; 3]>> {
        let counters = counters(points);
        let window = Interval::new(Timestamp(start), Timestamp(end));
        let columns = counter_columns(&counters, counters.ids().next().unwrap(), window, width_px);
        let of = |column: CounterColumn| [column.extent.min, column.extent.max, column.last].map(Value::get);
        columns.into_iter().map(|column| column.map(of)).collect()
    }

    #[test]
    fn a_column_has_the_values_in_it_and_the_one_that_holds_before() {
        let points = [(15, 4.0), (16, 9.0), (17, 2.0), (35, 3.0)];
        let wanted = [
            None,
            Some([2.0, 9.0, 2.0]),
            Some([2.0, 2.0, 2.0]),
            Some([2.0, 3.0, 3.0]),
            Some([3.0, 3.0, 3.0]),
        ];
        assert_eq!(drawn(&points, 0, 50, 10.0), wanted);
        // Moved to the right, the value before the window holds.
        assert_eq!(drawn(&points, 20, 30, 2.0), [Some([2.0, 2.0, 2.0])]);
    }

    #[test]
    fn columns_are_what_a_plain_reading_gives() {
        let points: Vec<(i64, f64)> =
            (0..4_000).map(|at| (at * 7 % 30_011, (at * at % 977) as f64)).collect();
        let mut sorted = points.clone();
        sorted.sort_by_key(|&(at, _)| at);
        for (start, end, width_px) in [(0, 30_000, 400.0), (-500, 200, 90.0), (1_000, 1_013, 60.0)] {
            let columns = drawn(&points, start, end, width_px);
            for (place, column) in columns.iter().enumerate() {
                let width = (end - start) as f64 * 2.0 / width_px;
                let edge = |place: usize| start + (place as f64 * width) as i64;
                let held = sorted.iter().rfind(|(at, _)| *at < edge(place));
                let inside = sorted.iter().filter(|(at, _)| (edge(place)..edge(place + 1)).contains(at));
                let values: Vec<f64> = held.into_iter().chain(inside).map(|&(_, value)| value).collect();
                let wanted = values.last().map(|&last| {
                    let min = values.iter().copied().fold(f64::MAX, f64::min);
                    [min, values.iter().copied().fold(f64::MIN, f64::max), last]
                });
                assert_eq!(*column, wanted, "{start} {end} {place}");
            }
        }
    }
}
