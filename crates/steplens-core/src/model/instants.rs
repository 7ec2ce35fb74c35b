//! Instants: moments that a file recorded with a name, without a length.

use crate::base::ids::{InstantId, StringId};
use crate::base::order;
use crate::base::units::{Nanos, Timestamp};
use crate::model::owner::{Owner, OwnerOrder};
use std::ops::Range;

/// What an instant is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// All of the trace.
    Global,
    /// Its process.
    Process,
    /// One thread of its process.
    Thread(u32),
}

/// One instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    /// Who recorded it.
    pub owner: Owner,
    /// What it is about.
    pub scope: Scope,
    /// Its name.
    pub name: StringId,
    /// When it was.
    pub at: Timestamp,
    /// Its arguments as one object in JSON, if it has any.
    pub arguments: Option<StringId>,
}

/// All instants of a trace: in order of scope and owner, then of time. Those at one time keep the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Instants {
    all: Vec<Instant>,
    /// For each row of the picture the first instant; the next row's is the end.
    first_of_row: Vec<u32>,
    /// The file of each, until the clocks of files are set.
    files: Vec<u32>,
}

impl Instants {
    /// The instants of `all`, each with the number of its file.
    pub fn new(all: Vec<(Instant, u32)>) -> Self {
        let mut owners = OwnerOrder::default();
        // Global ones first, then by owner, those of the process before those of its threads.
        let mut place = |own: &Instant| match own.scope {
            Scope::Global => (-1, 0),
            Scope::Process => (owners.of(own.owner), -1),
            Scope::Thread(thread) => (owners.of(own.owner), i64::from(thread)),
        };
        let mut all: Vec<_> = all.into_iter().map(|(own, file)| (place(&own), own, file)).collect();
        order::by_number(&mut all, |(_, own, _)| (own.at.0, 0));
        order::by_number(&mut all, |(place, ..)| place);
        let has_files = all.iter().any(|&(.., file)| file != all[0].2);
        let files = if has_files { all.iter().map(|&(.., file)| file).collect() } else { Vec::new() };
        let mut end = 0;
        let rows = all.chunk_by(|a, b| a.0 == b.0);
        let first_of_row = rows.map(|row| (end, end += row.len() as u32).0).collect();
        Self { all: all.into_iter().map(|(_, own, _)| own).collect(), first_of_row, files }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = InstantId> + use<> {
        (0..self.all.len()).map(InstantId::from_usize)
    }

    /// One instant; `None` if there is no such one.
    pub fn get(&self, instant: InstantId) -> Option<&Instant> {
        self.all.get(instant.index())
    }

    /// All of them, in order.
    pub fn all(&self) -> &[Instant] {
        &self.all
    }

    /// For each row of a picture (all global ones, those of a process, those of a thread) its instants, in order of time.
    pub fn rows(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = self.first_of_row.iter().skip(1).map(|&end| end as usize).chain([self.all.len()]);
        self.first_of_row.iter().zip(ends).map(|(&first, end)| first as usize..end)
    }

    /// The instants with other texts.
    pub(crate) fn with_texts(&self, mut change: impl FnMut(Instant) -> Instant) -> Self {
        let mut instants = self.clone();
        instants.all.iter_mut().for_each(|own| *own = change(*own));
        instants
    }

    /// The instants at other times, with other owners: `place` says both, of an owner and the file, if that still counts.
    pub(crate) fn placed(&self, place: impl Fn(Owner, Option<u32>) -> (Owner, Nanos)) -> Self {
        let placed = self.all.iter().enumerate().map(|(row, own)| {
            let (owner, later) = place(own.owner, self.files.get(row).copied());
            (Instant { owner, at: Timestamp(own.at.0.saturating_add(later.0)), ..*own }, 0)
        });
        Self::new(placed.collect())
    }

    /// The instants from `start` until before `end`.
    pub(crate) fn within(&self, start: Timestamp, end: Timestamp) -> Self {
        let kept = self.all.iter().filter(|own| (start..end).contains(&own.at));
        Self::new(kept.map(|&own| (own, 0)).collect())
    }

    /// Forgets which file each is from.
    pub(crate) fn joined(mut self) -> Self {
        self.files = Vec::new();
        self
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.all.capacity() * size_of::<Instant>()
            + (self.first_of_row.capacity() + self.files.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::DeviceId;

    #[test]
    fn rows_are_of_all_then_of_processes_and_their_threads() {
        let device = |device| Owner::Device(DeviceId::new(device));
        let own = |owner, scope, at, name| {
            let name = StringId::new(name);
            (Instant { owner, scope, name, at: Timestamp(at), arguments: None }, 0)
        };
        let instants = Instants::new(vec![
            own(device(1), Scope::Thread(7), 5, 0),
            own(device(0), Scope::Thread(7), 9, 1),
            own(device(0), Scope::Process, 3, 2),
            own(device(1), Scope::Global, 4, 3),
            own(device(0), Scope::Global, 2, 4),
            own(device(0), Scope::Thread(7), 9, 5),
            own(device(0), Scope::Thread(7), 8, 6),
        ]);
        let names =
            |row: Range<usize>| instants.all()[row].iter().map(|own| own.name.get()).collect::<Vec<_>>();
        let rows: Vec<_> = instants.rows().map(names).collect();
        assert_eq!(rows, [vec![4, 3], vec![2], vec![6, 1, 5], vec![0]]);
        assert_eq!(instants.within(Timestamp(4), Timestamp(9)).len(), 3);
    }
}
