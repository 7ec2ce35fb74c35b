//! The figures of a range: a window, and in it a device or lanes.

use crate::clocks::ClockNote;
use crate::summary::Split;
use crate::text;
use serde::Serialize;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::questions::range::{self, Range, RangeQuery};
use steplens_core::{Bytes, Study};

/// The figures of a range: how it divides on each device and accelerator, in a step bar and on all devices together, the number of
/// ops, and the transfers that arrived.
pub fn json(study: &Study, query: &RangeQuery) -> String {
    #[derive(Serialize)]
    struct RangeLink<'a> {
        source: &'a str,
        destination: &'a str,
        count: u64,
        bytes: u64,
    }
    /// The figures of a range.
    #[derive(Serialize)]
    struct RangeSummary<'a> {
        /// For each device (by DeviceId) how its time divides. Only ops of the chosen device or lanes count.
        splits: Vec<Split>,
        /// For each of `Summary.accelerators` how its time divides.
        accelerators: Vec<Split>,
        /// The mean of the accelerators, or of all devices without accelerators.
        step: Split,
        /// All devices together: compute means that any device computes. Left out if their clocks differ.
        #[serde(skip_serializing_if = "Option::is_none")]
        any_device: Option<Split>,
        ops: usize,
        /// The number of transfers to the chosen device or lanes that arrive in the window.
        transfers: u64,
        /// The number of other transfers, whose arrival is not known.
        untimed_transfers: usize,
        transferred_bytes: u64,
        /// The transfers by source and destination, the most bytes first.
        links: Vec<RangeLink<'a>>,
    }
    let trace = study.trace();
    let range = Range::of(study, query);
    let splits = trace.devices().ids().map(|device| range.split(device));
    let links = range::links(study, &range);
    let link = |link: &range::RangeLink| RangeLink {
        source: trace.text(link.source),
        destination: trace.text(link.destination),
        count: link.count,
        bytes: link.bytes.0,
    };
    text(&RangeSummary {
        splits: splits.map(Split::from).collect(),
        accelerators: accelerators(trace).iter().map(|one| range.split_of(&one.devices).into()).collect(),
        step: range.step_split().into(),
        any_device: ClockNote::of(study).is_none().then(|| range.split_together().into()),
        ops: range.devices().map(|device| range.count(device)).sum(),
        untimed_transfers: study
            .transfers()
            .rows()
            .iter()
            .filter(|transfer| range.may_hold(transfer))
            .count(),
        transfers: links.iter().map(|link| link.count).sum(),
        transferred_bytes: links.iter().map(|link| link.bytes).sum::<Bytes>().0,
        links: links.iter().map(link).collect(),
    })
}
