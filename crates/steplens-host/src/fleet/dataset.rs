//! The folder of a dataset: its parts, its manifest, and what is left of work that was interrupted.
//!
//! A part is a file for each table. It is there when its file of the table `sources` is: that one is put in place last.

use super::damage::{self, DamagedPart};
use super::member::SourceFile;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use steplens_report::fleet::{FleetTable, SCHEMA, State};
use steplens_report::tables::{Column, Value};

pub use super::parts::{Fault, part_file, parts};
pub(crate) use super::parts::{at, unfinished_file};

/// The name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// Where parts are made. Engines pass over names that begin so.
const UNFINISHED: &str = "_unfinished";
/// The file that is locked while a dataset is written.
const LOCK: &str = "_lock";

/// What a dataset was made with: each file of it with the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The pattern of paths; empty without one.
    pub path: String,
    /// What counts as communication in addition.
    pub communication: Vec<String>,
    /// The tables that it has, by their names in order.
    pub tables: Vec<String>,
}

/// What the manifest says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// What the tables are called and hold.
    pub schema: String,
    /// The versions of Steplens that wrote it.
    pub made_by: Vec<String>,
    /// The folder that was indexed: from the dataset's own folder on, or as a whole path.
    pub folder: String,
    /// What it was made with.
    #[serde(flatten)]
    pub options: Options,
    /// Its runs, with the sums of their files.
    #[serde(default)]
    pub runs: Vec<Run>,
    /// The columns of its tables.
    #[serde(default)]
    pub columns: BTreeMap<String, Vec<AboutColumn>>,
}

impl Manifest {
    /// That of a dataset in `folder`, of the folder `indexed`, which another engine wrote.
    pub fn new(folder: &Path, indexed: &Path, options: &Options, runs: Vec<Run>) -> Self {
        let is_there = |table: &FleetTable| options.tables.iter().any(|own| own == table.name());
        let tables: Vec<FleetTable> = FleetTable::ALL.into_iter().filter(is_there).collect();
        Self {
            schema: SCHEMA.to_owned(),
            made_by: vec![env!("CARGO_PKG_VERSION").to_owned()],
            folder: between(folder, indexed),
            options: options.clone(),
            runs,
            columns: about(&tables),
        }
    }

    /// As its file has it.
    pub fn to_text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self).map_err(io::Error::other)? + "\n")
    }
}

/// The columns of `tables`, as the manifest describes them.
fn about(tables: &[FleetTable]) -> BTreeMap<String, Vec<AboutColumn>> {
    let columns = |table: &FleetTable| {
        let columns = table.columns().into_iter().zip(table.about());
        let about = columns.map(|(column, about)| AboutColumn {
            name: column.name.to_owned(),
            kind: if column.is_text() { "UTF8" } else { "INT64" }.to_owned(),
            optional: column.is_optional(),
            unit: column.unit().map(str::to_owned),
            about,
        });
        (table.name().to_owned(), about.collect())
    };
    tables.iter().map(columns).collect()
}

/// A run of the dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Its name: the column `run`.
    pub run: String,
    /// Its parts.
    pub parts: Vec<u32>,
    /// Its files.
    pub files: u64,
    /// Those of them of which nothing was read, or not all.
    pub with_faults: u64,
    /// Its ops.
    pub ops: u64,
    /// The size of its files.
    pub bytes: u64,
}

/// A column, as the manifest describes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AboutColumn {
    /// Its name.
    pub name: String,
    /// `INT64` or `UTF8`.
    pub kind: String,
    /// Whether a value may not be known.
    pub optional: bool,
    /// The unit of its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it means.
    pub about: String,
}

/// A file of the dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its run.
    pub run: String,
    /// Its part.
    pub part: u32,
    /// The file as it was read.
    pub source: SourceFile,
    /// The word of its [`State`].
    pub state: String,
    /// The code of its first problem, and what it is.
    pub problem: Option<(String, String)>,
    /// Its ops.
    pub ops: u64,
}

/// A dataset that only this process writes.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    tables: Vec<FleetTable>,
    manifest: Manifest,
    /// Locked for as long as it is open.
    _lock: File,
}

impl Dataset {
    /// Opens the dataset in `folder`, or makes it. What an interrupted process left is removed.
    pub fn open(folder: &Path, indexed: &Path, options: &Options) -> Result<Self, Fault> {
        let manifest = folder.join(MANIFEST);
        let is_new = !manifest.exists();
        if is_new && folder.exists() {
            let mut entries = fs::read_dir(folder).map_err(at(folder))?;
            let is_ours = |entry: &fs::DirEntry| entry.file_name() == LOCK || entry.file_name() == UNFINISHED;
            if entries.any(|entry| !entry.is_ok_and(|entry| is_ours(&entry))) {
                return Err(Fault::NotADataset(folder.to_owned()));
            }
        }
        fs::create_dir_all(folder).map_err(at(folder))?;
        let lock = folder.join(LOCK);
        let held = File::create(&lock).map_err(at(&lock))?;
        match held.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(Fault::InUse(folder.to_owned())),
            Err(fs::TryLockError::Error(why)) if why.kind() == io::ErrorKind::Unsupported => {}
            Err(fs::TryLockError::Error(why)) => return Err(Fault::Io(lock, why)),
        }
        let version = env!("CARGO_PKG_VERSION");
        let mut manifest = if is_new {
            Manifest {
                schema: SCHEMA.to_owned(),
                made_by: Vec::new(),
                folder: between(folder, indexed),
                options: options.clone(),
                runs: Vec::new(),
                columns: BTreeMap::new(),
            }
        } else {
            read_manifest(folder)?
        };
        let (then, now) = (&manifest.options, options);
        let listed = |list: &[String]| list.join(",");
        let others = [
            ("path", then.path.clone(), now.path.clone()),
            ("communication", listed(&then.communication), listed(&now.communication)),
            ("tables", listed(&then.tables), listed(&now.tables)),
        ];
        if let Some((name, then, now)) = others.into_iter().find(|(_, then, now)| then != now) {
            return Err(Fault::OtherOption(name, then, now));
        }
        if !manifest.made_by.iter().any(|own| own == version) {
            manifest.made_by.push(version.to_owned());
        }
        let tables =
            FleetTable::ALL.into_iter().filter(|table| options.tables.iter().any(|own| own == table.name()));
        let own = Self { folder: folder.to_owned(), tables: tables.collect(), manifest, _lock: held };
        own.write_manifest()?;
        own.remove_unfinished()?;
        Ok(own)
    }

    /// Its tables, that of the files among them.
    pub fn tables(&self) -> &[FleetTable] {
        &self.tables
    }

    /// What its manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where a part is made.
    pub(crate) fn unfinished(&self) -> PathBuf {
        self.folder.join(UNFINISHED)
    }

    /// The file of a table in a part.
    pub(crate) fn part_file(&self, table: FleetTable, run: &str, part: u32) -> PathBuf {
        part_file(&self.folder, table, run, part)
    }

    /// Puts the files that were made in `from` in place as a part. One that is there already is replaced.
    pub(crate) fn publish(&self, from: &Path, run: &str, part: u32) -> Result<(), Fault> {
        damage::forget(&self.folder, run, part)?;
        // The files of the sources are the last: a part without them is not there.
        let last_first = self.tables.iter().rev().filter(|&&table| table != FleetTable::Sources);
        for &table in last_first.chain([&FleetTable::Sources]) {
            let (made, place) = (unfinished_file(from, table), self.part_file(table, run, part));
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder).map_err(at(folder))?;
            }
            fs::rename(&made, &place).map_err(at(&place))?;
        }
        damage::remember(&self.folder, &self.tables, run, part)
    }

    /// Every file of the dataset, in order of run and part, but those of parts of which nobody knows what they have.
    pub fn known(&self, damaged: &[DamagedPart]) -> Result<Vec<Known>, Fault> {
        known(&self.folder, damaged)
    }

    /// Writes what the manifest says of `known`.
    pub fn sum_up(&mut self, known: &[Known]) -> Result<(), Fault> {
        let mut runs: BTreeMap<&str, Run> = BTreeMap::new();
        for own in known {
            let run = runs.entry(&own.run).or_insert_with(|| Run { run: own.run.clone(), ..Run::default() });
            if run.parts.last() != Some(&own.part) {
                run.parts.push(own.part);
            }
            run.files += 1;
            run.with_faults +=
                u64::from(own.state == State::Damaged.word() || own.state == State::Unreadable.word());
            run.ops += own.ops;
            run.bytes += own.source.bytes;
        }
        self.manifest.runs = runs.into_values().collect();
        self.write_manifest()
    }

    fn write_manifest(&self) -> Result<(), Fault> {
        let manifest = Manifest { columns: about(&self.tables), ..self.manifest.clone() };
        let path = self.folder.join(MANIFEST);
        let text = manifest.to_text().map_err(at(&path))?;
        let unfinished = self.folder.join("_manifest.json");
        fs::write(&unfinished, text).map_err(at(&unfinished))?;
        fs::rename(&unfinished, &path).map_err(at(&path))
    }

    /// Removes what a process that was interrupted left: what it had not put in place, and parts whose sources are not there.
    fn remove_unfinished(&self) -> Result<(), Fault> {
        let unfinished = self.unfinished();
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished).map_err(at(&unfinished))?;
        }
        let whole: BTreeSet<(String, u32)> = parts(&self.folder, FleetTable::Sources)?.into_iter().collect();
        for &table in &self.tables {
            for (run, part) in parts(&self.folder, table)? {
                if !whole.contains(&(run.clone(), part)) {
                    let left = self.part_file(table, &run, part);
                    fs::remove_file(&left).map_err(at(&left))?;
                }
            }
        }
        Ok(())
    }
}

/// The manifest of the dataset in `folder`.
pub fn read_manifest(folder: &Path) -> Result<Manifest, Fault> {
    let path = folder.join(MANIFEST);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            return Err(Fault::NotADataset(folder.to_owned()));
        }
        Err(why) => return Err(Fault::Io(path, why)),
    };
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|_| Fault::NotADataset(folder.to_owned()))?;
    if manifest.schema == SCHEMA { Ok(manifest) } else { Err(Fault::OtherSchema(manifest.schema)) }
}

/// Every file of the dataset in `folder`, in order of run and part, but those of `damaged` parts of which nobody knows what they have.
pub fn known(folder: &Path, damaged: &[DamagedPart]) -> Result<Vec<Known>, Fault> {
    let is_unknown =
        |run: &str, part| damaged.iter().any(|own| own.is_unknown && own.run == run && own.part == part);
    let wanted = ["file", "bytes", "modified_unix_ns", "state", "code", "what", "ops"];
    let columns: Vec<Column> =
        FleetTable::Sources.columns().into_iter().filter(|column| wanted.contains(&column.name)).collect();
    let mut all = Vec::new();
    for (run, part) in parts(folder, FleetTable::Sources)? {
        if is_unknown(&run, part) {
            continue;
        }
        let path = part_file(folder, FleetTable::Sources, &run, part);
        let file = File::open(&path).map_err(at(&path))?;
        steplens_export::parquet::rows(file, &columns, &mut |row| {
            let mut own = Known {
                run: run.clone(),
                part,
                source: SourceFile { file: String::new(), bytes: 0, modified_unix_ns: 0 },
                state: String::new(),
                problem: None,
                ops: 0,
            };
            let (mut code, mut what) = (None, None);
            for (column, value) in columns.iter().zip(row) {
                match (column.name, value) {
                    ("file", Value::Text(text)) => own.source.file = text.to_string(),
                    ("bytes", Value::Integer(value)) => own.source.bytes = value.unsigned_abs(),
                    ("modified_unix_ns", Value::Integer(value)) => own.source.modified_unix_ns = *value,
                    ("state", Value::Text(text)) => own.state = text.to_string(),
                    ("code", Value::Text(text)) => code = Some(text.to_string()),
                    ("what", Value::Text(text)) => what = Some(text.to_string()),
                    ("ops", Value::Integer(value)) => own.ops = value.unsigned_abs(),
                    _ => {}
                }
            }
            own.problem = code.zip(what);
            all.push(own);
            Ok(())
        })
        .map_err(at(&path))?;
    }
    Ok(all)
}

/// The way from the folder of a dataset to the folder that was indexed: `..` and `../traces` stay true when both are moved. Without one
/// in common, the whole path.
fn between(dataset: &Path, indexed: &Path) -> String {
    let (Ok(from), Ok(to)) = (std::path::absolute(dataset), std::path::absolute(indexed)) else {
        return indexed.to_string_lossy().into_owned();
    };
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let (up, down) = (from.components().count() - common, to.components().skip(common));
    // Above the root of a disk there is nothing to move with.
    if common < 2 {
        return to.to_string_lossy().into_owned();
    }
    let up = std::iter::repeat_n("..".to_owned(), up);
    let names = up.chain(down.map(|part| part.as_os_str().to_string_lossy().into_owned()));
    let way: Vec<String> = names.collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(test)]
mod tests {
    use super::between;
    use std::path::Path;

    #[test]
    fn the_way_to_the_traces_is_from_the_dataset_on() {
        let way = |from: &str, to: &str| between(Path::new(from), Path::new(to));
        assert_eq!(way("/a/b/dataset", "/a/b/traces"), "../traces");
        assert_eq!(way("/a/b/dataset", "/a/b"), "..");
        assert_eq!(way("/a/b", "/a/b"), ".");
        assert_eq!(way("/a/b", "/c"), "/c");
    }
}
