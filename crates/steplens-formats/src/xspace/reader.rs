//! Bytes to rows: planes, lines, events and metadata as they come.

use super::lines::{STEPS, is_device};
use super::ops::{self, Context};
use super::rows::Row;
use super::shapes::{Key, StatValue};
use super::steps::number_in;
use super::tables::Tables;
use crate::content::FoundTrace;
use crate::error::ReadErrorKind;
use crate::frames::{Frame, Frames, Schema, Step};
use crate::wire::{Damaged, Fields, Value, Wire};
use steplens_core::builder::TraceBuilder;

/// How much is read between two looks at the memory in use.
const MEMORY_CHECK_BYTES: u64 = 1 << 20;
/// How many lines there may be once the memory is full.
const MAX_COUNTED_LINES: usize = 1 << 17;
/// How many stats of a plane are looked at; its own start is among the first few.
const MAX_PLANE_STATS: usize = 64;
/// How much of what the profiler says is repeated.
const MAX_SAID_CHARS: usize = 200;

/// A message whose fields are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Space,
    Plane,
    Line,
}

/// What is read whole.
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
    /// What the profiler has to say about the profile.
    Said,
    HostName,
}

impl Schema for Place {
    type Whole = Whole;

    fn step(self, field: u32, wire: Wire) -> Step<Self, Whole> {
        match (self, field, wire) {
            (Self::Space, 1, Wire::Length) => Step::Enter(Self::Plane),
            (Self::Space, 2 | 3, Wire::Length) => Step::Read(Whole::Said),
            (Self::Space, 4, Wire::Length) => Step::Read(Whole::HostName),
            (Self::Plane, 2, Wire::Length) => Step::Read(Whole::PlaneName),
            (Self::Plane, 3, Wire::Length) => Step::Enter(Self::Line),
            (Self::Plane, 4, Wire::Length) => Step::Read(Whole::EventMetadata),
            (Self::Plane, 5, Wire::Length) => Step::Read(Whole::StatMetadata),
            (Self::Plane, 6, Wire::Length) => Step::Read(Whole::PlaneStat),
            (Self::Line, 1, Wire::Varint) => Step::Read(Whole::LineId),
            (Self::Line, 2, Wire::Length) => Step::Read(Whole::LineName),
            (Self::Line, 3, Wire::Varint) => Step::Read(Whole::Timestamp),
            (Self::Line, 4, Wire::Length) => Step::Read(Whole::Event),
            (Self::Plane, 1, Wire::Varint)
            | (Self::Line, 9 | 10, Wire::Varint)
            | (Self::Line, 11, Wire::Length) => Step::Skip,
            _ => Step::Unknown,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Space => "an XSpace",
            Self::Plane => "a plane",
            Self::Line => "a line",
        }
    }
}

/// Where a shape has the numbers that matter, among all numbers of its events.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    count: usize,
    correlation: Option<usize>,
    step: Option<usize>,
}

/// Reads one file. Give it all slices in order with [`push`](Self::push), then [`finish`](Self::finish).
pub(crate) struct XSpaceReader {
    frames: Frames<Place>,
    plane: OpenPlane,
    tables: Tables,
    context: Context,
    memory_limit: usize,
    checked_at: u64,
    full_at: Option<u64>,
}

/// What is kept of a plane until its names are known.
#[derive(Default)]
struct OpenPlane {
    is_open: bool,
    first_row: usize,
    first_shape: usize,
    /// The numbers among the stats of all events, one event after another.
    numbers: Vec<u64>,
    /// (stat, value) of the plane itself.
    stats: Vec<(u64, u64)>,
    key: Key,
}

impl XSpaceReader {
    /// A reader that only counts events once the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        Self {
            frames: Frames::of(Place::Space),
            plane: OpenPlane::default(),
            tables: Tables::default(),
            context: Context::default(),
            memory_limit,
            checked_at: 0,
            full_at: None,
        }
    }

    /// Takes the next slice of the file.
    pub(crate) fn push(&mut self, mut bytes: &[u8], builder: &TraceBuilder) {
        let Self { frames, plane, tables, context, full_at, .. } = self;
        while let Some(frame) = frames.next(&mut bytes) {
            let is_full = full_at.is_some();
            let mut damage = None;
            match frame {
                Frame::Entered { place: Place::Plane, .. } => plane.begin(tables),
                Frame::Entered { place: Place::Line, at } => tables.begin_line(at),
                Frame::Left(Place::Line) => tables.end_line(),
                Frame::Left(Place::Plane) => plane.end(tables, context),
                Frame::Entered { place: Place::Space, .. } | Frame::Left(Place::Space) => {}
                Frame::Number { what, value } => match (what, tables.lines.last_mut()) {
                    (Whole::LineId, Some(line)) => line.id = value as i64,
                    (Whole::Timestamp, Some(line)) => line.timestamp_ns = value as i64,
                    _ => {}
                },
                Frame::Message { what: Whole::Event, bytes: event, at } => {
                    if is_full {
                        tables.lines.last_mut().into_iter().for_each(|line| line.lost += 1);
                    } else if let Err(Damaged { at: within }) = plane.read_event(event, tables, context, at) {
                        damage = Some(("damaged-op", at + within as u64));
                    }
                }
                Frame::Message { what, bytes, at } => {
                    if let Err(Damaged { at: within }) = plane.read(what, bytes, tables, context) {
                        damage = Some(("damaged-metadata", at + within as u64));
                    }
                }
            }
            if let Some((code, at)) = damage {
                let what =
                    if code == "damaged-op" { "an event breaks off" } else { "a name or stat breaks off" };
                frames.problems.add(code, at, || format!("{what} at byte {at}; left out"));
            }
            if is_full && tables.lines.len() > MAX_COUNTED_LINES {
                let at = frames.at();
                frames.stop("too-many-devices", "more lines than are counted", at);
            }
            if frames.at() - self.checked_at > MEMORY_CHECK_BYTES {
                self.checked_at = frames.at();
                let used = builder.heap_bytes() + tables.heap_bytes() + plane.numbers.capacity() * 8;
                if full_at.is_none() && used > self.memory_limit {
                    *full_at = Some(frames.at());
                }
            }
        }
    }

    /// Says that the file is over; returns what came of it.
    pub(crate) fn finish(mut self, builder: &mut TraceBuilder) -> FoundTrace {
        self.frames.finish();
        if self.plane.is_open {
            self.tables.end_line();
            self.plane.end(&mut self.tables, &mut self.context);
        }
        let planes = self.context.planes;
        let (bytes, stopped_at) = (self.frames.at(), self.frames.stopped_at().cloned());
        let mut problems = std::mem::take(&mut self.frames.problems);
        ops::emit(self.tables, self.context, builder, &mut problems);
        let broken = problems.as_slice().iter().find(|problem| {
            ["truncated", "damaged-message", "damaged-op", "unreadable-tail", "time-out-of-range"]
                .contains(&&*problem.code)
        });
        let nothing = match broken {
            Some(broken) => ReadErrorKind::NoOpsReadable {
                format: "an XSpace",
                offset: broken.offset,
                what: if broken.code == "truncated" { "the end of the file" } else { "damage" }.to_owned(),
            },
            None => ReadErrorKind::NoOpsIn {
                format: "an XSpace",
                holds: format!("{planes} planes"),
                advice: "record while ops run, and stop the profiler before the program ends",
            },
        };
        FoundTrace {
            format: "xspace",
            nothing: Some(nothing),
            problems,
            stopped_at,
            full_at: self.full_at,
            bytes,
        }
    }
}

impl OpenPlane {
    fn begin(&mut self, tables: &mut Tables) {
        tables.begin_plane();
        (self.first_row, self.first_shape) = (tables.rows.len(), tables.shapes.len());
        self.is_open = true;
    }

    /// Reads a message or a text that is no event.
    fn read(
        &mut self,
        what: Whole,
        bytes: &[u8],
        tables: &mut Tables,
        context: &mut Context,
    ) -> Result<(), Damaged> {
        let text = || String::from_utf8_lossy(bytes).chars().take(MAX_SAID_CHARS).collect::<String>();
        match what {
            Whole::PlaneName => tables.name_plane(bytes),
            Whole::LineName => tables.name_line(bytes),
            Whole::EventMetadata => tables.push_event_metadata(bytes)?,
            Whole::StatMetadata => tables.push_stat_metadata(bytes)?,
            Whole::PlaneStat if self.stats.len() < MAX_PLANE_STATS => {
                let (mut id, mut number) = (0, None);
                let mut fields = Fields::of(bytes);
                while let Some((field, value)) = fields.next()? {
                    match (field, value) {
                        (1, Value::Varint(value)) => id = value,
                        (3 | 4, Value::Varint(value)) => number = Some(value),
                        _ => {}
                    }
                }
                self.stats.extend(number.map(|number| (id, number)));
            }
            Whole::Said => {
                context.said += 1;
                context.first_said.get_or_insert_with(text);
            }
            Whole::HostName => _ = context.host.get_or_insert_with(text),
            Whole::PlaneStat | Whole::LineId | Whole::Timestamp | Whole::Event => {}
        }
        Ok(())
    }

    fn read_event(
        &mut self,
        message: &[u8],
        tables: &mut Tables,
        context: &mut Context,
        at: u64,
    ) -> Result<(), Damaged> {
        let (mut offset_ps, mut duration_ps, mut is_count) = (0, 0, false);
        let numbers_before = self.numbers.len();
        self.key.begin(tables.planes.len() as u32 - 1);
        let mut read = || -> Result<(), Damaged> {
            let mut fields = Fields::of(message);
            while let Some((field, value)) = fields.next()? {
                match (field, value) {
                    (1, Value::Varint(id)) => self.key.set_metadata(id),
                    (2, Value::Varint(value)) => (offset_ps, is_count) = (value as i64, false),
                    (3, Value::Varint(value)) => duration_ps = value as i64,
                    (4, Value::Bytes(stat)) => self.key.push_stat(stat, &mut self.numbers)?,
                    (5, Value::Varint(_)) => is_count = true,
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

    /// The plane is over: its names are known.
    fn end(&mut self, tables: &mut Tables, context: &mut Context) {
        self.is_open = false;
        context.planes += 1;
        tables.end_plane();
        let Some(plane) = tables.planes.last().cloned() else { return };
        for (stat, value) in self.stats.drain(..) {
            if tables.stat_name(&plane, stat) == Some("profile_start_time") {
                context.start_unix_ns = i64::try_from(value).unwrap_or(0);
            }
        }
        if plane.lines.is_empty() {
            tables.drop_plane();
        } else {
            self.take_numbers(tables, context);
            self.take_steps(tables, context);
        }
        self.numbers.clear();
    }

    /// Takes from the numbers of all events what joins kernels with their launches, and the numbers of steps.
    fn take_numbers(&mut self, tables: &mut Tables, context: &mut Context) {
        let Some(plane) = tables.planes.last().cloned() else { return };
        let shapes = self.first_shape as u32..tables.shapes.len() as u32;
        let numbers: Vec<Numbers> = shapes
            .map(|shape| {
                let mut numbers = Numbers::default();
                let found = tables.shapes.stats(shape).filter(|stat| stat.value == StatValue::Number);
                for stat in found {
                    match tables.stat_name(&plane, stat.id) {
                        Some("correlation_id") => numbers.correlation = Some(numbers.count),
                        Some("step_num") => numbers.step = Some(numbers.count),
                        _ => {}
                    }
                    numbers.count += 1;
                }
                numbers
            })
            .collect();
        if numbers.iter().all(|numbers| numbers.correlation.is_none() && numbers.step.is_none()) {
            return;
        }
        let mut rest = self.numbers.as_slice();
        let mut rows = tables.rows.starting_at_mut(self.first_row);
        for index in plane.lines {
            let count = tables.lines.get(index).map_or(0, |line| line.rows);
            for row in rows.by_ref().take(count) {
                let own = numbers.get(row.shape as usize - self.first_shape).copied().unwrap_or_default();
                let values = rest.split_off(..own.count).unwrap_or_default();
                let value = |place: Option<usize>| place.and_then(|place| values.get(place)).copied();
                row.correlation = value(own.correlation).and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
                if let Some(step) = value(own.step) {
                    context.marks.push((index, row.offset_ps, step as i64));
                }
            }
        }
    }

    /// Takes the steps that a device's own line tells.
    fn take_steps(&self, tables: &Tables, context: &mut Context) {
        let Some(plane) = tables.planes.last() else { return };
        if !is_device(tables.texts.get(plane.name)) {
            return;
        }
        let mut row = self.first_row;
        for index in plane.lines.clone() {
            let Some(line) = tables.lines.get(index) else { return };
            if tables.texts.get(line.name) == STEPS {
                for step in tables.rows.starting_at(row).take(line.rows) {
                    let (name, _) = tables.event_names(plane, step.shape).unwrap_or_default();
                    let mark = number_in(name).map(|number| (index, step.offset_ps, number));
                    context.device_marks.extend(mark);
                }
            }
            row += line.rows;
        }
    }
}
