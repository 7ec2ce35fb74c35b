//! Allocators: what each op's allocators reported, and every allocation and free they recorded.

use crate::column::Column;
use crate::output::{permute_ranges, range};
use crate::strings::StringTable;
use crate::units::{Bytes, Nanos};
use crate::{OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What one allocator reported for one op: `AllocatorMemoryUsed` without its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllocatorUse {
    /// The allocator.
    pub allocator: StringId,
    /// Everything the op allocated.
    pub total: Bytes,
    /// The most it held at once.
    pub peak: Bytes,
    /// What it still held at its end.
    pub live: Bytes,
}

/// One allocation or free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationRecord {
    /// When, from the op's start.
    pub after_start: Nanos,
    /// How much: positive for an allocation, negative for a free.
    pub bytes: i64,
}

/// The reports of all ops, by op.
#[derive(Default)]
pub struct MemoryTable {
    /// Reports of op `i`: rows `first[i] .. first[i + 1]`.
    first: Vec<u32>,
    use_id: Vec<u32>,
    /// Records of report `i`: rows `first_record[i] .. first_record[i + 1]`.
    first_record: Vec<u32>,
    record_at: Column,
    record_bytes: Column,
    uses: Vec<AllocatorUse>,
    use_ids: HashMap<AllocatorUse, u32, FixedState>,
}

impl MemoryTable {
    /// The reports that follow belong to the next op.
    pub(crate) fn next_op(&mut self) {
        self.first.push(self.use_id.len() as u32);
    }

    /// Adds a report to the op in progress.
    pub(crate) fn push(
        &mut self,
        strings: &mut StringTable,
        allocator: &[u8],
        total: i64,
        peak: i64,
        live: i64,
    ) {
        let bytes = |value: i64| Bytes(value.max(0) as u64);
        let used = AllocatorUse {
            allocator: strings.intern(allocator),
            total: bytes(total),
            peak: bytes(peak),
            live: bytes(live),
        };
        let next = self.uses.len() as u32;
        let id = *self.use_ids.entry(used).or_insert(next);
        if id == next {
            self.uses.push(used);
        }
        self.use_id.push(id);
        self.first_record.push(self.record_at.len() as u32);
    }

    /// Adds a record to the report in progress.
    pub(crate) fn push_record(&mut self, after_start: i64, bytes: i64) {
        self.record_at.push(after_start);
        self.record_bytes.push(bytes);
    }

    /// The table for ops in the order of `rows`.
    pub(crate) fn permuted(mut self, rows: &[u32]) -> Self {
        self.next_op();
        self.first_record.push(self.record_at.len() as u32);
        let (first, reports) = permute_ranges(&self.first, rows);
        let (first_record, records) = permute_ranges(&self.first_record, &reports);
        self.use_id = reports.iter().map(|&row| self.use_id[row as usize]).collect();
        self.record_at = self.record_at.permuted(&records);
        self.record_bytes = self.record_bytes.permuted(&records);
        (self.first, self.first_record) = (first, first_record);
        self
    }

    /// The reports of `op`, each with its records.
    pub fn of(
        &self,
        op: OpId,
    ) -> impl Iterator<Item = (AllocatorUse, impl Iterator<Item = AllocationRecord> + '_)> {
        range(&self.first, op.index()).map(|row| {
            let records = range(&self.first_record, row).map(|record| AllocationRecord {
                after_start: Nanos(self.record_at.get(record)),
                bytes: self.record_bytes.get(record),
            });
            (self.uses[self.use_id[row] as usize], records)
        })
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.first.capacity() + self.use_id.capacity() + self.first_record.capacity()) * 4
            + self.record_at.heap_bytes()
            + self.record_bytes.heap_bytes()
            + self.uses.capacity() * size_of::<AllocatorUse>()
            + self.use_ids.capacity() * (size_of::<AllocatorUse>() + 5)
    }
}
