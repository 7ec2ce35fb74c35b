//! Files that are being written. They are removed if they do not become complete: because one cannot be written, or because the
//! user stops the program (Ctrl+C, or a signal to end).

use crate::progress::CLEARED;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The files and folders that were made, in order, each with the number of its export: a user of the library may do several at once.
static MADE: Mutex<Vec<(u64, Made)>> = Mutex::new(Vec::new());
static EXPORTS: AtomicU64 = AtomicU64::new(0);

/// The exit code that shells report for a program that Ctrl+C ended.
const STOPPED: i32 = 130;

enum Made {
    File(PathBuf),
    Folder(PathBuf),
}

impl Made {
    /// Removes the file or folder; a device or a pipe stays. Errors are ignored: the reason why the export failed matters more.
    fn remove(self) {
        let _ = match self {
            Self::File(path) if path.is_file() => fs::remove_file(path),
            Self::File(_) => Ok(()),
            Self::Folder(path) => fs::remove_dir(path),
        };
    }
}

/// Files and folders that are unfinished until they are [kept](Self::keep).
pub(super) struct Unfinished(u64);

/// From now on, stopping the program removes what is unfinished.
pub(super) fn remove_when_stopped() {
    // If the handler cannot be set, unfinished files stay when the program is stopped.
    let _ = ctrlc::set_handler(stopped);
}

impl Unfinished {
    pub(super) fn new() -> Self {
        Self(EXPORTS.fetch_add(1, Ordering::Relaxed))
    }

    /// Makes a file, and replaces one with the same name.
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        let mut made = made();
        let file = File::create(path)?;
        made.push((self.0, Made::File(path.to_owned())));
        Ok(file)
    }

    /// Makes a folder, unless it exists.
    pub(super) fn folder(&self, path: &Path) -> io::Result<()> {
        let mut made = made();
        let is_new = !path.exists();
        fs::create_dir_all(path)?;
        made.extend(is_new.then(|| (self.0, Made::Folder(path.to_owned()))));
        Ok(())
    }

    /// Everything is complete and stays.
    pub(super) fn keep(self) {
        made().retain(|(export, _)| *export != self.0);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        remove(made().extract_if(.., |(export, _)| *export == self.0));
    }
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
    // The lock can be held for long by a thread that opens a pipe which nobody reads.
    for _ in 0..20 {
        if let Ok(mut made) = MADE.try_lock() {
            remove(made.drain(..));
            if io::stderr().is_terminal() {
                let _ = io::stderr().write_all(CLEARED);
            }
            process::exit(STOPPED);
        }
        thread::sleep(Duration::from_millis(50));
    }
    process::exit(STOPPED);
}
