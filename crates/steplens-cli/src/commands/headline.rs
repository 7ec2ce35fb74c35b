//! The first lines of every text: which files, how long the step, how much of everything.

use super::{Loaded, Out};
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::collections::BTreeSet;
use std::io::{self, Write};
use steplens_core::Bytes;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::model::file::FileReport;

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
                screen.title(&name, &format!("{}, {}", file.format, units::bytes(file.bytes)))
            )?;
        }
        files => write_files(out, screen, files)?,
    }
    let devices = trace.devices();
    let tasks: BTreeSet<_> = devices.ids().filter_map(|id| devices.get(id).task).collect();
    let of_tasks = match tasks.len() {
        0 => String::new(),
        count => format!(" in {}", units::plural(count as u64, "task")),
    };
    let carried = transfers.iter().map(|transfer| transfer.bytes).sum::<Bytes>().0;
    let of_bytes = match transfers.len() {
        0 => String::new(),
        // A sum of nothing is no size: old TensorFlow and GPUs recorded none.
        _ if transfers.iter().all(|transfer| transfer.known_bytes().is_none()) => {
            " of unknown size".to_owned()
        }
        _ => format!(", {}", units::bytes(carried)),
    };
    let problems: u64 =
        loaded.files.iter().flat_map(|file| &file.problems).map(|problem| problem.count).sum();
    let facts = [
        units::duration(trace.span().length().0),
        units::plural(trace.ops().len() as u64, "op"),
        units::plural(devices.len() as u64, "device") + &of_tasks,
        units::plural(transfers.len() as u64, "transfer") + &of_bytes,
        units::plural(problems, "problem"),
    ];
    writeln!(out, "{}", screen.facts(&facts))?;
    let study = &loaded.study;
    if !study.view().repairs.is_empty() {
        let words: Vec<_> = study.view().repairs.iter().map(|repair| repair.word()).collect();
        let touched = study.is_touched().iter().filter(|touched| **touched).count();
        let text = format!(
            "repaired: {}; figures of {} and of the step are not what was recorded",
            words.join(", "),
            units::plural(touched as u64, "device")
        );
        writeln!(out, "{}", screen.note(&text))?;
    }
    if let Some(setting) = &study.view().clocks {
        let how = match (setting.choice.is_estimated, setting.choice.by_hand.len()) {
            (true, 0) => "by the tensors between tasks".to_owned(),
            (true, count) => {
                format!("by the tensors between tasks, and {} by hand", units::plural(count as u64, "task"))
            }
            (false, count) => format!("by hand, of {}", units::plural(count as u64, "task")),
        };
        let text = match setting.choice.by_hand.is_empty() && setting.moves_nothing(&loaded.whole) {
            true => "the clocks of tasks agree: nothing to align".to_owned(),
            false => format!("clocks set {how}; steplens clocks lists them"),
        };
        writeln!(out, "{}", screen.note(&text))?;
    }
    let op_time = study.view().op_time;
    if op_time != OpTime::Schedule {
        writeln!(out, "{}", screen.note(op_time.sentence()))?;
    }
    writeln!(out)
}

fn write_files(out: &mut Out, screen: Screen, files: &[FileReport]) -> io::Result<()> {
    let mut table = Table::default()
        .column("file", ColumnKind::Name(16), ALWAYS)
        .column("format", ColumnKind::Text, 1)
        .column("size", ColumnKind::Figure, 2)
        .column("ops", ColumnKind::Figure, ALWAYS)
        .column("problems", ColumnKind::Figure, ALWAYS);
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
        let more = units::more(files.len() - MAX_FILES, "file");
        writeln!(out, "{}", screen.note(&format!("and {more}")))?;
    }
    Ok(())
}
