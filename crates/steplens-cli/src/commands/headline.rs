//! The first lines of every text: the files, the length of the step, and the counts.

use super::{Loaded, Out};
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::collections::BTreeSet;
use std::io::{self, Write};
use steplens_core::Bytes;
use steplens_core::doctor::{Repair, findings};
use steplens_core::gpu::accelerators::working_units;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::model::file::FileReport;
use steplens_messages::{clauses, listed, message, say};
use steplens_report::doctor;

/// How many files are listed one by one.
const MAX_FILES: usize = 12;

/// Writes the headline and an empty line.
pub(super) fn write(out: &mut Out, screen: Screen, loaded: &Loaded) -> io::Result<()> {
    let (trace, transfers) = (&loaded.study.trace(), loaded.study.transfers().rows());
    match loaded.files.as_slice() {
        [file] => {
            let name = visible(&file.name);
            writeln!(
                out,
                "{}",
                screen.title(&name, &clauses([file.format.to_string(), units::bytes(file.bytes)]))
            )?;
        }
        files => write_files(out, screen, files)?,
    }
    let devices = trace.devices();
    let tasks: BTreeSet<_> = devices.ids().filter_map(|id| devices.get(id).task).collect();
    let count = working_units(trace);
    let of_devices = units::plural(count, message!("program-devices", count));
    let of_devices = match tasks.len() {
        0 => of_devices,
        count => {
            say!(
                "headline-in-tasks",
                devices = of_devices,
                tasks = units::plural(count, message!("program-tasks", count))
            )
        }
    };
    let carried = transfers.iter().map(|transfer| transfer.bytes).sum::<Bytes>().0;
    let of_transfers = units::plural(transfers.len(), message!("program-transfers", count));
    let of_transfers = match transfers.len() {
        0 => match lost_transfers(loaded) {
            0 => of_transfers,
            lost => {
                let transfers = units::plural(lost, message!("program-transfers", count));
                say!("headline-without-sender", transfers)
            }
        },
        // If no transfer has a known size, their sum is not shown: old TensorFlow and GPUs recorded no sizes.
        _ if transfers.iter().all(|transfer| transfer.known_bytes().is_none()) => {
            say!("headline-of-unknown-size", transfers = of_transfers)
        }
        _ => clauses([of_transfers, units::bytes(carried)]),
    };
    let problems: u64 =
        loaded.files.iter().flat_map(|file| &file.problems).map(|problem| problem.count).sum();
    let found = doctor::of_figures(&loaded.study);
    // What standard error lists are the problems of the files.
    let of_problems = units::plural(problems, message!("program-problems", count));
    let of_doctor = units::plural(found.len() as u64, message!("headline-of-doctor", count));
    let of_problems = match (problems, found.len()) {
        (_, 0) => of_problems,
        (0, _) => of_doctor,
        _ => clauses([of_problems, of_doctor]),
    };
    let facts = [
        units::duration(trace.span().length().0),
        units::plural(trace.counted_ops(), message!("program-ops", count)),
        of_devices,
        of_transfers,
        of_problems,
    ];
    writeln!(out, "{}", screen.facts(&facts))?;
    let study = &loaded.study;
    if let Some(row) = study.view().step.filter(|_| study.has_several()) {
        let text = match study.step_called(row) {
            Some(called) => say!("headline-step", number = called.to_string(), all = study.steps()),
            None => say!("headline-before").to_owned(),
        };
        writeln!(out, "{}", screen.note(&text))?;
    }
    // What the clocks differ by is said before everything else.
    for finding in found.iter().filter(|finding| finding.code != "clocks-differ") {
        let text = match finding.repair {
            Some(repair) => {
                say!("headline-doctor-repair", title = finding.title, code = finding.code, repair)
            }
            None => say!("headline-doctor", title = finding.title, code = finding.code),
        };
        writeln!(out, "{}", screen.strong_sentence(&text))?;
    }
    write_repairs(out, screen, loaded)?;
    if let Some(setting) = &study.view().clocks {
        let how = match (setting.choice.is_estimated, setting.choice.by_hand.len()) {
            (true, 0) => say!("headline-by-tensors").to_owned(),
            (true, count) => {
                say!(
                    "headline-by-tensors-and-hand",
                    tasks = units::plural(count, message!("program-tasks", count))
                )
            }
            (false, count) => {
                say!("headline-by-hand", tasks = units::plural(count, message!("program-tasks", count)))
            }
        };
        let text = match setting.choice.by_hand.is_empty() && setting.moves_nothing(&loaded.whole) {
            true => say!("headline-clocks-agree").to_owned(),
            false => say!("headline-clocks-set", how),
        };
        writeln!(out, "{}", screen.note(&text))?;
    }
    let op_time = study.view().op_time;
    if op_time != OpTime::Schedule {
        writeln!(out, "{}", screen.note(op_time.sentence()))?;
    }
    writeln!(out)
}

/// Says which repairs changed something, and which found nothing to change.
fn write_repairs(out: &mut Out, screen: Screen, loaded: &Loaded) -> io::Result<()> {
    let study = &loaded.study;
    if study.view().repairs.is_empty() {
        return Ok(());
    }
    let found: Vec<_> = findings(&loaded.whole).iter().filter_map(|finding| finding.kind.repair()).collect();
    let (done, vain): (Vec<_>, Vec<_>) =
        study.view().repairs.iter().partition(|repair| found.contains(repair));
    let words = |repairs: &[&Repair]| listed(repairs.iter().map(|repair| repair.word()).collect::<Vec<_>>());
    if !done.is_empty() {
        let touched = study.is_touched().iter().filter(|touched| **touched).count();
        let text = say!(
            "headline-repaired",
            words = words(&done),
            devices = units::plural(touched, message!("program-devices", count))
        );
        writeln!(out, "{}", screen.note(&text))?;
    }
    if !vain.is_empty() {
        writeln!(out, "{}", screen.note(&say!("headline-nothing-to-repair", words = words(&vain))))?;
    }
    Ok(())
}

/// The number of transfers that `timeline.py` wrote without saying from where: they are ops, and in no list of transfers.
fn lost_transfers(loaded: &Loaded) -> u64 {
    let problems = loaded.files.iter().flat_map(|file| &file.problems);
    problems.filter(|own| own.code == "lost-transfers").map(|own| own.count).sum()
}

fn write_files(out: &mut Out, screen: Screen, files: &[FileReport]) -> io::Result<()> {
    let mut table = Table::default()
        .column(say!("title-file"), ColumnKind::Name(16), ALWAYS)
        .column(say!("title-format"), ColumnKind::Text, 1)
        .column(say!("title-size"), ColumnKind::Figure, 2)
        .column(say!("title-ops"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-problems"), ColumnKind::Figure, ALWAYS);
    for file in files.iter().take(MAX_FILES) {
        let problems = file.problems.iter().map(|problem| problem.count).sum();
        table.row([
            Cell::from(visible(&file.name).into_owned()),
            file.format.to_string().into(),
            units::bytes(file.bytes).into(),
            units::count(file.ops as u64).into(),
            units::count(problems).into(),
        ]);
    }
    table.write(out, screen)?;
    if files.len() > MAX_FILES {
        let more = units::plural(files.len() - MAX_FILES, message!("program-more-files", count));
        writeln!(out, "{}", screen.note(&say!("more-not-shown", more)))?;
    }
    Ok(())
}
