//! One `Event` as it comes: its step and time, and every RunMetadata in it.
//!
//! Fields come in the order of their numbers, as every writer of protobuf writes them.
//!
//! | where | what |
//! |---|---|
//! | `tagged_run_metadata` | `tag`, and the RunMetadata as bytes, which are passed directly to its reader |
//! | `summary.value[]` | `tag`; its kind comes only later, in `metadata.plugin_data.plugin_name`, so the text of its `tensor` is
//! kept until then |

use super::seen::Seen;
use crate::frames::{Fault, Flow, Frames, Inside, MAX_MESSAGE_BYTES, Schema, Sink, Step};
use crate::run_metadata::RunMetadataReader;
use crate::wire::{Message, Wire};
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_core::model::part::PartRecord;
use steplens_core::{Problems, TraceBuilder};
use steplens_messages::say;
use steplens_proto::fields::{
    event, plugin_data, summary, summary_metadata, tagged_run_metadata, tensor_proto, value,
};

/// The longest tag or plugin name that is read; TensorFlow's have some tens of bytes.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// The plugins of TensorFlow 2 whose tensors are a RunMetadata, as `tf.summary.trace_export` writes them.
const PLUGINS: [&[u8]; 2] = [b"graph_run_metadata", b"graph_run_metadata_graph"];

/// A message whose fields are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenMessage {
    Event,
    TaggedRunMetadata,
    Summary,
    SummaryValue,
    SummaryMetadata,
    PluginData,
    Tensor,
}

/// Values that are kept, passed on or counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    WallTime,
    Step,
    Tag,
    PluginName,
    TensorText,
    RunMetadata,
    /// `graph_def` and `meta_graph_def`: only counted.
    Graph,
}

impl Schema for OpenMessage {
    type Whole = Whole;

    fn step(self, field: u32, wire: Wire) -> Step<Self, Whole> {
        match (self, field, wire) {
            (Self::Event, event::WALL_TIME, Wire::Fixed64) => Step::Read(Whole::WallTime),
            (Self::Event, event::STEP, Wire::Varint) => Step::Read(Whole::Step),
            (Self::Event, event::GRAPH_DEF | event::META_GRAPH_DEF, Wire::Length) => Step::Read(Whole::Graph),
            (Self::Event, event::SUMMARY, Wire::Length) => Step::Enter(Self::Summary),
            (Self::Event, event::TAGGED_RUN_METADATA, Wire::Length) => Step::Enter(Self::TaggedRunMetadata),
            (Self::TaggedRunMetadata, tagged_run_metadata::TAG, Wire::Length) => Step::Read(Whole::Tag),
            (Self::TaggedRunMetadata, tagged_run_metadata::RUN_METADATA, Wire::Length) => {
                Step::Pass(Whole::RunMetadata)
            }
            (Self::Summary, summary::VALUE, Wire::Length) => Step::Enter(Self::SummaryValue),
            (Self::SummaryValue, value::TAG, Wire::Length) => Step::Read(Whole::Tag),
            (Self::SummaryValue, value::TENSOR, Wire::Length) => Step::Enter(Self::Tensor),
            (Self::SummaryValue, value::METADATA, Wire::Length) => Step::Enter(Self::SummaryMetadata),
            (Self::SummaryMetadata, summary_metadata::PLUGIN_DATA, Wire::Length) => {
                Step::Enter(Self::PluginData)
            }
            (Self::PluginData, plugin_data::PLUGIN_NAME, Wire::Length) => Step::Read(Whole::PluginName),
            (Self::Tensor, tensor_proto::STRING_VAL, Wire::Length) => Step::Read(Whole::TensorText),
            // Events have many other fields.
            _ => Step::Skip,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Event => say!("word-event"),
            Self::TaggedRunMetadata => say!("word-tagged-run-metadata"),
            Self::Summary => say!("word-summary"),
            Self::SummaryValue => say!("word-summary-value"),
            Self::SummaryMetadata | Self::PluginData => say!("word-summary-kind"),
            Self::Tensor => say!("word-tensor"),
        }
    }

    fn most(what: Whole) -> u64 {
        if what == Whole::TensorText { MAX_MESSAGE_BYTES } else { MAX_TEXT_BYTES }
    }
}

/// Reads the events of one file, one after the other: [`begin`](Self::begin), [`push`](Self::push), [`end`](Self::end).
pub(super) struct EventReader {
    frames: Frames<OpenMessage>,
    pub(super) state: State,
}

/// The event so far.
pub(super) struct State {
    memory_limit: usize,
    wall_time: Vec<u8>,
    step: i64,
    tag: Vec<u8>,
    plugin_name: Vec<u8>,
    tensor_text: Vec<u8>,
    tensor_text_at: u64,
    run: Option<RunMetadataReader>,
    /// The other content of the file.
    pub(super) seen: Seen,
    /// The number of RunMetadata in the event so far.
    pub(super) runs: u64,
    /// The problems of the event.
    problems: Problems,
    /// Where the memory was full.
    pub(super) full_at: Option<u64>,
}

impl EventReader {
    /// A reader that only counts ops after the trace takes more than `memory_limit` bytes.
    pub(super) fn new(memory_limit: usize) -> Self {
        let state = State {
            memory_limit,
            wall_time: Vec::new(),
            step: 0,
            tag: Vec::new(),
            plugin_name: Vec::new(),
            tensor_text: Vec::new(),
            tensor_text_at: 0,
            run: None,
            seen: Seen::default(),
            runs: 0,
            problems: Problems::default(),
            full_at: None,
        };
        Self { frames: Frames::of(OpenMessage::Event), state }
    }

    /// Begins an event of `length` bytes at `at`.
    pub(super) fn begin(&mut self, at: u64, length: u64) {
        self.frames.begin(at, at.saturating_add(length));
        let state = &mut self.state;
        state.wall_time.clear();
        state.step = 0;
        state.tag.clear();
        state.run = None;
        state.runs = 0;
        state.problems = Problems::default();
    }

    /// Takes the next bytes of the event.
    pub(super) fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        self.frames.push(bytes, &mut Reading { state: &mut self.state, builder });
    }

    /// Ends the event, which may be cut; returns its problems.
    pub(super) fn end(&mut self, builder: &mut TraceBuilder) -> Problems {
        self.state.end_run(builder);
        std::mem::take(&mut self.state.problems)
    }

    /// The newest tag as text, or the part of it that has come.
    pub(super) fn tag(&self) -> String {
        match self.frames.inside() {
            Inside::Whole(Whole::Tag) => String::from_utf8_lossy(self.frames.held()).into_owned(),
            _ => self.state.tag(),
        }
    }
}

/// Takes the content of an event.
struct Reading<'a> {
    state: &'a mut State,
    builder: &'a mut TraceBuilder,
}

impl Sink<OpenMessage> for Reading<'_> {
    fn skips(&mut self, what: Whole) -> bool {
        if what == Whole::Graph {
            self.state.seen.graphs += 1;
        }
        what == Whole::Graph
    }

    fn entered(&mut self, place: OpenMessage, _at: u64, _after: u64) -> Flow {
        if matches!(place, OpenMessage::TaggedRunMetadata | OpenMessage::SummaryValue) {
            self.state.tag.clear();
            self.state.plugin_name.clear();
            self.state.tensor_text.clear();
        }
        Ok(())
    }

    fn left(&mut self, place: OpenMessage, _after: u64) -> Flow {
        if place == OpenMessage::SummaryValue {
            self.state.end_value(self.builder);
        }
        Ok(())
    }

    fn message(&mut self, what: Whole, message: Message<'_>, at: u64) -> Flow {
        let state = &mut *self.state;
        let held = match what {
            Whole::WallTime => &mut state.wall_time,
            Whole::Tag => &mut state.tag,
            Whole::PluginName => &mut state.plugin_name,
            Whole::TensorText => {
                state.tensor_text_at = at;
                &mut state.tensor_text
            }
            Whole::Step | Whole::RunMetadata | Whole::Graph => return Ok(()),
        };
        held.clear();
        held.extend_from_slice(message.bytes());
        Ok(())
    }

    fn number(&mut self, _what: Whole, value: u64, _after: u64) -> Flow {
        self.state.step = value as i64;
        Ok(())
    }

    fn pass_begins(&mut self, _what: Whole, at: u64) -> Flow {
        self.state.begin_run(at, self.builder);
        Ok(())
    }

    fn pass(&mut self, _what: Whole, bytes: &[u8]) {
        if let Some(run) = &mut self.state.run {
            run.push(bytes, self.builder);
        }
    }

    fn pass_ends(&mut self, _what: Whole) {
        self.state.end_run(self.builder);
    }

    fn fault(&mut self, fault: Fault<OpenMessage>) {
        let problems = &mut self.state.problems;
        match fault {
            Fault::Oversized { what, at, begins, length, most } => {
                problems.add("oversized-message", at, || say!("oversized-text", at, length, most));
                self.state.forget(what, begins);
            }
            Fault::Damaged { at, .. } => {
                problems.add("damaged-message", at, || say!("damaged-event-field", at))
            }
            other => other.add_to(problems),
        }
    }
}

impl State {
    fn tag(&self) -> String {
        String::from_utf8_lossy(&self.tag).into_owned()
    }

    /// Drops `what`, which is too long, and the last value of the same kind.
    fn forget(&mut self, what: Whole, begins: u64) {
        match what {
            Whole::Tag => self.tag.clear(),
            Whole::PluginName => self.plugin_name.clear(),
            Whole::TensorText => {
                self.tensor_text_at = begins;
                self.tensor_text.clear();
            }
            Whole::WallTime | Whole::Step | Whole::RunMetadata | Whole::Graph => {}
        }
    }

    /// Ends a value. Its plugin is known now, and so whether its tensor is a RunMetadata.
    fn end_value(&mut self, builder: &mut TraceBuilder) {
        if !PLUGINS.contains(&self.plugin_name.as_slice()) {
            return self.seen.add_tag(&self.tag);
        }
        self.begin_run(self.tensor_text_at, builder);
        if let Some(run) = &mut self.run {
            run.push(&self.tensor_text, builder);
        }
        self.tensor_text.clear();
        self.end_run(builder);
    }

    /// Begins a RunMetadata, which is a part of the trace.
    fn begin_run(&mut self, at: u64, builder: &mut TraceBuilder) {
        self.runs += 1;
        if !builder.has_room_for_part() {
            return self.problems.add("too-many-devices", at, || say!("too-many-run-metadata", at));
        }
        let seconds = self.wall_time.first_chunk().map_or(f64::NAN, |bytes| f64::from_le_bytes(*bytes));
        let nanos = seconds * 1e9;
        builder.begin_part(&PartRecord {
            name: &self.tag(),
            step: Some(self.step),
            recorded_unix_ns: (nanos.abs() < MAX_UNIX_NS as f64).then_some(nanos as i64),
            is_run: true,
            facts: &[],
            ..PartRecord::default()
        });
        let mut run = RunMetadataReader::new(self.memory_limit).in_one_part();
        run.set_offset(at);
        self.run = Some(run);
    }

    fn end_run(&mut self, builder: &mut TraceBuilder) {
        let Some(mut run) = self.run.take() else { return };
        for problem in run.finish(builder).as_slice() {
            self.problems.merge(problem);
        }
        self.full_at = self.full_at.or(run.full_at());
        builder.end_part();
    }
}
