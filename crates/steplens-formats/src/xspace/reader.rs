//! Bytes to rows: planes, lines, events and metadata as they come.

use super::FORMAT;
use super::describe::STEP;
use super::lines::{STEPS, is_device};
use super::memory::{ADDRESS, BYTES, MemoryNumbers};
use super::ops::{self, Context, MAX_PLANE_STATS, StepEvent};
use super::rows::Row;
use super::shapes::{Key, OfShapes, StatValue};
use super::tables::{Plane, Tables};
use crate::error::ReadErrorKind;
use crate::frames::{Fault, Flow, Frames, Inside, Schema, Sink, Step, Stop};
use crate::reader::{Found, FoundTrace, Reader};
use crate::silent_gpus::is_gpu;
use crate::step_marks::number_in;
use crate::wire::{Damaged, Message, Value, Wire};
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::capability::Capability;
use steplens_core::{Flops, Problems};
use steplens_messages::say;
use steplens_proto::fields::{xevent, xline, xplane, xspace, xstat};

/// The number of bytes between two checks of the memory in use.
const MEMORY_CHECK_BYTES: u64 = 1 << 20;
/// The most lines that are counted after the memory is full.
const MAX_COUNTED_LINES: usize = 1 << 17;
/// How much of the profiler's message is repeated.
const MAX_SAID_CHARS: usize = 200;

/// A message whose fields are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenMessage {
    Space,
    Plane,
    Line,
}

/// Values that are read at once.
#[derive(Clone, Copy, Debug)]
enum Whole {
    PlaneName,
    EventMetadata,
    StatMetadata,
    PlaneStat,
    LineId,
    LineName,
    Timestamp,
    Event,
    /// A message of the profiler about the profile.
    Said,
    HostName,
}

impl Schema for OpenMessage {
    type Whole = Whole;

    fn step(self, field: u32, wire: Wire) -> Step<Self, Whole> {
        match (self, field, wire) {
            (Self::Line, xline::EVENTS, Wire::Length) => Step::Read(Whole::Event),
            (Self::Space, xspace::PLANES, Wire::Length) => Step::Enter(Self::Plane),
            (Self::Space, xspace::ERRORS | xspace::WARNINGS, Wire::Length) => Step::Read(Whole::Said),
            (Self::Space, xspace::HOSTNAMES, Wire::Length) => Step::Read(Whole::HostName),
            (Self::Plane, xplane::NAME, Wire::Length) => Step::Read(Whole::PlaneName),
            (Self::Plane, xplane::LINES, Wire::Length) => Step::Enter(Self::Line),
            (Self::Plane, xplane::EVENT_METADATA, Wire::Length) => Step::Read(Whole::EventMetadata),
            (Self::Plane, xplane::STAT_METADATA, Wire::Length) => Step::Read(Whole::StatMetadata),
            (Self::Plane, xplane::STATS, Wire::Length) => Step::Read(Whole::PlaneStat),
            (Self::Line, xline::ID, Wire::Varint) => Step::Read(Whole::LineId),
            (Self::Line, xline::NAME, Wire::Length) => Step::Read(Whole::LineName),
            (Self::Line, xline::TIMESTAMP_NS, Wire::Varint) => Step::Read(Whole::Timestamp),
            (Self::Plane, xplane::ID, Wire::Varint)
            | (Self::Line, xline::DURATION_PS | xline::DISPLAY_ID, Wire::Varint)
            | (Self::Line, xline::DISPLAY_NAME, Wire::Length) => Step::Skip,
            _ => Step::Unknown,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Space => say!("word-xspace"),
            Self::Plane => say!("word-plane"),
            Self::Line => say!("word-line"),
        }
    }
}

/// The places of the needed numbers of a shape, among all numbers of its events.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    count: u32,
    correlation: Option<u32>,
    step: Option<u32>,
    /// The index in `memory_of`, for shapes of allocations and frees.
    memory: Option<u32>,
}

/// The stats of a GPU with its compute capability, and what another one says of GPUs of AMD (`xla/backends/profiler/gpu`, `kDevVendor`).
const CAPABILITY_MAJOR: &str = "compute_cap_major";
const CAPABILITY_MINOR: &str = "compute_cap_minor";
const OF_AMD: &[u8] = b"AMD";
/// The stat with what a TPU calculates at most, in bfloat16: a decimal number (`xla/tsl/profiler/utils/xplane_schema.cc`, `kDevCapPeakTeraflopsPerSecond`).
const PEAK_TERAFLOPS: &str = "peak_teraflops_per_second";

/// The stats whose numbers are needed.
const CORRELATION: &str = "correlation_id";

/// Reads one file.
pub(crate) struct XSpaceReader {
    frames: Frames<OpenMessage>,
    state: State,
}

/// The file so far.
struct State {
    plane: OpenPlane,
    tables: Tables,
    context: Context,
    problems: Problems,
    memory_limit: usize,
    checked_at: u64,
    full_at: Option<u64>,
}

/// The data of a plane until its names are known.
struct OpenPlane {
    is_open: bool,
    first_row: usize,
    /// The numbers among the stats of all events, one event after another.
    numbers: Vec<u64>,
    /// (stat, value) of the plane itself.
    stats: Vec<(u64, u64)>,
    /// (stat, value) of those that are decimal numbers.
    decimals: Vec<(u64, f64)>,
    /// Whether a stat of the plane says that AMD made its GPU, whose numbers are no compute capability.
    is_of_amd: bool,
    key: Key,
    numbers_of: OfShapes<u32, Numbers>,
    /// The figures of each shape of allocations or frees.
    memory_of: Vec<MemoryNumbers>,
}

impl XSpaceReader {
    /// A reader that only counts events after the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        let state = State {
            plane: OpenPlane::new(),
            tables: Tables::new(),
            context: Context::default(),
            problems: Problems::default(),
            memory_limit,
            checked_at: 0,
            full_at: None,
        };
        Self { frames: Frames::of(OpenMessage::Space), state }
    }
}

impl Reader for XSpaceReader {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        self.frames.push(bytes, &mut Reading { state: &mut self.state, builder });
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let is_whole = matches!(self.frames.inside(), Inside::Nothing);
        if !is_whole {
            let (at, place) =
                (self.frames.at(), self.frames.place().map_or(say!("word-file"), OpenMessage::word));
            self.state.problems.add("truncated", at, || say!("truncated-inside", at, place));
        }
        if self.state.plane.is_open {
            self.state.tables.end_line();
            self.state.plane.end(&mut self.state.tables, &mut self.state.context);
        }
        let State { tables, context, mut problems, full_at, .. } = self.state;
        let planes = context.planes;
        let (bytes, stopped_at) = (self.frames.at(), self.frames.stopped_at().cloned());
        ops::emit(tables, context, builder, &mut problems);
        let broken = problems.as_slice().iter().find(|problem| {
            ["truncated", "damaged-message", "damaged-op", "unreadable-tail", "time-out-of-range"]
                .contains(&&*problem.code)
        });
        let nothing = match broken {
            Some(broken) => ReadErrorKind::NoOpsReadable {
                format: say!("word-xspace"),
                offset: broken.offset,
                what: if broken.code == "truncated" { say!("got-end-of-file") } else { say!("got-damage") }
                    .to_owned(),
            },
            None => ReadErrorKind::NoOpsIn {
                format: say!("word-xspace"),
                holds: say!("xspace-planes", planes),
                advice: say!("xspace-advice"),
            },
        };
        Found::Trace(FoundTrace {
            format: FORMAT.name,
            nothing: Some(nothing),
            problems,
            stopped_at,
            full_at,
            bytes,
        })
    }
}

impl XSpaceReader {}

/// Takes the content of the file.
struct Reading<'a> {
    state: &'a mut State,
    builder: &'a TraceBuilder,
}

impl Sink<OpenMessage> for Reading<'_> {
    fn entered(&mut self, place: OpenMessage, at: u64, after: u64) -> Flow {
        let State { plane, tables, full_at, .. } = &mut *self.state;
        let was_full = full_at.is_some();
        match place {
            OpenMessage::Plane => plane.begin(tables),
            OpenMessage::Line => tables.begin_line(at),
            OpenMessage::Space => {}
        }
        self.go_on(was_full, after)
    }

    fn left(&mut self, place: OpenMessage, after: u64) -> Flow {
        let State { plane, tables, context, full_at, .. } = &mut *self.state;
        let was_full = full_at.is_some();
        match place {
            OpenMessage::Line => tables.end_line(),
            OpenMessage::Plane => plane.end(tables, context),
            OpenMessage::Space => {}
        }
        self.go_on(was_full, after)
    }

    fn message(&mut self, what: Whole, message: Message<'_>, at: u64) -> Flow {
        let State { plane, tables, context, full_at, problems, .. } = &mut *self.state;
        let was_full = full_at.is_some();
        match what {
            Whole::Event if was_full => tables.lines.last_mut().into_iter().for_each(|line| line.lost += 1),
            Whole::Event => {
                if let Err(Damaged { at: within }) = plane.read_event(message, tables, context, at) {
                    let at = at + within as u64;
                    problems.add("damaged-op", at, || say!("damaged-xspace-event", at));
                }
            }
            what => {
                if let Err(Damaged { at: within }) = plane.read(what, message, tables, context) {
                    let at = at + within as u64;
                    problems.add("damaged-metadata", at, || say!("damaged-xspace-name", at));
                }
            }
        }
        self.go_on(was_full, at + message.length() as u64)
    }

    fn number(&mut self, what: Whole, value: u64, after: u64) -> Flow {
        let State { tables, full_at, .. } = &mut *self.state;
        let was_full = full_at.is_some();
        match (what, tables.lines.last_mut()) {
            (Whole::LineId, Some(line)) => line.id = value as i64,
            (Whole::Timestamp, Some(line)) => line.timestamp_ns = value as i64,
            _ => {}
        }
        self.go_on(was_full, after)
    }

    fn fault(&mut self, fault: Fault<OpenMessage>) {
        fault.add_to(&mut self.state.problems);
    }
}

impl Reading<'_> {
    /// Whether reading may continue. `after` is the offset of the next byte.
    #[inline]
    fn go_on(&mut self, was_full: bool, after: u64) -> Flow {
        let State { plane, tables, context, memory_limit, checked_at, full_at, .. } = &mut *self.state;
        if was_full && tables.lines.len() > MAX_COUNTED_LINES {
            let got = say!("got-too-many-lines");
            return Err(Box::new(Stop { code: "too-many-devices", got, at: after }));
        }
        if after - *checked_at > MEMORY_CHECK_BYTES {
            *checked_at = after;
            let used = self.builder.heap_bytes()
                + tables.heap_bytes()
                + plane.numbers.capacity() * 8
                + context.memory.heap_bytes();
            if full_at.is_none() && used > *memory_limit {
                *full_at = Some(after);
            }
        }
        Ok(())
    }
}

impl OpenPlane {
    fn new() -> Self {
        Self {
            is_open: false,
            first_row: 0,
            numbers: Vec::new(),
            stats: Vec::new(),
            decimals: Vec::new(),
            is_of_amd: false,
            key: Key::default(),
            numbers_of: OfShapes::new(),
            memory_of: Vec::new(),
        }
    }

    fn begin(&mut self, tables: &mut Tables) {
        tables.begin_plane();
        self.first_row = tables.rows.len();
        self.is_open = true;
        self.is_of_amd = false;
    }

    /// Reads a message or a text that is not an event.
    fn read(
        &mut self,
        what: Whole,
        message: Message<'_>,
        tables: &mut Tables,
        context: &mut Context,
    ) -> Result<(), Damaged> {
        let bytes = message.bytes();
        let text = || String::from_utf8_lossy(bytes).chars().take(MAX_SAID_CHARS).collect::<String>();
        match what {
            Whole::PlaneName => tables.name_plane(bytes),
            Whole::LineName => tables.name_line(bytes),
            Whole::EventMetadata => tables.push_event_metadata(message)?,
            Whole::StatMetadata => tables.push_stat_metadata(message)?,
            Whole::PlaneStat if self.stats.len() + self.decimals.len() >= MAX_PLANE_STATS => {
                context.stats_left_out += 1
            }
            Whole::PlaneStat => {
                let (mut id, mut number, mut decimal) = (0, None, None);
                let mut fields = message.fields();
                while let Some((field, value)) = fields.next()? {
                    match (field, value) {
                        (xstat::METADATA_ID, Value::Varint(value)) => id = value,
                        (xstat::UINT64_VALUE | xstat::INT64_VALUE, Value::Varint(value)) => {
                            number = Some(value);
                        }
                        (xstat::DOUBLE_VALUE, Value::Fixed(bits)) => decimal = Some(f64::from_bits(bits)),
                        (xstat::STR_VALUE, Value::Bytes(text)) => self.is_of_amd |= text == OF_AMD,
                        _ => {}
                    }
                }
                self.stats.extend(number.map(|number| (id, number)));
                self.decimals.extend(decimal.map(|own| (id, own)));
            }
            Whole::Said => {
                context.said += 1;
                context.lacks_cupti |= text().contains("libcupti");
                context.first_said.get_or_insert_with(text);
            }
            Whole::HostName => _ = context.host.get_or_insert_with(text),
            Whole::LineId | Whole::Timestamp | Whole::Event => {}
        }
        Ok(())
    }

    fn read_event(
        &mut self,
        message: Message<'_>,
        tables: &mut Tables,
        context: &mut Context,
        at: u64,
    ) -> Result<(), Damaged> {
        let (mut offset_ps, mut duration_ps, mut is_count) = (0, 0, false);
        let numbers_before = self.numbers.len();
        self.key.begin();
        let mut read = || -> Result<(), Damaged> {
            let mut fields = message.fields();
            while let Some((field, value)) = fields.next()? {
                match value {
                    Value::Varint(value) => match field {
                        xevent::METADATA_ID => self.key.set_metadata(value),
                        xevent::OFFSET_PS => (offset_ps, is_count) = (value as i64, false),
                        xevent::DURATION_PS => duration_ps = value as i64,
                        xevent::NUM_OCCURRENCES => is_count = true,
                        _ => {}
                    },
                    Value::Bytes(stat) if field == xevent::STATS => {
                        self.key.push_stat(fields.message(stat), &mut self.numbers)?;
                    }
                    _ => {}
                }
            }
            Ok(())
        };
        let done = read();
        if is_count {
            context.counts.add(at);
        }
        if done.is_err() || is_count {
            self.numbers.truncate(numbers_before);
            return done;
        }
        let shape = tables.shapes.intern(&self.key);
        tables.rows.push(Row { offset_ps, duration_ps, shape, correlation: 0 });
        tables.lines.last_mut().into_iter().for_each(|line| line.rows += 1);
        Ok(())
    }

    /// Ends the plane: its names are known now.
    fn end(&mut self, tables: &mut Tables, context: &mut Context) {
        self.is_open = false;
        context.planes += 1;
        tables.end_plane();
        let [mut major, mut minor] = [None; 2];
        for (stat, value) in self.stats.drain(..) {
            let value = i64::try_from(value);
            match tables.newest_stat_name(stat) {
                Some("profile_start_time") => context.start_unix_ns = value.unwrap_or(0),
                Some(CAPABILITY_MAJOR) => major = value.ok(),
                Some(CAPABILITY_MINOR) => minor = value.ok(),
                _ => {}
            }
        }
        let is_peak = |own: &(u64, f64)| tables.newest_stat_name(own.0) == Some(PEAK_TERAFLOPS);
        let peak_flops = self.decimals.iter().find(|own| is_peak(own)).and_then(|own| flops_of(own.1));
        self.decimals.clear();
        let capability = major.zip(minor).and_then(|(major, minor)| Capability::new(major, minor));
        if let Some(plane) = tables.planes.last_mut() {
            plane.capability = capability.filter(|_| !self.is_of_amd);
            plane.peak_flops = peak_flops;
        }
        let Some(plane) = tables.planes.last() else { return };
        let has_rows = tables.rows.len() > self.first_row;
        if is_gpu(tables.texts.get(plane.name)) {
            context.gpus[usize::from(has_rows)] += 1;
        }
        if plane.lines.is_empty() {
            tables.drop_plane();
        } else {
            tables.keep_plane();
            self.take_numbers(tables, context);
            self.numbers.iter().for_each(|&number| tables.numbers.push(number));
            self.take_steps(tables, context);
        }
        self.numbers.clear();
    }

    /// Takes from the numbers of all events the correlations of kernels and launches, and the numbers of steps.
    fn take_numbers(&mut self, tables: &mut Tables, context: &mut Context) {
        let Some(plane) = tables.planes.last().cloned() else { return };
        if self.numbers.is_empty() || !tables.has_stat_named(&plane, &[CORRELATION, STEP, ADDRESS, BYTES]) {
            return;
        }
        let mut rest = self.numbers.as_slice();
        let memory_of = &mut self.memory_of;
        let mut rows = std::mem::take(&mut tables.rows);
        let mut left = rows.starting_at_mut(self.first_row);
        let mut place = self.first_row;
        for index in plane.lines.clone() {
            let count = tables.lines.get(index).map_or(0, |line| line.rows);
            left.by_ref().take(count).for_each(|row| {
                place += 1;
                let find = || {
                    let mut found = numbers_of(tables, &plane, row.shape);
                    let memory = MemoryNumbers::of(tables, &plane, row.shape, &mut context.memory);
                    found.memory = memory.is_some().then_some(memory_of.len() as u32);
                    memory_of.extend(memory);
                    found
                };
                let own = self.numbers_of.get(plane.dictionary.number, row.shape, find);
                let values = rest.split_off(..own.count as usize).unwrap_or_default();
                let value = |place: Option<u32>| values.get(place? as usize).copied();
                row.correlation = value(own.correlation).and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
                if let Some(step) = value(own.step) {
                    let (offset_ps, length_ps) = (row.offset_ps, row.duration_ps);
                    let (line, row, number) = (index, place - 1, step as i64);
                    context.marks.push(StepEvent { line, row, offset_ps, length_ps, number });
                }
                if let Some(memory) = own.memory.and_then(|place| memory_of.get(place as usize)) {
                    memory.add(index, row.offset_ps, values, &mut context.memory);
                }
            });
        }
        drop(left);
        tables.rows = rows;
    }

    /// Takes the steps that a device records on its own line.
    fn take_steps(&self, tables: &Tables, context: &mut Context) {
        let Some(plane) = tables.planes.last() else { return };
        if !is_device(tables.texts.get(plane.name)) {
            return;
        }
        let mut row = self.first_row;
        for index in plane.lines.clone() {
            let Some(line) = tables.lines.get(index) else { return };
            if tables.texts.get(line.name) == STEPS {
                for (place, step) in (row..).zip(tables.rows.starting_at(row).take(line.rows)) {
                    let (name, _) = tables.event_names(plane, step.shape).unwrap_or_default();
                    let number = number_in(name);
                    let (line, row, offset_ps, length_ps) = (index, place, step.offset_ps, step.duration_ps);
                    let mark = number.map(|number| StepEvent { line, row, offset_ps, length_ps, number });
                    context.device_marks.extend(mark);
                }
            }
            row += line.rows;
        }
    }
}

/// The operations of `teraflops`, if an accelerator may calculate as many: up to a thousand times what any does today.
fn flops_of(teraflops: f64) -> Option<Flops> {
    (teraflops > 0.0 && teraflops < 1e7).then_some(Flops((teraflops * 1e12) as u64))
}

/// The places of the needed numbers among those of the events of `shape`.
fn numbers_of(tables: &Tables, plane: &Plane, shape: u32) -> Numbers {
    let mut numbers = Numbers::default();
    for stat in tables.shapes.stats(shape).filter(|stat| matches!(stat.value, StatValue::Number { .. })) {
        match tables.stat_name(plane, stat.id) {
            Some(CORRELATION) => numbers.correlation = Some(numbers.count),
            Some(STEP) => numbers.step = Some(numbers.count),
            _ => {}
        }
        numbers.count += 1;
    }
    numbers
}
