//! Shapes: what an event is apart from its times and numbers. A million kernels have some hundreds of them.

use crate::fields::xstat;
use crate::wire::{Damaged, Message, Value};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// A stat of an event, without its value if that is a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    /// Which of the plane's stats it is.
    pub(super) id: u64,
    pub(super) value: StatValue,
}

/// What a stat is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StatValue {
    Number,
    /// The name of another stat of the plane.
    Ref(u64),
    Text(Vec<u8>),
}

/// The shape of the event in progress, put together stat by stat in words of eight bytes, which compare and hash quickly in
/// wasm. Its memory is used again for the next one.
///
/// The plane; the event's metadata; then for each stat its kind, its id and, but for numbers, its value. A text is its length
/// and its bytes, in whole words.
#[derive(Default)]
pub(super) struct Key(Vec<u64>);

const METADATA: usize = 1;
/// How many words come before the stats.
const HEAD: usize = 2;

const NUMBER: u64 = 0;
const REF: u64 = 1;
const TEXT: u64 = 2;

impl Key {
    /// Starts the shape of an event in `plane`.
    #[inline]
    pub(super) fn begin(&mut self, plane: u32) {
        self.0.clear();
        self.0.extend([u64::from(plane), 0]);
    }

    /// Says which of the plane's metadata names the event.
    #[inline]
    pub(super) fn set_metadata(&mut self, id: u64) {
        self.0.get_mut(METADATA).into_iter().for_each(|place| *place = id);
    }

    /// Adds an `XStat`; its value goes to `numbers` if it is a whole number. Fractions and bytes are of no use here.
    #[inline]
    pub(super) fn push_stat(&mut self, message: Message<'_>, numbers: &mut Vec<u64>) -> Result<(), Damaged> {
        if let Some((id, field, number)) = message.two_numbers() {
            match field {
                xstat::UINT64_VALUE | xstat::INT64_VALUE => {
                    numbers.push(number);
                    self.0.extend([NUMBER, id]);
                    return Ok(());
                }
                xstat::REF_VALUE => {
                    self.0.extend([REF, id, number]);
                    return Ok(());
                }
                _ => {}
            }
        }
        self.push_any_stat(message, numbers)
    }

    /// The same for a stat of any form.
    fn push_any_stat(&mut self, message: Message<'_>, numbers: &mut Vec<u64>) -> Result<(), Damaged> {
        let (mut id, mut kind, mut number, mut text) = (0, None, 0, &[][..]);
        let mut fields = message.fields();
        while let Some((field, value)) = fields.next()? {
            match value {
                Value::Varint(value) => match field {
                    xstat::METADATA_ID => id = value,
                    xstat::UINT64_VALUE | xstat::INT64_VALUE => (kind, number) = (Some(NUMBER), value),
                    xstat::REF_VALUE => (kind, number) = (Some(REF), value),
                    _ => {}
                },
                Value::Bytes(value) if field == xstat::STR_VALUE => (kind, text) = (Some(TEXT), value),
                _ => {}
            }
        }
        match kind {
            Some(NUMBER) => {
                numbers.push(number);
                self.0.extend([NUMBER, id]);
            }
            Some(REF) => self.0.extend([REF, id, number]),
            Some(_) => {
                self.0.extend([TEXT, id, text.len() as u64]);
                let (words, rest) = text.as_chunks::<8>();
                self.0.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
                if !rest.is_empty() {
                    let mut last = [0; 8];
                    last.iter_mut().zip(rest).for_each(|(to, &from)| *to = from);
                    self.0.push(u64::from_le_bytes(last));
                }
            }
            None => {}
        }
        Ok(())
    }
}

/// Whether two keys are equal: in wasm `==` goes byte by byte.
#[inline]
fn equal(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// How many shapes are remembered by the metadata of their events: most events are alike with the one of their name before.
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
    /// The row of the shape of `key`.
    #[inline]
    pub(super) fn intern(&mut self, key: &Key) -> u32 {
        let metadata = key.0.get(METADATA).copied().unwrap_or(0);
        let place = (metadata % REMEMBERED as u64) as usize;
        let newest = self.newest[place];
        if equal(self.key(newest), &key.0) {
            return newest;
        }
        let row = self.find_or_insert(key);
        self.newest[place] = row;
        row
    }

    fn find_or_insert(&mut self, key: &Key) -> u32 {
        let hash = self.hasher.hash_one(key.0.as_slice());
        if let Some(&row) = self.ids.find(hash, |&row| equal(self.key(row), &key.0)) {
            return row;
        }
        let row = self.ends.len() as u32;
        self.keys.extend_from_slice(&key.0);
        self.ends.push(self.keys.len());
        let (keys, ends, hasher) = (&self.keys, &self.ends, &self.hasher);
        self.ids.insert_unique(hash, row, |&other| hasher.hash_one(key_of(keys, ends, other)));
        row
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Which metadata of its plane names the events of this shape.
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
                _ => StatValue::Number,
            };
            Some(Stat { id, value })
        })
    }

    /// Memory it holds, in bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_differ_in_numbers_alone_are_alike() {
        let (mut key, mut shapes, mut numbers) = (Key::default(), Shapes::default(), Vec::new());
        let mut shape = |metadata: u64, stats: &[&[u8]]| {
            key.begin(3);
            key.set_metadata(metadata);
            stats.iter().for_each(|stat| key.push_stat(Message::of(stat), &mut numbers).unwrap());
            shapes.intern(&key)
        };
        // Stat 9: the numbers 5 and 6, the name of stat 4, the text `ab`, a fraction.
        let (five, six) = (&[0x08, 9, 0x18, 5][..], &[0x20, 6, 0x08, 9][..]);
        let (name, text) = (&[0x08, 9, 0x38, 4][..], &[0x08, 9, 0x2a, 2, b'a', b'b'][..]);
        let fraction = &[0x08, 9, 0x11, 0, 0, 0, 0, 0, 0, 0, 0][..];
        let first = shape(7, &[five, name, text]);
        assert_eq!(shape(7, &[six, name, text]), first);
        assert_eq!(shape(7, &[six, name, fraction, text]), first);
        let others = [shape(8, &[five, name, text]), shape(7, &[name, five, text]), shape(7, &[])];
        assert_eq!((others, numbers), ([1, 2, 3], vec![5, 6, 6, 5, 5]));
        assert_eq!((shapes.metadata(first), shapes.metadata(1), shapes.len()), (7, 8, 4));
        let values = [StatValue::Number, StatValue::Ref(4), StatValue::Text(b"ab".to_vec())];
        let stats: Vec<_> = shapes.stats(first).collect();
        assert_eq!(stats, values.map(|value| Stat { id: 9, value }));
        assert_eq!(shapes.stats(3).count(), 0);
        assert!(key.push_stat(Message::of(&[0x08]), &mut Vec::new()).is_err());
    }
}
