//! `steplens.fleet/1`: what a question to a dataset of many traces was answered, row by row as it comes.

use crate::csv::Sheet;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// `steplens.fleet/1`: the rows that answer a question. Columns of a unit end in it: `_ns`, `_bytes`, `_ppm` (millionths).
#[derive(Serialize)]
struct FleetAnswer<'a> {
    schema: &'static str,
    /// The name of the question; null for a query of the user's own.
    question: Option<&'a str>,
    /// The names of the columns.
    columns: Vec<&'a str>,
}

/// An answer as JSON. Its rows are arrays with a value for each column: a text, a number or null.
pub struct JsonAnswer<W: Write> {
    out: W,
    has_rows: bool,
}

impl<W: Write> JsonAnswer<W> {
    /// Begins the answer.
    pub fn new(mut out: W, question: Option<&str>, columns: &[String]) -> io::Result<Self> {
        let columns = columns.iter().map(String::as_str).collect();
        let head = crate::text(&FleetAnswer { schema: "steplens.fleet/1", question, columns });
        write!(out, "{},\"rows\":[", head.trim_end_matches('}'))?;
        Ok(Self { out, has_rows: false })
    }

    /// Writes a row.
    pub fn row(&mut self, row: &[Value]) -> io::Result<()> {
        let between = if self.has_rows { ",\n" } else { "\n" };
        self.has_rows = true;
        write!(self.out, "{between}{}", crate::text(&row))
    }

    /// Ends the answer.
    pub fn finish(mut self) -> io::Result<()> {
        writeln!(self.out, "]}}")?;
        self.out.flush()
    }
}

/// An answer as CSV.
pub struct CsvAnswer<W: Write>(Sheet<W>);

impl<W: Write> CsvAnswer<W> {
    /// Begins the answer.
    pub fn new(out: W, columns: &[String]) -> io::Result<Self> {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        Sheet::new(out, &columns).map(Self)
    }

    /// Writes a row.
    pub fn row(&mut self, row: &[Value]) -> io::Result<()> {
        for value in row {
            match value {
                Value::Null => self.0.maybe(None::<i64>)?,
                Value::String(text) => self.0.text(text)?,
                other => self.0.maybe(Some(other))?,
            }
        }
        self.0.end()
    }

    /// Ends the answer.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_have_a_value_for_each_column() {
        let columns = ["task".to_owned(), "own_ns".to_owned()];
        let rows = [[json!("=a\n"), json!(9_007_199_254_740_993_i64)], [json!("b"), Value::Null]];
        for count in 0..=2 {
            let mut text = Vec::new();
            let mut answer = JsonAnswer::new(&mut text, Some("split"), &columns).unwrap();
            rows[..count].iter().for_each(|row| answer.row(row).unwrap());
            answer.finish().unwrap();
            let read: Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(read["rows"], json!(rows[..count]));
            assert_eq!((&read["question"], &read["columns"]), (&json!("split"), &json!(columns)));
        }
        let mut text = Vec::new();
        let mut answer = CsvAnswer::new(&mut text, &columns).unwrap();
        rows.iter().for_each(|row| answer.row(row).unwrap());
        answer.finish().unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "task,own_ns\n\"'=a\n\",9007199254740993\nb,\n");
    }
}
