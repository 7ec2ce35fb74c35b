//! The edge of Steplens to Python, the module `steplens._core`: files become an [`OpenTrace`], which answers questions.
//!
//! An answer is the JSON that the program prints; `python/steplens` makes objects of it. A table is a stream of Arrow. Whatever takes
//! long runs without Python's lock, on a thread of its own, so that Ctrl+C ends the wait for it.
//!
//! It stands on the host, as the program does, and so means the same by files and options; and on the program, because the package is that, too.
//!
//! What must never be here: logic. Every verb turns its arguments into core types, calls one function of the product's crates, and
//! turns the result into a value of Python.

mod asking;
mod desk;
mod fault;
mod fleet;
mod open_trace;
mod opening;
mod options;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use pyo3::prelude::*;
    use std::ffi::OsString;

    #[pymodule_export]
    use crate::asking::{fleet_asked, fleet_manifest, fleet_questions, fleet_views};
    #[pymodule_export]
    use crate::fleet::{fleet_files, fleet_tables};
    #[pymodule_export]
    use crate::open_trace::{OpenTrace, no_column};
    #[pymodule_export]
    use crate::opening::{Opening, read};
    #[pymodule_export]
    use crate::table::MadeTable;

    /// The version of Steplens.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Runs the program with `arguments`, the first of which is its name; returns its exit code.
    #[pyfunction]
    fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| steplens_cli::program(arguments))
    }
}
