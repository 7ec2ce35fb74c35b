//! `steplens export`: the trace as a file of another tool.

use super::Loaded;
use super::report::{is_input, own_name};
use crate::args::{self, ExportFormat};
use crate::failure::{Failure, reason};
use crate::input::inputs;
use crate::render::{units, visible};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use steplens_export::{ArrowCounts, chrome, perfetto, timeline};
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
    let written = write_to(&args.output, |out| write(args, &loaded, out));
    let (bytes, arrows) = match written {
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
    if arrows.backwards > 0 {
        let transfers = units::plural(arrows.backwards, message!("program-transfers", count));
        let note = say!("export-backwards", transfers);
        // Nothing is left to do where even that cannot be written.
        let _ = writeln!(io::stderr(), "steplens: {note}");
    }
    loaded.report_problems(false)
}

fn write(args: &args::Export, loaded: &Loaded, out: &mut dyn Write) -> io::Result<ArrowCounts> {
    let study = &loaded.study;
    match args.format {
        ExportFormat::Timeline => {
            let options =
                timeline::Options { show_dataflow: !args.no_dataflow, show_memory: args.show_memory };
            timeline::write(study.trace(), options, out)?;
        }
        ExportFormat::Chrome => return chrome::write(study, out),
        ExportFormat::Perfetto => return perfetto::write(study, out),
        ExportFormat::Session => {
            // The folders of this machine do not concern whom it is sent to.
            let mut files = loaded.files.clone();
            files.iter_mut().for_each(|file| file.name = own_name(&file.name));
            out.write_all(&session::write(study.trace(), &files))?;
        }
    }
    Ok(ArrowCounts::default())
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
