//! `steplens fleet`: asks a dataset of many traces, by DuckDB.

mod duckdb;
mod moment;
mod text;

use super::check::share;
use super::sink;
use crate::args;
use crate::render::visible;
use duckdb::Script;
use std::borrow::Cow;
use std::fs;
use std::io::{self, IsTerminal, Write};
use steplens_host::failure::{Failure, reason};
use steplens_host::fleet::damage::{DamagedPart, damaged};
use steplens_host::fleet::dataset::{Manifest, read_manifest};
use steplens_host::fleet::opening::failure;
use steplens_host::fleet::questions::{Asked, Question};
use steplens_host::fleet::views::views;
use steplens_messages::{listed, say};
use steplens_report::fleet::FleetTable;
use steplens_report::fleet_answer::{CsvAnswer, JsonAnswer};

/// What ends the name of a file with a query.
const SQL: &str = ".sql";

pub(super) fn run(args: &args::Fleet) -> Result<(), Failure> {
    let manifest = read_manifest(&args.dataset).map_err(|why| failure(&args.dataset, why))?;
    let query = match (&args.query, args.question) {
        (Some(query), _) => own_query(query)?,
        (None, Some(question)) => {
            has_tables(question, &manifest)?;
            question.sql.trim_end().to_owned()
        }
        (None, None) => return Ok(text::questions(&mut sink(&args.form), &args.form)?),
    };
    let asked = asked(&args.asked, &manifest)?;
    let damaged = damaged(&args.dataset).map_err(|why| failure(&args.dataset, why))?;
    tell(&damaged)?;
    let mut set_up = views(&args.dataset, &manifest, &damaged).map_err(|why| failure(&args.dataset, why))?;
    set_up.push(asked.view());
    let mut out = sink(&args.form);
    if args.sql {
        for statement in set_up.iter().chain([&query]) {
            writeln!(out, "{};", shown(statement))?;
        }
        return Ok(out.flush()?);
    }
    let question = args.question.map(|question| question.name);
    if args.form.json {
        let answer = duckdb::ask(&Script { set_up, query })?;
        let mut written = JsonAnswer::new(out, question, answer.columns())?;
        answer.each(|row| Ok(written.row(row)?))?;
        return Ok(written.finish()?);
    }
    if args.form.csv {
        let answer = duckdb::ask(&Script { set_up, query })?;
        let mut written = CsvAnswer::new(out, answer.columns())?;
        answer.each(|row| Ok(written.row(row)?))?;
        return Ok(written.finish()?);
    }
    // One more than is shown says whether there are more. A query of the user's own may have a limit already.
    let limit = args.length.rows();
    let query = match (args.question, limit.checked_add(1)) {
        (Some(_), Some(rows)) => format!("{query}\nLIMIT {rows}"),
        _ => query,
    };
    let answer = duckdb::ask(&Script { set_up, query })?;
    text::answer(&mut out, &args.form, args.question, answer, limit)
}

/// Says which parts are damaged: nothing of them is in any answer.
fn tell(damaged: &[DamagedPart]) -> Result<(), Failure> {
    let mut out = io::stderr().lock();
    for own in damaged {
        writeln!(out, "{}", visible(&own.what))?;
    }
    Ok(())
}

/// The statement as it is; a terminal must not be controlled by the names in it.
fn shown(statement: &str) -> Cow<'_, str> {
    if !io::stdout().is_terminal() {
        return Cow::Borrowed(statement);
    }
    Cow::Owned(statement.lines().map(visible).collect::<Vec<_>>().join("\n"))
}

/// A query of the user's own: itself, or the file that has it.
fn own_query(query: &str) -> Result<String, Failure> {
    let text = if query.trim_end().ends_with(SQL) {
        fs::read_to_string(query).map_err(|why| {
            let path = visible(query).into_owned();
            Failure::Unusable("bad-query", say!("ask-query-not-read", path, why = reason(&why)))
        })?
    } else {
        query.to_owned()
    };
    Ok(text.trim_end().trim_end_matches(';').to_owned())
}

/// A dataset may have been made with fewer tables.
fn has_tables(question: Question, manifest: &Manifest) -> Result<(), Failure> {
    let is_missing = |table: &FleetTable| !manifest.columns.contains_key(table.name());
    let missing: Vec<&str> = question.tables().into_iter().filter(is_missing).map(FleetTable::name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let tables = listed(missing);
    Err(Failure::Unusable("table-missing", say!("ask-table-missing", question = question.name, tables)))
}

fn asked(args: &args::Asked, manifest: &Manifest) -> Result<Asked, Failure> {
    for (name, day) in [("day-a", &args.day_a), ("day-b", &args.day_b)] {
        if let Some(day) = day.as_deref().filter(|day| !moment::is_day(day)) {
            return Err(Failure::Option(name, say!("ask-bad-day", day = visible(day).into_owned())));
        }
    }
    if let Some(run) = args.run.as_deref().filter(|run| manifest.runs.iter().all(|own| own.run != *run)) {
        let runs = listed(manifest.runs.iter().take(MOST_RUNS).map(|own| visible(&own.run).into_owned()));
        return Err(Failure::Option("run", say!("ask-no-run", run = visible(run).into_owned(), runs)));
    }
    let at = |text: &String| {
        let bad = || Failure::Option("at", say!("ask-bad-moment", moment = visible(text).into_owned()));
        moment::unix_ns(text).ok_or_else(bad)
    };
    let share_ppm = |text: &String| {
        let bad = || Failure::Option("share", say!("ask-bad-share", share = visible(text).into_owned()));
        share(text).map(|share| (share * 1e6).round() as i64).ok_or_else(bad)
    };
    Ok(Asked {
        day_a: args.day_a.clone(),
        day_b: args.day_b.clone(),
        at_unix_ns: args.at.as_ref().map(at).transpose()?,
        run: args.run.clone(),
        share_ppm: args.share.as_ref().map(share_ppm).transpose()?,
    })
}

/// How many runs are listed where one is not there.
const MOST_RUNS: usize = 10;
