//! What the files hold of every device, those that were left out among them.

use crate::text;
use serde::Serialize;
use steplens_core::build::selection::FoundDevice;

/// The devices of the files, and from when to when their ops ran.
pub fn json(devices: &[FoundDevice]) -> String {
    /// What the files hold, those ops among it that were left out.
    #[derive(Serialize)]
    struct Found<'a> {
        /// The first start of any op, in ns from 1970.
        origin_unix_ns: String,
        /// From there to the last end; of devices that were not selected, times are not read.
        span_ns: i64,
        devices: Vec<Device<'a>>,
    }
    #[derive(Serialize)]
    struct Device<'a> {
        name: &'a str,
        ops: u64,
        /// How many of them are in the trace.
        shown: u64,
    }
    let spans = || devices.iter().filter_map(|device| device.span_unix_ns.as_ref());
    let start = spans().map(|span| span.start).min().unwrap_or(0);
    let end = spans().map(|span| span.end).max().unwrap_or(start);
    let rows =
        devices.iter().map(|device| Device { name: &device.name, ops: device.ops, shown: device.taken });
    text(&Found {
        origin_unix_ns: start.to_string(),
        span_ns: end.saturating_sub(start),
        devices: rows.collect(),
    })
}
