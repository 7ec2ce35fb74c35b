//! A table of Arrow, handed over as PyCapsules: <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use steplens_arrow::Batches;

/// A table of a trace in Arrow's layout. Whatever knows Arrow's PyCapsule interface takes it: `pyarrow.table(t)`,
/// `polars.DataFrame(t)`, `pandas.DataFrame.from_arrow(t)`, and DuckDB by its name in a query.
///
/// A column of numbers is `int64`, one of texts `string`. Only columns that may be unknown can have nulls.
#[pyclass(frozen, module = "steplens")]
pub(crate) struct Table {
    name: &'static str,
    batches: Batches,
}

impl Table {
    pub(crate) fn new(name: &'static str, batches: Batches) -> Self {
        Self { name, batches }
    }
}

#[pymethods]
impl Table {
    /// How many rows it has.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.rows()
    }

    /// The names of its columns, in their order. They end in their units: `_ns`, `_bytes`.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.batches.schema().fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.rows()
    }

    fn __repr__(&self) -> String {
        let columns = self.batches.schema().fields().len();
        format!("<steplens.Table {}: {} rows, {columns} columns>", self.name, self.batches.rows())
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
