//! Files that are being written. They do not stay where they did not become whole: because one cannot be written, or because the user stops the
//! program (Ctrl+C, or a signal to end).

use crate::progress::CLEARED;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// What was made, in that order. There is one export in a program.
static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

/// What shells say of a program that Ctrl+C ended.
const STOPPED: i32 = 130;

enum Made {
    File(PathBuf),
    Folder(PathBuf),
}

impl Made {
    /// Takes it away; a device or a pipe stays. What matters is why it is not whole, not whether this can be done.
    fn remove(self) {
        let _ = match self {
            Self::File(path) if path.is_file() => fs::remove_file(path),
            Self::File(_) => Ok(()),
            Self::Folder(path) => fs::remove_dir(path),
        };
    }
}

/// What is not whole until it is [kept](Self::keep).
pub(super) struct Unfinished(());

impl Unfinished {
    /// From now on stopping the program takes away what was made.
    pub(super) fn new() -> Self {
        // Where that cannot be set, what is made stays when the program is stopped.
        let _ = ctrlc::set_handler(stopped);
        Self(())
    }

    /// Makes a file, in the place of one of that name.
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        let mut made = made();
        let file = File::create(path)?;
        made.push(Made::File(path.to_owned()));
        Ok(file)
    }

    /// Makes a folder, if it is not there.
    pub(super) fn folder(&self, path: &Path) -> io::Result<()> {
        let mut made = made();
        let is_new = !path.exists();
        fs::create_dir_all(path)?;
        made.extend(is_new.then(|| Made::Folder(path.to_owned())));
        Ok(())
    }

    /// All of it is whole, and stays.
    pub(super) fn keep(self) {
        made().clear();
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        remove_all(&mut made());
    }
}

fn made() -> MutexGuard<'static, Vec<Made>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove_all(made: &mut Vec<Made>) {
    made.drain(..).rev().for_each(Made::remove);
}

/// Ends the program, on a thread of its own. The list stays locked, so that nothing is made any more.
fn stopped() {
    // It may be locked for long by who opens a pipe that nobody reads.
    for _ in 0..20 {
        if let Ok(mut made) = MADE.try_lock() {
            remove_all(&mut made);
            if io::stderr().is_terminal() {
                let _ = io::stderr().write_all(CLEARED);
            }
            process::exit(STOPPED);
        }
        thread::sleep(Duration::from_millis(50));
    }
    process::exit(STOPPED);
}
