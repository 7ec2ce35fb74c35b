//! RunMetadata: a resumable reader for slices of any size.
//!
//! | module | reads |
//! |---|---|
//! | [`reader`] | the framing: which message is open, where it ends, what is skipped |
//! | [`op_stats`] | one `NodeExecStats` |
//! | [`graph_node`] | one `NodeDef` of a partition graph |
//!
//! Only the current data is in memory: the columns, and at most one small message. Field numbers are those of
//! `proto/tensorflow/core` (`step_stats.proto`, `config.proto`, `graph.proto`, `node_def.proto`).

mod graph_node;
mod op_stats;
pub mod reader;

pub use reader::RunMetadataReader;
