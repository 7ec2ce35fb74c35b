//! One `Event` as it comes: its step and time, and every RunMetadata in it.
//!
//! Fields come in the order of their numbers, as every writer of protobuf writes them.
//!
//! | where | what |
//! |---|---|
//! | `tagged_run_metadata` | `tag`, and the RunMetadata as bytes, which are passed directly to its reader |
//! | `summary.value[]` | decoded whole, because its kind comes last: in `metadata.plugin_data.plugin_name` |

use super::seen::Seen;
use crate::frames::{Fault, Flow, Frames, Inside, MAX_MESSAGE_BYTES, Schema, Sink, Step};
use crate::run_metadata::RunMetadataReader;
use crate::wire::{Fields, MAX_FIELDS, Message, Value as FieldValue, Wire};
use bytes::Bytes;
use prost::Message as _;
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_core::model::part::PartRecord;
use steplens_core::{Problems, TraceBuilder};
use steplens_messages::say;
use steplens_proto::fields::{event, summary, tagged_run_metadata, value};
use steplens_proto::tensorflow::summary::Value;
use steplens_proto::tensorflow::summary::value::Value as Content;

/// The longest tag that is read; TensorFlow's have some tens of bytes.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// The plugins of TensorFlow 2 whose tensors are a RunMetadata, as `tf.summary.trace_export` writes them.
const PLUGINS: [&[u8]; 2] = [b"graph_run_metadata", b"graph_run_metadata_graph"];

/// A message whose fields are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenMessage {
    Event,
    TaggedRunMetadata,
    Summary,
}

/// Values that are kept, passed on or counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    WallTime,
    Step,
    Tag,
    SummaryValue,
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
            (Self::Summary, summary::VALUE, Wire::Length) => Step::Read(Whole::SummaryValue),
            // Events have many other fields.
            _ => Step::Skip,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Event => say!("word-event"),
            Self::TaggedRunMetadata => say!("word-tagged-run-metadata"),
            Self::Summary => say!("word-summary"),
        }
    }

    fn most(what: Whole) -> u64 {
        if what == Whole::SummaryValue { MAX_MESSAGE_BYTES } else { MAX_TEXT_BYTES }
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
            Inside::Whole(Whole::SummaryValue) => match Fields::of(self.frames.held()).next() {
                Ok(Some((value::TAG, FieldValue::Bytes(tag)))) => String::from_utf8_lossy(tag).into_owned(),
                _ => String::new(),
            },
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
        if place == OpenMessage::TaggedRunMetadata {
            self.state.tag.clear();
        }
        Ok(())
    }

    fn left(&mut self, _place: OpenMessage, _after: u64) -> Flow {
        Ok(())
    }

    fn message(&mut self, what: Whole, message: Message<'_>, at: u64) -> Flow {
        let state = &mut *self.state;
        let held = match what {
            Whole::WallTime => &mut state.wall_time,
            Whole::Tag => &mut state.tag,
            Whole::SummaryValue => {
                if state.summary_value(message, at, self.builder).is_none() {
                    state.problems.add("damaged-message", at, || say!("damaged-event-field", at));
                }
                return Ok(());
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
            Fault::Oversized { what: Whole::Tag, at, length, most, .. } => {
                problems.add("oversized-message", at, || say!("oversized-text", at, length, most));
                self.state.tag.clear();
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

    /// Reads a value of a summary at `at`; `None` if it is damaged. Of some plugins its tensor is a RunMetadata.
    fn summary_value(&mut self, message: Message<'_>, at: u64, builder: &mut TraceBuilder) -> Option<()> {
        if message.fields().has_more_than(MAX_FIELDS, 1) {
            return None;
        }
        let message = Bytes::copy_from_slice(message.bytes());
        let Value { tag, metadata, value } = Value::decode(message.clone()).ok()?;
        self.tag = tag.into();
        let plugin = metadata.and_then(|metadata| metadata.plugin_data).unwrap_or_default().plugin_name;
        if !PLUGINS.contains(&&*plugin) {
            self.seen.add_tag(&self.tag);
            return Some(());
        }
        let text = value.and_then(|Content::Tensor(tensor)| tensor.string_val.into_iter().next_back());
        let text = text.filter(|text| !text.is_empty());
        // The text is a slice of the message.
        let into = text.as_ref().map_or(0, |text| text.as_ptr().addr() - message.as_ptr().addr());
        self.begin_run(at + into as u64, builder);
        if let (Some(run), Some(text)) = (&mut self.run, text) {
            run.push(&text, builder);
        }
        self.end_run(builder);
        Some(())
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
