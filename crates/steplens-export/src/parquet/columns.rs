//! The cells of one column until their row group is written.

use crate::tables::{Kind, Value};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::Result;
use parquet::file::writer::SerializedColumnWriter;
use std::hash::BuildHasher;

/// How many texts are handed to the writer at a time.
const BATCH: usize = 4096;

/// The cells of a column, and for one with unknown values which are known (1) and which are not (0).
pub(crate) struct Cells {
    values: Values,
    known: Option<Vec<i16>>,
}

enum Values {
    Integers(Vec<i64>),
    Texts(Texts),
}

/// Texts as numbers: most cells repeat one.
#[derive(Default)]
struct Texts {
    numbers: Vec<u32>,
    texts: Vec<ByteArray>,
    by_text: HashTable<u32>,
    hasher: FixedState,
}

impl Cells {
    pub(crate) fn of(kind: Kind) -> Self {
        let values = match kind {
            Kind::Integer | Kind::OptionalInteger => Values::Integers(Vec::new()),
            Kind::Text | Kind::OptionalText => Values::Texts(Texts::default()),
        };
        let known = matches!(kind, Kind::OptionalInteger | Kind::OptionalText).then(Vec::new);
        Self { values, known }
    }

    /// Takes the next cell. One of another kind than its column is empty; where nothing may be empty, it is 0 or "".
    pub(crate) fn push(&mut self, value: &Value<'_>) {
        let is_known = match (&mut self.values, value) {
            (Values::Integers(integers), Value::Integer(value)) => {
                integers.push(*value);
                true
            }
            (Values::Texts(texts), Value::Text(text)) => {
                texts.push(text);
                true
            }
            (values, _) => {
                if self.known.is_none() {
                    match values {
                        Values::Integers(integers) => integers.push(0),
                        Values::Texts(texts) => texts.push(""),
                    }
                }
                false
            }
        };
        if let Some(known) = &mut self.known {
            known.push(i16::from(is_known));
        }
    }

    /// Writes the cells, and is empty then.
    pub(crate) fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let known = self.known.as_deref();
        match &mut self.values {
            Values::Integers(integers) => {
                column.typed::<Int64Type>().write_batch(integers, known, None)?;
                integers.clear();
            }
            Values::Texts(texts) => texts.write(known, column)?,
        }
        self.known.iter_mut().for_each(Vec::clear);
        Ok(())
    }
}

impl Texts {
    fn push(&mut self, text: &str) {
        let Self { numbers, texts, by_text, hasher } = self;
        let hash = |bytes: &[u8]| hasher.hash_one(bytes);
        let number = by_text
            .entry(
                hash(text.as_bytes()),
                |&number| texts[number as usize].data() == text.as_bytes(),
                |&number| hash(texts[number as usize].data()),
            )
            .or_insert_with(|| texts.len() as u32);
        let number = *number.get();
        if number as usize == texts.len() {
            texts.push(ByteArray::from(text.as_bytes().to_vec()));
        }
        numbers.push(number);
    }

    fn write(&mut self, known: Option<&[i16]>, column: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let writer = column.typed::<ByteArrayType>();
        let mut numbers = self.numbers.iter();
        let rows = known.map_or(self.numbers.len(), <[i16]>::len);
        let mut batch = Vec::with_capacity(BATCH);
        for start in (0..rows).step_by(BATCH) {
            let levels = known.map(|known| &known[start..rows.min(start + BATCH)]);
            let texts = levels.map_or(BATCH, |levels| levels.iter().filter(|&&level| level > 0).count());
            batch.clear();
            batch.extend(numbers.by_ref().take(texts).map(|&number| self.texts[number as usize].clone()));
            writer.write_batch(&batch, levels, None)?;
        }
        self.numbers.clear();
        self.texts.clear();
        self.by_text.clear();
        Ok(())
    }
}
