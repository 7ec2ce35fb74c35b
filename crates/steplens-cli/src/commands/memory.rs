//! `steplens memory`: which bytes were alive when, what was alive at the peak, and what kept it alive.

use super::{Loaded, Out, Print, headline};
use crate::args::Asking;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::memory::{Account, Basis, By, Reading};
use steplens_host::failure::Failure;
use steplens_messages::{Grouped, message, say};
use steplens_report as report;
use steplens_report::memory::{MemoryReading as Reported, MemoryReport, Options};

pub(super) type Args = Asking<Options>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let by = args.question.by();
        headline::write(out, screen, &loaded)?;
        let read = report::memory::report(&loaded.study, &loaded.files);
        write_accounts(out, screen, &loaded.study, &read, args.length.rows())?;
        let reading = args.question.reading().or_else(|| Reading::of_word(read.readings.first()?.reading));
        if let Some(reading) = reading {
            let accounts = &loaded.study.memory(reading).accounts;
            // Of accounts with equal peaks, the first one.
            match accounts.iter().rev().max_by_key(|account| account.peak().0) {
                Some(account) => {
                    write_peak(out, screen, &loaded.study, (reading, account), by, args.length.rows())?
                }
                None => writeln!(
                    out,
                    "{}\n",
                    screen.sentence(&say!("memory-nothing-for", reading = reading_words(reading)), "")
                )?,
            }
        }
        match &read.recorded_by {
            Some(option) => Ok(writeln!(out, "{}", screen.sentence(&visible(option), ""))?),
            None => Ok(()),
        }
    })
}

fn label(study: &Study, places: &Places, account: &Account) -> String {
    let name = |device| study.trace().devices().get(device).name;
    account
        .device
        .map_or_else(|| say!("memory-all-devices").to_owned(), |device| places.label(name(device)).to_owned())
}

fn allocator(name: &str) -> String {
    if name.is_empty() { say!("memory-not-named").to_owned() } else { visible(name).into_owned() }
}

fn write_accounts(
    out: &mut Out,
    screen: Screen,
    study: &Study,
    read: &MemoryReport,
    limit: usize,
) -> io::Result<()> {
    let places = Places::of(study);
    for Reported { reading, rests_on, lacks, lost, lost_bytes, accounts, faults } in &read.readings {
        writeln!(
            out,
            "{}",
            screen.strong(&say!(
                "memory-by-reading",
                reading = Reading::of_word(reading).map_or(*reading, reading_words)
            ))
        )?;
        writeln!(out, "{}", screen.sentence(&say!("memory-rests-on", rests_on), ""))?;
        if let Some(lacks) = lacks {
            writeln!(out, "{}", screen.sentence(lacks, ""))?;
        }
        let mut table = Table::default()
            .column(say!("title-device"), ColumnKind::Location(8), ALWAYS)
            .column(say!("title-allocator"), ColumnKind::Name(10), 5)
            .column(say!("title-peak"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-at"), ColumnKind::Figure, 6)
            .column(say!("title-there-before"), ColumnKind::Figure, 3)
            .column(say!("title-beyond"), ColumnKind::Figure, 2)
            .column(say!("title-at-the-end"), ColumnKind::Figure, 1)
            .column(say!("title-tensors"), ColumnKind::Figure, 4);
        let own = Reading::of_word(reading).map_or(&[][..], |reading| &study.memory(reading).accounts);
        for (row, account) in accounts.iter().zip(own).take(limit) {
            table.row([
                Cell::from(label(study, &places, account)),
                allocator(&row.allocator).into(),
                units::bytes(row.peak_bytes).into(),
                units::maybe_duration(row.peak_ns).into(),
                units::bytes(row.before_bytes).into(),
                row.beyond_bytes.map_or_else(|| units::UNKNOWN.to_owned(), units::bytes).into(),
                units::bytes(row.end_bytes).into(),
                if row.basis == Basis::Sums.word() {
                    units::UNKNOWN.to_owned()
                } else {
                    units::count(row.lives as u64)
                }
                .into(),
            ]);
        }
        table.write(out, screen)?;
        screen.write_more(out, accounts.len(), limit, message!("program-more-rows", count))?;
        if *lost > 0 {
            let lost = report::memory::lost_sentence(
                &units::plural(*lost, message!("program-tensors", count)),
                &units::bytes(*lost_bytes),
            );
            writeln!(out, "{}", screen.note(&lost))?;
        }
        type Said = fn(u64) -> String;
        let faults: [(u64, Said); 3] = [
            (faults.frees_alone, |count| say!("memory-frees-alone", count = Grouped(count))),
            (faults.too_large, |count| say!("memory-sums-too-large", count = Grouped(count))),
            (faults.ops_without, |count| say!("memory-ops-without-inputs", count = Grouped(count))),
        ];
        for (count, said) in faults.into_iter().filter(|&(count, _)| count > 0) {
            writeln!(out, "{}", screen.note(&said(count)))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_peak(
    out: &mut Out,
    screen: Screen,
    study: &Study,
    (reading, account): (Reading, &Account),
    by: By,
    limit: usize,
) -> io::Result<()> {
    if account.basis == Basis::Sums {
        return Ok(());
    }
    let places = Places::of(study);
    let (peak, at) = account.peak();
    let (rows, not_sought) = report::memory::rows_at(study, account, at, by);
    let title = say!("memory-alive-at-peak", device = label(study, &places, account));
    writeln!(
        out,
        "{}",
        screen.title(
            &title,
            &say!("memory-peak-by", bytes = units::bytes(peak.0), reading = reading_words(reading))
        )
    )?;
    let what = match by {
        By::Tensor => say!("memory-tensor"),
        By::OpType => say!("memory-op-type"),
        By::Scope => say!("memory-name-scope"),
        By::Shape => say!("memory-shape"),
        By::Variable => say!("memory-variable"),
    };
    let mut table = Table::default()
        .column(say!("title-bytes"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-count"), ColumnKind::Figure, 5)
        .column(say!("title-since"), ColumnKind::Figure, 3)
        .column(say!("title-until"), ColumnKind::Figure, 4)
        .column(say!("title-shape"), ColumnKind::Name(10), 2)
        .column(what, ColumnKind::Name(30), ALWAYS);
    for row in rows.iter().take(limit) {
        let shape = match (&row.dtype, &row.shape) {
            (Some(dtype), Some(shape)) => format!("{dtype} {shape}"),
            _ => units::UNKNOWN.to_owned(),
        };
        let name = match (row.op.as_str(), row.output) {
            ("", _) => say!("memory-no-name").to_owned(),
            (name, Some(output)) if output > 0 => format!("{}:{output}", visible(name)),
            (name, None) if by == By::Tensor => say!("memory-besides-outputs", name = visible(name)),
            (name, _) => visible(name).into_owned(),
        };
        table.row([
            Cell::from(units::bytes(row.bytes)),
            units::count(row.count).into(),
            units::maybe_duration(row.allocated_ns).into(),
            units::maybe_duration(row.freed_ns).into(),
            visible(&shape).into_owned().into(),
            name.into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-rows", count))?;
    if let Some(not_sought) = not_sought {
        writeln!(out, "{}", screen.note(&not_sought))?;
    }
    writeln!(out)?;
    let holders = report::memory::holders_at(study, account, at, limit.min(report::memory::MOST_HOLDERS));
    if holders.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", screen.title(say!("memory-holders"), say!("memory-holders-about")))?;
    let mut table = Table::default()
        .column(say!("title-bytes"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-tensors"), ColumnKind::Figure, 2)
        .column(say!("title-ends-at"), ColumnKind::Figure, 3)
        .column(say!("title-op"), ColumnKind::Name(30), ALWAYS);
    for holder in &holders {
        table.row([
            Cell::from(units::bytes(holder.bytes)),
            units::count(holder.tensors).into(),
            units::duration(holder.op.end_ns()).into(),
            visible(holder.op.name()).into_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    writeln!(out)
}

/// How the figures of memory were obtained, as part of a sentence.
fn reading_words(reading: Reading) -> &'static str {
    match reading {
        Reading::Records => say!("memory-reading-records"),
        Reading::Tensors => say!("memory-reading-tensors"),
        Reading::TimelinePy => say!("memory-reading-timeline"),
    }
}
