//! `steplens what-if`: how long the step would take if something were different.

use super::{Loaded, Out, Print, headline};
use crate::args;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Nanos;
use steplens_core::causality::spent::Spent;
use steplens_core::replay::Replay;
use steplens_core::replay::change::{BadChange, Change};
use steplens_core::steps::figures::variation;
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::causality::spent_words;
use steplens_report::what_if::{WhatIf, write_csv};

pub(super) fn run(args: &args::WhatIf) -> Result<(), Failure> {
    let bad = |BadChange(why)| Failure::Sentence(why);
    let changes: Result<Vec<Change>, _> =
        args.changes.written().map(|(word, text)| Change::read(word, text)).collect();
    let changes = changes.map_err(bad)?;
    let loaded = Loaded::read(&args.asked.files)?;
    let (_, steps) = loaded.study.view().steps(&loaded.whole);
    let replay = Replay::of(&loaded.study);
    let answer = WhatIf::new(&loaded.study, &replay, variation(&steps), &changes).map_err(bad)?;
    loaded.print(&args.asked.form, |out| {
        if args.asked.form.json {
            return writeln!(out, "{}", answer.to_text());
        } else if args.asked.form.csv {
            return write_csv(&answer, out);
        }
        let screen = Screen::new(args.asked.form.color);
        headline::write(out, screen, &loaded)?;
        writeln!(out, "{}", screen.sentence(&answer.sentence, ""))?;
        if matches!(answer.judgement, "refused" | "frozen") {
            return Ok(());
        }
        write_parts(out, screen, &answer)?;
        write_table(out, screen, &answer, args.asked.length.rows())
    })
}

/// What the step waits for, before and after.
fn write_parts(out: &mut Out, screen: Screen, answer: &WhatIf<'_>) -> io::Result<()> {
    let title = screen.title(say!("what-if-parts"), say!("what-if-parts-about"));
    writeln!(out, "\n{title}")?;
    let is_changed = !answer.changes.is_empty();
    let mut table = Table::default().column("", ColumnKind::Text, ALWAYS).column(
        say!("title-before"),
        ColumnKind::Figure,
        ALWAYS,
    );
    if is_changed {
        table = table.column(say!("title-after"), ColumnKind::Figure, ALWAYS);
    }
    let of = |rows: &[(Spent, Nanos)], spent: Spent| {
        rows.iter().find(|row| row.0 == spent).map_or(0, |row| row.1.0)
    };
    let mut rows: Vec<Spent> = answer.spent_before.iter().map(|row| row.0).collect();
    for &(spent, _) in &answer.spent_after {
        if !rows.contains(&spent) {
            rows.push(spent);
        }
    }
    for spent in rows {
        let mut cells: Vec<Cell> = vec![spent_words(spent).to_owned().into()];
        cells.push(units::duration(of(&answer.spent_before, spent)).into());
        if is_changed {
            cells.push(units::duration(of(&answer.spent_after, spent)).into());
        }
        table.row(cells);
    }
    table.write(out, screen)
}

/// What is worth changing.
fn write_table(out: &mut Out, screen: Screen, answer: &WhatIf<'_>, limit: usize) -> io::Result<()> {
    if answer.table.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("what-if-table"), say!("what-if-table-about")))?;
    let mut table = Table::default()
        .column(say!("title-on-path"), ColumnKind::Figure, ALWAYS)
        .column("-10 %", ColumnKind::Figure, 2)
        .column("-25 %", ColumnKind::Figure, 1)
        .column("-50 %", ColumnKind::Figure, ALWAYS)
        .column("-100 %", ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Name(30), ALWAYS);
    for row in answer.table.iter().take(limit) {
        let mut cells: Vec<Cell> = vec![units::duration(row.on_path_ns).into()];
        cells.extend(row.saving_ns.map(|saving| Cell::from(signed(saving))));
        cells.push(visible(&row.name).into_owned().into());
        table.row(cells);
    }
    table.write(out, screen)?;
    screen.write_more(out, answer.table.len(), limit, message!("program-more-candidates", count))
}

fn signed(saving: i64) -> String {
    match saving {
        0 => units::duration(0),
        1.. => format!("-{}", units::duration(saving)),
        _ => format!("+{}", units::duration(-saving)),
    }
}
