//! The files of this repository, for tests of what people write.

pub use crate::places::root;
use std::fs;
use std::path::{Path, PathBuf};

/// The text of a file.
///
/// # Panics
///
/// If it is none.
#[track_caller]
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("could not read {}: {why}", path.display()))
}

/// A path as seen from the root, with `/` between the parts.
pub fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// The files in a folder and in the folders in it, by path, without what is called like one of `passed_over`.
///
/// # Panics
///
/// If a folder cannot be listed.
pub fn files_below(folder: &Path, passed_over: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|why| panic!("could not list {}: {why}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                _ if passed_over.iter().any(|own| path.ends_with(own)) => {}
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// Whether the file's name ends like one of `endings`, each without its dot.
pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|own| ending == *own))
}
