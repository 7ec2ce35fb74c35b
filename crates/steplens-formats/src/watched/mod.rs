//! A watched folder, from the bytes of its small files: `docs/live.md`.
//!
//! [`Reader`] says which bytes it wants of the files that are there, takes them, and holds what they say. Whoever has the folder (the
//! program, the page) lists it and reads. Only what was added to a file is read again. Damage costs the line or the small file it is
//! in, and is counted.

mod lines;
mod small;
#[cfg(test)]
mod tests;

pub use small::request_text;

use lines::Lines;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::watched::names::{FileName, ProcessName};
use steplens_core::watched::runs::Runs;
use steplens_core::watched::{Fault, FaultKind, Faults, Place, Watched, note};

/// The most bytes that are wanted of a file at once.
const MOST_AT_ONCE: u64 = 4 << 20;
/// The most bytes of a small file.
const MOST_SMALL: u64 = 64 << 10;
/// The most small files of each kind that are watched. Of more, the newest count.
const MOST_PROCESSES: usize = 256;
const MOST_REQUESTS: usize = 1_000;
const MOST_ANSWERS: usize = 4_000;
/// The most traces that are known to be there.
const MOST_TRACES: usize = 100_000;
/// The most runs that are kept of all processes, and of one.
const MOST_RUNS: usize = 1_000_000;
const MOST_RUNS_OF_ONE: usize = 100_000;
/// How many runs of a process are kept in any case.
const LEAST_RUNS_OF_ONE: usize = 1_000;

/// A file that is there.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its path within the folder, with `/`.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was changed, in any unit: only another value means something.
    pub changed: i64,
}

/// Bytes that are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Want {
    /// Of this file.
    pub path: String,
    /// From here.
    pub from: u64,
    /// To before here.
    pub to: u64,
}

/// Reads a folder as it grows.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    watched: Watched,
    /// The processes that `steplens.json` names.
    named: BTreeSet<ProcessName>,
    lines: BTreeMap<ProcessName, Lines>,
    /// Small files that were read: their size and change.
    small: BTreeMap<FileName, (u64, i64)>,
    /// What was wrong with small files, by file; those of lines are in [`Lines`].
    faults: BTreeMap<FileName, (FaultKind, String)>,
    /// The files of this look, the newest first.
    there: Vec<(FileName, Entry)>,
    /// Those of them that could not be read.
    failed: BTreeSet<FileName>,
    /// How many files are too many.
    left_out: u64,
}

impl Reader {
    /// What the folder says.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// Begins a look: these files are there now.
    pub fn begin(&mut self, entries: Vec<Entry>) {
        let mut files: Vec<(FileName, Entry)> =
            entries.into_iter().filter_map(|entry| Some((FileName::new(&entry.path)?, entry))).collect();
        // The newest first: of what is too much the oldest is left out.
        files.sort_by(|(a, own), (b, other)| (other.changed, b).cmp(&(own.changed, a)));
        let (mut requests, mut answers, mut traces, mut processes) = (0, 0, 0, 0);
        let mut left_out = 0;
        files.retain(|(file, _)| {
            let (count, most) = match file {
                FileName::Processes => return true,
                FileName::Runs(_) => (&mut processes, MOST_PROCESSES),
                FileName::Request(_) => (&mut requests, MOST_REQUESTS),
                FileName::Answer(..) => (&mut answers, MOST_ANSWERS),
                FileName::Trace(_) => (&mut traces, MOST_TRACES),
            };
            *count += 1;
            left_out += u64::from(*count > most);
            *count <= most
        });
        self.left_out = left_out;
        self.failed.clear();
        self.forget_what_is_gone(&files);
        // An answer may change within the resolution of the clock of files, and not in its size: it is read again until it is final.
        let answers = &self.watched.answers;
        self.small.retain(|file, _| match file {
            FileName::Answer(id, process) => {
                answers.get(&(id.clone(), process.clone())).is_none_or(|answer| answer.state.is_end())
            }
            _ => true,
        });
        self.there = files;
        self.gather();
    }

    /// What is to be read of the files that are there. Ask again once that is read, until nothing is wanted.
    pub fn wants(&mut self) -> Vec<Want> {
        let mut wants = Vec::new();
        let there = std::mem::take(&mut self.there);
        for (file, entry) in &there {
            if self.failed.contains(file) {
                continue;
            }
            let want = match file {
                FileName::Trace(_) => None,
                FileName::Runs(process) => {
                    let lines = self.lines.entry(process.clone()).or_default();
                    lines.want(entry.bytes, entry.changed, MOST_AT_ONCE)
                }
                _ => self.want_of_small(file, entry),
            };
            wants.extend(want.map(|(from, to)| Want { path: entry.path.clone(), from, to }));
        }
        self.there = there;
        self.gather();
        wants
    }

    fn forget_what_is_gone(&mut self, files: &[(FileName, Entry)]) {
        let there: BTreeSet<&FileName> = files.iter().map(|(file, _)| file).collect();
        self.small.retain(|file, _| there.contains(file));
        self.faults.retain(|file, _| there.contains(file));
        let processes = &mut self.watched.processes;
        self.lines.retain(|process, _| {
            let is_there = there.contains(&FileName::Runs(process.clone()));
            if !is_there {
                processes.remove(process);
            }
            is_there
        });
        if !there.contains(&FileName::Processes) {
            self.named.clear();
        }
        self.watched.requests.retain(|id, _| there.contains(&FileName::Request(id.clone())));
        let is_there = |id: &_, process: &ProcessName| {
            there.contains(&FileName::Answer(std::clone::Clone::clone(id), process.clone()))
        };
        self.watched.answers.retain(|(id, process), _| is_there(id, process));
        let traces = files.iter().filter_map(|(file, entry)| match file {
            FileName::Trace(_) => Some((entry.path.clone(), entry.bytes)),
            _ => None,
        });
        self.watched.traces = traces.collect();
    }

    fn want_of_small(&mut self, file: &FileName, entry: &Entry) -> Option<(u64, u64)> {
        let now = (entry.bytes, entry.changed);
        if self.small.insert(file.clone(), now) == Some(now) {
            return None;
        }
        if entry.bytes == 0 {
            // A browser makes a file before it writes it: it is not there yet.
            return None;
        }
        if entry.bytes > MOST_SMALL {
            self.forget(file);
            self.faults.insert(file.clone(), (FaultKind::File, small::too_large(MOST_SMALL)));
            return None;
        }
        Some((0, entry.bytes))
    }

    /// Takes the bytes of a file from `from` on; there may be fewer or more than were wanted.
    pub fn read(&mut self, path: &str, from: u64, bytes: &[u8]) {
        let Some(file) = FileName::new(path) else { return };
        match &file {
            FileName::Runs(process) => {
                let most = (MOST_RUNS / self.lines.len().max(1)).clamp(LEAST_RUNS_OF_ONE, MOST_RUNS_OF_ONE);
                if let Some(lines) = self.lines.get_mut(process) {
                    let runs = self.watched.processes.entry(process.clone()).or_default();
                    lines.read((process, runs), from, bytes, most);
                    self.faults.remove(&file);
                }
            }
            FileName::Trace(_) => {}
            _ => {
                self.forget(&file);
                match self.take_small(&file, bytes) {
                    Ok(()) => {
                        self.faults.remove(&file);
                    }
                    Err(why) => {
                        self.faults.insert(file.clone(), (FaultKind::File, why));
                    }
                }
            }
        }
        self.gather();
    }

    /// Notes that a file could not be read, and why; without a reason it went away since it was listed. The next look tries again.
    pub fn unread(&mut self, path: &str, why: Option<&str>) {
        let Some(file) = FileName::new(path) else { return };
        self.small.remove(&file);
        if let FileName::Runs(process) = &file
            && let Some(lines) = self.lines.get_mut(process)
        {
            lines.unread();
        }
        if let Some(why) = why {
            self.faults.insert(file.clone(), (FaultKind::NotRead, why.to_owned()));
        }
        self.failed.insert(file);
        self.gather();
    }

    fn forget(&mut self, file: &FileName) {
        match file {
            FileName::Processes => self.named.clear(),
            FileName::Request(id) => {
                self.watched.requests.remove(id);
            }
            FileName::Answer(id, process) => {
                self.watched.answers.remove(&(id.clone(), process.clone()));
            }
            FileName::Runs(_) | FileName::Trace(_) => {}
        }
    }

    fn take_small(&mut self, file: &FileName, bytes: &[u8]) -> Result<(), String> {
        match file {
            FileName::Processes => {
                self.named = small::processes(bytes)?.into_iter().take(MOST_PROCESSES).collect();
            }
            FileName::Request(id) => {
                self.watched.requests.insert(id.clone(), small::request(id, bytes)?);
            }
            FileName::Answer(id, process) => {
                let answer = small::answer(id, process, bytes)?;
                self.watched.answers.insert((id.clone(), process.clone()), answer);
            }
            FileName::Runs(_) | FileName::Trace(_) => {}
        }
        Ok(())
    }

    /// Puts together what the folder says from what its files say.
    fn gather(&mut self) {
        let Self { named, lines, .. } = self;
        self.watched.processes.retain(|process, _| named.contains(process) || lines.contains_key(process));
        for process in named.iter() {
            if !self.watched.processes.contains_key(process) {
                self.watched.processes.insert(process.clone(), Runs::default());
            }
        }
        let mut faults = Faults::new();
        for lines in self.lines.values() {
            for (kind, own) in lines.faults() {
                let sum = faults.entry(*kind).or_insert_with(|| Fault { count: 0, ..own.clone() });
                sum.count = sum.count.saturating_add(own.count);
            }
        }
        for (file, (kind, why)) in &self.faults {
            note(&mut faults, *kind, &file.to_string(), Place::Why(why.clone()));
        }
        if self.left_out > 0 {
            let place = Place::Why(String::new());
            faults.insert(FaultKind::ManyFiles, Fault { count: self.left_out, file: String::new(), place });
        }
        self.watched.faults = faults;
    }
}
