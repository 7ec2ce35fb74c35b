//! An open trace, and every question that it answers.

use crate::desk::{Asked, Desk};
use crate::fault::raised;
use crate::options::{Options, PictureOptions};
use crate::table::MadeTable;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use steplens_export::arrow::Batches;
use steplens_export::timeline;
use steplens_host::library::{Choices, Fault, Opened, PictureChoices, Shown, Stop};
use steplens_messages::say;
use steplens_report::options::BadOption;
use steplens_report::{answers, tables};

/// One open trace, of which a part is shown. Answers are about that part.
#[pyclass(frozen, module = "steplens._core")]
pub(crate) struct OpenTrace {
    opened: Arc<Opened>,
    choices: Choices,
    desk: Mutex<Desk>,
}

#[pymethods]
impl OpenTrace {
    /// The same trace, of which another part is shown.
    fn show(&self, py: Python<'_>, options: Options) -> PyResult<Self> {
        Self::of(py, Arc::clone(&self.opened), options.into())
    }

    /// What is wrong with the files: the name of each, code, count and sentence, and whether the file could not be used though the user
    /// named it.
    fn problems(&self) -> Vec<(&str, &str, u64, &str, bool)> {
        let problems = self.opened.problems();
        problems
            .map(|(file, problem, is_unusable)| {
                (file.name.as_str(), &*problem.code, problem.count, problem.detail.as_str(), is_unusable)
            })
            .collect()
    }

    /// The names of the columns of a table.
    #[staticmethod]
    fn columns(name: &str) -> Vec<&'static str> {
        table_called(name).iter().flat_map(|table| table.columns()).map(|column| column.name).collect()
    }

    /// The rows of a table, with these columns in the table's order. Names that no column has are left out.
    fn table(&self, py: Python<'_>, name: &str, columns: Vec<String>) -> PyResult<MadeTable> {
        let table = table_called(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let batches = self.asked(py, move |shown, stop| {
            let made = Batches::of(table, shown.study(), Some(&columns), &|| stop.is_wanted());
            made.map_err(|why: io::Error| Fault { code: "internal", message: why.to_string() })
        })?;
        Ok(MadeTable::new(batches))
    }

    /// The answer called `name`, as JSON; so are `options`, what is chosen.
    fn answer(&self, py: Python<'_>, name: String, options: String) -> PyResult<String> {
        self.asked(py, move |shown, _| Ok(answers::json(&name, &options, &shown.answers())?))
    }

    /// How another trace differs from this one, aligned at the op of this name.
    fn compare(&self, py: Python<'_>, other: &Self, align: Option<String>) -> PyResult<String> {
        let (opened, choices) = (Arc::clone(&other.opened), other.choices.clone());
        self.asked(py, move |shown, _| shown.compare(&opened.show(&choices)?, align.as_deref()))
    }

    /// Writes the page that `steplens report` writes.
    fn to_html(&self, py: Python<'_>, path: PathBuf, include: Vec<String>, view: String) -> PyResult<()> {
        self.asked(py, move |shown, _| {
            shown.write(&shown.page(&steplens_cli::page()?, &include, &view)?, &path)
        })
    }

    /// The page with every text.
    fn own_page<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let page = self.asked(py, |shown, _| shown.own_page(&steplens_cli::page()?))?;
        Ok(PyBytes::new(py, &page))
    }

    /// Writes what `steplens export` writes; gives what the format could not hold, as sentences.
    fn export(
        &self,
        py: Python<'_>,
        format: String,
        path: PathBuf,
        show_memory: bool,
        dataflow: bool,
    ) -> PyResult<Vec<String>> {
        let timeline = timeline::Options { show_dataflow: dataflow, show_memory };
        self.asked(py, move |shown, stop| shown.export(&format, &path, timeline, stop))
    }

    /// A picture as the bytes of a file, and what is to be said of it; it is also written to `path`.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        options: PictureOptions,
        path: Option<PathBuf>,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<String>)> {
        let wanted = PictureChoices::from(options);
        let (bytes, note) = self.asked(py, move |shown, _| {
            let (bytes, note) = shown.picture(&wanted)?;
            path.iter().try_for_each(|path| shown.write(&bytes, path))?;
            Ok((bytes, note))
        })?;
        Ok((PyBytes::new(py, &bytes), note))
    }
}

impl OpenTrace {
    pub(crate) fn of(py: Python<'_>, opened: Arc<Opened>, choices: Choices) -> PyResult<Self> {
        let desk = Mutex::new(Desk::new(py, &opened, &choices)?);
        Ok(Self { opened, choices, desk })
    }

    fn asked<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Shown, &Stop) -> Result<T, Fault> + Send + 'static,
    ) -> PyResult<T> {
        self.ask(py, question)?.answer(py)
    }

    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Shown, &Stop) -> Result<T, Fault> + Send + 'static,
    ) -> PyResult<Asked<T>> {
        let mut desk = self.desk.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        if !desk.is_there() {
            *desk = Desk::new(py, &self.opened, &self.choices)?;
        }
        Ok(desk.ask(question))
    }
}

fn table_called(name: &str) -> Option<tables::Table> {
    tables::Table::ALL.into_iter().find(|table| table.name() == name)
}

/// Raises that the table has no column `name`; `nearest` is the one that may be meant.
#[pyfunction]
pub(crate) fn no_column(py: Python<'_>, table: &str, name: &str, nearest: Option<&str>) -> PyResult<()> {
    let columns = OpenTrace::columns(table).join(", ");
    let sentence = match nearest {
        Some(nearest) => say!("python-column-misspelt", table, name, nearest, columns),
        None => say!("python-column-unknown", table, name, columns),
    };
    Err(raised(py, BadOption(sentence).into()))
}
