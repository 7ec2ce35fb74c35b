//! The framing of a RunMetadata: which message is open, where it ends, what is read and what is skipped.
//!
//! Damage is local: a small message that cannot be read is dropped and counted; a message with broken framing is skipped to its
//! end, which its parent knows. Only at the top level, where no end is known, reading stops.

use super::{graph_node, op_stats};
use crate::frames::{Fault, Flow, Frames, Inside, Schema, Sink, Step, Stop};
use crate::wire::{Message, Value, Wire};
use steplens_core::Problems;
use steplens_core::build::builder::{DeviceSlot, Refused, TraceBuilder};
use steplens_core::model::part::PartRecord;
use steplens_messages::say;
use steplens_proto::fields::{
    device_step_stats, entry, function_graphs, graph_def, run_metadata, step_stats,
};

/// The number of messages between two checks of the memory in use.
const MEMORY_CHECK_PERIOD: u32 = 4096;
/// A message of this length counts as two messages, one of twice the length as three.
const LONG_MESSAGE_BYTES: usize = 1 << 10;

/// The name of a device without a name.
const UNNAMED_DEVICE: &str = "(unnamed device)";

/// A message whose fields are read one by one, because it may be as large as the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenMessage {
    /// `RunMetadata`; several merged messages simply follow one another.
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

/// A message that is read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WholeMessage {
    Device,
    Op,
    ThreadName,
    GraphNode,
}

/// Fields that are not in `proto/`, because they are not needed here.
mod left_out {
    /// `RunMetadata.cost_graph`.
    pub(super) const COST_GRAPH: u32 = 2;
    /// `RunMetadata.session_metadata`.
    pub(super) const SESSION_METADATA: u32 = 5;
    /// `GraphDef.library`.
    pub(super) const LIBRARY: u32 = 2;
    /// `GraphDef.version`.
    pub(super) const VERSION: u32 = 3;
    /// `GraphDef.versions`.
    pub(super) const VERSIONS: u32 = 4;
    /// `GraphDef.debug_info`.
    pub(super) const DEBUG_INFO: u32 = 5;
    /// `FunctionGraphs.pre_optimization_graph`.
    pub(super) const BEFORE_OPTIMIZATION: u32 = 2;
    /// `FunctionGraphs.post_optimization_graph`.
    pub(super) const AFTER_OPTIMIZATION: u32 = 3;
}

impl Schema for OpenMessage {
    type Whole = WholeMessage;

    #[inline]
    fn step(self, field: u32, wire: Wire) -> Step<Self, WholeMessage> {
        match (self, wire) {
            (Self::DevStats, Wire::Length) => match field {
                device_step_stats::NODE_STATS => Step::Read(WholeMessage::Op),
                device_step_stats::DEVICE => Step::Read(WholeMessage::Device),
                device_step_stats::THREAD_NAMES => Step::Read(WholeMessage::ThreadName),
                _ => Step::Unknown,
            },
            (Self::Graph, Wire::Length) => match field {
                graph_def::NODE => Step::Read(WholeMessage::GraphNode),
                left_out::LIBRARY | left_out::VERSIONS | left_out::DEBUG_INFO => Step::Skip,
                _ => Step::Unknown,
            },
            (Self::Graph, Wire::Varint) if field == left_out::VERSION => Step::Skip,
            (Self::Root, Wire::Length) => match field {
                run_metadata::STEP_STATS => Step::Enter(Self::StepStats),
                run_metadata::PARTITION_GRAPHS => Step::Enter(Self::Graph),
                run_metadata::FUNCTION_GRAPHS => Step::Enter(Self::FunctionGraphs),
                left_out::COST_GRAPH | left_out::SESSION_METADATA => Step::Skip,
                _ => Step::Unknown,
            },
            (Self::StepStats, Wire::Length) if field == step_stats::DEV_STATS => Step::Enter(Self::DevStats),
            (Self::FunctionGraphs, Wire::Length) => match field {
                function_graphs::PARTITION_GRAPHS => Step::Enter(Self::Graph),
                left_out::BEFORE_OPTIMIZATION | left_out::AFTER_OPTIMIZATION => Step::Skip,
                _ => Step::Unknown,
            },
            _ => Step::Unknown,
        }
    }

    fn may_be_bare(self) -> bool {
        self == Self::StepStats
    }

    fn word(self) -> &'static str {
        match self {
            Self::Root => "RunMetadata",
            Self::StepStats => "step_stats",
            Self::DevStats => "dev_stats",
            Self::Graph => say!("word-partition-graph"),
            Self::FunctionGraphs => "function_graphs",
        }
    }
}

/// Reads one file. Pass all slices in order to [`push`](Self::push), then call [`finish`](Self::finish).
pub struct RunMetadataReader {
    frames: Frames<OpenMessage>,
    state: State,
}

/// The state between slices.
struct State {
    slot: Option<DeviceSlot>,
    /// Whether each `step_stats` is a part; otherwise the caller sets the parts.
    tells_parts: bool,
    /// Whether the device is known and not selected, so that its ops are counted and skipped.
    skips_ops: bool,
    scratch: op_stats::Scratch,
    memory_limit: usize,
    until_memory_check: u32,
    problems: Problems,
    /// Where the memory was full.
    full_at: Option<u64>,
}

impl RunMetadataReader {
    /// A reader that only counts ops after the trace takes more than `memory_limit` bytes.
    pub fn new(memory_limit: usize) -> Self {
        Self::within(OpenMessage::Root, memory_limit)
    }

    /// A reader of a StepStats without a RunMetadata around it.
    pub fn of_step_stats(memory_limit: usize) -> Self {
        Self::within(OpenMessage::StepStats, memory_limit)
    }

    fn within(place: OpenMessage, memory_limit: usize) -> Self {
        let state = State {
            slot: None,
            tells_parts: true,
            skips_ops: false,
            scratch: op_stats::Scratch::default(),
            memory_limit,
            until_memory_check: MEMORY_CHECK_PERIOD,
            problems: Problems::default(),
            full_at: None,
        };
        Self { frames: Frames::of(place), state }
    }

    /// Lets the caller set the parts: everything read here belongs to one part.
    pub(crate) fn in_one_part(mut self) -> Self {
        self.state.tells_parts = false;
        self
    }

    /// Sets where in the file the next bytes come from, so that problems have the right offset. Only allowed between complete
    /// messages.
    pub(crate) fn set_offset(&mut self, at: u64) {
        self.frames.set_at(at);
    }

    /// Begins a message of the same kind at `at` in the file. The message before must have been ended with
    /// [`finish`](Self::finish).
    pub(crate) fn begin_message(&mut self, at: u64) {
        self.frames.begin(at, u64::MAX);
    }

    /// Takes the next slice of the file.
    pub fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        self.frames.push(bytes, &mut Reading { state: &mut self.state, builder });
    }

    /// Ends the file; returns all problems that were found.
    pub fn finish(&mut self, builder: &mut TraceBuilder) -> Problems {
        let at = self.frames.at();
        let within = match self.frames.inside() {
            Inside::Nothing => None,
            Inside::Whole(WholeMessage::Op) => Some(say!("word-op")),
            Inside::Whole(_) => Some(say!("word-whole-message")),
            Inside::Skipped => Some(say!("word-needless-message")),
            Inside::Head => Some(say!("word-tag")),
            Inside::OpenMessage(place) => Some(place.word()),
        };
        if let Some(within) = within {
            let is_file = self.state.tells_parts;
            self.state.problems.add("truncated", at, || {
                if is_file {
                    say!("truncated-inside", at, place = within)
                } else {
                    say!("truncated-one-run", at, within)
                }
            });
        }
        self.state.end_device(at, builder);
        std::mem::take(&mut self.state.problems)
    }

    /// Where and why reading stopped before the end, if it did.
    pub fn stopped_at(&self) -> Option<&(u64, String)> {
        self.frames.stopped_at()
    }

    /// Where in the file the memory was full; `None` if all of it fits.
    pub fn full_at(&self) -> Option<u64> {
        self.state.full_at
    }

    /// The number of bytes read.
    pub fn bytes_read(&self) -> u64 {
        self.frames.at()
    }
}

/// Adds what is read to the builder.
struct Reading<'a> {
    state: &'a mut State,
    builder: &'a mut TraceBuilder,
}

impl Sink<OpenMessage> for Reading<'_> {
    fn skips(&mut self, part: WholeMessage) -> bool {
        match part {
            WholeMessage::Op if self.state.skips_ops => {
                if let Some(slot) = self.state.slot {
                    self.builder.pass_by(slot);
                }
                true
            }
            // When the builder is full, only ops are counted.
            WholeMessage::GraphNode | WholeMessage::ThreadName => self.builder.is_full(),
            WholeMessage::Op | WholeMessage::Device => false,
        }
    }

    fn entered(&mut self, place: OpenMessage, _at: u64, after: u64) -> Flow {
        if place == OpenMessage::StepStats && self.state.tells_parts {
            self.builder.begin_part(&PartRecord::default());
        }
        if place == OpenMessage::DevStats {
            self.builder.begin_block();
            self.state.count_towards_memory_check(0, after, self.builder);
        }
        Ok(())
    }

    fn left(&mut self, place: OpenMessage, after: u64) -> Flow {
        if place == OpenMessage::DevStats {
            self.state.end_device(after, self.builder);
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, part: WholeMessage, message: Message<'_>, at: u64) -> Flow {
        let Self { state, builder } = self;
        let after = at + message.length() as u64;
        let mut flow = Ok(());
        if state.slot.is_none() && part != WholeMessage::GraphNode {
            flow = state.begin_device(part, message.bytes(), at, builder);
        }
        match (part, state.slot) {
            (WholeMessage::Op, Some(slot)) => flow = state.read_op(message, slot, at, builder),
            (WholeMessage::Device, Some(slot)) => {
                builder.name_block(message.bytes());
                state.skips_ops = if builder.is_named(slot) {
                    !builder.is_selected(slot)
                } else {
                    !builder.name_device(slot, message.bytes())
                };
            }
            (WholeMessage::ThreadName, Some(slot)) => state.read_thread_name(message, slot, at, builder),
            (WholeMessage::GraphNode, _) => {
                if graph_node::read(message, builder).is_none() {
                    state.problems.add("damaged-graph-node", at, || say!("damaged-graph-node", at));
                }
            }
            (_, None) => {}
        }
        state.count_towards_memory_check(message.length(), after, builder);
        flow
    }

    fn fault(&mut self, fault: Fault<OpenMessage>) {
        fault.add_to(&mut self.state.problems);
    }
}

impl State {
    fn end_device(&mut self, at: u64, builder: &mut TraceBuilder) {
        builder.end_block();
        self.skips_ops = false;
        if let Some(slot) = self.slot.take()
            && !builder.is_named(slot)
        {
            builder.name_device(slot, UNNAMED_DEVICE.as_bytes());
            self.problems
                .add("unnamed-device", at, || say!("unnamed-device", at, unnamed_device = UNNAMED_DEVICE));
        }
    }

    /// Begins a device at the first field of a `dev_stats`, which is usually the name. An empty `dev_stats` is no device.
    #[cold]
    fn begin_device(
        &mut self,
        part: WholeMessage,
        message: &[u8],
        at: u64,
        builder: &mut TraceBuilder,
    ) -> Flow {
        self.slot = match part {
            WholeMessage::Device => builder.device(message),
            _ => builder.has_room_for_device().then(|| builder.begin_device()),
        };
        match self.slot {
            Some(_) => Ok(()),
            None => Err(Box::new(Stop { code: "too-many-devices", got: say!("got-too-many-devices"), at })),
        }
    }

    fn read_op(
        &mut self,
        message: Message<'_>,
        slot: DeviceSlot,
        start: u64,
        builder: &mut TraceBuilder,
    ) -> Flow {
        use op_stats::Outcome;
        match op_stats::read(message, builder, slot, &mut self.scratch) {
            Ok(Outcome::Taken { negative_length: false, damaged_parts: 0, negative_sizes: 0 }) => {}
            Ok(Outcome::Taken { negative_length, damaged_parts, negative_sizes }) => {
                if negative_length {
                    self.problems.add("negative-duration", start, || say!("op-negative-duration", start));
                }
                if negative_sizes > 0 {
                    self.problems
                        .add_many("negative-size", negative_sizes, start, || say!("op-negative-size", start));
                }
                if damaged_parts > 0 {
                    self.problems.add_many("damaged-tensor", damaged_parts, start, || {
                        say!("op-damaged-tensor", start)
                    });
                }
            }
            Ok(Outcome::Refused(Refused::TimeOutOfRange)) => {
                self.problems.add("time-out-of-range", start, || say!("op-time-out-of-range", start))
            }
            Ok(Outcome::Refused(Refused::LeftOut)) => {}
            Ok(Outcome::Refused(Refused::TooManyOps)) => {
                let got = say!("got-too-many-ops");
                return Err(Box::new(Stop { code: "too-many-ops", got, at: start }));
            }
            Err(damaged) => {
                let at = start + damaged.at as u64;
                self.problems.add("damaged-op", at, || say!("damaged-op", at));
            }
        }
        Ok(())
    }

    /// Reads an entry of `thread_names`: thread id and name.
    fn read_thread_name(
        &mut self,
        message: Message<'_>,
        slot: DeviceSlot,
        start: u64,
        builder: &mut TraceBuilder,
    ) {
        let (mut thread, mut name) = (0, &[][..]);
        let mut fields = message.fields();
        loop {
            match fields.next() {
                Ok(Some((entry::KEY, Value::Varint(value)))) => thread = value as u32,
                Ok(Some((entry::VALUE, Value::Bytes(bytes)))) => name = bytes,
                Ok(Some(_)) => {}
                Ok(None) => return builder.name_thread(slot, thread, name),
                Err(damaged) => {
                    let at = start + damaged.at as u64;
                    return self.problems.add("damaged-thread-name", at, || say!("damaged-thread-name", at));
                }
            }
        }
    }

    /// Counts a message for the next check; a long message may bring as much data as many short ones.
    #[inline]
    fn count_towards_memory_check(&mut self, bytes: usize, at: u64, builder: &mut TraceBuilder) {
        let counts_as = 1 + u32::try_from(bytes / LONG_MESSAGE_BYTES).unwrap_or(u32::MAX - 1);
        self.until_memory_check = self.until_memory_check.saturating_sub(counts_as);
        if self.until_memory_check == 0 {
            self.check_memory(at, builder);
        }
    }

    #[cold]
    fn check_memory(&mut self, at: u64, builder: &mut TraceBuilder) {
        self.until_memory_check = MEMORY_CHECK_PERIOD;
        if !builder.is_full() && builder.heap_bytes() > self.memory_limit {
            builder.fill();
            self.full_at = Some(at);
        }
    }
}
