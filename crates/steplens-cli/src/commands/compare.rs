//! `steplens compare`: what differs between two traces, and where the difference of their steps comes from.

use super::{Out, Print, headline};
use crate::args;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::Range;
use steplens_core::compare::Comparison;
use steplens_host::failure::Failure;
use steplens_host::reading::loaded::Loaded;
use steplens_host::reading::memory_limit;
use steplens_host::sides::{self, Compared};
use steplens_messages::{message, say};
use steplens_report::compare::{Compare, write_csv};

pub(super) fn run(args: &args::Compare) -> Result<(), Failure> {
    let [step_a, step_b] = chosen(args.step.as_deref())?;
    let mut reading = args.reading.clone();
    memory_limit::share_of_two(&mut reading);
    let a = read(&reading, &args.a, args.devices_a.as_ref(), step_a)?;
    let b = read(&reading, &args.b, args.devices_b.as_ref(), step_b)?;
    let found = Comparison::made(a.side(), b.side());
    let answer = sides::answer(&found, [&a, &b], args.align.as_deref())?;
    let printed = a.loaded.print(&args.form, |out| {
        if args.form.json {
            return writeln!(out, "{}", answer.to_text());
        } else if args.form.csv {
            return write_csv(&answer, out);
        }
        write_text(out, Screen::new(args.form.color), [&a.loaded, &b.loaded], &answer, args.length.rows())
    });
    b.loaded.report_problems(args.form.json)?;
    printed
}

/// The steps of a trace that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// The step with the median length of all.
    Typical,
    /// One step, from 1.
    One(usize),
    /// The step with the median length of these rows.
    Of(Range<usize>),
}

/// The steps of A and of B: `N` or `N..M` for both, or two of them with a comma.
pub(super) fn chosen(text: Option<&str>) -> Result<[Chosen; 2], Failure> {
    let Some(text) = text else { return Ok([Chosen::Typical, Chosen::Typical]) };
    let place = |text: &str| text.trim().parse().ok().filter(|&place: &usize| place > 0);
    let one = |text: &str| match text.split_once("..") {
        None => place(text).map(Chosen::One),
        Some((first, last)) => {
            let rows = place(first)? - 1..place(last)?;
            (!rows.is_empty()).then_some(Chosen::Of(rows))
        }
    };
    let both = match text.split_once(',') {
        Some((a, b)) => one(a).zip(one(b)),
        None => one(text).map(|own| (own.clone(), own)),
    };
    let unreadable = || Failure::Option("step", say!("option-compare-step", text));
    both.map(|(a, b)| [a, b]).ok_or_else(unreadable)
}

/// Reads a side. `devices` are those of this side, if it has its own.
pub(super) fn read(
    reading: &args::Reading,
    file: &OsString,
    devices: Option<&String>,
    chosen: Chosen,
) -> Result<Compared, Failure> {
    let mut reading = reading.clone();
    if let Some(devices) = devices {
        reading.devices = Some(devices.clone());
    }
    let (step, group) = match chosen {
        Chosen::Typical => (None, None),
        Chosen::One(place) => (Some(place), None),
        Chosen::Of(rows) => (None, Some(rows)),
    };
    Compared::read(&args::Files { files: vec![file.clone()], reading, window: None, step }, group)
}

fn write_text(
    out: &mut Out,
    screen: Screen,
    sides: [&Loaded; 2],
    answer: &Compare<'_>,
    limit: usize,
) -> io::Result<()> {
    for (name, loaded) in [say!("compare-of-a"), say!("compare-of-b")].into_iter().zip(sides) {
        write!(out, "{name}: ")?;
        headline::write(out, screen, loaded)?;
    }
    writeln!(out, "{}", screen.strong_sentence(&answer.sentence))?;
    for row in &answer.not_comparable {
        writeln!(out, "{}", screen.sentence(&row.sentence, ""))?;
        writeln!(out, "{}", screen.note(&format!("  {}", row.still)))?;
    }
    if let Some(own) = &answer.aligned {
        writeln!(out, "{}", screen.sentence(&own.sentence, ""))?;
    }
    write_waterfall(out, screen, answer)?;
    write_findings(out, screen, answer)?;
    write_matches(out, screen, answer, limit)?;
    write_op_types(out, screen, answer, limit)?;
    write_links(out, screen, answer, limit)?;
    write_memory(out, screen, answer, limit)?;
    writeln!(out, "\n{}", screen.title(say!("compare-steps-title"), say!("compare-steps-about")))?;
    writeln!(out, "{}", screen.sentence(&answer.steps.sentence, ""))
}

fn write_waterfall(out: &mut Out, screen: Screen, answer: &Compare<'_>) -> io::Result<()> {
    if answer.waterfall.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("compare-waterfall-title"), say!("compare-waterfall-about")))?;
    for row in &answer.waterfall {
        writeln!(out, "{}", screen.sentence(&visible(&row.sentence), "  "))?;
    }
    if let Some(doubt) = &answer.doubt {
        writeln!(out, "{}", screen.sentence(doubt, ""))?;
    }
    Ok(())
}

/// What would help in one of them only.
fn write_findings(out: &mut Out, screen: Screen, answer: &Compare<'_>) -> io::Result<()> {
    let rows = answer.findings.iter().flatten().filter(|row| row.change != "both");
    let lines: Vec<String> = rows
        .map(|row| match row.change {
            "new" => say!("compare-finding-new", what = visible(&row.what)),
            _ => say!("compare-finding-gone", what = visible(&row.what)),
        })
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("compare-findings-title"), say!("compare-findings-about")))?;
    lines.iter().try_for_each(|line| writeln!(out, "{}", screen.sentence(line, "  ")))
}

fn write_matches(out: &mut Out, screen: Screen, answer: &Compare<'_>, limit: usize) -> io::Result<()> {
    writeln!(out, "\n{}", screen.title(say!("compare-matches-title"), say!("compare-matches-about")))?;
    let own = &answer.matches;
    let said = say!(
        "compare-matches",
        exact = units::count(own.exact),
        renumbered = units::count(own.renumbered),
        structural = units::count(own.structural),
        edited = units::count(own.edited),
        a = units::count(own.only_a),
        b = units::count(own.only_b)
    );
    writeln!(out, "{}", screen.sentence(&said, ""))?;
    if own.retyped > 0 {
        writeln!(out, "{}", screen.sentence(&say!("compare-retyped", count = own.retyped), ""))?;
    }
    if own.reshaped > 0 {
        writeln!(out, "{}", screen.sentence(&say!("compare-reshaped", count = own.reshaped), ""))?;
    }
    if own.not_aligned > 0 {
        writeln!(out, "{}", screen.sentence(&say!("compare-not-aligned", count = own.not_aligned), ""))?;
    }
    let rows = [(say!("compare-of-a"), &answer.unmatched_a), (say!("compare-of-b"), &answer.unmatched_b)];
    if rows.iter().all(|(_, rows)| rows.is_empty()) {
        return Ok(());
    }
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-compare-count"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-compare-total"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-compare-type"), ColumnKind::Name(20), 1)
        .column(say!("title-compare-alone"), ColumnKind::Name(30), ALWAYS);
    for (side, rows) in rows {
        for row in rows.iter().take(limit) {
            let cells: Vec<Cell> = vec![
                side.to_owned().into(),
                units::count(row.count).into(),
                units::duration(row.total_ns).into(),
                visible(row.op_type).into_owned().into(),
                visible(row.name).into_owned().into(),
            ];
            table.row(cells);
        }
    }
    table.write(out, screen)?;
    let most = answer.unmatched_a.len().max(answer.unmatched_b.len());
    screen.write_more(out, most, limit, message!("compare-more-rows", count))
}

/// A table of durations of both sides.
fn times(name: &'static str) -> Table {
    Table::default()
        .column(say!("compare-of-a"), ColumnKind::Figure, ALWAYS)
        .column(say!("compare-of-b"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-compare-difference"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-compare-ratio"), ColumnKind::Figure, 2)
        .column(name, ColumnKind::Name(30), ALWAYS)
}

fn cells(a: i64, b: i64, name: &str) -> Vec<Cell> {
    vec![
        units::duration(a).into(),
        units::duration(b).into(),
        signed(b.saturating_sub(a)).into(),
        times_as(a, b).into(),
        visible(name).into_owned().into(),
    ]
}

fn times_as(a: i64, b: i64) -> String {
    if a > 0 { format!("{:.2}", b as f64 / a as f64) } else { units::UNKNOWN.to_owned() }
}

fn signed(difference: i64) -> String {
    let sign = if difference > 0 { "+" } else { "" };
    format!("{sign}{}", units::duration(difference))
}

fn write_op_types(out: &mut Out, screen: Screen, answer: &Compare<'_>, limit: usize) -> io::Result<()> {
    writeln!(out, "\n{}", screen.title(say!("compare-types-title"), say!("compare-types-about")))?;
    let mut table = times(say!("title-compare-type"));
    let rows: Vec<_> = answer.op_types.iter().filter(|row| row.difference_ns != 0).collect();
    for row in rows.iter().take(limit) {
        table.row(cells(row.self_a_ns, row.self_b_ns, row.op_type));
    }
    if rows.is_empty() {
        return writeln!(out, "{}", screen.note(say!("compare-nothing")));
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("compare-more-rows", count))
}

fn write_links(out: &mut Out, screen: Screen, answer: &Compare<'_>, limit: usize) -> io::Result<()> {
    let rows: Vec<_> = answer.links.iter().filter(|row| row.difference_ns != 0).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("compare-links-title"), say!("compare-links-about")))?;
    let mut table = times(say!("title-compare-link"));
    for row in rows.iter().take(limit) {
        let [source, destination] =
            [&row.source, &row.destination].map(|end| steplens_report::names::place_label(end));
        table.row(cells(row.busy_a_ns, row.busy_b_ns, &format!("{source} -> {destination}")));
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("compare-more-rows", count))
}

fn write_memory(out: &mut Out, screen: Screen, answer: &Compare<'_>, limit: usize) -> io::Result<()> {
    let rows: Vec<_> = answer.memory.iter().filter(|row| row.difference_bytes != Some(0)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("compare-memory-title"), say!("compare-memory-about")))?;
    let mut table = Table::default()
        .column(say!("compare-of-a"), ColumnKind::Figure, ALWAYS)
        .column(say!("compare-of-b"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-compare-ratio"), ColumnKind::Figure, 2)
        .column(say!("title-compare-allocator"), ColumnKind::Name(30), ALWAYS);
    let peak = |bytes: Option<u64>| bytes.map_or_else(|| units::UNKNOWN.to_owned(), units::bytes);
    for row in rows.iter().take(limit) {
        let ratio = row.ratio.map_or_else(|| units::UNKNOWN.to_owned(), |ratio| format!("{ratio:.2}"));
        let device = row.device.map(steplens_report::names::place_label).unwrap_or_default();
        let name = format!("{device} {}", row.allocator);
        let cells: Vec<Cell> = vec![
            peak(row.peak_a_bytes).into(),
            peak(row.peak_b_bytes).into(),
            ratio.into(),
            visible(name.trim()).into_owned().into(),
        ];
        table.row(cells);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("compare-more-rows", count))
}
