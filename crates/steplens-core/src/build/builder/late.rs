//! Facts about ops that become known after the ops were read: when their clock began, their host, the op that launched them, their
//! part.

use super::{DISCARDED, DeviceSlot, Slot, TraceBuilder, push_sparingly};
use crate::base::ids::{NodeId, PartId, StringId};
use crate::base::units::{MAX_UNIX_NS, Nanos};
use crate::model::memory::{AllocationRecord, LateRecord};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The position of reading: the number of ops and blocks so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    row: usize,
    slot: usize,
    samples: super::samples::SamplesMark,
}

impl TraceBuilder {
    /// The current position; what is added from now on is [since](Self::shift_since) this mark.
    pub fn mark(&self) -> Mark {
        Mark { row: self.slot_of_op.len(), slot: self.slots.len(), samples: self.samples.mark() }
    }

    /// The rows of all ops since `mark`.
    pub fn rows_since(&self, mark: Mark) -> std::ops::Range<u32> {
        mark.row as u32..self.slot_of_op.len() as u32
    }

    /// The row of the op that was added last, for later reference.
    pub fn last_row(&self) -> Option<u32> {
        u32::try_from(self.slot_of_op.len()).ok()?.checked_sub(1)
    }

    /// Moves all ops since `mark` by `by_ns`. Returns false, and moves nothing, if any time would be out of range.
    pub fn shift_since(&mut self, mark: Mark, by_ns: i64) -> bool {
        let filled = || self.slots.iter().skip(mark.slot).filter(|slot| slot.first_start <= slot.last_end);
        let moved = |at: i64| at.checked_add(by_ns).filter(|at| (-MAX_UNIX_NS..MAX_UNIX_NS).contains(at));
        if !filled().all(|slot| moved(slot.first_start).is_some() && moved(slot.last_end).is_some()) {
            return false;
        }
        for slot in self.slots.iter_mut().skip(mark.slot).filter(|slot| slot.first_start <= slot.last_end) {
            (slot.first_start, slot.last_end) = (slot.first_start + by_ns, slot.last_end + by_ns);
        }
        for row in mark.row..self.slot_of_op.len() {
            *self.ops.start.get_mut(row) += by_ns;
        }
        self.samples.shift_since(mark.samples, by_ns);
        true
    }

    /// Sets the machine or process that recorded everything since `mark`; see [`set_host`](Self::set_host).
    pub fn set_host_since(&mut self, mark: Mark, host: &str) {
        self.set_host(host);
        let host = self.host;
        self.slots.iter_mut().skip(mark.slot).for_each(|slot| slot.host = host);
    }

    /// Records that the op in row `call` launched the op in row `kernel`.
    pub fn set_call(&mut self, kernel: u32, call: u32) {
        push_sparingly(&mut self.calls, (kernel, call));
    }

    /// Records that the range in `row` marks `part` as a step.
    pub fn mark_step(&mut self, part: PartId, row: u32) {
        push_sparingly(&mut self.marks, (part, row));
    }

    /// Records that the op in `row` allocated (positive) or freed (negative) bytes. `in_use` is what the allocator had in use then,
    /// for any op.
    pub fn set_allocation(
        &mut self,
        row: u32,
        allocator: StringId,
        at_unix_ns: i64,
        bytes: i64,
        in_use: Option<i64>,
    ) {
        let after_start = Nanos(at_unix_ns.saturating_sub(self.start_of(row)));
        let record = AllocationRecord { after_start, bytes };
        push_sparingly(&mut self.late_memory, LateRecord { row, allocator, record, in_use });
    }

    /// The id of an allocator's name.
    pub fn allocator(&mut self, name: &[u8]) -> StringId {
        self.strings.intern(name)
    }

    /// Takes back the ops in `rows`, which are in order: like those of devices that are not selected, their rows stay, and do not get into the
    /// trace.
    pub fn discard_rows(&mut self, rows: &[u32]) {
        let mut left_out: HashMap<u32, u32, FixedState> = HashMap::default();
        for &row in rows {
            let at = row as usize;
            let old = self.slot_of_op.get(at);
            let Some(from) = self.slots.get_mut(old as usize).filter(|slot| slot.part != DISCARDED) else {
                continue;
            };
            let like = from.clone();
            (from.ops, from.taken) = (from.ops.saturating_sub(1), from.taken.saturating_sub(1));
            (from.first_start, from.last_end) = (i64::MAX, i64::MIN);
            let new = *left_out.entry(old).or_insert_with(|| {
                let slot = Slot { part: DISCARDED, ops: 0, taken: 0, outside_window: 0, ..like };
                push_sparingly(&mut self.slots, slot);
                self.slots.len() as u32 - 1
            });
            *self.slot_of_op.get_mut(at) = new;
        }
        if left_out.is_empty() {
            return;
        }
        for (row, slot) in self.slot_of_op.iter().enumerate() {
            if let Some(slot) = self.slots.get_mut(slot as usize).filter(|_| left_out.contains_key(&slot)) {
                let start = self.ops.start.get(row);
                slot.first_start = slot.first_start.min(start);
                slot.last_end = slot.last_end.max(start.saturating_add(self.ops.length_of(row).max(0)));
            }
        }
    }

    /// The block of the op in `row`.
    #[inline]
    pub fn block_of(&self, row: u32) -> DeviceSlot {
        DeviceSlot(self.slot_of_op.get(row as usize))
    }

    /// The thread, and the start and end of the op in `row`.
    pub fn run_of(&self, row: u32) -> (u32, std::ops::Range<i64>) {
        let at = row as usize;
        let start = self.ops.start.get(at);
        (self.ops.thread_of(at), start..start + self.ops.length_of(at).max(0))
    }

    /// The name of the op in `row`.
    pub fn name_of(&self, row: u32) -> &str {
        self.strings.get(self.nodes.name(NodeId::new(self.ops.node_of(row as usize))))
    }

    /// When the op in `row` starts.
    pub fn start_of(&self, row: u32) -> i64 {
        self.ops.start.get(row as usize)
    }

    /// Whether the op in `row` was taken back.
    pub fn is_discarded(&self, row: u32) -> bool {
        let slot = self.slots.get(self.slot_of_op.get(row as usize) as usize);
        slot.is_some_and(|slot| slot.part == DISCARDED)
    }

    /// Whether a field of the format says that the op in `row` is a range.
    pub fn is_range(&self, row: u32) -> bool {
        self.nodes.is_range_by_field(NodeId::new(self.ops.node_of(row as usize)))
    }

    /// Starts a block of ops of another device like that of `block`: as nested, as an accelerator, of the same host.
    pub fn begin_device_like(&mut self, block: DeviceSlot) -> DeviceSlot {
        let new = self.begin_device();
        let like = self.slots.get(block.0 as usize).cloned();
        if let (Some(like), Some(own)) = (like, self.slots.get_mut(new.0 as usize)) {
            (own.nests, own.is_accelerator, own.capability) =
                (like.nests, like.is_accelerator, like.capability);
            (own.host, own.part) = (like.host, like.part);
        }
        new
    }

    /// Moves every op since `mark` into the block that `block_of` gives for its row; an op without such a block stays.
    pub fn move_since(&mut self, mark: Mark, mut block_of: impl FnMut(&Self, u32) -> Option<DeviceSlot>) {
        for row in mark.row..self.slot_of_op.len() {
            let old = self.slot_of_op.get(row);
            let Some(DeviceSlot(new)) = block_of(self, row as u32).filter(|own| own.0 != old) else {
                continue;
            };
            let from = self.slots.get_mut(old as usize).filter(|slot| slot.part != DISCARDED);
            let Some(from) = from else { continue };
            from.ops = from.ops.saturating_sub(1);
            from.taken = from.taken.saturating_sub(1);
            let start = self.ops.start.get(row);
            let end = start + self.ops.length_of(row);
            let Some(slot) = self.slots.get_mut(new as usize) else { continue };
            (slot.ops, slot.taken) = (slot.ops + 1, slot.taken + u32::from(slot.is_selected));
            (slot.first_start, slot.last_end) = (slot.first_start.min(start), slot.last_end.max(end));
            *self.slot_of_op.get_mut(row) = new;
        }
    }

    /// Moves every op since `mark` into the part that `part_of` gives for its row; an op without such a part stays.
    pub fn divide_since(&mut self, mark: Mark, mut part_of: impl FnMut(&Self, u32) -> Option<PartId>) {
        let mut slot_of: HashMap<(u32, PartId), u32, FixedState> = HashMap::default();
        for row in mark.row..self.slot_of_op.len() {
            let old = self.slot_of_op.get(row);
            let Some(part) = part_of(self, row as u32) else { continue };
            let Some(from) =
                self.slots.get_mut(old as usize).filter(|slot| ![part.get(), DISCARDED].contains(&slot.part))
            else {
                continue;
            };
            let like = from.clone();
            // Ops of devices that are not selected are not counted.
            from.ops = from.ops.saturating_sub(1);
            from.taken = from.taken.saturating_sub(1);
            let next = self.slots.len() as u32;
            let new = *slot_of.entry((old, part)).or_insert(next);
            if new == next {
                let ends = (i64::MAX, i64::MIN);
                let slot = Slot { part: part.get(), ops: 0, taken: 0, outside_window: 0, ..like };
                push_sparingly(&mut self.slots, Slot { first_start: ends.0, last_end: ends.1, ..slot });
            }
            let start = self.ops.start.get(row);
            let end = start + self.ops.length_of(row);
            let slot = &mut self.slots[new as usize];
            (slot.ops, slot.taken) = (slot.ops + 1, slot.taken + u32::from(slot.is_selected));
            (slot.first_start, slot.last_end) = (slot.first_start.min(start), slot.last_end.max(end));
            *self.slot_of_op.get_mut(row) = new;
        }
    }
}
