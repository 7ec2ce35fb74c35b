//! Columns: numbers in planes of bytes of one width; signed ones zigzag-encoded, or as differences from the row before. Fields are
//! varints.

use super::Damage;
use crate::wire;
use steplens_core::storage::column::Blocks;
use steplens_messages::say;
use steplens_proto::sessions;

pub(super) use steplens_proto::sessions::column::Encoding;

/// Encodes 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// Decodes the result of [`zigzag`].
#[inline]
pub(super) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// A column that is being written.
#[derive(Default)]
pub(super) struct Writing {
    pub(super) encoding: Encoding,
    pub(super) values: Vec<u64>,
    pub(super) text: Vec<u8>,
    previous: i64,
    /// Whether nothing needs to be written if all values are 0, because another column has the number of rows.
    is_sparse: bool,
}

impl Writing {
    /// Adds a value. Never inlined, because it is called in about fifty places.
    #[inline(never)]
    pub(super) fn number(&mut self, value: u64) {
        self.values.push(value);
    }

    /// A column that is not written if all values are 0.
    pub(super) fn sparse(encoding: Encoding) -> Self {
        Self { encoding, is_sparse: true, ..Self::default() }
    }

    #[inline(never)]
    pub(super) fn signed(&mut self, value: i64) {
        self.encoding = Encoding::Zigzag;
        self.number(zigzag(value));
    }

    /// Adds a value as the difference from the row before.
    #[inline(never)]
    pub(super) fn delta(&mut self, value: i64) {
        self.encoding = Encoding::Delta;
        self.number(zigzag(value.wrapping_sub(self.previous)));
        self.previous = value;
    }

    /// The column as a message: the planes are the lowest bytes of all values, then the next ones.
    #[inline(never)]
    pub(super) fn message(self) -> Option<sessions::Column> {
        let (width, data) = match self.encoding {
            Encoding::Text => (0, self.text),
            _ => self.planes(),
        };
        Some(sessions::Column { encoding: self.encoding.into(), width, data: data.into() })
    }

    fn planes(&self) -> (u32, Vec<u8>) {
        let largest = self.values.iter().fold(0, |all, value| all | value);
        let needed = (u64::BITS - largest.leading_zeros()).div_ceil(8);
        let width = needed.max(u32::from(!self.values.is_empty() && !self.is_sparse));
        let plane = |byte: u32| self.values.iter().map(move |value| (value >> (8 * byte)) as u8);
        (width, (0..width).flat_map(plane).collect())
    }
}

/// A column that is being read. A copy continues at the same position.
#[derive(Clone, Copy, Default)]
pub(super) struct Column<'a> {
    bytes: &'a [u8],
    /// The offset of the next value in the file; for planes, the offset of their start.
    at: usize,
    previous: i64,
    encoding: Encoding,
    /// The number of bytes per value in planes; 0 for varints and text.
    width: usize,
    rows: usize,
    next: usize,
}

impl<'a> Column<'a> {
    /// A column of all `bytes`, which are at `at` in the file, as varints or text.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, ..Self::default() }
    }

    /// The column in a message, whose data is at `at` in the file.
    pub(super) fn of_planes(column: &'a sessions::Column, at: usize) -> Result<Self, Damage> {
        let planes = Self::new(&column.data, at);
        let Ok(encoding) = Encoding::try_from(column.encoding) else {
            return Err(planes.damage(say!("got-newer-session")));
        };
        let wide = usize::try_from(column.width).ok().filter(|&width| width <= 8);
        let Some(width) = wide.filter(|&width| width == 0 || planes.bytes.len().is_multiple_of(width)) else {
            return Err(planes.damage(say!("got-other-width")));
        };
        if width == 0 && encoding != Encoding::Text && !planes.bytes.is_empty() {
            return Err(planes.damage(say!("got-other-width")));
        }
        let rows = planes.bytes.len().checked_div(width).unwrap_or(0);
        Ok(Self { encoding, width, rows, ..planes })
    }

    /// A damage at the value that was just read; `got` says what was found.
    pub(super) fn damage(&self, got: &'static str) -> Damage {
        Damage::new((self.at + self.next) as u64, got)
    }

    #[inline(never)]
    pub(super) fn number(&mut self) -> Result<u64, Damage> {
        if self.width > 0 {
            return self.of_row();
        }
        if let Some((&byte, rest)) = self.bytes.split_first()
            && byte < 0x80
        {
            (self.bytes, self.at) = (rest, self.at + 1);
            return Ok(u64::from(byte));
        }
        let (value, length) =
            wire::varint(self.bytes).ok_or_else(|| self.damage(say!("got-endless-number")))?;
        self.take(length as u64)?;
        Ok(value)
    }

    fn of_row(&mut self) -> Result<u64, Damage> {
        if self.next >= self.rows {
            return Err(self.damage(say!("got-early-data-end")));
        }
        let mut value = u64::from(self.bytes[self.next]);
        for plane in 1..self.width {
            value |= u64::from(self.bytes[plane * self.rows + self.next]) << (8 * plane);
        }
        self.next += 1;
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn signed(&mut self) -> Result<i64, Damage> {
        self.number().map(unzigzag)
    }

    #[inline(never)]
    pub(super) fn delta(&mut self) -> Result<i64, Damage> {
        self.previous = self.previous.wrapping_add(self.signed()?);
        Ok(self.previous)
    }

    /// The next number, which must be a row of a table of `rows`.
    #[inline(never)]
    pub(super) fn row(&mut self, rows: usize) -> Result<usize, Damage> {
        let value = self.number()?;
        self.as_row(value.try_into(), rows)
    }

    /// The next number as the difference from the one before; it must be a row of a table of `rows`.
    #[inline(never)]
    pub(super) fn delta_row(&mut self, rows: usize) -> Result<usize, Damage> {
        let value = self.delta()?;
        self.as_row(value.try_into(), rows)
    }

    /// Checks that `value`, which was just read, is a row of a table of `rows`.
    #[inline(never)]
    pub(super) fn as_row<E>(&self, value: Result<usize, E>, rows: usize) -> Result<usize, Damage> {
        value.ok().filter(|&row| row < rows).ok_or_else(|| self.damage(say!("got-no-row")))
    }

    /// The next number as a smaller type.
    #[inline(never)]
    pub(super) fn narrow<T: TryFrom<u64>>(&mut self) -> Result<T, Damage> {
        let value = self.number()?;
        T::try_from(value).map_err(|_| self.damage(say!("got-large-number")))
    }

    /// The next `length` bytes of a text, or of data that is no column.
    pub(super) fn take(&mut self, length: u64) -> Result<&'a [u8], Damage> {
        let taken = usize::try_from(length).ok().and_then(|length| self.bytes.split_at_checked(length));
        let Some((taken, rest)) = taken.filter(|_| self.width == 0) else {
            return Err(self.damage(say!("got-early-data-end")));
        };
        (self.bytes, self.at) = (rest, self.at + taken.len());
        Ok(taken)
    }

    /// Checks that all of it was read.
    pub(super) fn end(&self) -> Result<(), Damage> {
        let is_over = if self.width > 0 { self.next == self.rows } else { self.bytes.is_empty() };
        if is_over { Ok(()) } else { Err(self.damage(say!("got-more-values"))) }
    }

    /// The number of bytes that were not taken.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// All values of a column in planes with `rows` rows, or of an empty column, whose values are all 0.
    pub(super) fn values(&self, rows: usize) -> Result<Values<'a>, Damage> {
        let has_none = self.width == 0 && self.bytes.is_empty();
        if !has_none && (self.rows != rows || self.width == 0) {
            return Err(self.damage(say!("got-more-values")));
        }
        Ok(Values { column: *self, rows, read: 0, block: [0; BLOCK], at: BLOCK })
    }

    /// The planes, with up to four bytes per value; `None` if there are none, or more.
    #[inline]
    pub(super) fn planes(&self) -> Option<Planes<'a>> {
        let plane = |byte: usize| self.bytes.get(byte * self.rows..(byte + 1) * self.rows);
        Some(match self.width {
            1 => Planes::One(plane(0)?),
            2 => Planes::Two(plane(0)?, plane(1)?),
            3 => Planes::Three(plane(0)?, plane(1)?, plane(2)?),
            4 => Planes::Four(plane(0)?, plane(1)?, plane(2)?, plane(3)?),
            _ => return None,
        })
    }

    /// The encoding of its values.
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The range in which its values are likely to be, by their width.
    pub(super) fn likely_extent(&self) -> (i64, i64) {
        match (self.encoding, self.width) {
            (Encoding::Plain, 1) => (0, 0xff),
            (Encoding::Plain, 2) | (Encoding::Delta, ..=2) => (0, 0xfffd),
            (Encoding::Plain | Encoding::Delta, 3) => (0, 0xff_fffd),
            (Encoding::Zigzag, ..=3) => (-0x80_0000, 0x7f_fffd),
            (_, 4) => (-0x7fff_fffe, 0x7fff_ffff),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// Whether it is empty, because all of its values are 0.
    pub(super) fn is_nothing(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// Planes with the same number of bytes: the lowest bytes of all values, then the next ones.
#[derive(Clone, Copy)]
pub(super) enum Planes<'a> {
    One(&'a [u8]),
    Two(&'a [u8], &'a [u8]),
    Three(&'a [u8], &'a [u8], &'a [u8]),
    Four(&'a [u8], &'a [u8], &'a [u8], &'a [u8]),
}

impl Planes<'_> {
    /// The number of values.
    pub(super) fn len(&self) -> usize {
        let (Self::One(lowest) | Self::Two(lowest, _) | Self::Three(lowest, ..) | Self::Four(lowest, ..)) =
            self;
        lowest.len()
    }

    /// The result of `made` for every value. One loop for each width, because most of the reading time is spent here.
    #[inline(always)]
    pub(super) fn map<T>(self, mut made: impl FnMut(u32) -> T) -> Vec<T> {
        let mut value = |bytes| made(u32::from_le_bytes(bytes));
        match self {
            Self::One(a) => a.iter().map(|&a| value([a, 0, 0, 0])).collect(),
            Self::Two(a, b) => a.iter().zip(b).map(|(&a, &b)| value([a, b, 0, 0])).collect(),
            Self::Three(a, b, c) => {
                a.iter().zip(b).zip(c).map(|((&a, &b), &c)| value([a, b, c, 0])).collect()
            }
            Self::Four(a, b, c, d) => {
                let bytes = a.iter().zip(b).zip(c).zip(d);
                bytes.map(|(((&a, &b), &c), &d)| value([a, b, c, d])).collect()
            }
        }
    }
}

/// How many values are unpacked at a time: few enough for the fastest cache.
const BLOCK: usize = 256;

/// Every value of a column in planes.
#[derive(Clone)]
pub(super) struct Values<'a> {
    column: Column<'a>,
    rows: usize,
    /// How many values were unpacked.
    read: usize,
    block: [i64; BLOCK],
    /// The index of the next value in the block.
    at: usize,
}

impl Values<'_> {
    /// The next value; 0 after the last.
    #[inline(always)]
    pub(super) fn take_one(&mut self) -> i64 {
        if self.at >= BLOCK {
            self.unpack();
        }
        let value = self.block[self.at % BLOCK];
        self.at += 1;
        value
    }

    /// Whether all remaining values have the flag, or none has it; `None` if only some have it.
    pub(super) fn all_with(mut self, flag: u64) -> Option<bool> {
        let (mut any, mut all) = (0, flag);
        loop {
            let block = self.next_block();
            if block.is_empty() {
                let (any, all) = (any & flag != 0, all & flag != 0);
                return (any == all).then_some(all);
            }
            for &flags in block {
                (any, all) = (any | flags as u64, all & flags as u64);
            }
        }
    }

    /// A damage near the value that was just read; `got` says what was found.
    #[cold]
    pub(super) fn damage(&self, got: &'static str) -> Damage {
        Damage::new((self.column.at + self.read.saturating_sub(BLOCK)) as u64, got)
    }

    /// Unpacks a block. One loop for each common width, because most of the reading time is spent here.
    #[inline(never)]
    fn unpack(&mut self) -> usize {
        self.at = 0;
        let Column { bytes, width, rows, encoding, .. } = self.column;
        let count = BLOCK.min(self.rows - self.read);
        self.read += count;
        if width == 0 {
            return count;
        }
        let first = self.read - count;
        let plane = |byte: usize| {
            let start = byte * rows + first;
            bytes.get(start..start + count).unwrap_or_default()
        };
        let block = &mut self.block[..count];
        match width {
            1 => block.iter_mut().zip(plane(0)).for_each(|(value, &a)| *value = i64::from(a)),
            2 => {
                let planes = plane(0).iter().zip(plane(1));
                for (value, (&a, &b)) in block.iter_mut().zip(planes) {
                    *value = i64::from(u16::from_le_bytes([a, b]));
                }
            }
            3 => {
                let planes = plane(0).iter().zip(plane(1)).zip(plane(2));
                for (value, ((&a, &b), &c)) in block.iter_mut().zip(planes) {
                    *value = i64::from(u32::from_le_bytes([a, b, c, 0]));
                }
            }
            4 => {
                let planes = plane(0).iter().zip(plane(1)).zip(plane(2)).zip(plane(3));
                for (value, (((&a, &b), &c), &d)) in block.iter_mut().zip(planes) {
                    *value = i64::from(u32::from_le_bytes([a, b, c, d]));
                }
            }
            _ => {
                block.fill(0);
                for byte in 0..width {
                    for (value, &own) in block.iter_mut().zip(plane(byte)) {
                        *value |= i64::from(own) << (8 * byte);
                    }
                }
            }
        }
        if matches!(encoding, Encoding::Zigzag | Encoding::Delta) {
            block.iter_mut().for_each(|value| *value = unzigzag(*value as u64));
        }
        if encoding == Encoding::Delta {
            let mut previous = self.column.previous;
            for value in block {
                previous = previous.wrapping_add(*value);
                *value = previous;
            }
            self.column.previous = previous;
        }
        count
    }
}

impl Blocks for Values<'_> {
    fn next_block(&mut self) -> &[i64] {
        let count = self.unpack();
        self.at = BLOCK;
        self.block.get(..count).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_at_every_width() {
        for width in 1..=8_u32 {
            let most = u64::MAX >> (64 - 8 * width);
            let numbers: Vec<u64> = (0..1_000)
                .map(|row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15) & most)
                .chain([most])
                .collect();
            let [mut plain, mut signed, mut deltas] = [(); 3].map(|()| Writing::default());
            for &number in &numbers {
                plain.number(number);
                signed.signed(unzigzag(number));
                deltas.delta(number as i64);
            }
            for (written, expected) in [
                (plain, numbers.iter().map(|&number| number as i64).collect::<Vec<_>>()),
                (signed, numbers.iter().map(|&number| unzigzag(number)).collect()),
                (deltas, numbers.iter().map(|&number| number as i64).collect()),
            ] {
                let encoding = written.encoding;
                let message = written.message().unwrap();
                let column = Column::of_planes(&message, 0).unwrap();
                let mut values = column.values(numbers.len()).unwrap();
                assert!(expected.iter().all(|&value| values.take_one() == value));
                let mut one = column;
                let next = |one: &mut Column<'_>| match encoding {
                    Encoding::Plain => one.number().map(|value| value as i64),
                    Encoding::Zigzag => one.signed(),
                    _ => one.delta(),
                };
                assert!(expected.iter().all(|&value| next(&mut one) == Ok(value)));
                assert!(one.end().is_ok() && one.number().is_err() && column.values(3).is_err());
            }
        }
    }

    #[test]
    fn varints_come_back() {
        let mut column = Column::new(&[5, 0x80, 1, 0x80], 0);
        assert_eq!((column.number(), column.number()), (Ok(5), Ok(128)));
        assert!(column.number().is_err() && column.end().is_err());
    }

    #[test]
    fn zeros_beside_others_take_nothing() {
        let mut column = Writing::sparse(Encoding::Zigzag);
        (0..5).for_each(|_| column.number(0));
        let message = column.message().unwrap();
        assert_eq!((message.width, message.data.len()), (0, 0));
        let column = Column::of_planes(&message, 0).unwrap();
        let mut values = column.values(5).unwrap();
        assert!((0..5).all(|_| values.take_one() == 0));
        let other = |width, data: &'static [u8]| sessions::Column { encoding: 0, width, data: data.into() };
        assert!(Column::of_planes(&other(2, &[1, 2, 3]), 0).is_err());
        assert!(Column::of_planes(&other(0, &[1]), 0).is_err());
    }
}
