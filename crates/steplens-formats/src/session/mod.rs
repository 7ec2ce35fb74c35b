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
//! # Hostile files
//!
//! References make text out of little: a file may look up 64 bytes of text for each of its own. A trace that needs more
//! (thousand-letter names that every op uses) is filled up to it, with zeros that any packing removes. All counts are
//! checked against the bytes that are there, and of a damaged file nothing is taken.

mod arguments;
mod attributes;
mod codec;
mod envelope;
mod fields;
mod label;
mod ops;
mod parts;
mod read;
mod reader;
mod stored;
mod strings;
mod tables;
mod write;
mod write_ops;
mod writer;

use steplens_core::Category;

pub use read::strings;
pub(crate) use read::{Found, read};
pub use write::{paced, write, write_shown};

/// How a session starts; a version byte follows.
pub const MAGIC: &[u8; 8] = b"STEPLENS";
/// The version that is written and read. Those before were never released.
const VERSION: u8 = 3;
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
