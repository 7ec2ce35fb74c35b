//! The rows of a table, handed over as PyCapsules of Arrow (<https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>),
//! or as what every Python has.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule, PyList, PyString};
use std::collections::HashMap;
use steplens_export::arrow::Batches;
use steplens_report::tables::Value;

/// The rows of a table once they are made. `steplens.Table` has them made when it is read.
#[pyclass(frozen, module = "steplens._core")]
pub(crate) struct MadeTable {
    batches: Batches,
}

impl MadeTable {
    pub(crate) fn new(batches: Batches) -> Self {
        Self { batches }
    }
}

#[pymethods]
impl MadeTable {
    /// How many rows it has.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.rows()
    }

    /// Of each column its name, whether it has numbers, else texts, and whether a value may not be known.
    #[getter]
    fn columns(&self) -> Vec<(&str, bool, bool)> {
        let fields = self.batches.schema().fields().iter();
        fields
            .map(|field| (field.name().as_str(), field.data_type().is_integer(), field.is_nullable()))
            .collect()
    }

    /// The values of the column at `place`: numbers, texts, and None where one is not known. A text that several rows have is one object.
    fn values<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyList>> {
        self.check(place)?;
        let mut known = HashMap::<&str, Bound<'py, PyString>>::new();
        let mut last: Option<(&str, Bound<'py, PyString>)> = None;
        let mut values: Vec<Bound<'py, PyAny>> = Vec::with_capacity(self.batches.rows());
        for value in self.batches.values(place) {
            values.push(match value {
                Value::Integer(number) => number.into_pyobject(py)?.into_any(),
                Value::Nothing => py.None().into_bound(py),
                Value::Text(std::borrow::Cow::Borrowed(text)) => match &last {
                    Some((before, own)) if *before == text => own.clone().into_any(),
                    _ => {
                        let own = known.entry(text).or_insert_with(|| PyString::new(py, text)).clone();
                        last = Some((text, own.clone()));
                        own.into_any()
                    }
                },
                Value::Text(std::borrow::Cow::Owned(text)) => PyString::new(py, &text).into_any(),
            });
        }
        PyList::new(py, values)
    }

    /// The numbers of the column at `place` as the bytes of this machine's int64, and of each whether it is not known, as a byte.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        place: usize,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        self.check(place)?;
        let rows = self.batches.rows();
        let (mut numbers, mut unknown) =
            (Vec::with_capacity(rows * size_of::<i64>()), Vec::with_capacity(rows));
        for value in self.batches.values(place) {
            let number = if let Value::Integer(number) = value { Some(number) } else { None };
            numbers.extend(number.unwrap_or_default().to_ne_bytes());
            unknown.push(u8::from(number.is_none()));
        }
        Ok((PyByteArray::new(py, &numbers), PyByteArray::new(py, &unknown)))
    }

    /// Its schema as a capsule of an `ArrowSchema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.batches.exported_schema().map_err(|why| PyValueError::new_err(why.to_string()))?;
        PyCapsule::new(py, schema, Some(c"arrow_schema".to_owned()))
    }

    /// It as a capsule of an `ArrowArrayStream`: a new one at each call, with the same buffers. Another schema may be asked for, and it
    /// is not followed, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        PyCapsule::new(py, self.batches.stream(), Some(c"arrow_array_stream".to_owned()))
    }
}

impl MadeTable {
    fn check(&self, place: usize) -> PyResult<()> {
        if place < self.batches.schema().fields().len() {
            return Ok(());
        }
        Err(PyValueError::new_err("there is no such column"))
    }
}
