//! Every string of a trace, once: names, labels, op types, devices.

use crate::StringId;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// An append-only set of strings in one allocation.
///
/// The seed is fixed so that the same file gives the same ids everywhere. Nothing that users see depends on the order of the hash
/// table.
#[derive(Default)]
pub struct StringTable {
    text: String,
    /// `ends[i]` is where string `i` ends and string `i + 1` starts.
    ends: Vec<u32>,
    ids: HashTable<StringId>,
    hasher: FixedState,
}

/// The two strings that were looked up last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recent([Option<StringId>; 2]);

impl StringTable {
    /// The id of `bytes`, read as UTF-8; bytes that are not UTF-8 become U+FFFD.
    pub fn intern(&mut self, bytes: &[u8]) -> StringId {
        let hash = self.hasher.hash_one(bytes);
        if let Some(id) = self.ids.find(hash, |&id| equal(self.bytes(id), bytes)) {
            return *id;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => self.insert(hash, text),
            Err(_) => {
                let text = String::from_utf8_lossy(bytes);
                let hash = self.hasher.hash_one(text.as_bytes());
                match self.ids.find(hash, |&id| self.get(id) == text) {
                    Some(id) => *id,
                    None => self.insert(hash, &text),
                }
            }
        }
    }

    /// Like `intern`, but tries first the string after `before`: names that repeat come in the order in which they came first.
    #[inline]
    pub fn intern_after(&mut self, before: StringId, bytes: &[u8]) -> StringId {
        let next = before.index() + 1;
        if next < self.ends.len() && equal(self.bytes(StringId::from_usize(next)), bytes) {
            return StringId::from_usize(next);
        }
        self.intern(bytes)
    }

    /// Like `intern`, but tries first the two strings in `recent`, which were looked up last.
    #[inline]
    pub(crate) fn intern_again(&mut self, bytes: &[u8], recent: &mut Recent) -> StringId {
        for id in recent.0.into_iter().flatten() {
            if equal(self.bytes(id), bytes) {
                return id;
            }
        }
        let id = self.intern(bytes);
        recent.0 = [Some(id), recent.0[0]];
        id
    }

    /// The id of `text`, if the table has it.
    pub fn find(&self, text: &str) -> Option<StringId> {
        self.ids.find(self.hasher.hash_one(text.as_bytes()), |&id| self.get(id) == text).copied()
    }

    /// The string of `id`; empty for an id of another table.
    #[inline]
    pub fn get(&self, id: StringId) -> &str {
        let start = id.index().checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(id.index()).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The bytes of the string of `id`.
    #[inline]
    pub(crate) fn bytes(&self, id: StringId) -> &[u8] {
        let start = id.index().checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(id.index()).copied().unwrap_or(start);
        self.text.as_bytes().get(start as usize..end as usize).unwrap_or_default()
    }

    /// How many strings there are; their ids are `0..len`.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// All strings, by id.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|id| self.get(StringId::from_usize(id)))
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds the strings of `other` in their order; for each of them its id here.
    pub(crate) fn append(&mut self, other: &Self) -> Vec<StringId> {
        (0..other.len()).map(|id| self.intern(other.bytes(StringId::from_usize(id)))).collect()
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>() + self.ids.allocation_size()
    }

    /// Frees unused capacity, because nothing will be added.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    fn insert(&mut self, hash: u64, text: &str) -> StringId {
        // Offsets are u32: after 4 GiB of distinct text, every new string is stored as the empty string.
        let text = if self.text.len() + text.len() > u32::MAX as usize { "" } else { text };
        let id = StringId::from_usize(self.ends.len());
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let (table, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.ids.insert_unique(hash, id, |&other| {
            let start = other.index().checked_sub(1).map_or(0, |before| ends[before]);
            hasher.hash_one(&table.as_bytes()[start as usize..ends[other.index()] as usize])
        });
        id
    }
}

/// Whether two byte strings are equal. Compares eight bytes at a time, because in wasm `==` on slices compares byte by byte.
#[inline]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let half = |bytes: Option<&[u8; 4]>| bytes.map(|bytes| u32::from_le_bytes(*bytes));
    if a.len() != b.len() {
        return false;
    }
    // Compare the last eight bytes (or four) separately: they contain the remainder.
    if let (Some(a_end), Some(b_end)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        let ((a_words, _), (b_words, _)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
        return word(a_end) == word(b_end) && a_words.iter().zip(b_words).all(|(a, b)| word(a) == word(b));
    }
    match (half(a.first_chunk()), half(b.first_chunk())) {
        (Some(a_start), Some(b_start)) => a_start == b_start && half(a.last_chunk()) == half(b.last_chunk()),
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_repeat_have_the_ids_they_had() {
        let mut table = StringTable::default();
        let names: [&[u8]; 5] = [b"a", b"", b"bc", b"\xff", b"bc"];
        let ids = names.map(|name| table.intern(name));
        let mut newest = ids[4];
        let again = names.map(|name| {
            newest = table.intern_after(newest, name);
            newest
        });
        assert_eq!((again, table.len()), (ids, 4));
        assert_eq!(table.intern_after(ids[3], b"").index(), 1);
    }

    #[test]
    fn equal_compares_every_byte() {
        let text = b"twenty bytes of text";
        for length in 0..=text.len() {
            for place in 0..length {
                let mut other = text[..length].to_vec();
                assert!(equal(&text[..length], &other));
                other[place] ^= 1;
                assert!(!equal(&text[..length], &other), "{length} {place}");
            }
            assert!(!equal(&text[..length], &[0; 21]));
        }
    }

    #[test]
    fn a_string_has_one_id() {
        let mut strings = StringTable::default();
        let empty = strings.intern(b"");
        let a = strings.intern("conv/é".as_bytes());
        let broken = strings.intern(b"a\xffb");
        assert_eq!(strings.intern("conv/é".as_bytes()), a);
        assert_eq!(strings.intern(b"a\xffb"), broken);
        assert_eq!((strings.get(empty), strings.get(a), strings.get(broken)), ("", "conv/é", "a\u{fffd}b"));
        assert_eq!(strings.find("conv/é"), Some(a));
        assert_eq!(strings.find("conv"), None);
        for i in 0..1000 {
            strings.intern(format!("n{i}").as_bytes());
        }
        assert_eq!(strings.len(), 1003);
        assert_eq!(strings.get(strings.find("n999").unwrap()), "n999");
    }
}
