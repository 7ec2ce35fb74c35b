//! Which task finished last, by how much, and why.

use super::Section;
use crate::commands::Out;
use crate::render::names::place_label;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io::{self, Write};
use steplens_report::network::{CauseRow, StragglerRow};

/// How many of the tasks that were stragglers most often are named.
const MOST_TASKS: usize = 8;

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    let stragglers = &section.network.stragglers;
    let rows = &stragglers.listed.rows;
    if rows.is_empty() {
        return Ok(());
    }
    let screen = section.screen;
    writeln!(out, "{}", screen.title("stragglers", "who finished last among its peers, and the root cause"))?;
    let mut often: Vec<String> = stragglers
        .often
        .iter()
        .filter(|_| rows.len() > 1)
        .take(MOST_TASKS)
        .map(|(task, times)| format!("{}: {times} of {}", place_label(task), stragglers.listed.total))
        .collect();
    if !often.is_empty() && stragglers.often_total > MOST_TASKS {
        often.push(units::more(stragglers.often_total - MOST_TASKS, "task"));
    }
    if !often.is_empty() {
        writeln!(out, "{}", screen.facts(&often))?;
    }
    if let [only] = rows.as_slice() {
        writeln!(out, "{}", screen.strong_sentence(&sentence(section, only)))?;
        if let Some(cause) = &only.cause {
            writeln!(out, "{}", screen.sentence(&reason(section, cause), ""))?;
        }
        let chain = &only.chain;
        let facts = [
            ("before its first op", chain.before_ns),
            ("ops ran", chain.running_ns),
            ("ops waited to run", chain.waiting_ns),
            ("tensors were queued", chain.queued_ns),
            ("tensors were in transit", chain.wire_ns),
        ];
        let parts: Vec<_> = facts
            .iter()
            .filter(|(_, ns)| *ns > 0)
            .map(|(what, ns)| format!("{} {what}", units::duration(*ns)))
            .collect();
        let links = units::plural(chain.ops as u64, "op");
        writeln!(out, "{}", screen.note(&format!("the path to its end ({links}): {}", parts.join(", "))))?;
    } else {
        let mut table = Table::default()
            .column("step", ColumnKind::Figure, 3)
            .column("last", ColumnKind::Location(8), ALWAYS)
            .column("after the next", ColumnKind::Figure, ALWAYS)
            .column("after the median", ColumnKind::Figure, 2)
            .column("root cause", ColumnKind::Text, ALWAYS)
            .column("op", ColumnKind::Name(16), ALWAYS)
            .column("this op", ColumnKind::Figure, 5)
            .column("its peers", ColumnKind::Figure, 4);
        for row in rows.iter().take(section.limit) {
            let cause = row.cause.as_ref();
            table.row([
                row.step.to_string().into(),
                place_label(row.task).into(),
                units::duration(row.after_next_ns).into(),
                units::duration(row.behind_ns).into(),
                cause.map_or("", |cause| kind(cause)).to_owned().into(),
                cause.map_or_else(String::new, |cause| visible(cause.op.name()).into_owned()).into(),
                units::maybe_duration(cause.map(|cause| cause.own_ns)).into(),
                units::maybe_duration(cause.and_then(|cause| cause.usual_ns)).into(),
            ]);
        }
        table.write(out, screen)?;
        section.write_more(out, stragglers.listed.total, "step")?;
    }
    writeln!(out)
}

/// Who finished last, and by how much.
fn sentence(section: &Section<'_>, row: &StragglerRow<'_>) -> String {
    let task = place_label(row.task);
    let [_, next, ..] = row.ended.as_slice() else { return task };
    let median = match row.tasks {
        2 => String::new(),
        _ => format!(", {} after the median of its peers", units::duration(row.behind_ns)),
    };
    let share = units::share(row.after_next_ns, section.network.span_ns);
    let after = units::duration(row.after_next_ns);
    format!("{task} finished last, {after} ({share} of the span) after {}{median}", place_label(next.task))
}

/// What held it up, in two words.
fn kind(cause: &CauseRow<'_>) -> &'static str {
    match cause.kind {
        "ran-late" => "started late",
        "took-long" => "took long",
        "input-late" => "input arrived late",
        _ => "scheduled late",
    }
}

/// What held it up.
fn reason(section: &Section<'_>, cause: &CauseRow<'_>) -> String {
    let op = visible(cause.op.name());
    let own = units::duration(cause.own_ns);
    let usual =
        cause.usual_ns.map_or_else(String::new, |usual| format!(" (its peers: {})", units::duration(usual)));
    let late = units::duration(cause.own_ns.saturating_sub(cause.usual_ns.unwrap_or(0)));
    match (cause.kind, &cause.input) {
        ("ran-late", _) => format!("{op} started late: its inputs were there {own} before it started{usual}"),
        ("took-long", _) => format!("{op} took {own}{usual}"),
        ("input-late", Some(input)) => {
            let from =
                cause.source.map_or_else(String::new, |source| format!(" from {}", section.place(source)));
            format!(
                "the input {}{from} of {op} arrived {late} later than at its peers",
                visible(input.name())
            )
        }
        _ => format!("{op} was scheduled {late} later than on its peers"),
    }
}
