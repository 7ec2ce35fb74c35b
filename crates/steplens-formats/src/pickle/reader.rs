//! Bytes to opcodes: what is read next, where a pickle ends, and the result of the file.

use super::FORMAT;
use super::data::{Data, Ended, TELLING, looks_like_run_metadata};
use super::describe::{Description, content, describe, is_memory_snapshot};
use super::machine::{Event, Fault, Machine};
use super::opcode::{BINBYTES, BINBYTES8, BINSTRING, BYTEARRAY8, Layout, layout};
use super::runs::Runs;
use crate::error::ReadErrorKind;
use crate::reader::{Found, FoundTrace, Reader};
use steplens_core::Problems;
use steplens_core::build::builder::TraceBuilder;
use steplens_messages::say;

/// The bytes that are searched: an opcode, a length, and the first bytes of a RunMetadata.
const SEARCHED_BYTES: usize = 9 + TELLING;

/// What is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Opcode,
    /// The bytes of a number after an opcode, which is a length if data follows.
    Number {
        opcode: u8,
        left: usize,
        taken: u32,
        number: u64,
        is_length: bool,
    },
    /// Data of `left` more bytes.
    Counted {
        left: u64,
    },
    /// Data of `left` more lines.
    Lines {
        left: usize,
    },
    /// After damage: searches for the bytes of a RunMetadata, because nothing else can be recognised.
    Searching,
    /// Nothing more may be read.
    Stopped,
}

/// Reads one file.
pub(crate) struct PickleReader {
    machine: Machine,
    runs: Runs,
    state: State,
    data: Option<Data>,
    /// The offset of the next byte, and of the current opcode.
    at: u64,
    opcode_at: u64,
    /// Whether a pickle has begun and not ended.
    is_within: bool,
    /// Whether the opcodes are not valid any more.
    is_lost: bool,
    /// The last bytes, while searching.
    window: Vec<u8>,
    problems: Problems,
    memory_limit: usize,
    graph_nodes_before: Option<usize>,
}

impl PickleReader {
    /// A reader that only counts ops after the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        Self {
            machine: Machine::default(),
            runs: Runs::new(memory_limit),
            state: State::Opcode,
            data: None,
            at: 0,
            opcode_at: 0,
            is_within: false,
            is_lost: false,
            window: Vec::new(),
            problems: Problems::default(),
            memory_limit,
            graph_nodes_before: None,
        }
    }
}

impl Reader for PickleReader {
    fn push(&mut self, mut bytes: &[u8], builder: &mut TraceBuilder) {
        self.graph_nodes_before.get_or_insert(builder.graph_node_count());
        while !bytes.is_empty() {
            match self.state {
                State::Opcode => {
                    self.opcode_at = self.at;
                    let opcode = self.take(&mut bytes, 1)[0];
                    self.begin(opcode, builder);
                }
                State::Number { opcode, left, taken, number, is_length } => {
                    let byte = self.take(&mut bytes, 1)[0];
                    let number = number | u64::from(byte) << (8 * taken);
                    self.state =
                        State::Number { opcode, left: left - 1, taken: taken + 1, number, is_length };
                    match (left, is_length) {
                        (1, false) => self.step(opcode, number),
                        (1, true) => self.begin_counted(opcode, number, builder),
                        _ => {}
                    }
                }
                State::Counted { left } => {
                    let count = left.min(bytes.len() as u64);
                    let piece = self.take(&mut bytes, count as usize);
                    self.give(piece, builder);
                    self.state = State::Counted { left: left - count };
                    if left == count {
                        self.end_data(builder);
                    }
                }
                State::Lines { left } => self.take_line(&mut bytes, left, builder),
                State::Searching => self.search(&mut bytes, builder),
                State::Stopped => {
                    self.at += bytes.len() as u64;
                    return;
                }
            }
        }
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let is_over = self.is_lost || self.state == State::Stopped;
        let is_cut = !is_over && (self.is_within || self.state != State::Opcode);
        if let Some(data) = self.data.take()
            && let Some(run) = data.end(&mut self.runs, builder).run
        {
            if self.is_lost {
                self.machine.roots.push(run);
            } else {
                self.machine.push(run);
            }
        }
        if is_cut {
            self.machine.unwind();
        }
        for problem in self.runs.take_problems().as_slice() {
            self.problems.merge(problem);
        }
        if is_cut && self.problems.count("truncated") == 0 {
            let at = self.at;
            let detail = || say!("truncated-pickle", at);
            self.problems.add("truncated", at, detail);
        }
        let description = describe(&self.machine, self.runs.parts(), self.at, builder);
        let graph_nodes = builder.graph_node_count() - self.graph_nodes_before.unwrap_or(0);
        Found::Trace(FoundTrace {
            format: if description.is_session { "tracing-session" } else { FORMAT.name },
            nothing: Some(self.why_nothing(description, graph_nodes)),
            full_at: self.runs.full_at(),
            problems: self.problems,
            stopped_at: None,
            bytes: self.at,
        })
    }
}

impl PickleReader {
    fn take<'a>(&mut self, bytes: &mut &'a [u8], count: usize) -> &'a [u8] {
        let (taken, rest) = bytes.split_at(count.min(bytes.len()));
        *bytes = rest;
        self.at += taken.len() as u64;
        taken
    }

    fn begin(&mut self, opcode: u8, builder: &mut TraceBuilder) {
        let Some(layout) = layout(opcode) else { return self.no_opcode(opcode) };
        self.is_within = true;
        match layout {
            Layout::Nothing => self.step(opcode, 0),
            Layout::Number(left) => {
                self.state = State::Number { opcode, left, taken: 0, number: 0, is_length: false };
            }
            Layout::Counted(left) => {
                self.state = State::Number { opcode, left, taken: 0, number: 0, is_length: true };
            }
            Layout::Lines(left) => {
                self.begin_data(opcode, builder);
                self.state = State::Lines { left };
            }
        }
    }

    fn no_opcode(&mut self, byte: u8) {
        if self.is_within {
            self.lose("damaged-pickle", &say!("no-opcode-within", byte = format!("{byte:#04x}")));
        } else if !byte.is_ascii_whitespace() {
            // An editor may have added a line feed at the end.
            self.lose("unreadable-tail", &say!("no-opcode-outside", byte = format!("{byte:#04x}")));
        }
    }

    fn begin_counted(&mut self, opcode: u8, length: u64, builder: &mut TraceBuilder) {
        self.begin_data(opcode, builder);
        self.state = State::Counted { left: length };
        if length == 0 {
            self.end_data(builder);
        }
    }

    fn begin_data(&mut self, opcode: u8, builder: &mut TraceBuilder) {
        self.data = Some(Data::begin(opcode, self.at, &self.machine, &mut self.runs, builder));
    }

    /// Takes the available part of a line. Of two lines, the line feed between them is kept.
    fn take_line(&mut self, bytes: &mut &[u8], left: usize, builder: &mut TraceBuilder) {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let line = self.take(bytes, end.unwrap_or(bytes.len()));
        self.give(line, builder);
        if end.is_none() {
            return;
        }
        let line_feed = self.take(bytes, 1);
        self.state = State::Lines { left: left - 1 };
        if left == 1 {
            self.end_data(builder);
        } else {
            self.give(line_feed, builder);
        }
    }

    fn give(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        if let Some(data) = &mut self.data {
            data.push(bytes, &mut self.runs, builder);
        }
    }

    fn end_data(&mut self, builder: &mut TraceBuilder) {
        let Some(data) = self.data.take() else { return };
        let Ended { opcode, run, kept, is_damaged } = data.end(&mut self.runs, builder);
        if is_damaged {
            self.report("damaged-pickle", say!("bad-escapes"), say!("read-so-far"));
        }
        self.state = State::Opcode;
        let done = match run {
            Some(run) if self.is_lost => {
                self.machine.roots.push(run);
                self.state = State::Searching;
                Ok(Event::Nothing)
            }
            Some(run) => {
                self.machine.push(run);
                Ok(Event::Nothing)
            }
            None => self.machine.step_with(opcode, &kept),
        };
        self.done(done);
    }

    fn step(&mut self, opcode: u8, number: u64) {
        self.state = State::Opcode;
        let done = self.machine.step(opcode, number);
        self.done(done);
    }

    /// Handles the result of an opcode.
    fn done(&mut self, done: Result<Event, Fault>) {
        let checked = self.machine.check(self.runs.heap_bytes(), self.at, self.memory_limit);
        match done.and_then(|event| checked.map(|()| event)) {
            Ok(Event::Nothing) => {}
            Ok(Event::Stopped) => self.is_within = false,
            Ok(Event::BufferElsewhere) => {
                self.report("pickle-buffer-elsewhere", say!("buffer-elsewhere"), say!("buffer-left-out"))
            }
            Ok(Event::NotInMemo) => {
                self.report("damaged-pickle", say!("value-never-made"), say!("left-out"));
            }
            Err(Fault::NoValue) => self.lose("damaged-pickle", say!("no-values")),
            Err(Fault::TooMuch) => {
                let what = say!("too-many-objects");
                self.report("pickle-bomb", what, say!("shown-before"));
                self.machine.unwind();
                self.state = State::Stopped;
            }
        }
    }

    /// Adds a problem at the current opcode.
    fn report(&mut self, code: &'static str, what: &str, done: &str) {
        let at = self.opcode_at;
        self.problems.add(code, at, || say!("what-at-done", what, at, done));
    }

    /// Handles opcodes that are not valid. The values so far are kept, and the rest is searched for RunMetadata.
    fn lose(&mut self, code: &'static str, got: &str) {
        self.report(code, got, say!("runs-searched"));
        self.machine.unwind();
        self.is_lost = true;
        self.state = State::Searching;
    }

    /// Searches for the bytes of a RunMetadata with their length before them.
    fn search(&mut self, bytes: &mut &[u8], builder: &mut TraceBuilder) {
        while !bytes.is_empty() {
            let byte = self.take(bytes, 1);
            self.window.extend_from_slice(byte);
            if self.window.len() < SEARCHED_BYTES {
                continue;
            }
            if let Some((opcode, head, length)) = begins_run(&self.window) {
                let window = std::mem::take(&mut self.window);
                let data = &window[head..];
                self.opcode_at = self.at - window.len() as u64;
                let data_at = self.at - data.len() as u64;
                self.data = Some(Data::begin(opcode, data_at, &self.machine, &mut self.runs, builder));
                self.give(data, builder);
                self.state = State::Counted { left: length - data.len() as u64 };
                return;
            }
            self.window.remove(0);
        }
    }

    /// Why the file has no ops, as a sentence.
    fn why_nothing(&self, description: Description, graph_nodes: usize) -> ReadErrorKind {
        let broken =
            self.problems.as_slice().iter().find(|problem| problem.code != "pickle-buffer-elsewhere");
        match broken {
            Some(broken) => {
                let what = match &*broken.code {
                    "truncated" => say!("got-end-of-file"),
                    "pickle-bomb" => say!("got-many-objects"),
                    _ => say!("got-damage"),
                };
                ReadErrorKind::NoOpsReadable {
                    format: say!("word-pickle"),
                    offset: broken.offset,
                    what: what.to_owned(),
                }
            }
            None if description.is_session => ReadErrorKind::NoTraces { runs: description.runs },
            None if !self.runs.parts().is_empty() => ReadErrorKind::NoOps { graph_nodes },
            None if is_memory_snapshot(&self.machine) => ReadErrorKind::MemorySnapshot,
            None => ReadErrorKind::PickleWithoutRunMetadata { found: content(&self.machine) },
        }
    }
}

/// Whether `window` begins a byte string that is a RunMetadata: its opcode, the offset of its data, and its length.
fn begins_run(window: &[u8]) -> Option<(u8, usize, u64)> {
    let (&opcode, after) = window.split_first()?;
    let (length, size) = match opcode {
        BINBYTES | BINSTRING => (u64::from(u32::from_le_bytes(*after.first_chunk()?)), 4),
        BINBYTES8 | BYTEARRAY8 => (u64::from_le_bytes(*after.first_chunk()?), 8),
        _ => return None,
    };
    let data = after.get(size..)?;
    // One that ends within the window is too short to be worth searching for.
    let is_run = length > data.len() as u64 && looks_like_run_metadata(data, length);
    is_run.then_some((opcode, 1 + size, length))
}
