//! Reading the ops of a session, column by column.

use super::codec::Column;
use super::parts::Parts;
use super::reader::{Reader, all_read};
use super::stored::{any, below, of_kinds, ranges, with_flag};
use super::{Damage, In, Section};
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_core::build::builder::{BlockOps, Whole};
use steplens_core::model::memory::{AllocatorUse, WholeMemory};
use steplens_core::model::op::WholeOps;
use steplens_core::model::output::{OutputRecord, WholeOutputs};
use steplens_core::storage::column::{Column as Stored, ColumnBuilder};
use steplens_core::storage::moments::MomentsBuilder;
use steplens_core::{Bytes, Flops, Nanos, OpId, PartId, Timestamp};
use steplens_messages::say;
use steplens_proto::sessions;

/// Flags of an op.
pub(super) const IS_QUEUED: u64 = 1;
pub(super) const HAS_KERNEL: u64 = 2;

/// The table of ops.
struct Ops<'a> {
    rows: usize,
    nodes: Column<'a>,
    starts: Column<'a>,
    lengths: Column<'a>,
    flags: Column<'a>,
    queues: Column<'a>,
    kernel_starts: Column<'a>,
    after_kernels: Column<'a>,
    threads: Column<'a>,
    outputs: Column<'a>,
    reports: Column<'a>,
}

/// The start of the first op and the origin, both in ns from 1970, and the unit of allocations in ns.
struct Head {
    first: i64,
    origin: i64,
    unit_ns: i64,
    /// The length of the period that the trace shows.
    period: Option<Nanos>,
    /// What its accelerators calculate in a second at most.
    peak_flops: Option<Flops>,
}

/// Reads the ops of `blocks`, which are runs of `nodes` nodes, and the data of these ops.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    blocks: &[BlockOps],
    parts: &Parts,
    nodes: usize,
) -> Result<Whole, Damage> {
    let head = head(reader).of(Section::Head)?;
    let table = reader.tables.ops.clone().unwrap_or_default();
    let columns = [&table.node, &table.start, &table.length, &table.flags, &table.queued];
    let (rows, [nodes_of, starts, lengths, flags, queues]) =
        reader.tables.read(table.rows, columns).of(Section::Ops)?;
    let sessions::Ops { kernel_start, after_kernel, thread, output_count, report_count, .. } = &table;
    let columns = [kernel_start, after_kernel, thread, output_count, report_count];
    let (_, [kernel_starts, after_kernels, threads, outputs, reports]) =
        reader.tables.read(0, columns).of(Section::Ops)?;
    let ops = Ops {
        rows,
        nodes: nodes_of,
        starts,
        lengths,
        flags,
        queues,
        kernel_starts,
        after_kernels,
        threads,
        outputs,
        reports,
    };
    if rows >= (u32::MAX - 1) as usize {
        return Err(ops.nodes.damage(say!("got-large-number"))).of(Section::Ops);
    }
    if blocks.iter().map(|block| u64::from(block.ops)).sum::<u64>() != rows as u64 {
        return Err(ops.nodes.damage(say!("got-other-devices"))).of(Section::Ops);
    }
    let Head { origin: origin_unix_ns, period, peak_flops, .. } = head;
    let mut whole = Whole { origin_unix_ns, period, peak_flops, ..Whole::default() };
    ops.times(&head, blocks, &mut whole).of(Section::Ops)?;
    whole.ops.node = below(&ops.nodes, rows, nodes).of(Section::Ops)?;
    whole.ops.thread = any(&ops.threads, rows).of(Section::Kernels)?;
    ops.kernels(&head, &mut whole.ops).of(Section::Kernels)?;
    if parts.graph_nodes.len() > 1 {
        whole.ops.part = parts_of(reader, rows, parts.graph_nodes.len()).of(Section::Parts)?;
    }
    whole.outputs = outputs_of(reader, &ops).of(Section::Outputs)?;
    whole.memory = memory_of(reader, &ops, &head, &whole.ops).of(Section::Memory)?;
    whole.arguments = super::arguments::read(reader, rows).of(Section::Arguments)?;
    whole.calls = calls(reader, rows).of(Section::Calls)?;
    whole.marks = marks(reader, rows, parts.graph_nodes.len()).of(Section::Marks)?;
    Ok(whole)
}

/// The part of each of `ops` ops, one of `parts`.
fn parts_of(reader: &Reader<'_, '_>, ops: usize, parts: usize) -> Result<Stored, Damage> {
    let sessions::PartsOfOps { rows, part } = reader.tables.session.parts_of_ops.clone().unwrap_or_default();
    let (rows, [own]) = reader.tables.read(rows, [&part])?;
    if rows != ops {
        return Err(own.damage(say!("got-more-values")));
    }
    below(&own, ops, parts)
}

fn calls(reader: &Reader<'_, '_>, ops: usize) -> Result<Vec<(OpId, OpId)>, Damage> {
    let mut own = Vec::new();
    let sessions::Calls { rows, kernel, call } = reader.tables.session.calls.clone().unwrap_or_default();
    let (rows, [mut kernels, mut calls]) = reader.tables.read(rows, [&kernel, &call])?;
    for _ in 0..rows {
        let (kernel, call) = (kernels.delta_row(ops)?, calls.row(ops)?);
        own.push((OpId::from_usize(kernel), OpId::from_usize(call)));
    }
    all_read([kernels, calls])?;
    Ok(own)
}

fn marks(reader: &Reader<'_, '_>, ops: usize, parts: usize) -> Result<Vec<(PartId, OpId)>, Damage> {
    let mut own = Vec::new();
    let sessions::Marks { rows, part, op } = reader.tables.session.marks.clone().unwrap_or_default();
    let (rows, [mut marked, mut marks]) = reader.tables.read(rows, [&part, &op])?;
    for _ in 0..rows {
        let (part, op) = (marked.row(parts)?, marks.row(ops)?);
        own.push((PartId::from_usize(part), OpId::from_usize(op)));
    }
    all_read([marked, marks])?;
    Ok(own)
}

fn head(reader: &Reader<'_, '_>) -> Result<Head, Damage> {
    let sessions::Head { rows, first_start, record_unit, origin, period, peak_flops } =
        reader.tables.session.head.clone().unwrap_or_default();
    let columns = [&first_start, &record_unit, &origin, &period, &peak_flops];
    let (_, [mut first, mut unit, mut origin, mut period, mut peak]) = reader.tables.read(rows, columns)?;
    let (first_ns, unit_ns, after) = (first.signed()?, unit.narrow()?, origin.signed()?);
    if !(1..=1_000_000_000).contains(&unit_ns) {
        return Err(unit.damage(say!("got-no-unit")));
    }
    let period: Option<i64> = if period.len() > 0 { Some(period.narrow()?) } else { None };
    let peak_flops = if peak.len() > 0 { Some(Flops(peak.number()?)) } else { None };
    // A part of nothing is no figure: only a damaged session says that accelerators calculate nothing.
    let peak_flops = peak_flops.filter(|own| own.0 > 0);
    let is_believable = |at: &i64| (-MAX_UNIX_NS..MAX_UNIX_NS).contains(at);
    let origin_ns = first_ns.checked_add(after).filter(is_believable);
    let end = origin_ns.and_then(|origin| origin.checked_add(period.unwrap_or(0)).filter(is_believable));
    match (Some(first_ns).filter(is_believable), origin_ns.filter(|_| end.is_some())) {
        (Some(first), Some(origin)) => {
            Ok(Head { first, origin, unit_ns, period: period.map(Nanos), peak_flops })
        }
        _ => Err(first.damage(say!("got-time-out-of-range"))),
    }
}

impl Ops<'_> {
    /// Reads starts and lengths.
    fn times(&self, head: &Head, blocks: &[BlockOps], whole: &mut Whole) -> Result<(), Damage> {
        let (mut starts, mut lengths) = (self.starts.values(self.rows)?, self.lengths.values(self.rows)?);
        let mut all = MomentsBuilder::with_rows(self.rows);
        let (mut is_in_order, mut last_end) = (true, i64::MIN);
        for block in blocks {
            let (mut at, mut longest) = (head.first, 0);
            for _ in 0..block.ops {
                let (after, length) = (starts.take_one(), lengths.take_one());
                let start = at.wrapping_add(after);
                let end = start.wrapping_add(length);
                // If a sum does not fit into an `i64`, it is less than its first part.
                let is_sum = after >= 0 && length >= 0 && start >= at && end >= start;
                if !is_sum || end >= MAX_UNIX_NS {
                    return Err(starts.damage(say!("got-time-out-of-range")));
                }
                is_in_order &= after > 0 || length >= longest;
                (at, longest) = (start, length);
                last_end = last_end.max(end);
                all.push(Timestamp(start - head.origin));
            }
        }
        whole.is_in_order = is_in_order;
        whole.end = Timestamp(last_end.saturating_sub(head.origin));
        whole.ops.length = any(&self.lengths, self.rows)?;
        whole.ops.start = all.finish();
        Ok(())
    }

    /// Reads when ops were scheduled, and their kernels.
    fn kernels(&self, head: &Head, whole: &mut WholeOps) -> Result<(), Damage> {
        let rows = self.rows;
        let (mut flags, mut queues) = (self.flags.values(rows)?, self.queues.values(rows)?);
        whole.queued = match with_flag(&self.queues, &self.flags, IS_QUEUED) {
            Some(queued) => queued,
            None => {
                let mut queued = ColumnBuilder::default();
                for row in 0..rows {
                    let (own, queue) = (flags.take_one() as u64, queues.take_one());
                    // An op whose scheduling time does not fit counts as not scheduled.
                    let start = whole.start.get(row).0 + head.origin;
                    let is_queued = own & IS_QUEUED != 0 && start.checked_sub(queue).is_some();
                    queued.push_option(is_queued.then_some(queue));
                }
                queued.in_order()
            }
        };
        whole.kernel_start = any(&self.kernel_starts, rows)?;
        let (mut flags, mut after_kernels) = (self.flags.values(rows)?, self.after_kernels.values(rows)?);
        whole.after_kernel = match flags.clone().all_with(HAS_KERNEL) {
            Some(true) => any(&self.after_kernels, rows)?,
            Some(false) => whole.length.clone(),
            None => {
                let mut after = ColumnBuilder::default();
                for row in 0..rows {
                    let (own, after_kernel) = (flags.take_one() as u64, after_kernels.take_one());
                    after.push(if own & HAS_KERNEL != 0 { after_kernel } else { whole.length.get(row) });
                }
                after.in_order()
            }
        };
        Ok(())
    }
}

fn outputs_of(reader: &mut Reader<'_, '_>, ops: &Ops<'_>) -> Result<WholeOutputs, Damage> {
    let session = &reader.tables.session;
    let sessions::OutputKinds { rows, slot, r#type, allocator, requested, allocated, rank, sizes } =
        session.output_kinds.clone().unwrap_or_default();
    let (count, [mut slots, mut dtypes, mut allocators, mut requested, mut allocated]) =
        reader.tables.read(rows, [&slot, &r#type, &allocator, &requested, &allocated])?;
    let (_, [mut ranks, mut dims]) = reader.tables.read(0, [&rank, &sizes])?;
    let mut rows_of_kinds = Vec::new();
    let mut sizes = Vec::new();
    for _ in 0..count {
        sizes.clear();
        let rank = ranks.number()?.checked_sub(1);
        for _ in 0..rank.unwrap_or(0) {
            sizes.push(dims.signed()?);
        }
        let record = OutputRecord {
            slot: slots.signed()? as i32,
            dtype: dtypes.narrow()?,
            shape: rank.map(|_| sizes.as_slice()),
            allocator: reader.text(&mut allocators)?,
            requested_bytes: requested.narrow()?,
            allocated_bytes: allocated.narrow()?,
            allocation_id: 0,
        };
        rows_of_kinds.push(reader.builder.output_spec(&record));
    }
    all_read([slots, dtypes, allocators, requested, allocated, ranks, dims])?;
    let sessions::Outputs { rows, kind, allocation_id } = session.outputs.clone().unwrap_or_default();
    let (rows, [kinds, ids]) = reader.tables.read(rows, [&kind, &allocation_id])?;
    let sessions::Replaced { rows: count, output } = session.replaced.clone().unwrap_or_default();
    let (count, [replaced]) = reader.tables.read(count, [&output])?;
    let mut own = WholeOutputs {
        of_op: ranges(&ops.outputs, ops.rows, rows)?,
        spec: of_kinds(&kinds, rows, &rows_of_kinds)?,
        allocation_id: any(&ids, rows)?,
        replaced: Vec::new(),
    };
    let mut replaced = replaced.values(count)?;
    let mut next = 0;
    for _ in 0..count {
        let row = replaced.take_one();
        if row < next || row >= rows as i64 {
            return Err(replaced.damage(say!("got-no-row")));
        }
        own.replaced.push(row as u32);
        next = row + 1;
    }
    Ok(own)
}

/// The time from the last whole unit to `at`. Dividing by a constant is much cheaper, and both of these are usual.
fn into_unit(at: i64, unit_ns: i64) -> i64 {
    match unit_ns {
        1 => 0,
        1_000 => at.rem_euclid(1_000),
        _ => at.rem_euclid(unit_ns),
    }
}

/// Reads what allocators reported for the ops `whole`.
fn memory_of(
    reader: &mut Reader<'_, '_>,
    ops: &Ops<'_>,
    head: &Head,
    whole: &WholeOps,
) -> Result<WholeMemory, Damage> {
    let session = &reader.tables.session;
    let sessions::ReportKinds { rows: count, allocator, total, peak, live } =
        session.report_kinds.clone().unwrap_or_default();
    let (count, [mut allocators, mut totals, mut peaks, mut lives]) =
        reader.tables.read(count, [&allocator, &total, &peak, &live])?;
    let mut rows_of_kinds = Vec::new();
    for _ in 0..count {
        let allocator = reader.text(&mut allocators)?;
        let allocator = reader.builder.text(allocator);
        let [total, peak, live] = [totals.narrow()?, peaks.narrow()?, lives.narrow()?];
        let [total, peak, live] = [total, peak, live].map(|bytes: i64| Bytes(bytes as u64));
        rows_of_kinds.push(reader.builder.allocator_spec(AllocatorUse { allocator, total, peak, live }));
    }
    all_read([allocators, totals, peaks, lives])?;
    let sessions::Reports { rows, kind, record_count } = session.reports.clone().unwrap_or_default();
    let (rows, [kinds, counts]) = reader.tables.read(rows, [&kind, &record_count])?;
    let sessions::Records { rows: records, time, held } = session.records.clone().unwrap_or_default();
    let (records, [times, held]) = reader.tables.read(records, [&time, &held])?;
    let sessions::InUse { rows: some, report, bytes } = session.in_use.clone().unwrap_or_default();
    let (some, [mut reports, mut in_use]) = reader.tables.read(some, [&report, &bytes])?;
    let mut own = WholeMemory {
        of_op: ranges(&ops.reports, ops.rows, rows)?,
        used: of_kinds(&kinds, rows, &rows_of_kinds)?,
        in_use: Vec::new(),
        of_report: ranges(&counts, rows, records)?,
        ..WholeMemory::default()
    };
    for _ in 0..some {
        let (report, bytes) = (reports.delta_row(rows)? as u32, in_use.number()?);
        own.in_use.push((report, bytes.min(i64::MAX as u64)));
    }
    if !own.in_use.is_sorted_by(|a, b| a.0 < b.0) {
        return Err(reports.damage(say!("got-no-row")));
    }
    all_read([reports, in_use])?;
    let (mut times, mut held) = (times.values(records)?, held.values(records)?);
    let (mut counts, mut of_op) = (counts.values(rows)?, ops.reports.values(ops.rows)?);
    let [mut when, mut bytes] = [(); 2].map(|()| ColumnBuilder::default());
    for row in 0..if records > 0 { ops.rows } else { 0 } {
        for _ in 0..of_op.take_one() {
            let count = counts.take_one();
            if count == 0 {
                continue;
            }
            let start = whole.start.get(row).0 + head.origin;
            let (mut time, mut before) = (start - into_unit(start, head.unit_ns), 0_i64);
            for _ in 0..count {
                time = time.wrapping_add(times.take_one().wrapping_mul(head.unit_ns));
                let after = held.take_one();
                when.push(time.saturating_sub(start));
                bytes.push(after.wrapping_sub(std::mem::replace(&mut before, after)));
            }
        }
    }
    (own.at, own.bytes) = (when.in_order(), bytes.in_order());
    Ok(own)
}
