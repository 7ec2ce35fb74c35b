//! Questions to a dataset of many traces, for the DuckDB or the Spark of Python.

use crate::desk::wait;
use crate::fleet::FleetOptions;
use pyo3::prelude::*;
use std::path::PathBuf;
use steplens_host::library::{self, Asked, FleetChoices, Question, Run, Stop};

/// Every question: its name, what it answers, and its statement.
#[pyfunction]
pub(crate) fn fleet_questions() -> Vec<(&'static str, &'static str, &'static str)> {
    Question::ALL.iter().map(|own| (own.name, own.about(), own.sql)).collect()
}

/// The statement that makes the view `asked`.
#[pyfunction]
pub(crate) fn fleet_asked(
    day_a: Option<String>,
    day_b: Option<String>,
    at_unix_ns: Option<i64>,
    run: Option<String>,
    share_ppm: Option<i64>,
) -> String {
    Asked { day_a, day_b, at_unix_ns, run, share_ppm }.view()
}

/// The statements that make a view of DuckDB for each table of a dataset.
#[pyfunction]
pub(crate) fn fleet_views(py: Python<'_>, dataset: PathBuf) -> PyResult<Vec<String>> {
    wait(py, Stop::default(), move |done, _| done(library::fleet_views(&dataset)))
}

/// The manifest of a dataset that Spark writes. `runs` are tuples of the run, its parts, files, files with faults, ops and bytes.
#[pyfunction]
pub(crate) fn fleet_manifest(
    py: Python<'_>,
    dataset: PathBuf,
    folder: PathBuf,
    options: FleetOptions,
    runs: Vec<(String, Vec<u32>, u64, u64, u64, u64)>,
) -> PyResult<String> {
    let runs = runs.into_iter().map(|(run, parts, files, with_faults, ops, bytes)| Run {
        run,
        parts,
        files,
        with_faults,
        ops,
        bytes,
    });
    let (runs, choices) = (runs.collect(), FleetChoices::from(options));
    wait(py, Stop::default(), move |done, _| done(library::fleet_manifest(&dataset, &folder, &choices, runs)))
}
