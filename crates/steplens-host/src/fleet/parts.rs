//! The files of the parts of a dataset, and why they cannot be used.

use super::paths::{run_folder, run_of_folder};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use steplens_report::fleet::FleetTable;

/// Why a dataset cannot be used.
#[derive(Debug)]
pub enum Fault {
    /// A folder with other files in it.
    NotADataset(PathBuf),
    /// It was made by a version whose tables hold something else: its schema.
    OtherSchema(String),
    /// It was made with another option: its name, what it is there, and what it is now.
    OtherOption(&'static str, String, String),
    /// Somebody writes it at the moment.
    InUse(PathBuf),
    /// A file that cannot be read or written.
    Io(PathBuf, io::Error),
    /// Its user stopped it.
    Stopped,
}

/// Names the file that an error is about.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Fault {
    let path = path.to_owned();
    |why| Fault::Io(path, why)
}

/// The file that a table of a part is made in.
pub(crate) fn unfinished_file(folder: &Path, table: FleetTable) -> PathBuf {
    folder.join(format!("{}.parquet", table.name()))
}

/// The file of a table in a part of the dataset in `folder`.
pub fn part_file(folder: &Path, table: FleetTable, run: &str, part: u32) -> PathBuf {
    folder.join(table.name()).join(run_folder(run)).join(format!("part-{part:04}.parquet"))
}

/// The parts that have a file of `table`, as (run, part), in order.
pub fn parts(folder: &Path, table: FleetTable) -> Result<Vec<(String, u32)>, Fault> {
    let folder = folder.join(table.name());
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(at(&folder))? {
        let entry = entry.map_err(at(&folder))?;
        let Some(run) = entry.file_name().to_str().and_then(run_of_folder) else { continue };
        let path = entry.path();
        for file in fs::read_dir(&path).map_err(at(&path))? {
            let name = file.map_err(at(&path))?.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix("part-")?.strip_suffix(".parquet"));
            found.extend(number.and_then(|number| number.parse().ok()).map(|part| (run.clone(), part)));
        }
    }
    found.sort();
    Ok(found)
}
