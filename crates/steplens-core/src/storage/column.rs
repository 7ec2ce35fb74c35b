//! Columns of `i64` that take as few bytes a value as their values allow; the few that are larger are kept aside.

use crate::base::units::Timestamp;
use crate::storage::chunked::Chunked;
use crate::storage::moments::Moments;

/// Values by row, for the few rows that have one. Rows come in ascending order.
#[derive(Clone, Debug, Default)]
struct Aside {
    rows: Vec<u32>,
    values: Vec<i64>,
}

impl Aside {
    /// Bytes a value takes here.
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

/// A column that a reader fills; rows come in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct ColumnBuilder {
    small: Chunked<i32>,
    aside: Aside,
}

/// Marks a value that is kept aside.
const ASIDE: i32 = i32::MIN;
/// Marks that nothing was recorded.
const NOTHING: i32 = i32::MIN + 1;

impl ColumnBuilder {
    /// Appends a value.
    #[inline(always)]
    pub fn push(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(small) if small > NOTHING => self.small.push(small),
            _ => self.push_aside(value),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_aside(&mut self, value: i64) {
        self.aside.push(self.small.len(), value);
        self.small.push(ASIDE);
    }

    /// Appends a value, or that there is none.
    #[inline]
    pub fn push_option(&mut self, value: Option<i64>) {
        match value {
            Some(value) => self.push(value),
            None => self.small.push(NOTHING),
        }
    }

    /// The value of `row`, if there is one.
    #[inline]
    pub(crate) fn get_option(&self, row: usize) -> Option<i64> {
        match self.small.get(row) {
            ASIDE => self.aside.get(row),
            NOTHING => None,
            small => Some(i64::from(small)),
        }
    }

    /// The value of `row`; 0 where there is none.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> i64 {
        self.get_option(row).unwrap_or(0)
    }

    pub(crate) fn len(&self) -> usize {
        self.small.len()
    }

    /// A column of `values`.
    pub(crate) fn of(values: impl Iterator<Item = i64>) -> Column {
        let mut builder = Self::default();
        values.for_each(|value| builder.push(value));
        builder.in_order()
    }

    /// A column of `values`, some of which may be missing.
    pub(crate) fn of_options(values: impl Iterator<Item = Option<i64>>) -> Column {
        let mut builder = Self::default();
        values.for_each(|value| builder.push_option(value));
        builder.in_order()
    }

    /// The column with its values in the order in which they came.
    pub fn in_order(self) -> Column {
        let rows = 0..self.len() as u32;
        self.finish_rows(rows)
    }

    /// The column with its values in the order of `rows`, every one of which is taken.
    pub(crate) fn finish(self, rows: &[u32]) -> Column {
        self.finish_rows(rows.iter().copied())
    }

    fn finish_rows(self, rows: impl ExactSizeIterator<Item = u32> + Clone) -> Column {
        let mut aside = Aside::default();
        let width = self.width();
        let exact = |old: u32| self.aside.get(old as usize).unwrap_or(0);
        // One loop for each width: this is where the time goes that bringing ops into order takes.
        let values = match width {
            Width::Same(value) => Values::Same(value),
            Width::Narrow => Values::Narrow(self.gathered(rows, |new, old, small| match small {
                0..=LARGEST_NARROW => small as u16,
                NOTHING => NARROW_NOTHING,
                ASIDE => {
                    aside.push(new, exact(old));
                    NARROW_ASIDE
                }
                _ => {
                    aside.push(new, i64::from(small));
                    NARROW_ASIDE
                }
            })),
            Width::Packed(least) => {
                let values = self.gathered(rows, |new, old, small| match small {
                    NOTHING => packed(PACKED_NOTHING),
                    ASIDE => {
                        aside.push(new, exact(old));
                        packed(PACKED_ASIDE)
                    }
                    _ => match small.wrapping_sub(least) as u32 {
                        above @ 0..=LARGEST_PACKED => packed(above),
                        _ => {
                            aside.push(new, i64::from(small));
                            packed(PACKED_ASIDE)
                        }
                    },
                });
                Values::Packed(least, values)
            }
            Width::Medium => Values::Medium(self.gathered(rows, |new, old, small| {
                if small == ASIDE {
                    aside.push(new, exact(old));
                }
                small
            })),
            Width::Wide => {
                let exact = self.exact();
                match self.near(rows.clone().map(|old| exact[old as usize])) {
                    Some(near) => Values::Near(near),
                    None => Values::Wide(self.gathered(rows, |new, old, small| {
                        let value = exact[old as usize];
                        if value == WIDE_MARK && small != NOTHING {
                            aside.push(new, value);
                        }
                        value
                    })),
                }
            }
        };
        aside.rows.shrink_to_fit();
        aside.values.shrink_to_fit();
        Column { values, aside }
    }

    /// Every value in the order in which they came; [`WIDE_MARK`] where there is none.
    fn exact(&self) -> Vec<i64> {
        let mut aside = self.aside.values.iter();
        let exact = |small| match small {
            NOTHING => WIDE_MARK,
            ASIDE => aside.next().copied().unwrap_or(0),
            _ => i64::from(small),
        };
        self.small.iter().map(exact).collect()
    }

    /// Large `values` that lie together as points in time do; `None` where that saves little, or where some rows have no value.
    fn near(&self, values: impl ExactSizeIterator<Item = i64>) -> Option<Moments> {
        if self.small.iter().any(|small| small == NOTHING) {
            return None;
        }
        let count = values.len();
        let near = Moments::of(count, values.map(Timestamp));
        (near.heap_bytes() < count * 6).then_some(near)
    }

    /// What `store` makes of each row of `rows`, given its new and old place and its value or mark.
    #[inline(always)]
    fn gathered<T>(
        &self,
        rows: impl ExactSizeIterator<Item = u32>,
        mut store: impl FnMut(usize, u32, i32) -> T,
    ) -> Vec<T> {
        let mut values = Vec::with_capacity(rows.len());
        values.extend(rows.enumerate().map(|(new, old)| store(new, old, self.small.get(old as usize))));
        values
    }

    /// The width in which the values take the fewest bytes, by a sample of them: whatever does not fit is kept aside.
    fn width(&self) -> Width {
        if let Some(same) = self.same() {
            return Width::Same(same);
        }
        let (mut all, mut narrow, mut positive, mut signed, mut medium) = (0, 0, 0, 0, 0);
        let every = if self.len() > SAMPLED_FROM { SAMPLED_EVERY } else { 1 };
        for sample in self.small.chunks().flat_map(|chunk| chunk.chunks(SAMPLE).step_by(every)) {
            all += sample.len();
            for &small in sample {
                let is_nothing = small == NOTHING;
                let above = small.wrapping_sub(LEAST_PACKED);
                narrow += usize::from((0..=LARGEST_NARROW).contains(&small) || is_nothing);
                positive += usize::from((0..=LARGEST_PACKED as i32).contains(&small) || is_nothing);
                signed += usize::from((0..=LARGEST_PACKED as i32).contains(&above) || is_nothing);
                medium += usize::from(small != ASIDE);
            }
        }
        let costs = [
            (all * 2 + (all - narrow) * Aside::COST, Width::Narrow),
            (all * 3 + (all - positive) * Aside::COST, Width::Packed(0)),
            (all * 3 + (all - signed) * Aside::COST, Width::Packed(LEAST_PACKED)),
            (all * 4 + (all - medium) * Aside::COST, Width::Medium),
            (all * 8, Width::Wide),
        ];
        costs.into_iter().min_by_key(|&(cost, _)| cost).map_or(Width::Medium, |(_, width)| width)
    }

    /// What all rows have, if that is the same.
    fn same(&self) -> Option<Option<i64>> {
        let Some(first) = self.small.iter().next() else { return Some(None) };
        let are_alike = self.small.chunks().all(|chunk| chunk.iter().all(|&small| small == first));
        let aside = &self.aside.values;
        (are_alike && aside.windows(2).all(|pair| pair[0] == pair[1])).then(|| self.get_option(0))
    }

    /// Memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.small.heap_bytes() + self.aside.heap_bytes()
    }
}

/// From so many rows on, a sample decides the width: one block of [`SAMPLE`] rows of every [`SAMPLED_EVERY`].
const SAMPLED_FROM: usize = 1 << 14;
const SAMPLE: usize = 64;
const SAMPLED_EVERY: usize = 8;

/// The largest value that two bytes hold; the two above it are marks.
const LARGEST_NARROW: i32 = 0xfffd;
const NARROW_NOTHING: u16 = 0xfffe;
const NARROW_ASIDE: u16 = 0xffff;
/// The largest distance from the least value that three bytes hold; the two above it are marks.
const LARGEST_PACKED: u32 = 0xff_fffd;
const PACKED_NOTHING: u32 = 0xff_fffe;
const PACKED_ASIDE: u32 = 0xff_ffff;
/// The least value of three bytes where some are negative.
const LEAST_PACKED: i32 = -0x80_0000;
/// In eight bytes there is one mark: the value is aside, or there is none.
const WIDE_MARK: i64 = i64::MIN;

#[derive(Clone, Copy, Debug)]
enum Width {
    Same(Option<i64>),
    Narrow,
    /// Three bytes above a least value.
    Packed(i32),
    Medium,
    Wide,
}

#[derive(Clone, Debug)]
enum Values {
    /// All rows have the same, or none.
    Same(Option<i64>),
    Narrow(Vec<u16>),
    /// The least value, and how far the others are above it.
    Packed(i32, Vec<[u8; 3]>),
    Medium(Vec<i32>),
    Near(Moments),
    Wide(Vec<i64>),
}

/// What `store` makes of all values, whose extent widens the one that was `met`.
#[inline]
fn mapped<T>(rows: usize, met: &mut (i64, i64), mut blocks: impl Blocks, store: impl Fn(i64) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(rows);
    let (mut least, mut most) = *met;
    loop {
        let block = blocks.next_block();
        if block.is_empty() {
            *met = (least, most);
            return values;
        }
        values.extend(block.iter().map(|&value| {
            least = least.min(value);
            most = most.max(value);
            store(value)
        }));
    }
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

/// The values of a column, block by block; a copy starts where it stands.
pub trait Blocks: Clone {
    /// The next values; none after the last.
    fn next_block(&mut self) -> &[i64];
}

/// The least and the largest of all values; the largest is the smaller where there is none.
#[inline]
pub fn extent(mut blocks: impl Blocks) -> (i64, i64) {
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    loop {
        let block = blocks.next_block();
        if block.is_empty() {
            return (least, most);
        }
        for &value in block {
            least = least.min(value);
            most = most.max(value);
        }
    }
}

impl Default for Column {
    fn default() -> Self {
        Self { values: Values::Same(None), aside: Aside::default() }
    }
}

impl Column {
    /// A column whose rows, however many, all have `value`.
    pub fn same(value: i64) -> Self {
        Self { values: Values::Same(Some(value)), aside: Aside::default() }
    }

    /// A column of `rows` values that are thought to lie between the two of `extent`, each in as few bytes as all of these take; and the extent that the
    /// values have. Where that is larger, the column is of no use.
    #[inline]
    pub fn of_blocks(rows: usize, extent: (i64, i64), blocks: impl Blocks) -> (Self, (i64, i64)) {
        let above = |least: i64, value: i64| value.wrapping_sub(least) as u32;
        let mut met = (i64::MAX, i64::MIN);
        let values = match extent {
            (0.., ..=0xfffd) => Values::Narrow(mapped(rows, &mut met, blocks, |value| value as u16)),
            (0.., ..=0xff_fffd) => {
                Values::Packed(0, mapped(rows, &mut met, blocks, |value| packed(above(0, value))))
            }
            (-0x80_0000.., ..=0x7f_fffd) => {
                let least = i64::from(LEAST_PACKED);
                let store = |value| packed(above(least, value));
                Values::Packed(LEAST_PACKED, mapped(rows, &mut met, blocks, store))
            }
            (-0x7fff_fffe.., ..=0x7fff_ffff) => {
                Values::Medium(mapped(rows, &mut met, blocks, |value| value as i32))
            }
            _ => {
                let (mut blocks, mut builder) = (blocks, ColumnBuilder::default());
                loop {
                    let block = blocks.next_block();
                    if block.is_empty() {
                        return (builder.in_order(), extent);
                    }
                    block.iter().for_each(|&value| builder.push(value));
                }
            }
        };
        (Self { values, aside: Aside::default() }, met)
    }

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

    /// Memory it holds, in bytes.
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
