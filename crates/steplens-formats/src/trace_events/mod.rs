//! Traces of the profiler of TensorFlow 2.0 and 2.1: `plugins/profile/RUN/HOST.trace` or `local.trace` of a TensorBoard log folder.
//!
//! | module | does |
//! |---|---|
//! | [`json`] | devices and events as the JSON that TensorBoard makes of them |
//! | [`reader`] | bytes to devices and events |
//!
//! The file is a `Trace` of `trace_events.proto`. TensorBoard turns it into the `trace.json.gz` of later releases
//! (`trace_events_json.py`); so is it here, and the reader of Chrome traces does the rest: one recording has one answer.

mod json;
mod reader;

use crate::first_bytes::after_varint;
use crate::reader::Format;
use reader::TraceReader;

/// Traces of TensorFlow 2.0 and 2.1.
pub(crate) const FORMAT: Format = Format {
    name: "trace-events",
    recognises: |first| is_trace(first.bytes),
    reader: |room| Box::new(TraceReader::new(room.memory_bytes)),
};

/// Whether a file begins with a map from a number to a device, whose name begins with `/`: `/host:CPU`, `/device:GPU:0/stream:all`. A
/// profile of tfprof begins alike, with the name of a node.
pub(crate) fn is_trace(bytes: &[u8]) -> bool {
    let name = || {
        let entry = after_varint(bytes.strip_prefix(&[0x0a])?)?;
        let device = match entry.strip_prefix(&[0x08]) {
            Some(number) => after_varint(number)?,
            None => entry,
        };
        let device = after_varint(device.strip_prefix(&[0x12])?)?;
        after_varint(device.strip_prefix(&[0x0a])?)
    };
    name().is_some_and(|name| name.starts_with(b"/"))
}
