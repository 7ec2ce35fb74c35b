//! What a file turned out to be, as its reader reports it.

use crate::model::problem::Problem;
use std::borrow::Cow;

/// What one file turned out to be.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Its name as the user knows it.
    pub name: String,
    /// `run-metadata`, `step-stats`, `run-metadata-text`, `chrome-trace`, `pickle`, `tracing-session`, `event-file`, each with `.gz` or
    /// `.zst` where it was packed; or `unreadable`. A session has the reports of the files it was made from.
    pub format: Cow<'static, str>,
    /// How many bytes it has, packed.
    pub bytes: u64,
    /// How many ops it brought.
    pub ops: usize,
    /// What was wrong with it.
    pub problems: Vec<Problem>,
}

impl FileReport {
    /// The format of a file that cannot be used.
    pub const UNREADABLE: &str = "unreadable";

    /// Whether it brought nothing because something is wrong with it.
    pub fn is_unreadable(&self) -> bool {
        self.format == Self::UNREADABLE
    }
}
