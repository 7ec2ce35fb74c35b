//! A column while a reader fills it. The width in which it is stored is decided at the end.

use super::{
    ASIDE, Aside, Column, LARGEST_NARROW, LARGEST_PACKED, LEAST_PACKED, NARROW_ASIDE, NARROW_NOTHING,
    NOTHING, PACKED_ASIDE, PACKED_NOTHING, Values, WIDE_MARK, packed,
};
use crate::base::units::Timestamp;
use crate::storage::chunked::Chunked;
use crate::storage::moments::Moments;

/// A column that a reader fills; rows come in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct ColumnBuilder {
    small: Chunked<i32>,
    aside: Aside,
}

/// The order of the rows in the column.
#[derive(Clone, Copy)]
enum Order<'a> {
    AsTheyCame,
    /// For each new row its old row.
    Of(&'a [u32]),
}

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

    /// Appends a value or a row without one.
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

    /// Appends the rows of `other`.
    pub(crate) fn append(&mut self, other: &Self) {
        for (row, small) in other.small.iter().enumerate() {
            match small {
                ASIDE => self.push_aside(other.aside.get(row).unwrap_or(0)),
                small => self.small.push(small),
            }
        }
    }

    /// Appends the rows of `other`, which are rows of a table, as rows of the table that `new` gives for them.
    pub(crate) fn append_ids(&mut self, other: &Self, mut new: impl FnMut(usize) -> u32) {
        for row in 0..other.len() {
            self.push_option(other.get_option(row).map(|old| i64::from(new(old as usize))));
        }
    }

    /// A column of `values`.
    pub(crate) fn of(values: impl Iterator<Item = i64>) -> Column {
        let mut builder = Self::default();
        values.for_each(|value| builder.push(value));
        builder.in_order()
    }

    /// A column of `values`; `None` is a row without a value.
    pub(crate) fn of_options(values: impl Iterator<Item = Option<i64>>) -> Column {
        let mut builder = Self::default();
        values.for_each(|value| builder.push_option(value));
        builder.in_order()
    }

    /// The column with its values in the order in which they were added.
    pub fn in_order(self) -> Column {
        self.finish_rows(Order::AsTheyCame)
    }

    /// The column with its values in the order of `rows`, which has every row once.
    pub(crate) fn finish(self, rows: &[u32]) -> Column {
        self.finish_rows(Order::Of(rows))
    }

    fn finish_rows(self, order: Order<'_>) -> Column {
        let mut aside = Aside::default();
        let width = self.width();
        let exact = |old: usize| self.aside.get(old).unwrap_or(0);
        // One loop for each width, because most of the time for sorting ops is spent here.
        let values = match width {
            Width::Same(value) => Values::Same(value),
            Width::Narrow => Values::Narrow(self.gathered(order, |new, old, small| match small {
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
                let values = self.gathered(order, |new, old, small| match small {
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
            Width::Medium => Values::Medium(self.gathered(order, |new, old, small| {
                if small == ASIDE {
                    aside.push(new, exact(old));
                }
                small
            })),
            Width::Wide => {
                let exact = self.exact(order);
                match self.near(&exact) {
                    Some(near) => Values::Near(near),
                    None => Values::Wide(self.gathered(order, |new, _, small| {
                        let value = exact[new];
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

    /// Every value; [`WIDE_MARK`] for rows without one.
    fn exact(&self, order: Order<'_>) -> Vec<i64> {
        let mut aside = self.aside.values.iter();
        let exact = |small| match small {
            NOTHING => WIDE_MARK,
            ASIDE => aside.next().copied().unwrap_or(0),
            _ => i64::from(small),
        };
        let came: Vec<i64> = self.small.iter().map(exact).collect();
        match order {
            Order::AsTheyCame => came,
            Order::Of(rows) => rows.iter().map(|&old| came[old as usize]).collect(),
        }
    }

    /// Stores large `values` like points in time, if they are near to each other; `None` if that saves little, or if some rows have
    /// no value.
    fn near(&self, values: &[i64]) -> Option<Moments> {
        if self.small.iter().any(|small| small == NOTHING) {
            return None;
        }
        let count = values.len();
        let near = Moments::of(count, values.iter().copied().map(Timestamp));
        (near.heap_bytes() < count * 6).then_some(near)
    }

    /// The result of `store` for each row in this order. `store` gets the new and the old row, and the value or a mark.
    #[inline(always)]
    fn gathered<T>(&self, order: Order<'_>, mut store: impl FnMut(usize, usize, i32) -> T) -> Vec<T> {
        let mut values = Vec::with_capacity(self.len());
        match order {
            Order::AsTheyCame => {
                for chunk in self.small.chunks() {
                    let rows = values.len()..;
                    values.extend(chunk.iter().zip(rows).map(|(&small, row)| store(row, row, small)));
                }
            }
            Order::Of(rows) => values.extend(rows.iter().enumerate().map(|(new, &old)| {
                let old = old as usize;
                store(new, old, self.small.get(old))
            })),
        }
        values
    }

    /// The width in which the values take the fewest bytes, estimated from a sample. Values that do not fit are stored aside.
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

    /// The value of all rows, if they are equal.
    fn same(&self) -> Option<Option<i64>> {
        let Some(first) = self.small.iter().next() else { return Some(None) };
        let are_alike = self.small.chunks().all(|chunk| chunk.iter().all(|&small| small == first));
        let aside = &self.aside.values;
        (are_alike && aside.windows(2).all(|pair| pair[0] == pair[1])).then(|| self.get_option(0))
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.small.heap_bytes() + self.aside.heap_bytes()
    }
}

/// From this number of rows on, a sample decides the width: one block of [`SAMPLE`] rows in every [`SAMPLED_EVERY`] blocks.
pub(super) const SAMPLED_FROM: usize = 1 << 14;
pub(super) const SAMPLE: usize = 64;
pub(super) const SAMPLED_EVERY: usize = 8;

#[derive(Clone, Copy, Debug)]
enum Width {
    Same(Option<i64>),
    Narrow,
    /// Three bytes, as distance from the least value.
    Packed(i32),
    Medium,
    Wide,
}
