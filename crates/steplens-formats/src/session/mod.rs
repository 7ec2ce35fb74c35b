//! The Steplens session: an opened trace in a few bytes, to share it and to open it again.
//!
//! What gzip leaves of it is about a quarter of what it leaves of the RunMetadata: 87 of 312 KB for `ps4w.pb`.
//!
//! Everything of a [`Trace`](steplens_core::Trace) is in it, with the reports of the files it was read from. [`write()`] is a function of the trace alone, and what it wrote reads back
//! as the same trace: node ids, the order of ops and every answer are the same.
//!
//! # Layout
//!
//! `proto/steplens/session.proto` describes version 3, which is written: the magic `STEPLENS`, a version byte, and a protobuf message whose tables hold
//! columns as bytes of one width. [`Shown`] is what the page showed of it.
//!
//! Versions 1 and 2, which are read, have the same tables in sections of their own behind the version byte, until the end. A section is a tag of
//! four letters, the length of its body, and the body: the number of rows, then columns, each with its length before it. Readers skip
//! tags they do not know and columns past those they know. Numbers are varints, seven bits a byte, lowest first. What differs:
//!
//! | tag | columns that differ from those of the schema |
//! |---|---|
//! | `head` | no third column: all times count from the first start |
//! | `devs` | no flags in version 1 |
//! | `catg` | missing in version 1: names decide |
//! | `oper` | queued, kernel start and length minus kernel end only of the ops that have them |
//! | `muse` | a row for each report: what the allocator had in use, plus 1; 0 if not recorded |
//!
//! # Hostile files
//!
//! References make text out of little: a file may look up 64 bytes of text for each of its own. A trace that needs more
//! (thousand-letter names that every op uses) is filled up to it, with zeros that any packing removes. All counts are
//! checked against the bytes that are there, and of a damaged file nothing is taken.

mod attributes;
mod codec;
mod envelope;
mod fields;
mod label;
mod older;
mod ops;
mod parts;
mod read;
mod stored;
mod strings;
mod tables;
mod write;
mod write_ops;

use steplens_core::Category;

pub use read::strings;
pub(crate) use read::{Found, read};
pub use write::{paced, write, write_shown};

/// How a session starts; a version byte follows.
pub const MAGIC: &[u8; 8] = b"STEPLENS";
/// The version that is written; those before are read, too. The second added categories and what formats say of devices, the third is another layout and has
/// what was shown.
const VERSION: u8 = 3;
/// The last version that is not an envelope.
const LAST_OF_SECTIONS: u8 = 2;
/// Categories by their numbers in files: what came later has the next number, whatever its priority, so that older sessions stay true.
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
/// What formats say of a device.
const NESTS: u64 = 1;
const IS_ACCELERATOR: u64 = 2;
/// How many bytes of text a file may look up for each of its own.
const GROWTH: u64 = 64;

/// What the page showed of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The fragment of its address: window, selection, step, repairs, clock corrections, notes and more; empty where nothing was chosen.
    pub view: String,
    /// The user's patterns for communication.
    pub communication: Vec<String>,
}

/// A session that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    /// Where, in the unpacked file.
    pub(crate) at: u64,
    /// What stood there.
    pub(crate) got: &'static str,
}
