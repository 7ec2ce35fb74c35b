//! Where an export goes: a file, standard output, a ZIP, or a folder.

use super::super::report::is_input;
use crate::input::Input;
use crate::render::units;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use steplens_export::archive::{Archive, Zip};
use steplens_messages::say;

/// Lets `write` fill the file at `path`, or standard output; returns how many bytes it took. A file that could not be written whole
/// does not stay.
pub(super) fn one_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(u64, T)> {
    let is_stdout = path == Path::new("-");
    let sink: Box<dyn Write> = match is_stdout {
        true => Box::new(io::stdout().lock()),
        false => Box::new(File::create(path)?),
    };
    let is_shown = !is_stdout && io::stderr().is_terminal();
    let mut out = Progress::new(BufWriter::with_capacity(1 << 16, sink), 0, is_shown);
    let done = write(&mut out).and_then(|done| out.flush().map(|()| done));
    let bytes = out.end();
    if done.is_err() && !is_stdout {
        remove(path);
    }
    done.map(|done| (bytes, done))
}

/// Takes away a file that was not written whole; a device or a pipe stays. What matters is why it could not be written, not whether this can be done.
fn remove(path: &Path) {
    if path.is_file() {
        let _ = fs::remove_file(path);
    }
}

/// Why an export of several files was not written.
pub(super) enum Refused {
    /// A file of it has the name of an input.
    Input(PathBuf),
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(why: io::Error) -> Self {
        Self::Io(why)
    }
}

/// Lets `fill` write several files: into the folder at `path`, or as a ZIP where the name ends so or it is standard output. Returns how many bytes
/// they took. Where one could not be written whole, none of them stays.
pub(super) fn several_files<T>(
    path: &Path,
    inputs: &[Input],
    fill: impl FnOnce(&mut dyn Archive) -> io::Result<T>,
) -> Result<(u64, T), Refused> {
    let is_zip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    if is_zip || path == Path::new("-") {
        return Ok(one_file(path, |out| {
            let mut zip = Zip::new(out);
            let done = fill(&mut zip)?;
            zip.finish().map(|()| done)
        })?);
    }
    let is_new = !path.exists();
    fs::create_dir_all(path)?;
    let mut folder = Folder { path, inputs, open: None, written: Vec::new(), over_input: None, bytes: 0 };
    let done = fill(&mut folder).and_then(|done| folder.end_file().map(|()| done));
    match done {
        Ok(done) => Ok((folder.bytes, done)),
        Err(why) => {
            folder.remove(is_new);
            Err(folder.over_input.map_or(Refused::Io(why), Refused::Input))
        }
    }
}

/// A folder that takes files one after another.
struct Folder<'a> {
    path: &'a Path,
    inputs: &'a [Input],
    open: Option<Progress<BufWriter<File>>>,
    written: Vec<PathBuf>,
    over_input: Option<PathBuf>,
    /// Of the files that are done.
    bytes: u64,
}

impl Folder<'_> {
    fn end_file(&mut self) -> io::Result<()> {
        if let Some(mut file) = self.open.take() {
            let done = file.flush();
            self.bytes += file.end();
            done?;
        }
        Ok(())
    }

    fn remove(&mut self, is_new: bool) {
        if let Some(file) = self.open.take() {
            file.end();
        }
        self.written.iter().for_each(|path| remove(path));
        if is_new {
            let _ = fs::remove_dir(self.path);
        }
    }
}

impl Archive for Folder<'_> {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        self.end_file()?;
        let path = self.path.join(name);
        if is_input(self.inputs, &path) {
            self.over_input = Some(path);
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        self.written.push(path);
        self.open = Some(Progress::new(file, self.bytes, io::stderr().is_terminal()));
        Ok(())
    }
}

impl Write for Folder<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open.as_mut().map_or(Err(io::ErrorKind::InvalidInput.into()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// How many bytes are written between two lines of progress.
const SHOWN_EVERY: u64 = 32 << 20;

/// A sink that counts, and on a terminal says how far it is.
struct Progress<W: Write> {
    out: W,
    bytes: u64,
    /// Bytes of the files before this one.
    before: u64,
    /// What was said last; `None` where nothing is said.
    shown: Option<u64>,
}

impl<W: Write> Progress<W> {
    fn new(out: W, before: u64, is_shown: bool) -> Self {
        Self { out, bytes: 0, before, shown: is_shown.then_some(before) }
    }

    /// How many bytes there were.
    fn end(self) -> u64 {
        if self.shown.is_some_and(|shown| shown > self.before) {
            // Nothing is left to do where even that cannot be written.
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
        self.bytes
    }
}

impl<W: Write> Write for Progress<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        if let Some(shown) = &mut self.shown
            && self.before + self.bytes >= *shown + SHOWN_EVERY
        {
            *shown = self.before + self.bytes;
            let line = say!("export-progress", size = units::bytes(*shown));
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
