//! Files of a fleet as tables of Arrow: what an executor of Spark makes of each.

use crate::desk::wait;
use crate::table::MadeTable;
use pyo3::prelude::*;
use std::path::PathBuf;
use steplens_export::arrow::Batches;
use steplens_host::library::{self, Fault, FleetChoices, SourceFile, Stop, about_table};

/// The files below `folder`, each as its path below it, its size and when it was changed last, in ns from 1970.
#[pyfunction]
pub(crate) fn fleet_files(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<(String, u64, i64)>> {
    let found = wait(py, Stop::default(), move |done, _| done(library::fleet_files(&folder)))?;
    Ok(found.into_iter().map(|own| (own.file, own.bytes, own.modified_unix_ns)).collect())
}

/// The run of a file below `folder`, and its rows of each table of a dataset.
#[pyfunction]
pub(crate) fn fleet_tables(
    py: Python<'_>,
    folder: PathBuf,
    file: (String, u64, i64),
    options: FleetOptions,
) -> PyResult<(String, Vec<(&'static str, MadeTable)>)> {
    let (file, bytes, modified_unix_ns) = file;
    let (source, choices) = (SourceFile { file, bytes, modified_unix_ns }, FleetChoices::from(options));
    wait(py, Stop::default(), move |done, _| {
        let made = library::fleet_file(&folder, &source, &choices).and_then(|own| {
            let table = |(table, piece): (library::FleetTable, library::Piece)| {
                let columns = table.columns();
                let about = about_table(table, &columns);
                let made =
                    Batches::made(&columns, about, piece.rows(), |column, row| piece.value(column, row));
                let not_made =
                    |why: std::io::Error| Fault { code: Fault::NOT_READ, message: why.to_string() };
                Ok((table.name(), MadeTable::new(made.map_err(not_made)?)))
            };
            Ok((own.run, own.tables.into_iter().map(table).collect::<Result<Vec<_>, Fault>>()?))
        });
        done(made);
    })
}

/// What `steplens.fleet` chooses.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FleetOptions {
    path: Option<String>,
    communication: Vec<String>,
    tables: Vec<String>,
    memory_mib: Option<usize>,
}

impl From<FleetOptions> for FleetChoices {
    fn from(options: FleetOptions) -> Self {
        Self {
            path: options.path,
            communication: options.communication,
            tables: options.tables,
            memory: options.memory_mib,
        }
    }
}
