//! `steplens clocks`: the clock offsets of the tasks, estimated from the tensors that they sent each other.

use super::{Loaded, Out, Print, headline};
use crate::args::{Asking, Whole};
use crate::render::names::task_label;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::collections::BTreeMap;
use std::io::{self, Write};
use steplens_core::clocks::{Ahead, ClockChoice, ClockSetting, Clocks, NoDrift, TaskClock, count};
use steplens_core::{Nanos, Trace};
use steplens_host::failure::Failure;
use steplens_messages::{Grouped, say};
use steplens_report as report;

/// What says something of the clocks, as the title of a column.
fn of_what(clocks: &Clocks) -> &'static str {
    if clocks.is_by_collectives() { say!("title-of-collectives") } else { say!("title-transfers") }
}

pub(super) type Args = Asking<report::clocks::Options, Whole>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let setting = loaded.study.view().clocks.clone().unwrap_or_else(|| ClockSetting {
            choice: ClockChoice::estimated(),
            clocks: loaded.shown().clocks(),
        });
        headline::write(out, screen, &loaded)?;
        let sentence = report::clocks::sentence(&setting.clocks);
        let first = sentence.chars().next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        let sentence = format!("{first}{}.", visible(sentence.get(first.len()..).unwrap_or_default()));
        writeln!(out, "{}\n", screen.sentence(&sentence, ""))?;
        if setting.clocks.tasks.len() < 2 {
            return Ok(());
        }
        let labels = labels(&loaded.whole, &setting.clocks);
        write_tasks(out, screen, &loaded.whole, &setting, &labels)?;
        Ok(write_pairs(out, screen, &loaded.whole, &setting, &labels)?)
    })
}

/// The label of each task: `worker 1`, or the whole name if another task would get the same label.
fn labels(trace: &Trace, clocks: &Clocks) -> Vec<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for clock in &clocks.tasks {
        *times.entry(task_label(trace.text(clock.task))).or_default() += 1;
    }
    let label = |name: &str| match task_label(name) {
        label if times.get(&label) == Some(&1) => label,
        _ => visible(name).into_owned(),
    };
    clocks.tasks.iter().map(|clock| label(trace.text(clock.task))).collect()
}

fn write_tasks(
    out: &mut Out,
    screen: Screen,
    trace: &Trace,
    setting: &ClockSetting,
    labels: &[String],
) -> io::Result<()> {
    let clocks = &setting.clocks;
    let reference = clocks.tasks.iter().position(|clock| Some(clock.task) == clocks.reference);
    let note = match reference.and_then(|row| labels.get(row)) {
        Some(reference) => say!("clocks-ahead-of", reference),
        None => say!("clocks-no-tasks").to_owned(),
    };
    writeln!(out, "{}", screen.title(say!("clocks-title"), &note))?;
    let is_by_hand = !setting.choice.by_hand.is_empty();
    let mut table = Table::default()
        .column(say!("title-task"), ColumnKind::Location(16), ALWAYS)
        .column(say!("title-ahead-by"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-at-least"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-at-most"), ColumnKind::Figure, ALWAYS);
    if is_by_hand {
        table = table.column(say!("title-set-to"), ColumnKind::Figure, ALWAYS);
    }
    table = table
        .column(say!("title-drift-ppm"), ColumnKind::Figure, 3)
        .column(of_what(clocks), ColumnKind::Figure, 1)
        .column("", ColumnKind::Text, 4);
    let duration = |length: Option<Nanos>| units::maybe_duration(length.map(|length| length.0));
    for (row, clock) in clocks.tasks.iter().enumerate() {
        let mut cells = vec![
            labels[row].clone().into(),
            duration(Some(clock.applied.at_middle)).into(),
            duration(clock.low).into(),
            duration(clock.high).into(),
        ];
        if is_by_hand {
            cells.push(duration(Some(setting.ahead(trace, row).at_middle)).into());
        }
        cells.extend([drift(clock).into(), units::count(clock.transfers).into(), remark(clock).into()]);
        table.row(cells);
    }
    table.write(out, screen)
}

/// The drift and its bounds: `0.2 (-0.1 to 0.5)`.
fn drift(clock: &TaskClock) -> String {
    let ppm = |ppb: i64| format!("{:.1}", ppb as f64 / 1e3);
    clock.drift.map_or("–".to_owned(), |drift| {
        say!(
            "clocks-drift-range",
            best = ppm(drift.best_ppb),
            low = ppm(drift.low_ppb),
            high = ppm(drift.high_ppb)
        )
    })
}

fn remark(clock: &TaskClock) -> String {
    let unknown = match report::clocks::unknown_because(clock) {
        Some("one-way") => say!("clocks-one-way"),
        Some(_) => say!("clocks-no-tensor"),
        None => match clock.drift {
            Ok(drift) if drift.is_applied => say!("clocks-drift-subtracted"),
            Err(NoDrift::NoLine) => say!("clocks-no-steady-drift"),
            _ => "",
        },
    };
    unknown.to_owned()
}

/// Writes, for each pair of tasks, what arrives before it is sent.
fn write_pairs(
    out: &mut Out,
    screen: Screen,
    trace: &Trace,
    setting: &ClockSetting,
    labels: &[String],
) -> io::Result<()> {
    let clocks = &setting.clocks;
    let before = clocks.violations(&|_| Ahead::default());
    let after = clocks.violations(&|row| setting.ahead(trace, row));
    let (early, left) = (Grouped(count(&before)), units::count(count(&after)));
    let violations = match clocks.is_by_collectives() {
        true => say!("clocks-violations-ends", count = early, after = left),
        false => say!("clocks-violations", count = early, after = left),
    };
    writeln!(out, "\n{violations}")?;
    if count(&before) + count(&after) == 0 {
        return Ok(());
    }
    let mut table = Table::default()
        .column(say!("title-from"), ColumnKind::Location(16), ALWAYS)
        .column(say!("title-to"), ColumnKind::Location(16), ALWAYS)
        .column(of_what(clocks), ColumnKind::Figure, 1)
        .column(say!("title-too-early"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-by-up-to"), ColumnKind::Figure, 2)
        .column(say!("title-afterwards"), ColumnKind::Figure, ALWAYS);
    for (before, after) in before.iter().zip(&after).filter(|(before, after)| before.count + after.count > 0)
    {
        let name = |row: u32| labels[row as usize].clone();
        table.row([
            name(before.source).into(),
            name(before.destination).into(),
            units::count(before.transfers).into(),
            units::count(before.count).into(),
            units::duration(before.most.0).into(),
            units::count(after.count).into(),
        ]);
    }
    table.write(out, screen)
}
