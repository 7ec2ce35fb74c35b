//! Makes a column if the reader has all of its values.

use super::{
    Aside, Column, ColumnBuilder, LARGEST_NARROW, LARGEST_PACKED, LEAST_PACKED, NOTHING, PACKED_NOTHING,
    Values, packed,
};

/// The values of a column, block by block. A copy continues at the same position.
pub trait Blocks: Clone {
    /// The next values; empty after the last ones.
    fn next_block(&mut self) -> &[i64];
}

/// The least and the largest of all values. Without values the largest is smaller than the least.
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

/// The results of `store` for all values. Extends `met` to the least and the largest of them.
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

impl Column {
    /// A column whose rows all have `value`, for any number of rows.
    pub fn same(value: i64) -> Self {
        Self { values: Values::Same(Some(value)), aside: Aside::default() }
    }

    /// A column with two bytes per value. `most` is the largest value; `None` if it does not fit.
    pub fn narrow(values: Vec<u16>, most: u64) -> Option<Self> {
        let fits = most <= LARGEST_NARROW as u64;
        fits.then(|| Self { values: Values::Narrow(values), aside: Aside::default() })
    }

    /// A column with [three bytes](Self::three_bytes) per value. `most` is the largest value; `None` if it does not fit.
    pub fn packed(values: Vec<[u8; 3]>, most: u64) -> Option<Self> {
        let fits = most <= u64::from(LARGEST_PACKED);
        fits.then(|| Self { values: Values::Packed(0, values), aside: Aside::default() })
    }

    /// A value in the form for [`Self::packed`].
    #[inline(always)]
    pub fn three_bytes(value: u32) -> [u8; 3] {
        packed(value)
    }

    /// A column with [three bytes](Self::three_signed_bytes) per value. `extent` has the least and the largest value; `None` if one
    /// of them does not fit.
    pub fn packed_signed(values: Vec<[u8; 3]>, (least, most): (i64, i64)) -> Option<Self> {
        let lowest = i64::from(LEAST_PACKED);
        let fits = least >= lowest && most <= lowest + i64::from(LARGEST_PACKED);
        fits.then(|| Self { values: Values::Packed(LEAST_PACKED, values), aside: Aside::default() })
    }

    /// A value, or none, in the form for [`Self::packed_signed`].
    #[inline(always)]
    pub fn three_signed_bytes(value: Option<i32>) -> [u8; 3] {
        packed(value.map_or(PACKED_NOTHING, |value| value.wrapping_sub(LEAST_PACKED) as u32))
    }

    /// A value, or none, in the form for [`Self::medium`].
    #[inline(always)]
    pub fn four_bytes(value: Option<i32>) -> i32 {
        value.unwrap_or(NOTHING)
    }

    /// A column with [four bytes](Self::four_bytes) per value. `least` is the least value; `None` if it does not fit.
    pub fn medium(values: Vec<i32>, least: i64) -> Option<Self> {
        let fits = least > i64::from(NOTHING);
        fits.then(|| Self { values: Values::Medium(values), aside: Aside::default() })
    }

    /// A column of `rows` values, with as few bytes per value as `extent` needs, which should contain all of them. Also returns the
    /// real extent. If that is larger than `extent`, the column must not be used.
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
}
