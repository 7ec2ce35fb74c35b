//! Columns of `i64` that take as few bytes per value as the values allow. The few larger values are stored aside.

mod builder;
mod whole;

pub use builder::ColumnBuilder;
pub use whole::{Blocks, extent};

use crate::storage::moments::Moments;

/// Values by row, for the few rows that have one. Rows come in ascending order.
#[derive(Clone, Debug, Default)]
struct Aside {
    rows: Vec<u32>,
    values: Vec<i64>,
}

impl Aside {
    /// The number of bytes that a value takes here.
    const COST: usize = 12;

    fn push(&mut self, row: usize, value: i64) {
        self.rows.push(row as u32);
        self.values.push(value);
    }

    fn get(&self, row: usize) -> Option<i64> {
        self.rows.binary_search(&(row as u32)).ok().map(|place| self.values[place])
    }

    fn heap_bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.values.capacity() * 8
    }
}

/// Marks a value that is stored aside.
const ASIDE: i32 = i32::MIN;
/// Marks a row without a value.
const NOTHING: i32 = i32::MIN + 1;
/// The largest value that is stored in two bytes; the two numbers above it are marks.
const LARGEST_NARROW: i32 = 0xfffd;
const NARROW_NOTHING: u16 = 0xfffe;
const NARROW_ASIDE: u16 = 0xffff;
/// The largest distance from the least value that is stored in three bytes; the two numbers above it are marks.
const LARGEST_PACKED: u32 = 0xff_fffd;
const PACKED_NOTHING: u32 = 0xff_fffe;
const PACKED_ASIDE: u32 = 0xff_ffff;
/// The least value of three-byte columns that have negative values.
const LEAST_PACKED: i32 = -0x80_0000;
/// In eight bytes there is only one mark: the value is stored aside, or there is none.
const WIDE_MARK: i64 = i64::MIN;

#[derive(Clone, Debug)]
enum Values {
    /// All rows have this value, or none has a value.
    Same(Option<i64>),
    Narrow(Vec<u16>),
    /// The least value, and for each row the distance from it.
    Packed(i32, Vec<[u8; 3]>),
    Medium(Vec<i32>),
    Near(Moments),
    Wide(Vec<i64>),
}

#[inline]
fn packed(value: u32) -> [u8; 3] {
    let [low, middle, high, _] = value.to_le_bytes();
    [low, middle, high]
}

/// Durations, offsets, sizes or ids of one table, in row order; it never changes.
#[derive(Clone, Debug)]
pub struct Column {
    values: Values,
    aside: Aside,
}

impl Default for Column {
    fn default() -> Self {
        Self { values: Values::Same(None), aside: Aside::default() }
    }
}

impl Column {
    /// The value of `row`; 0 where there is none.
    #[inline]
    pub fn get(&self, row: usize) -> i64 {
        self.get_option(row).unwrap_or(0)
    }

    /// The value of `row`, if there is one.
    #[inline]
    pub fn get_option(&self, row: usize) -> Option<i64> {
        match &self.values {
            Values::Same(value) => *value,
            Values::Narrow(values) => match *values.get(row)? {
                NARROW_ASIDE => self.aside.get(row),
                NARROW_NOTHING => None,
                value => Some(i64::from(value)),
            },
            Values::Packed(least, values) => {
                let [low, middle, high] = *values.get(row)?;
                match u32::from_le_bytes([low, middle, high, 0]) {
                    PACKED_ASIDE => self.aside.get(row),
                    PACKED_NOTHING => None,
                    value => Some(i64::from(*least) + i64::from(value)),
                }
            }
            Values::Medium(values) => match *values.get(row)? {
                ASIDE => self.aside.get(row),
                NOTHING => None,
                value => Some(i64::from(value)),
            },
            Values::Near(values) => (row < values.len()).then(|| values.get(row).0),
            Values::Wide(values) => match *values.get(row)? {
                WIDE_MARK => self.aside.get(row),
                value => Some(value),
            },
        }
    }

    /// Fills `out` with the values from row `from` on; 0 for rows without a value. `from` must be the first row of a block of
    /// `moments::BLOCK`.
    #[inline]
    pub(crate) fn read(&self, from: usize, out: &mut [i64]) {
        match &self.values {
            Values::Same(value) => out.fill(value.unwrap_or(0)),
            Values::Narrow(values) if self.aside.rows.is_empty() => {
                let exact = |value| if value == NARROW_NOTHING { 0 } else { i64::from(value) };
                out.iter_mut().zip(&values[from..]).for_each(|(out, &value)| *out = exact(value));
            }
            Values::Packed(least, values) if self.aside.rows.is_empty() => {
                let least = i64::from(*least);
                for (out, &[low, middle, high]) in out.iter_mut().zip(&values[from..]) {
                    let above = u32::from_le_bytes([low, middle, high, 0]);
                    *out = if above == PACKED_NOTHING { 0 } else { least + i64::from(above) };
                }
            }
            Values::Near(values) => values.read(from, out),
            _ => out.iter_mut().zip(from..).for_each(|(out, row)| *out = self.get(row)),
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let values = match &self.values {
            Values::Same(_) => 0,
            Values::Narrow(values) => values.capacity() * 2,
            Values::Packed(_, values) => values.capacity() * 3,
            Values::Medium(values) => values.capacity() * 4,
            Values::Near(values) => values.heap_bytes(),
            Values::Wide(values) => values.capacity() * 8,
        };
        values + self.aside.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::builder::{SAMPLE, SAMPLED_EVERY, SAMPLED_FROM};
    use super::*;

    const EXTREMES: [i64; 9] = [
        0,
        -1,
        i64::MAX,
        i64::MIN,
        i32::MIN as i64,
        i32::MAX as i64,
        5_000_000_000,
        LARGEST_NARROW as i64,
        LARGEST_NARROW as i64 + 1,
    ];

    fn column(values: &[Option<i64>]) -> Column {
        let mut builder = ColumnBuilder::default();
        values.iter().for_each(|&value| builder.push_option(value));
        assert!(values.iter().enumerate().all(|(row, &value)| builder.get_option(row) == value));
        let reversed: Vec<u32> = (0..values.len() as u32).rev().collect();
        builder.finish(&reversed)
    }

    #[test]
    fn values_of_any_size_come_back_at_every_width() {
        let common = [(0, 2), (70_000, 3), (-100, 3), (20_000_000, 4), (-20_000_000, 4), (1 << 40, 8)];
        for (common, width) in common {
            let mut values: Vec<_> = EXTREMES.map(Some).to_vec();
            values.push(None);
            values.extend((0..200).map(|i| Some(common + i)));
            let column = column(&values);
            assert!(values.iter().rev().enumerate().all(|(row, &value)| column.get_option(row) == value));
            let bytes = values.len() * width;
            assert!((bytes..bytes + 300).contains(&column.heap_bytes()), "{}", column.heap_bytes());
            assert_eq!(column.get(values.len()), 0);
            let mut read = vec![0; values.len()];
            column.read(0, &mut read);
            assert!(read.iter().enumerate().all(|(row, &value)| value == column.get(row)));
        }
    }

    #[test]
    fn blocks_make_columns_of_every_width() {
        #[derive(Clone)]
        struct Own(Vec<i64>, usize);
        impl Blocks for Own {
            fn next_block(&mut self) -> &[i64] {
                let from = self.1;
                self.1 = (from + 7).min(self.0.len());
                &self.0[from..self.1]
            }
        }
        for (least, most) in [
            (0, 0xfffd),
            (0, 0xfffe),
            (-1, 5),
            (3, 3),
            (0, 0xff_fffe),
            (-0x80_0000, 0x7f_fffd),
            (-0x80_0001, 0x7f_fffd),
            (0, 0x7fff_ffff),
            (i64::from(NOTHING), 1),
            (i64::MIN, i64::MAX),
        ] {
            let values: Vec<i64> =
                (0..30).flat_map(|row| [least, most, (least / 2 + most / 2) / (row + 1)]).collect();
            let values: Vec<i64> = values.into_iter().map(|value| value.clamp(least, most)).collect();
            let own = Own(values.clone(), 0);
            assert_eq!(extent(own.clone()), (least, most));
            let (column, met) = Column::of_blocks(values.len(), (least, most), own);
            assert_eq!(met, (least, most));
            assert!(values.iter().enumerate().all(|(row, &value)| column.get_option(row) == Some(value)));
        }
    }

    #[test]
    fn three_bytes_hold_all_but_their_marks() {
        for least in [0, LEAST_PACKED] {
            let edge = i64::from(least) + i64::from(LARGEST_PACKED);
            let mut values: Vec<_> = (edge - 300..edge + 4).map(Some).collect();
            values.extend((0..300).map(|i| Some(i64::from(least) + i)));
            values.extend([
                None,
                Some(i64::from(least) - 1),
                Some(i64::from(ASIDE)),
                Some(i64::from(NOTHING)),
            ]);
            let column = column(&values);
            assert!(matches!(column.values, Values::Packed(own, _) if own == least), "{column:?}");
            assert!(values.iter().rev().enumerate().all(|(row, &value)| column.get_option(row) == value));
        }
    }

    #[test]
    fn large_values_that_lie_together_take_four_bytes() {
        let mut values: Vec<_> = (0..1_000).map(|i| Some((1 << 40) + i * 1_000_000)).collect();
        let near = column(&values);
        assert!(values.iter().rev().enumerate().all(|(row, &value)| near.get_option(row) == value));
        assert!(
            near.heap_bytes() < 6 * values.len() && near.get_option(1_000).is_none(),
            "{}",
            near.heap_bytes()
        );
        values.push(None);
        let wide = column(&values);
        assert!(values.iter().rev().enumerate().all(|(row, &value)| wide.get_option(row) == value));
    }

    #[test]
    fn a_sample_may_miss_what_is_kept_aside_then() {
        let rows = 4 * SAMPLED_FROM;
        let is_sampled = |row: usize| (row / SAMPLE).is_multiple_of(SAMPLED_EVERY);
        let values: Vec<_> =
            (0..rows).map(|row| Some(if is_sampled(row) { 7 } else { row as i64 * 70_000 })).collect();
        let column = column(&values);
        assert!(matches!(column.values, Values::Narrow(_)));
        assert!(values.iter().rev().enumerate().all(|(row, &value)| column.get_option(row) == value));
        assert!(column.heap_bytes() <= rows * (2 + Aside::COST));
    }

    #[test]
    fn what_is_everywhere_the_same_takes_no_room() {
        for value in [None, Some(0), Some(i64::MAX)] {
            let column = column(&[value; 50]);
            assert_eq!((column.heap_bytes(), column.get_option(49)), (0, value));
        }
        assert_eq!(column(&[]).get_option(0), None);
        assert_eq!(column(&[Some(i64::MAX), Some(i64::MIN)]).get(0), i64::MIN);
    }
}
