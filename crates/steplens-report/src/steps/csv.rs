//! The steps as CSV.

use crate::csv::{SPLIT, Sheet};
use std::io::{self, Write};
use steplens_core::model::file::FileReport;
use steplens_core::steps::figures::step_figures;
use steplens_core::steps::rule::Steps;
use steplens_core::{Category, Trace};

const BEFORE: [&str; 8] =
    ["file", "name", "number", "recorded_unix_ns", "parts", "ops", "start_ns", "window_ns"];
const AFTER: [&str; 2] = ["transferred_bytes", "pause_before_ns"];

/// Writes the steps of `steplens.steps/1` as one sheet.
pub fn write_csv(trace: &Trace, steps: &Steps, files: &[FileReport], out: &mut impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, &[&BEFORE[..], &SPLIT, &AFTER].concat())?;
    for (step, own) in steps.rows().iter().zip(step_figures(trace, steps)) {
        let part = step.parts.first().and_then(|part| trace.parts().get(part.index()));
        sheet.text(part.and_then(|part| files.get(part.file as usize)).map_or("", |file| &file.name))?;
        sheet.text(part.map_or("", |part| trace.text(part.name)))?;
        sheet.maybe(part.and_then(|part| part.step))?;
        sheet.maybe(part.and_then(|part| part.recorded_unix_ns))?;
        sheet.figures([step.parts.len() as u64, step.ops])?;
        let split = own.split;
        sheet.figures([step.span.start.0, split.window.0])?;
        for category in Category::parts() {
            sheet.figures([split.part(category).0])?;
        }
        sheet.figures([split.idle.0])?;
        sheet.figures([own.transferred.0])?;
        sheet.figures([step.pause_before.0])?;
        sheet.end()?;
    }
    sheet.finish()
}
