//! `runs-PROCESS.jsonl`: a line for each run, read as it grows.

use serde::Deserialize;
use std::sync::Arc;
use steplens_core::Nanos;
use steplens_core::watched::names::{FileName, ProcessName, TraceName};
use steplens_core::watched::runs::{Call, Run, Runs};
use steplens_core::watched::{FaultKind, Faults, Place, note};

/// The longest line that is read.
const MOST_LINE: usize = 1 << 20;
/// How many bytes before what is new are read again: if they differ, the process has rewritten its file.
const OVERLAP: usize = 128;

/// A line. Fields that are not known are ignored.
#[derive(Deserialize)]
struct Line {
    dropped: Option<u64>,
    run: Option<u64>,
    start_ns: Option<i64>,
    length_ns: Option<i64>,
    step: Option<i64>,
    fetches: Option<Vec<String>>,
    feeds: Option<Vec<String>>,
    trace: Option<String>,
    request: Option<String>,
}

/// How far a file is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The byte after the last whole line.
    at: u64,
    /// The bytes before that.
    tail: Vec<u8>,
    /// The size and change that is being read, and whether all of it is.
    seen: Option<(u64, i64)>,
    is_read: bool,
    /// Within a line that is too long.
    skips: bool,
    /// What the line before fetches and is fed.
    fetches: Option<Arc<[String]>>,
    feeds: Option<Arc<[String]>>,
    faults: Faults,
}

impl Lines {
    pub(super) fn faults(&self) -> &Faults {
        &self.faults
    }

    /// What is to be read of a file of this size, at most `most` new bytes.
    pub(super) fn want(&mut self, bytes: u64, changed: i64, most: u64) -> Option<(u64, u64)> {
        let now = Some((bytes, changed));
        if self.is_read && self.seen == now {
            return None;
        }
        (self.seen, self.is_read) = (now, false);
        // A file that became shorter was rewritten: its first bytes are not what they were.
        let from = self.at.saturating_sub(self.tail.len() as u64);
        Some((from, bytes.min(self.at.saturating_add(most)).max(from)))
    }

    /// The file could not be read.
    pub(super) fn unread(&mut self) {
        self.is_read = false;
    }

    /// Takes the bytes of the file from `from` on.
    pub(super) fn read(
        &mut self,
        (process, runs): (&ProcessName, &mut Runs),
        from: u64,
        bytes: &[u8],
        most: usize,
    ) {
        if from != self.at.saturating_sub(self.tail.len() as u64) {
            return;
        }
        let Some(mut rest) = bytes.strip_prefix(self.tail.as_slice()) else {
            // It was rewritten: everything is read again.
            *runs = Runs::default();
            *self = Self { seen: self.seen, ..Self::default() };
            return;
        };
        let before = self.at;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, others) = rest.split_at(end + 1);
            self.line((process, runs), &line[..end], most);
            self.pass(line);
            rest = others;
        }
        if self.skips || rest.len() > MOST_LINE {
            if !self.skips {
                self.note(process, FaultKind::LongLine);
            }
            self.skips = true;
            self.pass(rest);
        }
        // What is left is the begin of a line whose end is not written yet, or never will be.
        let end = from.saturating_add(bytes.len() as u64);
        self.is_read = self.at == before || self.seen.is_some_and(|(all, _)| end >= all);
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.at = self.at.saturating_add(bytes.len() as u64);
        let bytes = &bytes[bytes.len().saturating_sub(OVERLAP)..];
        let surplus = (self.tail.len() + bytes.len()).saturating_sub(OVERLAP);
        self.tail.drain(..surplus);
        self.tail.extend_from_slice(bytes);
    }

    fn note(&mut self, process: &ProcessName, kind: FaultKind) {
        let file = FileName::Runs(process.clone()).to_string();
        note(&mut self.faults, kind, &file, Place::Byte(self.at));
    }

    fn line(&mut self, (process, runs): (&ProcessName, &mut Runs), line: &[u8], most: usize) {
        if std::mem::take(&mut self.skips) || line.len() > MOST_LINE {
            // What was within may have said what is fetched.
            (self.fetches, self.feeds) = (None, None);
            if line.len() > MOST_LINE {
                self.note(process, FaultKind::LongLine);
            }
            return;
        }
        if line.trim_ascii().is_empty() {
            return;
        }
        let read = serde_json::from_slice::<Line>(line).ok();
        if let Some(Line { dropped: Some(dropped), run: None, .. }) = read
            && self.at == 0
        {
            runs.dropped = dropped;
            return;
        }
        let run = read.and_then(|line| self.run((process, runs), line));
        match run {
            Some(run) => runs.push(run, most),
            None => {
                (self.fetches, self.feeds) = (None, None);
                self.note(process, FaultKind::Line);
            }
        }
    }

    fn run(&mut self, (process, runs): (&ProcessName, &mut Runs), line: Line) -> Option<Run> {
        let (number, start_unix_ns) = (line.run?, line.start_ns?);
        let length = line.length_ns.filter(|length| *length >= 0).map(Nanos)?;
        self.fetches = line.fetches.map(Arc::from).or(self.fetches.take());
        self.feeds = line.feeds.map(Arc::from).or(self.feeds.take());
        let mut call = None;
        if let (Some(fetches), Some(feeds)) = (&self.fetches, &self.feeds) {
            call = runs.row_of(Call { fetches: fetches.clone(), feeds: feeds.clone() });
            if call.is_none() {
                self.note(process, FaultKind::ManyCalls);
            }
        }
        let trace = line.trace.as_deref().and_then(|path| {
            let trace = TraceName::of_run(path, number, process);
            if trace.is_none() {
                self.note(process, FaultKind::TraceName);
            }
            trace
        });
        let request = line.request.map(String::into_boxed_str);
        Some(Run { number, start_unix_ns, length, step: line.step, call, trace, request })
    }
}
