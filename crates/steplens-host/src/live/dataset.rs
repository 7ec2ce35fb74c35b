//! A fleet's dataset on this machine: its summary, and the traces that it was made of. Nothing else of either folder is given away, and no
//! name and no link leads out of them: `cap-std` opens everything below one handle.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use serde::Deserialize;
use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use steplens_report::overview::{FILE_NAME, Overview};

const MANIFEST: &str = "manifest.json";
/// The most bytes of a summary, and of a manifest.
const MOST: u64 = 1 << 30;

/// A dataset that `steplens index` wrote.
#[derive(Debug)]
pub struct Dataset {
    dir: Dir,
    name: String,
    /// The folder of the traces; `None` where it is not on this machine.
    traces: Option<Dir>,
    /// The traces that the summary names, by their paths below that folder.
    named: Mutex<HashSet<String>>,
}

/// What is read of the manifest.
#[derive(Default, Deserialize)]
struct Manifest {
    /// The folder of the traces, as it was given to `steplens index`, or relative to the dataset.
    folder: Option<PathBuf>,
}

impl Dataset {
    /// Opens the dataset at `path`; `None` if the folder is none.
    ///
    /// # Errors
    ///
    /// If the folder or its summary cannot be read.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let whole = path.canonicalize()?;
        let dir = Dir::open_ambient_dir(&whole, ambient_authority())?;
        if !dir.metadata(FILE_NAME).is_ok_and(|about| about.is_file()) {
            return Ok(None);
        }
        let manifest = match read(&dir, MANIFEST) {
            Ok(text) => serde_json::from_slice::<Manifest>(&text).map_err(io::Error::from)?,
            Err(why) if why.kind() == io::ErrorKind::NotFound => Manifest::default(),
            Err(why) => return Err(why),
        };
        // Without a word in the manifest the traces lie next to the summary.
        let folder = manifest.folder.map_or_else(|| whole.clone(), |folder| whole.join(folder));
        let traces = Dir::open_ambient_dir(folder, ambient_authority()).ok();
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();
        let dataset = Self { dir, name, traces, named: Mutex::default() };
        dataset.overview()?;
        Ok(Some(dataset))
    }

    /// The last part of its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes of the summary as it is now. From then on the traces that it names can be had.
    ///
    /// # Errors
    ///
    /// If it cannot be read; `InvalidData` if it is damaged.
    pub fn overview(&self) -> io::Result<Vec<u8>> {
        let bytes = read(&self.dir, FILE_NAME)?;
        let damaged =
            |why: steplens_report::overview::Unreadable| io::Error::new(io::ErrorKind::InvalidData, why);
        let mut overview = Overview::read(bytes.clone()).map_err(damaged)?;
        let mut named = HashSet::new();
        for run in 0..overview.runs() {
            named.extend(overview.sources(run).map_err(damaged)?);
        }
        *self.named.lock().unwrap_or_else(PoisonError::into_inner) = named;
        Ok(bytes)
    }

    /// A trace that the summary names, and its size.
    ///
    /// # Errors
    ///
    /// `NotFound` for every other file, and for what lies outside of the folder of the traces.
    pub fn trace(&self, path: &str) -> io::Result<(File, u64)> {
        let is_named = self.named.lock().unwrap_or_else(PoisonError::into_inner).contains(path);
        // Summaries may be anybody's: a name in one is no way out.
        let is_below =
            path.split('/').all(|part| !["", ".", ".."].contains(&part) && !part.contains(['\\', '\0']));
        let traces = self.traces.as_ref().filter(|_| is_named && is_below).ok_or(io::ErrorKind::NotFound)?;
        // Before it is opened: opening a pipe waits for who writes to it.
        if !traces.metadata(path)?.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = traces.open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }
}

fn read(dir: &Dir, name: &str) -> io::Result<Vec<u8>> {
    let file = dir.open(name)?;
    if file.metadata()?.len() > MOST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
