//! `steplens steps`: the steps and runs in the files, with what is usual and what stands out.

use super::{Loaded, Out, Print, headline};
use crate::args::Asking;
use crate::render::bar;
use crate::render::color::Tint;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::model::file::FileReport;
use steplens_core::model::part::Part;
use steplens_core::steps::ended_by::ended_by;
use steplens_core::steps::figures::{StepFigures, Usual, is_usual, step_figures};
use steplens_core::steps::rule::{Step, Steps};
use steplens_core::{Nanos, Trace};
use steplens_host::failure::Failure;
use steplens_messages::{Message, message, say};
use steplens_report::steps::Options;

pub(super) type Args = Asking<Options>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let (trace, steps) = loaded.study.view().steps(&loaded.whole);
        headline::write(out, screen, &loaded)?;
        // Nothing says how many steps such a recording is.
        let is_recording = steplens_report::recording::is_recording(&loaded.study, &loaded.files);
        Ok(write(out, screen, (&trace, &steps, is_recording), &loaded.files, args.length.rows())?)
    })
}

/// A figure of a step: its name, whether it is left out if no step has it, and the function for its length.
type Figure = (&'static Message, bool, fn(&Step, &StepFigures) -> i64);

const FIGURES: [Figure; 9] = [
    (message!("title-length"), false, |_, own| own.split.window.0),
    (message!("title-compute"), false, |_, own| own.split.compute.0),
    (message!("steps-exposed-input"), true, |_, own| own.split.exposed_input.0),
    (message!("steps-exposed-copy"), true, |_, own| own.split.exposed_copy.0),
    (message!("steps-exposed-communication"), true, |_, own| own.split.exposed_communication.0),
    (message!("steps-exposed-launch"), true, |_, own| own.split.exposed_launch.0),
    (message!("steps-exposed-allocation"), true, |_, own| own.split.exposed_allocation.0),
    (message!("steps-exposed-waiting"), true, |_, own| own.split.exposed_waiting.0),
    (message!("title-idle"), false, |_, own| own.split.idle.0),
];

fn write(
    out: &mut Out,
    screen: Screen,
    (trace, steps, is_recording): (&Trace, &Steps, bool),
    files: &[FileReport],
    limit: usize,
) -> io::Result<()> {
    let figures = step_figures(trace, steps);
    let rows = || steps.rows().iter().zip(&figures);
    let is_usual = is_usual(steps);
    let counted = || rows().zip(&is_usual).filter(|(_, is_usual)| **is_usual).map(|(step, _)| step);
    let windows = Usual::computed(counted().map(|(_, own)| own.split.window.0));
    let title = match is_recording && steps.count() == 1 {
        true => say!("steps-recording").to_owned(),
        false => units::plural(steps.count(), message!("program-steps", count)),
    };
    let title = match ended_by(trace, steps) {
        Some(range) => say!("steps-ended-by", steps = title, range = visible(range)),
        None => title,
    };
    let others = steps.rows().iter().any(|step| step.runs_other_graph);
    let title = match steps.rows().len() - steps.count() {
        0 => title,
        count if others => say!("steps-and-others", steps = title, count),
        _ => say!("steps-and-before", steps = title),
    };
    writeln!(out, "{}", screen.title(&title, say!("steps-about")))?;
    let mut table = Table::default()
        .column(say!("title-step"), ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-number"), ColumnKind::Figure, 6)
        .column("--step", ColumnKind::Figure, ALWAYS)
        .column(say!("title-name"), ColumnKind::Name(16), 5)
        .column(say!("title-file"), ColumnKind::Name(12), 2)
        .column(say!("title-starts"), ColumnKind::Figure, 3)
        .column(say!("title-ops"), ColumnKind::Figure, 7)
        .column(say!("title-length"), ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Bar(6, 24), 1)
        .column(say!("title-compute"), ColumnKind::Figure, 4)
        .column(say!("title-exposed-comm"), ColumnKind::Figure, 4)
        .column(say!("title-idle"), ColumnKind::Figure, 4)
        .column(say!("title-pause-before"), ColumnKind::Figure, 3);
    // What `--step` takes is said where it is not what the step is called.
    let differs = (1..).zip(steps.rows()).any(|(place, step)| step.called != Some(place));
    for (row, (step, own)) in rows().enumerate().take(limit) {
        let part = first_part(trace, step);
        let stands_out = is_usual[row] && windows.is_some_and(|usual| usual.stands_out(own.split.window.0));
        let split = own.split;
        let number = part.and_then(|part| part.step).filter(|&number| step.called != Some(number));
        let duration = |ns: i64| if step.ops > 0 { units::duration(ns) } else { units::UNKNOWN.to_owned() };
        let pause = Some(step.pause_before).filter(|&pause| pause > Nanos(0));
        table.row([
            step.called.map_or_else(String::new, |called| called.to_string()).into(),
            Cell::Text(if stands_out { "*" } else { "" }.to_owned(), Tint::Plain),
            number.map_or_else(String::new, |number| number.to_string()).into(),
            if differs { (row + 1).to_string() } else { String::new() }.into(),
            part.map_or_else(String::new, |part| visible(trace.text(part.name)).into_owned()).into(),
            part.and_then(|part| files.get(part.file as usize))
                .map_or_else(String::new, |file| visible(&file.name).into_owned())
                .into(),
            duration(step.span.start.0).into(),
            units::count(step.ops).into(),
            duration(split.window.0).into(),
            Cell::Bar(bar::WindowPart::amounts(&split)),
            duration(split.compute.0).into(),
            duration(split.exposed_communication.0).into(),
            duration(split.idle.0).into(),
            pause.map_or_else(String::new, |pause| units::duration(pause.0)).into(),
        ]);
    }
    table.write(out, screen)?;
    if steps.rows().len() > limit {
        let more = units::plural(steps.rows().len() - limit, message!("program-more-steps", count));
        writeln!(out, "{}", screen.note(&say!("more-not-shown", more)))?;
    }
    if counted().count() < 2 {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("steps-usual"), say!("steps-usual-about")))?;
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-mean"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-deviation"), ColumnKind::Figure, 5)
        .column(say!("title-least"), ColumnKind::Figure, 3)
        .column(say!("title-p50"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-p99"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-most"), ColumnKind::Figure, 4);
    for (name, may_be_left_out, figure) in FIGURES {
        let Some(usual) = Usual::computed(counted().map(|(step, own)| figure(step, own))) else { continue };
        if usual.max == 0 && may_be_left_out {
            continue;
        }
        table.row([
            Cell::from(name.plain().to_owned()),
            units::duration(usual.mean.round() as i64).into(),
            units::duration(usual.deviation.round() as i64).into(),
            units::duration(usual.min).into(),
            units::duration(usual.p50).into(),
            units::duration(usual.p99).into(),
            units::duration(usual.max).into(),
        ]);
    }
    table.write(out, screen)
}

/// The part that names a step.
fn first_part<'a>(trace: &'a Trace, step: &Step) -> Option<&'a Part> {
    step.parts.first().and_then(|part| trace.parts().get(part.index()))
}
