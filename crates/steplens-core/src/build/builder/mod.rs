//! The builder: readers feed it records in any order, and [`TraceBuilder::finish`] makes the trace.
//!
//! An op costs one look-up of its name and label, and one push for each column, without an allocation; values that repeat from op
//! to op are stored once. At the end ops are sorted by device, start, end and place in the file, and time counts from the first
//! start.

mod apart;
mod append;
mod elsewhere;
mod finish;
mod input;
mod labels;
mod late;
mod outer;
mod parts;
mod runs;
mod samples;
mod streams;
mod whole;

use crate::base::ids::{NodeId, PartId, StringId};
use crate::base::units::{Flops, MAX_UNIX_NS};
use crate::build::selection::{LeftOut, Selection};
use crate::model::arguments::{ArgumentForm, ArgumentsBuilder};
use crate::model::capability::Capability;
use crate::model::category::{Category, CategoryRules, Hint, Says};
use crate::model::device::{is_host, task_of};
use crate::model::file_order::{Buffer, FileOrderBuilder};
use crate::model::graph::{Graph, GraphNodeRecord};
use crate::model::label::op_type;
use crate::model::memory::{LateRecord, MemoryTableBuilder};
use crate::model::node::NodeTable;
use crate::model::op::{OpTableBuilder, OpTimes};
use crate::model::output::{OutputRecord, OutputTableBuilder};
use crate::model::part::Part;
use crate::model::peak::Peak;
use crate::model::process::{device_of_process, task_of_process};
use crate::model::trace::Trace;
use crate::storage::chunked::Chunked;
use crate::storage::strings::StringTable;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::borrow::Cow;

pub(crate) use elsewhere::RUNS_PART;
pub(crate) use finish::sort_ops;
pub use late::Mark;
pub use samples::{CounterSlot, InstantRecord};
pub use whole::{BlockOps, Whole};

/// A block of ops of one device, as files group them. Its name may become known after its ops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceSlot(u32);

/// One op as a reader found it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpRecord<'a> {
    /// The node's name as it is in the file.
    pub name: &'a [u8],
    /// The `timeline_label` as it is in the file.
    pub label: &'a [u8],
    /// When it ran.
    pub times: OpTimes,
}

/// Why an op was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Its start or end is further from 1970 than [`MAX_UNIX_NS`].
    TimeOutOfRange,
    /// The tables are full: 2^32 - 2 rows.
    TooManyOps,
    /// The op is not selected, or [`fill`](TraceBuilder::fill) was called. The op is counted.
    LeftOut,
}

/// A block of ops of one device: its name, and the facts about it.
#[derive(Clone, Debug)]
struct Slot {
    name: Option<StringId>,
    /// Whether its device is selected, as far as is known.
    is_selected: bool,
    ops: u64,
    taken: u32,
    outside_window: u64,
    first_start: i64,
    last_end: i64,
    /// An index of the parts, or [`DISCARDED`].
    part: u32,
    /// The number of the file, if the file is of a process without a name.
    process: Option<u32>,
    /// The machine that recorded it, if the file says so.
    host: Option<StringId>,
    nests: bool,
    is_accelerator: bool,
    capability: Option<Capability>,
    /// Whether it is of a process, and only counters and instants are in it: by itself it is no device.
    is_process: bool,
}

/// The reason for the category of host events.
const HOST_EVENTS: &[u8] = b"/host:CPU";

/// The part of blocks that were taken back.
const DISCARDED: u32 = u32::MAX;

impl Slot {
    fn left_out(&self) -> LeftOut {
        if !self.is_selected {
            return LeftOut { devices: self.ops, ..LeftOut::default() };
        }
        let taken = u64::from(self.taken);
        LeftOut { devices: 0, window: self.outside_window, memory: self.ops - taken - self.outside_window }
    }
}

/// After the memory is full, blocks of ops are counted up to this number, which takes 25 MiB. A file of 50 GB that consists of
/// single steps, each with ten blocks, has that many. The bound keeps a hostile file from being counted without end.
const MAX_COUNTED_SLOTS: usize = 1 << 19;

/// Collects what a reader finds. Nothing here can fail except [`op`](Self::op), which refuses ops that no table can hold.
#[derive(Default)]
pub struct TraceBuilder {
    strings: StringTable,
    peak: Peak,
    nodes: NodeTable,
    graph: Graph,
    parts: Vec<Part>,
    ops: OpTableBuilder,
    outputs: OutputTableBuilder,
    memory: MemoryTableBuilder,
    arguments: ArgumentsBuilder,
    samples: samples::SamplesBuilder,
    /// Allocations whose op was added before them.
    late_memory: Vec<LateRecord>,
    /// The slot of each op, in the order of the file.
    slot_of_op: Chunked<u32>,
    slots: Vec<Slot>,
    /// For each device that was looked up by name its newest block.
    slot_of_name: HashMap<StringId, u32, FixedState>,
    /// The file being read, and whether it has a part yet.
    file: u32,
    has_part: bool,
    /// The position at its beginning.
    file_mark: Mark,
    /// The task of the file's process, if the user named the process.
    process: Option<String>,
    /// The file is of a different process than every other file.
    is_apart: bool,
    host: Option<StringId>,
    selection: Selection,
    is_full: bool,
    /// (slot, thread, name).
    threads: Vec<(u32, u32, StringId)>,
    /// (kernel, the call that launched it), by row of the file.
    calls: Vec<(u32, u32)>,
    /// (part, the range that marks it as a step), by row of the file.
    marks: Vec<(PartId, u32)>,
    file_order: Option<FileOrderBuilder>,
    /// A trace that was read in one piece, as long as nothing else was read.
    whole: Option<Box<Trace>>,
    /// Whether any device has the name of a host profiler's device.
    has_host: bool,
}

impl TraceBuilder {
    /// From now on only the ops in `selection` are taken.
    pub fn select(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// The ops that are taken.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Keeps the order of the files, for [`Trace::file_order`](crate::Trace::file_order). Must be called before the first op.
    pub fn keep_file_order(&mut self) {
        self.file_order = Some(FileOrderBuilder::default());
    }

    /// Whether the order of the files is kept.
    pub fn keeps_file_order(&self) -> bool {
        self.file_order.is_some()
    }

    /// Starts a block of the file: the following ops belong to it.
    pub fn begin_block(&mut self) {
        if let Some(order) = &mut self.file_order {
            order.begin_block(self.strings.intern(b""));
        }
    }

    /// Names the device of the block, which the file may do after the ops.
    pub fn name_block(&mut self, device: &[u8]) {
        if let Some(order) = &mut self.file_order {
            order.name_block(self.strings.intern(device));
        }
    }

    /// Ends the block.
    pub fn end_block(&mut self) {
        self.file_order.iter_mut().for_each(FileOrderBuilder::end_block);
    }

    /// Adds the buffer of the last output.
    pub fn buffer(&mut self, buffer: Buffer) {
        self.file_order.iter_mut().for_each(|order| order.push_buffer(buffer));
    }

    /// From now on ops are only counted, not taken.
    pub fn fill(&mut self) {
        self.is_full = true;
    }

    /// Whether ops are only counted.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether another block of ops can be started: always, unless ops are only counted.
    pub fn has_room_for_device(&self) -> bool {
        !self.is_full || self.slots.len() < MAX_COUNTED_SLOTS
    }

    /// Whether another part can be started, under the same condition as blocks.
    pub fn has_room_for_part(&self) -> bool {
        !self.is_full || self.parts.len() < MAX_COUNTED_SLOTS
    }

    /// The number of ops left out so far.
    pub fn left_out(&self) -> LeftOut {
        self.slots.iter().fold(LeftOut::default(), |all, slot| all.with(slot.left_out()))
    }

    /// Starts a block of ops of one device.
    pub fn begin_device(&mut self) -> DeviceSlot {
        self.need_part();
        self.begin_device_of(PartId::from_usize(self.parts.len() - 1))
    }

    /// The block of the device `name` in the newest part, which is new if there is none yet; `None` if there is no room for it.
    /// Naming the same device again costs nothing more.
    pub fn device(&mut self, name: &[u8]) -> Option<DeviceSlot> {
        self.need_part();
        let part = self.parts.len() as u32 - 1;
        let id = self.strings.intern(name);
        let known = self.slot_of_name.get(&id).copied();
        if let Some(slot) =
            known.filter(|&slot| self.slots.get(slot as usize).is_some_and(|slot| slot.part == part))
        {
            return Some(DeviceSlot(slot));
        }
        if !self.has_room_for_device() {
            return None;
        }
        let slot = self.begin_device();
        self.name_device(slot, name);
        self.slot_of_name.insert(id, slot.0);
        Some(slot)
    }

    /// Whether the device of a block is selected, as far as is known.
    pub fn is_selected(&self, slot: DeviceSlot) -> bool {
        self.slots.get(slot.0 as usize).is_some_and(|slot| slot.is_selected)
    }

    /// Starts a block of ops of one device in `part`.
    pub fn begin_device_of(&mut self, part: PartId) -> DeviceSlot {
        let slot = Slot {
            name: None,
            is_selected: true,
            ops: 0,
            taken: 0,
            outside_window: 0,
            first_start: i64::MAX,
            last_end: i64::MIN,
            part: part.get(),
            process: self.is_apart.then_some(self.file),
            host: self.host,
            nests: false,
            is_accelerator: false,
            capability: None,
            is_process: false,
        };
        push_sparingly(&mut self.slots, slot);
        DeviceSlot(self.slots.len() as u32 - 1)
    }

    /// Names the device of a block; returns whether it is selected. If it is not, the ops that it has already are left out.
    pub fn name_device(&mut self, slot: DeviceSlot, name: &[u8]) -> bool {
        let name = self.strings.intern(&of_process(self.process.as_deref(), name));
        if let Some(task) = task_of(self.strings.get(name)).map(str::to_owned) {
            self.strings.intern(task.as_bytes());
        }
        let is_selected = self.selection.has_device(self.strings.get(name));
        self.has_host |= is_host(self.strings.get(name));
        if let Some(named) = self.slots.get_mut(slot.0 as usize) {
            named.name = Some(name);
            named.is_selected = is_selected;
            if !is_selected {
                named.taken = 0;
            }
        }
        is_selected
    }

    /// Names the device of a block of the process that the file itself calls `process`; see [`name_process`](Self::name_process).
    pub fn name_device_of(&mut self, slot: DeviceSlot, process: &str, name: &[u8]) -> bool {
        let name = device_of_process(&task_of_process(process), name);
        self.name_device(slot, &name)
    }

    /// Marks the block as nested: ops of one thread contain one another, because the format records nesting.
    pub fn mark_nesting(&mut self, slot: DeviceSlot) {
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            slot.nests = true;
        }
    }

    /// Marks the device of a block as a GPU, a TPU or the like.
    pub fn mark_accelerator(&mut self, slot: DeviceSlot) {
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            slot.is_accelerator = true;
        }
    }

    /// Sets the compute capability of a block's device, if that is an accelerator.
    pub fn set_capability(&mut self, slot: DeviceSlot, own: Capability) {
        if let Some(slot) = self.slots.get_mut(slot.0 as usize).filter(|slot| slot.is_accelerator) {
            slot.capability = Some(own);
        }
    }

    /// Takes note that an accelerator calculates this much in a second at most.
    pub fn add_peak_flops(&mut self, own: Flops) {
        self.peak = self.peak.and(own);
    }

    /// Whether the device of a block has a name yet.
    pub fn is_named(&self, slot: DeviceSlot) -> bool {
        self.slots.get(slot.0 as usize).is_some_and(|slot| slot.name.is_some())
    }

    /// Names a thread of a block's device.
    pub fn name_thread(&mut self, slot: DeviceSlot, thread: u32, name: &[u8]) {
        let name = self.strings.intern(name);
        self.threads.push((slot.0, thread, name));
    }

    /// Adds an op; its outputs and allocator reports follow.
    #[inline]
    pub fn op(&mut self, slot: DeviceSlot, record: &OpRecord<'_>) -> Result<(), Refused> {
        self.hinted_op(slot, record, Hint::default())
    }

    /// Adds an op with a hint: a field of the format says what the op is.
    #[inline]
    pub fn hinted_op(&mut self, slot: DeviceSlot, record: &OpRecord<'_>, hint: Hint) -> Result<(), Refused> {
        self.admit(slot, &record.times)?;
        let node = self.hinted_node(record.name, record.label, hint);
        self.push_op(slot, node, &record.times);
        Ok(())
    }

    /// A hint with the meaning `says`. `field` is the reason in words that users know (`cat=kernel`).
    pub fn hint(&mut self, says: Says, field: &[u8]) -> Hint {
        self.nodes.hint(&mut self.strings, says, field)
    }

    /// A node with a known category and reason, as a session stores them. If its name and label give the same category and reason,
    /// it is the node that any other file would make.
    pub fn known_node(&mut self, name: &[u8], label: &[u8], category: Category, reason: &[u8]) -> NodeId {
        let [name_text, label_text] = [name, label].map(String::from_utf8_lossy);
        let op_type = op_type(&name_text, &label_text);
        let by_names = CategoryRules::default().decide(Says::Nothing, &name_text, op_type, &label_text);
        let hint = match by_names.0 == category && by_names.1.word().as_bytes() == reason {
            true => Hint::default(),
            false => self.hint(Says::Is(category), reason),
        };
        self.hinted_node(name, label, hint)
    }

    /// A hint whose meaning [`settle_hint`](Self::settle_hint) sets later.
    pub fn open_hint(&mut self, field: &[u8]) -> Hint {
        self.nodes.open_hint(&mut self.strings, field)
    }

    /// Sets the meaning of an open hint.
    pub fn settle_hint(&mut self, hint: Hint, says: Says) {
        self.nodes.settle(hint, says);
    }

    /// The node with `name` and `label`, for ops that are added by [`op_of`](Self::op_of).
    pub fn node(&mut self, name: &[u8], label: &[u8]) -> NodeId {
        self.hinted_node(name, label, Hint::default())
    }

    /// The node with `name`, `label` and `hint`: a field of the format says what its ops are.
    #[inline]
    pub fn hinted_node(&mut self, name: &[u8], label: &[u8], hint: Hint) -> NodeId {
        self.nodes.intern(&mut self.strings, name, label, hint)
    }

    /// Adds an op of a node that this builder made; its outputs and allocator reports follow.
    #[inline]
    pub fn op_of(&mut self, slot: DeviceSlot, node: NodeId, times: &OpTimes) -> Result<(), Refused> {
        self.admit(slot, times)?;
        self.push_op(slot, node, times);
        Ok(())
    }

    /// Counts an op of a device that is not selected, without reading it.
    pub fn pass_by(&mut self, slot: DeviceSlot) {
        self.pass_by_many(slot, 1);
    }

    /// Counts `ops` of a device for which no memory is left.
    pub fn pass_by_many(&mut self, slot: DeviceSlot, ops: u64) {
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            slot.ops += ops;
        }
    }

    /// Counts an op, and returns an error if it must not be taken.
    #[inline]
    fn admit(&mut self, slot: DeviceSlot, times: &OpTimes) -> Result<(), Refused> {
        self.check(times)?;
        let Some(slot) = self.slots.get_mut(slot.0 as usize) else { return Err(Refused::LeftOut) };
        slot.ops += 1;
        slot.first_start = slot.first_start.min(times.start_unix_ns);
        slot.last_end = slot.last_end.max(times.start_unix_ns + times.length_ns.max(0));
        if slot.is_selected && !self.selection.has_times(times) {
            slot.outside_window += 1;
        } else if slot.is_selected && !self.is_full {
            slot.taken += 1;
            return Ok(());
        }
        Err(Refused::LeftOut)
    }

    /// Whether a table can hold an op with these times.
    #[inline]
    pub fn check(&self, times: &OpTimes) -> Result<(), Refused> {
        let believable = -MAX_UNIX_NS..MAX_UNIX_NS;
        let end = times.start_unix_ns.checked_add(times.length_ns.max(0));
        if !believable.contains(&times.start_unix_ns) || !end.is_some_and(|end| believable.contains(&end)) {
            return Err(Refused::TimeOutOfRange);
        }
        if self.slot_of_op.len() >= (u32::MAX - 1) as usize {
            return Err(Refused::TooManyOps);
        }
        Ok(())
    }

    #[inline]
    fn push_op(&mut self, slot: DeviceSlot, node: NodeId, times: &OpTimes) {
        self.ops.push(node, times);
        self.slot_of_op.push(slot.0);
        self.outputs.next_op();
        self.memory.next_op();
        self.file_order.iter_mut().for_each(FileOrderBuilder::next_op);
    }

    /// Adds an output to the op in progress.
    #[inline]
    pub fn output(&mut self, record: &OutputRecord<'_>) {
        self.outputs.push(&mut self.strings, record);
    }

    /// The forms of arguments, to find the form for the arguments of an op.
    pub fn argument_forms(&mut self) -> &mut ArgumentsBuilder {
        &mut self.arguments
    }

    /// Gives the current op arguments: its numbers, in the order of their form.
    pub fn arguments(&mut self, form: ArgumentForm, numbers: &[i64]) {
        if let Some(row) = self.ops.len().checked_sub(1) {
            self.arguments.push(row, form, numbers);
        }
    }

    /// Sets whether the outputs of the following ops say [themselves](Self::replaced) that a later output of the file has their
    /// name. For readers whose ops are not in the order of the file that recorded them.
    pub fn say_replaced(&mut self, say: bool) {
        self.outputs.say_replaced(self.ops.len(), say);
    }

    /// Marks the last output: a later output of the file has its name.
    pub fn replaced(&mut self) {
        self.outputs.replaced();
    }

    /// Adds an allocator's report to the current op; its records follow. `in_use` is what the allocator had in use then, for any
    /// op.
    pub fn allocator_use(&mut self, allocator: &[u8], total: i64, peak: i64, live: i64, in_use: Option<i64>) {
        self.memory.push(&mut self.strings, allocator, total, peak, live, in_use);
    }

    /// Adds an allocation (positive) or a free (negative) to the current report.
    pub fn allocation(&mut self, at_unix_ns: i64, bytes: i64) {
        let start = self.ops.start.last().unwrap_or(0);
        self.memory.push_record(at_unix_ns.saturating_sub(start), bytes);
    }

    /// Adds a node of a partition graph.
    pub fn graph_node(&mut self, record: &GraphNodeRecord<'_>) {
        self.need_part();
        let full = |device| of_process(self.process.as_deref(), device);
        let device = full(record.device);
        let ends =
            record.rendezvous.map(|(tensor, source, destination)| (tensor, full(source), full(destination)));
        let rendezvous =
            ends.as_ref().map(|(tensor, source, destination)| (*tensor, &**source, &**destination));
        let record = GraphNodeRecord { device: &device, rendezvous, ..*record };
        self.graph.push(&mut self.strings, &record);
    }

    /// The number of ops so far.
    pub fn op_count(&self) -> usize {
        let whole = self.whole.as_ref().map_or(0, |whole| whole.ops.len());
        whole + self.slots.iter().map(|slot| slot.taken as usize).sum::<usize>()
    }

    /// The number of blocks of ops so far.
    pub fn block_count(&self) -> usize {
        self.slots.len()
    }

    /// The number of graph nodes so far.
    pub fn graph_node_count(&self) -> usize {
        self.graph.len() + self.whole.as_ref().map_or(0, |whole| whole.graph.len())
    }

    /// Heap memory in use so far, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.strings.heap_bytes()
            + self.nodes.heap_bytes()
            + self.graph.heap_bytes()
            + self.ops.heap_bytes()
            + self.outputs.heap_bytes()
            + self.memory.heap_bytes()
            + self.arguments.heap_bytes()
            + self.samples.heap_bytes()
            + self.late_memory.capacity() * size_of::<LateRecord>()
            + self.slot_of_op.heap_bytes()
            + self.slots.capacity() * size_of::<Slot>()
            + self.slot_of_name.capacity() * 9
            + self.parts.capacity() * size_of::<Part>()
            + self.threads.capacity() * size_of::<(u32, u32, StringId)>()
            + self.calls.capacity() * size_of::<(u32, u32)>()
            + self.marks.capacity() * size_of::<(PartId, u32)>()
            + self.file_order.as_ref().map_or(0, FileOrderBuilder::heap_bytes)
            + self.whole.as_ref().map_or(0, |whole| whole.heap_bytes())
    }
}

/// Appends to a list whose items are large compared with the bytes that a file spends on them. The list grows by a quarter at a
/// time, so that the old and the new list together take at most two and a quarter times the size of the items.
fn push_sparingly<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + 32);
    }
    list.push(value);
}

/// `device` under the process that the user named, if there is one.
fn of_process<'a>(process: Option<&str>, device: &'a [u8]) -> Cow<'a, [u8]> {
    process.map_or(Cow::Borrowed(device), |task| device_of_process(task, device))
}

#[cfg(test)]
mod tests;
