//! `steplens critical-path --steps`: how often each op is on the path of several steps.

use super::{Loaded, Out, Print, clocks_first, headline};
use crate::args;
use crate::render::names::step_label;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use std::ops::Range;
use steplens_core::{Study, View};
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::causality::{PathOverSteps, category_words};

pub(super) fn run(args: &args::CriticalPath, steps: &str) -> Result<(), Failure> {
    let rows = rows(steps)?;
    let loaded = Loaded::read(&args.asked.files)?;
    let view = View { step: None, ..loaded.study.view().clone() };
    let path = PathOverSteps::of(&loaded.whole, &view, rows);
    loaded.print(&args.asked.form, |out| {
        if args.asked.form.json {
            return writeln!(out, "{}", path.to_text());
        } else if args.asked.form.csv {
            return path.write_csv(out);
        }
        let screen = Screen::new(args.asked.form.color);
        clocks_first::write(out, screen, &loaded)?;
        headline::write(out, screen, &loaded)?;
        writeln!(out, "{}", screen.sentence(&path.sentence, ""))?;
        if path.clocks.is_some() {
            return Ok(());
        }
        write_steps(out, screen, &path, args.asked.length.rows(), &loaded.study)?;
        write_ops(out, screen, &path, args.asked.length.rows(), &loaded)
    })
}

/// Parses `all`, `3`, or `3..8` (from 1, both ends included) into rows.
fn rows(text: &str) -> Result<Range<usize>, Failure> {
    let unreadable = || Failure::Option("steps", say!("option-over-steps", text));
    if text == "all" {
        return Ok(0..usize::MAX);
    }
    let number = |text: &str| text.trim().parse().ok().filter(|&number| number > 0).ok_or_else(unreadable);
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last): (usize, usize) = (number(first)?, number(last)?);
    if last < first { Err(unreadable()) } else { Ok(first - 1..last) }
}

fn write_steps(
    out: &mut Out,
    screen: Screen,
    path: &PathOverSteps,
    limit: usize,
    study: &Study,
) -> io::Result<()> {
    let about = say!("path-steps-about");
    writeln!(out, "\n{}", screen.title(say!("path-steps"), about))?;
    let mut table = Table::default()
        .column(say!("title-step"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-length"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-static"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-no-cause"), ColumnKind::Figure, 2)
        .column(say!("title-most"), ColumnKind::Figure, 1)
        .column(say!("title-most-is"), ColumnKind::Text, 1);
    for row in path.steps.iter().take(limit) {
        table.row([
            step_label(study, row.step).into(),
            units::duration(row.length_ns).into(),
            units::duration(row.static_ns).into(),
            units::duration(row.unexplained_ns).into(),
            units::duration(row.most_ns).into(),
            category_words(row.most).to_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, path.steps.len(), limit, message!("program-more-steps", count))
}

fn write_ops(
    out: &mut Out,
    screen: Screen,
    path: &PathOverSteps,
    limit: usize,
    loaded: &Loaded,
) -> io::Result<()> {
    let about = say!("path-steps-ops-about");
    writeln!(out, "\n{}", screen.title(say!("path-steps-ops"), about))?;
    let places = Places::of(&loaded.study);
    let mut table = Table::default()
        .column(say!("title-steps"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-share"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-time"), ColumnKind::Figure, 3)
        .column(say!("title-longest"), ColumnKind::Figure, 2)
        .column(say!("title-in-step"), ColumnKind::Figure, 1)
        .column(say!("title-device"), ColumnKind::Location(8), 4)
        .column(say!("title-op"), ColumnKind::Name(30), ALWAYS);
    for row in path.ops.iter().take(limit) {
        let name = loaded.whole.strings().find(&row.device);
        table.row([
            say!("path-steps-count", steps = row.steps, all = path.steps.len()).into(),
            units::share((row.median_share * 1e6) as i64, 1_000_000).into(),
            units::duration(row.length_ns).into(),
            units::duration(row.longest_ns).into(),
            step_label(&loaded.study, row.longest_step).into(),
            name.map_or("", |name| places.label(name)).to_owned().into(),
            visible(&row.op).into_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, path.ops.len(), limit, message!("program-more-ops", count))
}
