//! RunMetadata as JSON: what `MessageToJson(run_metadata)` makes, written as it is, or once more as a text by `json.dump`.
//!
//! JSON is converted to the text format field by field, and the reader of that format does the rest ([`crate::pbtxt`]).

mod fields;
mod reader;
mod within_text;

use crate::first_bytes::FirstBytes;
use crate::reader::Format;
use reader::JsonReader;

/// RunMetadata or StepStats as JSON.
pub(crate) const FORMAT: Format = Format {
    name: "run-metadata-json",
    recognises: is_message,
    reader: |room| Box::new(JsonReader::new(room.memory_bytes)),
};

/// Names of the fields of RunMetadata and StepStats, as protobuf writes them into JSON, and as they are called.
const FIELDS: [&[u8]; 10] = [
    b"stepStats",
    b"step_stats",
    b"devStats",
    b"dev_stats",
    b"costGraph",
    b"cost_graph",
    b"partitionGraphs",
    b"partition_graphs",
    b"functionGraphs",
    b"function_graphs",
];

/// Whether a file begins with an object whose first key is a field of RunMetadata, or with the text of one.
fn is_message(first: &FirstBytes<'_>) -> bool {
    let of_object = |text: &[u8]| {
        let rest = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        let key = rest.and_then(|rest| rest.strip_prefix(b"\""));
        key.is_some_and(|key| {
            FIELDS.iter().any(|field| key.strip_prefix(*field).is_some_and(|rest| rest.starts_with(b"\"")))
        })
    };
    match first.text.strip_prefix(b"\"") {
        Some(text) => of_object(&within_text::unescaped(text)),
        None => of_object(first.text),
    }
}
