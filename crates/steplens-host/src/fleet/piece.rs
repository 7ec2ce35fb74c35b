//! The rows of a table in memory: numbers as they are, texts each once.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use steplens_report::tables::{Column, Value};

/// Rows of a table of a dataset.
#[derive(Debug)]
pub struct Piece {
    columns: Vec<Held>,
    rows: usize,
}

/// The cells of a column.
#[derive(Debug)]
struct Held {
    cells: Cells,
    /// Of a column with unknown values: which are known.
    known: Option<Vec<bool>>,
}

#[derive(Debug)]
enum Cells {
    Integers(Vec<i64>),
    Texts(Texts),
}

/// Texts as numbers: most cells repeat one.
#[derive(Debug, Default)]
struct Texts {
    numbers: Vec<u32>,
    texts: Vec<Box<str>>,
    by_text: HashTable<u32>,
    hasher: FixedState,
}

impl Piece {
    /// No rows of a table with these columns.
    pub fn of(columns: &[Column]) -> Self {
        let held = |column: &Column| Held {
            cells: if column.is_text() {
                Cells::Texts(Texts::default())
            } else {
                Cells::Integers(Vec::new())
            },
            known: column.is_optional().then(Vec::new),
        };
        Self { columns: columns.iter().map(held).collect(), rows: 0 }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row. A value of another kind than its column is unknown; where nothing may be unknown, it is 0 or empty.
    pub fn push(&mut self, row: &[Value<'_>]) {
        for (held, value) in self.columns.iter_mut().zip(row) {
            let is_known = match (&mut held.cells, value) {
                (Cells::Integers(integers), Value::Integer(value)) => {
                    integers.push(*value);
                    true
                }
                (Cells::Texts(texts), Value::Text(text)) => {
                    texts.push(text);
                    true
                }
                (Cells::Integers(integers), _) => {
                    integers.push(0);
                    false
                }
                (Cells::Texts(texts), _) => {
                    texts.push("");
                    false
                }
            };
            if let Some(known) = &mut held.known {
                known.push(is_known);
            }
        }
        self.rows += 1;
    }

    /// The value of `row` in `column`.
    pub fn value(&self, column: usize, row: usize) -> Value<'_> {
        let Some(held) = self.columns.get(column) else { return Value::Nothing };
        if held.known.as_ref().is_some_and(|known| known.get(row) != Some(&true)) {
            return Value::Nothing;
        }
        match &held.cells {
            Cells::Integers(integers) => {
                integers.get(row).map_or(Value::Nothing, |value| Value::Integer(*value))
            }
            Cells::Texts(texts) => texts.get(row).map_or(Value::Nothing, Value::text),
        }
    }

    /// The number in `column`; 0 if it holds texts, or is not known.
    pub(crate) fn integer(&self, column: usize, row: usize) -> i64 {
        if let Value::Integer(value) = self.value(column, row) { value } else { 0 }
    }

    /// The text in `column`; empty if it holds numbers, or is not known.
    pub fn text(&self, column: usize, row: usize) -> &str {
        let is_known = |held: &&Held| held.known.as_ref().is_none_or(|known| known.get(row) == Some(&true));
        let held = self.columns.get(column).filter(is_known);
        let texts =
            held.and_then(|held| if let Cells::Texts(texts) = &held.cells { Some(texts) } else { None });
        texts.and_then(|texts| texts.get(row)).unwrap_or_default()
    }

    /// The texts of `column`, each once, and for each row which of them it has.
    pub(crate) fn texts(&self, column: usize) -> (&[Box<str>], &[u32]) {
        match self.columns.get(column).map(|held| &held.cells) {
            Some(Cells::Texts(texts)) => (&texts.texts, &texts.numbers),
            _ => (&[], &[]),
        }
    }
}

impl Texts {
    fn push(&mut self, text: &str) {
        let Self { numbers, texts, by_text, hasher } = self;
        let hash = |text: &str| hasher.hash_one(text);
        let entry = by_text.entry(
            hash(text),
            |&number| &*texts[number as usize] == text,
            |&number| hash(&texts[number as usize]),
        );
        let number = *entry.or_insert_with(|| texts.len() as u32).get();
        if number as usize == texts.len() {
            texts.push(text.into());
        }
        numbers.push(number);
    }

    fn get(&self, row: usize) -> Option<&str> {
        let number = *self.numbers.get(row)?;
        self.texts.get(number as usize).map(|text| &**text)
    }
}

#[cfg(test)]
mod tests {
    use super::Piece;
    use steplens_report::fleet::FleetTable;
    use steplens_report::tables::Value;

    #[test]
    fn rows_come_back_as_they_were_given() {
        let columns = FleetTable::Ops.columns();
        let mut piece = Piece::of(&columns);
        let rows = [7, 8].map(|number| {
            let value =
                |column: &steplens_report::tables::Column| match (column.is_text(), column.is_optional()) {
                    (_, true) if number == 7 => Value::Nothing,
                    (true, _) => Value::from(format!("{}", number % 2)),
                    (false, _) => Value::Integer(number),
                };
            columns.iter().map(value).collect::<Vec<_>>()
        });
        rows.iter().for_each(|row| piece.push(row));
        assert_eq!(piece.rows(), 2);
        for (at, row) in rows.iter().enumerate() {
            let read: Vec<Value<'_>> = (0..columns.len()).map(|column| piece.value(column, at)).collect();
            assert_eq!(&read, row);
        }
        assert_eq!(piece.value(columns.len(), 0), Value::Nothing);
        assert_eq!(piece.value(0, 2), Value::Nothing);
    }
}
