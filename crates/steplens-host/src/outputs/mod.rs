//! Where results go. No output costs a file that was there: an output that is an input is refused, and files take their places only
//! when they are complete.

mod growing;
mod inputs;
mod replacement;
mod sinks;
mod unfinished;

use crate::failure::{Failure, reason};
use crate::progress::Progress;
use crate::reading::input::Input;
use sinks::Refused;
use std::io::{self, Write};
use std::path::Path;
use steplens_export::archive::Archive;
use steplens_messages::say;

pub use unfinished::remove_when_stopped;

/// A file, a folder, or `-` for standard output, that is not one of the inputs.
#[derive(Clone, Copy)]
pub struct Output<'a> {
    path: &'a Path,
    inputs: &'a [Input],
}

impl<'a> Output<'a> {
    /// `path` as an output of what is read from `inputs`.
    pub fn at(path: &'a Path, inputs: &'a [Input]) -> Result<Self, Failure> {
        let output = Self { path, inputs };
        match !output.is_stdout() && inputs::is_input(inputs, path) {
            true => Err(over_input(path)),
            false => Ok(output),
        }
    }

    /// Whether it is `-`.
    pub fn is_stdout(self) -> bool {
        self.path == Path::new("-")
    }

    /// Writes a file of one piece; gives its size in bytes.
    pub fn write_bytes(self, bytes: &[u8]) -> Result<u64, Failure> {
        let progress = Progress::of_writing(self.is_stdout());
        self.write_file(progress, |out| out.write_all(bytes)).map(|(size, ())| size)
    }

    /// Lets `write` fill a file; gives its size in bytes.
    pub fn write_file<T>(
        self,
        progress: Progress,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<(u64, T), Failure> {
        sinks::one_file(self.path, progress, write).map_err(|why| not_written(self.path, &why))
    }

    /// Lets `fill` write several files into a folder, or into a ZIP; gives their size in bytes.
    pub fn write_files<T>(
        self,
        progress: Progress,
        fill: impl FnOnce(&mut dyn Archive) -> io::Result<T>,
    ) -> Result<(u64, T), Failure> {
        sinks::several_files(self.path, self.inputs, progress, fill).map_err(|why| match why {
            Refused::Input(path) => over_input(&path),
            Refused::Io(why) => not_written(self.path, &why),
        })
    }
}

fn over_input(path: &Path) -> Failure {
    Failure::Sentence(say!("output-over-input", path = path.display().to_string()))
}

fn not_written(path: &Path, why: &io::Error) -> Failure {
    match why.kind() {
        io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => {
            let path = path.display().to_string();
            Failure::Sentence(say!("output-not-written", path, why = reason(why)))
        }
    }
}
