//! Shapes: what an event is apart from its times and numbers. A million kernels have some hundreds of them.

use crate::wire::{Damaged, Fields, Value};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// A stat of an event, without its value if that is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat<'a> {
    /// Which of the plane's stats it is.
    pub(super) id: u64,
    pub(super) value: StatValue<'a>,
}

/// What a stat is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatValue<'a> {
    Number,
    /// The name of another stat of the plane.
    Ref(u64),
    Text(&'a [u8]),
}

/// The shape of the event in progress, put together stat by stat. Its memory is used again for the next one.
#[derive(Default)]
pub(super) struct Key(Vec<u8>);

const NUMBER: u8 = 0;
const REF: u8 = 1;
const TEXT: u8 = 2;

impl Key {
    /// Starts the shape of an event in `plane`.
    #[inline]
    pub(super) fn begin(&mut self, plane: u32) {
        self.0.clear();
        self.0.extend_from_slice(&plane.to_le_bytes());
        self.0.extend_from_slice(&[0; 8]);
    }

    /// Says which of the plane's metadata names the event.
    #[inline]
    pub(super) fn set_metadata(&mut self, id: u64) {
        if let Some(place) = self.0.get_mut(4..12) {
            place.copy_from_slice(&id.to_le_bytes());
        }
    }

    /// Adds an `XStat`; its value goes to `numbers` if it is a whole number. Fractions and bytes are of no use here.
    #[inline]
    pub(super) fn push_stat(&mut self, message: &[u8], numbers: &mut Vec<u64>) -> Result<(), Damaged> {
        enum Found<'a> {
            None,
            Number(u64),
            Ref(u64),
            Text(&'a [u8]),
        }
        let (mut id, mut found) = (0, Found::None);
        let mut fields = Fields::of(message);
        while let Some((field, value)) = fields.next()? {
            match (field, value) {
                (1, Value::Varint(value)) => id = value,
                (3 | 4, Value::Varint(value)) => found = Found::Number(value),
                (5, Value::Bytes(text)) => found = Found::Text(text),
                (7, Value::Varint(value)) => found = Found::Ref(value),
                _ => {}
            }
        }
        let kind = match found {
            Found::None => return Ok(()),
            Found::Number(_) => NUMBER,
            Found::Ref(_) => REF,
            Found::Text(_) => TEXT,
        };
        self.0.push(kind);
        self.0.extend_from_slice(&id.to_le_bytes());
        match found {
            Found::Number(value) => numbers.push(value),
            Found::Ref(value) => self.0.extend_from_slice(&value.to_le_bytes()),
            Found::Text(text) => {
                self.0.extend_from_slice(&(text.len() as u64).to_le_bytes());
                self.0.extend_from_slice(text);
            }
            Found::None => {}
        }
        Ok(())
    }
}

/// Every distinct shape, once.
#[derive(Default)]
pub(super) struct Shapes {
    keys: Vec<u8>,
    ends: Vec<usize>,
    ids: HashTable<u32>,
    hasher: FixedState,
}

impl Shapes {
    /// The row of the shape of `key`.
    #[inline]
    pub(super) fn intern(&mut self, key: &Key) -> u32 {
        let hash = self.hasher.hash_one(key.0.as_slice());
        if let Some(&row) = self.ids.find(hash, |&row| self.key(row) == key.0) {
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
        self.key(row).get(4..).and_then(<[u8]>::first_chunk).map_or(0, |id| u64::from_le_bytes(*id))
    }

    /// The stats, in order.
    pub(super) fn stats(&self, row: u32) -> impl Iterator<Item = Stat<'_>> {
        let mut rest = self.key(row).get(12..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (&kind, after) = rest.split_first()?;
            rest = after;
            let id = take_number(&mut rest)?;
            let value = match kind {
                REF => StatValue::Ref(take_number(&mut rest)?),
                TEXT => {
                    let length = usize::try_from(take_number(&mut rest)?).ok()?;
                    StatValue::Text(rest.split_off(..length)?)
                }
                _ => StatValue::Number,
            };
            Some(Stat { id, value })
        })
    }

    /// Memory it holds, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.keys.capacity() + self.ends.capacity() * size_of::<usize>() + self.ids.capacity() * 5
    }

    fn key(&self, row: u32) -> &[u8] {
        key_of(&self.keys, &self.ends, row)
    }
}

fn key_of<'a>(keys: &'a [u8], ends: &[usize], row: u32) -> &'a [u8] {
    let start = (row as usize).checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    let end = ends.get(row as usize).copied().unwrap_or(start);
    keys.get(start..end).unwrap_or_default()
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u64::from_le_bytes(*number))
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
            stats.iter().for_each(|stat| key.push_stat(stat, &mut numbers).unwrap());
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
        let values = [StatValue::Number, StatValue::Ref(4), StatValue::Text(b"ab")];
        let stats: Vec<_> = shapes.stats(first).collect();
        assert_eq!(stats, values.map(|value| Stat { id: 9, value }));
        assert_eq!(shapes.stats(3).count(), 0);
        assert!(key.push_stat(&[0x08], &mut Vec::new()).is_err());
    }
}
