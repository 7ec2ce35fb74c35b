//! Reading: files by their paths, or bytes, slice by slice.

use crate::desk::wait;
use crate::fault::raised;
use crate::open_trace::OpenTrace;
use crate::options::Options;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use steplens_host::library::{self, Choices, Fault, Opened, Stop};
use steplens_messages::say;

/// Reads files and folders as one trace, each a path or `NAME=PATH`.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, paths: Vec<OsString>, options: Options) -> PyResult<OpenTrace> {
    let choices = Choices::from(options);
    let own = choices.clone();
    let work = move |done: &dyn Fn(_), stop: &_| done(Opened::read(&paths, &own, stop));
    OpenTrace::of(py, wait(py, Stop::default(), work)?.into(), choices)
}

/// Things that are read as one trace: `begin`, `push` and `end` for each, or `path`; then `finish`.
#[pyclass(frozen, module = "steplens._core")]
pub(crate) struct Opening {
    choices: Choices,
    /// None once it is finished.
    opening: Mutex<Option<library::Opening>>,
}

#[pymethods]
impl Opening {
    #[new]
    fn new(py: Python<'_>, options: Options) -> PyResult<Self> {
        let choices = Choices::from(options);
        let opening = library::Opening::new(&choices).map_err(|fault| raised(py, fault))?;
        Ok(Self { choices, opening: Mutex::new(Some(opening)) })
    }

    /// Starts the next thing to read, of the process that the user calls so.
    fn begin(&self, py: Python<'_>, name: &str, process: Option<&str>) -> PyResult<()> {
        self.with(py, |opening| {
            opening.begin(name, process);
            Ok(())
        })
    }

    /// Takes its next bytes; gives whether it wants more.
    fn push(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<bool> {
        self.with(py, |opening| Ok(opening.push(bytes)))
    }

    /// Ends it.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |opening| {
            opening.end();
            Ok(())
        })
    }

    /// Reads a file or folder.
    fn path(&self, py: Python<'_>, path: OsString) -> PyResult<()> {
        let mut opening = self.taken(py)?;
        let (opening, read) = wait(py, Stop::default(), move |done, stop| {
            let read = opening.path(path, stop);
            done(Ok((opening, read)));
        })?;
        *self.opening.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner) = Some(opening);
        read.map_err(|fault| raised(py, fault))
    }

    /// Builds the trace.
    fn finish(&self, py: Python<'_>) -> PyResult<OpenTrace> {
        let opening = self.taken(py)?;
        let opened = wait(py, Stop::default(), move |done, _| done(opening.finish()))?;
        OpenTrace::of(py, opened.into(), self.choices.clone())
    }
}

impl Opening {
    fn taken(&self, py: Python<'_>) -> PyResult<library::Opening> {
        let taken = self.opening.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| raised(py, ended()))
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut library::Opening) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let acted = py.detach(|| match &mut *self.opening.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(opening) => act(opening),
            None => Err(ended()),
        });
        acted.map_err(|fault| raised(py, fault))
    }
}

fn ended() -> Fault {
    Fault { code: "not-open", message: say!("python-opening-ended").to_owned() }
}
