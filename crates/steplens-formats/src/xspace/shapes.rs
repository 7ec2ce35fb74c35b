//! Shapes: events without their times and numbers. A million kernels have some hundreds of shapes.

use crate::wire::{Damaged, Message, Value};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use steplens_proto::fields::xstat;

/// A stat of an event, without its value if that is a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    /// The id of the stat in its plane.
    pub(super) id: u64,
    pub(super) value: StatValue,
}

/// The value of a stat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StatValue {
    /// A whole number that each event has for itself.
    Number {
        is_signed: bool,
    },
    /// A whole number that all events of a name share.
    Whole {
        number: u64,
        is_signed: bool,
    },
    /// A number with a fraction, as the bits of an `f64`.
    Fraction(u64),
    /// The name of another stat of the plane.
    Ref(u64),
    Text(Vec<u8>),
}

/// The shape of the current event, built stat by stat from words of eight bytes, which are quick to compare and hash in wasm. The
/// memory is reused for the next event.
///
/// It has the event's metadata; then for each stat its kind, its id and, unless it is a number, its value. A text is its length and
/// its bytes, in whole words. The plane is not included: the same program on several planes has the same shapes, and their meaning
/// is in the plane's dictionary.
#[derive(Default)]
pub(super) struct Key {
    words: Vec<u64>,
    /// How many words are used: the rest is reserved, so that adding a word is a single store.
    len: usize,
}

const METADATA: usize = 0;
/// How many words come before the stats.
const HEAD: usize = 1;

const NUMBER: u64 = 0;
const REF: u64 = 1;
const TEXT: u64 = 2;
const SIGNED: u64 = 3;
const FRACTION: u64 = 4;
/// Is added to the kind of a number that all events of a name share.
const COMMON: u64 = 8;

impl Key {
    /// Starts the shape of an event.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.len = 0;
        self.push([0]);
    }

    /// Sets the id of the metadata with the event's name.
    #[inline]
    pub(super) fn set_metadata(&mut self, id: u64) {
        self.words.get_mut(METADATA).into_iter().for_each(|place| *place = id);
    }

    #[inline(always)]
    fn push<const N: usize>(&mut self, words: [u64; N]) {
        match self.words.get_mut(self.len..).and_then(|room| room.first_chunk_mut()) {
            Some(room) => *room = words,
            None => self.push_with_room(&words),
        }
        self.len += N;
    }

    #[cold]
    #[inline(never)]
    fn push_with_room(&mut self, words: &[u64]) {
        self.words.truncate(self.len);
        self.words.extend_from_slice(words);
        self.words.resize(self.words.len() * 2, 0);
    }

    #[inline(always)]
    fn as_slice(&self) -> &[u64] {
        self.words.get(..self.len).unwrap_or_default()
    }

    /// Adds an `XStat`; its value is added to `numbers` if it is a whole number. Bytes are separate messages, and not read.
    #[inline(always)]
    pub(super) fn push_stat(&mut self, message: Message<'_>, numbers: &mut Vec<u64>) -> Result<(), Damaged> {
        match message.two_bytes() {
            Some(found) if self.push_found(found, numbers) => Ok(()),
            _ => self.push_longer_stat(message, numbers),
        }
    }

    fn push_longer_stat(&mut self, message: Message<'_>, numbers: &mut Vec<u64>) -> Result<(), Damaged> {
        match message.two_numbers() {
            Some(found) if self.push_found(found, numbers) => Ok(()),
            _ => self.push_any_stat(message, numbers),
        }
    }

    /// Adds a stat with an id, the field of its value and the value; returns whether the field is one that is read.
    #[inline(always)]
    fn push_found(&mut self, (id, field, number): (u64, u32, u64), numbers: &mut Vec<u64>) -> bool {
        match field {
            xstat::UINT64_VALUE => {
                numbers.push(number);
                self.push([NUMBER, id]);
            }
            xstat::INT64_VALUE => {
                numbers.push(number);
                self.push([SIGNED, id]);
            }
            xstat::REF_VALUE => self.push([REF, id, number]),
            _ => return false,
        }
        true
    }

    /// Adds a stat that all events of a name share: its number is a part of the shape.
    pub(super) fn push_common_stat(&mut self, message: Message<'_>) -> Result<(), Damaged> {
        let (mut numbers, before) = (Vec::new(), self.len);
        self.push_any_stat(message, &mut numbers)?;
        if let Some(&number) = numbers.first() {
            self.words.get_mut(before).into_iter().for_each(|kind| *kind += COMMON);
            self.push([number]);
        }
        Ok(())
    }

    /// Adds a stat of any form.
    fn push_any_stat(&mut self, message: Message<'_>, numbers: &mut Vec<u64>) -> Result<(), Damaged> {
        let (mut id, mut kind, mut number, mut text) = (0, None, 0, &[][..]);
        let mut fields = message.fields();
        while let Some((field, value)) = fields.next()? {
            match value {
                Value::Varint(value) => match field {
                    xstat::METADATA_ID => id = value,
                    xstat::UINT64_VALUE => (kind, number) = (Some(NUMBER), value),
                    xstat::INT64_VALUE => (kind, number) = (Some(SIGNED), value),
                    xstat::REF_VALUE => (kind, number) = (Some(REF), value),
                    _ => {}
                },
                Value::Fixed(value) if field == xstat::DOUBLE_VALUE => {
                    (kind, number) = (Some(FRACTION), value);
                }
                Value::Bytes(value) if field == xstat::STR_VALUE => (kind, text) = (Some(TEXT), value),
                _ => {}
            }
        }
        match kind {
            Some(kind @ (NUMBER | SIGNED)) => {
                numbers.push(number);
                self.push([kind, id]);
            }
            Some(FRACTION) => self.push([FRACTION, id, number]),
            Some(REF) => self.push([REF, id, number]),
            Some(_) => {
                self.push([TEXT, id, text.len() as u64]);
                let (words, rest) = text.as_chunks::<8>();
                words.iter().for_each(|word| self.push([u64::from_le_bytes(*word)]));
                if !rest.is_empty() {
                    let mut last = [0; 8];
                    last.iter_mut().zip(rest).for_each(|(to, &from)| *to = from);
                    self.push([u64::from_le_bytes(last)]);
                }
            }
            None => {}
        }
        Ok(())
    }
}

/// Whether two keys are equal: in wasm `==` compares byte by byte.
#[inline]
fn equal(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// How many shapes are remembered by the metadata of their events: most events have the same shape as the last one of their name.
const REMEMBERED: usize = 256;

/// Every distinct shape, once.
pub(super) struct Shapes {
    keys: Vec<u64>,
    ends: Vec<usize>,
    ids: HashTable<u32>,
    hasher: FixedState,
    newest: [u32; REMEMBERED],
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            ends: Vec::new(),
            ids: HashTable::new(),
            hasher: FixedState::default(),
            newest: [0; REMEMBERED],
        }
    }
}

impl Shapes {
    /// The row of the shape `key`.
    #[inline]
    pub(super) fn intern(&mut self, key: &Key) -> u32 {
        let key = key.as_slice();
        let metadata = key.get(METADATA).copied().unwrap_or(0);
        let place = (metadata % REMEMBERED as u64) as usize;
        let newest = self.newest[place];
        if equal(self.key(newest), key) {
            return newest;
        }
        let row = self.find_or_insert(key);
        self.newest[place] = row;
        row
    }

    fn find_or_insert(&mut self, key: &[u64]) -> u32 {
        let hash = self.hasher.hash_one(key);
        if let Some(&row) = self.ids.find(hash, |&row| equal(self.key(row), key)) {
            return row;
        }
        let row = self.ends.len() as u32;
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        let (keys, ends, hasher) = (&self.keys, &self.ends, &self.hasher);
        self.ids.insert_unique(hash, row, |&other| hasher.hash_one(key_of(keys, ends, other)));
        row
    }

    /// The number of shapes.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// The id of the metadata with the name of this shape's events.
    pub(super) fn metadata(&self, row: u32) -> u64 {
        self.key(row).get(METADATA).copied().unwrap_or(0)
    }

    /// The stats, in order.
    pub(super) fn stats(&self, row: u32) -> impl Iterator<Item = Stat> + '_ {
        let mut rest = self.key(row).get(HEAD..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (&[kind, id], after) = rest.split_first_chunk()?;
            rest = after;
            let mut take = || {
                let (&number, after) = rest.split_first()?;
                rest = after;
                Some(number)
            };
            let value = match kind {
                REF => StatValue::Ref(take()?),
                TEXT => {
                    let length = usize::try_from(take()?).ok()?;
                    let words = rest.split_off(..length.div_ceil(8))?;
                    let mut text: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    text.truncate(length);
                    StatValue::Text(text)
                }
                FRACTION => StatValue::Fraction(take()?),
                _ if kind >= COMMON => {
                    StatValue::Whole { number: take()?, is_signed: kind - COMMON == SIGNED }
                }
                _ => StatValue::Number { is_signed: kind == SIGNED },
            };
            Some(Stat { id, value })
        })
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.keys.capacity() * 8 + self.ends.capacity() * size_of::<usize>() + self.ids.capacity() * 5
    }

    fn key(&self, row: u32) -> &[u64] {
        key_of(&self.keys, &self.ends, row)
    }
}

#[inline]
fn key_of<'a>(keys: &'a [u64], ends: &[usize], row: u32) -> &'a [u64] {
    let start = (row as usize).checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    let end = ends.get(row as usize).copied().unwrap_or(start);
    keys.get(start..end).unwrap_or_default()
}

/// Caches a result for each shape and the context `W` (dictionary and kind of line) in which it was last used. In another context
/// the shape may be another op.
pub(super) struct OfShapes<W, T>(Vec<Option<(W, T)>>);

impl<W: Copy + PartialEq, T: Copy> OfShapes<W, T> {
    /// An empty cache.
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// The result for `shape` in the context `place`: computed by `find` if it is not in the cache.
    #[inline]
    pub(super) fn get(&mut self, place: W, shape: u32, find: impl FnOnce() -> T) -> T {
        match self.0.get(shape as usize) {
            Some(&Some((other, value))) if other == place => value,
            _ => self.set(place, shape, find()),
        }
    }

    fn set(&mut self, place: W, shape: u32, value: T) -> T {
        if self.0.len() <= shape as usize {
            self.0.resize(shape as usize + 1, None);
        }
        self.0[shape as usize] = Some((place, value));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_dictionary_gives_another_meaning() {
        let mut meanings = OfShapes::new();
        let asked = [(0, 5, 'a'), (0, 5, 'b'), (1, 5, 'c'), (0, 5, 'd'), (0, 2, 'e'), (0, 5, 'f')];
        let known = asked.map(|(dictionary, shape, new)| meanings.get(dictionary, shape, || new));
        assert_eq!(known, ['a', 'a', 'c', 'd', 'e', 'd']);
    }

    #[test]
    fn events_that_differ_in_numbers_alone_are_alike() {
        let (mut key, mut shapes, mut numbers) = (Key::default(), Shapes::default(), Vec::new());
        let mut shape = |metadata: u64, stats: &[&[u8]]| {
            key.begin();
            key.set_metadata(metadata);
            stats.iter().for_each(|stat| key.push_stat(Message::of(stat), &mut numbers).unwrap());
            shapes.intern(&key)
        };
        // Stat 9: the numbers 5 and 6, the name of stat 4, the text `ab`, a fraction.
        let (five, six) = (&[0x08, 9, 0x18, 5][..], &[0x18, 6, 0x08, 9][..]);
        let (name, text) = (&[0x08, 9, 0x38, 4][..], &[0x08, 9, 0x2a, 2, b'a', b'b'][..]);
        let fraction = &[0x08, 9, 0x11, 0, 0, 0, 0, 0, 0, 0, 0][..];
        let first = shape(7, &[five, name, text]);
        assert_eq!(shape(7, &[six, name, text]), first);
        let others = [shape(8, &[five, name, text]), shape(7, &[name, five, text]), shape(7, &[])];
        assert_eq!(others, [1, 2, 3]);
        assert_eq!(shape(7, &[fraction]), 4);
        assert_eq!(numbers, [5, 6, 5, 5]);
        assert_eq!((shapes.metadata(first), shapes.metadata(1), shapes.len()), (7, 8, 5));
        assert_eq!(shapes.stats(4).next().map(|stat| stat.value), Some(StatValue::Fraction(0)));
        let values =
            [StatValue::Number { is_signed: false }, StatValue::Ref(4), StatValue::Text(b"ab".to_vec())];
        let stats: Vec<_> = shapes.stats(first).collect();
        assert_eq!(stats, values.map(|value| Stat { id: 9, value }));
        assert_eq!(shapes.stats(3).count(), 0);
        assert!(key.push_stat(Message::of(&[0x08]), &mut Vec::new()).is_err());
    }
}
