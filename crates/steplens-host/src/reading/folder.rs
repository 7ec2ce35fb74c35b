//! Finds the files in a folder and its subfolders.

use crate::failure::{Failure, reason};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use steplens_core::base::natural;
use steplens_messages::say;

/// The most files that are opened together, and the most folders that are searched. A larger folder is not one of traces.
const MAX_FILES: usize = 10_000;

/// The files in `folder`, in natural order of their paths, each with its path below the folder as text. Hidden files are skipped.
///
/// Links to folders are not followed, because they may lead in circles.
pub(crate) fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let shown = folder.to_string_lossy();
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    let mut searched = 0;
    while let Some((path, below)) = folders.pop() {
        searched += 1;
        let failed = |why: io::Error| {
            Failure::Sentence(say!("folder-not-read", folder = path.to_string_lossy(), why = reason(&why)))
        };
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            let below = format!("{below}{name}");
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push((entry.path(), below + "/"));
            } else if entry.path().is_file() {
                files.push((entry.path(), below));
            }
        }
        let what = if files.len() > MAX_FILES { "files" } else { "folders" };
        if files.len().max(searched) > MAX_FILES {
            return Err(Failure::Sentence(say!("folder-too-many", shown, max_files = MAX_FILES, what)));
        }
    }
    files.sort_by(|a, b| natural::compare(&a.1, &b.1));
    if files.is_empty() {
        return Err(Failure::Sentence(say!("folder-empty", shown)));
    }
    Ok(files)
}
