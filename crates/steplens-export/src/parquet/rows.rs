//! The rows of a file that [`Sheet`](super::Sheet) wrote, or another engine.

use crate::tables::{Column, Kind, Value};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use std::io;

/// Those of `columns` that `file` has, by their names.
pub fn columns_of<R: ChunkReader + 'static>(file: R, columns: &[Column]) -> io::Result<Vec<Column>> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let is_there = |column: &&Column| schema.columns().iter().any(|own| own.name() == column.name);
    Ok(columns.iter().filter(is_there).copied().collect())
}

/// Gives every row of `file` to `take`, with a value for each of `columns`, which are found by their names. A column that is not there, or
/// holds something else, is an error.
pub fn rows<R: ChunkReader + 'static>(
    file: R,
    columns: &[Column],
    take: &mut dyn FnMut(&[Value<'_>]) -> io::Result<()>,
) -> io::Result<()> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let place = |column: &Column| {
        let place = schema.columns().iter().position(|own| own.name() == column.name);
        place.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, column.name))
    };
    let places: Vec<usize> = columns.iter().map(place).collect::<io::Result<_>>()?;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(io::Error::other)?;
        let read =
            columns.iter().zip(&places).map(|(column, &place)| Held::read(&*group, place, column.kind));
        let held: Vec<Held> = read.collect::<Result<_>>().map_err(io::Error::other)?;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let mut next = vec![0; held.len()];
        for at in 0..count {
            let values = held.iter().zip(&mut next).map(|(held, next)| held.value(at, next));
            take(&values.collect::<io::Result<Vec<_>>>()?)?;
        }
    }
    Ok(())
}

/// The values of a column of a row group, and of one with unknown values which are known.
struct Held {
    values: Values,
    levels: Option<Vec<i16>>,
}

enum Values {
    Integers(Vec<i64>),
    Texts(Vec<ByteArray>),
}

impl Held {
    fn read(group: &dyn RowGroupReader, place: usize, kind: Kind) -> Result<Self> {
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        // Other engines write every column as one that may have unknown values.
        let is_optional = group.metadata().column(place).column_descr().max_def_level() > 0;
        match (group.get_column_reader(place)?, kind) {
            (ColumnReader::Int64ColumnReader(own), Kind::Integer | Kind::OptionalInteger) => {
                let (integers, levels) = all(own, count, is_optional)?;
                Ok(Self { values: Values::Integers(integers), levels })
            }
            (ColumnReader::ByteArrayColumnReader(own), Kind::Text | Kind::OptionalText) => {
                let (texts, levels) = all(own, count, is_optional)?;
                Ok(Self { values: Values::Texts(texts), levels })
            }
            _ => Err(parquet::errors::ParquetError::General("the column is of another kind".to_owned())),
        }
    }

    /// The value at `at`; `next` is the place of the next known one.
    fn value(&self, at: usize, next: &mut usize) -> io::Result<Value<'_>> {
        if self.levels.as_ref().is_some_and(|levels| levels.get(at) != Some(&1)) {
            return Ok(Value::Nothing);
        }
        let place = *next;
        *next += 1;
        let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
        Ok(match &self.values {
            Values::Integers(integers) => Value::Integer(*integers.get(place).ok_or_else(cut)?),
            Values::Texts(texts) => {
                let bytes = texts.get(place).ok_or_else(cut)?.data();
                Value::text(str::from_utf8(bytes).map_err(io::Error::other)?)
            }
        })
    }
}

/// What a column of a row group holds.
type All<T> = (Vec<<T as DataType>::T>, Option<Vec<i16>>);

/// All `count` values of a column of a row group.
fn all<T: DataType>(mut column: ColumnReaderImpl<T>, count: usize, is_optional: bool) -> Result<All<T>> {
    let (mut values, mut levels) = (Vec::new(), is_optional.then(Vec::new));
    let mut done = 0;
    while done < count {
        let (records, ..) = column.read_records(count - done, levels.as_mut(), None, &mut values)?;
        if records == 0 {
            break;
        }
        done += records;
    }
    Ok((values, levels))
}
