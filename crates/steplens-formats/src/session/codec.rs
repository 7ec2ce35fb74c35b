//! Sections and their columns: numbers as varints, zigzag for signed ones, deltas from the row before.

use super::Damage;
use crate::wire;
use steplens_messages::say;

/// 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// What [`zigzag`] was given.
pub(super) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// A column being written.
#[derive(Default)]
pub(super) struct Writing {
    pub(super) bytes: Vec<u8>,
    previous: i64,
}

impl Writing {
    /// Seven bits a byte, lowest first; the top bit says that more follow. Never inlined: it stands in some fifty places.
    #[inline(never)]
    pub(super) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// As many zeros.
    pub(super) fn of_zeros(count: usize) -> Self {
        Self { bytes: vec![0; count], previous: 0 }
    }

    pub(super) fn signed(&mut self, value: i64) {
        self.number(zigzag(value));
    }

    /// The difference from the row before.
    pub(super) fn delta(&mut self, value: i64) {
        self.signed(value.wrapping_sub(self.previous));
        self.previous = value;
    }
}

/// Appends a section: tag, length, number of rows, and each column with its length.
pub(super) fn section<const N: usize>(out: &mut Vec<u8>, tag: [u8; 4], rows: usize, columns: [Writing; N]) {
    let mut body = Writing::default();
    body.number(rows as u64);
    for column in columns {
        body.number(column.bytes.len() as u64);
        body.bytes.extend_from_slice(&column.bytes);
    }
    let mut length = Writing::default();
    length.number(body.bytes.len() as u64);
    out.extend_from_slice(&tag);
    out.extend_from_slice(&length.bytes);
    out.extend_from_slice(&body.bytes);
}

/// A column being read; copying it starts anew where it stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Column<'a> {
    bytes: &'a [u8],
    /// Where the next value lies in the file.
    at: usize,
    previous: i64,
}

impl<'a> Column<'a> {
    /// All of `bytes`, which lie at `at` of the file.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, previous: 0 }
    }

    /// The damage that `got` is, at the value just read.
    pub(super) fn damage(&self, got: &'static str) -> Damage {
        Damage { at: self.at as u64, got }
    }

    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, Damage> {
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

    #[inline]
    pub(super) fn signed(&mut self) -> Result<i64, Damage> {
        self.number().map(unzigzag)
    }

    #[inline]
    pub(super) fn delta(&mut self) -> Result<i64, Damage> {
        self.previous = self.previous.wrapping_add(self.signed()?);
        Ok(self.previous)
    }

    /// The next number, a row of a table of `rows`.
    #[inline]
    pub(super) fn row(&mut self, rows: usize) -> Result<usize, Damage> {
        let value = self.number()?;
        self.as_row(value.try_into(), rows)
    }

    /// The next number as the difference from the one before it, a row of a table of `rows`.
    #[inline]
    pub(super) fn delta_row(&mut self, rows: usize) -> Result<usize, Damage> {
        let value = self.delta()?;
        self.as_row(value.try_into(), rows)
    }

    /// `value`, just read, as a row of a table of `rows`.
    #[inline]
    pub(super) fn as_row<E>(&self, value: Result<usize, E>, rows: usize) -> Result<usize, Damage> {
        value.ok().filter(|&row| row < rows).ok_or_else(|| self.damage(say!("got-no-row")))
    }

    /// The next number, as a narrower type.
    #[inline]
    pub(super) fn narrow<T: TryFrom<u64>>(&mut self) -> Result<T, Damage> {
        let value = self.number()?;
        T::try_from(value).map_err(|_| self.damage(say!("got-large-number")))
    }

    /// The next `length` bytes.
    pub(super) fn take(&mut self, length: u64) -> Result<&'a [u8], Damage> {
        let taken = usize::try_from(length).ok().and_then(|length| self.bytes.split_at_checked(length));
        let Some((taken, rest)) = taken else {
            return Err(self.damage(say!("got-early-data-end")));
        };
        (self.bytes, self.at) = (rest, self.at + taken.len());
        Ok(taken)
    }

    /// All of it has been read.
    pub(super) fn end(&self) -> Result<(), Damage> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.damage(say!("got-more-values"))) }
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// The sections of a file by tag; those of other tags are skipped.
pub(super) struct Sections<'a, const N: usize> {
    tags: [[u8; 4]; N],
    bodies: [Column<'a>; N],
}

impl<'a, const N: usize> Sections<'a, N> {
    /// Finds the sections of `tags` in all that follows.
    pub(super) fn find(mut file: Column<'a>, tags: [[u8; 4]; N]) -> Result<Self, Damage> {
        let mut bodies = [Column::default(); N];
        while !file.is_empty() {
            let tag = file.take(4)?;
            let length = file.number()?;
            let at = file.at;
            let body = Column::new(file.take(length)?, at);
            if let Some(known) = tags.iter().position(|known| known == tag) {
                bodies[known] = body;
            }
        }
        Ok(Self { tags, bodies })
    }

    /// The rows and columns of a section; no row and empty columns where there is none.
    pub(super) fn get<const M: usize>(&self, tag: [u8; 4]) -> Result<(usize, [Column<'a>; M]), Damage> {
        let mut columns = [Column::default(); M];
        let known = self.tags.iter().position(|known| *known == tag);
        let mut body = known.map_or(Column::default(), |known| self.bodies[known]);
        if body.is_empty() {
            return Ok((0, columns));
        }
        let size = body.bytes.len();
        // A row takes a byte at least, so that no count makes room for more than the file holds.
        let rows = body.row(size)?;
        for column in &mut columns {
            let length = body.number()?;
            let at = body.at;
            *column = Column::new(body.take(length)?, at);
        }
        Ok((rows, columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let values = [0, 1, -1, 63, 64, -65, i64::MAX, i64::MIN, 5_000_000_000];
        let [mut plain, mut deltas] = [Writing::default(), Writing::default()];
        values.iter().for_each(|&value| plain.signed(value));
        values.iter().for_each(|&value| deltas.delta(value));
        plain.number(u64::MAX);
        let (mut plain, mut deltas) = (Column::new(&plain.bytes, 0), Column::new(&deltas.bytes, 0));
        assert!(values.iter().all(|&value| plain.signed() == Ok(value) && deltas.delta() == Ok(value)));
        assert_eq!(plain.number(), Ok(u64::MAX));
        assert_eq!((plain.end(), deltas.end()), (Ok(()), Ok(())));
        assert!(plain.number().is_err());
        assert!(Column::new(&[0x80], 0).number().is_err());
    }

    #[test]
    fn unknown_sections_are_skipped() {
        let mut file = Vec::new();
        section(&mut file, *b"new!", 3, [Writing { bytes: vec![1, 2, 3], previous: 0 }]);
        section(&mut file, *b"ours", 2, [Writing { bytes: vec![7, 8], previous: 0 }]);
        let sections = Sections::find(Column::new(&file, 0), [*b"ours", *b"none"]).unwrap();
        let (rows, [mut column]) = sections.get::<1>(*b"ours").unwrap();
        assert_eq!((rows, column.number(), column.number(), column.end()), (2, Ok(7), Ok(8), Ok(())));
        assert_eq!(sections.get::<1>(*b"none").unwrap().0, 0);
        for length in 1..file.len() {
            let cut = Sections::find(Column::new(&file[..length], 0), [*b"ours"]);
            assert!(cut.is_err() || length == 4 + 1 + 5);
        }
    }
}
