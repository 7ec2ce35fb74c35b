//! Every file of a dataset, also those that could not be read.

use crate::tables::{Take, Value, values};
use std::io;

values! { SourceRow {
    /// Its path below the folder that was indexed.
    file: text => |row| row.file.into();
    /// Its size, as it is on disk.
    bytes: size => |row| row.bytes.into();
    /// When it was changed last, in ns from 1970.
    modified_unix_ns: moment => |row| Value::Integer(row.modified_unix_ns);
    /// `whole`; `damaged`, if something of it is lost; `unreadable`, if everything is; `no-trace`, if it is another kind of file.
    state: text => |row| row.state.word().into();
    /// Its format.
    format: text => |row| row.format.into();
    /// The code of the first thing that is wrong with it.
    code: maybe_text => |row| row.problem.map(|(code, _)| code).into();
    /// What that is.
    what: maybe_text => |row| row.problem.map(|(_, what)| what).into();
    /// How many things are wrong with it.
    problems: count => |row| row.problems.into();
    /// The ops that were read.
    ops: count => |row| row.ops.into();
    /// The steps that were read.
    steps: count => |row| row.steps.into();
    /// What says the numbers of its steps: `trace`, `path` or `place`.
    step_from: text => |row| row.step_from.into();
} }

/// How much of a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// All of it.
    Whole,
    /// A part: the rest is damaged.
    Damaged,
    /// Nothing: it is damaged, or cannot be opened.
    Unreadable,
    /// Nothing: it is another kind of file.
    NoTrace,
}

impl State {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Damaged, Self::Unreadable, Self::NoTrace];

    /// Its word in the table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Damaged => "damaged",
            Self::Unreadable => "unreadable",
            Self::NoTrace => "no-trace",
        }
    }
}

/// A file of a dataset.
#[derive(Clone, Debug)]
pub struct SourceRow<'a> {
    /// Its path below the folder that was indexed.
    pub file: &'a str,
    /// Its size on disk.
    pub bytes: u64,
    /// When it was changed last, in ns from 1970.
    pub modified_unix_ns: i64,
    /// How much of it was read.
    pub state: State,
    /// Its format, as `steplens summary` calls it.
    pub format: &'a str,
    /// The code of the first problem, and what it is.
    pub problem: Option<(&'a str, &'a str)>,
    /// How many problems there are.
    pub problems: u64,
    /// The ops that were read.
    pub ops: usize,
    /// The steps that were read.
    pub steps: usize,
    /// What says the numbers of its steps.
    pub step_from: &'a str,
}

/// Gives the row of `source` to `take`.
pub fn sources_row(source: &SourceRow<'_>, take: Take<'_>) -> io::Result<()> {
    take(&VALUES.map(|value| value(source)))
}
