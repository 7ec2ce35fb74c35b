//! The protobuf wire format: checked reads from a message that is completely in memory.

use std::ops::Range;

/// A field's number and wire type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) field: u32,
    pub(crate) wire: Wire,
}

/// The layout of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Varint,
    Fixed64,
    Length,
    Fixed32,
}

impl Tag {
    /// Reads a tag. Field 0, groups (deprecated, in none of our schemas) and the wire types 6 and 7 are damage.
    #[inline(always)]
    pub(crate) fn from_varint(raw: u64) -> Option<Self> {
        let wire = match raw & 7 {
            0 => Wire::Varint,
            1 => Wire::Fixed64,
            2 => Wire::Length,
            5 => Wire::Fixed32,
            _ => return None,
        };
        let field = u32::try_from(raw >> 3).ok().filter(|&field| field != 0)?;
        Some(Self { field, wire })
    }
}

/// A tag takes at most ten bytes, and so does a length or number.
pub(crate) const MAX_HEAD_BYTES: usize = 20;

/// The start of a field: its tag and, for a number, the value, otherwise the number of bytes that follow.
pub(crate) enum Head {
    /// `number` is the value of a number, otherwise 0; `length` is how many bytes follow.
    Complete {
        tag: Tag,
        number: u64,
        length: u64,
        taken: usize,
    },
    Incomplete,
    Damaged,
}

/// The head of the field at the start of `bytes`.
#[inline]
pub(crate) fn parse_head(bytes: &[u8]) -> Head {
    let incomplete = |rest: &[u8]| {
        if rest.len() >= 10 { Head::Damaged } else { Head::Incomplete }
    };
    let Some((raw, tag_length)) = varint(bytes) else {
        return incomplete(bytes);
    };
    let Some(tag) = Tag::from_varint(raw) else {
        return Head::Damaged;
    };
    let rest = &bytes[tag_length..];
    match tag.wire {
        Wire::Fixed64 => Head::Complete { tag, number: 0, length: 8, taken: tag_length },
        Wire::Fixed32 => Head::Complete { tag, number: 0, length: 4, taken: tag_length },
        Wire::Varint | Wire::Length => match varint(rest) {
            Some((value, value_length)) => {
                let (number, length) = if tag.wire == Wire::Length { (0, value) } else { (value, 0) };
                Head::Complete { tag, number, length, taken: tag_length + value_length }
            }
            None => incomplete(rest),
        },
    }
}

/// The most fields of a message that is decoded at once. A field of two bytes takes up to a hundred then; real messages have some tens.
pub(crate) const MAX_FIELDS: usize = 1 << 18;

/// The value of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    /// A value of fixed width: eight or four bytes.
    Fixed(u64),
}

/// A message that ends too early or has invalid content, with the offset of the fault in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damaged {
    pub(crate) at: usize,
}

/// A message that is completely in memory, with the bytes after it.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    bytes: &'a [u8],
    length: usize,
}

impl<'a> Message<'a> {
    pub(crate) fn of(message: &'a [u8]) -> Self {
        Self { bytes: message, length: message.len() }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes.get(..self.length).unwrap_or(self.bytes)
    }

    pub(crate) fn length(self) -> usize {
        self.length
    }

    pub(crate) fn fields(self) -> Fields<'a> {
        Fields::of_first(self.bytes, self.length)
    }

    /// Reads a message of exactly two one-byte varints, the first in field 1: returns its value, and the second field's number and
    /// value.
    #[inline(always)]
    pub(crate) fn two_bytes(self) -> Option<(u64, u32, u64)> {
        let word = u32::from_le_bytes(*self.bytes.first_chunk::<4>()?);
        // No byte continues in the next one, the first tag is 8, and the second tag is of a number.
        let is_so = self.length == 4 && word & 0x8087_80ff == 0x08 && word & 0x00ff_0000 != 0;
        is_so.then_some((u64::from(word >> 8 & 0xff), word >> 19 & 0x1f, u64::from(word >> 24)))
    }

    /// Reads a message of exactly two numbers: one of at most two bytes in field 1, and one of at most eight bytes in any field up
    /// to 15. Returns the first number, the second field and its number; `None` if the message has another form.
    #[inline(always)]
    pub(crate) fn two_numbers(self) -> Option<(u64, u32, u64)> {
        let window = self.bytes.first_chunk::<WINDOW>()?;
        let (first, tag, head, word) = match window {
            [0x08, first @ ..0x80, tag, ..] => (u64::from(*first), *tag, 3, word_at::<3>(window)),
            [0x08, low, high @ ..0x80, tag, ..] => {
                (u64::from(*low & 0x7f) | u64::from(*high) << 7, *tag, 4, word_at::<4>(window))
            }
            _ => return None,
        };
        let length = end_of_varint(word)?;
        let is_number = tag & 0x87 == 0 && tag != 0;
        let number = close_up(word & (u64::MAX >> (64 - 8 * length)));
        (is_number && head + length == self.length).then_some((first, u32::from(tag >> 3), number))
    }
}

/// The number in up to eight bytes, the lowest byte first.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A tag of two bytes, a number of nine bytes, and one byte more.
const WINDOW: usize = 12;

/// Reads the fields of one message in order.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    /// The message and the bytes after it: a number is read eight bytes at a time, also at the end of its message.
    bytes: &'a [u8],
    /// The length of the message: at most that of `bytes`.
    end: usize,
    at: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(message: &'a [u8]) -> Self {
        Self::of_first(message, message.len())
    }

    /// The fields in `bytes` from `at` to `end`.
    pub(crate) fn between(bytes: &'a [u8], at: usize, end: usize) -> Self {
        Self { bytes, end: end.min(bytes.len()), at }
    }

    /// The fields of the message in the first `length` bytes of `bytes`.
    #[inline]
    pub(crate) fn of_first(bytes: &'a [u8], length: usize) -> Self {
        Self { bytes, end: length.min(bytes.len()), at: 0 }
    }

    /// The message in the field that was just read; `bytes` is the value of the field.
    #[inline(always)]
    pub(crate) fn message(&self, bytes: &'a [u8]) -> Message<'a> {
        let start = self.at - bytes.len();
        Message { bytes: self.bytes.get(start..).unwrap_or(bytes), length: bytes.len() }
    }

    /// The fields of the message in `bytes`.
    #[inline(always)]
    pub(crate) fn of_value(&self, bytes: &'a [u8]) -> Self {
        self.message(bytes).fields()
    }

    /// The fields of the message at `range` of this one.
    #[inline]
    pub(crate) fn of_range(&self, range: &Range<usize>) -> Self {
        Self::of_first(self.bytes.get(range.start..).unwrap_or_default(), range.len())
    }

    /// The next field, or `None` at the end. It is inlined, so that each message's loop handles only the values it takes. The loop
    /// should check the kind of the value first, as this function does.
    ///
    /// A tag and a number or length are read together. Near the end of the bytes, and if anything is unusual,
    /// [`read_by_bytes`](Self::read_by_bytes) reads instead.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Result<Option<(u32, Value<'a>)>, Damaged> {
        let at = self.at;
        if at >= self.end {
            return Ok(None);
        }
        let Some(window) = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<WINDOW>()) else {
            return self.go_by_bytes();
        };
        // Not a copy of these bytes: the processor could not forward what was just stored to a load of another width.
        let (tag, head, word) = match (window[0], window[1]) {
            (first @ ..0x80, _) => (u32::from(first), 1, word_at::<1>(window)),
            (first, second @ ..0x80) => {
                (u32::from(first & 0x7f) | u32::from(second) << 7, 2, word_at::<2>(window))
            }
            _ => return self.go_by_bytes(),
        };
        let room = self.end - at;
        let field = tag >> 3;
        if tag & 7 == 0 && field != 0 {
            let (value, length) = match word & 0x80 {
                0 => (word & 0x7f, 1),
                _ => match end_of_varint(word) {
                    Some(length) => (close_up(word & (u64::MAX >> (64 - 8 * length))), length),
                    // A time in nanoseconds.
                    None if window[head + 8] < 0x80 => {
                        (close_up(word) | u64::from(window[head + 8]) << 56, 9)
                    }
                    None => return self.go_by_bytes(),
                },
            };
            if head + length > room {
                return self.go_by_bytes();
            }
            self.at = at + head + length;
            return Ok(Some((field, Value::Varint(value))));
        }
        if tag & 7 == 2 && field != 0 {
            let (length, taken) = match word & 0x8080 {
                0 | 0x8000 => (word as usize & 0x7f, head + 1),
                0x80 => (word as usize & 0x7f | (word as usize >> 1 & 0x3f80), head + 2),
                _ => match end_of_varint(word) {
                    // Also values that take all remaining bytes.
                    Some(length @ ..=5) => {
                        (close_up(word & (u64::MAX >> (64 - 8 * length))) as usize, head + length)
                    }
                    _ => return self.go_by_bytes(),
                },
            };
            if let Some(left) = room.checked_sub(taken)
                && length <= left
                && let Some(bytes) = self.bytes.get(at + taken..at + taken + length)
            {
                self.at = at + taken + length;
                return Ok(Some((field, Value::Bytes(bytes))));
            }
        }
        self.go_by_bytes()
    }

    /// Like `next`, byte by byte.
    #[inline(always)]
    fn go_by_bytes(&mut self) -> Result<Option<(u32, Value<'a>)>, Damaged> {
        let (value, at) = self.next_by_bytes();
        self.at = at;
        value.map(Some)
    }

    /// The next field and the offset of the one after it, or the offset of what is unusual in this one. Takes a copy of the cursor:
    /// with a reference, the cursor would be in memory and not in registers.
    #[cold]
    #[inline(never)]
    fn next_by_bytes(mut self) -> (Result<(u32, Value<'a>), Damaged>, usize) {
        let value = self.read_by_bytes();
        (value, self.at)
    }

    fn read_by_bytes(&mut self) -> Result<(u32, Value<'a>), Damaged> {
        let damaged = Damaged { at: self.at };
        let tag = Tag::from_varint(self.number()?).ok_or(damaged)?;
        let value = match tag.wire {
            Wire::Varint => Value::Varint(self.number()?),
            Wire::Length => {
                let length = self.number()?;
                Value::Bytes(self.take(length)?)
            }
            Wire::Fixed64 => Value::Fixed(little_endian(self.take(8)?)),
            Wire::Fixed32 => Value::Fixed(little_endian(self.take(4)?)),
        };
        Ok((tag.field, value))
    }

    /// Whether there are more fields than `most`, also in messages that lie within up to this `depth`.
    pub(crate) fn has_more_than(self, most: usize, depth: u32) -> bool {
        // Most messages have not even the bytes for them.
        self.end - self.at > 2 * most && self.count(most, depth) > most
    }

    fn count(mut self, most: usize, depth: u32) -> usize {
        let mut count = 0;
        while count <= most
            && let Ok(Some((_, value))) = self.next()
        {
            count += 1;
            if let (Value::Bytes(bytes), Some(depth)) = (value, depth.checked_sub(1)) {
                count += Fields::of(bytes).count(most, depth);
            }
        }
        count
    }

    /// The offset of the next field in the message.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The range of the value of the field that was just read.
    #[inline]
    pub(crate) fn range_of(&self, bytes: &[u8]) -> Range<usize> {
        self.at - bytes.len()..self.at
    }

    fn number(&mut self) -> Result<u64, Damaged> {
        let damaged = Damaged { at: self.at };
        let (value, length) = self.bytes.get(self.at..).and_then(varint).ok_or(damaged)?;
        if length > self.end - self.at {
            return Err(damaged);
        }
        self.at += length;
        Ok(value)
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], Damaged> {
        let damaged = Damaged { at: self.at };
        if length > (self.end - self.at) as u64 {
            return Err(damaged);
        }
        let end = self.at + length as usize;
        let bytes = self.bytes.get(self.at..end).ok_or(damaged)?;
        self.at = end;
        Ok(bytes)
    }
}

/// The eight bytes at `AT`, the first byte lowest.
#[inline(always)]
fn word_at<const AT: usize>(window: &[u8; WINDOW]) -> u64 {
    window[AT..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

/// The length of the varint at the start of `word`, whose first byte is the lowest; `None` if it is longer than `word`.
#[inline(always)]
fn end_of_varint(word: u64) -> Option<usize> {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let ends = !word & HIGH_BITS;
    (ends != 0).then(|| ends.trailing_zeros() as usize / 8 + 1)
}

/// The varint at the start of `bytes` and its length; `None` if it does not end within `bytes` or within ten bytes.
///
/// Times take eight or nine bytes, so eight are decoded at once: the first byte without a high bit ends the number, and the groups
/// of seven bits are packed together in three steps.
#[inline]
pub(crate) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let Some(first) = bytes.first_chunk::<8>() else { return varint_by_bytes(bytes) };
    let word = u64::from_le_bytes(*first);
    let Some(length) = end_of_varint(word) else {
        return match (bytes.get(8), bytes.get(9)) {
            (Some(&ninth), _) if ninth < 0x80 => Some((close_up(word) | u64::from(ninth) << 56, 9)),
            (Some(&ninth), Some(&tenth)) if tenth < 0x80 => {
                Some((close_up(word) | u64::from(ninth & 0x7f) << 56 | u64::from(tenth) << 63, 10))
            }
            _ => None,
        };
    };
    Some((close_up(word & (u64::MAX >> (64 - 8 * length))), length))
}

/// Packs eight groups of seven bits, one per byte, into a number of 56 bits.
#[inline(always)]
fn close_up(groups: u64) -> u64 {
    let groups = groups & 0x7f7f_7f7f_7f7f_7f7f;
    let pairs = (groups & 0x007f_007f_007f_007f) | (groups & 0x7f00_7f00_7f00_7f00) >> 1;
    let fours = (pairs & 0x0000_3fff_0000_3fff) | (pairs & 0x3fff_0000_3fff_0000) >> 2;
    (fours & 0x0fff_ffff) | (fours & 0x0fff_ffff_0000_0000) >> 4
}

/// Like `varint`, near the end of a message.
fn varint_by_bytes(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (place, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some((value, place + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_order_and_damage_is_placed() {
        // field 1 varint 300, field 2 bytes "ab", field 3 fixed32
        let message = [0x08, 0xac, 0x02, 0x12, 2, b'a', b'b', 0x1d, 1, 2, 3, 4];
        let mut fields = Fields::of(&message);
        assert_eq!(fields.next(), Ok(Some((1, Value::Varint(300)))));
        assert_eq!(fields.next(), Ok(Some((2, Value::Bytes(b"ab")))));
        assert_eq!(fields.next(), Ok(Some((3, Value::Fixed(0x0403_0201)))));
        assert_eq!(fields.next(), Ok(None));
        for broken in [&[0x08][..], &[0x08, 0x80], &[0x12, 5, b'a'], &[0x00], &[0x0b], &[0x1d, 1]] {
            assert!(Fields::of(broken).next().is_err(), "{broken:?}");
        }
        let huge = [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert!(Fields::of(&huge).next().is_err());
        assert_eq!(varint(&[0xff; 11]), None);
    }

    /// All fields of a message, and how it ends.
    fn all(mut fields: Fields<'_>) -> (Vec<(u32, Value<'_>)>, Option<Damaged>) {
        let mut found = Vec::new();
        loop {
            match fields.next() {
                Ok(Some(field)) => found.push(field),
                Ok(None) => return (found, None),
                Err(damaged) => return (found, Some(damaged)),
            }
        }
    }

    #[test]
    fn what_lies_behind_a_message_makes_no_difference() {
        let put = |message: &mut Vec<u8>, mut value: u64, padding: usize| {
            while value >= 0x80 {
                message.push(value as u8 | 0x80);
                value >>= 7;
            }
            match padding {
                0 => message.push(value as u8),
                _ => {
                    message.push(value as u8 | 0x80);
                    message.extend(vec![0x80; padding - 1]);
                    message.push(0);
                }
            }
        };
        // Fields 1, 17 and 3000 with each valid and invalid wire type, numbers of every length, and lengths in every form.
        let mut message = Vec::new();
        let mut expected = 0;
        for field in [1u64, 17, 3000] {
            for bits in [0, 1, 7, 8, 14, 15, 28, 35, 49, 55, 56, 57, 62, 63, 64] {
                put(&mut message, field << 3, 0);
                put(&mut message, ((1u128 << bits) - 1) as u64, 0);
                expected += 1;
            }
            let long = if field == 17 { 16_384 } else { 200 };
            let lengths = [(0, 0), (1, 0), (127, 0), (128, 0), (300, 1), (5, 3), (9, 4), (long, 0)];
            for (length, padding) in lengths {
                put(&mut message, field << 3 | 2, 0);
                put(&mut message, length, padding);
                message.extend(vec![b'x'; length as usize]);
                expected += 1;
            }
            for (wire, length) in [(1, 8), (5, 4)] {
                put(&mut message, field << 3 | wire, 0);
                message.extend(vec![0xff; length]);
                expected += 1;
            }
        }
        let fields = |bytes: &[u8]| (all(Fields::of(bytes)).0.len(), all(Fields::of(bytes)).1);
        assert_eq!(fields(&message), (expected, None));
        let cuts = (0..message.len()).filter(|cut| cut % 997 == 0 || !message[..*cut].ends_with(b"xxx"));
        for cut in cuts {
            for odd in [&[][..], &[0x00], &[0x04], &[0x0b], &[0x80, 0x80], &[0x0a, 0xff, 0x7f]] {
                let broken = [&message[..cut], odd].concat();
                let alone = all(Fields::of(&broken));
                for tail in [0x00, 0x08, 0x7f, 0xff] {
                    let within = [&broken[..], &[tail; 40]].concat();
                    assert_eq!(all(Fields::of_first(&within, broken.len())), alone, "{cut} {odd:?} {tail}");
                }
            }
        }
    }

    #[test]
    fn two_numbers_are_what_fields_say() {
        let bytes = [0x00, 0x01, 0x08, 0x10, 0x12, 0x18, 0x20, 0x38, 0x3a, 0x78, 0x7f, 0x80, 0x98, 0xff];
        let mut read = 0;
        for message in (0..bytes.len().pow(4))
            .map(|n| [0, 1, 2, 3].map(|place| bytes[n / bytes.len().pow(place) % bytes.len()]))
        {
            let by_fields = match *all(Fields::of(&message)).0 {
                [(1, Value::Varint(first)), (field, Value::Varint(second))] => Some((first, field, second)),
                _ => None,
            };
            let with_tail = [&message[..], &[0xff; 12]].concat();
            let message = Message { bytes: &with_tail, length: 4 };
            let found = message.two_bytes();
            assert!(found.is_none() || found == by_fields, "{message:?}", message = message.bytes());
            assert!(message.two_numbers().is_none_or(|found| Some(found) == by_fields));
            assert_eq!(Message { bytes: &with_tail, length: 3 }.two_bytes(), None);
            read += usize::from(found.is_some());
        }
        // Eleven of these bytes are complete numbers, and six are complete tags.
        assert_eq!(read, 11 * 11 * 6);
    }

    #[test]
    fn varints_of_every_length_read_alike() {
        for bits in 0..=64 {
            for value in [(1u128 << bits) - 1, (1 << bits) >> 1, 0x5555_5555_5555_5555 & ((1 << bits) - 1)] {
                let value = value as u64;
                let mut bytes = Vec::new();
                let mut rest = value;
                while rest >= 0x80 {
                    bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
                let length = bytes.len();
                assert_eq!(varint(&bytes), Some((value, length)));
                assert!((0..length).all(|cut| varint(&bytes[..cut]).is_none()));
                bytes.extend([0xff; 10]);
                assert_eq!(varint(&bytes), Some((value, length)));
            }
        }
    }
}
