//! The end of building: devices get their names, ops are sorted, and the trace is made.

use super::{DISCARDED, HOST_EVENTS, Slot, TraceBuilder};
use crate::base::ids::{DeviceId, NodeId, OpId, PartId, StringId};
use crate::base::natural;
use crate::base::order;
use crate::build::selection::FoundDevice;
use crate::model::category::{Category, CategoryRules, Says};
use crate::model::device::{
    Device, DeviceKind, DeviceTable, is_host, is_of_executor, mark_host_profilers, task_of,
};
use crate::model::device_name::sort_name;
use crate::model::memory::{LateRecord, MemoryTableBuilder, Sampling};
use crate::model::node::NodeTable;
use crate::model::op::OpTableBuilder;
use crate::model::process::{device_of_process, task_of_process};
use crate::model::trace::Trace;
use crate::storage::chunked::Chunked;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::strings::StringTable;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::sync::Arc;

impl TraceBuilder {
    /// Makes the trace of everything that was added. `rules` give ops their categories.
    pub fn finish(mut self, rules: &CategoryRules) -> Trace {
        if let Some(whole) = self.whole.take() {
            return whole.with_rules(rules);
        }
        self.divide_runs();
        self.settle_streams();
        self.tell_files_apart();
        self.settle_host_events();
        self.nodes.categorize(&mut self.strings, rules);
        let works = self.slots_at_work();
        let (device_of_slot, mut devices) = self.devices(&|slot| slot.is_selected, &works);
        let owner_of_slot = self.owners_of_slots(&device_of_slot, &devices);
        self.graph.finish();
        for (slot, device) in self.slots.iter().zip(&device_of_slot) {
            if let Some(device) = device {
                devices[device.index()].op_count += slot.taken;
            }
        }
        self.describe_devices(&device_of_slot, &mut devices);
        forget_idle_accelerators(&device_of_slot, &works, &mut devices);
        mark_host_profilers(&mut devices, |name| self.strings.get(name));
        let mut first_op = 0;
        for device in &mut devices {
            device.first_op = first_op;
            first_op += device.op_count;
        }
        self.say_processes();
        let device_of_op = self.slot_of_op.iter().map(|slot| device_of_slot[slot as usize]);
        let rows = sort_ops(&self.ops, device_of_op, &devices);
        self.settle_input(&rows, &devices);
        self.settle_elsewhere(&rows, &devices);
        self.settle_outer(&rows, &mut devices);
        self.settle_labels(&rows, &devices);
        let part_of_row = self.part_of_rows(&rows);
        let (ops, nodes) = (&self.ops, &self.nodes);
        let name = |row: usize| nodes.name(NodeId::new(ops.node_of(row))).index();
        let part = |row: usize| self.slots[self.slot_of_op.get(row) as usize].part;
        let outputs = self.outputs.finish(&rows, self.strings.len(), name, part);
        self.slot_of_op = Chunked::default();

        let mut trace = Trace {
            strings: Arc::new(self.strings),
            nodes: Arc::new(self.nodes),
            graph: Arc::new(self.graph),
            parts: self.parts,
            peak_flops: self.peak.of_all(),
            ..Trace::default()
        };
        trace.marks = marked(&self.marks, &rows);
        trace.devices = DeviceTable::new(devices);
        let of_host = trace.marks_of_hosts().map(|op| rows[op.index()]);
        let of_host: Vec<u32> = of_host.collect();
        trace.origin_unix_ns = self.ops.origin(&rows, &of_host, &trace.nodes);
        trace.ops = Arc::new(self.ops.finish(&rows, trace.origin_unix_ns, part_of_row));
        trace.outputs = Arc::new(outputs);
        trace.memory = Arc::new(self.memory.finish(&rows, Sampling::new(trace.devices.rows(), &trace.ops)));
        if !self.late_memory.is_empty() {
            let late = of_ids(std::mem::take(&mut self.late_memory), &rows);
            let length = |op: OpId| trace.ops.end(op).0 - trace.ops.start(op).0;
            let count = rows.len() as u32;
            let sampling = Sampling::new(trace.devices.rows(), &trace.ops);
            trace.memory =
                Arc::new(MemoryTableBuilder::with_late(&trace.memory, late, count, length, sampling));
        }
        trace.arguments = self.arguments.finish(&rows);
        trace.find_end();
        trace.calls = joined(&self.calls, &rows);
        let order = self.file_order.and_then(|order| order.finish(&ids_of_rows(&rows)));
        trace.file_order = order.map(Arc::new);
        trace.measure_parts();
        trace.threads = threads_of(&self.threads, &device_of_slot);
        (trace.counters, trace.instants) = self.samples.finish(trace.origin_unix_ns, &owner_of_slot);
        // This comes last, when the input is gone, because shrinking may hold both sizes for a moment.
        Arc::get_mut(&mut trace.strings).into_iter().for_each(StringTable::shrink);
        Arc::get_mut(&mut trace.nodes).into_iter().for_each(NodeTable::shrink);
        trace
    }

    /// Turns host events into ranges, so that they do not count as work. They get nodes of their own, by the field of their hint.
    fn settle_host_events(&mut self) {
        let is_profiled = self.host_slots();
        if !is_profiled.contains(&true) {
            return;
        }
        let hint = self.nodes.hint(&mut self.strings, Says::Is(Category::Range), HOST_EVENTS);
        let mut event_of: HashMap<NodeId, NodeId, FixedState> = HashMap::default();
        let (slots, nodes, strings) = (&self.slot_of_op, &mut self.nodes, &mut self.strings);
        self.ops.map_nodes(|row, node| match is_profiled[slots.get(row) as usize] {
            true => *event_of.entry(node).or_insert_with(|| nodes.hinted(strings, node, hint)),
            false => node,
        });
    }

    /// For each block whether a host profiler recorded it, next to devices of an executor; empty if there is no such block.
    pub(super) fn host_slots(&self) -> Vec<bool> {
        self.host_slots_from(0)
    }

    /// Like `host_slots`, but only for the blocks from number `first` on, as if there were no others.
    fn host_slots_from(&self, first: usize) -> Vec<bool> {
        let slots = self.slots.get(first..).unwrap_or_default();
        let named = |slot: &Slot| Some(self.strings.get(slot.name.filter(|_| slot.part != DISCARDED)?));
        if !self.has_host || !slots.iter().filter_map(named).any(is_of_executor) {
            return Vec::new();
        }
        let is_profiled = |slot: &Slot| !slot.nests && named(slot).is_some_and(is_host);
        slots.iter().map(is_profiled).collect()
    }

    /// The number of ops in the current file that only repeat others of it, because a host profiler recorded them. The blocks of
    /// the file start at number `first`.
    pub fn repeated_ops_from(&self, first: usize) -> usize {
        let is_of_file =
            |slot: &Slot| self.parts.get(slot.part as usize).is_some_and(|part| part.file == self.file);
        let profiled = self.slots.iter().skip(first).zip(self.host_slots_from(first));
        let slots_here = profiled.filter(|&(slot, is_profiled)| is_profiled && is_of_file(slot));
        slots_here.map(|(slot, _)| slot.taken as usize).sum()
    }

    /// Copies to parts what readers reported about the processes of their blocks.
    fn say_processes(&mut self) {
        for slot in &self.slots {
            let Some(part) = self.parts.get_mut(slot.part as usize) else { continue };
            part.host = part.host.or(slot.host);
            part.is_apart |= slot.process.is_some();
        }
    }

    /// Copies to devices what readers reported about their blocks.
    pub(super) fn describe_devices(&self, device_of_slot: &[Option<DeviceId>], devices: &mut [Device]) {
        for (slot, device) in self.slots.iter().zip(device_of_slot) {
            let Some(device) = device.map(|device| &mut devices[device.index()]) else { continue };
            device.nests |= slot.nests;
            device.is_accelerator |= slot.is_accelerator;
            device.capability = device.capability.or(slot.capability);
            if slot.is_accelerator && device.kind != DeviceKind::Tpu {
                device.kind = DeviceKind::Gpu;
            }
        }
    }

    /// The part of each row.
    fn part_of_rows(&self, rows: &[u32]) -> Column {
        let part = |&row: &u32| i64::from(self.slots[self.slot_of_op.get(row as usize) as usize].part);
        match self.parts.len() {
            // A file with one part needs no look-up for each op.
            ..=1 => Column::default(),
            _ => ColumnBuilder::of(rows.iter().map(part)),
        }
    }

    /// What the files contain of every device, including devices that are left out.
    pub fn found(&mut self) -> Vec<FoundDevice> {
        if let Some(whole) = &self.whole {
            return whole.found_devices();
        }
        let (device_of_slot, devices) = self.devices(&|_| true, &[]);
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

    /// For each block whether it has any op that is work; empty if all ops are work.
    fn slots_at_work(&self) -> Vec<bool> {
        if !self.nodes.has_ranges() {
            return Vec::new();
        }
        let mut works = vec![false; self.slots.len()];
        for (row, slot) in self.slot_of_op.iter().enumerate() {
            works[slot as usize] |= !self.nodes.is_range(NodeId::new(self.ops.node_of(row)));
        }
        works
    }

    /// The devices of the wanted blocks, in order, and the device of each block. `works` may say for each block whether it has any
    /// work.
    pub(super) fn devices(
        &mut self,
        is_wanted: &dyn Fn(&Slot) -> bool,
        works: &[bool],
    ) -> (Vec<Option<DeviceId>>, Vec<Device>) {
        let is_device = |slot: &Slot| slot.part != DISCARDED && !slot.is_process && is_wanted(slot);
        let names: Vec<Option<StringId>> = self
            .names_of_slots()
            .into_iter()
            .zip(&self.slots)
            .map(|(name, slot)| is_device(slot).then_some(name))
            .collect();
        let mut classes: Vec<Option<Class>> = vec![None; self.strings.len()];
        for (place, (slot, name)) in self.slots.iter().zip(&names).enumerate() {
            let Some(name) = *name else { continue };
            // A device whose name is of a CPU or a stream is sorted by its name.
            let is_other = || DeviceKind::of(self.strings.get(name)) == DeviceKind::Other;
            let class = match works.get(place) {
                _ if slot.is_accelerator => Class::Accelerator,
                // A block that gave all of its ops to others does not count.
                _ if slot.ops == 0 => continue,
                Some(false) if is_other() => Class::OnlyRanges,
                _ => Class::Work,
            };
            let of_name = &mut classes[name.index()];
            *of_name = Some(of_name.map_or(class, |other| class.min(other)));
        }
        for (is_profiled, name) in self.host_slots().into_iter().zip(&names) {
            if let Some(class) = name.filter(|_| is_profiled).and_then(|name| classes[name.index()].as_mut())
            {
                *class = Class::HostProfiler;
            }
        }
        sort_devices(&self.strings, &names, &classes)
    }

    /// The full name of the device of each block.
    pub(super) fn names_of_slots(&mut self) -> Vec<StringId> {
        let unnamed = self.strings.intern(b"(unnamed device)");
        let files = self.unnamed_processes();
        let mut hosts = self.slots.iter().filter(|slot| slot.part != DISCARDED).filter_map(|slot| slot.host);
        let first = hosts.next();
        let has_hosts = hosts.any(|host| Some(host) != first);
        let mut names: Vec<StringId> = Vec::with_capacity(self.slots.len());
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
            names.push(name);
        }
        names
    }
}

/// The named threads, with the devices of their blocks.
pub(super) fn threads_of(
    threads: &[(u32, u32, StringId)],
    device_of_slot: &[Option<DeviceId>],
) -> Vec<(DeviceId, u32, StringId)> {
    let device = |slot: u32| device_of_slot.get(slot as usize).copied().flatten();
    let mut threads: Vec<_> =
        threads.iter().filter_map(|&(slot, thread, name)| Some((device(slot)?, thread, name))).collect();
    order::by_number(&mut threads, |(device, thread, name)| {
        (i64::from(device.get()) << 32 | i64::from(thread), i64::from(name.get()))
    });
    threads.dedup_by_key(|&mut (device, thread, _)| (device, thread));
    threads
}

/// A device with only ranges ran nothing, so it is not an idle accelerator. `works` says for each block whether it has any work; it
/// is empty if all have.
fn forget_idle_accelerators(device_of_slot: &[Option<DeviceId>], works: &[bool], devices: &mut [Device]) {
    let mut has_work = vec![works.is_empty(); devices.len()];
    for (works, device) in works.iter().zip(device_of_slot) {
        device.iter().for_each(|device| has_work[device.index()] |= works);
    }
    for (device, has_work) in devices.iter_mut().zip(has_work) {
        device.is_accelerator &= has_work || device.op_count == 0;
    }
}

/// Calls with the ids of their ops; calls with an op that is left out are dropped.
fn joined(calls: &[(u32, u32)], rows: &[u32]) -> Vec<(OpId, OpId)> {
    if calls.is_empty() {
        return Vec::new();
    }
    let ids = ids_of_rows(rows);
    let id = |row: u32| ids.get(row as usize).copied().flatten();
    let mut joined: Vec<_> =
        calls.iter().filter_map(|&(kernel, call)| Some((id(kernel)?, id(call)?))).collect();
    order::by_number(&mut joined, |(kernel, call)| (i64::from(kernel.get()), i64::from(call.get())));
    joined.dedup_by_key(|(kernel, _)| *kernel);
    joined
}

/// Marks with the ids of their ranges; those of ranges that are left out are dropped.
fn marked(marks: &[(PartId, u32)], rows: &[u32]) -> Vec<(PartId, OpId)> {
    if marks.is_empty() {
        return Vec::new();
    }
    let ids = ids_of_rows(rows);
    let id = |row: u32| ids.get(row as usize).copied().flatten();
    let mut marked: Vec<_> = marks.iter().filter_map(|&(part, row)| Some((part, id(row)?))).collect();
    order::by_number(&mut marked, |(part, op)| (i64::from(part.get()), i64::from(op.get())));
    marked
}

/// The id of the op in each row of the file; `None` if it is left out.
fn ids_of_rows(rows: &[u32]) -> Vec<Option<OpId>> {
    let mut ids = vec![None; rows.iter().max().map_or(0, |&row| row as usize + 1)];
    for (id, &row) in rows.iter().enumerate() {
        ids[row as usize] = Some(OpId::from_usize(id));
    }
    ids
}

/// Allocations with the ids of their ops; those with an op that is left out are dropped.
fn of_ids(late: Vec<LateRecord>, rows: &[u32]) -> Vec<LateRecord> {
    let ids = ids_of_rows(rows);
    let id = |row: u32| ids.get(row as usize).copied().flatten();
    late.into_iter().filter_map(|own| Some(LateRecord { row: id(own.row)?.get(), ..own })).collect()
}

/// The order of the devices in a task: first accelerators by their format, last devices with only ranges. After all tasks come the
/// records of host profilers, because the ops that count must be the first rows of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Accelerator,
    Work,
    OnlyRanges,
    HostProfiler,
}

/// The devices in natural order of task and name (those without a task last), and the device of each slot. Within a task, devices
/// are in order of their class.
fn sort_devices(
    strings: &StringTable,
    names: &[Option<StringId>],
    classes: &[Option<Class>],
) -> (Vec<Option<DeviceId>>, Vec<Device>) {
    let key = |name: StringId| {
        let text = strings.get(name);
        (task_of(text).unwrap_or("\u{10ffff}"), sort_name(text))
    };
    let class = |name: StringId| classes[name.index()].unwrap_or(Class::Work);
    let mut distinct: Vec<StringId> = names.iter().copied().flatten().collect();
    order::by_number(&mut distinct, |name| (i64::from(name.get()), 0));
    distinct.dedup();
    distinct.sort_by(|&a, &b| {
        let is_last = (class(a) == Class::HostProfiler, class(b) == Class::HostProfiler);
        let classes = class(a).cmp(&class(b));
        let (a, b) = (key(a), key(b));
        let is_last = is_last.0.cmp(&is_last.1);
        is_last.then(natural::compare(a.0, b.0)).then(classes).then_with(|| natural::compare(&a.1, &b.1))
    });
    let mut id_of_name = vec![DeviceId::new(0); strings.len()];
    for (row, name) in distinct.iter().enumerate() {
        id_of_name[name.index()] = DeviceId::from_usize(row);
    }
    let devices = distinct.iter().map(|&name| {
        let text = strings.get(name);
        let task = task_of(text).and_then(|task| strings.find(task));
        let kind = DeviceKind::of(text);
        Device {
            name,
            task,
            kind,
            first_op: 0,
            op_count: 0,
            nests: false,
            is_accelerator: false,
            capability: None,
        }
    });
    (names.iter().map(|name| name.map(|name| id_of_name[name.index()])).collect(), devices.collect())
}

/// The rows of the file in the order of the trace: by device, start, end, place in the file. Rows without a device are left out.
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
        let rows_here = &mut rows[device.first_op as usize..(device.first_op + device.op_count) as usize];
        order::by_number(rows_here, |row| (ops.start.get(row as usize), ops.length.get(row as usize)));
    }
    rows
}
