//! What the files hold of every device, those that were left out among them.

use super::text;
use serde::Serialize;
use steplens_core::selection::FoundDevice;

/// The devices of the files, and from when to when their ops ran.
pub fn found(devices: &[FoundDevice]) -> String {
    #[derive(Serialize)]
    struct Found<'a> {
        origin_unix_ns: String,
        span_ns: i64,
        devices: Vec<Device<'a>>,
    }
    #[derive(Serialize)]
    struct Device<'a> {
        name: &'a str,
        ops: u64,
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
