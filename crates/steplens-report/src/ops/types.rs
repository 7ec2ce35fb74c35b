//! The op types of a range.

use crate::text;
use crate::work::WorkFigures;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::questions::any_running::AnyRunning;
use steplens_core::questions::op_types::{self, Place};
use steplens_core::questions::range::{Range, RangeQuery};

/// The op types of the ops in a range, those with the largest self time first.
pub fn types(study: &Study, query: &RangeQuery) -> String {
    /// The ops of one type that overlap a range. If no device or lanes are chosen, devices that repeat the numbered streams of a
    /// GPU (`stream:all`, `memcpy`) are left out.
    #[derive(Serialize)]
    struct OpTypeRow<'a> {
        op_type: &'a str,
        category: &'static str,
        /// `accelerator` or `host`: where these ops ran. Accelerators come first.
        place: &'static str,
        count: u64,
        /// Their time within the window.
        total_ns: i64,
        /// Their self time within the window: without the ops nested in them. Sums use this time.
        self_ns: i64,
        /// How long at least one of them ran; null if the sum is no longer than the range.
        any_ns: Option<i64>,
        /// The mean, the percentiles (nearest rank) and the maximum of their whole durations.
        mean_ns: i64,
        p50_ns: i64,
        p99_ns: i64,
        max_ns: i64,
        /// Its share of the sum of all `self_ns` of its place, in parts per million.
        share_ppm: i64,
        /// What they calculate and move.
        #[serde(flatten)]
        work: WorkFigures,
        /// The longest op of this type, which a click selects.
        longest: u32,
    }
    let trace = study.trace();
    let (range, peak) = (Range::of(study, query), trace.peak_flops());
    let rows = op_types::op_types(study, &range);
    let any = AnyRunning::of(study, range, &rows);
    let all = Place::ALL.map(|place| op_types::own_of(&rows, place).0.max(1));
    let row = |row: &op_types::OpTypeRow| OpTypeRow {
        op_type: trace.text(row.op_type),
        category: row.category.word(),
        place: row.place.word(),
        count: row.count,
        total_ns: row.total.0,
        self_ns: row.own.0,
        any_ns: any.of_type(row).map(|any| any.0),
        mean_ns: row.mean().0,
        p50_ns: row.p50.0,
        p99_ns: row.p99.0,
        max_ns: trace.ops().interval(row.longest).length().0,
        share_ppm: (i128::from(row.own.0) * 1_000_000 / i128::from(all[row.place as usize])) as i64,
        work: WorkFigures::of(&row.work, row.whole, peak),
        longest: row.longest.get(),
    };
    text(&rows.iter().map(row).collect::<Vec<_>>())
}
