//! Allocations and frees that a profiler records as separate events: PyTorch's `[memory]`, XSpace's `MemoryAllocation` and
//! `MemoryDeallocation`.
//!
//! A free belongs to the allocation at its address. Without addresses only sums are known ([`unaddressed`]). Both are stored with
//! the op that allocated: the innermost op running on its thread; between ops, the last one that began before. TensorFlow records
//! allocations in the same way.

mod holders;
mod unaddressed;

use holders::{Holder, holders};
use steplens_core::base::order;
use steplens_core::build::builder::{DeviceSlot, Mark, TraceBuilder};
use steplens_core::model::memory::NO_ADDRESSES;
use steplens_core::model::op::OpTimes;
use steplens_core::storage::strings::StringTable;
use steplens_core::{Problems, StringId};
use steplens_messages::say;

/// One allocation or free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryEvent {
    /// The reader's number of the process or line of the event, and the thread there.
    pub(crate) line: u32,
    pub(crate) thread: u32,
    pub(crate) at_unix_ns: i64,
    /// Positive for an allocation, negative for a free; 0 for a free whose size is not recorded, and where only `in_use` is known.
    pub(crate) bytes: i64,
    pub(crate) is_free: bool,
    /// The address; `None` if the file does not have it.
    pub(crate) address: Option<i64>,
    pub(crate) allocator: StringId,
    /// The bytes that the allocator had in use after the event.
    pub(crate) in_use: Option<i64>,
}

/// The events so far.
#[derive(Default)]
pub(crate) struct MemoryEvents {
    events: Vec<MemoryEvent>,
    allocators: StringTable,
    /// What is not shown of them.
    left_out: Unclear,
}

/// What is unclear about the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unclear {
    /// Events of threads on which no op ran, so that no op can hold the memory.
    pub(crate) without_op: u64,
    /// Allocations between two ops.
    pub(crate) between_ops: u64,
    /// Frees of memory from before the trace, with an unknown size.
    pub(crate) without_size: u64,
    /// Events with the bytes that the allocator had reserved.
    pub(crate) reserved: u64,
    /// Launches of graphs of kernels, which use memory that was allocated when the graph was made.
    pub(crate) graph_launches: u64,
}

impl Unclear {
    pub(crate) fn add(&mut self, other: Self) {
        self.without_op += other.without_op;
        self.between_ops += other.between_ops;
        self.without_size += other.without_size;
        self.reserved += other.reserved;
        self.graph_launches += other.graph_launches;
    }

    /// Adds notes about what is missing in the figures of memory, or what they are based on.
    pub(crate) fn report(&self, problems: &mut Problems) {
        let mut note = |count: u64, code: &'static str, said: fn(u64) -> String| {
            if count > 0 {
                problems.note(code, 0, || said(count));
            }
        };
        note(self.without_op, "allocations-without-op", |count| say!("allocations-without-op", count));
        note(self.between_ops, "allocations-between-ops", |count| say!("allocations-between-ops", count));
        note(self.without_size, "frees-without-size", |count| say!("frees-without-size", count));
        note(self.reserved, "reserved-not-shown", |count| say!("reserved-not-shown", count));
        note(self.graph_launches, "graphs-launched", |count| say!("graphs-launched", count));
    }
}

impl MemoryEvents {
    /// The number of an allocator's name. Events without addresses get a separate account, whose name says so.
    pub(crate) fn allocator(&mut self, name: &str, has_address: bool) -> StringId {
        match has_address {
            true => self.allocators.intern(name.as_bytes()),
            false => self.allocators.intern([name, NO_ADDRESSES].concat().as_bytes()),
        }
    }

    /// Counts an event that has the reserved bytes of its allocator, because they are not shown.
    pub(crate) fn reserve(&mut self, reserved: Option<i64>) {
        self.left_out.reserved += u64::from(reserved.is_some_and(|bytes| bytes > 0));
    }

    /// Counts a call that launched a graph of kernels.
    pub(crate) fn graph_launched(&mut self) {
        self.left_out.graph_launches += 1;
    }

    pub(crate) fn push(&mut self, event: MemoryEvent) {
        self.events.push(event);
    }

    /// Sets the thread and the time of each event from its line and its time on that line. Leaves out those for which `of` returns `None`.
    pub(crate) fn place(&mut self, of: impl Fn(u32, i64) -> Option<(u32, i64)>) {
        self.events.retain_mut(|event| {
            let Some(found) = of(event.line, event.at_unix_ns) else { return false };
            (event.thread, event.at_unix_ns) = found;
            true
        });
    }

    /// Gives all events to the ops since `mark`. Times were moved by `moved_ns` after they were added here; `blocks` are the blocks
    /// of the lines.
    pub(crate) fn join(
        mut self,
        mark: Mark,
        moved_ns: i64,
        blocks: Vec<(DeviceSlot, u32)>,
        builder: &mut TraceBuilder,
    ) -> Unclear {
        // Without memory events, these notes do not matter.
        if self.events.is_empty() {
            return Unclear::default();
        }
        let mut unclear = self.left_out;
        self.events.iter_mut().for_each(|event| event.at_unix_ns = event.at_unix_ns.saturating_add(moved_ns));
        let moment = |at| OpTimes { start_unix_ns: at, ..OpTimes::default() };
        self.events.retain(|event| builder.selection().has_times(&moment(event.at_unix_ns)));
        let in_use = InUse::of(&self.events);
        unaddressed::take_changes(&mut self.events);
        let holders = holders(&self.events, mark, blocks, builder);
        let mut pairs = self.pairs(&mut unclear);
        pairs.extend(unaddressed::pairs(&self.events));
        let names = (0..self.allocators.len()).map(|id| self.allocators.get(StringId::from_usize(id)));
        let ids: Vec<StringId> = names.map(|name| builder.allocator(name.as_bytes())).collect();
        for Pair { first, free, bytes } in pairs {
            let own = &self.events[first];
            let Some(Holder { row, end, is_within }) = holders.get(first).copied().flatten() else {
                unclear.without_op += 1;
                continue;
            };
            unclear.between_ops += u64::from(!is_within && !own.is_free);
            let allocator = ids[own.allocator.index()];
            let then = in_use.at(own.allocator, end);
            builder.set_allocation(row, allocator, own.at_unix_ns, bytes, then);
            if let Some(free) = free {
                builder.set_allocation(row, allocator, self.events[free].at_unix_ns, -bytes, then);
            }
        }
        unclear
    }

    /// Allocations with their frees, and frees alone, as indexes of events.
    fn pairs(&self, unclear: &mut Unclear) -> Vec<Pair> {
        let has_address = |&own: &usize| self.events[own].address.is_some();
        let mut order: Vec<usize> = (0..self.events.len()).filter(has_address).collect();
        let place = |place: usize| (self.events[place].allocator.get(), self.events[place].address);
        let pair = |first: usize, free| Pair { first, free, bytes: self.events[first].bytes };
        // At the same time, an address is freed before it is allocated again; otherwise events are in the order of the file.
        order::by_number(&mut order, |own| {
            (self.events[own].at_unix_ns, i64::from(!self.events[own].is_free))
        });
        order::by_number(&mut order, |own| {
            (self.events[own].address.unwrap_or(0), i64::from(self.events[own].allocator.get()))
        });
        let mut pairs = Vec::with_capacity(order.len());
        for same in order.chunk_by(|&a, &b| place(a) == place(b)) {
            let mut open = None;
            for &own in same {
                match (self.events[own].is_free, open.take()) {
                    (false, before) => {
                        pairs.extend(before.map(|before| pair(before, None)));
                        open = Some(own);
                    }
                    (true, Some(allocation)) => pairs.push(pair(allocation, Some(own))),
                    (true, None) if self.events[own].bytes == 0 => unclear.without_size += 1,
                    (true, None) => pairs.push(pair(own, None)),
                }
            }
            pairs.extend(open.map(|open| pair(open, None)));
        }
        pairs
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.events.capacity() * size_of::<MemoryEvent>() + self.allocators.heap_bytes()
    }
}

/// An allocation with its free, or one of them alone, as indexes of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    first: usize,
    free: Option<usize>,
    /// The bytes of the first event: negative for a free alone.
    bytes: i64,
}

/// The bytes in use as (allocator, time, bytes), sorted.
struct InUse(Vec<(u32, i64, i64)>);

impl InUse {
    fn of(events: &[MemoryEvent]) -> Self {
        let known = |event: &MemoryEvent| Some((event.allocator.get(), event.at_unix_ns, event.in_use?));
        let mut all: Vec<_> = events.iter().filter_map(known).collect();
        // The sort is stable: of several events at one time, the last one in the file counts.
        order::by_number(&mut all, |(allocator, at, _)| (i64::from(allocator), at));
        Self(all)
    }

    fn at(&self, allocator: StringId, time: i64) -> Option<i64> {
        let after = self.0.partition_point(|&(own, at, _)| (own, at) <= (allocator.get(), time));
        let &(own, _, bytes) = self.0.get(after.checked_sub(1)?)?;
        (own == allocator.get()).then_some(bytes)
    }
}
