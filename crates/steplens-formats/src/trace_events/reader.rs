//! Bytes to devices and events, which go on to the reader of Chrome traces one by one.

use super::FORMAT;
use super::json::{END, HEAD, put_device, put_event};
use crate::chrome::ChromeReader;
use crate::error::ReadErrorKind;
use crate::frames::{Fault, Flow, Frames, Inside, Schema, Sink, Step};
use crate::reader::{Found, Reader};
use crate::wire::{MAX_FIELDS, Message, Wire};
use prost::Message as _;
use steplens_core::{Problems, TraceBuilder};
use steplens_messages::say;
use steplens_proto::profiler::{TraceEvent, trace::DevicesEntry};

/// The only message whose fields are read one by one: the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenTrace;

/// What is read at once.
#[derive(Clone, Copy, Debug)]
enum Whole {
    Device,
    Event,
}

impl Schema for OpenTrace {
    type Whole = Whole;

    fn step(self, field: u32, wire: Wire) -> Step<Self, Whole> {
        match (field, wire) {
            (1, Wire::Length) => Step::Read(Whole::Device),
            (4, Wire::Length) => Step::Read(Whole::Event),
            _ => Step::Unknown,
        }
    }

    fn word(self) -> &'static str {
        say!("word-trace-events")
    }
}

/// Reads one file.
pub(crate) struct TraceReader {
    frames: Frames<OpenTrace>,
    made: Made,
}

/// What was made of the file so far.
struct Made {
    chrome: Box<ChromeReader>,
    json: Vec<u8>,
    events: u64,
    problems: Problems,
}

impl TraceReader {
    /// A reader that only counts events after the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        let chrome = Box::new(ChromeReader::new(memory_limit));
        let made = Made { chrome, json: HEAD.to_vec(), events: 0, problems: Problems::default() };
        Self { frames: Frames::of(OpenTrace), made }
    }
}

impl Reader for TraceReader {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        self.frames.push(bytes, &mut Reading { made: &mut self.made, builder });
    }

    fn finish(self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let (bytes, stopped_at) = (self.frames.at(), self.frames.stopped_at().cloned());
        let Made { mut chrome, mut json, events, mut problems } = self.made;
        if !matches!(self.frames.inside(), Inside::Nothing) {
            problems.add("truncated", bytes, || {
                say!("truncated-inside", at = bytes, place = say!("word-trace-events"))
            });
        }
        json.extend_from_slice(END);
        chrome.push(&json, builder);
        let Found::Trace(mut found) = chrome.finish(builder) else {
            // A reader of Chrome traces finds a trace, if only an empty one.
            return Found::Nothing(ReadErrorKind::NoEvents { events });
        };
        (found.format, found.bytes, found.stopped_at) = (FORMAT.name, bytes, stopped_at);
        let broken = problems.as_slice().first();
        found.nothing = Some(match broken {
            Some(problem) => ReadErrorKind::NoOpsReadable {
                format: say!("word-trace-events"),
                offset: problem.offset,
                what: if problem.code == "truncated" { say!("got-end-of-file") } else { say!("got-damage") }
                    .to_owned(),
            },
            None => ReadErrorKind::NoEvents { events },
        });
        found.problems.as_slice().iter().for_each(|problem| problems.merge(problem));
        found.problems = problems;
        Found::Trace(found)
    }
}

/// Takes the content of the file.
struct Reading<'a> {
    made: &'a mut Made,
    builder: &'a mut TraceBuilder,
}

impl Sink<OpenTrace> for Reading<'_> {
    fn entered(&mut self, _: OpenTrace, _: u64, _: u64) -> Flow {
        Ok(())
    }

    fn left(&mut self, _: OpenTrace, _: u64) -> Flow {
        Ok(())
    }

    fn message(&mut self, what: Whole, message: Message<'_>, at: u64) -> Flow {
        let Made { chrome, json, events, problems } = &mut *self.made;
        *events += u64::from(matches!(what, Whole::Event));
        let is_read = !message.fields().has_more_than(MAX_FIELDS, 2)
            && match what {
                Whole::Device => DevicesEntry::decode(message.bytes()).is_ok_and(|entry| {
                    put_device(json, entry.key, &entry.value.unwrap_or_default());
                    true
                }),
                Whole::Event => TraceEvent::decode(message.bytes()).is_ok_and(|event| {
                    put_event(json, &event);
                    true
                }),
            };
        if !is_read {
            problems.add("damaged-message", at, || {
                say!(
                    "message-damaged-to-end",
                    word = say!("word-trace-events"),
                    got = say!("got-damage"),
                    at = at,
                    lost = message.length()
                )
            });
        }
        // What the reader of Chrome traces says of it is at this place.
        chrome.set_at(at);
        chrome.push(json, self.builder);
        json.clear();
        Ok(())
    }

    fn fault(&mut self, fault: Fault<OpenTrace>) {
        fault.add_to(&mut self.made.problems);
    }
}
