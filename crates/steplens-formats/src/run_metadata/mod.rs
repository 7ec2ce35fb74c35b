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

use crate::reader::{Format, Found, FoundTrace, Reader};
use steplens_core::TraceBuilder;

/// RunMetadata. Any protobuf may be one.
pub(crate) const FORMAT: Format = Format {
    name: "run-metadata",
    recognises: |_| true,
    reader: |room| Box::new(File { format: &FORMAT, reader: RunMetadataReader::new(room.memory_bytes) }),
};
/// A StepStats without the RunMetadata around it.
pub(crate) const STEP_STATS: Format = Format {
    name: "step-stats",
    recognises: |first| first.first_text().is_some(),
    reader: |room| {
        let reader = RunMetadataReader::of_step_stats(room.memory_bytes);
        Box::new(File { format: &STEP_STATS, reader })
    },
};

/// A file that is one message. Other files have several of them inside, each for a [`RunMetadataReader`].
struct File {
    format: &'static Format,
    reader: RunMetadataReader,
}

impl Reader for File {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        self.reader.push(bytes, builder);
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        Found::Trace(FoundTrace {
            format: self.format.name,
            nothing: None,
            problems: self.reader.finish(builder),
            stopped_at: self.reader.stopped_at().cloned(),
            full_at: self.reader.full_at(),
            bytes: self.reader.bytes_read(),
        })
    }

    fn is_stopped(&self) -> bool {
        self.reader.stopped_at().is_some()
    }
}
