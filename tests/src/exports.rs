//! Exports in memory, and whether what they wrote can be read: by parsers that are not ours.

use crate::{chakra, perfetto};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use prost::Message;
use std::io::{self, Write};
use steplens_core::Study;
use steplens_export::archive::Archive;
use steplens_export::{chrome, csv, perfetto as perfetto_export, timeline};
use steplens_formats::{Opened, Opener};

/// Files one after another: name and bytes.
#[derive(Debug, Default)]
pub struct Files(pub Vec<(String, Vec<u8>)>);

impl Files {
    /// The file called `name`; empty if there is none.
    pub fn file(&self, name: &str) -> &[u8] {
        self.0.iter().find(|file| file.0 == name).map_or(&[], |file| &file.1)
    }
}

impl Write for Files {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = self.0.last_mut().ok_or(io::ErrorKind::InvalidInput)?;
        file.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Archive for Files {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        self.0.push((name.to_owned(), Vec::new()));
        Ok(())
    }
}

/// Why an export does not hold.
pub type Broken = Box<dyn std::error::Error>;

/// The rows of a sheet of CSV, its header first. All have as many cells.
///
/// # Errors
/// If it is no CSV, or a row has another number of cells.
pub fn csv_rows(sheet: &[u8]) -> Result<Vec<Vec<String>>, Broken> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(sheet);
    let rows = reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect()));
    rows.collect()
}

/// The rows of a Parquet file as cells of CSV: texts and numbers as such, empty where nothing is known. The header first.
///
/// # Errors
/// If it is no Parquet, or holds anything but texts and signed numbers of 64 bits.
pub fn parquet_rows(file: &[u8]) -> Result<Vec<Vec<String>>, Broken> {
    let reader = SerializedFileReader::new(prost::bytes::Bytes::copy_from_slice(file))?;
    let fields = reader.metadata().file_metadata().schema().get_fields();
    let mut rows = vec![fields.iter().map(|field| field.name().to_owned()).collect()];
    for row in reader.get_row_iter(None)? {
        let row = row?;
        let cells = row.get_column_iter().map(|(name, field)| match field {
            Field::Null => Ok(String::new()),
            Field::Long(value) => Ok(value.to_string()),
            Field::Str(text) => Ok(text.clone()),
            other => Err(format!("{name}: {other:?}").into()),
        });
        rows.push(cells.collect::<Result<Vec<_>, Broken>>()?);
    }
    Ok(rows)
}

/// The nodes of one of Chakra's files.
///
/// # Errors
/// If it is none.
pub fn chakra_nodes(mut file: &[u8]) -> Result<(chakra::GlobalMetadata, Vec<chakra::Node>), Broken> {
    let metadata = chakra::GlobalMetadata::decode_length_delimited(&mut file)?;
    let mut nodes = Vec::new();
    while !file.is_empty() {
        nodes.push(chakra::Node::decode_length_delimited(&mut file)?);
    }
    Ok((metadata, nodes))
}

/// Writes what was opened in every format, and parses what was written. Returns how many bytes these were.
///
/// # Errors
/// If a format cannot be parsed, or lacks an op.
pub fn check_all(opened: Opened) -> Result<usize, Broken> {
    let study = &Study::new(opened.trace);
    let mut written = 0;
    let ops = study.trace().ops().len();
    for show_memory in [false, true] {
        let mut out = Vec::new();
        timeline::write(study.trace(), timeline::Options { show_dataflow: true, show_memory }, &mut out)?;
        let json: serde_json::Value = serde_json::from_slice(&out)?;
        json["traceEvents"].as_array().ok_or("timeline: no events")?;
        written += out.len();
    }
    let mut out = Vec::new();
    chrome::write(study, &mut out)?;
    let json: serde_json::Value = serde_json::from_slice(&out)?;
    let events = json["traceEvents"].as_array().ok_or("chrome: no events")?;
    let slices = events.iter().filter(|event| event["ph"] == "X").count();
    same("chrome", slices, ops)?;
    written += out.len();

    let mut out = Vec::new();
    perfetto_export::write(study, &mut out)?;
    let packets = perfetto::Trace::decode(out.as_slice())?;
    same("perfetto", packets.encoded_len(), out.len())?;
    written += out.len();

    let out = steplens_formats::session::write(study.trace(), &opened.files);
    let again = Opener::open_bytes("session", &out, steplens_core::CategoryRules::default())?;
    same("session", again.trace.ops().len(), ops)?;
    written += out.len();

    let (mut sheets, mut tables, mut traces) = (Files::default(), Files::default(), Files::default());
    csv::write(study, &mut sheets)?;
    steplens_export::parquet::write(study, &mut tables)?;
    for ((name, sheet), (_, table)) in sheets.0.iter().zip(&tables.0) {
        let (sheet, table) = (csv_rows(sheet)?, parquet_rows(table)?);
        same(name, sheet.len(), table.len())?;
        if name == "ops.csv" {
            same(name, sheet.len(), ops + 1)?;
        }
    }
    steplens_export::chakra::write(study, &mut traces)?;
    for (_, file) in &traces.0 {
        chakra_nodes(file)?;
    }
    let bytes = |files: &Files| files.0.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    Ok(written + bytes(&sheets) + bytes(&tables) + bytes(&traces))
}

fn same(what: &str, got: usize, wanted: usize) -> Result<(), Broken> {
    if got == wanted { Ok(()) } else { Err(format!("{what}: got {got}, want {wanted}").into()) }
}
