//! `steplens export`: the trace as a file of another tool, or as several.

use super::Loaded;
use super::report::{is_input, own_name};
use crate::args::{self, ExportFormat};
use crate::failure::{Failure, reason};
use crate::input::inputs;
use crate::render::{units, visible};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use steplens_export::archive::{Archive, Zip};
use steplens_export::{ArrowCounts, chakra, chrome, csv, perfetto, timeline};
use steplens_formats::session;
use steplens_messages::{message, say};

pub(super) fn run(args: &args::Export) -> Result<(), Failure> {
    if is_input(&inputs(&args.files.files)?, &args.output) {
        return Err(Failure::Sentence(say!("export-over-input", path = args.output.display().to_string())));
    }
    let mut files = args.files.clone();
    if args.format == ExportFormat::Perfetto && files.clocks.is_empty() {
        // Perfetto draws an arrow from what is earlier, whatever made what.
        files.clocks.push("estimated".to_owned());
    }
    let loaded = Loaded::read_with(&files, |opener| match args.format {
        ExportFormat::Timeline => opener.keep_file_order(),
        _ => opener,
    })?;
    let written = match args.format {
        ExportFormat::Csv | ExportFormat::Chakra => write_files(args, &loaded),
        _ => write_to(&args.output, |out| write(args, &loaded, out)),
    };
    let (bytes, left_out) = match written {
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => return Err(Failure::ClosedPipe),
        Err(why) => {
            let path = args.output.display().to_string();
            return Err(Failure::Sentence(say!("export-not-written", path, why = reason(&why))));
        }
        Ok(written) => written,
    };
    if args.output != Path::new("-") {
        let (path, size) = (args.output.to_string_lossy(), units::bytes(bytes));
        writeln!(io::stdout(), "{}", say!("export-written", path = visible(&path), size))?;
    }
    let note = match left_out {
        LeftOut::Nothing => None,
        LeftOut::Arrows(count) => Some(say!(
            "export-backwards",
            transfers = units::plural(count, message!("program-transfers", count))
        )),
        LeftOut::Inputs(count) => Some(say!(
            "export-inputs-backwards",
            edges = units::plural(count, message!("program-edges", count))
        )),
    };
    if let Some(note) = note {
        // Nothing is left to do where even that cannot be written.
        let _ = writeln!(io::stderr(), "steplens: {note}");
    }
    loaded.report_problems(false)
}

/// What a format could not hold of the trace: how many, none is 0.
enum LeftOut {
    Nothing,
    Arrows(u64),
    Inputs(u64),
}

impl From<ArrowCounts> for LeftOut {
    fn from(counts: ArrowCounts) -> Self {
        if counts.backwards > 0 { Self::Arrows(counts.backwards) } else { Self::Nothing }
    }
}

/// Writes a format of several files: into a folder, or as a ZIP where the name ends so or it goes to standard output.
fn write_files(args: &args::Export, loaded: &Loaded) -> io::Result<(u64, LeftOut)> {
    let fill = |out: &mut dyn Archive| match args.format {
        ExportFormat::Chakra => {
            let backwards = chakra::write(&loaded.study, out)?.backwards;
            Ok(if backwards > 0 { LeftOut::Inputs(backwards) } else { LeftOut::Nothing })
        }
        _ => csv::write(&loaded.study, out).map(|()| LeftOut::Nothing),
    };
    let is_zip = args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    if is_zip || args.output == Path::new("-") {
        return write_to(&args.output, |out| {
            let mut zip = Zip::new(out);
            let left_out = fill(&mut zip)?;
            zip.finish().map(|()| left_out)
        });
    }
    fs::create_dir_all(&args.output)?;
    let mut folder = Folder { path: args.output.clone(), file: None, bytes: 0 };
    let left_out = fill(&mut folder).and_then(|left_out| folder.flush().map(|()| left_out));
    Ok((folder.bytes, left_out?))
}

/// A folder that takes files one after another.
struct Folder {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    bytes: u64,
}

impl Archive for Folder {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        self.flush()?;
        self.file = Some(BufWriter::new(File::create(self.path.join(name))?));
        Ok(())
    }
}

impl Write for Folder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

fn write(args: &args::Export, loaded: &Loaded, out: &mut dyn Write) -> io::Result<LeftOut> {
    let study = &loaded.study;
    match args.format {
        ExportFormat::Timeline => {
            let options =
                timeline::Options { show_dataflow: !args.no_dataflow, show_memory: args.show_memory };
            timeline::write(study.trace(), options, out)?;
        }
        ExportFormat::Chrome => return chrome::write(study, out).map(LeftOut::from),
        ExportFormat::Perfetto => return perfetto::write(study, out).map(LeftOut::from),
        // Of several files.
        ExportFormat::Csv | ExportFormat::Chakra => {}
        ExportFormat::Session => {
            // The folders of this machine do not concern whom it is sent to.
            let mut files = loaded.files.clone();
            files.iter_mut().for_each(|file| file.name = own_name(&file.name));
            out.write_all(&session::write(study.trace(), &files))?;
        }
    }
    Ok(LeftOut::Nothing)
}

/// Lets `write` fill the file at `path`, or standard output; returns how many bytes it took. A file that could not be written whole
/// does not stay.
fn write_to<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<(u64, T)> {
    let is_stdout = path == Path::new("-");
    let sink: Box<dyn Write> = match is_stdout {
        true => Box::new(io::stdout().lock()),
        false => Box::new(File::create(path)?),
    };
    let mut out = Progress { out: BufWriter::with_capacity(1 << 16, sink), bytes: 0, shown: None };
    if !is_stdout && io::stderr().is_terminal() {
        out.shown = Some(0);
    }
    let done = write(&mut out).and_then(|done| out.flush().map(|()| done));
    let bytes = out.end();
    if done.is_err() && !is_stdout {
        // What matters is why it could not be written.
        let _ = fs::remove_file(path);
    }
    done.map(|done| (bytes, done))
}

/// How many bytes are written between two lines of progress.
const SHOWN_EVERY: u64 = 32 << 20;

/// A sink that counts, and on a terminal says how far it is.
struct Progress<W: Write> {
    out: W,
    bytes: u64,
    /// What was said last; `None` where nothing is said.
    shown: Option<u64>,
}

impl<W: Write> Progress<W> {
    fn end(self) -> u64 {
        if self.shown.is_some_and(|shown| shown > 0) {
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
            && self.bytes >= *shown + SHOWN_EVERY
        {
            *shown = self.bytes;
            let line = say!("export-progress", size = units::bytes(self.bytes));
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
