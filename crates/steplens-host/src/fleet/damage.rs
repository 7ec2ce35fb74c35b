//! Parts of a dataset that are damaged: found by the checksums of their files before anything of them is read, so that no row of a changed file counts.
//!
//! Parquet has no checksum that our engines write and read: a flipped bit of a page is another number. So each part has a small file of checksums,
//! in a folder that engines pass over. A part without it (of an earlier version, of Spark, or written while the process was killed) counts as whole
//! if it can be read.

use super::parts::{Fault, at, part_file, parts};
use super::paths::run_folder;
use crc::{CRC_32_ISCSI, Crc, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use steplens_messages::say;
use steplens_report::fleet::FleetTable;

/// The folder of the checksums.
const FOLDER: &str = "_checksums";
/// How much of a file is read at a time.
const SLICE: usize = 1 << 18;
static CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// The code of a damaged part, where it stands among the sources.
pub const CODE: &str = "part-damaged";

/// A damaged part. No row of it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedPart {
    /// Its run.
    pub run: String,
    /// Its number.
    pub part: u32,
    /// The file that is damaged, below the folder of the dataset.
    pub file: String,
    /// Whether nobody knows which traces it has.
    pub is_unknown: bool,
    /// What is wrong, and what to do.
    pub what: String,
}

/// The parts of the dataset in `folder` with a table that cannot be read or has changed. Reads every byte of the dataset.
pub fn damaged(folder: &Path) -> Result<Vec<DamagedPart>, Fault> {
    let mut found = Vec::new();
    let mut all: BTreeSet<(String, u32)> = BTreeSet::new();
    for table in FleetTable::ALL {
        all.extend(parts(folder, table)?);
    }
    for (run, part) in all {
        let sums = checksums(folder, &run, part);
        // What says which traces a part has comes first.
        let tables = [FleetTable::Sources].into_iter().chain(FleetTable::ALL);
        let wrong = |table: FleetTable| {
            let path = part_file(folder, table, &run, part);
            fault(&path, table, sums.get(table.name()).copied()).map(|why| (table, path, why))
        };
        if let Some((table, path, why)) = tables.filter_map(wrong).next() {
            let sources = part_file(folder, FleetTable::Sources, &run, part);
            let (path, sources) = (path.to_string_lossy(), sources.to_string_lossy());
            let what = say!("fleet-part-damaged", path, sources, why);
            let file = format!("{}/{}/part-{part:04}.parquet", table.name(), run_folder(&run));
            found.push(DamagedPart { is_unknown: table == FleetTable::Sources, run, part, file, what });
        }
    }
    Ok(found)
}

/// What is wrong with the file of `table` at `path`; `sum` is its checksum, where one was kept.
fn fault(path: &Path, table: FleetTable, sum: Option<u32>) -> Option<String> {
    let file = match File::open(path) {
        Ok(file) => file,
        // Not every dataset has every table.
        Err(why) if why.kind() == io::ErrorKind::NotFound && sum.is_none() => return None,
        Err(why) => return Some(why.to_string()),
    };
    match (sum, sum.map(|_| sum_of(&file))) {
        (Some(sum), Some(Ok(own))) if own == sum => None,
        (_, Some(Ok(_))) => Some(say!("fleet-part-changed").to_owned()),
        (_, Some(Err(why))) => Some(why.to_string()),
        // The crate reads what strangers may have changed: it must not end the program.
        (_, None) => {
            // Of the largest table only the footer, so that a question to a dataset of Spark does not wait.
            let columns = if table == FleetTable::Ops { Vec::new() } else { table.columns() };
            // Columns may have been added since it was made.
            let read = || {
                let columns = steplens_export::parquet::columns_of(file.try_clone()?, &columns)?;
                steplens_export::parquet::rows(file, &columns, &mut |_| Ok(()))
            };
            match catch_unwind(AssertUnwindSafe(read)) {
                Ok(read) => read.err().map(|why| why.to_string()),
                Err(_) => Some(say!("fleet-part-changed").to_owned()),
            }
        }
    }
}

fn sum_of(mut file: &File) -> io::Result<u32> {
    let mut digest = CRC.digest();
    let mut slice = vec![0; SLICE];
    loop {
        match file.read(&mut slice)? {
            0 => return Ok(digest.finalize()),
            read => digest.update(&slice[..read]),
        }
    }
}

fn path_of(folder: &Path, run: &str, part: u32) -> PathBuf {
    folder.join(FOLDER).join(run_folder(run)).join(format!("part-{part:04}.json"))
}

/// The checksums of a part by the names of its tables; none if there are none that can be read.
fn checksums(folder: &Path, run: &str, part: u32) -> BTreeMap<String, u32> {
    let text = fs::read(path_of(folder, run, part)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Removes the checksums of a part that is about to change: whoever ends the process meanwhile leaves a part without.
pub(crate) fn forget(folder: &Path, run: &str, part: u32) -> Result<(), Fault> {
    let path = path_of(folder, run, part);
    match fs::remove_file(&path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(Fault::Io(path, why)),
        _ => Ok(()),
    }
}

/// Writes the checksums of a part that is in place.
pub(crate) fn remember(folder: &Path, tables: &[FleetTable], run: &str, part: u32) -> Result<(), Fault> {
    let mut sums = BTreeMap::new();
    for &table in tables {
        let path = part_file(folder, table, run, part);
        let sum = File::open(&path).and_then(|file| sum_of(&file)).map_err(at(&path))?;
        sums.insert(table.name(), sum);
    }
    let path = path_of(folder, run, part);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    let text = serde_json::to_vec(&sums).map_err(io::Error::other).map_err(at(&path))?;
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, text).map_err(at(&unfinished))?;
    fs::rename(&unfinished, &path).map_err(at(&path))
}
