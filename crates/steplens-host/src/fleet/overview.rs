//! The summary of a dataset that the page opens: made of its small tables, one run after the other.

use super::damage::{CODE, DamagedPart};
use super::dataset::{Fault, at, part_file, parts};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use steplens_core::base::natural;
use steplens_report::fleet::{FleetTable, State};
use steplens_report::overview::{
    Builder, FILE_NAME, FindingRow, LinkRow, OpTypeRow, RunShape, SourceRow, SplitRow, StragglerRow,
};
use steplens_report::tables::{Column, Value};

/// Makes the summary of the dataset in `folder` again. Nothing of `damaged` parts counts but that they are there.
pub fn write(folder: &Path, damaged: &[DamagedPart]) -> Result<(), Fault> {
    let folder = Whole { folder, damaged };
    let shapes = shapes(folder)?;
    let mut builder = Builder::new(shapes.clone());
    for (run, shape) in shapes.iter().enumerate() {
        add_run(folder, run, &shape.name, &mut builder)?;
    }
    let folder = folder.folder;
    let (path, unfinished) = (folder.join(FILE_NAME), folder.join(format!("_{FILE_NAME}")));
    fs::write(&unfinished, builder.to_bytes()).map_err(at(&unfinished))?;
    fs::rename(&unfinished, &path).map_err(at(&path))
}

/// The parts of a dataset that are whole.
#[derive(Clone, Copy)]
struct Whole<'a> {
    folder: &'a Path,
    damaged: &'a [DamagedPart],
}

/// The tasks and steps of every run, also of one in which nothing could be read.
fn shapes(folder: Whole<'_>) -> Result<Vec<RunShape>, Fault> {
    type Known = (BTreeMap<String, String>, BTreeSet<i64>, BTreeSet<String>);
    let mut runs: BTreeMap<String, Known> = BTreeMap::new();
    for (run, _) in parts(folder.folder, FleetTable::Sources)? {
        runs.entry(run).or_default();
    }
    for (run, (tasks, steps, linked)) in &mut runs {
        each_row(folder, FleetTable::Split, run, &["task", "job", "step"], &mut |row| {
            if !tasks.contains_key(row.text(0)) {
                tasks.insert(row.text(0).to_owned(), row.text(1).to_owned());
            }
            steps.insert(row.number(2));
            Ok(())
        })?;
        each_row(folder, FleetTable::Links, run, &["source_task", "destination_task"], &mut |row| {
            for task in [row.text(0), row.text(1)] {
                if !tasks.contains_key(task) && !linked.contains(task) {
                    linked.insert(task.to_owned());
                }
            }
            Ok(())
        })?;
    }
    let shape = |(name, (tasks, steps, linked)): (String, Known)| {
        let mut tasks: Vec<(String, String)> = tasks.into_iter().collect();
        tasks.sort_by(|a, b| natural::compare(&a.0, &b.0));
        let mut linked: Vec<String> = linked.into_iter().collect();
        linked.sort_by(|a, b| natural::compare(a, b));
        RunShape { name, tasks, linked, steps: steps.into_iter().collect() }
    };
    Ok(runs.into_iter().map(shape).collect())
}

/// Gives the rows of `run` to `builder`.
fn add_run(folder: Whole<'_>, run: usize, name: &str, builder: &mut Builder) -> Result<(), Fault> {
    for own in folder.damaged.iter().filter(|own| own.run == name) {
        let row =
            SourceRow { source: &own.file, state: State::Unreadable.word(), code: CODE, what: &own.what };
        builder
            .source(run, &row)
            .map_err(|why| Fault::Io(folder.folder.to_owned(), io::Error::other(why)))?;
    }
    let mut each =
        |table, columns: &[&str], take: &mut dyn FnMut(&mut Builder, Row<'_>) -> io::Result<()>| {
            each_row(folder, table, name, columns, &mut |row| take(builder, row))
        };
    let wrong = io::Error::other::<steplens_report::overview::OutOfOrder>;
    each(FleetTable::Sources, &["file", "state", "code", "what"], &mut |builder, row| {
        let own = SourceRow { source: row.text(0), state: row.text(1), code: row.text(2), what: row.text(3) };
        builder.source(run, &own).map_err(wrong)
    })?;
    each(FleetTable::Split, &SPLIT, &mut |builder, row| {
        let own = SplitRow {
            source: row.text(0),
            task: row.text(1),
            step: row.number(2),
            start_unix_ns: row.number(3),
            day: row.text(17),
            window_ns: row.number(4),
            compute_ns: row.number(5),
            exposed_input_ns: row.number(6),
            exposed_copy_ns: row.number(7),
            exposed_communication_ns: row.number(8),
            exposed_launch_ns: row.number(9),
            exposed_allocation_ns: row.number(10),
            exposed_waiting_ns: row.number(11),
            idle_ns: row.number(12),
            communication_ns: row.number(13),
            overlapped_communication_ns: row.number(14),
            end_ns: row.number(15),
            own_ns: row.number(16),
        };
        builder.split(run, &own).map_err(wrong)
    })?;
    let columns = ["file", "task", "step", "after_next_ns", "cause", "cause_op_type"];
    each(FleetTable::Stragglers, &columns, &mut |builder, row| {
        let own = StragglerRow {
            source: row.text(0),
            task: row.text(1),
            step: row.number(2),
            after_next_ns: row.number(3),
            cause: row.text(4),
            cause_op_type: row.text(5),
        };
        builder.straggler(run, &own).map_err(wrong)
    })?;
    let columns = ["file", "task", "step", "rule", "subject", "saving_ns", "what"];
    each(FleetTable::Findings, &columns, &mut |builder, row| {
        let own = FindingRow {
            source: row.text(0),
            task: row.text(1),
            step: row.number(2),
            rule: row.text(3),
            subject: row.text(4),
            saving_ns: row.known_number(5),
            what: row.text(6),
        };
        builder.finding(run, &own).map_err(wrong)
    })?;
    let columns = ["file", "source_task", "destination_task", "transfers", "bytes", "timed_bytes", "busy_ns"];
    each(FleetTable::Links, &columns, &mut |builder, row| {
        let own = LinkRow {
            source: row.text(0),
            source_task: row.text(1),
            destination_task: row.text(2),
            transfers: row.number(3),
            bytes: row.number(4),
            timed_bytes: row.number(5),
            busy_ns: row.number(6),
        };
        builder.link(run, &own).map_err(wrong)
    })?;
    let columns = ["file", "job", "day", "op_type", "category", "place", "count", "total_ns", "self_ns"];
    each(FleetTable::OpTypes, &columns, &mut |builder, row| {
        let own = OpTypeRow {
            source: row.text(0),
            job: row.text(1),
            day: row.text(2),
            op_type: row.text(3),
            category: row.text(4),
            place: row.text(5),
            count: row.number(6),
            total_ns: row.number(7),
            self_ns: row.number(8),
        };
        builder.op_type(run, &own).map_err(wrong)
    })
}

/// The columns of `split` that the summary keeps.
const SPLIT: [&str; 18] = [
    "file",
    "task",
    "step",
    "start_unix_ns",
    "window_ns",
    "compute_ns",
    "exposed_input_ns",
    "exposed_copy_ns",
    "exposed_communication_ns",
    "exposed_launch_ns",
    "exposed_allocation_ns",
    "exposed_waiting_ns",
    "idle_ns",
    "communication_ns",
    "overlapped_communication_ns",
    "end_ns",
    "own_ns",
    "day",
];

/// The wanted values of a row, in the order in which their columns were named.
#[derive(Clone, Copy)]
struct Row<'r> {
    values: &'r [Value<'r>],
}

impl<'r> Row<'r> {
    fn text(self, at: usize) -> &'r str {
        match self.values.get(at) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    fn number(self, at: usize) -> i64 {
        self.known_number(at).unwrap_or(0)
    }

    fn known_number(self, at: usize) -> Option<i64> {
        match self.values.get(at) {
            Some(Value::Integer(value)) => Some(*value),
            _ => None,
        }
    }
}

/// Gives the columns called `names` of every row that `run` has in `table` to `take`. A dataset without that table has none.
fn each_row(
    folder: Whole<'_>,
    table: FleetTable,
    run: &str,
    names: &[&str],
    take: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
) -> Result<(), Fault> {
    let all = table.columns();
    let columns: Vec<Column> =
        names.iter().filter_map(|name| all.iter().find(|column| column.name == *name)).copied().collect();
    debug_assert_eq!(columns.len(), names.len(), "{names:?}");
    let Whole { folder, damaged } = folder;
    let is_damaged = |part| damaged.iter().any(|own| own.run == run && own.part == part);
    for (_, part) in parts(folder, table)?.into_iter().filter(|(own, part)| own == run && !is_damaged(*part))
    {
        let path = part_file(folder, table, run, part);
        let file = File::open(&path).map_err(at(&path))?;
        steplens_export::parquet::rows(file, &columns, &mut |values| take(Row { values }))
            .map_err(at(&path))?;
    }
    Ok(())
}
