//! `steplens summary`: how the step divides, on every device.

use super::{Loaded, Out, headline, op_types};
use crate::args;
use crate::failure::Failure;
use crate::render::bar::{self, Part};
use crate::render::names::{device_label, shortened, task_label};
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, Kind, Table};
use crate::render::{Screen, units};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_formats::csv;
use steplens_formats::json::{self, Device, SplitNs, Summary};

/// How many op types the summary shows; `steplens ops` shows more.
const OP_TYPES: usize = 8;
/// The longest name of a device in front of its strip.
const MAX_NAME: usize = 24;

pub(super) fn run(args: &args::Summary) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let summary = json::summary(&loaded.study, &loaded.files);
    loaded.print(&args.form, |out| {
        if args.form.json {
            return writeln!(out, "{}", summary.to_text());
        } else if args.form.csv {
            return csv::write_summary(&summary, out);
        }
        let screen = Screen::new(args.form.color);
        headline::write(out, screen, &loaded)?;
        let places = Places::of(&loaded.study);
        let labels = places.of_devices(&loaded.study);
        write_step(out, screen, &summary)?;
        write_devices(out, screen, &summary, &labels)?;
        write_over_time(out, screen, &loaded.study, &labels)?;
        op_types::write(out, screen, &loaded.study, OP_TYPES)
    })
}

fn amounts(split: SplitNs) -> [i64; 4] {
    [split.compute_ns, split.exposed_copy_ns, split.exposed_communication_ns, split.idle_ns]
}

/// All devices together: one bar and what its parts are.
fn write_step(out: &mut Out, screen: Screen, summary: &Summary) -> io::Result<()> {
    let split = summary.step;
    writeln!(
        out,
        "{}",
        screen.title("the step", "all devices together: compute where any device computes, and so on")
    )?;
    writeln!(out, "{}", bar::draw(&bar::divided(amounts(split), screen.width), screen.palette))?;
    let mut table = Table::default()
        .column("", Kind::Text, ALWAYS)
        .column("", Kind::Text, ALWAYS)
        .column("", Kind::Figure, ALWAYS)
        .column("", Kind::Figure, ALWAYS)
        .column("", Kind::Text, 1);
    for (part, amount) in Part::ALL.into_iter().zip(amounts(split)) {
        let note = match part {
            Part::Communication if split.communication_ns > 0 => format!(
                "of {}; {} hides behind compute",
                units::duration(split.communication_ns),
                units::share(split.overlapped_communication_ns, split.communication_ns)
            ),
            _ => String::new(),
        };
        table.row([
            Cell::Text(part.glyph().to_string(), part.tint()),
            part.word().to_owned().into(),
            units::duration(amount).into(),
            units::share(amount, split.window_ns).into(),
            Cell::Text(note, crate::render::color::Tint::Muted),
        ]);
    }
    table.write(out, screen)?;
    writeln!(out)
}

/// Each device under its task, with how its time divides.
fn write_devices(out: &mut Out, screen: Screen, summary: &Summary, labels: &[&str]) -> io::Result<()> {
    let devices = &summary.devices;
    let any = |figure: fn(&Device) -> u64| devices.iter().any(|device| figure(device) > 0);
    let has_copies = any(|device| device.split.exposed_copy_ns as u64);
    let has_communication = any(|device| device.split.communication_ns as u64);
    let (has_received, has_sent) = (any(|device| device.received_bytes), any(|device| device.sent_bytes));
    let when = |wanted: bool, text: String| Cell::from(if wanted { text } else { String::new() });
    let mut table = Table::default()
        .column("device", Kind::Name(18), ALWAYS)
        .column("", Kind::Bar(10, 48), 9)
        .column("compute", Kind::Figure, 8)
        .column("copy*", Kind::Figure, 6)
        .column("comm.*", Kind::Figure, 7)
        .column("idle", Kind::Figure, 5)
        .column("ops", Kind::Figure, 4)
        .column("received", Kind::Figure, 3)
        .column("sent", Kind::Figure, 2)
        .column("lanes", Kind::Figure, 1);
    let one_each = devices.iter().all(|device| device.task.is_some())
        && devices.windows(2).all(|pair| pair[0].task != pair[1].task);
    let mut task = None;
    for (device, label) in devices.iter().zip(labels) {
        if !one_each && task.replace(&device.task) != Some(&device.task) {
            table.heading(device.task.as_deref().map_or_else(|| "no task".to_owned(), task_label));
        }
        let name = if one_each { (*label).to_owned() } else { format!("  {}", device_label(&device.name)) };
        table.row([
            name.into(),
            Cell::Bar(amounts(device.split)),
            units::duration(device.split.compute_ns).into(),
            when(has_copies, units::duration(device.split.exposed_copy_ns)),
            when(has_communication, units::duration(device.split.exposed_communication_ns)),
            units::duration(device.split.idle_ns).into(),
            units::count(device.ops as u64).into(),
            when(has_received, units::bytes(device.received_bytes)),
            when(has_sent, units::bytes(device.sent_bytes)),
            units::count(device.lanes as u64).into(),
        ]);
    }
    table.write(out, screen)?;
    if has_copies || has_communication {
        writeln!(
            out,
            "{}",
            screen.note("* exposed: while nothing computes (and, for communication, nothing copies)")
        )?;
    }
    if devices.iter().any(|device| device.kind == "stream") {
        let note =
            "stream:all and memcpy repeat the numbered streams; the step and the op types count that once";
        writeln!(out, "{}", screen.note(note))?;
    }
    writeln!(out)
}

/// What each device did when: one cell for each slice of the step.
fn write_over_time(out: &mut Out, screen: Screen, study: &Study, labels: &[&str]) -> io::Result<()> {
    let span = study.trace().span();
    if span.length().0 == 0 {
        return Ok(());
    }
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).clamp(4, MAX_NAME);
    let cells = screen.width - width - 2;
    let strip = |coverage: &steplens_core::analysis::coverage::Coverage| {
        bar::draw(&bar::over_time(&coverage.shares(span, cells)), screen.palette)
    };
    writeln!(out, "{}", screen.title("over time", "each mark is what took most of its slice of the step"))?;
    if labels.len() > 1 {
        writeln!(out, "{:width$}  {}", "step", strip(study.together()))?;
    }
    for (label, coverage) in labels.iter().zip(study.coverage()) {
        writeln!(out, "{:width$}  {}", shortened(label, width), strip(coverage))?;
    }
    let end = units::duration(span.length().0);
    let gap = cells.saturating_sub(1);
    writeln!(out, "{:width$}  {}\n", "", screen.muted(&format!("0{end:>gap$}")))
}
