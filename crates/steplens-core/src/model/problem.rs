//! Problems: damaged or unusual input, counted by kind, with the first place.

use std::borrow::Cow;

/// One kind of problem of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Stable, kebab-case; documented in `docs/problems.md`.
    pub code: Cow<'static, str>,
    /// How many times it was found; 0 for a note: something worth knowing about an intact file.
    pub count: u64,
    /// The first place: the byte offset in the (unpacked) file.
    pub offset: u64,
    /// One sentence: what is wrong and what was done about it.
    pub detail: String,
}

impl Problem {
    /// Whether it is a note, and nothing is wrong.
    pub fn is_note(&self) -> bool {
        self.count == 0
    }
}

/// The problems of one file, in the order in which they were first found.
#[derive(Clone, Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Counts one more problem `code`; the first of a kind sets its place and its text.
    pub fn add(&mut self, code: &'static str, offset: u64, detail: impl FnOnce() -> String) {
        self.add_many(code, 1, offset, detail);
    }

    /// Counts `count` more problems `code`.
    pub fn add_many(&mut self, code: &'static str, count: u64, offset: u64, detail: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|problem| problem.code == code) {
            Some(problem) => problem.count += count,
            None => self.0.push(Problem { code: code.into(), count, offset, detail: detail() }),
        }
    }

    /// Adds a note `code`: nothing is wrong.
    pub fn note(&mut self, code: &'static str, offset: u64, detail: impl FnOnce() -> String) {
        self.add_many(code, 0, offset, detail);
    }

    /// Adds a problem that another reader of the same file found.
    pub fn merge(&mut self, other: &Problem) {
        match self.0.iter_mut().find(|problem| problem.code == other.code) {
            Some(problem) => problem.count += other.count,
            None => self.0.push(other.clone()),
        }
    }

    /// All problems.
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }

    /// How many times `code` was found.
    pub fn count(&self, code: &str) -> u64 {
        self.0.iter().filter(|problem| problem.code == code).map(|problem| problem.count).sum()
    }
}
