//! `steplens summary`: how the time of the step divides, on every device.

use super::{Loaded, Out, Print, clocks_first, findings, headline, op_types};
use crate::args::{Asking, Whole};
use crate::render::bar::{self, WindowPart};
use crate::render::names::{accelerator_label, device_label, shortened, task_label};
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::collections::BTreeSet;
use std::io::{self, Write};
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::timeline::coverage::Shares;
use steplens_core::{Category, Nanos, Study};
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::question::Question;
use steplens_report::summary::{DeviceSummary, DeviceTotals, Options, Split, Summary};

/// How many op types the summary shows; `steplens ops` shows more.
const OP_TYPES: usize = 8;
/// The kind of devices that repeat the ops of an executor.
const HOST_PROFILER: &str = "host-profiler";
/// The longest device name in front of a strip, in columns.
const MAX_NAME: usize = 24;

pub(super) type Args = Asking<Options, Whole>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let summary = args.question.answer(&loaded.shown())?;
        let clocks_differ = clocks_first::write(out, screen, &loaded)?;
        if let (Some(verdict), Some(main)) = (&summary.verdict, &summary.verdict_main) {
            writeln!(out, "{}\n", screen.verdict(&visible(verdict), &visible(main)))?;
        }
        headline::write(out, screen, &loaded)?;
        if clocks_differ {
            writeln!(out, "{}\n", screen.note(say!("program-clocks-as-recorded")))?;
        }
        let places = Places::of(&loaded.study);
        let mut labels = places.of_devices(&loaded.study);
        // The devices of a host profiler come last. They repeat ops, so they are not shown.
        labels.truncate(summary.devices.iter().take_while(|device| device.kind != HOST_PROFILER).count());
        let what =
            match (summary.view.is_recording, summary.view.step.is_none() && loaded.study.has_several()) {
                (true, _) => say!("summary-the-recording"),
                (_, true) => say!("summary-all-steps"),
                _ => say!("summary-the-step"),
            };
        write_step(out, screen, &loaded.study, what, clocks_differ)?;
        findings::write_first(out, screen, &loaded)?;
        write_devices(out, screen, &summary, &labels)?;
        write_over_time(out, screen, &loaded.study, &labels)?;
        Ok(op_types::write(out, screen, &loaded.study, OP_TYPES)?)
    })
}

/// Writes the step bar, and an explanation of its parts below it.
fn write_step(
    out: &mut Out,
    screen: Screen,
    study: &Study,
    what: &str,
    clocks_differ: bool,
) -> io::Result<()> {
    let span = study.trace().span();
    let (split, any) = (study.step_split(span), study.split(None, span));
    let accelerators = accelerators(study.trace()).len() as u64;
    let devices = study.counted().count();
    let of = match accelerators {
        0 if devices == 1 => say!("summary-only-device").to_owned(),
        1 => say!("summary-only-accelerator").to_owned(),
        0 => say!(
            "summary-mean-of-devices",
            devices = units::plural(devices, message!("program-devices", count))
        ),
        all if devices < all as usize => {
            say!("summary-mean-of-computing", count = devices.to_string(), all = all.to_string())
        }
        _ => say!(
            "summary-mean-of-accelerators",
            accelerators = units::plural(accelerators, message!("program-accelerators", count))
        ),
    };
    writeln!(out, "{}", screen.title(what, &of))?;
    let amounts = WindowPart::amounts(&split);
    writeln!(out, "{}", bar::draw(&bar::divided(amounts, screen.width), screen.palette))?;
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column("", ColumnKind::Text, ALWAYS)
        .column("", ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Text, 1);
    for (part, amount) in WindowPart::ALL.into_iter().zip(amounts) {
        // Parts that a step does not have are not shown.
        if amount == 0 && part != WindowPart::Idle && part != WindowPart::Of(Category::Compute) {
            continue;
        }
        let note = match part {
            WindowPart::Of(Category::Communication) if split.communication.0 > 0 => say!(
                "summary-hidden",
                length = units::duration(split.communication.0),
                share = units::share(split.overlapped_communication.0, split.communication.0)
            ),
            _ => String::new(),
        };
        table.row([
            Cell::Text(part.glyph().to_string(), part.tint()),
            part.word().to_owned().into(),
            units::duration(amount).into(),
            units::share(amount, split.window.0).into(),
            Cell::Text(note, crate::render::color::Tint::Muted),
        ]);
    }
    table.write(out, screen)?;
    // When any device was busy is not known while the clocks differ.
    if !clocks_differ && (study.bar().len() > 1 || any != split) {
        let share = |part: Nanos| units::share(part.0, any.window.0);
        let note = say!(
            "summary-any-device",
            compute = share(any.compute),
            communication = share(any.exposed_communication),
            idle = share(any.idle)
        );
        writeln!(out, "{}", screen.note(&note))?;
    }
    writeln!(out)
}

/// Writes each device under its task, with how its time divides.
fn write_devices(out: &mut Out, screen: Screen, summary: &Summary, labels: &[&str]) -> io::Result<()> {
    let devices = &summary.devices[..labels.len().min(summary.devices.len())];
    let any = |figure: fn(&DeviceSummary) -> u64| devices.iter().any(|device| figure(device) > 0);
    let has_input = any(|device| device.split.exposed_input_ns as u64);
    let has_launches = any(|device| device.split.exposed_launch_ns as u64);
    let has_allocations = any(|device| device.split.exposed_allocation_ns as u64);
    let has_waiting = any(|device| device.split.exposed_waiting_ns as u64);
    let has_copies = any(|device| device.split.exposed_copy_ns as u64);
    let has_communication = any(|device| device.split.communication_ns as u64);
    let (has_received, has_sent) = (
        any(|device| device.totals.unwrap_or_default().received_bytes),
        any(|device| device.totals.unwrap_or_default().sent_bytes),
    );
    let when = |wanted: bool, text: String| Cell::from(if wanted { text } else { String::new() });
    let mut table = Table::default()
        .column(say!("title-device"), ColumnKind::Location(18), ALWAYS)
        .column("", ColumnKind::Bar(10, 48), 9)
        .column(say!("title-compute"), ColumnKind::Figure, 8)
        .column(say!("title-input-exposed"), ColumnKind::Figure, 6)
        .column(say!("title-copy-exposed"), ColumnKind::Figure, 6)
        .column(say!("title-comm-exposed"), ColumnKind::Figure, 7)
        .column(say!("title-launch-exposed"), ColumnKind::Figure, 5)
        .column(say!("title-allocation-exposed"), ColumnKind::Figure, 5)
        .column(say!("title-waiting-exposed"), ColumnKind::Figure, 5)
        .column(say!("title-idle"), ColumnKind::Figure, 5)
        .column(say!("title-ops"), ColumnKind::Figure, 4)
        .column(say!("title-received"), ColumnKind::Figure, 3)
        .column(say!("title-sent"), ColumnKind::Figure, 2)
        .column(say!("title-lanes"), ColumnKind::Figure, 1);
    let one_each = devices.iter().all(|device| device.task.is_some())
        && devices.windows(2).all(|pair| pair[0].task != pair[1].task);
    let row = |name: String, split: &Split, ops: usize, totals: Option<DeviceTotals>, lanes: String| {
        let totals = totals.unwrap_or_default();
        // A device with only Python frames and annotations would be shown as idle.
        let works = split.busy_ns > 0;
        let figure = |ns: i64| if works { units::duration(ns) } else { units::UNKNOWN.to_owned() };
        [
            name.into(),
            if works { Cell::Bar(device_amounts(split)) } else { say!("summary-no-work").to_owned().into() },
            figure(split.compute_ns).into(),
            when(has_input, figure(split.exposed_input_ns)),
            when(has_copies, figure(split.exposed_copy_ns)),
            when(has_communication, figure(split.exposed_communication_ns)),
            when(has_launches, figure(split.exposed_launch_ns)),
            when(has_allocations, figure(split.exposed_allocation_ns)),
            when(has_waiting, figure(split.exposed_waiting_ns)),
            figure(split.idle_ns).into(),
            units::count(ops as u64).into(),
            when(has_received, units::bytes(totals.received_bytes)),
            when(has_sent, units::bytes(totals.sent_bytes)),
            lanes.into(),
        ]
    };
    let dispatched = summary.accelerators.iter().flat_map(|gpu| gpu.dispatched_by.iter().copied());
    let dispatched: BTreeSet<u32> = dispatched.collect();
    let mut task = None;
    for ((place, device), label) in (0..).zip(devices).zip(labels) {
        if !one_each && task.replace(&device.task) != Some(&device.task) {
            table.heading(
                device.task.as_deref().map_or_else(|| say!("summary-no-task").to_owned(), task_label),
            );
        }
        let mut name = device_label(&device.name);
        if let Some(gpu) = device.accelerator.map(|row| &summary.accelerators[row]) {
            let streams = match gpu.streams {
                0 | 1 => String::new(),
                streams => format!(", {}", units::plural(streams, message!("program-streams", count))),
            };
            let whole = accelerator_label(&gpu.name) + &streams;
            if !is_stream(device) {
                name = whole;
            } else if gpu.devices.first() == Some(&place) {
                // The row for the whole GPU stands above its streams.
                table.row(row(format!("  {whole}"), &gpu.split, gpu.ops, None, String::new()));
            }
        } else if device.without_kernels || dispatched.contains(&place) {
            name.push_str(" dispatch");
        }
        let name = match (one_each, is_stream(device)) {
            (true, _) if device.without_kernels => [*label, " dispatch"].concat(),
            (true, _) => (*label).to_owned(),
            (_, true) => format!("    {}", visible(device.name.rsplit('/').next().unwrap_or_default())),
            _ => format!("  {name}"),
        };
        let lanes = units::count(device.lanes as u64);
        table.row(row(name, &device.split, device.ops, device.totals, lanes));
    }
    table.write(out, screen)?;
    if has_input || has_copies || has_communication || has_launches || has_allocations || has_waiting {
        let note = say!("summary-exposed-about");
        writeln!(out, "{}", screen.note(note))?;
    }
    if devices.iter().any(is_stream) {
        let note = say!("summary-streams-about");
        writeln!(out, "{}", screen.note(note))?;
    }
    if let Some(profile) = &summary.host_profile {
        writeln!(out, "{}", screen.note(&profile.sentence))?;
    }
    writeln!(out)
}

/// Whether the device is one of several that hold the ops of one GPU.
fn is_stream(device: &DeviceSummary) -> bool {
    matches!(device.kind, "stream" | "stream-all" | "memcpy")
}

fn device_amounts(split: &Split) -> bar::Amounts {
    [
        split.compute_ns,
        split.exposed_input_ns,
        split.exposed_copy_ns,
        split.exposed_communication_ns,
        split.exposed_launch_ns,
        split.exposed_allocation_ns,
        split.exposed_waiting_ns,
        split.idle_ns,
    ]
}

/// Writes what each device did over time: one cell for each slice of the step.
fn write_over_time(out: &mut Out, screen: Screen, study: &Study, labels: &[&str]) -> io::Result<()> {
    let span = study.trace().span();
    if span.length().0 == 0 {
        return Ok(());
    }
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).clamp(4, MAX_NAME);
    let cells = screen.width - width - 2;
    let strip = |shares: &[Shares]| bar::draw(&bar::over_time(shares), screen.palette);
    writeln!(out, "{}", screen.title(say!("summary-over-time"), say!("summary-over-time-about")))?;
    if labels.len() > 1 {
        writeln!(out, "{:width$}  {}", say!("summary-any"), strip(&study.together().shares(span, cells)))?;
    }
    for (label, coverage) in labels.iter().zip(study.coverage()) {
        writeln!(out, "{:width$}  {}", shortened(label, width), strip(&coverage.shares(span, cells)))?;
    }
    let end = units::duration(span.length().0);
    let gap = cells.saturating_sub(1);
    writeln!(out, "{:width$}  {}\n", "", screen.muted(&format!("0{end:>gap$}")))
}
