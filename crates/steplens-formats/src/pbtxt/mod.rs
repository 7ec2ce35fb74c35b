//! RunMetadata as text (`.pbtxt`), as Python's `str(run_metadata)` and `text_format` write it.
//!
//! The text is converted to the wire format op by op, and the reader of that format does the rest: everything that holds for a
//! `.pb` also holds for its text.

mod schema;
mod tokens;
mod transcode;

use crate::first_bytes::FirstBytes;
use crate::reader::Format;
pub(crate) use transcode::TextReader;

/// RunMetadata or StepStats as text.
pub(crate) const FORMAT: Format = Format {
    name: "run-metadata-text",
    recognises: is_text,
    reader: |room| Box::new(TextReader::new(room.memory_bytes)),
};

/// Whether a file starts with the name of a field of RunMetadata or StepStats, or with a comment, which text formats allow before
/// it.
fn is_text(first: &FirstBytes<'_>) -> bool {
    let starts: [&[u8]; 6] =
        [b"# ", b"step_stats", b"dev_stats", b"partition_graph", b"function_graphs", b"cost_graph"];
    starts.iter().any(|start| first.text.starts_with(start))
}
