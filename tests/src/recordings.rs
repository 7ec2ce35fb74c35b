//! Every file that is recorded anywhere: fixtures, and the samples next to the repository, each once.

use crate::cases::is_thorough;
use crate::places::root;
use crate::samples::sample_folder;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file, which need not be a trace.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Its path below its folder, for messages and as the name it is opened by.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// All files of the fixtures, with all below, and of the samples; of equal ones the first. Of the eight ranks of a job two, which are alike,
/// unless every case is wanted.
///
/// # Panics
/// If one cannot be read.
pub fn recordings() -> Vec<Recording> {
    let mut folders = vec![root().join("tests/fixtures")];
    folders.extend(["own", "gpu", "real", "reference"].into_iter().filter_map(sample_folder));
    let mut seen = BTreeSet::new();
    let mut recordings = Vec::new();
    for folder in &folders {
        for path in files_below(folder).into_iter().filter(|path| is_thorough() || !is_another_rank(path)) {
            let bytes = fs::read(&path).unwrap_or_else(|why| panic!("reading {}: {why}", path.display()));
            let below = path.strip_prefix(folder.parent().unwrap_or(folder)).unwrap_or(&path);
            if seen.insert(bytes.clone()) {
                recordings.push(Recording { name: below.to_string_lossy().into_owned(), bytes });
            }
        }
    }
    recordings
}

/// All files of a folder of samples, such as `../cases`, small inputs after public reports.
///
/// # Panics
/// If one cannot be read.
pub fn recordings_in(folder: &str) -> Vec<Recording> {
    let Some(path) = sample_folder(folder) else { return Vec::new() };
    let label = Path::new(folder.trim_start_matches("../"));
    let read = |file: PathBuf| {
        let bytes = fs::read(&file).unwrap_or_else(|why| panic!("reading {}: {why}", file.display()));
        let below = label.join(file.strip_prefix(&path).unwrap_or(&file));
        Recording { name: below.to_string_lossy().into_owned(), bytes }
    };
    files_below(&path).into_iter().map(read).collect()
}

/// Whether a file is of a rank after the first two.
fn is_another_rank(path: &Path) -> bool {
    let rank = path
        .file_name()
        .and_then(|name| name.to_str()?.strip_prefix("rank-")?.split('.').next()?.parse().ok());
    rank.is_some_and(|rank: u32| rank > 1)
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
