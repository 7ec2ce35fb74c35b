//! `steplens export`: the trace as a file of another tool, or as several.

mod sinks;

use super::Loaded;
use super::report::{is_input, own_name};
use crate::args::{self, ExportFormat};
use crate::failure::{Failure, reason};
use crate::input::inputs;
use crate::render::{units, visible};
use sinks::Refused;
use std::io::{self, Write};
use std::path::Path;
use steplens_export::archive::Archive;
use steplens_export::{ArrowCounts, chakra, chrome, csv, perfetto, timeline};
use steplens_formats::session;
use steplens_messages::{message, say};

pub(super) fn run(args: &args::Export) -> Result<(), Failure> {
    let inputs = inputs(&args.files.files)?;
    if is_input(&inputs, &args.output) {
        return Err(over_input(&args.output));
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
        ExportFormat::Csv | ExportFormat::Parquet | ExportFormat::Chakra => {
            sinks::several_files(&args.output, &inputs, |out| write_files(args.format, &loaded, out))
        }
        _ => sinks::one_file(&args.output, |out| write(args, &loaded, out)).map_err(Refused::Io),
    };
    let (bytes, left_out) = match written {
        Err(Refused::Input(path)) => return Err(over_input(&path)),
        Err(Refused::Io(why)) if why.kind() == io::ErrorKind::BrokenPipe => return Err(Failure::ClosedPipe),
        Err(Refused::Io(why)) => {
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

fn over_input(path: &Path) -> Failure {
    Failure::Sentence(say!("export-over-input", path = path.display().to_string()))
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

/// Writes a format of several files.
fn write_files(format: ExportFormat, loaded: &Loaded, out: &mut dyn Archive) -> io::Result<LeftOut> {
    let study = &loaded.study;
    match format {
        ExportFormat::Chakra => {
            let backwards = chakra::write(study, out)?.backwards;
            return Ok(if backwards > 0 { LeftOut::Inputs(backwards) } else { LeftOut::Nothing });
        }
        ExportFormat::Parquet => steplens_parquet::write(study, out)?,
        _ => csv::write(study, out)?,
    }
    Ok(LeftOut::Nothing)
}

/// Writes a format of one file.
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
        ExportFormat::Csv | ExportFormat::Parquet | ExportFormat::Chakra => {}
        ExportFormat::Session => {
            // The folders of this machine do not concern whom it is sent to.
            let mut files = loaded.files.clone();
            files.iter_mut().for_each(|file| file.name = own_name(&file.name));
            out.write_all(&session::write(study.trace(), &files))?;
        }
    }
    Ok(LeftOut::Nothing)
}
