//! The page's smaller answers: op types, splits, search.

use super::{SplitNs, text};
use serde::Serialize;
use steplens_core::analysis::op_types;
use steplens_core::{DeviceId, Interval, OpId, Study};

/// The op types of the ops that start in `window`, the largest total first.
pub fn op_types(study: &Study, window: Interval, device: Option<DeviceId>) -> String {
    #[derive(Serialize)]
    struct Row<'a> {
        op_type: &'a str,
        category: &'static str,
        count: u64,
        total_ns: i64,
        mean_ns: i64,
        max_ns: i64,
        share_ppm: i64,
        longest: u32,
    }
    let trace = &study.trace;
    let rows = op_types::op_types(trace, window, device);
    let all: i64 = rows.iter().map(|row| row.total.0).fold(0, i64::saturating_add);
    let row = |row: &op_types::OpTypeRow| Row {
        op_type: trace.text(row.op_type),
        category: row.category.word(),
        count: row.count,
        total_ns: row.total.0,
        mean_ns: row.total.0 / (row.count as i64).max(1),
        max_ns: trace.ops().interval(row.longest).length().0,
        share_ppm: (i128::from(row.total.0) * 1_000_000 / i128::from(all.max(1))) as i64,
        longest: row.longest.get(),
    };
    text(&rows.iter().map(row).collect::<Vec<_>>())
}

/// How `window` divides on each device and, last, on all of them together.
pub fn splits(study: &Study, window: Interval) -> String {
    let devices = study.trace.devices().ids().map(Some).chain([None]);
    text(&devices.map(|device| SplitNs::from(study.split(device, window))).collect::<Vec<_>>())
}

/// What a search found: the count, and the count on each device.
pub fn search(study: &Study, query: &str, ops: &[OpId]) -> String {
    #[derive(Serialize)]
    struct Result<'a> {
        query: &'a str,
        count: usize,
        per_device: Vec<u32>,
    }
    let mut per_device = vec![0; study.trace.devices().len()];
    for &op in ops {
        per_device[study.trace.device_of(op).index()] += 1;
    }
    text(&Result { query, count: ops.len(), per_device })
}
