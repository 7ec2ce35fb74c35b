//! What `steplens index` did.

use crate::text;
use serde::Serialize;

/// What was read now, and what the dataset has: `steplens.index/1`.
#[derive(Serialize)]
pub struct IndexAnswer<'a> {
    /// `steplens.index/1`.
    pub schema: &'static str,
    /// How many files were read now.
    pub read: usize,
    /// Their size.
    pub read_bytes: u64,
    /// How many of them were new.
    pub new: usize,
    /// How many of them were in the dataset before, and had changed.
    pub changed: usize,
    /// How many files of the dataset are not in the folder any more.
    pub gone: usize,
    /// How many files the dataset has.
    pub files: usize,
    /// How many ops it has.
    pub ops: u64,
    /// Its runs.
    pub runs: Vec<&'a str>,
    /// The files of which nothing was read, or not all.
    pub faults: Vec<FaultyFile<'a>>,
}

/// A file of which nothing was read, or not all.
#[derive(Serialize)]
pub struct FaultyFile<'a> {
    /// Its run.
    pub run: &'a str,
    /// Its path below the folder that was indexed.
    pub file: &'a str,
    /// `damaged`, `unreadable` or `no-trace`.
    pub state: &'a str,
    /// The code of the first thing that is wrong with it.
    pub code: Option<&'a str>,
    /// What that is.
    pub what: Option<&'a str>,
}

impl IndexAnswer<'_> {
    /// Its schema.
    pub const SCHEMA: &'static str = "steplens.index/1";

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
