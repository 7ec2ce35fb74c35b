//! A file that is being written, and may become large. While it grows, the system is asked to drop the pages of it that are on the disk: a program
//! that is stopped waits until the system has freed all pages of an unfinished file, 50 ms of the processor for each gigabyte.

use std::fs::File;
use std::io::{self, Write};

/// After how many bytes the system is asked again.
const STEP: u64 = 64 << 20;

pub(super) struct Growing {
    file: File,
    written: u64,
    asked: u64,
}

impl Growing {
    pub(super) fn new(file: File) -> Self {
        Self { file, written: 0, asked: 0 }
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        if self.written - self.asked >= STEP {
            self.asked = self.written;
            let_go(&self.file);
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Of what is not on the disk yet, Linux begins to write it, and lets go of it the next time. Pipes and devices refuse, and keep nothing.
#[cfg(target_os = "linux")]
fn let_go(file: &File) {
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn let_go(_: &File) {}
