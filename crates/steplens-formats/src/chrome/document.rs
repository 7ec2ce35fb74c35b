//! Events to ops: whole ones, beginnings with their ends, and what `timeline.py` says in its own way.

use super::event::{Event, Field};
use super::lost::{Count, Lost};
use super::number::NoTime;
use super::processes::Processes;
use super::tensor::{Maker, Tensors};
use crate::op_type::push_op_type;
use steplens_core::StringId;
use steplens_core::builder::{OpRecord, OpTimes, Refused, TraceBuilder};
use steplens_core::strings::StringTable;

/// What became of an event.
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

/// The beginning of an op that has not ended yet.
struct Span {
    name: StringId,
    start_unix_ns: i64,
}

/// One document in the making.
#[derive(Default)]
pub(super) struct Document {
    processes: Processes,
    /// Names of tensors and of ops that have not ended.
    names: StringTable,
    /// Process and thread; the id of one is its row in `spans`.
    span_threads: StringTable,
    /// What has begun on a thread and not ended, the newest last.
    spans: Vec<Vec<Span>>,
    open_spans: u64,
    tensors: Tensors,
    /// Ops of `timeline.py`.
    timeline_ops: Count,
    /// Buffers, so that no op allocates.
    name: Vec<u8>,
    label: Vec<u8>,
}

impl Document {
    /// Takes the event that begins at the byte `at`.
    pub(super) fn take(
        &mut self,
        event: &mut Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        match (event.get(Field::Phase), event.get(Field::Category)) {
            (b"X", b"Op") if event.has(Field::ArgName) && event.has(Field::ArgOp) => {
                self.timeline_op(event, at, lost, builder)
            }
            (b"X", _) => self.complete(event, builder),
            (b"B", _) => self.begin(event, builder),
            (b"E", _) => self.end_span(event, at, lost, builder),
            (phase, category) => {
                match (phase, category) {
                    (b"M", _) => self.metadata(event),
                    (b"N" | b"O", b"Tensor") => self.tensor(event, builder),
                    // timeline.py's arrows, ends of tensors and counters follow from ops, inputs and tensors.
                    (b"s" | b"t", b"DataFlow") | (b"D", b"Tensor") | (b"C", b"Memory") => {}
                    _ => lost.not_shown.add(1, at),
                }
                Taken::Fine
            }
        }
    }

    /// Ends the document: names its devices and threads, and counts what is left over.
    pub(super) fn end(&mut self, builder: &mut TraceBuilder, lost: &mut Lost) {
        let ended = std::mem::take(self);
        lost.unfinished.add(ended.open_spans, 0);
        if ended.timeline_ops.count() > 0 {
            lost.tensors.add(ended.tensors.unjoined(), 0);
            if ended.tensors.len() == 0 {
                lost.without_tensors.add(ended.timeline_ops.count(), 0);
            }
        }
        ended.processes.name_all(ended.timeline_ops.count() > 0, builder);
        builder.end_part();
    }

    /// Memory it holds, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.processes.heap_bytes()
            + self.names.heap_bytes()
            + self.span_threads.heap_bytes()
            + self.spans.capacity() * size_of::<Vec<Span>>()
            + self.open_spans as usize * size_of::<Span>()
            + self.tensors.heap_bytes()
    }

    /// An op that `timeline.py` wrote.
    fn timeline_op(
        &mut self,
        event: &mut Event,
        at: u64,
        lost: &mut Lost,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let times = match times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let Some(slot) = self.processes.slot(row, true, builder) else { return Taken::TooManyDevices };
        lost.ops.add(1, at);
        self.timeline_ops.add(1, at);
        event.sort_inputs();
        let (name, op) = (event.get(Field::ArgName), event.get(Field::ArgOp));
        self.name.clear();
        self.label.clear();
        self.name.extend_from_slice(name);
        if self.processes.is_stream(row) {
            self.name.push(b':');
            self.name.extend_from_slice(op);
        } else if name == b"RecvTensor" {
            lost.transfers.add(1, at);
        } else if op != b"unknown" {
            for part in [name, b" = ", op, b"("] {
                self.label.extend_from_slice(part);
            }
            for (place, input) in event.inputs().enumerate() {
                self.label.extend_from_slice(if place > 0 { b", " } else { b"" });
                self.label.extend_from_slice(input);
            }
            self.label.push(b')');
        }
        let added = builder.op(slot, &OpRecord { name: &self.name, label: &self.label, times });
        if let Some(device) = self.processes.device(row) {
            let maker = Maker { device, start_unix_ns: times.start_unix_ns };
            self.tensors.give(
                maker,
                event.get(Field::ArgName),
                &self.names,
                added.is_ok().then_some(builder),
            );
        }
        outcome(added, times)
    }

    /// A whole op of any other writer.
    fn complete(&mut self, event: &Event, builder: &mut TraceBuilder) -> Taken {
        let mut times = match times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        times.thread = self.processes.thread(row, event.get(Field::Thread));
        self.op(row, (event.get(Field::Name), event.get(Field::TfOp)), times, builder)
    }

    fn begin(&mut self, event: &Event, builder: &TraceBuilder) -> Taken {
        let times = match times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        let thread = self.processes.thread(row, event.get(Field::Thread));
        // When the memory is full, all names are as good as one.
        let name = if builder.is_full() { b"" } else { event.get(Field::Name) };
        let span = Span { name: self.names.intern(name), start_unix_ns: times.start_unix_ns };
        self.open_on(row, thread).push(span);
        self.open_spans += 1;
        Taken::Fine
    }

    fn end_span(&mut self, event: &Event, at: u64, lost: &mut Lost, builder: &mut TraceBuilder) -> Taken {
        let mut times = match times(event) {
            Ok(times) => times,
            Err(taken) => return taken,
        };
        let row = self.processes.row(event.get(Field::Process));
        times.thread = self.processes.thread(row, event.get(Field::Thread));
        let Some(span) = self.open_on(row, times.thread).pop() else {
            lost.unfinished.add(1, at);
            return Taken::Fine;
        };
        self.open_spans -= 1;
        times.length_ns = times.start_unix_ns.saturating_sub(span.start_unix_ns);
        times.kernel_end_ns = times.length_ns.max(0);
        times.start_unix_ns = span.start_unix_ns;
        // The table of names is not changed while an op is added.
        let names = std::mem::take(&mut self.names);
        let taken = self.op(row, (names.get(span.name).as_bytes(), b""), times, builder);
        self.names = names;
        taken
    }

    /// What is open on a thread of the process in `row`.
    fn open_on(&mut self, row: usize, thread: u32) -> &mut Vec<Span> {
        let [row, thread] = [row as u32, thread].map(|number| number.to_string());
        let id = self.span_threads.intern([row, thread].join(" ").as_bytes()).index();
        if id == self.spans.len() {
            self.spans.push(Vec::new());
        }
        &mut self.spans[id]
    }

    /// Adds an op called `name`, which belongs to `tf_op` if the writer knows.
    fn op(
        &mut self,
        row: usize,
        (name, tf_op): (&[u8], &[u8]),
        times: OpTimes,
        builder: &mut TraceBuilder,
    ) -> Taken {
        let Some(slot) = self.processes.slot(row, false, builder) else { return Taken::TooManyDevices };
        self.label.clear();
        self.label.extend_from_slice(b"= ");
        push_op_type(name, tf_op, &mut self.label);
        self.label.extend_from_slice(b"()");
        outcome(builder.op(slot, &OpRecord { name, label: &self.label, times }), times)
    }

    /// The name of a process or thread.
    fn metadata(&mut self, event: &Event) {
        let row = self.processes.row(event.get(Field::Process));
        match event.get(Field::Name) {
            b"process_name" => self.processes.name(row, event.get(Field::ArgName)),
            b"process_labels" => self.processes.label(row, event.get(Field::Labels)),
            b"thread_name" => {
                let thread = self.processes.thread(row, event.get(Field::Thread));
                self.processes.name_thread(row, thread, event.get(Field::ArgName));
            }
            _ => {}
        }
    }

    /// A tensor of `timeline.py` that was made, or what it is.
    fn tensor(&mut self, event: &Event, builder: &TraceBuilder) {
        let row = self.processes.row(event.get(Field::Process));
        let Some(device) = self.processes.device(row).filter(|_| !builder.is_full()) else { return };
        let name = self.names.intern(event.get(Field::Name));
        match (event.get(Field::Phase), event.time) {
            (b"N", Some(Ok(start_unix_ns))) => self.tensors.create(Maker { device, start_unix_ns }, name),
            (b"O", _) if event.has(Field::Tensor) => {
                self.tensors.describe(name, event.get(Field::Tensor), &mut self.names);
            }
            _ => {}
        }
    }
}

/// When an event was; an event without a length has none.
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

fn outcome(added: Result<(), Refused>, times: OpTimes) -> Taken {
    match added {
        Err(Refused::TimeOutOfRange) => Taken::TimeOutOfRange,
        Err(Refused::TooManyOps) => Taken::TooManyOps,
        Ok(()) if times.length_ns < 0 => Taken::Negative,
        Ok(()) | Err(Refused::LeftOut) => Taken::Fine,
    }
}
