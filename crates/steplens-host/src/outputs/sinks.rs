//! What a result is written to: a file, standard output, a ZIP, or a folder.

use super::growing::Growing;
use super::inputs::is_input;
use super::unfinished::Unfinished;
use crate::progress::Progress;
use crate::reading::input::Input;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use steplens_export::archive::{Archive, Zip};

/// How many bytes are buffered before they go to the system.
const GATHERED: usize = 1 << 16;

/// Lets `write` fill the file at `path`, or standard output. Returns how many bytes were written. What stood at `path` stays if the
/// file could not be written completely.
///
/// While it writes, it shows `progress`, and ends with an error when that is stopped.
pub(super) fn one_file<T>(
    path: &Path,
    progress: Progress,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(u64, T)> {
    let is_stdout = is_stdout(path);
    let unfinished = Unfinished::new();
    let sink: Box<dyn Write> = match is_stdout {
        true => Box::new(io::stdout().lock()),
        false => Box::new(Growing::new(unfinished.file(path)?)),
    };
    let out = BufWriter::with_capacity(GATHERED, sink);
    let mut out = Counted { out, progress };
    let done = write(&mut out)?;
    out.flush()?;
    let Counted { out, progress } = out;
    // Some systems cannot rename an open file.
    drop(out);
    unfinished.keep()?;
    Ok((progress.done(), done))
}

/// Whether `path` stands for standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Counts `bytes`. The error ends the writing; who stopped it knows why.
fn count(progress: &mut Progress, bytes: usize) -> io::Result<()> {
    progress.add(bytes as u64);
    if progress.is_stopped() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
}

/// Why several files were not written.
pub(super) enum Refused {
    /// One of them has the name of an input.
    Input(PathBuf),
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(why: io::Error) -> Self {
        Self::Io(why)
    }
}

/// Lets `fill` write several files: into the folder at `path`, or into a ZIP if the name ends in `.zip` or the output is standard
/// output. Returns how many bytes were written. If one of the files could not be written completely, none is, and those that stood
/// there stay.
pub(super) fn several_files<T>(
    path: &Path,
    inputs: &[Input],
    progress: Progress,
    fill: impl FnOnce(&mut dyn Archive) -> io::Result<T>,
) -> Result<(u64, T), Refused> {
    let is_zip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    if is_zip || is_stdout(path) {
        return Ok(one_file(path, progress, |out| {
            let mut zip = Zip::new(out);
            let done = fill(&mut zip)?;
            zip.finish().map(|()| done)
        })?);
    }
    let unfinished = Unfinished::new();
    unfinished.folder(path)?;
    let mut folder = Folder { path, inputs, unfinished, open: None, over_input: None, progress };
    let done = fill(&mut folder).and_then(|done| folder.end_file().map(|()| done));
    match done {
        Ok(done) => {
            folder.unfinished.keep()?;
            Ok((folder.progress.done(), done))
        }
        Err(why) => Err(folder.over_input.take().map_or(Refused::Io(why), Refused::Input)),
    }
}

/// A folder that takes files one after another.
struct Folder<'a> {
    path: &'a Path,
    inputs: &'a [Input],
    open: Option<BufWriter<Growing>>,
    /// This field comes after the open file, because some systems cannot remove an open file.
    unfinished: Unfinished,
    over_input: Option<PathBuf>,
    /// The progress over all files.
    progress: Progress,
}

impl Folder<'_> {
    fn end_file(&mut self) -> io::Result<()> {
        self.open.take().map_or(Ok(()), |mut file| file.flush())
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
        self.open = Some(BufWriter::with_capacity(GATHERED, Growing::new(self.unfinished.file(&path)?)));
        Ok(())
    }
}

impl Write for Folder<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count =
            self.open.as_mut().map_or(Err(io::ErrorKind::InvalidInput.into()), |file| file.write(bytes))?;
        self::count(&mut self.progress, count)?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// A sink that counts bytes, and shows the progress on a terminal.
struct Counted<W: Write> {
    out: W,
    progress: Progress,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self::count(&mut self.progress, count)?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
