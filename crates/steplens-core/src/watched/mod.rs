//! What a program that trains wrote into a watched folder: its runs, what it was asked, what it answered. From lines and small files
//! that `steplens-formats` reads. For the page, `steplens watch` and `steplens serve`. `docs/live.md` has the files.

pub mod asked;
pub mod calls;
pub mod names;
pub mod runs;

use asked::{Answer, Request};
use names::{ProcessName, RequestId, TraceName};
use runs::Runs;
use std::collections::BTreeMap;

/// Everything that is known of a folder.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// The processes of `steplens.json` and those that have a file of runs.
    pub processes: BTreeMap<ProcessName, Runs>,
    /// What was asked.
    pub requests: BTreeMap<RequestId, Request>,
    /// What became of it, by request and process.
    pub answers: BTreeMap<(RequestId, ProcessName), Answer>,
    /// The paths of the traces that are there now, with their sizes in bytes.
    pub traces: BTreeMap<String, u64>,
    /// What is wrong with the files.
    pub faults: Faults,
}

impl Watched {
    /// The size of a trace in bytes; `None` where it is not there: the oldest are deleted.
    pub fn bytes_of(&self, trace: &TraceName) -> Option<u64> {
        self.traces.get(&trace.to_string()).copied()
    }
}

/// What is wrong with the files of a folder.
pub type Faults = BTreeMap<FaultKind, Fault>;

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A line that is no run.
    Line,
    /// A line that is longer than any run.
    LongLine,
    /// A trace with a name that this run cannot have.
    TraceName,
    /// There are too many different fetches and feeds to keep them apart.
    ManyCalls,
    /// A small file that cannot be understood.
    File,
    /// A file that cannot be read.
    NotRead,
    /// More files than are read.
    ManyFiles,
}

impl FaultKind {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Line => "damaged-line",
            Self::LongLine => "long-line",
            Self::TraceName => "foreign-trace",
            Self::ManyCalls => "many-calls",
            Self::File => "damaged-file",
            Self::NotRead => "not-read",
            Self::ManyFiles => "many-files",
        }
    }
}

/// How often something is wrong, and where first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How often.
    pub count: u64,
    /// The file in which it was found first; empty where it is the folder.
    pub file: String,
    /// The byte at which the line begins, or why a file cannot be read or understood.
    pub place: Place,
}

/// Where, or why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The byte at which a line begins.
    Byte(u64),
    /// The reason.
    Why(String),
}

/// Counts one fault more.
pub fn note(faults: &mut Faults, kind: FaultKind, file: &str, place: Place) {
    let fault = faults.entry(kind).or_insert_with(|| Fault { count: 0, file: file.to_owned(), place });
    fault.count = fault.count.saturating_add(1);
}
