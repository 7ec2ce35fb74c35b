//! Notices that a source of the page changed, by looking at file times now and then.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::run::root;

const SOURCES: [&str; 4] = ["crates", "www", "index.html", "Cargo.toml"];

/// Folders that builds write to.
const PRODUCTS: [&str; 2] = ["node_modules", "build"];

/// How many source files there are and the newest change: equal stamps mean that nothing changed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    files: usize,
    newest: Option<SystemTime>,
}

pub(crate) fn stamp() -> Stamp {
    let mut stamp = Stamp::default();
    for source in SOURCES {
        visit(&root().join(source), &mut stamp);
    }
    stamp
}

fn visit(path: &Path, stamp: &mut Stamp) {
    if path.file_name().is_some_and(|name| PRODUCTS.iter().any(|product| name == *product)) {
        return;
    }
    if let Ok(entries) = fs::read_dir(path) {
        for entry in entries.flatten() {
            visit(&entry.path(), stamp);
        }
    } else if let Ok(meta) = fs::metadata(path) {
        stamp.files += 1;
        stamp.newest = stamp.newest.max(meta.modified().ok());
    }
}
