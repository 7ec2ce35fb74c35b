//! The result of reading a file, as its reader reports it.

use crate::model::problem::Problem;
use std::borrow::Cow;

/// The result of reading one file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Its name as the user knows it.
    pub name: String,
    /// `run-metadata`, `step-stats`, `run-metadata-text`, `run-metadata-json`, `chrome-trace`, `pickle`, `tracing-session`, `event-file`, each with
    /// `.gz` or `.zst` if it was packed; or `unreadable`. A session has the reports of the files it was made from.
    pub format: Cow<'static, str>,
    /// The number of bytes, packed.
    pub bytes: u64,
    /// The number of ops read from it.
    pub ops: usize,
    /// The problems found in it.
    pub problems: Vec<Problem>,
}

impl FileReport {
    /// The format of a file that cannot be used.
    pub const UNREADABLE: &str = "unreadable";

    /// Whether nothing was read from it because something is wrong with it.
    pub fn is_unreadable(&self) -> bool {
        self.format == Self::UNREADABLE
    }
}
