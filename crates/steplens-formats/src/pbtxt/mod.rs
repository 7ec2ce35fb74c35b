//! RunMetadata as text (`.pbtxt`), as Python's `str(run_metadata)` and `text_format` write it.
//!
//! The text is converted to the wire format op by op, and the reader of that format does the rest: everything that holds for a
//! `.pb` also holds for its text.

mod schema;
mod tokens;
mod transcode;

pub(crate) use transcode::TextReader;
