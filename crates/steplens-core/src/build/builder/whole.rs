//! A trace that a reader has as sorted columns: it is taken as it is, or its ops are added to those of other files.

use super::finish::threads_of;
use super::{DeviceSlot, InstantRecord, TraceBuilder};
use crate::base::ids::{DeviceId, NodeId, OpId, PartId, StringId};
use crate::base::units::{Flops, Interval, Nanos, Timestamp};
use crate::build::selection::FoundDevice;
use crate::model::arguments::{ArgumentForm, Arguments, Given, ValueKind, WholeArguments};
use crate::model::capability::Capability;
use crate::model::category::{Category, CategoryRules, Says};
use crate::model::counters::Counters;
use crate::model::device::{Device, DeviceKind, DeviceTable, mark_host_profilers, task_of};
use crate::model::graph::{CollectiveRecord, GraphNodeRecord, GraphNodeTexts};
use crate::model::instants::Instants;
use crate::model::label::op_type;
use crate::model::memory::{AllocatorUse, MemoryTable, WholeMemory};
use crate::model::op::{OpTable, OpTimes, WholeOps};
use crate::model::output::{OutputRecord, OutputTable, WholeOutputs};
use crate::model::owner::Owner;
use crate::model::part::{Part, PartRecord};
use crate::model::trace::Trace;
use crate::storage::strings::StringTable;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::sync::Arc;

/// The ops of a trace and their data as columns in the order of a trace. Every row that they refer to must exist.
#[derive(Default)]
pub struct Whole {
    /// Time 0 in ns from 1970.
    pub origin_unix_ns: i64,
    /// The ops, device by device in the order of the blocks.
    pub ops: WholeOps,
    /// Their outputs.
    pub outputs: WholeOutputs,
    /// The reports of their allocators.
    pub memory: WholeMemory,
    /// The arguments of their events.
    pub arguments: WholeArguments,
    /// The counters: their owners are devices in the order of the blocks, or processes.
    pub counters: Counters,
    /// The instants, likewise.
    pub instants: Instants,
    /// (kernel, the call that launched it).
    pub calls: Vec<(OpId, OpId)>,
    /// (part, a range that marks it as a step).
    pub marks: Vec<(PartId, OpId)>,
    /// The length of the period that the trace shows from time 0 on, if it does.
    pub period: Option<Nanos>,
    /// What each accelerator calculates in a second at most, if it is known.
    pub peak_flops: Option<Flops>,
    /// The end of the last op.
    pub end: Timestamp,
    /// Whether the ops of each device are in order of start and end.
    pub is_in_order: bool,
}

/// What a block says about its device, apart from the name.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockOps {
    /// The number of its ops.
    pub ops: u32,
    /// Whether ops of one of its threads contain one another.
    pub nests: bool,
    /// Whether its format says that it is a GPU, a TPU or the like.
    pub is_accelerator: bool,
    /// Its compute capability, if its format says it.
    pub capability: Option<Capability>,
}

impl TraceBuilder {
    /// The id of a text.
    pub fn text(&mut self, text: &[u8]) -> StringId {
        self.strings.intern(text)
    }

    /// Adds a graph node whose texts are all interned already.
    pub fn graph_node_of_texts(&mut self, record: &GraphNodeTexts<'_>) {
        self.need_part();
        self.graph.push_texts(&mut self.strings, record);
    }

    /// Adds a node as the next row, with the category and reason that the reader found. Do not mix with nodes that are looked up by
    /// name.
    pub fn decided_node(&mut self, name: StringId, label: StringId, category: Category, reason: StringId) {
        self.nodes.push_decided(&mut self.strings, name, label, category, reason);
    }

    /// Like [`decided_node`](Self::decided_node), with the category that name and label say.
    pub fn undecided_node(&mut self, name: StringId, label: StringId) {
        let [name_text, label_text] = [name, label].map(|text| self.strings.get(text));
        let op_type = op_type(name_text, label_text);
        let (category, why) = CategoryRules::default().decide(Says::Nothing, name_text, op_type, label_text);
        let reason = self.strings.intern(why.word().as_bytes());
        self.nodes.push_decided(&mut self.strings, name, label, category, reason);
    }

    /// The row of the values that outputs like `record` share.
    pub fn output_spec(&mut self, record: &OutputRecord<'_>) -> u32 {
        self.outputs.spec(&mut self.strings, record)
    }

    /// The row of an allocator's report with these values.
    pub fn allocator_spec(&mut self, used: AllocatorUse) -> u32 {
        self.memory.use_row(used)
    }

    /// Makes the trace of `whole`, with the devices, parts, graphs and nodes of this builder. `blocks` must have a row for each
    /// block.
    pub fn finish_whole(mut self, whole: Whole, blocks: &[BlockOps]) -> Trace {
        for (slot, block) in self.slots.iter_mut().zip(blocks) {
            (slot.ops, slot.taken) = (u64::from(block.ops), block.ops);
            (slot.nests, slot.is_accelerator) = (block.nests, block.is_accelerator);
            slot.capability = block.capability;
        }
        let mut devices = self.devices_of_blocks();
        let as_read: Vec<_> = (0..devices.len()).map(|row| Some(DeviceId::from_usize(row))).collect();
        let mut first_op = 0;
        for device in &mut devices {
            device.first_op = first_op;
            first_op += device.op_count;
        }
        let works = works_of_blocks(&self.nodes, &whole.ops, &devices);
        let (natural, distinct) = self.devices(&|_| true, &works);
        let mut is_in_order = whole.is_in_order && distinct.len() == as_read.len() && natural == as_read;
        self.describe_devices(&as_read, &mut devices);
        mark_host_profilers(&mut devices, |name| self.strings.get(name));
        self.graph.finish();
        self.nodes.keep_pattern_word(&mut self.strings);
        let origin = whole.origin_unix_ns;
        let period_unix_ns = whole.period.map(|period| [origin, origin.saturating_add(period.0)]);
        let mut trace = Trace {
            origin_unix_ns: origin,
            ops: Arc::new(OpTable::of_whole(whole.ops)),
            outputs: Arc::new(OutputTable::of_whole(self.outputs, whole.outputs)),
            memory: Arc::new(MemoryTable::of_whole(self.memory, whole.memory)),
            arguments: Arguments::of_whole(whole.arguments),
            counters: Arc::new(whole.counters),
            instants: Arc::new(whole.instants),
            devices: DeviceTable::new(devices),
            threads: threads_of(&self.threads, &as_read),
            parts: self.parts,
            calls: whole.calls,
            marks: whole.marks,
            period_unix_ns,
            peak_flops: whole.peak_flops,
            end: whole.end,
            ..Trace::default()
        };
        self.strings.shrink();
        self.nodes.shrink();
        trace.strings = Arc::new(self.strings);
        trace.nodes = Arc::new(self.nodes);
        trace.graph = Arc::new(self.graph);
        if trace.nodes.has_ranges() || trace.is_period() {
            trace.find_end();
        }
        trace.measure_parts();
        // Sessions of older versions count the records of a host profiler as work.
        let is_work = |op: OpId| !trace.nodes.is_range(trace.ops.node(op));
        is_in_order &= !trace.devices.host_profilers().any(|device| trace.ops_of(device).any(is_work));
        is_in_order &= trace.calls.is_sorted_by(|a, b| a.0 < b.0) && trace.marks.is_sorted_by(|a, b| a < b);
        is_in_order &= trace.is_period() || trace.first_start() == Some(Timestamp(0));
        if is_in_order {
            return trace;
        }
        let mut builder = Self::default();
        builder.add_trace(&trace);
        builder.finish(&CategoryRules::default())
    }

    /// The number of ops in `blocks` that only repeat others, because a host profiler recorded them.
    pub fn repeated_ops_of(&self, blocks: &[BlockOps]) -> usize {
        let profiled = self.host_slots().into_iter().zip(blocks);
        profiled
            .filter(|(is_profiled, block)| *is_profiled && !block.nests)
            .map(|(_, block)| block.ops as usize)
            .sum()
    }

    /// A device for each block, in their order.
    fn devices_of_blocks(&mut self) -> Vec<Device> {
        let unnamed = self.strings.intern(b"(unnamed device)");
        let strings: &StringTable = &self.strings;
        let device = |slot: &super::Slot| {
            let name = slot.name.unwrap_or(unnamed);
            let text = strings.get(name);
            Device {
                name,
                task: task_of(text).and_then(|task| strings.find(task)),
                kind: DeviceKind::of(text),
                first_op: 0,
                op_count: slot.taken,
                nests: false,
                is_accelerator: false,
                capability: None,
            }
        };
        self.slots.iter().map(device).collect()
    }

    /// Takes `trace`, whose ops are all of the current file. It is taken as it is, unless there is other content or something to
    /// leave out.
    pub fn take_trace(&mut self, trace: Trace) {
        let is_alone = self.slots.is_empty() && self.parts.is_empty() && self.graph.is_empty();
        let is_as_it_is =
            self.file == 0 && self.process.is_none() && !self.is_full && self.selection.is_all();
        match is_alone && is_as_it_is && self.whole.is_none() {
            true => self.whole = Some(Box::new(trace)),
            false => self.add_trace(&trace),
        }
    }

    /// Adds a trace that was taken as it is to the tables, because other content follows.
    pub(super) fn unfold(&mut self) {
        if let Some(whole) = self.whole.take() {
            self.add_trace(&whole);
        }
    }

    /// Adds everything in `trace`, like a reader that found it in a file.
    fn add_trace(&mut self, trace: &Trace) {
        let text = |id: StringId| trace.text(id);
        let parts = trace.parts().iter().map(|part| {
            let facts: Vec<_> = part.facts.iter().map(|&(what, value)| (text(what), text(value))).collect();
            let name = text(part.name);
            let Part { step, recorded_unix_ns, is_run, is_apart, .. } = *part;
            let (facts, host) = (facts.as_slice(), part.host.map(text));
            let record = PartRecord { name, step, recorded_unix_ns, is_run, facts, host, is_apart };
            self.add_part(part.file, &record)
        });
        let parts: Vec<PartId> = parts.collect();
        // The part of the first op of each device.
        let first_part = |device: DeviceId| {
            let first = trace.ops_of(device).next().and_then(|op| parts.get(trace.ops().part(op).index()));
            first.or(parts.first()).copied()
        };
        trace.peak_flops().into_iter().for_each(|own| self.add_peak_flops(own));
        let blocks = trace.devices().ids().map(|device| self.add_block(trace, device, first_part(device)));
        let slots: Vec<DeviceSlot> = blocks.collect();
        for &(device, thread, name) in trace.threads() {
            self.name_thread(slots[device.index()], thread, text(name).as_bytes());
        }
        self.add_samples(trace, &slots);
        self.add_graph(trace, &parts);
        let nodes = trace.nodes().ids().map(|node| {
            let nodes = trace.nodes();
            let [name, label, reason] = [nodes.name(node), nodes.label(node), nodes.reason(node)].map(text);
            self.known_node(name.as_bytes(), label.as_bytes(), nodes.category(node), reason.as_bytes())
        });
        let nodes: Vec<NodeId> = nodes.collect();
        let forms = self.forms_of(trace);
        let mut numbers = Vec::new();
        self.say_replaced(true);
        // Rows are kept only if there are calls or marks to join.
        let is_joined = !trace.calls().is_empty() || !trace.marks().is_empty();
        let mut rows: Vec<Option<u32>> = Vec::new();
        for (device, &first) in trace.devices().ids().zip(&slots) {
            let mut slot_of_part: HashMap<PartId, DeviceSlot, FixedState> = HashMap::default();
            for op in trace.ops_of(device) {
                let part = trace.ops().part(op);
                let slot = match parts.get(part.index()) {
                    Some(&part) if Some(part) != first_part(device) => {
                        *slot_of_part.entry(part).or_insert_with(|| self.add_block(trace, device, Some(part)))
                    }
                    _ => first,
                };
                let is_taken =
                    self.op_of(slot, nodes[trace.ops().node(op).index()], &times_of(trace, op)).is_ok();
                if is_joined {
                    rows.push(self.last_row().filter(|_| is_taken));
                }
                if is_taken {
                    self.add_of_op(trace, op);
                    if let Some(form) = trace.arguments().form(op).and_then(|form| forms[form]) {
                        numbers.clear();
                        numbers.extend(trace.arguments().numbers(op));
                        self.arguments(form, &numbers);
                    }
                }
            }
        }
        self.say_replaced(false);
        for &(kernel, call) in trace.calls() {
            if let (Some(kernel), Some(call)) = (rows[kernel.index()], rows[call.index()]) {
                self.set_call(kernel, call);
            }
        }
        for &(part, op) in trace.marks() {
            if let (Some(&part), Some(row)) = (parts.get(part.index()), rows[op.index()]) {
                self.mark_step(part, row);
            }
        }
    }

    /// A block of a device of `trace`.
    fn add_block(&mut self, trace: &Trace, device: DeviceId, part: Option<PartId>) -> DeviceSlot {
        let device = trace.devices().get(device);
        let slot = match part {
            Some(part) => self.begin_device_of(part),
            None => self.begin_device(),
        };
        self.name_device(slot, trace.text(device.name).as_bytes());
        // The user's name for a process has priority over the file's name.
        if let (Some(part), None) = (part, &self.process) {
            let Part { file, host, is_apart, .. } = self.parts[part.index()];
            let slot_row = &mut self.slots[slot.0 as usize];
            (slot_row.host, slot_row.process) = (host, is_apart.then_some(file));
        }
        if device.nests {
            self.mark_nesting(slot);
        }
        if device.is_accelerator {
            self.mark_accelerator(slot);
        }
        device.capability.into_iter().for_each(|own| self.set_capability(slot, own));
        slot
    }

    /// Adds the counters and instants of `trace`, whose devices are in `slots`. What the selection or the memory leaves out of a
    /// session was counted for its ops.
    fn add_samples(&mut self, trace: &Trace, slots: &[DeviceSlot]) {
        let mut processes: HashMap<StringId, Option<DeviceSlot>, FixedState> = HashMap::default();
        let mut slot_of = |builder: &mut Self, owner: Owner| match owner {
            Owner::Device(device) => slots.get(device.index()).copied(),
            Owner::Process(name) => *processes.entry(name).or_insert_with(|| {
                let slot = builder.begin_process()?;
                builder.name_device(slot, trace.text(name).as_bytes());
                Some(slot)
            }),
        };
        for counter in trace.counters().ids() {
            let own = trace.counters().get(counter);
            let Some(slot) = slot_of(self, own.owner) else { continue };
            let [name, series] = [own.name, own.series].map(|text| trace.text(text).as_bytes());
            let row = self.counter(slot, name, series);
            for (at, value) in trace.counters().points(counter) {
                _ = self.point(row, trace.unix_ns(at), value);
            }
        }
        for own in trace.instants().all() {
            let Some(slot) = slot_of(self, own.owner) else { continue };
            let record = InstantRecord {
                name: trace.text(own.name).as_bytes(),
                at_unix_ns: trace.unix_ns(own.at),
                scope: own.scope,
                arguments: own.arguments.map_or(&[], |text| trace.text(text).as_bytes()),
            };
            _ = self.instant(slot, &record);
        }
    }

    /// The forms of the arguments of `trace` in this builder; `None` for forms that do not fit.
    fn forms_of(&mut self, trace: &Trace) -> Vec<Option<ArgumentForm>> {
        let forms = trace.arguments().forms();
        let of_form = |form| {
            let given = forms.of(form).map(|(name, kind, value)| {
                let value = value.as_bytes();
                let given = match kind {
                    ValueKind::Text => Given::Text(value),
                    ValueKind::Json => Given::Json(value),
                    ValueKind::Unsigned => Given::Unsigned,
                    ValueKind::Number(scale) => Given::Number(scale),
                };
                (name.as_bytes(), given)
            });
            self.argument_forms().of_arguments(given)
        };
        (0..forms.len()).map(of_form).collect()
    }

    /// Adds outputs and allocations of an op of `trace`.
    fn add_of_op(&mut self, trace: &Trace, op: OpId) {
        for output in trace.outputs().of(op) {
            self.output(&OutputRecord {
                slot: output.slot,
                dtype: output.dtype,
                shape: output.shape,
                allocator: trace.text(output.allocator).as_bytes(),
                requested_bytes: output.requested.0 as i64,
                allocated_bytes: output.allocated.0 as i64,
                allocation_id: output.allocation_id,
            });
            if output.is_replaced {
                self.replaced();
            }
        }
        let start_unix_ns = trace.unix_ns(trace.ops().start(op));
        for ((used, records), (_, in_use)) in trace.memory().of(op).zip(trace.memory().reports_of(op)) {
            let [total, peak, live] = [used.total, used.peak, used.live].map(|bytes| bytes.0 as i64);
            let allocator = trace.text(used.allocator).as_bytes();
            self.allocator_use(allocator, total, peak, live, in_use.map(|bytes| bytes.0 as i64));
            for record in records {
                self.allocation(start_unix_ns.saturating_add(record.after_start.0), record.bytes);
            }
        }
    }

    fn add_graph(&mut self, trace: &Trace, parts: &[PartId]) {
        let (graph, text) = (trace.graph(), |id: StringId| trace.text(id).as_bytes());
        let mut inputs = Vec::new();
        for node in graph.ids() {
            if let Some(&part) = parts.get(graph.part_of(node).index()) {
                self.continue_graphs(part);
            }
            inputs.clear();
            inputs.extend(graph.inputs(node).iter().map(|&input| text(input)));
            let meeting = graph.meeting(node);
            let collective = graph.collective(node);
            self.graph_node(&GraphNodeRecord {
                name: text(graph.name(node)),
                op: text(graph.op(node)),
                device: text(graph.device(node)),
                inputs: &inputs,
                rendezvous: meeting.map(|end| (text(end.tensor), text(end.source), text(end.destination))),
                dtype: meeting.map_or(0, |end| end.dtype),
                collective: collective.map(|found| CollectiveRecord {
                    group: found.group,
                    instance: found.instance,
                    name: text(found.name),
                }),
            });
        }
    }
}

/// When an op of `trace` ran.
fn times_of(trace: &Trace, op: OpId) -> OpTimes {
    let ops = trace.ops();
    let (start, kernel) = (ops.start(op), ops.kernel(op));
    let start_unix_ns = trace.unix_ns(start);
    OpTimes {
        start_unix_ns,
        length_ns: (ops.end(op) - start).0,
        scheduled_unix_ns: ops.queued(op).and_then(|queued| start_unix_ns.checked_sub(queued.0)),
        kernel_start_ns: (kernel.start - start).0,
        kernel_end_ns: (kernel.end - start).0,
        thread: ops.thread(op),
    }
}

/// For each block whether it has any op that is work; empty if all ops are work.
fn works_of_blocks(nodes: &crate::model::node::NodeTable, ops: &WholeOps, devices: &[Device]) -> Vec<bool> {
    if !nodes.has_ranges() {
        return Vec::new();
    }
    let is_work = |row: u32| !nodes.is_range(NodeId::new(ops.node.get(row as usize) as u32));
    devices.iter().map(|device| (device.first_op..device.end_op()).any(is_work)).collect()
}

impl Trace {
    /// The start of the first op that is no range; of the first op if all are ranges.
    fn first_start(&self) -> Option<Timestamp> {
        let work = |op: &OpId| !self.nodes.is_range(self.ops.node(*op));
        // On a device without ranges this is the first op.
        let of_device = |device| match self.nodes.has_ranges() {
            true => self.ops_of(device).find(work),
            false => self.ops_of(device).next(),
        };
        let start = |op| self.ops.start(op);
        let first = self.devices.ids().filter_map(of_device).map(start).min();
        let first = first.map(|first| self.marks_of_hosts().map(start).fold(first, Timestamp::min));
        first.or_else(|| self.ops.ids().map(start).min())
    }

    /// What the trace has of every device.
    pub(super) fn found_devices(&self) -> Vec<FoundDevice> {
        let found = |id: DeviceId| {
            let device = self.devices.get(id);
            let interval = |op: OpId| self.ops.interval(op);
            let span = self
                .ops_of(id)
                .map(interval)
                .reduce(|all, own| Interval { start: all.start.min(own.start), end: all.end.max(own.end) });
            let ops = u64::from(device.op_count);
            FoundDevice {
                name: self.text(device.name).to_owned(),
                ops,
                taken: ops,
                span_unix_ns: span.map(|span| self.unix_ns(span.start)..self.unix_ns(span.end)),
            }
        };
        self.devices.ids().map(found).collect()
    }
}
