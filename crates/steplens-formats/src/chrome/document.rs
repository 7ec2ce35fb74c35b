//! Turns events into ops: complete events, beginnings with their ends, and the special events of `timeline.py`.

use super::arguments::{Kept, Saved};
use super::asynchronous::Asynchronous;
use super::event::{Event, Field, Key};
use super::gpus::NamedGpus;
use super::horovod::{self, OfTensors, Phases, Place};
use super::kinds::{EventKind, Home, Kinds, NpuRows};
use super::launches::Launches;
use super::lost::{Count, Lost};
use super::memory::memory_event;
use super::mxnet::{self, Mxnet};
use super::npu::Flows;
use super::number::{NoTime, integer};
use super::optimizer_steps;
use super::paddle::{self, Paddle};
use super::processes::Processes;
use super::repeated_rows::RepeatedRows;
use super::rocprof::{self, Arrows};
use super::tensor::Tensors;
use super::unused::Unused;
use crate::mangled::Mangled;
use crate::memory_events::MemoryEvents;
use crate::op_type::{collective, push_op_type, split_tf_op};
use crate::step_marks::number_in;
use steplens_core::build::builder::{Mark, OpRecord, Refused, TraceBuilder};
use steplens_core::model::op::OpTimes;
use steplens_core::storage::strings::StringTable;
use steplens_core::{Category, Says, StringId};

/// The result of taking an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Fine,
    /// It is in the trace, though it ends before it starts.
    Negative,
    NoTime,
    TimeOutOfRange,
    TooManyOps,
    TooManyDevices,
}

/// The beginning of an op whose end was not read yet.
pub(super) struct Span {
    pub(super) name: StringId,
    pub(super) start_unix_ns: i64,
    /// Whether a phase of Horovod within it moves data.
    pub(super) has_moves: bool,
    /// The arguments of the beginning.
    pub(super) arguments: Option<Box<Saved>>,
}

/// What a document of PyTorch says about itself.
#[derive(Default)]
pub(super) struct Said {
    /// The base of its times, in ns from 1970.
    base_unix_ns: Option<i64>,
    /// The number of its process in a job.
    rank: Option<i64>,
    /// The GPUs of its machine.
    gpus: NamedGpus,
}

/// The document that is being read.
#[derive(Default)]
pub(super) struct Document {
    said: Said,
    /// What was added to the times of all events so far.
    base_taken_ns: i64,
    /// The position of its first event.
    mark: Option<Mark>,
    pub(super) kinds: Kinds,
    unused: Unused,
    pub(super) phases: Phases,
    paddle: Paddle,
    mxnet: Mxnet,
    asynchronous: Asynchronous,
    repeated: RepeatedRows,
    launches: Launches,
    arrows: Arrows,
    flows: Flows,
    mangled: Mangled,
    pub(super) memory: MemoryEvents,
    /// Who wrote it, if tensors are processes in it.
    pub(super) of_tensors: Option<OfTensors>,
    pub(super) processes: Processes,
    /// Names of tensors, and of ops that have not ended.
    pub(super) names: StringTable,
    /// "Process thread" as text; its id is its row in `spans`.
    pub(super) span_threads: StringTable,
    /// For each thread the ops that have begun and not ended, the newest last.
    pub(super) spans: Vec<Vec<Span>>,
    pub(super) open_spans: u64,
    pub(super) tensors: Tensors,
    /// The ops of `timeline.py`.
    pub(super) timeline_ops: Count,
    /// Buffers, so that no op allocates.
    pub(super) kept: Kept,
    pub(super) name: Vec<u8>,
    pub(super) label: Vec<u8>,
    /// How many bytes the next op copies, if its event says that among what was passed to a call.
    passed_bytes: Option<u64>,
}

impl Document {
    /// Takes the event at byte `at`.
    pub(super) fn take(
        &mut self,
        event: &mut Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        if self.mark.is_none() {
            self.mark = Some(builder.mark());
            self.base_taken_ns = self.said.base_unix_ns.unwrap_or(0);
        }
        if self.processes.is_tensorflow() {
            event.name_in_full();
        }
        self.unused.saw(event);
        self.of_tensors = self.of_tensors.or_else(|| horovod::says_so(event));
        match (event.get(Field::Phase), event.get(Field::Category)) {
            (b"X", b"Op") if event.has(Field::OpCategory) => self.own_op(event, builder),
            (b"X", b"Op") if event.has(Field::ArgName) && event.has(Field::ArgOp) => {
                self.timeline_op(event, at, lost, builder)
            }
            (b"X", _) => self.complete(event, builder),
            (b"B", _) => self.begin(event, builder),
            (b"E", _) => self.end_span(event, at, lost, builder),
            (b"b", mxnet::CALLS) => self.begin(event, builder),
            (b"e", mxnet::CALLS) => self.end_span(event, at, lost, builder),
            (phase, category) => {
                match (phase, category) {
                    (b"M", _) => self.metadata(event),
                    (b"N" | b"O", b"Tensor") => self.tensor(event, builder),
                    (b"s" | b"t", b"DataFlow") if self.processes.is_rocprof() => self.arrow(event),
                    (b"s" | b"f", b"HostToDevice" | b"async_npu") if self.processes.has_npu() => {
                        self.flow(event)
                    }
                    // timeline.py's arrows, ends of tensors and counters follow from ops, inputs and tensors.
                    (b"s" | b"t", b"DataFlow") | (b"D", b"Tensor") => {}
                    (b"C", b"Memory") if self.timeline_ops.count() > 0 => {}
                    // Arrows and counters by Steplens also follow from ops.
                    (b"s" | b"f" | b"C", b"Steplens") => {}
                    // PyTorch's arrows from calls to kernels follow from their correlations.
                    (b"s" | b"t" | b"f", b"ac2g" | b"async" | b"async_cpu_to_gpu" | b"async_gpu") => {}
                    // So do torch_npu's from what puts a task into its queue to what takes it from there.
                    (b"s" | b"f", b"async_task_queue") => {}
                    (b"i", _) if event.get(Field::Name) == b"[memory]" && self.memory(event, builder) => {}
                    (b"C", _) => return self.counter(event, at, lost, builder),
                    (b"i" | b"I" | b"R", _) => return self.instant(event, at, lost, builder),
                    // MXNet's follow from the ops of its devices.
                    (b"b" | b"e", mxnet::OPS) if self.mxnet.has_devices() => {}
                    (b"b" | b"e" | b"n", _) => {
                        lost.asynchronous.add(1, at);
                        lost.not_shown.add(1, at);
                        let times = self.times(event);
                        times.into_iter().for_each(|own| self.asynchronous.take(event, own.start_unix_ns));
                    }
                    _ => lost.not_shown.add(1, at),
                }
                Taken::Fine
            }
        }
    }

    /// Ends the document: names its devices and threads, and counts what is left over.
    pub(super) fn end(&mut self, builder: &mut TraceBuilder, lost: &mut Lost) {
        let mut ended = std::mem::take(self);
        lost.unfinished.add(ended.open_spans, 0);
        lost.timelines += u64::from(ended.processes.has_allocators);
        if ended.timeline_ops.count() > 0 {
            lost.tensors.add(ended.tensors.unjoined(), 0);
            if ended.tensors.len() == 0 {
                lost.without_tensors.add(ended.timeline_ops.count(), 0);
            }
        }
        lost.gpus_of_torch.add(ended.unused.count(ended.said.gpus.count()), 0);
        match ended.processes.used.only_cpu() {
            true => lost.unused_gpus.add(ended.processes.silent_gpus(), 0),
            false => lost.gpus.add(ended.processes.silent_gpus(), 0),
        }
        let mark = ended.mark.unwrap_or_else(|| builder.mark());
        let runs = builder.rows_since(mark).map(|row| builder.run_of(row).1);
        lost.lasts(ended.asynchronous.lasts(runs));
        let is_around = ended.processes.has_accelerator() || ended.kinds.has_operators();
        let function_is = Says::Is(if is_around { Category::Range } else { Category::Compute });
        if let Some(function) = ended.kinds.function {
            builder.settle_hint(function, function_is);
        }
        if let Some(starting) = ended.kinds.starting {
            let is_work = ended.kinds.calls_within;
            builder.settle_hint(starting, if is_work { Says::Operator } else { function_is });
        }
        ended.repeated.settle(mark, &ended.processes.blocks(), builder);
        ended.mxnet.settle(ended.processes.has_accelerator(), builder);
        if let Some(labelled) = ended.kinds.labelled {
            let is_around = ended.processes.has_accelerator();
            builder.settle_hint(labelled, if is_around { Says::Is(Category::Range) } else { Says::Operator });
        }
        if let Some(unknown) = ended.kinds.unknown {
            let is_work = !ended.kinds.has_work;
            builder.settle_hint(unknown, if is_work { Says::Event } else { Says::Is(Category::Range) });
        }
        ended.processes.part_ranks(mark, builder);
        let blocks = ended.processes.blocks();
        ended.said.gpus.describe(&blocks, &ended.processes, builder);
        ended.processes.name_all(ended.timeline_ops.count() > 0, builder);
        ended.paddle.end(builder);
        let late_ns = ended.said.base_unix_ns.unwrap_or(0).saturating_sub(ended.base_taken_ns);
        let is_moved = late_ns != 0 && builder.shift_since(mark, late_ns);
        if let Some(rank) = ended.said.rank {
            builder.set_host_since(mark, &format!("rank{rank}"));
        }
        let moved_ns = if is_moved { late_ns } else { 0 };
        leave_out_unset(mark, builder, lost);
        // These must come before ops are divided into steps: until then each process has one block.
        let joined = ended.flows.join(mark, moved_ns, &blocks, builder);
        lost.memory.add(ended.memory.join(mark, moved_ns, blocks, builder));
        ended.arrows.join(builder);
        ended.launches.join(mark, moved_ns, joined, builder);
        builder.end_part();
    }

    /// The GPUs that the document names.
    pub(super) fn gpus(&mut self) -> &mut NamedGpus {
        &mut self.said.gpus
    }

    /// Takes a statement of the document about itself.
    pub(super) fn say(&mut self, key: Key, raw: &[u8]) {
        match key {
            Key::Base => self.said.base_unix_ns = integer(raw).or(self.said.base_unix_ns),
            Key::Rank => self.said.rank = integer(raw).filter(|&rank| rank >= 0).or(self.said.rank),
            _ => {}
        }
    }

    /// The statements so far, if there was no event since, because they may belong to the next document.
    pub(super) fn take_said(&mut self) -> Said {
        if self.mark.is_none() { std::mem::take(&mut self.said) } else { Said::default() }
    }

    /// Restores what [`take_said`](Self::take_said) took.
    pub(super) fn put_said(&mut self, said: Said) {
        self.said = said;
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.launches.heap_bytes()
            + self.arrows.heap_bytes()
            + self.flows.heap_bytes()
            + self.mangled.heap_bytes()
            + self.memory.heap_bytes()
            + self.paddle.heap_bytes()
            + self.mxnet.heap_bytes()
            + self.asynchronous.heap_bytes()
            + self.repeated.heap_bytes()
            + self.processes.heap_bytes()
            + self.names.heap_bytes()
            + self.span_threads.heap_bytes()
            + self.spans.capacity() * size_of::<Vec<Span>>()
            + self.open_spans as usize * size_of::<Span>()
            + self.tensors.heap_bytes()
    }

    /// The times of an event, from 1970 if the document has the base of its times.
    pub(super) fn times(&self, event: &Event) -> Result<OpTimes, Taken> {
        let in_nanoseconds = paddle::in_nanoseconds(event).filter(|_| self.processes.has_places);
        let mut times = in_nanoseconds.map_or_else(|| times(event), Ok)?;
        let start = times.start_unix_ns.checked_add(self.base_taken_ns);
        times.start_unix_ns = start.ok_or(Taken::TimeOutOfRange)?;
        Ok(times)
    }

    /// Reads a complete op of any other writer.
    fn complete(&mut self, event: &Event, builder: &mut TraceBuilder) -> Taken {
        let row = self.processes.row(event.get(Field::Process));
        if let Some(place) = self.processes.place(row).cloned() {
            let thread = self.processes.thread(row, event.get(Field::Thread));
            let times = match self.times(event) {
                Ok(times) => times,
                Err(taken) => return taken,
            };
            let added = self.paddle.take((&place, row, thread), event, &times, builder);
            return added.map_or(Taken::TooManyDevices, |added| outcome(added, times));
        }
        let mut times = match self.times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let in_file = row;
        let row = self.processes.row_of_copy(row, event.get(Field::Gpu)).unwrap_or(row);
        let caller = self.processes.caller(row);
        times.thread = self.processes.thread(caller.unwrap_or(row), event.get(Field::Thread));
        let name = event.get(Field::Name);
        self.processes.used.saw(name);
        let kind = match self.kinds.of_category(event, builder) {
            Some(kind) => kind,
            None if is_of_byteps(event) => {
                self.of_tensors = Some(OfTensors::BytePs);
                self.phases.byteps(event, builder)
            }
            None if self.has_phases() => self.phases.kind(name, Place::Within, builder),
            None => self.kind_of_thread(row, times.thread, event, builder),
        };
        // TensorFlow's profiler names an op of the host by its type, and has `NAME:TYPE` here; or that is its name.
        let is_of_host = self.processes.is_tensorflow() && kind.home == Home::Host;
        let own = if is_of_host { [event.get(Field::LongName), name] } else { Default::default() };
        let own = own.into_iter().find(|text| split_tf_op(text).is_some()).unwrap_or_default();
        // The op that it ran for: `NAME:TYPE`.
        let fields = [Field::TfOp, Field::LongName, Field::Annotation].map(|field| event.get(field));
        let of_op = [fields[0], own, fields[1], fields[2]];
        let of_op = of_op.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        let is_instruction = kind.home == Home::Accelerator;
        let collective = is_instruction
            .then(|| collective(name, event.get(Field::HloCategory), event.get(Field::LongName)))
            .flatten();
        let of_op = collective.unwrap_or(of_op);
        let name = split_tf_op(own).map_or(name, |(long, _)| long);
        let mut mangled = std::mem::take(&mut self.mangled);
        let plain = mangled.plain(name).filter(|_| kind.home == Home::Accelerator).map(str::as_bytes);
        let name = plain.unwrap_or(name);
        self.passed_bytes =
            rocprof::passed_bytes(event.get(Field::Passed)).filter(|_| self.processes.is_rocprof());
        let before = builder.last_row();
        let npu = self.processes.row_of_npu(row).filter(|_| kind.home == Home::Accelerator);
        if let Some(npu) = npu {
            times.thread = self.thread_of_npu(npu, event);
        }
        let lane = match self.has_phases() || kind.home == Home::Accelerator {
            true => None,
            false => self.processes.lane_of(row, times.thread, event.get(Field::Thread)),
        };
        let shown = npu.or(caller).or(lane).unwrap_or(row);
        let taken = self.op((shown, kind), (name, of_op), times, builder);
        self.mangled = mangled;
        if matches!(taken, Taken::Fine | Taken::Negative) {
            let added = builder.last_row().filter(|_| builder.last_row() != before);
            self.join(event, (shown, kind), times, added);
            if let Some(added) = added.filter(|_| self.processes.is_rocprof()) {
                match self.processes.is_named_gpu(in_file) || self.processes.has_copies(in_file) {
                    true => self.arrows.add_work(in_file as u32, times.start_unix_ns, added),
                    false => self.arrows.add_call(
                        (in_file as u32, times.thread),
                        times.start_unix_ns,
                        times.length_ns,
                        added,
                    ),
                }
            }
            if added.is_some() {
                event.arguments.give(event.argument_bytes(), &mut self.kept, builder);
            }
        }
        taken
    }

    /// Stores the keys that join an event with others. `row` is the row of its op, unless it was left out.
    fn join(&mut self, event: &Event, (process, kind): (usize, EventKind), times: OpTimes, row: Option<u32>) {
        if event.has(Field::Correlation)
            && (kind.is_call || (kind.home == Home::Accelerator && !self.kinds.is_no_work))
            && let Some(row) = row
        {
            self.launches.add(event.get(Field::Correlation), row, kind.is_call);
        }
        let name = event.get(Field::Name);
        if kind.is_call && matches!(name, b"cudaGraphLaunch" | b"hipGraphLaunch") {
            self.memory.graph_launched();
        }
        let is_host = kind.home == Home::Host;
        if self.processes.is_tensorflow() {
            let is_on_device = kind.home == Home::Accelerator;
            row.into_iter().for_each(|row| self.launches.add_row(row, process as u32));
            let number = match is_on_device {
                true if self.processes.has_steps(process, times.thread) => {
                    std::str::from_utf8(name).ok().and_then(number_in)
                }
                false if is_host => integer(event.get(Field::StepNumber)),
                _ => None,
            };
            if let Some(number) = number {
                let device = is_on_device.then_some(process as u32);
                self.launches.add_step(number, times.start_unix_ns, device, row);
            }
        } else if is_host && let Some(number) = name.strip_prefix(b"ProfilerStep#").and_then(integer) {
            self.launches.add_step(number, times.start_unix_ns, None, row);
        } else if is_host && name.starts_with(optimizer_steps::RANGE) {
            row.into_iter().for_each(|row| self.launches.add_optimizer(row));
        } else if let Some((number, row)) = event.step.zip(row) {
            self.launches.add_number(row, number);
        }
    }

    /// The kind of an event without a known category, by its process and thread.
    pub(super) fn kind_of_thread(
        &mut self,
        row: usize,
        thread: u32,
        event: &Event,
        builder: &mut TraceBuilder,
    ) -> EventKind {
        if let Some((line, is_work)) = self.processes.line(row, thread) {
            return self.kinds.of_line(line, is_work, builder);
        }
        if self.processes.is_megascale(row) {
            return self.kinds.of_megascale(builder);
        }
        if self.processes.is_tensorflow() {
            return self.kinds.of_host(event, builder);
        }
        if let Some(rows) = self.processes.npu_rows_of(row, thread) {
            let (name, has_groups) = (event.get(Field::Name), !self.processes.groups.is_empty());
            let exchanges = rows == NpuRows::Hardware && self.processes.exchanges(row, thread, name);
            return self.kinds.of_npu(rows, name, has_groups, exchanges, builder);
        }
        if self.processes.is_legacy_gpu(row) {
            return self.kinds.of_legacy_gpu(builder);
        }
        if let Some(kind) = self.repeated.kind((row, thread), event.get(Field::Thread), builder) {
            return kind;
        }
        if let Some(kind) = self.mxnet.kind(row, event.get(Field::Name), builder) {
            return kind;
        }
        if event.has(Field::Category) && self.processes.is_gpu(row) {
            return self.kinds.of_unknown(builder);
        }
        let kind = self.kinds.of_name(builder);
        match self.processes.is_named_gpu(row) {
            true => EventKind { home: Home::Accelerator, ..kind },
            false => kind,
        }
    }

    /// The tasks of Ascend's collectives run on the NPU, whose streams have numbers of their own.
    fn thread_of_npu(&mut self, npu: usize, event: &Event) -> u32 {
        self.processes.thread(npu, &[b"HCCL ", event.get(Field::Thread)].concat())
    }

    /// Takes one end of an arrow of Ascend's profiler.
    fn flow(&mut self, event: &Event) {
        let Ok(times) = self.times(event) else { return };
        let row = self.processes.row(event.get(Field::Process));
        let npu = self.processes.row_of_npu(row);
        let shown = npu.or(self.processes.caller(row)).unwrap_or(row);
        let thread = match npu {
            Some(npu) => self.thread_of_npu(npu, event),
            None => self.processes.thread(shown, event.get(Field::Thread)),
        };
        let (kind, id) = (event.get(Field::Category), event.get(Field::Id));
        let begins = event.get(Field::Phase) == b"s";
        self.flows.add(begins, (kind, id), (shown, thread), times.start_unix_ns);
    }

    /// Takes one end of an arrow of rocprof.
    fn arrow(&mut self, event: &Event) {
        let Ok(times) = self.times(event) else { return };
        let Some(number) = integer(event.get(Field::Id)) else { return };
        let row = self.processes.row(event.get(Field::Process));
        let thread = self.processes.thread(row, event.get(Field::Thread));
        let begins = event.get(Field::Phase) == b"s";
        self.arrows.add(begins, number, (row as u32, thread), times.start_unix_ns);
    }

    /// Takes an allocation or a free of PyTorch; returns whether it could be read.
    fn memory(&mut self, event: &Event, builder: &TraceBuilder) -> bool {
        let Ok(times) = self.times(event) else { return false };
        let row = self.processes.row(event.get(Field::Process));
        let thread = self.processes.thread(row, event.get(Field::Thread));
        let found = memory_event(event, (row as u32, thread), times.start_unix_ns, &mut self.memory);
        // When the memory is full, there are no ops for these events.
        found.into_iter().filter(|_| !builder.is_full()).for_each(|event| self.memory.push(event));
        found.is_some()
    }

    /// Whether tensors have phases within phases, as in timelines of Horovod.
    pub(super) fn has_phases(&self) -> bool {
        self.of_tensors.is_some()
    }

    /// Adds an op called `name`, which belongs to `tf_op` if the writer recorded that.
    pub(super) fn op(
        &mut self,
        (row, kind): (usize, EventKind),
        (name, tf_op): (&[u8], &[u8]),
        mut times: OpTimes,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let slot = match self.of_tensors {
            // A tensor is a thread of Horovod or the like, and no device.
            Some(writer) => {
                times.thread = row as u32;
                self.processes.tensor(row, writer, builder)
            }
            None => self.processes.home(row, kind.home, builder),
        };
        let Some(slot) = slot else { return Taken::TooManyDevices };
        self.label.clear();
        self.label.extend_from_slice(b"= ");
        push_op_type(name, tf_op, &mut self.label);
        self.label.extend_from_slice(b"()");
        if let Some(bytes) = self.passed_bytes.take() {
            self.label.push(b' ');
            self.label.extend_from_slice(bytes.to_string().as_bytes());
            self.label.extend_from_slice(b" bytes");
        }
        let record = OpRecord { name, label: &self.label, times };
        outcome(builder.hinted_op(slot, &record, kind.hint), times)
    }

    /// Reads the name of a process or thread.
    fn metadata(&mut self, event: &Event) {
        let row = self.processes.row(event.get(Field::Process));
        match event.get(Field::Name) {
            b"process_name" if event.has(Field::Epoch) => {
                self.processes.epoch = Some(row);
                let micros = integer(event.get(Field::Epoch));
                self.said.base_unix_ns =
                    micros.and_then(|micros| micros.checked_mul(1_000)).or(self.said.base_unix_ns);
            }
            b"process_name" => {
                self.mxnet.name(row, event.get(Field::ArgName));
                self.processes.name(row, event.get(Field::ArgName));
            }
            b"process_labels" => self.processes.label(row, event.get(Field::Labels)),
            b"thread_name" => {
                let row = self.processes.caller(row).unwrap_or(row);
                let thread = self.processes.thread(row, event.get(Field::Thread));
                self.processes.name_thread(row, thread, event.get(Field::ArgName));
            }
            _ => {}
        }
    }
}

/// Before this time, 1980, nobody recorded anything: what is later is a date, and no time since some beginning.
const FIRST_DATE_NS: i64 = 315_532_800_000_000_000;

/// Takes back the ops since `mark` whose time was never set, so that they begin in 1970: all others have a date.
fn leave_out_unset(mark: Mark, builder: &mut TraceBuilder, lost: &mut Lost) {
    let is_unset = |start: i64| (-1_000..1_000).contains(&start);
    let mut unset: Vec<u32> = Vec::new();
    let mut has_dates = false;
    for row in builder.rows_since(mark) {
        match builder.start_of(row) {
            start if is_unset(start) => unset.push(row),
            start if start >= FIRST_DATE_NS => has_dates = true,
            _ => return,
        }
    }
    if has_dates && !unset.is_empty() {
        builder.discard_rows(&unset);
        lost.unset.add(unset.len() as u64, 0);
    }
}

/// The times in an event; an event without a length has the length 0.
fn times(event: &Event) -> Result<OpTimes, Taken> {
    let read = |time| match time {
        Ok(ns) => Ok(ns),
        Err(NoTime::Unreadable) => Err(Taken::NoTime),
        Err(NoTime::OutOfRange) => Err(Taken::TimeOutOfRange),
    };
    let start_unix_ns = read(event.time.unwrap_or(Err(NoTime::Unreadable)))?;
    let length_ns = read(event.length.unwrap_or(Ok(0)))?;
    Ok(OpTimes { start_unix_ns, length_ns, kernel_end_ns: length_ns.max(0), ..OpTimes::default() })
}

pub(super) fn outcome(added: Result<(), Refused>, times: OpTimes) -> Taken {
    match added {
        Err(Refused::TimeOutOfRange) => Taken::TimeOutOfRange,
        Err(Refused::TooManyOps) => Taken::TooManyOps,
        Ok(()) if times.length_ns < 0 => Taken::Negative,
        Ok(()) | Err(Refused::LeftOut) => Taken::Fine,
    }
}

/// Whether BytePS wrote an event: with its category, or without one, as the guide to its timelines shows.
fn is_of_byteps(event: &Event) -> bool {
    let name = event.get(Field::Name);
    match event.get(Field::Category) {
        b"Comm" => name.starts_with(b"Comm."),
        category => category.is_empty() && name.starts_with(b"Comm.byteps."),
    }
}
