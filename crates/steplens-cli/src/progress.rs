//! How far reading is, on a terminal only: one line on standard error, which goes when there is an answer.

use crate::render::units;
use std::io::{self, IsTerminal, Write};
use steplens_messages::say;

/// How many bytes are read between two lines; what is smaller is read before anybody wonders.
const SHOWN_EVERY: u64 = 32 << 20;

/// How much was read of how much.
pub(crate) struct Progress {
    /// `None` where nobody watches.
    out: Option<Box<dyn Write>>,
    read: u64,
    /// Unknown of standard input.
    of: Option<u64>,
    shown: u64,
}

impl Progress {
    /// Of reading files of `of` bytes together.
    pub(crate) fn of_reading(of: Option<u64>) -> Self {
        let stderr = io::stderr();
        let out = stderr.is_terminal().then(|| Box::new(stderr) as Box<dyn Write>);
        Self { out, read: 0, of, shown: 0 }
    }

    /// So much more was read.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.read = self.read.saturating_add(bytes);
        let Some(out) = &mut self.out else { return };
        if self.read - self.shown < SHOWN_EVERY {
            return;
        }
        self.shown = self.read;
        let read = units::bytes(self.read);
        let line = match self.of {
            Some(of) => say!("input-progress-of", read, of = units::bytes(of)),
            None => say!("input-progress", read),
        };
        // Nothing is left to do where even that cannot be written.
        let _ = write!(out, "\r\x1b[K{line}").and_then(|()| out.flush());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(out) = &mut self.out
            && self.shown > 0
        {
            let _ = out.write_all(b"\r\x1b[K").and_then(|()| out.flush());
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

    fn said(of: Option<u64>, slices: &[u64]) -> String {
        let kept = Kept::default();
        let mut progress = Progress { out: Some(Box::new(kept.clone())), read: 0, of, shown: 0 };
        slices.iter().for_each(|&bytes| progress.add(bytes));
        drop(progress);
        String::from_utf8(kept.0.take()).unwrap_or_default()
    }

    #[test]
    fn large_files_say_how_far_they_are_and_leave_no_line() {
        let mib = 1 << 20;
        assert_eq!(said(Some(64 * mib), &[31 * mib]), "");
        assert_eq!(said(Some(64 * mib), &[31 * mib, mib, mib]), "\r\x1b[Kread: 32.0 MiB of 64.0 MiB\r\x1b[K");
        assert_eq!(said(None, &[40 * mib]), "\r\x1b[Kread: 40.0 MiB\r\x1b[K");
    }
}
