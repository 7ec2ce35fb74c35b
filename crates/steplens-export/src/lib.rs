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
//! the sink fail. `paced` is the same writer in pieces, for the page. [`Format`] lists all formats, also the two that other crates write.
//!
//! What must never be here: files, the network, an analysis, a sentence. `docs/export.md` says what each format holds.

#![forbid(unsafe_code)]

pub mod archive;
mod arrows;
mod buffer;
pub mod chakra;
pub mod chrome;
mod counters;
pub mod csv;
mod format;
mod json;
pub mod perfetto;
pub mod pickle;
pub mod run_metadata;
mod samples;
pub mod tables;
pub mod timeline;

pub use arrows::ArrowCounts;
pub use format::{Extras, Facts, Format, LeftOut, Only, Own};
