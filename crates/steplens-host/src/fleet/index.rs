//! Which files of a folder are new or changed, and reading them with all cores.
//!
//! New files make new parts, and a changed file is read again with its own part: nothing else is touched. Which files make up a part depends on
//! their order alone, so that a dataset is the same whether or not its making was interrupted.

use super::damage::{self, DamagedPart};
use super::dataset::{Dataset, Fault, Known, Options, at, unfinished_file};
use super::in_order::in_order;
use super::member::{NotRead, SourceFile, Tables};
use super::overview;
use super::part;
use super::paths::{PathFacts, Pattern, facts, run_id};
use super::piece::Piece;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;
use steplens_core::base::natural;
use steplens_formats::Opened;
use steplens_messages::say;
use steplens_report::fleet::FleetTable;
use walkdir::WalkDir;

/// A part ends with the file with which it has this number of ops: its file of ops then has several row groups, of some MB in all.
const OPS_OF_A_PART: usize = 500_000;
/// Or this number of rows in all tables.
const ROWS_OF_A_PART: usize = 4_000_000;

/// Opens the file at a path, called as given.
pub type Open<'o> = dyn Fn(&Path, &str) -> Result<Opened, NotRead> + Sync + 'o;

/// What is to be indexed, and how.
pub struct Index<'a> {
    /// The folder with the traces.
    pub folder: &'a Path,
    /// The folder of the dataset.
    pub dataset: &'a Path,
    /// What each file is read with.
    pub options: &'a Options,
    /// How many files are read at once.
    pub threads: usize,
    /// Whether files that are gone leave the dataset.
    pub prunes: bool,
    /// Opens a file.
    pub open: &'a Open<'a>,
    /// Whether the work is to end.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Called with the folder of the unfinished parts when it is made: who ends the process removes it.
    pub scratch: &'a OnceLock<PathBuf>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// How many files were read now.
    pub files: usize,
    /// Of how many.
    pub of: usize,
    /// Their size.
    pub bytes: u64,
    /// Of how much.
    pub of_bytes: u64,
    /// Their ops.
    pub ops: u64,
}

/// What was done.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// What was read now.
    pub done: Done,
    /// Files that were new, and files that were there before and changed.
    pub new: usize,
    /// The latter.
    pub changed: usize,
    /// Files of the dataset that are not in the folder any more.
    pub gone: usize,
    /// Every file of the dataset.
    pub known: Vec<Known>,
    /// Its parts that are damaged. Nothing of them counts, and they are left as they are.
    pub damaged: Vec<DamagedPart>,
    /// Files that were not read, because they are, or may be, in a damaged part.
    pub held: usize,
}

/// Files that are read for the same purpose.
struct Group {
    run: String,
    /// The part that is made again; without one the files make new parts.
    part: Option<u32>,
    /// Rows of the files found.
    files: Vec<usize>,
    /// Files whose rows leave the part.
    leaving: BTreeSet<String>,
}

/// The tables of a file.
enum Made {
    /// In memory.
    Pieces(Vec<(FleetTable, Piece)>),
    /// In a folder, because there is more of them than a part has.
    Files(PathBuf),
}

impl Index<'_> {
    /// Brings the dataset up to date; `progress` hears after each file how far it is.
    pub fn run(&self, progress: &mut dyn FnMut(Done)) -> Result<Indexed, Fault> {
        let pattern = Pattern::of(&self.options.path);
        let found = files(self.folder, self.dataset)?;
        let mut dataset = Dataset::open(self.dataset, self.folder, self.options)?;
        let damaged = damage::damaged(self.dataset)?;
        let known = dataset.known(&damaged)?;
        let path_facts: Vec<PathFacts> =
            found.iter().map(|source| with_run(self.folder, facts(&source.file, pattern.as_ref()))).collect();
        let Groups { groups, changed, gone, held } =
            groups(&found, &path_facts, &known, &damaged, self.prunes);
        let order: Vec<usize> = groups.iter().flat_map(|group| group.files.iter().copied()).collect();
        let of_bytes = order.iter().map(|&row| found[row].bytes).sum();
        let mut done = Done { of: order.len(), of_bytes, ..Done::default() };
        let scratch = dataset.unfinished();
        fs::create_dir_all(&scratch).map_err(at(&scratch))?;
        self.scratch.get_or_init(|| scratch.clone());
        let mut fill = |dataset: &Dataset| {
            let mut filling = Filling::new(dataset, &groups, next_parts(&known, &damaged));
            filling.begin()?;
            let make = |at: usize| {
                let row = order[at];
                self.made(
                    &found[row],
                    &path_facts[row],
                    dataset.tables(),
                    &scratch.join(format!("large-{at}")),
                )
            };
            in_order(order.len(), self.threads, &make, &mut |at, made: io::Result<(Made, usize)>| {
                // What was read until then may be half of a file.
                if (self.is_stopped)() {
                    return Err(Fault::Stopped);
                }
                let source = &found[order[at]];
                let (made, ops) = made.map_err(super::dataset::at(&self.folder.join(&source.file)))?;
                filling.take(made, ops)?;
                done.files += 1;
                done.bytes += source.bytes;
                done.ops += ops as u64;
                progress(done);
                Ok(())
            })?;
            filling.finish()
        };
        let filled = fill(&dataset);
        fs::remove_dir_all(&scratch).map_err(at(&scratch))?;
        filled?;
        let known = dataset.known(&damaged)?;
        dataset.sum_up(&known)?;
        overview::write(self.dataset, &damaged)?;
        Ok(Indexed { done, new: order.len() - changed, changed, gone, known, damaged, held })
    }

    /// The tables of one file, in memory, or in the folder `large` if there are more ops than a part has.
    fn made(
        &self,
        source: &SourceFile,
        facts: &PathFacts,
        tables: &[FleetTable],
        large: &Path,
    ) -> io::Result<(Made, usize)> {
        with_tables(self.folder, source, facts, self.open, |own| {
            let ops = own.ops();
            if ops < OPS_OF_A_PART {
                return Ok((Made::Pieces(pieces(own, tables)?), ops));
            }
            fs::create_dir_all(large)?;
            own.each(tables, &mut |table, piece| write_table(large, table, &[piece]))?;
            Ok((Made::Files(large.to_owned()), ops))
        })
    }
}

/// What the path of `file`, which is below `folder`, says by the pattern of `options`.
pub fn facts_of(folder: &Path, file: &str, options: &Options) -> PathFacts {
    with_run(folder, facts(file, Pattern::of(&options.path).as_ref()))
}

fn with_run(folder: &Path, own: PathFacts) -> PathFacts {
    let run = if own.run.is_empty() { own_name(folder) } else { own.run };
    PathFacts { run: run_id(&run), says: own.says }
}

/// The tables of one file below `folder`: the rows that it has in a dataset.
pub fn tables_of(
    folder: &Path,
    source: &SourceFile,
    facts: &PathFacts,
    tables: &[FleetTable],
    open: &Open<'_>,
) -> io::Result<Vec<(FleetTable, Piece)>> {
    with_tables(folder, source, facts, open, |own| pieces(own, tables))
}

/// Reads a file. A fault in reading it is a row of the sources, as any other thing that is wrong with it.
fn with_tables<T>(
    folder: &Path,
    source: &SourceFile,
    facts: &PathFacts,
    open: &Open<'_>,
    make: impl Fn(&Tables<'_>) -> io::Result<T>,
) -> io::Result<T> {
    let read = || make(&Tables::of(source, facts, open(&folder.join(&source.file), &source.file)));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let what = say!("fleet-internal", file = source.file);
        make(&Tables::of(source, facts, Err(NotRead { code: "internal-error".to_owned(), what })))
    })
}

fn pieces(own: &Tables<'_>, tables: &[FleetTable]) -> io::Result<Vec<(FleetTable, Piece)>> {
    let mut pieces = Vec::with_capacity(tables.len());
    own.each(tables, &mut |table, piece| {
        pieces.push((table, piece));
        Ok(())
    })?;
    Ok(pieces)
}

/// Writes a table of a part into `folder`.
fn write_table(folder: &Path, table: FleetTable, pieces: &[Piece]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(unfinished_file(folder, table))?);
    part::write(table, pieces, &mut out)?;
    out.flush()
}

/// Parts while they are filled.
struct Filling<'a> {
    dataset: &'a Dataset,
    groups: std::slice::Iter<'a, Group>,
    group: Option<&'a Group>,
    /// How many files of the group were taken.
    taken: usize,
    next_part: HashMap<String, u32>,
    pieces: Vec<(FleetTable, Vec<Piece>)>,
    ops: usize,
    rows: usize,
}

impl<'a> Filling<'a> {
    fn new(dataset: &'a Dataset, groups: &'a [Group], next_part: HashMap<String, u32>) -> Self {
        let pieces = dataset.tables().iter().map(|&table| (table, Vec::new())).collect();
        Self { dataset, groups: groups.iter(), group: None, taken: 0, next_part, pieces, ops: 0, rows: 0 }
    }

    /// Goes to the next group that has a file; on the way, parts of which files only leave are made again.
    fn begin(&mut self) -> Result<(), Fault> {
        loop {
            self.group = self.groups.next();
            self.taken = 0;
            match self.group {
                Some(group) if group.files.is_empty() => self.end_part()?,
                _ => return Ok(()),
            }
        }
    }

    fn take(&mut self, made: Made, ops: usize) -> Result<(), Fault> {
        let Some(group) = self.group else { return Ok(()) };
        self.taken += 1;
        match made {
            Made::Pieces(made) => {
                self.ops += ops;
                for ((_, own), (_, piece)) in self.pieces.iter_mut().zip(made) {
                    self.rows += piece.rows();
                    own.push(piece);
                }
            }
            Made::Files(folder) if group.part.is_none() => {
                self.end_part()?;
                let part = self.new_part(&group.run);
                self.dataset.publish(&folder, &group.run, part)?;
            }
            Made::Files(folder) => {
                for (table, own) in &mut self.pieces {
                    let path = unfinished_file(&folder, *table);
                    own.push(read(&path, *table)?);
                }
                self.ops += ops;
            }
        }
        let is_full = self.ops >= OPS_OF_A_PART || self.rows >= ROWS_OF_A_PART;
        let is_last = self.taken == group.files.len();
        if is_last || (is_full && group.part.is_none()) {
            self.end_part()?;
        }
        if is_last { self.begin() } else { Ok(()) }
    }

    fn new_part(&mut self, run: &str) -> u32 {
        let next = self.next_part.entry(run.to_owned()).or_insert(1);
        *next += 1;
        *next - 1
    }

    /// Writes what was gathered.
    fn end_part(&mut self) -> Result<(), Fault> {
        let Some(group) = self.group else { return Ok(()) };
        if group.part.is_none() && self.pieces.iter().all(|(_, pieces)| pieces.is_empty()) {
            return Ok(());
        }
        let part = match group.part {
            Some(part) => part,
            None => self.new_part(&group.run),
        };
        let folder = self.dataset.unfinished();
        for (table, pieces) in &mut self.pieces {
            let mut pieces = std::mem::take(pieces);
            if let Some(part) = group.part {
                // The rows that stay come in the order in which the files do.
                let old = self.dataset.part_file(*table, &group.run, part);
                pieces.insert(0, read_kept(&old, *table, &group.leaving)?);
            }
            write_table(&folder, *table, &pieces).map_err(at(&unfinished_file(&folder, *table)))?;
        }
        (self.ops, self.rows) = (0, 0);
        self.dataset.publish(&folder, &group.run, part)
    }

    fn finish(mut self) -> Result<(), Fault> {
        self.end_part()
    }
}

fn read(path: &Path, table: FleetTable) -> Result<Piece, Fault> {
    read_kept(path, table, &BTreeSet::new())
}

/// The rows of a table of a part, but those of the files that leave it.
fn read_kept(path: &Path, table: FleetTable, leaving: &BTreeSet<String>) -> Result<Piece, Fault> {
    let columns = table.columns();
    let mut piece = Piece::of(&columns);
    let file = File::open(path).map_err(at(path))?;
    steplens_export::parquet::rows(file, &columns, &mut |row| {
        let steplens_report::tables::Value::Text(file) = &row[0] else { return Ok(()) };
        if !leaving.contains(&**file) {
            piece.push(row);
        }
        Ok(())
    })
    .map_err(at(path))?;
    Ok(piece)
}

/// The number of the next new part of each run.
fn next_parts(known: &[Known], damaged: &[DamagedPart]) -> HashMap<String, u32> {
    let mut next = HashMap::new();
    let known = known.iter().map(|own| (&own.run, own.part));
    for (run, own) in known.chain(damaged.iter().map(|own| (&own.run, own.part))) {
        let part = next.entry(run.clone()).or_insert(1);
        *part = (own + 1).max(*part);
    }
    next
}

/// What is to be read.
struct Groups {
    /// First the parts that change, then the new files, run by run.
    groups: Vec<Group>,
    changed: usize,
    gone: usize,
    held: usize,
}

/// What is to be read. A damaged part does not change; while nobody knows which files one has, new ones of its run wait, so that none is there twice.
fn groups(
    found: &[SourceFile],
    facts: &[PathFacts],
    known: &[Known],
    damaged: &[DamagedPart],
    prunes: bool,
) -> Groups {
    let by_file: HashMap<&str, &Known> = known.iter().map(|own| (own.source.file.as_str(), own)).collect();
    let mut changing: BTreeMap<(&str, u32), Group> = BTreeMap::new();
    let mut new: BTreeMap<&str, Group> = BTreeMap::new();
    let empty =
        |run: &str, part| Group { run: run.to_owned(), part, files: Vec::new(), leaving: BTreeSet::new() };
    let (mut changed, mut held) = (0, 0);
    let is_damaged = |own: &Known| damaged.iter().any(|part| part.run == own.run && part.part == own.part);
    let is_unknown = |run: &str| damaged.iter().any(|part| part.is_unknown && part.run == run);
    for (row, source) in found.iter().enumerate() {
        match by_file.get(source.file.as_str()) {
            Some(own) if own.source == *source => {}
            Some(own) if is_damaged(own) => held += 1,
            Some(own) => {
                changed += 1;
                let group =
                    changing.entry((&own.run, own.part)).or_insert_with(|| empty(&own.run, Some(own.part)));
                group.files.push(row);
                group.leaving.insert(source.file.clone());
            }
            None if is_unknown(&facts[row].run) => held += 1,
            None => {
                new.entry(&facts[row].run).or_insert_with(|| empty(&facts[row].run, None)).files.push(row)
            }
        }
    }
    let is_found: BTreeSet<&str> = found.iter().map(|source| source.file.as_str()).collect();
    let gone: Vec<&Known> = known.iter().filter(|own| !is_found.contains(own.source.file.as_str())).collect();
    for own in gone.iter().filter(|own| prunes && !is_damaged(own)) {
        let group = changing.entry((&own.run, own.part)).or_insert_with(|| empty(&own.run, Some(own.part)));
        group.leaving.insert(own.source.file.clone());
    }
    let groups = changing.into_values().chain(new.into_values()).collect();
    Groups { groups, changed, gone: gone.len(), held }
}

/// The files below `folder`, in natural order of their paths. Hidden ones are passed over, and so is the dataset.
pub fn files(folder: &Path, dataset: &Path) -> Result<Vec<SourceFile>, Fault> {
    let dataset = fs::canonicalize(dataset).ok();
    let is_hidden =
        |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.');
    let is_dataset = |entry: &walkdir::DirEntry| {
        let is_one = entry.file_type().is_dir() && entry.path().join(super::dataset::MANIFEST).is_file();
        is_one && dataset.is_some() && fs::canonicalize(entry.path()).ok() == dataset
    };
    let walk = WalkDir::new(folder).into_iter().filter_entry(|entry| !is_hidden(entry) && !is_dataset(entry));
    let mut found = Vec::new();
    for entry in walk {
        let path = match entry {
            Ok(entry) => entry.into_path(),
            // What cannot be listed is a row of the sources: opening it says why.
            Err(why) if why.depth() > 0 => why.path().unwrap_or(folder).to_owned(),
            Err(why) => return Err(Fault::Io(folder.to_owned(), why.into())),
        };
        // A link to a file counts as one; a link to a folder is not followed, because it may lead in circles.
        let about = fs::metadata(&path).ok();
        let is_listed = about.as_ref().is_some_and(|about| !about.is_file());
        if is_listed && fs::read_dir(&path).is_ok() {
            continue;
        }
        let below = path.strip_prefix(folder).unwrap_or(&path);
        let names: Vec<_> = below.components().map(|name| name.as_os_str().to_string_lossy()).collect();
        let file = about.filter(fs::Metadata::is_file);
        let modified = file.as_ref().and_then(|about| about.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        found.push(SourceFile {
            file: names.join("/"),
            bytes: file.map_or(0, |about| about.len()),
            modified_unix_ns: modified.map_or(0, |at| i64::try_from(at.as_nanos()).unwrap_or(i64::MAX)),
        });
    }
    found.sort_by(|a, b| natural::compare(&a.file, &b.file));
    Ok(found)
}

/// The name of a folder itself.
fn own_name(folder: &Path) -> String {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
