//! A trace as the files of other tools, written as a stream.
//!
//! | module | writes | for |
//! |---|---|---|
//! | [`chrome`] | Chrome trace JSON, exact and with arrows and figures over time | Perfetto, and anything that reads it |
//! | [`perfetto`] | Perfetto's protobuf | Perfetto |
//! | [`timeline`] | Chrome trace JSON as TensorFlow's `timeline.py` writes it | whatever reads that today |
//!
//! Each takes what is known of a trace and any [`Write`](std::io::Write), row by row: no format holds a second copy of the trace. Who wants to
//! show progress counts what the sink took; who wants to stop lets the sink fail.
//!
//! What must never be here: files, the network, an analysis, a sentence. `docs/export.md` says what each format holds.

#![forbid(unsafe_code)]

mod arrows;
pub mod chrome;
mod counters;
mod json;
pub mod perfetto;
pub mod timeline;
mod wire;

pub use arrows::ArrowCounts;
