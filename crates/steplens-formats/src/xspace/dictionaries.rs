//! The meaning of ids: the names of events and of stats. Every plane has its own, but most planes of a program have the same.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::ops::Range;
use steplens_core::StringId;
use steplens_core::base::order;

/// The name of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EventMetadata {
    pub(super) id: i64,
    pub(super) name: StringId,
    pub(super) display_name: StringId,
    /// The shape of the stats that all of its events have.
    pub(super) stats: u32,
}

/// The name of stats, or a text that stats refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StatMetadata {
    pub(super) id: i64,
    pub(super) name: StringId,
}

/// The names of one plane, or of several planes with the same names.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    /// The number of the dictionary.
    pub(super) number: u32,
    /// Its rows in `events` and in `stats`, in the order of the file.
    events: Range<usize>,
    stats: Range<usize>,
    /// The same rows sorted by id: first those of events.
    by_id: Range<usize>,
}

/// Every distinct dictionary, and the one that is being read.
#[derive(Default)]
pub(super) struct Dictionaries {
    events: Vec<EventMetadata>,
    stats: Vec<StatMetadata>,
    by_id: Vec<u32>,
    all: Vec<Dictionary>,
    numbers: HashTable<u32>,
    hasher: FixedState,
    /// Where the one that is being read begins.
    open: (usize, usize),
}

impl Dictionaries {
    /// Begins another one; removes the one before if it was not kept.
    pub(super) fn begin(&mut self) {
        self.events.truncate(self.open.0);
        self.stats.truncate(self.open.1);
    }

    /// Adds the name of events to the newest dictionary.
    pub(super) fn push_event(&mut self, event: EventMetadata) {
        self.events.push(event);
    }

    /// Adds the name of stats to the newest dictionary.
    pub(super) fn push_stat(&mut self, stat: StatMetadata) {
        self.stats.push(stat);
    }

    /// Ends the newest dictionary and keeps it, or returns an earlier one that is equal, so that results for the earlier one can be
    /// used again.
    pub(super) fn keep(&mut self) -> Dictionary {
        let Self { events, stats, by_id, all, numbers, hasher, open } = self;
        let of =
            |dictionary: &Dictionary| (&events[dictionary.events.clone()], &stats[dictionary.stats.clone()]);
        let mut own = Dictionary {
            number: all.len() as u32,
            events: open.0..events.len(),
            stats: open.1..stats.len(),
            by_id: 0..0,
        };
        let hash = hasher.hash_one(of(&own));
        if let Some(&same) = numbers.find(hash, |&other| of(&all[other as usize]) == of(&own)) {
            return all[same as usize].clone();
        }
        let start = by_id.len();
        by_id.extend((own.events.start..own.events.end).map(|row| row as u32));
        // Of two entries with the same id the last one counts, as in any map.
        order::by_number(&mut by_id[start..], |row| (events[row as usize].id, i64::from(row)));
        let middle = by_id.len();
        by_id.extend((own.stats.start..own.stats.end).map(|row| row as u32));
        order::by_number(&mut by_id[middle..], |row| (stats[row as usize].id, i64::from(row)));
        own.by_id = start..by_id.len();
        all.push(own.clone());
        numbers.insert_unique(hash, own.number, |&other| hasher.hash_one(of(&all[other as usize])));
        self.open = (self.events.len(), self.stats.len());
        own
    }

    /// The name of events with this id.
    pub(super) fn event(&self, dictionary: &Dictionary, id: i64) -> Option<&EventMetadata> {
        let (rows, _) = self.rows_of(dictionary)?;
        let before = rows.partition_point(|&row| self.events[row as usize].id <= id);
        let event = &self.events[*rows.get(before.checked_sub(1)?)? as usize];
        (event.id == id).then_some(event)
    }

    /// The name of stats with this id.
    pub(super) fn stat(&self, dictionary: &Dictionary, id: i64) -> Option<StringId> {
        let (_, rows) = self.rows_of(dictionary)?;
        let before = rows.partition_point(|&row| self.stats[row as usize].id <= id);
        let stat = &self.stats[*rows.get(before.checked_sub(1)?)? as usize];
        (stat.id == id).then_some(stat.name)
    }

    /// The name of stats with this id in the newest dictionary, which is not kept yet.
    pub(super) fn newest_stat(&self, id: i64) -> Option<StringId> {
        let newest = self.stats.get(self.open.1..).unwrap_or_default();
        newest.iter().rev().find(|stat| stat.id == id).map(|stat| stat.name)
    }

    /// Whether any stat has one of these names.
    pub(super) fn has_stat(&self, dictionary: &Dictionary, names: &[StringId]) -> bool {
        let stats = self.stats.get(dictionary.stats.clone()).unwrap_or_default();
        stats.iter().any(|stat| names.contains(&stat.name))
    }

    fn rows_of(&self, dictionary: &Dictionary) -> Option<(&[u32], &[u32])> {
        self.by_id.get(dictionary.by_id.clone())?.split_at_checked(dictionary.events.len())
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.events.capacity() * size_of::<EventMetadata>()
            + self.stats.capacity() * size_of::<StatMetadata>()
            + self.by_id.capacity() * size_of::<u32>()
            + self.all.capacity() * size_of::<Dictionary>()
            + self.numbers.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_dictionaries_are_one() {
        let mut dictionaries = Dictionaries::default();
        let mut keep = |stats: &[(i64, u32)], kept: bool| {
            dictionaries.begin();
            for &(id, name) in stats {
                dictionaries.push_stat(StatMetadata { id, name: StringId::new(name) });
            }
            assert_eq!(
                dictionaries.newest_stat(7).map(StringId::get),
                stats.iter().rev().find(|s| s.0 == 7).map(|s| s.1)
            );
            kept.then(|| dictionaries.keep())
        };
        let first = keep(&[(7, 1), (3, 2), (7, 3)], true).unwrap();
        keep(&[(9, 9)], false);
        let same = keep(&[(7, 1), (3, 2), (7, 3)], true).unwrap();
        let other = keep(&[(3, 2), (7, 3), (7, 1)], true).unwrap();
        assert_eq!([first.number, same.number, other.number], [0, 0, 1]);
        let stat = |dictionary, id| dictionaries.stat(dictionary, id).map(StringId::get);
        assert_eq!([3, 7, 9].map(|id| stat(&same, id)), [Some(2), Some(3), None]);
        assert_eq!(stat(&other, 7), Some(1));
        assert_eq!((dictionaries.stats.len(), dictionaries.has_stat(&first, &[StringId::new(2)])), (6, true));
    }
}
