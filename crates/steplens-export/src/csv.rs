//! Every table as a CSV file (RFC 4180): one header row, lines end in LF, and unknown values are empty cells.

use crate::archive::Archive;
use crate::buffer::{self, FULL};
use crate::json::push_integer;
use crate::tables::{self, Table, Value};
use std::io;
use steplens_core::Study;
use steplens_core::base::pace::{Pace, at_once};

/// Writes a file for each table.
pub fn write(study: &Study, out: &mut dyn Archive) -> io::Result<()> {
    at_once(async |pace: &Pace| paced(study, out, pace).await)
}

/// Like [`write`], but in pieces, so that the caller can do other work in between.
pub async fn paced(study: &Study, out: &mut dyn Archive, pace: &Pace) -> io::Result<()> {
    let mut progress = tables::progress(study, pace);
    for table in Table::ALL {
        out.begin_file(&format!("{}.csv", table.name()))?;
        let mut lines = Vec::with_capacity(FULL + 4096);
        let names: Vec<_> = table.columns().iter().map(|column| Value::text(column.name)).collect();
        push_row(&names, &mut lines);
        let mut take = |row: &[Value<'_>]| {
            push_row(row, &mut lines);
            buffer::hand_over(&mut lines, out)
        };
        table.rows_paced(study, &mut take, &mut progress).await?;
        out.write_all(&lines)?;
    }
    Ok(())
}

fn push_row(row: &[Value<'_>], out: &mut Vec<u8>) {
    for (place, value) in row.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        match value {
            Value::Text(text) => push_text(text, out),
            Value::Integer(value) => push_integer(*value, out),
            Value::Nothing => {}
        }
    }
    out.push(b'\n');
}

/// Puts an apostrophe before text that a spreadsheet would take for a formula, because names in a trace cannot be trusted.
fn push_text(text: &str, out: &mut Vec<u8>) {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if !text.contains([',', '"', '\n', '\r']) {
        out.extend_from_slice(guard.as_bytes());
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    out.extend_from_slice(guard.as_bytes());
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_and_never_a_formula() {
        let mut out = Vec::new();
        let texts = ["a", "=1+1", "x,y", "=\",x", "say \"x\"", "two\nlines", ""];
        push_row(&texts.map(Value::text), &mut out);
        push_row(&[Value::Nothing, Value::Integer(-5), Value::Nothing], &mut out);
        let expected = "a,'=1+1,\"x,y\",\"'=\"\",x\",\"say \"\"x\"\"\",\"two\nlines\",\n,-5,\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
