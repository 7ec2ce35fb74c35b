//! Tables as Parquet, read back by the library of the Apache project: types, encodings, metadata, and every cell.
//!
//! The stage `readers` of `cargo xtask test` reads them with DuckDB and pandas, `cargo xtask interop` with Spark, too.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use parquet::basic::{Encoding, Repetition, Type};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use steplens_core::base::pace::Work;
use steplens_core::{CategoryRules, Study};
use steplens_export::csv;
use steplens_export::parquet::ParquetFiles;
use steplens_export::tables::stream::{RowReader, write_rows};
use steplens_export::tables::{Kind, Table};
use steplens_formats::Opener;
use steplens_tests::exports::{Files, csv_rows, parquet_rows};
use steplens_tests::fixtures::{fixture, fixtures_and_samples};
use steplens_tests::writer::{Scenario, WORKER, op};

fn study(bytes: &[u8]) -> Study {
    Study::new(Opener::open_bytes("a", bytes, CategoryRules::default()).unwrap().trace)
}

fn written(study: &Study) -> Files {
    let mut files = Files::default();
    steplens_export::parquet::write(study, &mut files).unwrap();
    files
}

fn reader(file: &[u8]) -> SerializedFileReader<prost::bytes::Bytes> {
    SerializedFileReader::new(prost::bytes::Bytes::copy_from_slice(file)).unwrap()
}

/// What a sheet of CSV holds; there, a cell that a spreadsheet would take for a formula has an apostrophe in front.
fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '+', '-', '@', '\t', '\r'])).unwrap_or(cell)
}

#[test]
fn every_cell_is_that_of_the_sheet() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let (tables, mut sheets) = (written(&study), Files::default());
        csv::write(&study, &mut sheets).unwrap();
        assert_eq!(tables.0.len(), Table::ALL.len());
        for (name, table) in &tables.0 {
            let sheet = csv_rows(sheets.file(&name.replace(".parquet", ".csv"))).unwrap();
            let table = parquet_rows(table).unwrap();
            assert_eq!(table.len(), sheet.len(), "{}: {name}", fixture.name);
            for (row, cells) in table.iter().zip(&sheet) {
                assert!(
                    row.iter().eq(cells.iter().map(|cell| unguarded(cell))),
                    "{}: {name}: {row:?} is not {cells:?}",
                    fixture.name
                );
            }
        }
    }
}

/// The page packs them so: in another module, from bytes.
#[test]
fn rows_that_went_through_bytes_make_the_same_files() {
    for fixture in fixtures_and_samples() {
        let study = Rc::new(study(&fixture.bytes));
        let wanted = written(&study);
        let sink = Sink::default();
        let mut out = sink.clone();
        let mut work = Work::new(|pace| async move { write_rows(&study, &mut out, &pace).await });
        let (mut rows, mut files) = (RowReader::default(), ParquetFiles::new(Files::default()));
        loop {
            let done = work.go_on();
            let piece = std::mem::take(&mut *sink.0.borrow_mut());
            rows.read(&piece, &mut files).unwrap();
            if done.is_some() {
                break;
            }
        }
        assert!(files.finish().unwrap().0 == wanted.0, "{}", fixture.name);
    }
}

/// A sink that says what it got since it was last asked.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn columns_are_signed_numbers_without_a_logical_type_and_texts_by_dictionary() {
    let study = study(&fixture("ps4w").bytes);
    let files = written(&study);
    for table in Table::ALL {
        let reader = reader(files.file(&format!("{}.parquet", table.name())));
        let metadata = reader.metadata();
        let schema = metadata.file_metadata().schema_descr();
        assert_eq!(schema.num_columns(), table.columns().len());
        for (column, own) in table.columns().iter().zip(schema.columns()) {
            assert_eq!(own.name(), column.name);
            let is_text = matches!(column.kind, Kind::Text | Kind::OptionalText);
            let may_be_empty = matches!(column.kind, Kind::OptionalInteger | Kind::OptionalText);
            assert_eq!(own.physical_type(), if is_text { Type::BYTE_ARRAY } else { Type::INT64 });
            assert_eq!(own.logical_type_ref().is_some(), is_text, "{}", column.name);
            let repetition = own.self_type().get_basic_info().repetition();
            assert_eq!(repetition == Repetition::OPTIONAL, may_be_empty, "{}", column.name);
        }
        for group in metadata.row_groups() {
            for (chunk, column) in group.columns().iter().zip(table.columns()) {
                let wanted = match column.kind {
                    Kind::Text | Kind::OptionalText => Encoding::RLE_DICTIONARY,
                    Kind::Integer | Kind::OptionalInteger => Encoding::DELTA_BINARY_PACKED,
                };
                let of_data = chunk.page_encoding_stats_mask().unwrap();
                assert!(of_data.is_only(wanted), "{}: {of_data:?}", column.name);
            }
        }
        let pairs = metadata.file_metadata().key_value_metadata().unwrap();
        let value = |key: &str| {
            pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref()).unwrap()
        };
        assert_eq!(value("steplens.schema"), steplens_report::tables::SCHEMA);
        assert_eq!(value("steplens.table"), table.name());
        assert_eq!(value("steplens.origin_unix_ns"), study.trace().origin_unix_ns().to_string());
        let units: serde_json::Value = serde_json::from_str(value("steplens.units")).unwrap();
        for column in table.columns() {
            let is_time = column.name.ends_with("_ns");
            assert_eq!(units[column.name] == "ns", is_time, "{}", column.name);
        }
    }
}

/// More rows than one group holds, more names than a page, and names that nobody would choose.
#[test]
fn many_rows_are_several_groups_and_names_stay_a_dictionary() {
    let count = 125_000;
    let names = ["", "\0", "名", "=1", "\u{10ffff}"];
    let ops = (0..count).map(|place| op(&format!("{}{place}", names[place as usize % 5]), place * 10, 5));
    let study = Scenario::new().device(WORKER, ops).study();
    let files = written(&study);
    let reader = reader(files.file("ops.parquet"));
    assert_eq!(reader.num_row_groups(), 2);
    let own = |column: usize| reader.metadata().row_groups().iter().map(move |group| group.column(column));
    let name = Table::Ops.columns().iter().position(|column| column.name == "name").unwrap();
    assert!(
        own(name).all(|chunk| chunk.page_encoding_stats_mask().unwrap().is_only(Encoding::RLE_DICTIONARY))
    );
    let rows = parquet_rows(files.file("ops.parquet")).unwrap();
    assert_eq!(rows.len(), study.trace().ops().len() + 1);
    for (row, op) in rows[1..].iter().zip(study.trace().ops().ids()) {
        assert_eq!(row[name], study.trace().op_name(op));
    }
}

#[test]
fn a_table_without_rows_is_a_file_with_columns() {
    let files = written(&Scenario::new().device(WORKER, [op("a", 0, 1)]).study());
    let rows = parquet_rows(files.file("transfers.parquet")).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].len(), Table::Transfers.columns().len());
}
