//! One event: the fields that are read.

use super::arguments::{ArgumentSpans, Saved};
use super::number::{NoTime, integer, nanos_of_micros};
use super::text::unescape;
use crate::op_type::split_tf_op;
use steplens_core::base::order;

/// A field that is a text, or is read as one: process and thread may be numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// `ph`: what kind of event it is.
    Phase,
    Category,
    Name,
    Process,
    Thread,
    /// `id`: of counters of the same name.
    Id,
    /// `s`: what an instant is about.
    Scope,
    /// `args.name`: the name of an op, a process or a thread.
    ArgName,
    /// `args.op`: an op's type.
    ArgOp,
    /// `args.labels`: what PyTorch adds to the name of a process.
    Labels,
    /// `args.tf_op`: `NAME:OP` of the op that an event of TensorFlow 2 belongs to.
    TfOp,
    /// `args.snapshot.tensor_description`.
    Tensor,
    /// `args.correlation`, `args.correlation_id`: the common number of a kernel and the call that launched it.
    Correlation,
    /// `args.long_name` of TensorFlow 2: `NAME:TYPE` of an op. `args.long name` of TensorFlow 2.1: the whole name; `name` has only its end.
    LongName,
    /// `args.annotation` of TensorFlow 2: `NAME:TYPE` of the op that a kernel ran for.
    Annotation,
    /// `args.hlo_op`: an instruction of XLA.
    HloOp,
    /// `args.hlo_category`: what kind of instruction it is.
    HloCategory,
    /// `args.mem_bytes` of Paddle: the bytes of a copy.
    CopiedBytes,
    /// `args.start_time_since_epoch_in_micros` of Horovod: what its times count from.
    Epoch,
    /// `args.dev-id` of rocprof: the GPU of a copy.
    Gpu,
    /// `args.label`, `args.category`, `args.reason`: what Steplens writes about an op.
    Label,
    OpCategory,
    Reason,
    /// `args.Bytes` of PyTorch's `[memory]`: positive for an allocation, negative for a free.
    Bytes,
    /// `args.Addr`: the address.
    Address,
    /// `args.Device Type`: a number of PyTorch's `DeviceType`.
    DeviceType,
    /// `args.Device Id`: the index of the device of that type.
    DeviceId,
    /// `args.Total Allocated`: the bytes in use after the event.
    TotalAllocated,
    /// `args.Total Reserved`: the bytes that the allocator holds after the event, in use or not.
    TotalReserved,
    /// `args.Collective name` of PyTorch: the operation of a collective.
    Collective,
    /// `args.args` of rocprof: what was passed to a call, as text.
    Passed,
    /// `args.step_num` of TensorFlow 2 and JAX: the number of the step that an event marks.
    StepNumber,
}

const FIELDS: usize = Field::StepNumber as usize + 1;

/// The meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Field(Field),
    Time,
    Length,
    /// `args.step`.
    Step,
    /// `args.input7`.
    Input(i64),
    Args,
    Snapshot,
    /// `baseTimeNanoseconds` in a document of PyTorch: the base of its times.
    Base,
    /// `distributedInfo` in a document of PyTorch, and in it the number of the process.
    Distributed,
    Rank,
    /// `traceEvents`, in a document.
    Events,
    /// `deviceProperties` in a document of PyTorch: the GPUs of its machine.
    Devices,
    Other,
}

impl Key {
    /// A key of a document or of an event in it.
    pub(super) fn of_object(key: &[u8]) -> Self {
        match key {
            b"ph" => Self::Field(Field::Phase),
            b"cat" => Self::Field(Field::Category),
            b"name" => Self::Field(Field::Name),
            b"pid" => Self::Field(Field::Process),
            b"tid" => Self::Field(Field::Thread),
            b"id" => Self::Field(Field::Id),
            b"s" => Self::Field(Field::Scope),
            b"ts" => Self::Time,
            b"dur" => Self::Length,
            b"args" => Self::Args,
            b"traceEvents" => Self::Events,
            b"baseTimeNanoseconds" => Self::Base,
            b"distributedInfo" => Self::Distributed,
            b"deviceProperties" => Self::Devices,
            _ => Self::Other,
        }
    }

    /// A key of `distributedInfo`.
    pub(super) fn of_distributed(key: &[u8]) -> Self {
        if key == b"rank" { Self::Rank } else { Self::Other }
    }

    /// A key of an event's `args`.
    pub(super) fn of_args(key: &[u8]) -> Self {
        match key {
            b"name" => Self::Field(Field::ArgName),
            b"op" => Self::Field(Field::ArgOp),
            b"labels" => Self::Field(Field::Labels),
            b"tf_op" => Self::Field(Field::TfOp),
            b"correlation" | b"correlation_id" => Self::Field(Field::Correlation),
            b"long_name" | b"long name" => Self::Field(Field::LongName),
            b"annotation" => Self::Field(Field::Annotation),
            b"hlo_op" => Self::Field(Field::HloOp),
            b"hlo_category" => Self::Field(Field::HloCategory),
            b"mem_bytes" => Self::Field(Field::CopiedBytes),
            b"start_time_since_epoch_in_micros" => Self::Field(Field::Epoch),
            b"dev-id" => Self::Field(Field::Gpu),
            b"label" => Self::Field(Field::Label),
            b"category" => Self::Field(Field::OpCategory),
            b"reason" => Self::Field(Field::Reason),
            b"Bytes" => Self::Field(Field::Bytes),
            b"Addr" => Self::Field(Field::Address),
            b"Device Type" => Self::Field(Field::DeviceType),
            b"Device Id" => Self::Field(Field::DeviceId),
            b"Total Allocated" => Self::Field(Field::TotalAllocated),
            b"Total Reserved" => Self::Field(Field::TotalReserved),
            b"Collective name" => Self::Field(Field::Collective),
            b"args" => Self::Field(Field::Passed),
            b"step_num" => Self::Field(Field::StepNumber),
            b"step" => Self::Step,
            b"snapshot" => Self::Snapshot,
            _ => match key.strip_prefix(b"input").and_then(super::number::integer) {
                Some(number) => Self::Input(number),
                None => Self::Other,
            },
        }
    }

    /// Whether an event keeps the whole value of this key.
    #[inline]
    pub(super) fn is_of_event(self) -> bool {
        matches!(
            self,
            Self::Field(_)
                | Self::Time
                | Self::Length
                | Self::Input(_)
                | Self::Args
                | Self::Snapshot
                | Self::Events
                | Self::Other
        )
    }

    /// A key of the snapshot of a tensor.
    pub(super) fn of_snapshot(key: &[u8]) -> Self {
        if key == b"tensor_description" { Self::Field(Field::Tensor) } else { Self::Other }
    }
}

/// A range in the texts.
type Stretch = (usize, usize);

/// The current event. Its memory is reused for the next event.
#[derive(Default)]
pub(super) struct Event {
    /// All texts, one after another.
    texts: Vec<u8>,
    fields: [Stretch; FIELDS],
    inputs: Vec<(i64, Stretch)>,
    /// Where all of its arguments are.
    pub(super) arguments: ArgumentSpans,
    /// Whether a text passed to `set_at` has a backslash.
    is_escaped: bool,
    /// Whether a text has a backslash that begins no escape, which is no JSON.
    pub(super) has_odd_escape: bool,
    /// `ts` as a whole number of nanoseconds, if it lies too far off to be microseconds.
    pub(super) time_in_ns: Option<i64>,
    /// `ts` and `dur` in nanoseconds, if the event has them.
    pub(super) time: Option<Result<i64, NoTime>>,
    pub(super) length: Option<Result<i64, NoTime>>,
    /// `args.step`: the number of the step that an event says it is of.
    pub(super) step: Option<i64>,
}

impl Event {
    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.texts.clear();
        self.fields = Default::default();
        self.inputs.clear();
        self.arguments.clear();
        (self.is_escaped, self.has_odd_escape, self.time_in_ns) = (false, false, None);
        (self.time, self.length, self.step) = (None, None, None);
    }

    /// Sets the value of `key`; if a key occurs twice, the last value counts, as in JavaScript and Python.
    pub(super) fn set(&mut self, key: Key, raw: &[u8], escaped: bool) {
        match key {
            Key::Time => {
                self.time = Some(nanos_of_micros(raw));
                let is_far = self.time == Some(Err(NoTime::OutOfRange));
                self.time_in_ns = is_far.then(|| integer(raw)).flatten();
            }
            Key::Length => self.length = Some(nanos_of_micros(raw)),
            Key::Step => self.step = integer(raw),
            Key::Field(field) => self.fields[field as usize] = self.keep(raw, escaped),
            Key::Input(number) => {
                let input = self.keep(raw, escaped);
                self.inputs.push((number, input));
            }
            Key::Args
            | Key::Snapshot
            | Key::Events
            | Key::Devices
            | Key::Base
            | Key::Distributed
            | Key::Rank
            | Key::Other => {}
        }
    }

    /// Like `set`, for an event whose bytes are passed to [`end_whole`](Self::end_whole): `raw` is at `at` in them.
    #[inline]
    pub(super) fn set_at(&mut self, key: Key, raw: &[u8], at: usize, escaped: bool) {
        match key {
            Key::Field(field) => self.fields[field as usize] = (at, at + raw.len()),
            Key::Input(number) => self.inputs.push((number, (at, at + raw.len()))),
            Key::Time | Key::Length | Key::Step => self.set(key, raw, escaped),
            Key::Args
            | Key::Snapshot
            | Key::Events
            | Key::Devices
            | Key::Base
            | Key::Distributed
            | Key::Rank
            | Key::Other => {}
        }
        self.is_escaped |= escaped;
    }

    /// Takes the bytes of the event: one copy for all texts.
    pub(super) fn end_whole(&mut self, bytes: &[u8]) {
        let Self { texts, fields, inputs, has_odd_escape, .. } = self;
        texts.extend_from_slice(bytes);
        if !std::mem::take(&mut self.is_escaped) {
            return;
        }
        for (start, end) in fields.iter_mut().chain(inputs.iter_mut().map(|(_, stretch)| stretch)) {
            let raw = bytes.get(*start..*end).unwrap_or_default();
            if raw.contains(&b'\\') {
                let first = texts.len();
                *has_odd_escape |= !unescape(raw, texts);
                (*start, *end) = (first, texts.len());
            }
        }
    }

    /// The text of a field; empty if there is none.
    #[inline]
    pub(super) fn get(&self, field: Field) -> &[u8] {
        let (start, end) = self.fields[field as usize];
        &self.texts[start..end]
    }

    /// Whether the event has a field.
    pub(super) fn has(&self, field: Field) -> bool {
        !self.get(field).is_empty()
    }

    /// Gives an event of TensorFlow's profiler the name that later releases write: TensorFlow 2.0 and 2.1 write what follows its last colon.
    pub(super) fn name_in_full(&mut self) {
        let (long, name) = (self.get(Field::LongName), self.get(Field::Name));
        let is_end = long.strip_suffix(name).is_some_and(|start| start.ends_with(b":"));
        if is_end && split_tf_op(long).is_none() {
            self.fields[Field::Name as usize] = self.fields[Field::LongName as usize];
        } else if name.starts_with(b" ") {
            let name = [b"EagerExecute:", name].concat();
            self.fields[Field::Name as usize] = self.keep(&name, false);
        }
    }

    /// The bytes that the spans of its arguments refer to.
    pub(super) fn argument_bytes(&self) -> &[u8] {
        self.arguments.own_bytes().unwrap_or(&self.texts)
    }

    /// Replaces its arguments by those in the object that is the value of `name`.
    pub(super) fn unfold_argument(&mut self, name: &[u8]) {
        let mut arguments = std::mem::take(&mut self.arguments);
        let own = arguments.own_bytes().map(<[u8]>::to_vec);
        arguments.unfold(name, own.as_deref().unwrap_or(&self.texts));
        self.arguments = arguments;
    }

    /// Puts the arguments of the beginning of an op before those of its end.
    pub(super) fn put_arguments_before(&mut self, saved: Saved) {
        let mut arguments = std::mem::take(&mut self.arguments);
        let own = arguments.own_bytes().map(<[u8]>::to_vec);
        arguments.put_before(saved, own.as_deref().unwrap_or(&self.texts));
        self.arguments = arguments;
    }

    /// Sorts the inputs by their numbers: a writer that sorts keys writes `input10` before `input2`.
    pub(super) fn sort_inputs(&mut self) {
        if self.inputs.is_sorted_by_key(|&(number, _)| number) {
            return;
        }
        order::by_number(&mut self.inputs, |(number, (start, _))| (number, start as i64));
    }

    /// The inputs.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &[u8]> {
        self.inputs.iter().map(|&(_, (start, end))| &self.texts[start..end])
    }

    fn keep(&mut self, raw: &[u8], escaped: bool) -> Stretch {
        let start = self.texts.len();
        if escaped {
            self.has_odd_escape |= !unescape(raw, &mut self.texts);
        } else {
            self.texts.extend_from_slice(raw);
        }
        (start, self.texts.len())
    }
}
