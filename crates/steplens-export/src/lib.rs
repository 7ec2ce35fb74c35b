//! A trace as the files of other tools, written as a stream.
//!
//! | module | writes | for |
//! |---|---|---|
//! | [`chakra`] | execution traces of MLCommons' Chakra | ASTRA-sim |
//! | [`chrome`] | Chrome trace JSON, exact and with arrows and figures over time | Perfetto, and anything that reads it |
//! | [`csv`] | every table of [`tables`] as a sheet | spreadsheets, notebooks |
//! | [`perfetto`] | Perfetto's protobuf | Perfetto |
//! | [`pickle`] | pickles of that | tfvis, tensorflow-tracer |
//! | [`run_metadata`] | TensorFlow's `RunMetadata` | TensorFlow, and whatever reads its files |
//! | [`timeline`] | Chrome trace JSON as TensorFlow's `timeline.py` writes it | whatever reads that today |
//!
//! Each takes what is known of a trace and any [`Write`](std::io::Write), row by row: no format holds a second copy of the trace. `write` does so at once:
//! who wants to show progress counts what the sink took, and who wants to stop lets the sink fail. `paced` is the same writer in pieces, for the page:
//! [`Format`] has those that the page writes.
//!
//! What must never be here: files, the network, an analysis, a sentence. `docs/export.md` says what each format holds.

#![forbid(unsafe_code)]

pub mod archive;
mod arrows;
pub mod chakra;
pub mod chrome;
mod counters;
pub mod csv;
mod format;
mod json;
pub mod perfetto;
pub mod pickle;
pub mod run_metadata;
pub mod tables;
pub mod timeline;
mod wire;

pub use arrows::ArrowCounts;
pub use format::{Format, LeftOut};
