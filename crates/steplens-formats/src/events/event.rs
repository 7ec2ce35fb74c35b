//! One `Event`, as it arrives: its step and time, and every RunMetadata inside.
//!
//! Fields come in the order of their numbers, as every writer of protobuf has them.
//!
//! | where | what |
//! |---|---|
//! | `tagged_run_metadata` | `tag`, and the RunMetadata as bytes: straight to their reader |
//! | `summary.value[]` | `tag`; what kind of thing it is stands behind it, in `metadata.plugin_data.plugin_name`: the text of its `tensor` is held until then |

use super::seen::Seen;
use crate::run_metadata::RunMetadataReader;
use crate::run_metadata::reader::MAX_MESSAGE_BYTES;
use crate::wire::{Head, MAX_HEAD_BYTES, Tag, Wire, parse_head};
use steplens_core::part::PartRecord;
use steplens_core::units::MAX_UNIX_NS;
use steplens_core::{Problems, TraceBuilder};

/// Longer tags and plugin names than this are left out; TensorFlow's are some tens of bytes.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// The plugins of TensorFlow 2 whose tensors are a RunMetadata: what `tf.summary.trace_export` writes.
const PLUGINS: [&[u8]; 2] = [b"graph_run_metadata", b"graph_run_metadata_graph"];

/// A message whose fields are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Event,
    TaggedRunMetadata,
    Summary,
    SummaryValue,
    SummaryMetadata,
    PluginData,
    Tensor,
}

/// Bytes that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    WallTime,
    Tag,
    PluginName,
    TensorText,
}

/// What a field of a [`Place`] leads to.
enum Step {
    Enter(Place),
    Hold(Held),
    /// `Event.step`.
    Number,
    RunMetadata,
    /// `graph_def` and `meta_graph_def`: only counted.
    Graph,
    Skip,
}

impl Place {
    fn step(self, Tag { field, wire }: Tag) -> Step {
        match (self, field, wire) {
            (Self::Event, 1, Wire::Fixed64) => Step::Hold(Held::WallTime),
            (Self::Event, 2, Wire::Varint) => Step::Number,
            (Self::Event, 4 | 9, Wire::Length) => Step::Graph,
            (Self::Event, 5, Wire::Length) => Step::Enter(Self::Summary),
            (Self::Event, 8, Wire::Length) => Step::Enter(Self::TaggedRunMetadata),
            (Self::TaggedRunMetadata, 1, Wire::Length) => Step::Hold(Held::Tag),
            (Self::TaggedRunMetadata, 2, Wire::Length) => Step::RunMetadata,
            (Self::Summary, 1, Wire::Length) => Step::Enter(Self::SummaryValue),
            (Self::SummaryValue, 1, Wire::Length) => Step::Hold(Held::Tag),
            (Self::SummaryValue, 8, Wire::Length) => Step::Enter(Self::Tensor),
            (Self::SummaryValue, 9, Wire::Length) => Step::Enter(Self::SummaryMetadata),
            (Self::SummaryMetadata, 1, Wire::Length) => Step::Enter(Self::PluginData),
            (Self::PluginData, 1, Wire::Length) => Step::Hold(Held::PluginName),
            // `string_val`.
            (Self::Tensor, 8, Wire::Length) => Step::Hold(Held::TensorText),
            _ => Step::Skip,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before or within a tag and its length.
    Head,
    Holding {
        what: Held,
        left: u64,
    },
    RunMetadata {
        left: u64,
    },
    Skipping {
        left: u64,
    },
}

struct Open {
    place: Place,
    /// The offset after its last byte.
    end: u64,
}

/// Reads the events of one file, one after the other: [`begin`](Self::begin), [`push`](Self::push), [`end`](Self::end).
pub(super) struct EventReader {
    memory_limit: usize,
    /// The offset of the next byte to come.
    at: u64,
    open: Vec<Open>,
    state: State,
    /// What is there of a tag and its length.
    head: Vec<u8>,
    wall_time: Vec<u8>,
    step: i64,
    tag: Vec<u8>,
    plugin_name: Vec<u8>,
    tensor_text: Vec<u8>,
    tensor_text_at: u64,
    run: Option<RunMetadataReader>,
    /// What the file holds besides.
    pub(super) seen: Seen,
    /// How many RunMetadata the event has so far.
    pub(super) runs: u64,
    /// What was wrong with the event.
    problems: Problems,
    /// Where the memory was full.
    pub(super) full_at: Option<u64>,
}

impl EventReader {
    /// A reader that only counts ops once the trace takes more than `memory_limit` bytes.
    pub(super) fn new(memory_limit: usize) -> Self {
        Self {
            memory_limit,
            at: 0,
            open: Vec::new(),
            state: State::Head,
            head: Vec::new(),
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
        }
    }

    /// An event of `length` bytes starts at `at`.
    pub(super) fn begin(&mut self, at: u64, length: u64) {
        self.at = at;
        self.open.clear();
        self.open.push(Open { place: Place::Event, end: at.saturating_add(length) });
        self.state = State::Head;
        self.head.clear();
        self.wall_time.clear();
        self.step = 0;
        self.tag.clear();
        self.run = None;
        self.runs = 0;
        self.problems = Problems::default();
    }

    /// Takes the next bytes of the event.
    pub(super) fn push(&mut self, mut bytes: &[u8], builder: &mut TraceBuilder) {
        while !bytes.is_empty() {
            match self.state {
                State::Head => self.read_head(&mut bytes, builder),
                State::Holding { what, left } => {
                    let taken = self.take(&mut bytes, left);
                    self.held(what).extend_from_slice(taken);
                    let left = left - taken.len() as u64;
                    self.state = if left > 0 { State::Holding { what, left } } else { State::Head };
                }
                State::RunMetadata { left } => {
                    let taken = self.take(&mut bytes, left);
                    if let Some(run) = &mut self.run {
                        run.push(taken, builder);
                    }
                    let left = left - taken.len() as u64;
                    self.state = if left > 0 { State::RunMetadata { left } } else { State::Head };
                    if left == 0 {
                        self.end_run(builder);
                    }
                }
                State::Skipping { left } => {
                    let left = left - self.take(&mut bytes, left).len() as u64;
                    self.state = if left > 0 { State::Skipping { left } } else { State::Head };
                }
            }
            if self.state == State::Head && self.head.is_empty() {
                self.close_ended(builder);
            }
        }
    }

    /// Ends the event, or what is there of it; returns what was wrong with it.
    pub(super) fn end(&mut self, builder: &mut TraceBuilder) -> Problems {
        self.end_run(builder);
        std::mem::take(&mut self.problems)
    }

    /// The newest tag, as text.
    pub(super) fn tag(&self) -> String {
        String::from_utf8_lossy(&self.tag).into_owned()
    }

    fn held(&mut self, what: Held) -> &mut Vec<u8> {
        match what {
            Held::WallTime => &mut self.wall_time,
            Held::Tag => &mut self.tag,
            Held::PluginName => &mut self.plugin_name,
            Held::TensorText => &mut self.tensor_text,
        }
    }

    fn take<'a>(&mut self, bytes: &mut &'a [u8], count: u64) -> &'a [u8] {
        let count = usize::try_from(count).map_or(bytes.len(), |count| count.min(bytes.len()));
        let (taken, rest) = bytes.split_at(count);
        *bytes = rest;
        self.at += count as u64;
        taken
    }

    /// How many bytes of the innermost message are still to come.
    fn room(&self) -> u64 {
        self.open.last().map_or(0, |open| open.end.saturating_sub(self.at))
    }

    fn read_head(&mut self, bytes: &mut &[u8], builder: &mut TraceBuilder) {
        let start = self.at - self.head.len() as u64;
        if self.head.is_empty()
            && let Head::Complete { tag, number, length, taken } = parse_head(bytes)
            && length.saturating_add(taken as u64) <= self.room()
        {
            self.take(bytes, taken as u64);
            return self.follow(tag, number, length, start, builder);
        }
        let byte = self.take(bytes, 1);
        self.head.extend_from_slice(byte);
        match parse_head(&self.head) {
            Head::Incomplete if self.room() > 0 && self.head.len() < MAX_HEAD_BYTES => {}
            Head::Complete { tag, number, length, .. } if length <= self.room() => {
                self.head.clear();
                self.follow(tag, number, length, start, builder);
            }
            _ => {
                self.head.clear();
                self.problems.add("damaged-message", start, || {
                    format!("an event of the file holds a field that cannot be at byte {start}; the rest of it is left out")
                });
                self.skip(self.room());
            }
        }
    }

    fn skip(&mut self, left: u64) {
        self.state = if left > 0 { State::Skipping { left } } else { State::Head };
    }

    /// Decides about the field whose value comes next.
    fn follow(&mut self, tag: Tag, number: u64, length: u64, start: u64, builder: &mut TraceBuilder) {
        let place = self.open.last().map_or(Place::Event, |open| open.place);
        match place.step(tag) {
            Step::Enter(place) => {
                if matches!(place, Place::TaggedRunMetadata | Place::SummaryValue) {
                    self.tag.clear();
                    self.plugin_name.clear();
                    self.tensor_text.clear();
                }
                self.open.push(Open { place, end: self.at.saturating_add(length) });
            }
            Step::Hold(what) => {
                let most = if what == Held::TensorText { MAX_MESSAGE_BYTES } else { MAX_TEXT_BYTES };
                self.held(what).clear();
                if what == Held::TensorText {
                    self.tensor_text_at = self.at;
                }
                if length > most {
                    self.problems.add("oversized-message", start, || {
                        format!(
                            "the text at byte {start} has {length} bytes, more than the {most} that are read; left out"
                        )
                    });
                    self.skip(length);
                } else if length > 0 {
                    self.state = State::Holding { what, left: length };
                }
            }
            Step::Number => self.step = number as i64,
            Step::RunMetadata => {
                self.begin_run(self.at, builder);
                if length > 0 {
                    self.state = State::RunMetadata { left: length };
                } else {
                    self.end_run(builder);
                }
            }
            Step::Graph => {
                self.seen.graphs += 1;
                self.skip(length);
            }
            Step::Skip => self.skip(length),
        }
    }

    fn close_ended(&mut self, builder: &mut TraceBuilder) {
        while self.open.len() > 1 && self.room() == 0 {
            if self.open.pop().is_some_and(|ended| ended.place == Place::SummaryValue) {
                self.end_value(builder);
            }
        }
    }

    /// The plugin of the value is known: so is whether its tensor is a RunMetadata.
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

    /// A RunMetadata starts, and with it a part of the trace.
    fn begin_run(&mut self, at: u64, builder: &mut TraceBuilder) {
        self.runs += 1;
        if !builder.has_room_for_part() {
            return self.problems.add("too-many-devices", at, || {
                format!("more RunMetadata at byte {at} than are counted; everything before it is shown, the rest is left out")
            });
        }
        let seconds = self.wall_time.first_chunk().map_or(f64::NAN, |bytes| f64::from_le_bytes(*bytes));
        let nanos = seconds * 1e9;
        builder.begin_part(&PartRecord {
            name: &self.tag(),
            step: Some(self.step),
            recorded_unix_ns: (nanos.abs() < MAX_UNIX_NS as f64).then_some(nanos as i64),
            is_run: true,
            facts: &[],
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
