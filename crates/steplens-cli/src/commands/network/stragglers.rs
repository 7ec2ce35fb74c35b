//! Which task finished last, by how much, and why.

use super::Section;
use crate::commands::Out;
use crate::render::names::{place_label, step_label};
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io::{self, Write};
use steplens_messages::{clauses, message, say};
use steplens_report::network::{Cause, Straggler};

/// How many of the most frequent stragglers are named.
const MOST_TASKS: usize = 8;

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    let stragglers = &section.network.stragglers;
    let rows = &stragglers.listed.rows;
    if rows.is_empty() {
        return Ok(());
    }
    let screen = section.screen;
    writeln!(out, "{}", screen.title(say!("network-stragglers-title"), say!("straggler-about")))?;
    let mut often: Vec<String> = stragglers
        .often
        .iter()
        .filter(|_| rows.len() > 1)
        .take(MOST_TASKS)
        .map(|(task, times)| {
            say!("straggler-often", task = place_label(task), times, total = stragglers.listed.total)
        })
        .collect();
    if !often.is_empty() && stragglers.often_total > MOST_TASKS {
        often.push(units::plural(stragglers.often_total - MOST_TASKS, message!("program-more-tasks", count)));
    }
    if !often.is_empty() {
        writeln!(out, "{}", screen.facts(&often))?;
    }
    if let [only] = rows.as_slice() {
        writeln!(out, "{}", screen.strong_sentence(&sentence(only, section.network.span_ns)))?;
        if let Some(cause) = &only.cause {
            writeln!(
                out,
                "{}",
                screen.sentence(&reason(cause, cause.source.map(|source| section.place(source))), "")
            )?;
        }
        let chain = &only.chain;
        let facts = [
            (say!("straggler-part-before"), chain.before_ns),
            (say!("straggler-part-ran"), chain.running_ns),
            (say!("straggler-part-waited"), chain.waiting_ns),
            (say!("straggler-part-queued"), chain.queued_ns),
            (say!("straggler-part-transit"), chain.wire_ns),
        ];
        let parts: Vec<_> = facts
            .iter()
            .filter(|(_, ns)| *ns > 0)
            .map(|(what, ns)| format!("{} {what}", units::duration(*ns)))
            .collect();
        let links = units::plural(chain.ops, message!("program-ops", count));
        writeln!(out, "{}", screen.note(&say!("straggler-path-about", links, parts = clauses(parts))))?;
    } else {
        let mut table = Table::default()
            .column(say!("title-step"), ColumnKind::Figure, 3)
            .column(say!("title-last"), ColumnKind::Location(8), ALWAYS)
            .column(say!("title-after-the-next"), ColumnKind::Figure, ALWAYS)
            .column(say!("title-after-the-median"), ColumnKind::Figure, 2)
            .column(say!("title-root-cause"), ColumnKind::Text, ALWAYS)
            .column(say!("title-op"), ColumnKind::Name(16), ALWAYS)
            .column(say!("title-this-op"), ColumnKind::Figure, 5)
            .column(say!("title-its-peers"), ColumnKind::Figure, 4);
        for row in rows.iter().take(section.limit) {
            let cause = row.cause.as_ref();
            table.row([
                step_label(section.study, row.step).into(),
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
        section.write_more(out, &stragglers.listed, message!("program-more-steps", count))?;
    }
    writeln!(out)
}

/// Which task finished last, and by how much.
pub(in crate::commands) fn sentence(row: &Straggler<'_>, span_ns: i64) -> String {
    let task = place_label(row.task);
    let [_, next, ..] = row.ended.as_slice() else { return task };
    let share = units::share(row.after_next_ns, span_ns);
    let after = units::duration(row.after_next_ns);
    let next = place_label(next.task);
    match row.tasks {
        2 => say!("straggler-finished-last", task, after, share, next),
        _ => {
            let behind = units::duration(row.behind_ns);
            say!("straggler-finished-last-of-many", task, after, share, next, behind)
        }
    }
}

/// What delayed the straggler, in two words.
fn kind(cause: &Cause<'_>) -> &'static str {
    match cause.kind {
        "ran-late" => say!("straggler-started-late"),
        "took-long" => say!("straggler-took-long"),
        "input-late" => say!("straggler-input-late"),
        _ => say!("straggler-scheduled-late"),
    }
}

/// What delayed the straggler. `source` is the label of the sender of its input.
pub(in crate::commands) fn reason(cause: &Cause<'_>, source: Option<&str>) -> String {
    let op = visible(cause.op.name());
    let own = units::duration(cause.own_ns);
    let late = units::duration(cause.own_ns.saturating_sub(cause.usual_ns.unwrap_or(0)));
    match (cause.kind, &cause.input) {
        ("ran-late", _) => of_peers(say!("straggler-started-late-about", op, own), cause),
        ("took-long", _) => of_peers(say!("straggler-took-long-about", op, own), cause),
        ("input-late", Some(input)) => {
            let input = visible(input.name());
            match source {
                None => say!("straggler-input-late-about", input, op, late),
                Some(from) => say!("straggler-input-late-from", input, from, op, late),
            }
        }
        _ => say!("straggler-scheduled-late-about", op, late),
    }
}

/// The sentence, with the usual time of its peers if it is known.
fn of_peers(said: String, cause: &Cause<'_>) -> String {
    match cause.usual_ns {
        None => said,
        Some(usual) => say!("straggler-with-peers", said, usual = units::duration(usual)),
    }
}
