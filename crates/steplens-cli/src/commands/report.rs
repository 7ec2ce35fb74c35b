//! `steplens report`: the page with the trace inside, as one file.

use crate::args;
use crate::page;
use crate::render::{units, visible};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use steplens_core::CategoryRules;
use steplens_formats::Opened;
use steplens_host::failure::Failure;
use steplens_host::outputs::{self, Output};
use steplens_host::reading::at_once;
use steplens_host::reading::input::{Input, inputs};
use steplens_host::reading::loaded::is_named;
use steplens_host::reading::opening;
use steplens_host::shared::{Shared, hiding, only_traces};
use steplens_messages::say;

pub(super) fn run(args: &args::Report) -> Result<(), Failure> {
    let template = page::template()?;
    let inputs = inputs(&args.files.files)?;
    let output = Output::at(&args.output, &inputs)?;
    // The page applies the patterns itself, so that the reader can undo them.
    opening::rules(&args.files)?;
    let window = opening::window(&args.files, &inputs)?;
    let Opened { trace, files, shown, .. } = read(args, &inputs, window.clone())?;
    let shared = Shared { trace: Arc::new(trace), files, shown: &shown, inputs: &inputs, window };
    let page = shared.page(&args.files, &template, hiding::included(&args.include), &args.view)?;
    outputs::remove_when_stopped();
    let size = units::bytes(output.write_bytes(&page)?);
    if output.is_stdout() {
        return Ok(());
    }
    let path = args.output.to_string_lossy();
    Ok(writeln!(io::stdout(), "{}", say!("report-written", path = visible(&path), size))?)
}

/// The trace, and the reports of the files that contain a part of it.
///
/// Other files of a folder are left out, because the report is sent to others.
fn read(args: &args::Report, inputs: &[Input], window: Option<Range<i64>>) -> Result<Opened, Failure> {
    let mut opener = opening::opener(&args.files, window, CategoryRules::default())?;
    let progress = at_once::open_all(inputs, &mut opener)?;
    let mut opened = opening::finish(opener, inputs)?;
    drop(progress);
    let unusable = opened.files.iter().find(|file| file.is_unreadable() && is_named(inputs, file));
    if let Some(file) = unusable {
        let why = file.problems.last().map(|why| format!("{} [{}]", why.detail, why.code));
        return Err(Failure::Sentence(
            why.unwrap_or_else(|| format!("{}: {}", file.name, say!("report-no-op"))),
        ));
    }
    (opened.trace, opened.files) = only_traces(opened.trace, opened.files);
    Ok(opened)
}
