//! Files that are being written. They go into their places together, when all of them are complete. If one cannot be written, or the
//! user stops the program (Ctrl+C, or a signal to end), none does, and what stood there stays.

use super::replacement::{self, Replacement};
use crate::progress::{CLEARED, STOPPED};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The files and folders that were made, in order, each with the number of its output: a user of the library may write several at
/// once.
static MADE: Mutex<Vec<(u64, Made)>> = Mutex::new(Vec::new());
static OUTPUTS: AtomicU64 = AtomicU64::new(0);

enum Made {
    File(Replacement),
    Folder(PathBuf),
}

impl Made {
    /// Removes the file or folder. Errors are ignored: the reason why the output failed matters more.
    fn remove(self) {
        match self {
            Self::File(file) => file.remove(),
            Self::Folder(path) => {
                let _ = fs::remove_dir(path);
            }
        }
    }
}

/// Files and folders that are unfinished until they are [kept](Self::keep).
pub(super) struct Unfinished(u64);

/// From now on, stopping the program removes what is unfinished.
pub fn remove_when_stopped() {
    // If the handler cannot be set, unfinished files stay when the program is stopped.
    let _ = ctrlc::set_handler(stopped);
}

impl Unfinished {
    pub(super) fn new() -> Self {
        Self(OUTPUTS.fetch_add(1, Ordering::Relaxed))
    }

    /// Begins the file that is to stand at `path`; of a device or a pipe, opens it.
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        // Opening a pipe waits for its reader: nothing may wait for that in turn.
        if let Some(device) = replacement::device(path)? {
            return Ok(device);
        }
        let mut made = made();
        let (replacement, file) = Replacement::begin(path)?;
        made.push((self.0, Made::File(replacement)));
        Ok(file)
    }

    /// Makes a folder and those that it is in, unless they exist.
    pub(super) fn folder(&self, path: &Path) -> io::Result<()> {
        let mut made = made();
        let missing: Vec<_> = path.ancestors().take_while(|folder| !is_there(folder)).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder)?;
            made.push((self.0, Made::Folder(folder.to_owned())));
        }
        // A file of that name is no folder.
        fs::create_dir_all(path)
    }

    /// Everything is complete: all files go into their places. The list is locked until then, so that stopping the program waits.
    pub(super) fn keep(self) -> io::Result<()> {
        let mut made = made();
        let own: Vec<_> = made.extract_if(.., |(output, _)| *output == self.0).collect();
        let mut put = Ok(());
        let rest: Vec<Made> = own
            .into_iter()
            .filter_map(|(_, made)| match made {
                Made::File(file) if put.is_ok() => {
                    put = file.put();
                    None
                }
                other => Some(other),
            })
            .collect();
        if put.is_err() {
            rest.into_iter().rev().for_each(Made::remove);
        }
        put
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        remove(made().extract_if(.., |(output, _)| *output == self.0));
    }
}

fn is_there(folder: &Path) -> bool {
    // The end of a relative path is the folder that the program runs in.
    folder.as_os_str().is_empty() || folder.exists()
}

fn made() -> MutexGuard<'static, Vec<(u64, Made)>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what was made last first: a folder is empty then.
fn remove(made: impl Iterator<Item = (u64, Made)>) {
    let made: Vec<_> = made.collect();
    made.into_iter().rev().for_each(|(_, made)| made.remove());
}

/// Ends the program, on a separate thread. The list stays locked, so that nothing more is made.
fn stopped() {
    // A thread that puts files into their places holds the lock: files of one output belong together.
    for _ in 0..200 {
        if let Ok(mut made) = MADE.try_lock() {
            remove(made.drain(..));
            if io::stderr().is_terminal() {
                let _ = io::stderr().write_all(CLEARED);
            }
            process::exit(STOPPED);
        }
        thread::sleep(Duration::from_millis(5));
    }
    process::exit(STOPPED);
}
