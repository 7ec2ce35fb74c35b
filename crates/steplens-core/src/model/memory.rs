//! Allocators: what the allocators of each op reported, and every allocation and free that they recorded.

use crate::base::order;
use crate::base::units::{Bytes, Nanos};
use crate::model::device::Device;
use crate::model::op::OpTable;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::ranges::{Ranges, RangesBuilder};
use crate::storage::remembered::Remembered;
use crate::storage::shared::shared_bytes;
use crate::storage::strings::{Recent, StringTable};
use crate::{OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::sync::Arc;

/// The suffix of the name of an allocator whose events have no addresses: the sums of its bytes are known, but not which allocation
/// was freed. It is a part of the name so that every list, table and file with the account shows it.
pub const NO_ADDRESSES: &str = " (no addresses)";

/// The report of one allocator for one op: `AllocatorMemoryUsed` without its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllocatorUse {
    /// The allocator.
    pub allocator: StringId,
    /// All bytes that the op allocated.
    pub total: Bytes,
    /// The most bytes that it held at once.
    pub peak: Bytes,
    /// The bytes that it still held at its end.
    pub live: Bytes,
}

/// One allocation or free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationRecord {
    /// The time, from the op's start.
    pub after_start: Nanos,
    /// The bytes: positive for an allocation, negative for a free.
    pub bytes: i64,
}

/// The reports of all ops, by op.
#[derive(Default)]
pub struct MemoryTable {
    /// The reports of each op.
    reports: Arc<Ranges>,
    use_id: Arc<Column>,
    in_use: Arc<Sampled>,
    /// The records of each report.
    records: Arc<Ranges>,
    record_at: Arc<Column>,
    record_bytes: Arc<Column>,
    uses: Vec<AllocatorUse>,
}

/// The columns of a [`MemoryTable`], from a reader that has the ops in order.
#[derive(Default)]
pub struct WholeMemory {
    /// The reports of each op.
    pub of_op: Ranges,
    /// For each report the row of its values, as the builder returned it.
    pub used: Column,
    /// (report, bytes in use by its allocator), ascending, where that was recorded.
    pub in_use: Vec<(u32, u64)>,
    /// The records of each report.
    pub of_report: Ranges,
    /// The time of each record, from the op's start.
    pub at: Column,
    /// The bytes of each record: positive for an allocation, negative for a free.
    pub bytes: Column,
}

impl MemoryTable {
    /// The table from columns that are in order already. Their `used` rows must be rows of `builder`.
    pub(crate) fn of_whole(builder: MemoryTableBuilder, whole: WholeMemory) -> Self {
        let WholeMemory { of_op, used, in_use, of_report, at, bytes } = whole;
        Self {
            reports: Arc::new(of_op),
            use_id: Arc::new(used),
            in_use: Arc::new(Sampled::of(in_use)),
            records: Arc::new(of_report),
            record_at: Arc::new(at),
            record_bytes: Arc::new(bytes),
            uses: builder.uses,
        }
    }

    /// The reports of `op`, each with its records.
    pub fn of(
        &self,
        op: OpId,
    ) -> impl Iterator<Item = (AllocatorUse, impl Iterator<Item = AllocationRecord> + '_)> {
        self.reports.get(op.index()).map(|report| {
            let records = self.records.get(report).map(|record| AllocationRecord {
                after_start: Nanos(self.record_at.get(record)),
                bytes: self.record_bytes.get(record),
            });
            (self.uses[self.use_id.get(report) as usize], records)
        })
    }

    /// The reports of `op`. Some have the bytes that their allocator had in use then, for any op.
    pub fn reports_of(&self, op: OpId) -> impl Iterator<Item = (AllocatorUse, Option<Bytes>)> {
        self.reports
            .get(op.index())
            .map(|report| (self.uses[self.use_id.get(report) as usize], self.in_use.get(report)))
    }

    /// Whether any allocation or free was recorded.
    pub fn has_records(&self) -> bool {
        self.records.total() > 0
    }

    /// The names of the allocators that ops reported, some of them more than once.
    pub(crate) fn allocators(&self) -> impl Iterator<Item = StringId> + '_ {
        self.uses.iter().map(|own| own.allocator)
    }

    /// Whether any op has a report of an allocator.
    pub fn has_reports(&self) -> bool {
        self.reports.total() > 0
    }

    /// The reports of `ops`, in that order. The records of row `i` are moved `earlier(i)` ns towards its start.
    pub(crate) fn picked(
        &self,
        ops: &[OpId],
        earlier: impl Fn(usize) -> i64,
        mut sampling: Sampling<'_>,
    ) -> Self {
        let (reports, old) = RangesBuilder::picked(&self.reports, ops.iter().map(|op| op.index()));
        let (records, old_record) =
            RangesBuilder::picked(&self.records, old.iter().map(|&report| report as usize));
        let column =
            |column: &Column, old: &[u32]| ColumnBuilder::of(old.iter().map(|&row| column.get(row as usize)));
        let (mut record_at, mut in_use) = (ColumnBuilder::default(), Vec::new());
        for row in 0..ops.len() {
            for report in reports.get(row) {
                let old_report = old[report] as usize;
                let allocator = self.uses[self.use_id.get(old_report) as usize].allocator;
                let bytes = sampling.kept(row, allocator, self.in_use.get(old_report).map(|bytes| bytes.0));
                in_use.extend(bytes.map(|bytes| (report as u32, bytes)));
            }
            for record in reports.get(row).flat_map(|report| records.get(report)) {
                let at = self.record_at.get(old_record[record] as usize);
                record_at.push(at.saturating_sub(earlier(row)));
            }
        }
        Self {
            use_id: Arc::new(column(&self.use_id, &old)),
            in_use: Arc::new(Sampled::of(in_use)),
            record_at: Arc::new(record_at.in_order()),
            record_bytes: Arc::new(column(&self.record_bytes, &old_record)),
            uses: self.uses.clone(),
            reports: Arc::new(reports),
            records: Arc::new(records),
        }
    }

    /// The same reports with the names of allocators replaced.
    pub(crate) fn with_texts(&self, mut allocator: impl FnMut(StringId) -> StringId) -> Self {
        let named = |usage: &AllocatorUse| AllocatorUse { allocator: allocator(usage.allocator), ..*usage };
        Self {
            reports: Arc::clone(&self.reports),
            use_id: Arc::clone(&self.use_id),
            in_use: Arc::clone(&self.in_use),
            records: Arc::clone(&self.records),
            record_at: Arc::clone(&self.record_at),
            record_bytes: Arc::clone(&self.record_bytes),
            uses: self.uses.iter().map(named).collect(),
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let columns = [&self.use_id, &self.record_at, &self.record_bytes];
        self.in_use.heap_bytes()
            + self.reports.heap_bytes()
            + self.records.heap_bytes()
            + columns.map(|column| column.heap_bytes()).iter().sum::<usize>()
            + self.uses.capacity() * size_of::<AllocatorUse>()
            + 2 * shared_bytes::<Ranges>()
            + 3 * shared_bytes::<Column>()
            + shared_bytes::<Sampled>()
    }
}

/// The bytes in use of allocators, for the reports that a [`Sampling`] kept.
#[derive(Default)]
struct Sampled {
    /// (report, bytes), in order of reports.
    rows: Vec<(u32, u64)>,
}

impl Sampled {
    fn of(mut rows: Vec<(u32, u64)>) -> Self {
        rows.shrink_to_fit();
        Self { rows }
    }

    fn get(&self, row: usize) -> Option<Bytes> {
        let place = self.rows.binary_search_by_key(&(row as u32), |own| own.0).ok()?;
        Some(Bytes(self.rows[place].1))
    }

    fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<(u32, u64)>()
    }
}

/// Which reports keep the bytes in use by their allocator. The value changes little from op to op, and would take one byte per op.
///
/// For each allocator, on a device and in a part, the first report is kept and then one in [`EVERY`], in the order of the trace. So
/// the choice does not depend on anything else that is opened. If the reports were sampled before, all of them are kept.
pub(crate) struct Sampling<'a> {
    devices: &'a [Device],
    ops: &'a OpTable,
    /// How many devices are finished.
    device: usize,
    /// For the current device: ((part, allocator), number of reports before the next one that is kept), the latest last.
    left: Vec<((u32, StringId), usize)>,
}

/// The least distance, in reports of one allocator, between two that are kept.
const EVERY: usize = 16;
/// How many parts and allocators are tracked at once. Parts follow one another, so a few are enough.
const KNOWN: usize = 64;

impl<'a> Sampling<'a> {
    /// A sampling for the reports of `ops`, in their order.
    pub(crate) fn new(devices: &'a [Device], ops: &'a OpTable) -> Self {
        Self { devices, ops, device: 0, left: Vec::new() }
    }

    /// The value to keep for the next report, whose op is in `row`.
    fn kept(&mut self, row: usize, allocator: StringId, in_use: Option<u64>) -> Option<u64> {
        while self.devices.get(self.device).is_some_and(|device| device.end_op() as usize <= row) {
            self.device += 1;
            self.left.clear();
        }
        let key = (self.ops.part(OpId::from_usize(row)).get(), allocator);
        let place = self.left.iter().rposition(|own| own.0 == key).unwrap_or_else(|| {
            if self.left.len() == KNOWN {
                self.left.remove(0);
            }
            self.left.push((key, 0));
            self.left.len() - 1
        });
        let left = &mut self.left[place].1;
        match in_use.filter(|_| *left == 0) {
            None => {
                *left = left.saturating_sub(1);
                None
            }
            kept => {
                *left = EVERY - 1;
                kept
            }
        }
    }
}

/// An allocation or a free that is added after its op.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateRecord {
    /// The row of the op in the file; later the id of the op.
    pub(crate) row: u32,
    pub(crate) allocator: StringId,
    pub(crate) record: AllocationRecord,
    /// The bytes in use by the allocator at that time, for any op.
    pub(crate) in_use: Option<i64>,
}

/// The reports that a reader has added, in the order of the file.
#[derive(Default)]
pub(crate) struct MemoryTableBuilder {
    reports: RangesBuilder,
    use_id: ColumnBuilder,
    in_use: ColumnBuilder,
    has_in_use: bool,
    records: RangesBuilder,
    record_at: ColumnBuilder,
    record_bytes: ColumnBuilder,
    uses: Vec<AllocatorUse>,
    use_ids: HashMap<AllocatorUse, u32, FixedState>,
    /// Reports that were added lately.
    recent: Remembered,
    allocators: Recent,
}

impl MemoryTableBuilder {
    /// The following reports belong to the next op.
    #[inline]
    pub(crate) fn next_op(&mut self) {
        self.reports.next_row();
    }

    /// Adds a report to the current op.
    pub(crate) fn push(
        &mut self,
        strings: &mut StringTable,
        allocator: &[u8],
        total: i64,
        peak: i64,
        live: i64,
        in_use: Option<i64>,
    ) {
        let bytes = |value: i64| Bytes(value.max(0) as u64);
        let allocator = strings.intern_again(allocator, &mut self.allocators);
        self.push_use(
            AllocatorUse { allocator, total: bytes(total), peak: bytes(peak), live: bytes(live) },
            in_use,
        );
    }

    fn push_use(&mut self, used: AllocatorUse, in_use: Option<i64>) {
        let id = self.use_row(used);
        self.reports.push();
        self.use_id.push(i64::from(id));
        self.in_use.push_option(in_use);
        self.has_in_use |= in_use.is_some();
        self.records.next_row();
    }

    /// The row of `used`.
    pub(crate) fn use_row(&mut self, used: AllocatorUse) -> u32 {
        let bits = used.total.0 ^ used.peak.0.rotate_left(16) ^ used.live.0.rotate_left(32);
        let place = Remembered::place(bits ^ u64::from(used.allocator.get()) << 56);
        let mut id = self.recent.get(place);
        if self.uses.get(id as usize) != Some(&used) {
            let next = self.uses.len() as u32;
            id = *self.use_ids.entry(used).or_insert(next);
            if id == next {
                self.uses.push(used);
            }
            self.recent.set(place, id);
        }
        id
    }

    /// Appends the reports of `other`; `texts` has the new id of each of its strings.
    pub(crate) fn append(&mut self, other: &Self, texts: &[StringId]) {
        let uses = other
            .uses
            .iter()
            .map(|own| self.use_row(AllocatorUse { allocator: texts[own.allocator.index()], ..*own }));
        let uses: Vec<u32> = uses.collect();
        self.reports.append(&other.reports);
        self.use_id.append_ids(&other.use_id, |old| uses[old]);
        self.in_use.append(&other.in_use);
        self.has_in_use |= other.has_in_use;
        self.records.append(&other.records);
        self.record_at.append(&other.record_at);
        self.record_bytes.append(&other.record_bytes);
    }

    /// Adds a record to the current report.
    pub(crate) fn push_record(&mut self, after_start: i64, bytes: i64) {
        self.records.push();
        self.record_at.push(after_start);
        self.record_bytes.push(bytes);
    }

    /// The table for ops in the order of `rows`.
    pub(crate) fn finish(self, rows: &[u32], mut sampling: Sampling<'_>) -> MemoryTable {
        let (reports, order) = self.reports.finish(rows);
        let mut in_use = Vec::new();
        for row in (0..rows.len()).filter(|_| self.has_in_use) {
            for report in reports.get(row) {
                let old_report = order[report] as usize;
                let allocator = self.uses[self.use_id.get(old_report) as usize].allocator;
                let bytes = self.in_use.get_option(old_report).map(|bytes| bytes.max(0) as u64);
                in_use.extend(sampling.kept(row, allocator, bytes).map(|bytes| (report as u32, bytes)));
            }
        }
        let use_id = self.use_id.finish(&order);
        let (records, order) = self.records.finish(&order);
        let (record_at, record_bytes) = (self.record_at.finish(&order), self.record_bytes.finish(&order));
        MemoryTable {
            reports: Arc::new(reports),
            use_id: Arc::new(use_id),
            in_use: Arc::new(Sampled::of(in_use)),
            records: Arc::new(records),
            record_at: Arc::new(record_at),
            record_bytes: Arc::new(record_bytes),
            uses: self.uses,
        }
    }

    /// `table` with `late` records: each op gets one more report for each allocator of its late records. `length` is the length of
    /// an op.
    pub(crate) fn with_late(
        table: &MemoryTable,
        mut late: Vec<LateRecord>,
        ops: u32,
        length: impl Fn(OpId) -> i64,
        sampling: Sampling<'_>,
    ) -> MemoryTable {
        order::by_number(&mut late, |own| (own.record.after_start.0, 0));
        order::by_number(&mut late, |own| (i64::from(own.row), i64::from(own.allocator.get())));
        let mut new = Self::default();
        let mut left = late.as_slice();
        let had_reports = table.has_reports();
        for op in (0..ops).map(OpId::new) {
            new.next_op();
            let has_none = left.first().is_none_or(|own| own.row != op.get());
            if has_none && !had_reports {
                continue;
            }
            for ((used, records), (_, in_use)) in table.of(op).zip(table.reports_of(op)) {
                new.push_use(used, in_use.map(|bytes| bytes.0 as i64));
                records.for_each(|record| new.push_record(record.after_start.0, record.bytes));
            }
            let own = left.iter().take_while(|own| own.row == op.get()).count();
            for report in left[..own].chunk_by(|a, b| a.allocator == b.allocator) {
                let (used, in_use) = used_of(report, length(op));
                new.push_use(used, in_use);
                report.iter().for_each(|own| new.push_record(own.record.after_start.0, own.record.bytes));
            }
            left = &left[own..];
        }
        new.finish(&(0..ops).collect::<Vec<_>>(), sampling)
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let columns = [&self.use_id, &self.in_use, &self.record_at, &self.record_bytes];
        self.reports.heap_bytes()
            + self.records.heap_bytes()
            + columns.map(ColumnBuilder::heap_bytes).iter().sum::<usize>()
            + self.uses.capacity() * size_of::<AllocatorUse>()
            + self.use_ids.capacity() * (size_of::<AllocatorUse>() + 5)
    }
}

/// The report of an allocator for an op of this length, computed from its records in order of time; and the bytes in use at the
/// last of them within the op.
fn used_of(report: &[LateRecord], length: i64) -> (AllocatorUse, Option<i64>) {
    let (mut total, mut held, mut peak, mut in_use) = (0_u64, 0_i64, 0_i64, None);
    for LateRecord { record, in_use: then, .. } in report {
        total = total.saturating_add(record.bytes.max(0) as u64);
        if record.after_start.0 <= length {
            held = held.saturating_add(record.bytes);
            peak = peak.max(held);
            in_use = then.or(in_use);
        }
    }
    let [peak, live] = [peak, held].map(|bytes| Bytes(bytes.max(0) as u64));
    (AllocatorUse { allocator: report[0].allocator, total: Bytes(total), peak, live }, in_use)
}
