//! The Steplens session: an opened trace in few bytes, to share it and to open it again.
//!
//! Compressed with gzip it is about a quarter of the compressed RunMetadata: 87 of 312 KB for `ps4w.pb`.
//!
//! It contains everything in a [`Trace`](steplens_core::Trace), and the reports of the files it was read from. [`write()`] is a
//! function of the trace alone, and its output reads back as the same trace: node ids, the order of ops and every answer are the
//! same.
//!
//! # Layout
//!
//! `proto/steplens/session.proto` describes versions 3 and 4, which are written: the magic `STEPLENS`, a version byte, and a protobuf
//! message whose tables have columns as bytes of one width. The message begins with a checksum of the rest ([`CHECKSUM`]). [`Shown`] is what the page showed of the trace.
//!
//! # Hostile files
//!
//! References make a lot of text out of few bytes: a file may look up 64 bytes of text for each of its own bytes. If a trace needs
//! more (names of a thousand letters that every op uses), zeros are added to the file, which any compression removes. All counts
//! are checked against the available bytes. Of a damaged file as much is taken as makes sense (`salvage`), and what is missing is said.

mod arguments;
mod attributes;
mod blocks;
mod codec;
mod envelope;
mod file;
mod label;
mod mend;
mod ops;
mod parts;
mod read;
mod reader;
mod salvage;
mod samples;
mod stored;
mod strings;
mod tables;
mod write;
mod write_ops;
mod writer;

use crate::reader::Format;
use file::SessionFile;
use steplens_core::Category;

pub use crate::reader::Shown;
pub use read::strings;
pub use write::{paced, write, write_shown};

/// The start of a session; a version byte follows.
pub const MAGIC: &[u8; 8] = b"STEPLENS";
/// Sessions. Reports name the formats of the files from which one was made.
pub(crate) const FORMAT: Format = Format {
    name: "session",
    recognises: |first| first.bytes.starts_with(MAGIC),
    reader: |room| Box::new(SessionFile::new(room)),
};
/// The version that is written. Earlier versions were never released.
const VERSION: u8 = 3;
/// The version of sessions with several blocks of ops.
const VERSION_OF_BLOCKS: u8 = 4;
/// Where the message begins: after the magic and the version.
const START: usize = MAGIC.len() + 1;
/// Categories by their numbers in files. New categories get the next number, whatever their priority, so that older sessions stay
/// valid.
const CATEGORIES: [Category; Category::COUNT] = [
    Category::Compute,
    Category::Input,
    Category::Copy,
    Category::Communication,
    Category::Launch,
    Category::Waiting,
    Category::Range,
    Category::Allocation,
];
/// What formats say about a device.
const NESTS: u64 = 1;
const IS_ACCELERATOR: u64 = 2;
/// How many bytes of text a file may look up for each of its own bytes.
const GROWTH: u64 = 64;

/// The key of the message's checksum, a `fixed32`. It is the first field and covers all bytes behind it, so that a session that is cut or changed does
/// not open as another trace without a word.
const CHECKSUM: u8 = 6 << 3 | 5;
/// How many bytes this field takes.
const CHECKSUM_BYTES: usize = 5;

/// Why a session cannot be read as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    /// The offset in the unpacked file.
    pub(crate) at: u64,
    /// What was found there.
    pub(crate) got: &'static str,
    section: Section,
}

impl Damage {
    /// A damage at `at`, where `got` is, in no section yet.
    fn new(at: u64, got: &'static str) -> Self {
        Self { at, got, section: Section::Session }
    }
}

/// What of a session can be missing while the rest makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// All of it.
    Session,
    Head,
    Strings,
    Devices,
    Threads,
    Graph,
    Attributes,
    /// The nodes.
    Labels,
    /// The names of nodes or ops.
    Names,
    Categories,
    /// The times and nodes of ops.
    Ops,
    /// Everything else in their table.
    Kernels,
    Calls,
    Outputs,
    Memory,
    Files,
    Parts,
    Arguments,
    Samples,
    Marks,
}

/// Results of reading a section.
trait In<T> {
    /// The result, with the section that is damaged, unless a smaller one is known.
    fn of(self, section: Section) -> Result<T, Damage>;
}

impl<T> In<T> for Result<T, Damage> {
    fn of(self, section: Section) -> Self {
        self.map_err(|damage| match damage.section {
            Section::Session => Damage { section, ..damage },
            _ => damage,
        })
    }
}
