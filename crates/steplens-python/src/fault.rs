//! What is raised: `steplens.SteplensError`, with a stable code and a sentence for people.

use pyo3::prelude::*;
use steplens_host::library::Fault;

/// The class stands in Python, where its types and its documentation are.
pub(crate) fn raised(py: Python<'_>, fault: Fault) -> PyErr {
    let made = py
        .import("steplens.errors")
        .and_then(|errors| errors.getattr("SteplensError"))
        .and_then(|class| class.call1((fault.code, fault.message)));
    made.map_or_else(|why| why, PyErr::from_value)
}
