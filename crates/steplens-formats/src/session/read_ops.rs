//! Reading a session's ops, each with its outputs and allocator reports.

use super::Damage;
use super::codec::Column;
use super::parts::{Parts, PartsOfOps};
use super::read::{Reader, all_read};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::Range;
use steplens_core::NodeId;
use steplens_core::build::builder::{DeviceSlot, Refused, TraceBuilder};
use steplens_core::model::op::OpTimes;
use steplens_core::model::output::OutputRecord;
use steplens_messages::say;

/// A device of the session.
pub(super) struct SessionDevice<'a> {
    pub(super) slot: DeviceSlot,
    pub(super) name: &'a [u8],
    pub(super) is_selected: bool,
    pub(super) ops: u64,
    pub(super) traits: Traits,
}

/// What a format said of a device.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    pub(super) nests: bool,
    pub(super) is_accelerator: bool,
}

impl Traits {
    /// Marks the device of a block of ops.
    pub(super) fn mark(self, slot: DeviceSlot, builder: &mut TraceBuilder) {
        if self.nests {
            builder.mark_nesting(slot);
        }
        if self.is_accelerator {
            builder.mark_accelerator(slot);
        }
    }
}

/// Reads the ops of all `devices`.
pub(super) fn read_ops(
    reader: &mut Reader<'_, '_>,
    (origin_unix_ns, unit_ns): (i64, i64),
    devices: &[SessionDevice<'_>],
    parts: &Parts,
    node_ids: &[NodeId],
) -> Result<(), Damage> {
    let (rows, columns) = reader.sections.get::<10>(*b"oper")?;
    let [mut nodes, mut starts, mut lengths, mut flags, mut queues, columns @ ..] = columns;
    let [mut kernel_starts, mut kernel_ends, mut threads, mut output_counts, mut report_counts] = columns;
    let mut outputs = Outputs::read(reader)?;
    let mut reports = Reports::read(reader)?;
    let mut parts_of_ops = PartsOfOps::of(reader, parts)?;
    let (calls, [mut kernels_of_calls, mut launchers]) = reader.sections.get(*b"call")?;
    // Which row of the builder each op became; only asked where calls are joined.
    let mut row_of_op: Vec<Option<u32>> = Vec::new();
    let mut read = 0;
    for &SessionDevice { slot: first_slot, name, is_selected, ops, traits } in devices {
        // The device's block of each part but the first, as they are met.
        let mut slots: HashMap<usize, DeviceSlot, FixedState> = HashMap::default();
        let mut start_unix_ns = origin_unix_ns;
        for _ in 0..ops {
            let node = node_ids[nodes.delta_row(node_ids.len())?];
            let out_of_range = starts.damage(say!("got-time-out-of-range"));
            start_unix_ns = start_unix_ns.checked_add(starts.narrow()?).ok_or(out_of_range)?;
            let length_ns = lengths.narrow()?;
            let flags = flags.number()?;
            let queued = if flags & 1 != 0 { Some(queues.signed()?) } else { None };
            let mut times = OpTimes {
                start_unix_ns,
                length_ns,
                scheduled_unix_ns: queued.and_then(|queued| start_unix_ns.checked_sub(queued)),
                thread: threads.narrow()?,
                ..OpTimes::default()
            };
            if flags & 2 != 0 {
                times.kernel_start_ns = kernel_starts.signed()?;
                times.kernel_end_ns = length_ns.wrapping_sub(kernel_ends.signed()?);
            }
            let slot = match parts_of_ops.next_op()? {
                Some(part) if part > 0 && reader.taking => *slots.entry(part).or_insert_with(|| {
                    let slot = reader.builder.begin_device_of(parts.ids[part]);
                    reader.builder.name_device(slot, name);
                    traits.mark(slot, reader.builder);
                    slot
                }),
                _ => first_slot,
            };
            let added = match reader.taking {
                true => reader.builder.op_of(slot, node, &times),
                false => reader.builder.check(&times),
            };
            let is_taken = match added {
                Ok(()) => reader.taking,
                Err(Refused::LeftOut) => false,
                Err(_) => return Err(out_of_range),
            };
            if calls > 0 {
                row_of_op.push(reader.builder.last_row().filter(|_| is_taken));
            }
            reader.selected += usize::from(is_selected && reader.builder.selection().has_times(&times));
            outputs.next_op(reader, output_counts.number()?, is_taken)?;
            reports.next_op(reader, report_counts.number()?, (start_unix_ns, unit_ns), is_taken)?;
            read += 1;
        }
    }
    if read != rows {
        return Err(nodes.damage(say!("got-other-devices")));
    }
    parts_of_ops.end()?;
    for _ in 0..calls {
        let (kernel, call) = (kernels_of_calls.delta_row(rows)?, launchers.row(rows)?);
        if let (Some(kernel), Some(call)) = (row_of_op[kernel], row_of_op[call]) {
            reader.builder.set_call(kernel, call);
        }
    }
    all_read([kernels_of_calls, launchers])?;
    if reader.taking {
        reader.builder.say_replaced(false);
    }
    all_read([outputs.rows, outputs.ids, outputs.replaced])?;
    all_read([reports.rows, reports.counts, reports.times, reports.held, reports.in_use])?;
    all_read([nodes, starts, lengths, flags, queues, kernel_starts, kernel_ends, threads])?;
    all_read([output_counts, report_counts])
}

/// The outputs of all ops.
struct Outputs<'a> {
    /// What they are like, with the place of their shape's sizes.
    distinct: Vec<(OutputRecord<'a>, Option<Range<usize>>)>,
    sizes: Vec<i64>,
    rows: Column<'a>,
    ids: Column<'a>,
    replaced: Column<'a>,
    /// How many of `replaced` are left to read, and the next of them.
    replaced_left: usize,
    next_replaced: Option<usize>,
    count: usize,
    row: usize,
}

impl<'a> Outputs<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Damage> {
        let (count, columns) = reader.sections.get::<7>(*b"opnd")?;
        let [mut slots, mut dtypes, mut allocators, mut requested, mut allocated, columns @ ..] = columns;
        let [mut ranks, mut dims] = columns;
        let (all, [rows, ids]) = reader.sections.get(*b"outs")?;
        let (replaced_left, [replaced]) = reader.sections.get(*b"repl")?;
        let mut outputs = Self {
            distinct: Vec::new(),
            sizes: Vec::new(),
            rows,
            ids,
            replaced,
            replaced_left,
            next_replaced: None,
            count: all,
            row: 0,
        };
        outputs.find_replaced()?;
        if reader.taking {
            reader.builder.say_replaced(replaced_left > 0);
        }
        for _ in 0..count {
            let record = OutputRecord {
                slot: slots.signed()? as i32,
                dtype: dtypes.narrow()?,
                allocator: reader.text(&mut allocators)?,
                requested_bytes: requested.narrow()?,
                allocated_bytes: allocated.narrow()?,
                ..OutputRecord::default()
            };
            let first = outputs.sizes.len();
            let rank = ranks.number()?.checked_sub(1);
            for _ in 0..rank.unwrap_or(0) {
                outputs.sizes.push(dims.signed()?);
            }
            outputs.distinct.push((record, rank.map(|_| first..outputs.sizes.len())));
        }
        all_read([slots, dtypes, allocators, requested, allocated, ranks, dims])?;
        Ok(outputs)
    }

    fn find_replaced(&mut self) -> Result<(), Damage> {
        self.next_replaced = match self.replaced_left {
            0 => None,
            _ => Some(self.replaced.delta_row(self.count)?),
        };
        self.replaced_left = self.replaced_left.saturating_sub(1);
        Ok(())
    }

    fn next_op(&mut self, reader: &mut Reader<'_, '_>, count: u64, is_taken: bool) -> Result<(), Damage> {
        for _ in 0..count {
            let is_replaced = self.next_replaced == Some(self.row);
            self.row += 1;
            if is_replaced {
                self.find_replaced()?;
            }
            let (record, sizes) = &self.distinct[self.rows.row(self.distinct.len())?];
            let shape = sizes.clone().map(|sizes| &self.sizes[sizes]);
            let rank = shape.map_or(0, <[i64]>::len);
            reader.look_up(record.allocator.len() + 8 * rank, &self.rows)?;
            let record = OutputRecord { shape, allocation_id: self.ids.signed()?, ..*record };
            if is_taken {
                reader.builder.output(&record);
                if is_replaced {
                    reader.builder.replaced();
                }
            }
        }
        Ok(())
    }
}

/// What one allocator reported: total, peak, live.
struct Report<'a> {
    allocator: &'a [u8],
    bytes: [i64; 3],
}

/// The allocator reports of all ops.
struct Reports<'a> {
    distinct: Vec<Report<'a>>,
    rows: Column<'a>,
    counts: Column<'a>,
    times: Column<'a>,
    held: Column<'a>,
    in_use: Column<'a>,
    has_in_use: bool,
}

impl<'a> Reports<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Damage> {
        let (count, [mut allocators, mut totals, mut peaks, mut lives]) = reader.sections.get(*b"alls")?;
        let (_, [rows, counts]) = reader.sections.get(*b"mems")?;
        let (_, [times, held]) = reader.sections.get(*b"recs")?;
        let (with_use, [in_use]) = reader.sections.get(*b"muse")?;
        let mut distinct = Vec::new();
        for _ in 0..count {
            let allocator = reader.text(&mut allocators)?;
            let bytes = [totals.narrow()?, peaks.narrow()?, lives.narrow()?];
            distinct.push(Report { allocator, bytes });
        }
        all_read([allocators, totals, peaks, lives])?;
        Ok(Self { distinct, rows, counts, times, held, in_use, has_in_use: with_use > 0 })
    }

    fn next_op(
        &mut self,
        reader: &mut Reader<'_, '_>,
        count: u64,
        (start_unix_ns, unit_ns): (i64, i64),
        is_taken: bool,
    ) -> Result<(), Damage> {
        for _ in 0..count {
            let Report { allocator, bytes } = &self.distinct[self.rows.row(self.distinct.len())?];
            reader.look_up(allocator.len(), &self.rows)?;
            let [total, peak, live] = *bytes;
            let in_use = match self.has_in_use {
                true => self.in_use.number()?.checked_sub(1).map(|bytes| bytes.min(i64::MAX as u64) as i64),
                false => None,
            };
            if is_taken {
                reader.builder.allocator_use(allocator, total, peak, live, in_use);
            }
            let mut at_unix_ns = start_unix_ns - start_unix_ns.rem_euclid(unit_ns);
            let mut held = 0i64;
            for _ in 0..self.counts.number()? {
                at_unix_ns = at_unix_ns.wrapping_add(self.times.signed()?.wrapping_mul(unit_ns));
                let before = std::mem::replace(&mut held, self.held.signed()?);
                if is_taken {
                    reader.builder.allocation(at_unix_ns, held.wrapping_sub(before));
                }
            }
        }
        Ok(())
    }
}
