//! The files of a watched folder. No name and no link leads out of it: `cap-std` opens everything below one handle.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use steplens_core::watched::asked::Request;
use steplens_core::watched::names::{FileName, RequestId};
use steplens_formats::watched::{Entry, request_text};

/// The most files that are listed: more than a recorder keeps by far.
const MOST_FILES: usize = 200_000;

/// A watched folder.
#[derive(Debug)]
pub struct Folder {
    dir: Dir,
    name: String,
}

impl Folder {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    ///
    /// If there is none, or it may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let whole = path.canonicalize()?;
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { dir: Dir::open_ambient_dir(path, ambient_authority())?, name })
    }

    /// The last part of its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What everything below it is opened by.
    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The files that belong to a watched folder, in no order. Whatever else there is, is left out: other names, folders, pipes,
    /// links that lead out of the folder or nowhere, and files that went away meanwhile.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed, or has more files than any recorder leaves.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        list(&self.dir, "", &mut entries)?;
        for folder in FileName::FOLDERS {
            match self.dir.open_dir(folder) {
                Ok(dir) => list(&dir, &format!("{folder}/"), &mut entries)?,
                // Not there, or no folder of this one: then nothing of it belongs to a watched folder.
                Err(why) if is_absent(&why) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(entries)
    }

    /// The bytes `from..to` of a file, fewer where it ends before.
    ///
    /// # Errors
    ///
    /// If the file is not there or cannot be read.
    pub fn read(&self, path: &str, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let name = FileName::new(path).ok_or(io::ErrorKind::NotFound)?;
        let (mut file, _) = self.file(&name)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(to.saturating_sub(from)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A file, and its size.
    ///
    /// # Errors
    ///
    /// If it is not there, lies outside, is no plain file or cannot be opened.
    pub fn file(&self, name: &FileName) -> io::Result<(File, u64)> {
        let path = name.to_string();
        // Before it is opened: opening a pipe waits for who writes to it.
        if !self.dir.metadata(&path)?.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = self.dir.open(&path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }

    /// Whether a recorder has been here.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    pub fn is_watched(&self) -> io::Result<bool> {
        let is_own = |entry: &Entry| {
            matches!(FileName::new(&entry.path), Some(FileName::Processes | FileName::Runs(_)))
        };
        Ok(self.entries()?.iter().any(is_own))
    }

    /// Writes a request, whole or not at all.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to.
    pub fn ask(&self, request: &Request) -> io::Result<()> {
        match self.dir.create_dir("requests") {
            Err(why) if why.kind() != io::ErrorKind::AlreadyExists => return Err(why),
            _ => {}
        }
        let name = FileName::Request(request.id.clone()).to_string();
        let unfinished = format!("requests/.{}.part", request.id.as_str());
        let write = || {
            let mut file =
                self.dir.open_with(&unfinished, OpenOptions::new().write(true).create_new(true))?;
            file.write_all(request_text(request).as_bytes())?;
            file.sync_all()?;
            self.dir.rename(&unfinished, &self.dir, &name)
        };
        write().inspect_err(|_| {
            // The first failure is the one to tell; a rest with this name is never read.
            let _ = self.dir.remove_file(&unfinished);
        })
    }
}

/// Whether there is nothing that belongs to the folder. `cap-std` says of what leads out of it that it is not permitted, and unlike the
/// system it gives no number with that.
fn is_absent(why: &io::Error) -> bool {
    match why.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => true,
        io::ErrorKind::PermissionDenied => why.raw_os_error().is_none(),
        _ => false,
    }
}

fn list(dir: &Dir, before: &str, entries: &mut Vec<Entry>) -> io::Result<()> {
    for entry in dir.entries()? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{before}{name}");
        if FileName::new(&path).is_none() {
            continue;
        }
        // Follows links, but not out of the folder that `dir` is: links into another one of them are left out, too.
        match dir.metadata(&name) {
            Ok(about) if about.is_file() => {
                entries.push(Entry { path, bytes: about.len(), changed: changed(&about) });
            }
            Ok(_) => {}
            Err(why) if is_absent(&why) => {}
            Err(why) => return Err(why),
        }
        if entries.len() > MOST_FILES {
            return Err(io::Error::other(steplens_messages::say!("live-too-many-files", most = MOST_FILES)));
        }
    }
    Ok(())
}

/// When a file was changed, in µs since 1970; 0 where the file system does not say.
pub(crate) fn changed(about: &Metadata) -> i64 {
    let since = about.modified().ok().and_then(|at| at.into_std().duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_micros()).ok()).unwrap_or(0)
}

/// Now, and `after` it in ns since 1970.
fn now_and(after: Duration) -> (u64, i64) {
    // A clock before 1970 is as good as one at 1970: ids only have to differ.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let then = now.saturating_add(after);
    (u64::try_from(now.as_millis()).unwrap_or(u64::MAX), i64::try_from(then.as_nanos()).unwrap_or(i64::MAX))
}

/// A new id, and the moment `after` now, in ns since 1970, by the clock of this machine.
///
/// # Errors
///
/// If the system has no random numbers.
pub fn new_request(after: Duration) -> io::Result<(RequestId, i64)> {
    let random = getrandom::u32().map_err(io::Error::other)?;
    let (now_ms, then_ns) = now_and(after);
    Ok((RequestId::made(now_ms, random), then_ns))
}
