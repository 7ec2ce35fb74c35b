//! `steplens report`: the page with the trace inside, as one file.

mod hiding;

use super::is_named;
use crate::args;
use crate::failure::{Failure, reason};
use crate::input::{self, Input, inputs};
use crate::opening;
use crate::page;
use crate::render::{units, visible};
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use steplens_core::CategoryRules;
use steplens_core::redact::Included;
use steplens_formats::export::{Contents, Options, session_name, single_file};
use steplens_formats::{Opened, session};
use steplens_messages::say;

pub(super) fn run(args: &args::Report) -> Result<(), Failure> {
    let template = page::template()?;
    let inputs = inputs(&args.files.files)?;
    if is_input(&inputs, &args.output) {
        return Err(Failure::Sentence(say!("report-over-input", path = args.output.display().to_string())));
    }
    // The page applies the patterns itself, so that the reader can undo them.
    let rules = opening::rules(&args.files)?;
    let window = opening::window(&args.files, &inputs)?;
    let opened = read(args, &inputs, window.clone())?;
    let kept = opening::kept(&args.files, &opened);
    let (trace, files) = (Arc::new(opened.trace), opened.files);
    let patterned = opening::patterned(&args.files, &kept, &trace.with_patterns(&rules));
    let view = match args.view.trim_start_matches('#') {
        "" => kept.fragment(&opening::view(&args.files, &kept, &patterned)?, &trace),
        view => view.to_owned(),
    };
    let communication = match args.files.communication.as_slice() {
        [] => kept.communication,
        own => own.to_vec(),
    };
    let page = if hiding::included(args) == Included::ALL {
        let contents = Contents {
            view,
            options: opened_with(args, communication, &inputs, window),
            name: session_name(&files),
            session: session::write(&trace, &files),
        };
        single_file(&template, &contents).ok_or_else(no_place)?
    } else {
        hiding::redacted_page(args, &template, &patterned, &files, &view)?
    };
    if args.output == Path::new("-") {
        return Ok(io::stdout().write_all(&page)?);
    }
    let shown = args.output.to_string_lossy();
    fs::write(&args.output, &page)
        .map_err(|why| Failure::Sentence(say!("report-not-written", shown, why = reason(&why))))?;
    let size = units::bytes(page.len() as u64);
    Ok(writeln!(io::stdout(), "{}", say!("report-written", path = visible(&shown), size))?)
}

/// What the page says about how the trace was opened, and what it selects by when files are opened again. The selection is given
/// only if it means the same there. A window that is open at one end has no length to show.
fn opened_with(
    args: &args::Report,
    communication: Vec<String>,
    inputs: &[Input],
    window: Option<Range<i64>>,
) -> Options {
    // Devices of a named process had other names when they were selected.
    let is_as_read = inputs.iter().all(|input| input.process.is_none());
    let window = window.filter(|window| is_as_read && window.start > i64::MIN && window.end < i64::MAX);
    Options {
        communication,
        devices: args.files.devices.clone().filter(|_| is_as_read),
        window_unix_ns: window.map(|window| [window.start, window.end].map(|at| at.to_string())),
    }
}

fn no_place() -> Failure {
    Failure::Sentence(say!("report-no-place").to_owned())
}

/// The trace, and the reports of the files that contain a part of it.
///
/// Other files of a folder are left out, because the report is sent to others.
fn read(args: &args::Report, inputs: &[Input], window: Option<Range<i64>>) -> Result<Opened, Failure> {
    let mut opener = opening::opener(&args.files, window, CategoryRules::default())?;
    let progress = input::open_all(inputs, &mut opener)?;
    let mut opened = opening::finish(opener, inputs)?;
    drop(progress);
    let unusable = opened.files.iter().find(|file| file.is_unreadable() && is_named(inputs, file));
    if let Some(file) = unusable {
        let why = file.problems.last().map(|why| format!("{} [{}]", why.detail, why.code));
        return Err(Failure::Sentence(
            why.unwrap_or_else(|| format!("{}: {}", file.name, say!("report-no-op"))),
        ));
    }
    let mut kept = 0;
    let new_file = opened.files.iter().map(|report| {
        let place = kept;
        kept += u32::from(report.ops > 0);
        place
    });
    opened.trace = opened.trace.with_files(&new_file.collect::<Vec<_>>());
    opened.files.retain(|report| report.ops > 0);
    opened.files.iter_mut().for_each(|report| report.name = own_name(&report.name));
    Ok(opened)
}

/// The name of a file without its folder. The page goes to others, who should not see the folders of this machine.
pub(super) fn own_name(name: &str) -> String {
    let own = Path::new(name).file_name();
    own.map_or_else(|| name.to_owned(), |own| own.to_string_lossy().into_owned())
}

/// Whether `output` is one of the inputs.
pub(super) fn is_input(inputs: &[Input], output: &Path) -> bool {
    let same = |path: &Path| {
        let there = fs::canonicalize(output);
        there.is_ok_and(|there| fs::canonicalize(path).is_ok_and(|path| path == there))
    };
    inputs.iter().filter_map(|input| input.path.as_deref()).any(same)
}
