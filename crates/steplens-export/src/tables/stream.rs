//! The rows of all tables as bytes, for a writer with a separate memory: the page packs Parquet in another wasm module than the
//! core.
//!
//! The stream begins with the time 0 of the trace, in ns from 1970, as 8 bytes. Then come the tables with their rows. A table
//! begins with [`TABLE`] and its place in [`Table::ALL`]. A row is the values of its columns, each as a byte for its kind and then
//! its bytes. Numbers are little-endian. The stream is never kept in a file: both sides come from the same build.

use super::{Table, Value, progress};
use crate::buffer;
use std::io::{self, Write};
use steplens_core::Study;
use steplens_core::base::pace::Pace;

/// The first byte of a table.
const TABLE: u8 = 0xff;
/// Kinds of values.
const NOTHING: u8 = 0;
const TEXT: u8 = 1;
const INTEGER: u8 = 2;

/// Writes the rows of all tables of `study`, in pieces. Between two pieces, the sink has only whole rows.
pub async fn write_rows(study: &Study, out: &mut dyn Write, pace: &Pace) -> io::Result<()> {
    let mut progress = progress(study, pace);
    out.write_all(&study.trace().origin_unix_ns().to_le_bytes())?;
    for (place, table) in (0..).zip(Table::ALL) {
        let mut bytes = vec![TABLE, place];
        let mut take = |row: &[Value<'_>]| {
            row.iter().for_each(|value| push(value, &mut bytes));
            buffer::hand_over(&mut bytes, out)
        };
        table.rows_paced(study, &mut take, &mut progress).await?;
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn push(value: &Value<'_>, bytes: &mut Vec<u8>) {
    match value {
        Value::Nothing => bytes.push(NOTHING),
        Value::Text(text) => {
            bytes.push(TEXT);
            // No text of a trace is longer than 32 bits can say.
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        Value::Integer(value) => {
            bytes.push(INTEGER);
            bytes.extend(value.to_le_bytes());
        }
    }
}

/// Receives what a [`RowReader`] reads.
pub trait TakeRows {
    /// The rows that follow belong to `table`; times count from `origin_unix_ns`.
    fn begin(&mut self, table: Table, origin_unix_ns: i64) -> io::Result<()>;
    /// Takes the next row of the current table.
    fn row(&mut self, row: &[Value<'_>]) -> io::Result<()>;
}

/// Reads what [`write_rows`] wrote, in pieces of whole rows.
#[derive(Default)]
pub struct RowReader {
    origin_unix_ns: Option<i64>,
    table: Option<Table>,
}

impl RowReader {
    /// Reads the next piece and passes its rows to `take`.
    pub fn read(&mut self, piece: &[u8], take: &mut dyn TakeRows) -> io::Result<()> {
        let mut rest = piece;
        let origin = match self.origin_unix_ns {
            Some(origin) => origin,
            None if piece.is_empty() => return Ok(()),
            None => *self.origin_unix_ns.insert(i64::from_le_bytes(*taken(&mut rest)?)),
        };
        let mut row = Vec::new();
        while let Some((&first, after)) = rest.split_first() {
            if first == TABLE {
                rest = after;
                let [place] = *taken(&mut rest)?;
                let table = *Table::ALL.get(usize::from(place)).ok_or_else(cut)?;
                self.table = Some(table);
                take.begin(table, origin)?;
                continue;
            }
            let columns = self.table.ok_or_else(cut)?.columns();
            row.clear();
            for _ in columns {
                row.push(value(&mut rest)?);
            }
            take.row(&row)?;
        }
        Ok(())
    }
}

fn value<'a>(rest: &mut &'a [u8]) -> io::Result<Value<'a>> {
    Ok(match *taken(rest)? {
        [NOTHING] => Value::Nothing,
        [INTEGER] => Value::Integer(i64::from_le_bytes(*taken(rest)?)),
        [TEXT] => {
            let length = u32::from_le_bytes(*taken(rest)?) as usize;
            let (text, after) = rest.split_at_checked(length).ok_or_else(cut)?;
            *rest = after;
            Value::text(str::from_utf8(text).map_err(io::Error::other)?)
        }
        _ => return Err(cut()),
    })
}

/// Takes the next `N` bytes off `rest`.
fn taken<'a, const N: usize>(rest: &mut &'a [u8]) -> io::Result<&'a [u8; N]> {
    let (bytes, after) = rest.split_first_chunk().ok_or_else(cut)?;
    *rest = after;
    Ok(bytes)
}

fn cut() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Lines(Vec<String>);

    impl TakeRows for Lines {
        fn begin(&mut self, table: Table, origin_unix_ns: i64) -> io::Result<()> {
            self.0.push(format!("{} {origin_unix_ns}", table.name()));
            Ok(())
        }

        fn row(&mut self, row: &[Value<'_>]) -> io::Result<()> {
            self.0.push(format!("{row:?}"));
            Ok(())
        }
    }

    #[test]
    fn rows_come_back_from_pieces_and_nothing_else_is_a_row() {
        let mut bytes = (-7_i64).to_le_bytes().to_vec();
        bytes.extend([TABLE, 5]);
        let row =
            [Value::Integer(1), Value::Integer(-2), Value::Integer(3), Value::Nothing, Value::text("ö")];
        row.iter().for_each(|value| push(value, &mut bytes));
        let whole = bytes.len();
        row.iter().for_each(|value| push(value, &mut bytes));
        let (mut reader, mut lines) = (RowReader::default(), Lines::default());
        for piece in [&bytes[..whole], &[], &bytes[whole..]] {
            reader.read(piece, &mut lines).unwrap();
        }
        let said = format!("{row:?}");
        assert_eq!(lines.0, ["steps -7", &said, &said]);
        // A piece that ends in the middle of a row is an error.
        for end in (1..whole).filter(|&end| end != 8 && end != 10) {
            let read = RowReader::default().read(&bytes[..end], &mut Lines::default());
            assert!(read.is_err(), "{end}");
        }
        for damaged in [[TABLE, 6], [INTEGER, 0], [3, 0]] {
            let read = RowReader::default().read(&[&bytes[..8], &damaged].concat(), &mut Lines::default());
            assert!(read.is_err(), "{damaged:?}");
        }
    }
}
