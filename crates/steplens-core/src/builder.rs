//! The builder: readers feed it records in any order, [`TraceBuilder::finish`] makes the trace.

use crate::category::CategoryRules;
use crate::chunked::Chunked;
use crate::column::{Column, ColumnBuilder};
use crate::device::{Device, DeviceKind, DeviceTable, task_of};
use crate::graph::{Graph, GraphNodeRecord};
use crate::ids::{DeviceId, NodeId, PartId, StringId};
use crate::memory::MemoryTableBuilder;
use crate::natural;
use crate::node::NodeTable;
use crate::op::OpTableBuilder;
use crate::order;
use crate::output::{OutputRecord, OutputTableBuilder};
use crate::part::{Part, PartRecord};
use crate::process::{device_of_process, task_of_process};
use crate::selection::{FoundDevice, LeftOut, Selection};
use crate::strings::StringTable;
use crate::trace::Trace;
use crate::units::{Interval, MAX_UNIX_NS, Timestamp};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// A block of ops that belong to one device, as files group them; its name may become known after its ops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceSlot(u32);

/// One op as a reader met it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpRecord<'a> {
    /// The node's name as it stands in the file.
    pub name: &'a [u8],
    /// The `timeline_label` as it stands in the file.
    pub label: &'a [u8],
    /// When it ran.
    pub times: OpTimes,
}

/// When an op ran, and on which thread. Times are ns from 1970 (`unix`) or from the op's start.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpTimes {
    /// `all_start`.
    pub start_unix_ns: i64,
    /// `all_end_rel`; a negative length is taken as none.
    pub length_ns: i64,
    /// `scheduled`, if it was recorded.
    pub scheduled_unix_ns: Option<i64>,
    /// `op_start_rel`.
    pub kernel_start_ns: i64,
    /// `op_end_rel`.
    pub kernel_end_ns: i64,
    /// `thread_id`.
    pub thread: u32,
}

/// Why an op cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Its start or end is further from 1970 than [`MAX_UNIX_NS`].
    TimeOutOfRange,
    /// The tables are full: 2^32 - 2 rows.
    TooManyOps,
    /// It is not among those selected, or [`fill`](TraceBuilder::fill) was called; it is counted.
    LeftOut,
}

/// A block of ops of one device: its name, and what was found in it.
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
    /// The file, if it is of a process that nobody named.
    process: Option<u32>,
    /// The machine that it was recorded on, if the file says it.
    host: Option<StringId>,
}

/// The part of what was taken back.
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

/// After the memory is full, blocks of ops are counted up to this many, 25 MiB of them: a file of 50 GB that is made of
/// single steps, each with ten blocks, has as many. Those of a hostile file are not counted on and on.
const MAX_COUNTED_SLOTS: usize = 1 << 19;

/// Collects what a reader finds. Nothing here can fail but [`op`](Self::op), which refuses what no table can hold.
#[derive(Default)]
pub struct TraceBuilder {
    strings: StringTable,
    nodes: NodeTable,
    graph: Graph,
    parts: Vec<Part>,
    ops: OpTableBuilder,
    outputs: OutputTableBuilder,
    memory: MemoryTableBuilder,
    /// The slot of each op, in the order of the file.
    slot_of_op: Chunked<u32>,
    slots: Vec<Slot>,
    /// The newest block of each device that was asked for by its name.
    slot_of_name: HashMap<StringId, u32, FixedState>,
    /// The file being read, and whether it has a part yet.
    file: u32,
    has_part: bool,
    /// The task of the process that the file is of, if the user named it.
    process: Option<String>,
    /// The file is of another process than every other file.
    is_apart: bool,
    host: Option<StringId>,
    selection: Selection,
    is_full: bool,
    /// (slot, thread, name).
    threads: Vec<(u32, u32, StringId)>,
}

impl TraceBuilder {
    /// From now on takes only the ops that `selection` has.
    pub fn select(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// Which ops are taken.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// From now on takes no op, and only counts them.
    pub fn fill(&mut self) {
        self.is_full = true;
    }

    /// Whether ops are only counted.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether another block of ops can be started: always, until ops are only counted.
    pub fn has_room_for_device(&self) -> bool {
        !self.is_full || self.slots.len() < MAX_COUNTED_SLOTS
    }

    /// Whether another part can be started: as with blocks of ops.
    pub fn has_room_for_part(&self) -> bool {
        !self.is_full || self.parts.len() < MAX_COUNTED_SLOTS
    }

    /// How many ops were left out so far.
    pub fn left_out(&self) -> LeftOut {
        self.slots.iter().fold(LeftOut::default(), |all, slot| all.with(slot.left_out()))
    }

    /// Starts the next file.
    pub fn begin_file(&mut self, file: u32) {
        self.file = file;
        self.has_part = false;
        self.process = None;
        self.is_apart = false;
        self.host = None;
    }

    /// Says what the user calls the process that the file is of. Its devices that belong to no task of a cluster are then devices of
    /// that process, so that those of several files stay apart.
    pub fn name_process(&mut self, name: &str) {
        self.process = Some(task_of_process(name));
    }

    /// Says that the file is of a process of its own, though its devices are called as those of others. If there are several such
    /// files, and the user did not name them, they are called by their order: `process0`.
    pub fn tell_process_apart(&mut self) {
        self.is_apart = self.process.is_none();
    }

    /// Says which machine the file was recorded on. If the files are of several machines, devices that belong to no task of a
    /// cluster are devices of their machine, unless the user named the file.
    pub fn tell_host(&mut self, host: &str) {
        self.host = self.process.is_none().then(|| self.strings.intern(host.as_bytes()));
    }

    /// The files that are called by their order.
    pub fn unnamed_processes(&self) -> Vec<u32> {
        let mut files: Vec<u32> =
            self.slots.iter().filter(|slot| slot.part != DISCARDED).filter_map(|slot| slot.process).collect();
        files.dedup();
        if files.len() > 1 { files } else { Vec::new() }
    }

    /// Adds a part of a file, counted from the one being read; what is to be in it says so itself.
    pub fn add_part(&mut self, file: u32, record: &PartRecord<'_>) -> PartId {
        let part = self.new_part(self.file.saturating_add(file), record);
        self.parts.push(part);
        self.has_part = true;
        PartId::from_usize(self.parts.len() - 1)
    }

    /// The graph nodes that follow are of `part`, the one before or a later one.
    pub fn continue_graphs(&mut self, part: PartId) {
        self.graph.continue_part(part);
    }

    /// Starts a part of the file: what follows was recorded at once. A file need not have any; it then is one.
    pub fn begin_part(&mut self, record: &PartRecord<'_>) -> PartId {
        let part = self.new_part(self.file, record);
        // One that nothing followed and that is no run was never there.
        if self.has_part && self.parts.last().is_some_and(|last| !last.is_run) && !self.part_has_content() {
            self.parts.pop();
        }
        push_sparingly(&mut self.parts, part);
        let part = PartId::from_usize(self.parts.len() - 1);
        self.graph.begin_part(part);
        self.has_part = true;
        part
    }

    /// Says what a part is that was begun before it was known.
    pub fn describe_part(&mut self, part: PartId, record: &PartRecord<'_>) {
        let Some(file) = self.parts.get(part.index()).map(|part| part.file) else { return };
        self.parts[part.index()] = self.new_part(file, record);
    }

    /// When the first op of each part began, in ns from 1970.
    pub fn starts_of_parts(&self) -> Vec<Option<i64>> {
        let mut starts: Vec<Option<i64>> = vec![None; self.parts.len()];
        for slot in self.slots.iter().filter(|slot| slot.first_start <= slot.last_end) {
            if let Some(start) = starts.get_mut(slot.part as usize) {
                *start = Some(start.map_or(slot.first_start, |start| start.min(slot.first_start)));
            }
        }
        starts
    }

    /// How many parts there are so far.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Takes back all parts but the first `count`, with their ops and graphs, and says how many ops those had. The rows of
    /// these ops stay where they are, as those of devices that are not selected do, and do not come into the trace.
    pub fn discard_parts(&mut self, count: usize) -> u64 {
        let mut ops = 0;
        let is_part_of = |slot: &&mut Slot| slot.part != DISCARDED && slot.part as usize >= count;
        for slot in self.slots.iter_mut().rev().take_while(is_part_of) {
            ops += slot.ops;
            (slot.ops, slot.taken, slot.outside_window, slot.part) = (0, 0, 0, DISCARDED);
        }
        self.parts.truncate(count);
        self.graph.discard_parts(PartId::from_usize(count));
        self.has_part = false;
        ops
    }

    fn new_part(&mut self, file: u32, record: &PartRecord<'_>) -> Part {
        let strings = &mut self.strings;
        let facts = record.facts.iter();
        let facts =
            facts.map(|(what, value)| (strings.intern(what.as_bytes()), strings.intern(value.as_bytes())));
        Part {
            file,
            facts: facts.collect(),
            name: strings.intern(record.name.as_bytes()),
            step: record.step,
            recorded_unix_ns: record.recorded_unix_ns,
            is_run: record.is_run,
            ops: 0,
            span: Interval::default(),
        }
    }

    /// Whether the newest part has ops or graph nodes so far.
    fn part_has_content(&self) -> bool {
        let newest = self.parts.len() as u32 - 1;
        self.slots.last().is_some_and(|slot| slot.part == newest) || self.graph.newest_part_has_nodes()
    }

    /// Starts a block of ops of one device.
    pub fn begin_device(&mut self) -> DeviceSlot {
        self.need_part();
        self.begin_device_of(PartId::from_usize(self.parts.len() - 1))
    }

    /// The block of ops of the device `name` in the newest part, a new one if there is none yet; `None` if there is no room
    /// for that. A device that is named again and again costs nothing more.
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

    /// Starts a block of ops of one device, which are of `part`.
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
        };
        push_sparingly(&mut self.slots, slot);
        DeviceSlot(self.slots.len() as u32 - 1)
    }

    /// Ends a part: if no other begins, what follows in the file is one of its own.
    pub fn end_part(&mut self) {
        self.has_part = false;
    }

    fn need_part(&mut self) {
        if !self.has_part {
            self.begin_part(&PartRecord::default());
        }
    }

    /// Names the device of a block; says whether it is selected. If it is not, the ops that it got already are left out.
    pub fn name_device(&mut self, slot: DeviceSlot, name: &[u8]) -> bool {
        let name = self.strings.intern(&of_process(self.process.as_deref(), name));
        if let Some(task) = task_of(self.strings.get(name)).map(str::to_owned) {
            self.strings.intern(task.as_bytes());
        }
        let is_selected = self.selection.has_device(self.strings.get(name));
        if let Some(own) = self.slots.get_mut(slot.0 as usize) {
            own.name = Some(name);
            own.is_selected = is_selected;
            if !is_selected {
                own.taken = 0;
            }
        }
        is_selected
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
    pub fn op(&mut self, slot: DeviceSlot, record: &OpRecord<'_>) -> Result<(), Refused> {
        self.admit(slot, &record.times)?;
        let node = self.node(record.name, record.label);
        self.push_op(slot, node, &record.times);
        Ok(())
    }

    /// The node of `name` and `label`, for ops that are added by [`op_of`](Self::op_of).
    pub fn node(&mut self, name: &[u8], label: &[u8]) -> NodeId {
        self.nodes.intern(&mut self.strings, name, label)
    }

    /// Adds an op of a node that this builder knows; its outputs and allocator reports follow.
    pub fn op_of(&mut self, slot: DeviceSlot, node: NodeId, times: &OpTimes) -> Result<(), Refused> {
        self.admit(slot, times)?;
        self.push_op(slot, node, times);
        Ok(())
    }

    /// Counts an op of a device that is not selected, without a look at it.
    pub fn pass_by(&mut self, slot: DeviceSlot) {
        self.pass_by_many(slot, 1);
    }

    /// Counts ops of a device that no memory is left for.
    pub fn pass_by_many(&mut self, slot: DeviceSlot, ops: u64) {
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            slot.ops += ops;
        }
    }

    /// Counts an op; says whether it is to be taken.
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

    /// Whether a table can hold an op of these times.
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
    }

    /// Adds an output to the op in progress.
    pub fn output(&mut self, record: &OutputRecord<'_>) {
        self.outputs.push(&mut self.strings, record);
    }

    /// Adds an allocator's report to the op in progress; its records follow.
    pub fn allocator_use(&mut self, allocator: &[u8], total: i64, peak: i64, live: i64) {
        self.memory.push(&mut self.strings, allocator, total, peak, live);
    }

    /// Adds an allocation (positive) or a free (negative) to the report in progress.
    pub fn allocation(&mut self, at_unix_ns: i64, bytes: i64) {
        let start = self.ops.start.last().unwrap_or(0);
        self.memory.push_record(at_unix_ns.saturating_sub(start), bytes);
    }

    /// Adds a node of a partition graph.
    pub fn graph_node(&mut self, record: &GraphNodeRecord<'_>) {
        self.need_part();
        let own = |device| of_process(self.process.as_deref(), device);
        let device = own(record.device);
        let ends =
            record.rendezvous.map(|(tensor, source, destination)| (tensor, own(source), own(destination)));
        let rendezvous =
            ends.as_ref().map(|(tensor, source, destination)| (*tensor, &**source, &**destination));
        let record = GraphNodeRecord { device: &device, rendezvous, ..*record };
        self.graph.push(&mut self.strings, &record);
    }

    /// How many ops there are so far.
    pub fn op_count(&self) -> usize {
        self.slots.iter().map(|slot| slot.taken as usize).sum()
    }

    /// How many graph nodes there are so far.
    pub fn graph_node_count(&self) -> usize {
        self.graph.len()
    }

    /// Memory held so far, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.strings.heap_bytes()
            + self.nodes.heap_bytes()
            + self.graph.heap_bytes()
            + self.ops.heap_bytes()
            + self.outputs.heap_bytes()
            + self.memory.heap_bytes()
            + self.slot_of_op.heap_bytes()
            + self.slots.capacity() * size_of::<Slot>()
            + self.slot_of_name.capacity() * 9
            + self.parts.capacity() * size_of::<Part>()
            + self.threads.capacity() * size_of::<(u32, u32, StringId)>()
    }

    /// The trace of everything added, with ops in categories by `rules`.
    pub fn finish(mut self, rules: &CategoryRules) -> Trace {
        let (device_of_slot, mut devices) = self.devices(|slot| slot.is_selected);
        self.graph.finish();
        self.nodes.categorize(&self.strings, rules);
        for (slot, device) in self.slots.iter().zip(&device_of_slot) {
            if let Some(device) = device {
                devices[device.index()].op_count += slot.taken;
            }
        }
        let mut first_op = 0;
        for device in &mut devices {
            device.first_op = first_op;
            first_op += device.op_count;
        }
        let device_of_op = self.slot_of_op.iter().map(|slot| device_of_slot[slot as usize]);
        let rows = sort_ops(&self.ops, device_of_op, &devices);
        let part_of_row = self.part_of_rows(&rows);
        self.slot_of_op = Chunked::default();

        let mut trace = Trace {
            strings: Arc::new(self.strings),
            nodes: Arc::new(self.nodes),
            graph: Arc::new(self.graph),
            parts: self.parts,
            ..Trace::default()
        };
        trace.origin_unix_ns = rows.iter().map(|&row| self.ops.start.get(row as usize)).min().unwrap_or(0);
        trace.ops = self.ops.finish(&rows, trace.origin_unix_ns, part_of_row);
        trace.outputs = self.outputs.finish(&rows);
        trace.memory = self.memory.finish(&rows);
        trace.end = trace.ops.ids().map(|op| trace.ops.end(op)).max().unwrap_or(Timestamp(0));
        trace.measure_parts();
        trace.devices = DeviceTable::new(devices);
        trace.threads = self
            .threads
            .iter()
            .filter_map(|&(slot, thread, name)| Some((device_of_slot[slot as usize]?, thread, name)))
            .collect();
        order::by_number(&mut trace.threads, |(device, thread, name)| {
            (i64::from(device.get()) << 32 | i64::from(thread), i64::from(name.get()))
        });
        trace.threads.dedup_by_key(|&mut (device, thread, _)| (device, thread));
        trace
    }

    /// The part of each row.
    fn part_of_rows(&self, rows: &[u32]) -> Column {
        let part = |&row: &u32| i64::from(self.slots[self.slot_of_op.get(row as usize) as usize].part);
        match self.parts.len() {
            // Nothing to look up for each op of a file that is one part.
            ..=1 => Column::default(),
            _ => ColumnBuilder::of(rows.iter().map(part)),
        }
    }

    /// What the files hold of every device, those that are left out among them.
    pub fn found(&mut self) -> Vec<FoundDevice> {
        let (device_of_slot, devices) = self.devices(|_| true);
        let name = |device: &Device| self.strings.get(device.name).to_owned();
        let mut found: Vec<FoundDevice> = devices
            .iter()
            .map(|device| FoundDevice { name: name(device), ..FoundDevice::default() })
            .collect();
        for (slot, device) in self.slots.iter().zip(device_of_slot) {
            let Some(device) = device.map(|device| &mut found[device.index()]) else { continue };
            device.ops += slot.ops;
            device.taken += u64::from(slot.taken);
            if slot.first_start <= slot.last_end {
                let span = device.span_unix_ns.get_or_insert(slot.first_start..slot.last_end);
                *span = span.start.min(slot.first_start)..span.end.max(slot.last_end);
            }
        }
        found
    }

    /// The devices of the blocks that are wanted, in order, and the device of each block.
    fn devices(&mut self, is_wanted: impl Fn(&Slot) -> bool) -> (Vec<Option<DeviceId>>, Vec<Device>) {
        let unnamed = self.strings.intern(b"(unnamed device)");
        let files = self.unnamed_processes();
        let mut hosts = self.slots.iter().filter(|slot| slot.part != DISCARDED).filter_map(|slot| slot.host);
        let first = hosts.next();
        let has_hosts = hosts.any(|host| Some(host) != first);
        let mut names: Vec<Option<StringId>> = Vec::with_capacity(self.slots.len());
        for slot in &self.slots {
            let mut name = slot.name.unwrap_or(unnamed);
            let place = slot.process.and_then(|file| files.binary_search(&file).ok());
            let process = place.map(|place| format!("process{place}"));
            let host = || slot.host.filter(|_| has_hosts).map(|host| self.strings.get(host).to_owned());
            if let Some(process) = process.or_else(host) {
                let task = task_of_process(&process);
                self.strings.intern(task.as_bytes());
                let full = device_of_process(&task, self.strings.get(name).as_bytes()).into_owned();
                name = self.strings.intern(&full);
            }
            names.push((slot.part != DISCARDED && is_wanted(slot)).then_some(name));
        }
        sort_devices(&self.strings, &names)
    }
}

/// Appends to a list of things that are large beside what a file spends on them: it grows by a quarter at a time, so that
/// old and new together take at most two and a quarter times what is in it.
fn push_sparingly<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + 32);
    }
    list.push(value);
}

/// `device` as the process that the user named calls it, if any.
fn of_process<'a>(process: Option<&str>, device: &'a [u8]) -> Cow<'a, [u8]> {
    process.map_or(Cow::Borrowed(device), |task| device_of_process(task, device))
}

/// The devices in natural order of task and name (those without a task last), and the device of each slot.
fn sort_devices(strings: &StringTable, names: &[Option<StringId>]) -> (Vec<Option<DeviceId>>, Vec<Device>) {
    let key = |name: StringId| {
        let text = strings.get(name);
        (task_of(text).unwrap_or("\u{10ffff}"), text)
    };
    let mut distinct: Vec<StringId> = names.iter().copied().flatten().collect();
    order::by_number(&mut distinct, |name| (i64::from(name.get()), 0));
    distinct.dedup();
    order::by(&mut distinct, |a, b| {
        let (a, b) = (key(a), key(b));
        natural::compare(a.0, b.0).then_with(|| natural::compare(a.1, b.1))
    });
    let mut id_of_name = vec![DeviceId::new(0); strings.len()];
    for (row, name) in distinct.iter().enumerate() {
        id_of_name[name.index()] = DeviceId::from_usize(row);
    }
    let devices = distinct.iter().map(|&name| {
        let text = strings.get(name);
        let task = task_of(text).and_then(|task| strings.find(task));
        Device { name, task, kind: DeviceKind::of(text), first_op: 0, op_count: 0 }
    });
    (names.iter().map(|name| name.map(|name| id_of_name[name.index()])).collect(), devices.collect())
}

/// The rows of the file in the order of the trace: by device, start, end, place in the file. Those without a device are
/// left out.
pub(crate) fn sort_ops(
    ops: &OpTableBuilder,
    device_of_op: impl Iterator<Item = Option<DeviceId>>,
    devices: &[Device],
) -> Vec<u32> {
    let mut next: Vec<usize> = devices.iter().map(|device| device.first_op as usize).collect();
    let mut rows = vec![0; devices.last().map_or(0, |device| device.end_op() as usize)];
    for (row, device) in device_of_op.enumerate() {
        let Some(device) = device else { continue };
        let place = &mut next[device.index()];
        rows[*place] = row as u32;
        *place += 1;
    }
    for device in devices {
        let own = &mut rows[device.first_op as usize..(device.first_op + device.op_count) as usize];
        order::by_number(own, |row| (ops.start.get(row as usize), ops.length.get(row as usize)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(
        builder: &mut TraceBuilder,
        slot: DeviceSlot,
        name: &[u8],
        start: i64,
        length: i64,
    ) -> Result<(), Refused> {
        let times = OpTimes { start_unix_ns: start, length_ns: length, ..OpTimes::default() };
        builder.op(slot, &OpRecord { name, label: b"", times })
    }

    #[test]
    fn blocks_of_one_device_are_one_device_and_ops_come_sorted() {
        let mut builder = TraceBuilder::default();
        let (late, ps, early) = (builder.begin_device(), builder.begin_device(), builder.begin_device());
        op(&mut builder, late, b"c", 1_030, 5).unwrap();
        op(&mut builder, early, b"b", 1_010, 5).unwrap();
        op(&mut builder, early, b"a", 1_010, 0).unwrap();
        builder.output(&OutputRecord {
            requested_bytes: 7,
            shape: Some(&[2, -1]),
            ..OutputRecord::default()
        });
        builder.allocator_use(b"cpu", 8, 8, 8);
        builder.allocation(1_012, -8);
        op(&mut builder, ps, b"p", 1_000, 3).unwrap();
        assert_eq!(op(&mut builder, ps, b"x", i64::MAX, 1), Err(Refused::TimeOutOfRange));
        builder.name_device(ps, b"/job:ps/replica:0/task:0/device:CPU:0");
        builder.name_device(late, b"/job:worker/replica:0/task:10/device:CPU:0");
        builder.name_device(early, b"/job:worker/replica:0/task:10/device:CPU:0");
        builder.name_thread(late, 3, b"pool");
        let trace = builder.finish(&CategoryRules::default());

        assert_eq!(trace.devices().len(), 2);
        let names: Vec<_> = trace.ops().ids().map(|op| trace.op_name(op)).collect();
        assert_eq!(names, ["p", "a", "b", "c"]);
        assert_eq!((trace.origin_unix_ns(), trace.span().end), (1_000, Timestamp(35)));
        let a = trace.ops().ids().nth(1).unwrap();
        let worker = trace.device_of(a);
        assert_eq!(
            trace.devices().get(worker).task.map(|task| trace.text(task)),
            Some("/job:worker/replica:0/task:10")
        );
        assert_eq!(
            trace.outputs().of(a).map(|output| output.shape.map(<[i64]>::to_vec)).collect::<Vec<_>>(),
            [Some(vec![2, -1])]
        );
        let records: Vec<_> =
            trace.memory().of(a).flat_map(|(_, records)| records.collect::<Vec<_>>()).collect();
        assert_eq!(
            records.iter().map(|record| (record.after_start.0, record.bytes)).collect::<Vec<_>>(),
            [(2, -8)]
        );
        assert_eq!(trace.thread_name(worker, 3), Some("pool"));
        assert_eq!(trace.outputs().requested_bytes(trace.ops().ids().nth(2).unwrap()).0, 0);
    }

    #[test]
    fn parts_that_are_taken_back_leave_nothing() {
        let mut builder = TraceBuilder::default();
        for (part, is_kept) in [("a", true), ("b", false), ("c", false), ("d", true)] {
            let before = builder.part_count();
            builder.begin_part(&PartRecord { name: part, is_run: true, ..PartRecord::default() });
            let slot = builder.begin_device();
            builder.name_device(slot, part.as_bytes());
            builder.name_thread(slot, 1, b"pool");
            op(&mut builder, slot, part.as_bytes(), 1_000, 3).unwrap();
            builder.output(&OutputRecord { requested_bytes: 7, ..OutputRecord::default() });
            let inputs: [&[u8]; 2] = [b"x", part.as_bytes()];
            let rendezvous = (&b"t"[..], &b"s"[..], &b"r"[..]);
            builder.graph_node(&GraphNodeRecord {
                name: part.as_bytes(),
                op: b"_Send",
                inputs: &inputs,
                rendezvous: Some(rendezvous),
                ..GraphNodeRecord::default()
            });
            if !is_kept {
                assert_eq!(builder.discard_parts(before), 1);
            }
        }
        assert_eq!((builder.op_count(), builder.graph_node_count(), builder.left_out().total()), (2, 2, 0));
        let found: Vec<_> = builder.found().into_iter().map(|device| (device.name, device.ops)).collect();
        assert_eq!(found, [("a".to_owned(), 1), ("d".to_owned(), 1)]);
        let trace = builder.finish(&CategoryRules::default());
        let parts: Vec<_> = trace.parts().iter().map(|part| (trace.text(part.name), part.ops)).collect();
        assert_eq!(parts, [("a", 1), ("d", 1)]);
        let ops: Vec<_> =
            trace.ops().ids().map(|op| (trace.op_name(op), trace.ops().part(op).index())).collect();
        assert_eq!(ops, [("a", 0), ("d", 1)]);
        let graph = trace.graph();
        let last_input = |node| graph.inputs(node).last().map(|&input| trace.text(input));
        assert_eq!(graph.ids().filter_map(last_input).collect::<Vec<_>>(), ["a", "d"]);
        assert_eq!((graph.rendezvous().len(), graph.of_part(PartId::from_usize(1))), (2, 1..2));
    }

    #[test]
    fn a_part_may_be_described_after_its_ops() {
        let mut builder = TraceBuilder::default();
        builder.begin_file(0);
        let run = PartRecord { is_run: true, ..PartRecord::default() };
        let (first, second) = (builder.begin_part(&run), builder.begin_part(&run));
        let slot = builder.begin_device();
        op(&mut builder, slot, b"late", 1_030, 5).unwrap();
        op(&mut builder, slot, b"early", 1_010, 5).unwrap();
        assert_eq!(builder.starts_of_parts(), [None, Some(1_010)]);
        builder.describe_part(second, &PartRecord { name: "warm-up", facts: &[("runs", "7")], ..run });
        let trace = builder.finish(&CategoryRules::default());
        let part = |id: PartId| &trace.parts()[id.index()];
        assert_eq!((trace.text(part(first).name), part(first).ops), ("", 0));
        assert_eq!((trace.text(part(second).name), part(second).ops), ("warm-up", 2));
        let fact = part(second).facts[0];
        assert_eq!((trace.text(fact.0), trace.text(fact.1)), ("runs", "7"));
    }
}
