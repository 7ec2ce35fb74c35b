//! The tables of several files as one part: rows in order of task and step, in row groups that are large enough for engines.

use super::piece::Piece;
use std::io::{self, Write};
use steplens_core::base::natural;
use steplens_export::parquet::Sheet;
use steplens_report::fleet::{FleetTable, SCHEMA};
use steplens_report::tables::{Column, Value};

/// Writes the rows of `pieces`, which are of `table`, in order of task, step and file, and within a file as they are.
pub fn write(table: FleetTable, pieces: &[Piece], out: &mut impl Write) -> io::Result<usize> {
    let columns = table.columns();
    let mut sheet = Sheet::new(table.name(), &columns, about(table, &columns))?;
    let order = order(&columns, pieces);
    for &(piece, at) in &order {
        let piece = &pieces[piece as usize];
        let mut row: [Value<'_>; MOST_COLUMNS] = [const { Value::Nothing }; MOST_COLUMNS];
        for (column, value) in row.iter_mut().enumerate().take(columns.len()) {
            *value = piece.value(column, at as usize);
        }
        sheet.push(&row[..columns.len().min(MOST_COLUMNS)], out)?;
    }
    sheet.finish(out)?;
    Ok(order.len())
}

/// More than any table has.
const MOST_COLUMNS: usize = 64;

/// The rows, as (piece, row), sorted by task and step.
fn order(columns: &[Column], pieces: &[Piece]) -> Vec<(u32, u32)> {
    let place = |name: &str| columns.iter().position(|column| column.name == name);
    let (task, step) = (place("task"), place("step"));
    let mut tasks: Vec<&str> = Vec::new();
    if let Some(task) = task {
        tasks.extend(pieces.iter().flat_map(|piece| piece.texts(task).0).map(|text| &**text));
        tasks.sort_unstable();
        tasks.dedup();
    }
    // The first column is the file.
    let mut files: Vec<&str> = pieces.iter().flat_map(|piece| piece.texts(0).0).map(|text| &**text).collect();
    files.sort_unstable_by(|a, b| natural::compare(a, b));
    files.dedup();
    let mut keyed: Vec<(u32, i64, u32, u32, u32)> = Vec::new();
    for (number, piece) in (0..).zip(pieces) {
        let (own_files, file_of) = piece.texts(0);
        let places: Vec<u32> = own_files
            .iter()
            .map(|file| files.partition_point(|own| natural::compare(own, file).is_lt()) as u32)
            .collect();
        let place =
            |at: usize| file_of.get(at).and_then(|&file| places.get(file as usize)).copied().unwrap_or(0);
        let (texts, numbers) = task.map_or((&[][..], &[][..]), |task| piece.texts(task));
        let ranks: Vec<u32> =
            texts.iter().map(|text| tasks.partition_point(|own| *own < &**text) as u32).collect();
        let rank =
            |at: usize| numbers.get(at).and_then(|&text| ranks.get(text as usize)).copied().unwrap_or(0);
        keyed.extend((0..piece.rows()).map(|at| {
            let step = step.map_or(0, |step| piece.integer(step, at));
            (rank(at), step, place(at), number, at as u32)
        }));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(.., piece, at)| (piece, at)).collect()
}

/// What a file says of itself: the schema, its table, and the units of its columns as JSON.
pub fn about(table: FleetTable, columns: &[Column]) -> Vec<(String, String)> {
    let units: Vec<String> = columns
        .iter()
        .filter_map(|column| Some(format!("\"{}\":\"{}\"", column.name, column.unit()?)))
        .collect();
    [
        ("steplens.schema", SCHEMA.to_owned()),
        ("steplens.table", table.name().to_owned()),
        ("steplens.units", format!("{{{}}}", units.join(","))),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(rows: &[(&str, &str, i64)]) -> Piece {
        let columns = FleetTable::Split.columns();
        let mut piece = Piece::of(&columns);
        for &(file, task, step) in rows {
            let value = |column: &Column| match column.name {
                "file" => Value::text(file),
                "task" => Value::text(task),
                "step" => Value::Integer(step),
                _ if column.is_text() => Value::text(""),
                _ => Value::Integer(0),
            };
            piece.push(&columns.iter().map(value).collect::<Vec<_>>());
        }
        piece
    }

    #[test]
    fn rows_are_in_order_of_task_and_step_and_come_back() {
        let pieces = [piece(&[("a", "w/2", 1), ("a", "w/1", 2)]), piece(&[("b", "w/2", 0), ("b", "w/1", 2)])];
        let mut file = Vec::new();
        let rows = write(FleetTable::Split, &pieces, &mut file);
        assert_eq!(rows.ok(), Some(4));
        let columns = FleetTable::Split.columns();
        let wanted: Vec<Column> =
            columns.into_iter().filter(|column| ["file", "task", "step"].contains(&column.name)).collect();
        let mut read = Vec::new();
        steplens_export::parquet::rows(bytes::Bytes::from(file), &wanted, &mut |row| {
            read.push(format!("{row:?}"));
            Ok(())
        })
        .expect("it was just written");
        let row = |file: &str, task: &str, step: i64| {
            format!("{:?}", [Value::text(file), Value::text(task), Value::Integer(step)])
        };
        assert_eq!(read, [row("a", "w/1", 2), row("b", "w/1", 2), row("b", "w/2", 0), row("a", "w/2", 1)]);
    }
}
