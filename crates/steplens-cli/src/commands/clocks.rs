//! `steplens clocks`: how far the clocks of the tasks are apart, told by the tensors that went between them.

use super::{Loaded, Out, headline};
use crate::args::{self, Form};
use crate::failure::Failure;
use crate::render::table::{ALWAYS, Kind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::analysis::clocks::{Clocks, TaskClock};
use steplens_formats::json;

pub(super) fn run(args: &args::Clocks) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let clocks = Clocks::of(&loaded.study.trace, &loaded.study.transfers);
    loaded.print(&Form { json: args.json, csv: false, color: args.color }, |out| {
        if args.json {
            return writeln!(out, "{}", json::clocks(&loaded.study, &clocks));
        }
        let screen = Screen::new(args.color);
        headline::write(out, screen, &loaded)?;
        write(out, screen, &loaded.study, &clocks)
    })
}

fn write(out: &mut Out, screen: Screen, study: &Study, clocks: &Clocks) -> io::Result<()> {
    let name = |task| visible(study.trace.text(task)).into_owned();
    let note = match clocks.reference {
        Some(reference) => format!("how far ahead of {}", name(reference)),
        None => "no device has a task".to_owned(),
    };
    writeln!(out, "{}", screen.title("clocks", &note))?;
    let mut table = Table::default()
        .column("task", Kind::Name(16), ALWAYS)
        .column("ahead by", Kind::Figure, ALWAYS)
        .column("at least", Kind::Figure, ALWAYS)
        .column("at most", Kind::Figure, ALWAYS)
        .column("transfers", Kind::Figure, 1)
        .column("", Kind::Text, 2);
    for clock in &clocks.tasks {
        let duration =
            |length: Option<steplens_core::Nanos>| units::maybe_duration(length.map(|length| length.0));
        table.row([
            name(clock.task).into(),
            duration(clock.offset).into(),
            duration(clock.low).into(),
            duration(clock.high).into(),
            units::count(clock.transfers).into(),
            why_unknown(clock).to_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    writeln!(
        out,
        "\n{}, {} with these offsets subtracted",
        units::plural(clocks.violations_before, "tensor") + " received before it was made",
        units::count(clocks.violations_after)
    )
}

fn why_unknown(clock: &TaskClock) -> &'static str {
    match json::unknown_because(clock) {
        Some("one-way") => "tensors went one way only",
        Some(_) => "no tensor went between it and the others",
        None => "",
    }
}
