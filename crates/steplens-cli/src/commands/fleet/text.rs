//! Questions and their answers as text.

use super::duckdb::Answer;
use super::moment;
use crate::args::Form;
use crate::commands::Out;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use serde_json::Value;
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_host::fleet::questions::Question;
use steplens_messages::say;
use steplens_report::fleet_answer::{CsvAnswer, JsonAnswer};
use steplens_report::names::{place_label, task_label};
use unicode_width::UnicodeWidthStr;

/// The columns of the list of questions.
const LISTED: [&str; 2] = ["question", "about"];

/// Lists the questions.
pub(super) fn questions(out: &mut Out, form: &Form) -> io::Result<()> {
    let columns = LISTED.map(str::to_owned);
    let rows = Question::ALL.iter().map(|own| [own.name, own.about()].map(Value::from));
    if form.json {
        let mut written = JsonAnswer::new(out, None, &columns)?;
        rows.into_iter().try_for_each(|row| written.row(&row))?;
        return written.finish();
    }
    if form.csv {
        let mut written = CsvAnswer::new(out, &columns)?;
        rows.into_iter().try_for_each(|row| written.row(&row))?;
        return written.finish();
    }
    let screen = Screen::new(form.color);
    let mut table =
        Table::default().column("", ColumnKind::Text, ALWAYS).column("", ColumnKind::Name(40), ALWAYS);
    for own in Question::ALL {
        table.row([own.name, own.about()].map(|text| Cell::from(text.to_owned())));
    }
    table.write(out, screen)?;
    writeln!(out, "\n{}", screen.note(say!("ask-how")))?;
    out.flush()
}

/// Writes the first `limit` rows.
pub(super) fn answer(
    out: &mut Out,
    form: &Form,
    question: Option<Question>,
    answer: Answer,
    limit: usize,
) -> Result<(), Failure> {
    let screen = Screen::new(form.color);
    let columns = answer.columns().to_vec();
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let mut has_more = false;
    answer.each(|row| {
        match rows.len() < limit {
            true => rows.push(row.to_vec()),
            false => has_more = true,
        }
        Ok(())
    })?;
    if let Some(question) = question {
        writeln!(out, "{}", screen.strong_sentence(question.about()))?;
    }
    if rows.is_empty() {
        writeln!(out, "{}", say!("ask-nothing"))?;
        return Ok(out.flush()?);
    }
    let mut table = Table::default();
    for (place, name) in columns.iter().enumerate() {
        let is_number = |row: &Vec<Value>| row.get(place).is_none_or(|own| own.is_number() || own.is_null());
        let is_short = |row: &Vec<Value>| {
            row.get(place).is_none_or(|own| !own.is_string() || shown(name, own).width() <= SHORT)
        };
        let title = title(name, &columns);
        // A title is not shortened.
        let least = title.width().max(SHORT);
        let kind = match name.as_str() {
            _ if rows.iter().all(is_number) => ColumnKind::Figure,
            _ if rows.iter().all(is_short) => ColumnKind::Text,
            own if PLACES.contains(&own) => ColumnKind::Location(least),
            _ => ColumnKind::Name(least),
        };
        // What a question is about comes first.
        let rank = u8::try_from(columns.len() - place).unwrap_or(ALWAYS).min(ALWAYS - 1);
        table = table.column(title, kind, rank);
    }
    for row in &rows {
        table.row(columns.iter().zip(row).map(|(name, value)| Cell::from(shown(name, value))));
    }
    table.write(out, screen)?;
    if has_more {
        writeln!(out, "{}", screen.note(say!("ask-more")))?;
    }
    let left_out = table.left_out(screen);
    if left_out > 0 {
        writeln!(out, "{}", screen.note(&say!("ask-columns", count = left_out)))?;
    }
    Ok(out.flush()?)
}

/// Writes a number with its unit.
type Written = fn(i64) -> String;

/// The units that names of columns end in: how a number of them is written.
const UNITS: [(&str, Written); 4] = [
    ("_unix_ns", moment::written),
    ("_ns", units::duration),
    ("_bytes", |size| units::bytes(size.unsigned_abs())),
    ("_ppm", |share| format!("{:.1} %", share as f64 / 1e4)),
];

/// Texts no wider than this number of columns of the screen are not shortened.
const SHORT: usize = 12;

fn without_unit(name: &str) -> &str {
    UNITS.iter().find_map(|(unit, _)| name.strip_suffix(unit)).unwrap_or(name)
}

/// The name of a column without its unit, which its figures have; with it where two columns would be called the same.
fn title(name: &str, columns: &[String]) -> String {
    let short = without_unit(name);
    let is_alone = columns.iter().filter(|other| without_unit(other) == short).count() < 2;
    visible(if is_alone { short } else { name }).into_owned()
}

/// Columns that name a task, a job or a device, which are called as on the page.
const PLACES: [&str; 5] = ["task", "job", "device", "source", "destination"];

fn shown(name: &str, value: &Value) -> String {
    let written = match name {
        "bytes" => Some(UNITS[2].1),
        "rate" | "median_rate" => {
            Some((|rate| units::rate(rate.unsigned_abs(), Some(1_000_000_000))) as fn(i64) -> String)
        }
        _ => UNITS.iter().find(|(unit, _)| name.ends_with(unit)).map(|(_, written)| *written),
    };
    match (value, written, value.as_i64()) {
        (Value::Null, ..) => String::new(),
        (Value::String(text), ..) if PLACES.contains(&name) && text.contains("/task:") => place_label(text),
        (Value::String(text), ..) if PLACES.contains(&name) => task_label(text),
        (Value::String(text), ..) => visible(text).into_owned(),
        (_, Some(written), Some(number)) => written(number),
        (other, ..) => visible(&other.to_string()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_have_the_units_that_the_names_of_their_columns_end_in() {
        for (name, value, expected) in [
            ("behind_ns", json!(12_000_000), "12.00 ms"),
            ("start_unix_ns", json!(1_795_651_201_000_000_000_i64), "2026-11-26 00:00:01"),
            ("peak_bytes", json!(2048), "2.00 KiB"),
            ("share_ppm", json!(-36_556), "-3.7 %"),
            ("rate", json!(308_516_922), "309 MB/s"),
            ("steps", json!(7), "7"),
            ("steps", json!(null), ""),
            ("name", json!("a\u{1b}[2J"), "a\\x1b[2J"),
            ("mine", json!(1.5), "1.5"),
            ("task", json!("/job:worker/replica:0/task:3"), "worker 3"),
            ("job", json!("/job:worker/replica:0"), "worker"),
            ("source", json!("/job:ps/replica:0/task:1/device:CPU:0"), "ps 1 CPU:0"),
            ("what", json!("/job:worker/replica:0/task:3"), "/job:worker/replica:0/task:3"),
        ] {
            assert_eq!(shown(name, &value), expected, "{name}");
        }
        let columns = ["behind_ns", "cause", "cause_ns"].map(str::to_owned);
        assert_eq!(columns.each_ref().map(|name| title(name, &columns)), ["behind", "cause", "cause_ns"]);
    }
}
