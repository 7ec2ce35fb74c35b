//! The progress of reading or writing, on a terminal only: one line on standard error, which disappears when the answer comes.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{process, thread};
use steplens_messages::say;
use steplens_report::figures as units;

/// How many bytes lie between two updates of the line. A smaller file is done before a user would wait.
const SHOWN_EVERY: u64 = 32 << 20;

/// The control characters that clear the line.
pub const CLEARED: &[u8] = b"\r\x1b[K";

/// The exit code that shells report for a program that Ctrl+C ended.
pub const STOPPED: i32 = 130;
/// So long a program may take to end by itself once the user has pressed Ctrl+C.
pub const TO_END: Duration = Duration::from_millis(100);

/// For the thread that Ctrl+C wakes: ends the program, if it has not ended by itself in [`TO_END`]. An analysis of a large trace does not ask
/// whether it is still wanted.
pub fn end_soon() {
    thread::sleep(TO_END);
    process::exit(STOPPED);
}

/// How many bytes were read (and of how many), or written.
pub struct Progress {
    /// Standard error; `None` if it is not a terminal.
    out: Option<Box<dyn Write>>,
    of: Of,
    done: u64,
    shown: u64,
    stop: Stop,
    /// Who else counts the bytes.
    tell: Option<Box<dyn Fn(u64)>>,
}

/// Set by who wants the work to end early.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on, the work ends when it has done its current piece.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the progress counts.
#[derive(Clone, Copy)]
enum Of {
    /// Reading; the total of all files in bytes, unless one is standard input.
    Reading(Option<u64>),
    Writing,
}

impl Progress {
    /// The progress of reading files with a total of `of` bytes.
    pub fn of_reading(of: Option<u64>) -> Self {
        Self::new(Of::Reading(of), true)
    }

    /// The progress of writing. It is not shown if the output goes to the terminal too.
    pub fn of_writing(to_stdout: bool) -> Self {
        Self::new(Of::Writing, !to_stdout)
    }

    /// Progress that nobody sees, of work that ends when `stop` says so.
    pub fn until(stop: &Stop) -> Self {
        let mut own = Self::new(Of::Writing, false);
        own.stop = stop.clone();
        own
    }

    /// Progress whose bytes `tell` counts, of work that ends when `stop` says so.
    pub fn counted_by(stop: &Stop, tell: impl Fn(u64) + 'static) -> Self {
        let mut own = Self::until(stop);
        own.tell = Some(Box::new(tell));
        own
    }

    fn new(of: Of, is_wanted: bool) -> Self {
        let stderr = io::stderr();
        let out = (is_wanted && stderr.is_terminal()).then(|| Box::new(stderr) as Box<dyn Write>);
        Self { out, of, done: 0, shown: 0, stop: Stop::default(), tell: None }
    }

    /// Whether the work is to end early.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_wanted()
    }

    /// Counts from nothing again, because all is read again.
    pub fn begin_again(&mut self) {
        (self.done, self.shown) = (0, 0);
    }

    /// How many bytes were counted.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Counts `bytes` more.
    pub fn add(&mut self, bytes: u64) {
        self.done = self.done.saturating_add(bytes);
        self.tell.iter().for_each(|tell| tell(bytes));
        let Some(out) = &mut self.out else { return };
        if self.done - self.shown < SHOWN_EVERY {
            return;
        }
        self.shown = self.done;
        let size = units::bytes(self.done);
        let line = match self.of {
            Of::Reading(Some(of)) => say!("input-progress-of", read = size, of = units::bytes(of)),
            Of::Reading(None) => say!("input-progress", read = size),
            Of::Writing => say!("export-progress", size),
        };
        // If standard error cannot be written either, there is nothing left to do.
        let _ = out.write_all(CLEARED).and_then(|()| write!(out, "{line}")).and_then(|()| out.flush());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(out) = &mut self.out
            && self.shown > 0
        {
            let _ = out.write_all(CLEARED).and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[derive(Clone, Default)]
    struct Kept(Rc<RefCell<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn said(of: Of, slices: &[u64]) -> String {
        let kept = Kept::default();
        let mut progress = Progress::new(of, false);
        progress.out = Some(Box::new(kept.clone()));
        slices.iter().for_each(|&bytes| progress.add(bytes));
        drop(progress);
        String::from_utf8(kept.0.take()).unwrap_or_default()
    }

    #[test]
    fn large_files_say_how_far_they_are_and_leave_no_line() {
        let mib = 1 << 20;
        let read = Of::Reading(Some(64 * mib));
        assert_eq!(said(read, &[31 * mib]), "");
        assert_eq!(said(read, &[31 * mib, mib, mib]), "\r\x1b[Kread: 32.0 MiB of 64.0 MiB\r\x1b[K");
        assert_eq!(said(Of::Reading(None), &[40 * mib]), "\r\x1b[Kread: 40.0 MiB\r\x1b[K");
        assert_eq!(said(Of::Writing, &[40 * mib, 3]), "\r\x1b[Kwritten: 40.0 MiB\r\x1b[K");
    }
}
