//! A trace as the files of other tools, written as a stream.
//!
//! | module | writes | for |
//! |---|---|---|
//! | [`chakra`] | execution traces of MLCommons' Chakra | ASTRA-sim |
//! | [`chrome`] | Chrome trace JSON, exact, with arrows and counters over time | Perfetto, and anything that reads it |
//! | [`csv`] | every table of [`tables`] as a CSV file | spreadsheets, notebooks |
//! | [`perfetto`] | Perfetto's protobuf | Perfetto |
//! | [`pickle`] | pickles of TensorFlow's `RunMetadata` | tfvis, tensorflow-tracer |
//! | [`run_metadata`] | TensorFlow's `RunMetadata` | TensorFlow, and whatever reads its files |
//! | [`timeline`] | Chrome trace JSON as TensorFlow's `timeline.py` writes it | programs that read the output of `timeline.py` |
//!
//! Each module takes a study or a trace and any [`Write`](std::io::Write), and writes row by row: no format holds a second copy of
//! the trace. `write` does all of it in one call. To show progress, a caller counts the bytes that the sink took; to stop, it lets
//! the sink fail. `paced` is the same writer in pieces, for the page. [`Format`] lists all formats, also sessions, which
//! `steplens-formats` writes.
//!
//! Some modules are behind features of their names, because not everybody who exports can carry what they need:
//!
//! | module | has | for |
//! |---|---|---|
//! | `parquet` | every table of [`tables`] as a Parquet file | DuckDB, Spark, dataframes; the crate `parquet` |
//! | `arrow` | a table in memory, as Arrow | dataframes of Python; the crates `arrow-array` and `arrow-schema` |
//! | `picture` | figures of a trace as SVG | papers; the texts of `steplens-messages` |
//!
//! What must never be here: files, the network, an analysis, a sentence outside of a picture. `docs/export.md` says what each format
//! holds.

#![forbid(unsafe_code)]

pub mod archive;
#[cfg(feature = "arrow")]
pub mod arrow;
mod arrows;
mod buffer;
pub mod chakra;
pub mod chrome;
mod counters;
pub mod csv;
mod format;
mod json;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod perfetto;
pub mod pickle;
#[cfg(feature = "picture")]
pub mod picture;
pub mod run_metadata;
mod samples;
pub mod tables;
pub mod timeline;

pub use arrows::ArrowCounts;
pub use format::{Extras, Facts, Format, LeftOut, Only, Own};
