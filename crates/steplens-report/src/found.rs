//! What the files contain of every device, including devices that are left out.

use crate::text;
use serde::Serialize;
use steplens_core::build::selection;

/// The devices in the files, and the times of their ops.
pub fn json(devices: &[selection::FoundDevice]) -> String {
    /// The content of the files, including ops that are left out.
    #[derive(Serialize)]
    struct Found<'a> {
        /// The first start of any op, in ns from 1970.
        origin_unix_ns: String,
        /// The time from there to the last end. For devices that are not selected, times are not read.
        span_ns: i64,
        devices: Vec<FoundDevice<'a>>,
    }
    #[derive(Serialize)]
    struct FoundDevice<'a> {
        name: &'a str,
        ops: u64,
        /// The number of ops in the trace.
        shown: u64,
    }
    let spans = || devices.iter().filter_map(|device| device.span_unix_ns.as_ref());
    let start = spans().map(|span| span.start).min().unwrap_or(0);
    let end = spans().map(|span| span.end).max().unwrap_or(start);
    let rows =
        devices.iter().map(|device| FoundDevice { name: &device.name, ops: device.ops, shown: device.taken });
    text(&Found {
        origin_unix_ns: start.to_string(),
        span_ns: end.saturating_sub(start),
        devices: rows.collect(),
    })
}
