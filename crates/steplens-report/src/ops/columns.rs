//! All ops as columns, which are made one after the other: the content of `steplens.ops/1`, for programs that read millions of ops.

use crate::tables::{self, Measure, OpTable, Table, Value};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use steplens_core::Study;

/// The largest integer up to which a double holds every one.
const MOST_EXACT: u64 = (1 << 53) - 1;

/// What stands for a text, or a number of something, that is not known.
const UNKNOWN: u32 = u32::MAX;

/// Every op, in the order of `steplens.ops/1`.
pub struct OpColumns<'a> {
    ops: OpTable<'a>,
    texts: Texts<'a>,
    rounded: u32,
}

/// The values of a column.
pub enum Cells {
    /// Rows in the texts, or numbers of something.
    Numbers(Vec<u32>),
    /// Times, lengths and sizes; `NaN` where it was not recorded.
    Figures(Vec<f64>),
}

impl<'a> OpColumns<'a> {
    /// The columns of what `study` shows.
    pub fn of(study: &'a Study) -> Self {
        Self { ops: OpTable::of(study), texts: Texts::default(), rounded: 0 }
    }

    /// Gives each column to `take`, with its name.
    pub fn each(&mut self, take: &mut dyn FnMut(&'static str, Cells)) {
        for (place, column) in Table::Ops.columns().iter().enumerate() {
            let values = tables::op_values(&self.ops, place);
            let cells = if column.is_text() {
                Cells::Numbers(values.map(|value| self.texts.row(value)).collect())
            } else if column.measure == Measure::Count {
                Cells::Numbers(values.map(number).collect())
            } else {
                Cells::Figures(values.map(|value| figure(&value, &mut self.rounded)).collect())
            };
            take(column.name, cells);
        }
    }

    /// Each text of these columns once.
    pub fn texts(&self) -> &[Cow<'a, str>] {
        &self.texts.texts
    }

    /// How many figures of these columns are rounded, because no double holds them.
    pub fn rounded(&self) -> u32 {
        self.rounded
    }
}

fn number(value: Value<'_>) -> u32 {
    match value {
        Value::Integer(number) => u32::try_from(number).unwrap_or(UNKNOWN),
        _ => UNKNOWN,
    }
}

fn figure(value: &Value<'_>, rounded: &mut u32) -> f64 {
    match *value {
        Value::Integer(figure) => {
            *rounded = rounded.saturating_add(u32::from(figure.unsigned_abs() > MOST_EXACT));
            figure as f64
        }
        _ => f64::NAN,
    }
}

/// Texts as numbers. Millions of values are some thousand texts, of which the trace keeps each once: where a text lies finds it again
/// quicker than what it says.
#[derive(Default)]
struct Texts<'a> {
    texts: Vec<Cow<'a, str>>,
    by_text: BTreeMap<Cow<'a, str>, u32>,
    by_address: HashTable<(Address, u32)>,
    hasher: FixedState,
}

/// Where a text begins, and its length.
type Address = (usize, usize);

impl<'a> Texts<'a> {
    fn row(&mut self, value: Value<'a>) -> u32 {
        match value {
            Value::Text(Cow::Borrowed(text)) => self.row_of_trace(text),
            Value::Text(text) => self.row_by_text(text),
            _ => UNKNOWN,
        }
    }

    fn row_of_trace(&mut self, text: &'a str) -> u32 {
        let address = (text.as_ptr().addr(), text.len());
        let hash = self.hasher.hash_one(address);
        if let Some(&(_, row)) = self.by_address.find(hash, |&(known, _)| known == address) {
            return row;
        }
        let row = self.row_by_text(Cow::Borrowed(text));
        let hasher = &self.hasher;
        self.by_address.insert_unique(hash, (address, row), |(known, _)| hasher.hash_one(known));
        row
    }

    fn row_by_text(&mut self, text: Cow<'a, str>) -> u32 {
        if let Some(&row) = self.by_text.get(&text) {
            return row;
        }
        let row = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.by_text.insert(text, row);
        row
    }
}
