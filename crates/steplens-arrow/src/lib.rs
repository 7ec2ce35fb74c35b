//! The tables of a trace as Arrow: columns in memory, which dataframes take over without a copy.
//!
//! The crate `arrow-array` has the layout and the interface in C; this one decides what is in it. Columns are called and typed as in
//! Parquet (`steplens-parquet`), so that a table from memory equals the one from the export's file.
//!
//! Texts are plain and no dictionary: pandas makes categories of a dictionary, and then groups by every category that there is.

#![forbid(unsafe_code)]

mod column;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use column::Growing;
use std::io;
use std::sync::Arc;
use steplens_core::Study;
use steplens_report::tables::{Column, Kind, Table};

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
        let columns = places.iter().map(|&place| &table.columns()[place]);
        let metadata = table.metadata(study.trace().origin_unix_ns());
        let schema = Schema::new(columns.clone().map(field).collect::<Vec<_>>()).with_metadata(metadata);
        let rows = if table == Table::Ops { study.trace().counted_ops() as usize } else { 0 };
        let mut filling = Filling {
            schema: Arc::new(schema),
            growing: columns.map(|column| Growing::of(column.kind, rows)).collect(),
            rows: 0,
            batches: Vec::new(),
        };
        table.rows_of(study, &is_wanted, &mut |row| {
            if filling.rows % ROWS_BETWEEN_LOOKS == 0 && is_stopped() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            if !filling.growing.iter().zip(&places).all(|(column, &place)| column.has_room(&row[place])) {
                filling.end_batch().map_err(io::Error::other)?;
            }
            for (column, &place) in filling.growing.iter_mut().zip(&places) {
                column.push(&row[place]);
            }
            filling.rows += 1;
            Ok(())
        })?;
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

struct Filling {
    schema: SchemaRef,
    growing: Vec<Growing>,
    /// Of the current batch.
    rows: usize,
    batches: Vec<RecordBatch>,
}

impl Filling {
    fn end_batch(&mut self) -> Result<(), ArrowError> {
        let columns = self.growing.iter_mut().map(Growing::finish).collect();
        self.batches.push(RecordBatch::try_new(Arc::clone(&self.schema), columns)?);
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
