//! RunMetadata as text (`.pbtxt`), as Python's `str(run_metadata)` and `text_format` write it.
//!
//! The text is turned into the wire format op by op, and the reader of that does the rest: whatever is true of a
//! `.pb` is true of its text.

mod schema;
mod tokens;
mod transcode;

pub(crate) use transcode::TextReader;
