//! An event file: which records are kept, and what is reported about the others.

use super::FORMAT;
use super::event::EventReader;
use super::records::{End, Piece, Records};
use crate::error::ReadErrorKind;
use crate::reader::{Found, FoundTrace, Reader};
use steplens_core::{Problem, Problems, TraceBuilder};
use steplens_messages::say;

/// The number of bytes between two checks of the memory in use.
const MEMORY_CHECK_BYTES: u64 = 1 << 20;

/// Reads one file.
pub(crate) struct EventFileReader {
    records: Records,
    event: EventReader,
    /// Where the current record starts, and the number of parts and graph nodes before it.
    began_at: u64,
    parts_before: usize,
    graph_nodes_before: usize,
    runs: u64,
    graph_nodes: usize,
    lost: Lost,
    problems: Problems,
    memory_limit: usize,
    checked_at: u64,
    full_at: Option<u64>,
}

/// Bytes that belong to no record.
#[derive(Default)]
struct Lost {
    places: u64,
    bytes: u64,
    first_at: u64,
}

impl Lost {
    fn add(&mut self, at: u64, bytes: u64) {
        if bytes > 0 {
            self.first_at = if self.places == 0 { at } else { self.first_at };
            self.places += 1;
            self.bytes += bytes;
        }
    }
}

impl EventFileReader {
    /// A reader that only counts ops after the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        Self {
            records: Records::new(),
            event: EventReader::new(memory_limit),
            began_at: 0,
            parts_before: 0,
            graph_nodes_before: 0,
            runs: 0,
            graph_nodes: 0,
            lost: Lost::default(),
            problems: Problems::default(),
            memory_limit,
            checked_at: 0,
            full_at: None,
        }
    }
}

impl Reader for EventFileReader {
    fn push(&mut self, mut bytes: &[u8], builder: &mut TraceBuilder) {
        while let Some(piece) = self.records.next(&mut bytes) {
            match piece {
                Piece::Begin { length, lost } => {
                    self.lost.add(self.began_at, lost);
                    self.parts_before = builder.part_count();
                    self.graph_nodes_before = builder.graph_node_count();
                    self.event.begin(self.records.at(), length);
                }
                Piece::Data(data) => self.event.push(data, builder),
                Piece::End { is_intact } => {
                    self.end_record(is_intact, builder);
                    self.began_at = self.records.at();
                }
            }
        }
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let at = self.records.at();
        let within = match self.records.end() {
            End::Whole => None,
            End::Lost(bytes) => {
                self.lost.add(self.began_at, bytes);
                None
            }
            End::InHead => Some(say!("truncated-record-length").to_owned()),
            End::InRecord => {
                self.keep(true, builder);
                Some(match self.event.state.runs {
                    0 => say!("truncated-event").to_owned(),
                    _ => say!("truncated-run-metadata", tag = format!("{:?}", self.event.tag())),
                })
            }
        };
        if let Some(within) = within {
            self.problems.add("truncated", at, || say!("truncated-within", at, within));
        }
        let Lost { places, bytes, first_at } = self.lost;
        if places > 0 {
            self.problems
                .add_many("records-lost", places, first_at, || say!("records-lost", first_at, bytes, places));
        }
        Found::Trace(FoundTrace {
            format: FORMAT.name,
            nothing: self.full_at.is_none().then(|| self.why_nothing(at)),
            problems: self.problems,
            stopped_at: None,
            full_at: self.full_at,
            bytes: at,
        })
    }
}

impl EventFileReader {
    fn end_record(&mut self, is_intact: bool, builder: &mut TraceBuilder) {
        if is_intact {
            self.keep(false, builder);
        } else {
            self.discard(builder);
        }
        if self.records.at() - self.checked_at > MEMORY_CHECK_BYTES {
            self.checked_at = self.records.at();
            if !builder.is_full() && builder.heap_bytes() > self.memory_limit {
                builder.fill();
                self.full_at = Some(self.checked_at);
            }
        }
    }

    /// Keeps the content of the record: it is intact, or the file `is_cut` inside it, which then is the only problem.
    fn keep(&mut self, is_cut: bool, builder: &mut TraceBuilder) {
        let found = self.event.end(builder);
        let is_news = |problem: &&Problem| !(is_cut && problem.code == "truncated");
        found.as_slice().iter().filter(is_news).for_each(|problem| self.problems.merge(problem));
        self.event.state.seen.events += 1;
        self.runs += self.event.state.runs;
        self.graph_nodes += builder.graph_node_count() - self.graph_nodes_before;
        self.full_at = self.full_at.or(self.event.state.full_at);
    }

    /// Removes the content of the record, which may be damaged anywhere.
    fn discard(&mut self, builder: &mut TraceBuilder) {
        self.event.end(builder);
        let ops = builder.discard_parts(self.parts_before);
        let (at, runs) = (self.began_at, self.event.state.runs);
        self.problems.add("record-damaged", at, || match runs {
            0 => say!("record-damaged", at),
            _ => say!("record-of-run-damaged", at, tag = format!("{:?}", self.event.tag()), ops),
        });
    }

    /// Why the file has no ops, as a sentence.
    fn why_nothing(&self, bytes: u64) -> ReadErrorKind {
        let codes = ["record-damaged", "records-lost", "damaged-message", "damaged-op", "time-out-of-range"];
        let problems = self.problems.as_slice();
        let damage = problems.iter().find(|problem| codes.contains(&&*problem.code));
        let broken = |offset, what: &str| ReadErrorKind::NoOpsReadable {
            format: say!("word-event-file"),
            offset,
            what: what.to_owned(),
        };
        match damage {
            Some(damage) => broken(damage.offset, say!("got-damage")),
            None if self.problems.count("truncated") > 0
                && (self.runs > 0 || self.event.state.seen.events == 0) =>
            {
                broken(bytes, say!("got-end-of-file"))
            }
            None if self.runs > 0 => {
                ReadErrorKind::NoTimes { runs: self.runs, graph_nodes: self.graph_nodes }
            }
            None => ReadErrorKind::NoRuns { seen: self.event.state.seen.text() },
        }
    }
}
