//! The framing of a RunMetadata: which message is open, where it ends, what is read and what is skipped.
//!
//! Damage is local: a small message that cannot be read is dropped and counted; a message whose framing breaks is
//! skipped to its end, which its parent knows; only at the top, where no end is known, reading stops.

use super::{graph_node, op_stats};
use crate::wire::{Fields, Head, MAX_HEAD_BYTES, Tag, Value, Wire, parse_head};
use steplens_core::Problems;
use steplens_core::builder::{DeviceSlot, Refused, TraceBuilder};
use steplens_core::part::PartRecord;

/// The longest small message (an op, a graph node, a name) that is taken into memory. TensorFlow's are a few hundred
/// bytes; constants in a graph can be megabytes.
pub(crate) const MAX_MESSAGE_BYTES: u64 = 64 << 20;
/// How many messages are read between two looks at the memory in use.
const MEMORY_CHECK_PERIOD: u32 = 4096;
/// A message this long counts as two of them, one of twice the length as three.
const LONG_MESSAGE_BYTES: usize = 1 << 10;

/// What a device without a name is called.
const UNNAMED_DEVICE: &str = "(unnamed device)";

/// A message whose fields are read one by one, because it is as large as the file allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// `RunMetadata`; merged messages simply follow one another.
    Root,
    /// `StepStats`.
    StepStats,
    /// `DeviceStepStats`.
    DevStats,
    /// `GraphDef` of a partition.
    Graph,
    /// `RunMetadata.FunctionGraphs`.
    FunctionGraphs,
}

/// A message that is read whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Device,
    Op,
    ThreadName,
    GraphNode,
}

/// What a field of a [`Place`] leads to.
enum Step {
    Enter(Place),
    Read(Part),
    /// Known to the schema, of no use here.
    Skip,
    /// Not in the schema: a newer TensorFlow's, or damage that looks like a field.
    Unknown,
}

impl Place {
    fn step(self, field: u32, wire: Wire) -> Step {
        match (self, field, wire) {
            (Self::Root, 1, Wire::Length) => Step::Enter(Self::StepStats),
            (Self::Root, 3, Wire::Length) => Step::Enter(Self::Graph),
            (Self::Root, 4, Wire::Length) => Step::Enter(Self::FunctionGraphs),
            (Self::Root, 2 | 5, Wire::Length) => Step::Skip,
            (Self::StepStats, 1, Wire::Length) => Step::Enter(Self::DevStats),
            (Self::DevStats, 1, Wire::Length) => Step::Read(Part::Device),
            (Self::DevStats, 2, Wire::Length) => Step::Read(Part::Op),
            (Self::DevStats, 3, Wire::Length) => Step::Read(Part::ThreadName),
            (Self::Graph, 1, Wire::Length) => Step::Read(Part::GraphNode),
            (Self::Graph, 2 | 4 | 5, Wire::Length) | (Self::Graph, 3, Wire::Varint) => Step::Skip,
            (Self::FunctionGraphs, 1, Wire::Length) => Step::Enter(Self::Graph),
            (Self::FunctionGraphs, 2 | 3, Wire::Length) => Step::Skip,
            _ => Step::Unknown,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Root => "RunMetadata",
            Self::StepStats => "step_stats",
            Self::DevStats => "dev_stats",
            Self::Graph => "a partition graph",
            Self::FunctionGraphs => "function_graphs",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a tag.
    Head,
    /// Within a message that is read whole.
    Within { part: Part, length: usize },
    /// Within bytes that nobody needs.
    Skipping { left: u64 },
    /// Nothing more can be read, or may be.
    Stopped,
}

struct Open {
    place: Place,
    /// The offset after its last byte; `u64::MAX` for the root, whose end nobody wrote down.
    end: u64,
}

/// Reads one file. Give it all slices in order with [`push`](Self::push), then [`finish`](Self::finish).
pub struct RunMetadataReader {
    open: Vec<Open>,
    state: State,
    /// The offset of the next byte to come.
    at: u64,
    /// What is there of a head or message that earlier slices did not complete.
    held: Vec<u8>,
    slot: Option<DeviceSlot>,
    /// Whether each `step_stats` is a part; otherwise the caller says what is one.
    tells_parts: bool,
    /// The device is known, and not selected: its ops are counted and skipped.
    skips_ops: bool,
    scratch: op_stats::Scratch,
    memory_limit: usize,
    until_memory_check: u32,
    problems: Problems,
    stopped_at: Option<(u64, String)>,
    /// Where the memory was full.
    full_at: Option<u64>,
}

impl RunMetadataReader {
    /// A reader that only counts ops once the trace takes more than `memory_limit` bytes.
    pub fn new(memory_limit: usize) -> Self {
        Self::within(Place::Root, memory_limit)
    }

    /// A reader of bare StepStats.
    pub fn of_step_stats(memory_limit: usize) -> Self {
        Self::within(Place::StepStats, memory_limit)
    }

    fn within(place: Place, memory_limit: usize) -> Self {
        Self {
            open: vec![Open { place, end: u64::MAX }],
            state: State::Head,
            at: 0,
            held: Vec::new(),
            slot: None,
            tells_parts: true,
            skips_ops: false,
            scratch: op_stats::Scratch::default(),
            memory_limit,
            until_memory_check: MEMORY_CHECK_PERIOD,
            problems: Problems::default(),
            stopped_at: None,
            full_at: None,
        }
    }

    /// Leaves it to the caller to say what is a part: everything read here is of one.
    pub(crate) fn in_one_part(mut self) -> Self {
        self.tells_parts = false;
        self
    }

    /// Says where in the file the next bytes come from, for problems to be placed. Only between whole messages.
    pub(crate) fn set_offset(&mut self, at: u64) {
        self.at = at;
    }

    /// Begins another message of the same kind, which lies at `at` in the file. The one before was ended by
    /// [`finish`](Self::finish).
    pub(crate) fn begin_message(&mut self, at: u64) {
        self.open.truncate(1);
        self.state = State::Head;
        self.held.clear();
        self.at = at;
    }

    /// Takes the next slice of the file.
    pub fn push(&mut self, mut bytes: &[u8], builder: &mut TraceBuilder) {
        while !bytes.is_empty() {
            match self.state {
                State::Head => self.read_head(&mut bytes, builder),
                State::Within { part, length } => self.read_part(&mut bytes, part, length, builder),
                State::Skipping { left } => {
                    let count = left.min(bytes.len() as u64);
                    self.take(&mut bytes, count as usize);
                    self.state =
                        if left == count { State::Head } else { State::Skipping { left: left - count } };
                }
                State::Stopped => {
                    let count = bytes.len();
                    self.take(&mut bytes, count);
                }
            }
            if self.state == State::Head && self.held.is_empty() {
                self.close_ended(builder);
            }
        }
    }

    /// Says that the file is over; returns everything that was wrong with it.
    pub fn finish(&mut self, builder: &mut TraceBuilder) -> Problems {
        let within = match self.state {
            State::Stopped => None,
            State::Within { part: Part::Op, .. } => Some("an op"),
            State::Within { .. } => Some("a message"),
            State::Skipping { .. } => Some("a message that is not needed"),
            State::Head if !self.held.is_empty() => Some("a tag"),
            State::Head => (self.open.len() > 1).then(|| self.place().word()),
        };
        if let Some(within) = within {
            let whole = if self.tells_parts { "file" } else { "RunMetadata" };
            self.problems.add("truncated", self.at, || {
                format!("the {whole} ends at byte {} inside {within}; everything before it is shown", self.at)
            });
        }
        self.end_device(builder);
        std::mem::take(&mut self.problems)
    }

    /// Where and why reading had to stop before the end, if it did.
    pub fn stopped_at(&self) -> Option<&(u64, String)> {
        self.stopped_at.as_ref()
    }

    /// Where in the file the memory was full; `None` if all of it fits.
    pub fn full_at(&self) -> Option<u64> {
        self.full_at
    }

    /// How many bytes there were.
    pub fn bytes_read(&self) -> u64 {
        self.at
    }

    fn place(&self) -> Place {
        self.open.last().map_or(Place::Root, |open| open.place)
    }

    /// How many bytes of the innermost message are still to come, counted from `at`.
    fn room(&self, at: u64) -> u64 {
        self.open.last().map_or(0, |open| open.end.saturating_sub(at))
    }

    fn take<'a>(&mut self, bytes: &mut &'a [u8], count: usize) -> &'a [u8] {
        let (taken, rest) = bytes.split_at(count.min(bytes.len()));
        *bytes = rest;
        self.at += taken.len() as u64;
        taken
    }

    fn close_ended(&mut self, builder: &mut TraceBuilder) {
        while self.open.len() > 1 && self.room(self.at) == 0 {
            if self.place() == Place::DevStats {
                self.end_device(builder);
            }
            self.open.pop();
        }
    }

    fn end_device(&mut self, builder: &mut TraceBuilder) {
        self.skips_ops = false;
        if let Some(slot) = self.slot.take()
            && !builder.is_named(slot)
        {
            builder.name_device(slot, UNNAMED_DEVICE.as_bytes());
            self.problems.add("unnamed-device", self.at, || {
                format!("the dev_stats that end at byte {} name no device; their ops are shown under \"{UNNAMED_DEVICE}\"", self.at)
            });
        }
    }

    fn read_head(&mut self, bytes: &mut &[u8], builder: &mut TraceBuilder) {
        let start = self.at - self.held.len() as u64;
        let room = usize::try_from(self.room(start)).unwrap_or(usize::MAX).min(MAX_HEAD_BYTES);
        let mut head;
        if self.held.is_empty() {
            let visible = &bytes[..room.min(bytes.len())];
            head = parse_head(visible);
            match head {
                Head::Complete { taken, .. } => _ = self.take(bytes, taken),
                Head::Incomplete => {
                    let count = visible.len();
                    self.held.extend_from_slice(visible);
                    self.take(bytes, count);
                }
                Head::Damaged => {}
            }
        } else {
            head = Head::Incomplete;
            while matches!(head, Head::Incomplete) && !bytes.is_empty() && self.held.len() < room {
                let byte = self.take(bytes, 1);
                self.held.extend_from_slice(byte);
                head = parse_head(&self.held);
            }
        }
        match head {
            Head::Complete { tag, length, .. } => {
                self.held.clear();
                self.follow(tag, length, start, builder);
            }
            Head::Incomplete if self.held.len() < room => {}
            Head::Incomplete | Head::Damaged => {
                self.held.clear();
                self.damaged(start, "a tag or length that no message may hold");
            }
        }
    }

    /// Decides about the field whose value comes next.
    fn follow(&mut self, tag: Tag, length: u64, start: u64, builder: &mut TraceBuilder) {
        if length > self.room(self.at) {
            let (place, room) = (self.place().word(), self.room(self.at));
            return self.damaged(start, &format!("a field of {length} bytes where {place} has {room} left"));
        }
        match self.place().step(tag.field, tag.wire) {
            Step::Enter(place) => {
                self.open.push(Open { place, end: self.at.saturating_add(length) });
                if place == Place::StepStats && self.tells_parts {
                    builder.begin_part(&PartRecord::default());
                }
                if place == Place::DevStats {
                    self.count_towards_memory_check(0, builder);
                }
            }
            Step::Read(Part::Op) if self.skips_ops => {
                if let Some(slot) = self.slot {
                    builder.pass_by(slot);
                }
                self.skip(length);
            }
            // Nothing but ops is counted.
            Step::Read(Part::GraphNode | Part::ThreadName) if builder.is_full() => self.skip(length),
            Step::Read(part) if length <= MAX_MESSAGE_BYTES => {
                // An empty message has no byte to wait for.
                if length == 0 {
                    self.read_message(part, &[], builder);
                } else {
                    self.state = State::Within { part, length: length as usize };
                }
            }
            Step::Read(_) => {
                self.problems.add("oversized-message", start, || {
                    format!("the message at byte {start} has {length} bytes, more than the {MAX_MESSAGE_BYTES} that are read; left out")
                });
                self.skip(length);
            }
            Step::Skip => self.skip(length),
            Step::Unknown => {
                let place = self.place().word();
                self.problems.add("unknown-field", start, || {
                    format!(
                        "{place} holds field {} at byte {start}, which its schema does not have; left out",
                        tag.field
                    )
                });
                self.skip(length);
            }
        }
    }

    fn skip(&mut self, length: u64) {
        if length > 0 {
            self.state = State::Skipping { left: length };
        }
    }

    fn read_part(&mut self, bytes: &mut &[u8], part: Part, length: usize, builder: &mut TraceBuilder) {
        if self.held.is_empty() && bytes.len() >= length {
            let message = self.take(bytes, length);
            self.state = State::Head;
            return self.read_message(part, message, builder);
        }
        let missing = length - self.held.len();
        let more = self.take(bytes, missing);
        self.held.extend_from_slice(more);
        if self.held.len() == length {
            let message = std::mem::take(&mut self.held);
            self.state = State::Head;
            self.read_message(part, &message, builder);
            self.held = message;
            self.held.clear();
        }
    }

    fn read_message(&mut self, part: Part, message: &[u8], builder: &mut TraceBuilder) {
        let start = self.at - message.len() as u64;
        if self.slot.is_none() && part != Part::GraphNode {
            self.begin_device(part, message, start, builder);
        }
        match (part, self.slot) {
            (Part::Op, Some(slot)) => self.read_op(message, slot, start, builder),
            (Part::Device, Some(slot)) => {
                self.skips_ops = if builder.is_named(slot) {
                    !builder.is_selected(slot)
                } else {
                    !builder.name_device(slot, message)
                };
            }
            (Part::ThreadName, Some(slot)) => self.read_thread_name(message, slot, start, builder),
            (Part::GraphNode, _) => {
                if let Err(damaged) = graph_node::read(message, builder) {
                    let at = start + damaged.at as u64;
                    self.problems.add("damaged-graph-node", at, || {
                        format!("a graph node breaks off at byte {at}; left out")
                    });
                }
            }
            (_, None) => {}
        }
        self.count_towards_memory_check(message.len(), builder);
    }

    /// The first of what `dev_stats` hold: mostly their name. Those that hold nothing are nothing.
    #[cold]
    fn begin_device(&mut self, part: Part, message: &[u8], start: u64, builder: &mut TraceBuilder) {
        self.slot = match part {
            Part::Device => builder.device(message),
            _ => builder.has_room_for_device().then(|| builder.begin_device()),
        };
        if self.slot.is_none() {
            self.stop("too-many-devices", start, "more devices than are counted");
        }
    }

    fn read_op(&mut self, message: &[u8], slot: DeviceSlot, start: u64, builder: &mut TraceBuilder) {
        use op_stats::Outcome;
        match op_stats::read(message, builder, slot, &mut self.scratch) {
            Ok(Outcome::Taken { negative_length, damaged_parts }) => {
                if negative_length {
                    self.problems.add("negative-duration", start, || {
                        format!("the op at byte {start} ends before it starts; shown with length 0")
                    });
                }
                if damaged_parts > 0 {
                    self.problems.add_many("damaged-tensor", damaged_parts, start, || {
                        format!("a tensor or allocator record of the op at byte {start} cannot be read; the op is shown without it")
                    });
                }
            }
            Ok(Outcome::Refused(Refused::TimeOutOfRange)) => {
                self.problems.add("time-out-of-range", start, || {
                    format!("the op at byte {start} runs more than 146 years from 1970; left out")
                })
            }
            Ok(Outcome::Refused(Refused::LeftOut)) => {}
            Ok(Outcome::Refused(Refused::TooManyOps)) => {
                self.stop("too-many-ops", start, "more ops than the 4,294,967,294 a trace can hold")
            }
            Err(damaged) => {
                let at = start + damaged.at as u64;
                self.problems.add("damaged-op", at, || format!("an op breaks off at byte {at}; left out"));
            }
        }
    }

    /// An entry of `thread_names`: thread id, name.
    fn read_thread_name(&mut self, message: &[u8], slot: DeviceSlot, start: u64, builder: &mut TraceBuilder) {
        let (mut thread, mut name) = (0, &[][..]);
        let mut fields = Fields::of(message);
        loop {
            match fields.next() {
                Ok(Some((1, Value::Varint(value)))) => thread = value as u32,
                Ok(Some((2, Value::Bytes(bytes)))) => name = bytes,
                Ok(Some(_)) => {}
                Ok(None) => return builder.name_thread(slot, thread, name),
                Err(damaged) => {
                    let at = start + damaged.at as u64;
                    return self.problems.add("damaged-thread-name", at, || {
                        format!("a thread name breaks off at byte {at}; left out")
                    });
                }
            }
        }
    }

    /// Counts a message; a long one may bring as much as many short ones.
    fn count_towards_memory_check(&mut self, bytes: usize, builder: &mut TraceBuilder) {
        let counts_as = 1 + u32::try_from(bytes / LONG_MESSAGE_BYTES).unwrap_or(u32::MAX - 1);
        self.until_memory_check = self.until_memory_check.saturating_sub(counts_as);
        if self.until_memory_check > 0 {
            return;
        }
        self.until_memory_check = MEMORY_CHECK_PERIOD;
        if !builder.is_full() && builder.heap_bytes() > self.memory_limit {
            builder.fill();
            self.full_at = Some(self.at);
        }
    }

    /// The framing broke at `start`: the rest of the innermost message cannot be trusted.
    fn damaged(&mut self, start: u64, got: &str) {
        let place = self.place();
        if place == Place::Root {
            return self.stop("unreadable-tail", start, got);
        }
        // Counted from `start`: how much of the head was taken by now depends on the slices.
        let lost = self.room(start);
        self.problems.add("damaged-message", start, || {
            format!("{} holds {got} at byte {start}; its last {lost} bytes are left out", place.word())
        });
        self.state = State::Head;
        self.skip(self.room(self.at));
    }

    fn stop(&mut self, code: &'static str, at: u64, got: &str) {
        self.problems.add(code, at, || {
            format!("{got} at byte {at}; everything before it is shown, the rest is left out")
        });
        self.stopped_at = Some((at, got.to_owned()));
        self.state = State::Stopped;
    }
}
