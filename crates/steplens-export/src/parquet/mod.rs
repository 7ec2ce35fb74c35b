//! The tables of a trace as Parquet files: one for each table, written as a stream of row groups.
//!
//! The crate `parquet` writes encodings, pages and the footer; this module decides what is in them. It is behind a feature that the core of the page
//! does not ask for: the page has it in a module of its own, `steplens-parquet-wasm`. `docs/export.md` says what the files hold, and why.

mod columns;
mod rows;

pub use rows::{columns_of, rows};

use crate::archive::Archive;
use crate::tables::stream::TakeRows;
use crate::tables::{Column, Kind, Table, Value};
use columns::Cells;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use std::io;
use std::sync::Arc;
use steplens_core::Study;

/// How many rows are gathered before they are written: as many as DuckDB reads at a time, and some 15 MB of ops.
const ROWS_OF_A_GROUP: usize = 122_880;

/// Writes a file for each table.
pub fn write(study: &Study, out: &mut dyn Archive) -> io::Result<()> {
    let mut files = ParquetFiles::new(out);
    for table in Table::ALL {
        files.begin(table, study.trace().origin_unix_ns())?;
        table.rows(study, &mut |row| files.row(row))?;
    }
    files.finish().map(drop)
}

/// A file for each table whose rows it is given.
pub struct ParquetFiles<A: Archive> {
    out: A,
    sheet: Option<Sheet>,
}

impl<A: Archive> ParquetFiles<A> {
    /// Files into `out`.
    pub fn new(out: A) -> Self {
        Self { out, sheet: None }
    }

    /// Ends the last file, and gives back what all of them went to.
    pub fn finish(mut self) -> io::Result<A> {
        self.end_file()?;
        Ok(self.out)
    }

    fn end_file(&mut self) -> io::Result<()> {
        match self.sheet.take() {
            Some(sheet) => sheet.finish(&mut self.out),
            None => Ok(()),
        }
    }
}

impl<A: Archive> TakeRows for ParquetFiles<A> {
    fn begin(&mut self, table: Table, origin_unix_ns: i64) -> io::Result<()> {
        self.end_file()?;
        self.out.begin_file(&format!("{}.parquet", table.name()))?;
        let about = table.metadata(origin_unix_ns).map(|(key, value)| (key.to_owned(), value));
        self.sheet = Some(Sheet::new(table.name(), table.columns(), about.to_vec())?);
        Ok(())
    }

    fn row(&mut self, row: &[Value<'_>]) -> io::Result<()> {
        match &mut self.sheet {
            Some(sheet) => sheet.push(row, &mut self.out),
            None => Ok(()),
        }
    }
}

/// One file: a table whose rows are given one after the other.
pub struct Sheet {
    /// Writes into memory, which is emptied after each row group.
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Cells>,
    rows: usize,
}

impl Sheet {
    /// A table called `name`, which says `about` of itself, as (key, value).
    pub fn new(name: &str, columns: &[Column], about: Vec<(String, String)>) -> io::Result<Self> {
        let writer = writer(name, columns, about).map_err(io::Error::other)?;
        let columns = columns.iter().map(|column| Cells::of(column.kind)).collect();
        Ok(Self { writer, columns, rows: 0 })
    }

    /// Adds a row, which has a value for each column.
    pub fn push(&mut self, row: &[Value<'_>], out: &mut impl io::Write) -> io::Result<()> {
        for (cells, value) in self.columns.iter_mut().zip(row) {
            cells.push(value);
        }
        self.rows += 1;
        if self.rows < ROWS_OF_A_GROUP {
            return Ok(());
        }
        self.end_group(out)
    }

    fn end_group(&mut self, out: &mut impl io::Write) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group().map_err(io::Error::other)?;
            self.rows = 0;
        }
        self.hand_over(out)
    }

    fn write_group(&mut self) -> parquet::errors::Result<()> {
        let mut group = self.writer.next_row_group()?;
        for cells in &mut self.columns {
            if let Some(mut column) = group.next_column()? {
                cells.write(&mut column)?;
                column.close()?;
            }
        }
        group.close().map(drop)
    }

    /// Writes what is left, and the end of the file.
    pub fn finish(mut self, out: &mut impl io::Write) -> io::Result<()> {
        self.end_group(out)?;
        self.writer.finish().map_err(io::Error::other)?;
        self.hand_over(out)
    }

    /// Offsets in the footer are counts of what was written, so that what the sink got is not needed any more.
    fn hand_over(&mut self, out: &mut impl io::Write) -> io::Result<()> {
        self.writer.flush()?;
        out.write_all(self.writer.inner())?;
        self.writer.inner_mut().clear();
        Ok(())
    }
}

/// Signed numbers without a logical type: Spark refuses nanosecond timestamps, and makes decimals of what has no sign.
fn field(column: &Column) -> parquet::errors::Result<Type> {
    let (physical, logical) = match column.kind {
        Kind::Text | Kind::OptionalText => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integer | Kind::OptionalInteger => (Physical::INT64, None),
    };
    let repetition = match column.kind {
        Kind::Text | Kind::Integer => Repetition::REQUIRED,
        Kind::OptionalText | Kind::OptionalInteger => Repetition::OPTIONAL,
    };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}

fn writer(
    name: &str,
    columns: &[Column],
    about: Vec<(String, String)>,
) -> parquet::errors::Result<SerializedFileWriter<Vec<u8>>> {
    let fields = columns.iter().map(|column| field(column).map(Arc::new));
    let fields = fields.collect::<parquet::errors::Result<Vec<_>>>()?;
    let schema = Type::group_type_builder(name).with_fields(fields).build()?;
    SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties(columns, about)))
}

fn properties(columns: &[Column], about: Vec<(String, String)>) -> WriterProperties {
    let pairs = about.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("steplens ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(pairs))
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false)
        // However many names a group has, they stay a dictionary.
        .set_dictionary_page_size_limit(usize::MAX);
    for column in columns {
        let path = ColumnPath::from(column.name);
        builder = match column.kind {
            Kind::Text | Kind::OptionalText => builder.set_column_dictionary_enabled(path, true),
            Kind::Integer | Kind::OptionalInteger => {
                builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
            }
        };
    }
    builder.build()
}
