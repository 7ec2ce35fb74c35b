//! The summary of a fleet's dataset: what a tab shows of a thousand tasks and a thousand steps.
//!
//! | file | what it decides |
//! |---|---|
//! | `shape.rs` | how many rows and columns a run has, and what is aggregated in a cell |
//! | `figure.rs` | which figures there are, which of them are kept, and which are worked out |
//! | `rows.rs` | what the indexer gives |
//! | `builder/` | rows to figures by cell, and to ranked lists |
//! | `file/` | the file `overview.steplens-fleet`: a head, and planes that are packed alone |
//! | `opened.rs` | a file that was read; unpacks a plane when it is asked for |
//! | `answers/` | what is said of a run: heat, series, stragglers, cells |
//!
//! What must never be here: files, Parquet, Arrow, a trace, JavaScript.

pub mod answers;
mod builder;
mod error;
mod figure;
mod file;
mod opened;
mod rows;
mod shape;

pub use builder::{Builder, OutOfOrder};
pub use error::{Unreadable, UnreadableKind};
pub use figure::{Figure, Stored};
pub use opened::Overview;
pub use rows::{FindingRow, LinkRow, OpTypeRow, SourceRow, SplitRow, StragglerRow};
pub use shape::{Grid, MOST_CELLS, MOST_CELLS_OF_RUN, MOST_SIDE, RunShape};

/// What the file is called in a dataset.
pub const FILE_NAME: &str = "overview.steplens-fleet";
