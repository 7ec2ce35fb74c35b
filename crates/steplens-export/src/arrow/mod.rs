//! The tables of a trace as Arrow: columns in memory, which dataframes take over without a copy.
//!
//! The crate `arrow-array` has the layout and the interface in C; this module decides what is in it. Columns are called and typed as in
//! Parquet (`parquet/`), so that a table from memory equals the one from the export's file.
//!
//! Texts are plain and no dictionary: pandas makes categories of a dictionary, and then groups by every category that there is.

mod column;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchOptions, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use column::Growing;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use steplens_core::Study;
use steplens_report::tables::{Column, Kind, Table, Value};

/// A table in memory: one batch, unless its texts are longer than 32-bit offsets reach.
#[derive(Clone, Debug)]
pub struct Batches {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Batches {
    /// The table of what `study` shows, with the columns called `wanted` in the table's order; all of them without. It ends with an
    /// error of the kind `TimedOut` when `is_stopped` says so.
    pub fn of(
        table: Table,
        study: &Study,
        wanted: Option<&[String]>,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<Self> {
        let by_name = |column: &Column| wanted.is_none_or(|names| names.iter().any(|own| own == column.name));
        let is_wanted: Vec<bool> = table.columns().iter().map(by_name).collect();
        let places: Vec<usize> = (0..is_wanted.len()).filter(|&place| is_wanted[place]).collect();
        let columns: Vec<&Column> = places.iter().map(|&place| &table.columns()[place]).collect();
        let metadata =
            table.metadata(study.trace().origin_unix_ns()).map(|(key, value)| (key.to_owned(), value));
        let rows = if table == Table::Ops { study.trace().counted_ops() } else { 0 };
        let mut filling = Filling::new(&columns, metadata.into(), rows);
        table.rows_of(study, &is_wanted, &mut |row| {
            if filling.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && is_stopped() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            filling.push(row, &places, MOST_BYTES).map_err(io::Error::other)
        })?;
        filling.finish().map_err(io::Error::other)
    }

    /// A table with these `columns`, which says `about` of itself, and `rows` rows: `value` gives the one of a column and row.
    pub fn made<'v>(
        columns: &[Column],
        about: Vec<(String, String)>,
        rows: usize,
        value: impl Fn(usize, usize) -> Value<'v>,
    ) -> io::Result<Self> {
        let places: Vec<usize> = (0..columns.len()).collect();
        let mut filling =
            Filling::new(&columns.iter().collect::<Vec<_>>(), about.into_iter().collect(), rows);
        for at in 0..rows {
            let row: Vec<Value<'_>> = places.iter().map(|&column| value(column, at)).collect();
            filling.push(&row, &places, MOST_BYTES).map_err(io::Error::other)?;
        }
        filling.finish().map_err(io::Error::other)
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// What its columns are.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The values of the column at `place`, row by row.
    pub fn values(&self, place: usize) -> impl Iterator<Item = Value<'_>> {
        self.batches.iter().flat_map(move |batch| {
            let column = batch.column(place);
            (0..batch.num_rows()).map(move |row| column::value(column, row))
        })
    }

    /// Its schema in Arrow's interface in C.
    pub fn exported_schema(&self) -> Result<FFI_ArrowSchema, ArrowError> {
        FFI_ArrowSchema::try_from(&*self.schema)
    }

    /// It as a stream of Arrow's interface in C. Every stream has the same buffers, and keeps them for as long as it is there.
    pub fn stream(&self) -> FFI_ArrowArrayStream {
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader: Box<dyn RecordBatchReader + Send> =
            Box::new(RecordBatchIterator::new(batches, Arc::clone(&self.schema)));
        FFI_ArrowArrayStream::new(reader)
    }
}

/// How often it is asked whether to stop: some milliseconds.
const ROWS_BETWEEN_LOOKS: usize = 1 << 14;
/// The most bytes of a column of texts in a batch: offsets have 32 bits with a sign.
const MOST_BYTES: usize = i32::MAX as usize;

struct Filling {
    schema: SchemaRef,
    growing: Vec<Growing>,
    /// Of the current batch.
    rows: usize,
    batches: Vec<RecordBatch>,
}

impl Filling {
    fn new(columns: &[&Column], about: HashMap<String, String>, rows: usize) -> Self {
        let fields = columns.iter().map(|column| field(column)).collect::<Vec<_>>();
        Self {
            schema: Arc::new(Schema::new(fields).with_metadata(about)),
            growing: columns.iter().map(|column| Growing::of(column.kind, rows)).collect(),
            rows: 0,
            batches: Vec::new(),
        }
    }

    /// Adds the values of a row at `places`, to a new batch if a column would have more than `most_bytes` of texts.
    fn push(&mut self, row: &[Value<'_>], places: &[usize], most_bytes: usize) -> Result<(), ArrowError> {
        let mut columns = self.growing.iter().zip(places);
        if !columns.all(|(column, &place)| column.has_room(&row[place], most_bytes)) {
            self.end_batch()?;
        }
        for (column, &place) in self.growing.iter_mut().zip(places) {
            column.push(&row[place]);
        }
        self.rows += 1;
        Ok(())
    }

    fn end_batch(&mut self) -> Result<(), ArrowError> {
        let columns = self.growing.iter_mut().map(Growing::finish).collect();
        // Without it a table without columns would have no rows.
        let rows = RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.batches.push(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &rows)?);
        self.rows = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<Batches, ArrowError> {
        self.end_batch()?;
        Ok(Batches { schema: self.schema, batches: self.batches })
    }
}

/// Signed numbers, also for times: the zero of a trace is no date.
fn field(column: &Column) -> Field {
    let kind = match column.kind {
        Kind::Text | Kind::OptionalText => DataType::Utf8,
        Kind::Integer | Kind::OptionalInteger => DataType::Int64,
    };
    Field::new(column.name, kind, column.is_optional())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Array, cast::AsArray, types::Int64Type};

    #[test]
    fn texts_longer_than_offsets_reach_begin_another_batch() {
        let kinds = [(DataType::Int64, Kind::Integer), (DataType::Utf8, Kind::OptionalText)];
        let fields = kinds.iter().map(|(kind, _)| Field::new(format!("{kind}"), kind.clone(), true));
        let mut filling = Filling {
            schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())),
            growing: kinds.iter().map(|&(_, kind)| Growing::of(kind, 0)).collect(),
            rows: 0,
            batches: Vec::new(),
        };
        let texts = [Some("four"), Some("é"), None, Some("seven"), Some(""), Some("ten bytes.")];
        for (number, text) in (0..).zip(texts) {
            let row = [Value::Nothing, Value::Integer(number), Value::from(text)];
            filling.push(&row, &[1, 2], 6).unwrap_or_else(|why| panic!("{why}"));
        }
        let table = filling.finish().unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(table.rows(), texts.len());
        let rows: Vec<usize> = table.batches.iter().map(RecordBatch::num_rows).collect();
        assert_eq!(rows, [3, 2, 1]);
        let all = table.batches.iter().flat_map(|batch| {
            let (numbers, texts) =
                (batch.column(0).as_primitive::<Int64Type>(), batch.column(1).as_string::<i32>());
            assert_eq!(numbers.null_count(), 0);
            (0..batch.num_rows()).map(|at| (numbers.value(at), texts.is_valid(at).then(|| texts.value(at))))
        });
        assert_eq!(all.collect::<Vec<_>>(), (0..).zip(texts).collect::<Vec<_>>());
        assert_eq!(table.values(0).collect::<Vec<_>>(), (0..6).map(Value::Integer).collect::<Vec<_>>());
        assert_eq!(table.values(1).collect::<Vec<_>>(), texts.map(Value::from));
    }
}
