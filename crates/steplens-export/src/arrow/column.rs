//! A column while it grows, row by row, and its values once it is there.

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use std::sync::Arc;
use steplens_report::tables::{Kind, Value};

pub(crate) enum Growing {
    Numbers(Int64Builder),
    Texts(StringBuilder),
}

impl Growing {
    /// A column with room for `rows`.
    pub(crate) fn of(kind: Kind, rows: usize) -> Self {
        match kind {
            Kind::Integer | Kind::OptionalInteger => Self::Numbers(Int64Builder::with_capacity(rows)),
            Kind::Text | Kind::OptionalText => Self::Texts(StringBuilder::with_capacity(rows, 0)),
        }
    }

    /// Whether it can take `value` and has no more than `most_bytes` of texts then.
    pub(crate) fn has_room(&self, value: &Value<'_>, most_bytes: usize) -> bool {
        match (self, value) {
            (Self::Texts(texts), Value::Text(text)) => {
                texts.values_slice().len().saturating_add(text.len()) <= most_bytes
            }
            _ => true,
        }
    }

    /// Adds a value of the column's kind. One of another kind is not known; a table has none.
    pub(crate) fn push(&mut self, value: &Value<'_>) {
        match (self, value) {
            (Self::Numbers(numbers), Value::Integer(value)) => numbers.append_value(*value),
            (Self::Numbers(numbers), _) => numbers.append_null(),
            (Self::Texts(texts), Value::Text(text)) => texts.append_value(text),
            (Self::Texts(texts), _) => texts.append_null(),
        }
    }

    /// The column, after which it is empty.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Numbers(numbers) => Arc::new(numbers.finish()),
            Self::Texts(texts) => Arc::new(texts.finish()),
        }
    }
}

/// The value of a column that [`Growing`] made, at `row`.
pub(crate) fn value(column: &ArrayRef, row: usize) -> Value<'_> {
    if column.is_null(row) {
        return Value::Nothing;
    }
    match column.as_primitive_opt::<Int64Type>() {
        Some(numbers) => Value::Integer(numbers.value(row)),
        None => Value::text(column.as_string::<i32>().value(row)),
    }
}
