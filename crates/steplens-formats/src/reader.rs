//! The one shape of all readers: what a format recognises, how its bytes are taken, and what was found at the end.

use crate::error::ReadErrorKind;
use crate::first_bytes::FirstBytes;
use steplens_core::model::file::FileReport;
use steplens_core::{Problem, Problems, TraceBuilder};

/// A format that can be read.
pub struct Format {
    /// The name in reports of files.
    pub(crate) name: &'static str,
    /// Whether a file begins like this.
    pub(crate) recognises: fn(&FirstBytes<'_>) -> bool,
    /// Begins a file.
    pub(crate) reader: fn(Room) -> Box<dyn Reader>,
}

impl Format {
    /// The name in reports of files, such as `chrome-trace`.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// Formats are equal if their names are.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name)
    }
}

/// How much a reader may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The most memory that the trace may take. After that, ops are only counted.
    pub(crate) memory_bytes: usize,
    /// The expected number of bytes of the file; 0 if it is not known.
    pub(crate) expected: u64,
}

/// Reads one file: all slices in order go to `push`, then `finish` ends it.
pub(crate) trait Reader: Send {
    /// Takes the next slice. Slices may have any size.
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder);

    /// Ends the file; returns the result.
    fn finish(self: Box<Self>, builder: &mut TraceBuilder) -> Found;

    /// Whether nothing of the rest can be read.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Memory for the next `length` bytes, if they are stored unchanged and there is room for all of them.
    fn room(&mut self, _length: usize) -> Option<&mut [u8]> {
        None
    }
}

/// The result of reading a file.
pub(crate) enum Found {
    /// Ops that are now in the builder.
    Trace(FoundTrace),
    /// A session, whose ops are now in the builder.
    Session(FoundSession),
    /// Nothing, and why.
    Nothing(ReadErrorKind),
}

/// The result of reading ops, in any format.
pub(crate) struct FoundTrace {
    /// The name of the format.
    pub(crate) format: &'static str,
    /// Why there are no ops, if there are none; `None` if the problems say it.
    pub(crate) nothing: Option<ReadErrorKind>,
    /// The problems that were found.
    pub(crate) problems: Problems,
    /// Where and why reading stopped before the end.
    pub(crate) stopped_at: Option<(u64, String)>,
    /// Where the memory was full.
    pub(crate) full_at: Option<u64>,
    /// The number of bytes, unpacked.
    pub(crate) bytes: u64,
}

/// What a session has in addition to its trace.
#[derive(Debug, Default)]
pub(crate) struct FoundSession {
    /// The reports of the files from which it was made. If they are lost, reports without names, at least one.
    pub(crate) files: Vec<FileReport>,
    pub(crate) shown: Shown,
    /// How many bytes are of fields and columns of a newer Steplens that are not known here.
    pub(crate) unknown: u64,
    pub(crate) checked: Checked,
    /// What is missing, because the file is damaged.
    pub(crate) lost: Vec<Problem>,
}

/// Whether a session is as it was written, by its checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Checked {
    Whole,
    Changed,
    /// It has no checksum: earlier versions wrote none.
    #[default]
    Unknown,
}

/// What the page showed of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The fragment of the page's address: window, selection, step, repairs, clock corrections, notes and more; empty if nothing
    /// was chosen.
    pub view: String,
    /// The user's patterns for communication.
    pub communication: Vec<String>,
    /// What a baseline keeps of all steps, as JSON (`steplens.past/1`); empty in other sessions.
    pub past: String,
}
