//! `steplens export`: the trace as a file of another tool, or as several.

mod sinks;
mod to_tensorflow;
mod unfinished;

use super::Loaded;
use super::report::{is_input, own_name};
use crate::args::{self, ExportFormat};
use crate::failure::{Failure, reason};
use crate::input::inputs;
use crate::opening::rules;
use crate::render::{units, visible};
use sinks::Refused;
use std::io::{self, Write};
use std::path::Path;
use steplens_export::archive::Archive;
use steplens_export::{ArrowCounts, chakra, chrome, csv, perfetto, timeline};
use steplens_formats::session::{self, Shown};
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
    if args.format == ExportFormat::Session {
        // Whoever opens it applies them, and can take them back.
        rules(&files)?;
        files.communication.clear();
    }
    let loaded = Loaded::read_with(&files, |opener| match args.format {
        ExportFormat::Timeline
        | ExportFormat::RunMetadata
        | ExportFormat::Tfvis
        | ExportFormat::TensorflowTracer => opener.keep_file_order(),
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
    for note in left_out {
        // Nothing is left to do where even that cannot be written.
        let _ = writeln!(io::stderr(), "steplens: {note}");
    }
    loaded.report_problems(false)
}

fn over_input(path: &Path) -> Failure {
    Failure::Sentence(say!("export-over-input", path = path.display().to_string()))
}

/// What a format could not hold of the trace: a sentence for each kind of thing.
type LeftOut = Vec<String>;

fn without_arrow(counts: ArrowCounts) -> LeftOut {
    let transfers = units::plural(counts.backwards, message!("program-transfers", count));
    if counts.backwards > 0 { vec![say!("export-backwards", transfers)] } else { LeftOut::new() }
}

/// Writes a format of several files.
fn write_files(format: ExportFormat, loaded: &Loaded, out: &mut dyn Archive) -> io::Result<LeftOut> {
    let study = &loaded.study;
    match format {
        ExportFormat::Chakra => {
            let backwards = chakra::write(study, out)?.backwards;
            let edges = units::plural(backwards, message!("program-edges", count));
            return Ok(if backwards > 0 {
                vec![say!("export-inputs-backwards", edges)]
            } else {
                LeftOut::new()
            });
        }
        ExportFormat::Parquet => steplens_parquet::write(study, out)?,
        _ => csv::write(study, out)?,
    }
    Ok(LeftOut::new())
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
        ExportFormat::Chrome => return chrome::write(study, out).map(without_arrow),
        ExportFormat::Perfetto => return perfetto::write(study, out).map(without_arrow),
        ExportFormat::RunMetadata => return to_tensorflow::run_metadata(study.trace(), out),
        ExportFormat::Tfvis => return to_tensorflow::tfvis(study.trace(), out),
        ExportFormat::TensorflowTracer => return to_tensorflow::session(loaded, out),
        // Of several files.
        ExportFormat::Csv | ExportFormat::Parquet | ExportFormat::Chakra => {}
        ExportFormat::Session => {
            // The folders of this machine do not concern whom it is sent to.
            let mut files = loaded.files.clone();
            files.iter_mut().for_each(|file| file.name = own_name(&file.name));
            let shown = Shown { view: args.view.clone(), communication: args.files.communication.clone() };
            out.write_all(&session::write_shown(study.trace(), &files, &shown))?;
        }
    }
    Ok(LeftOut::new())
}
