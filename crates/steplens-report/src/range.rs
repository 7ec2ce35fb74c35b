//! The figures of a range: a window, and in it a device or lanes.

use crate::clocks::ClockNote;
use crate::summary::Split;
use crate::text;
use serde::{Deserialize, Serialize};
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::questions::range::{self, Range, RangeQuery};
use steplens_core::{Bytes, DeviceId, Interval, LaneId, Study, Timestamp};

/// A range as the page asks for it: `RangeQuery` there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Within {
    start_ns: f64,
    end_ns: f64,
    /// Of all devices if it is not there.
    device: Option<u32>,
    /// Of all lanes if they are not there.
    lanes: Option<Vec<u32>>,
    /// Whether it is about the whole accelerator that `device` belongs to.
    #[serde(default)]
    accelerator: bool,
}

impl Within {
    /// As the core asks for it.
    pub fn query(&self) -> RangeQuery {
        let lanes = self.lanes.as_ref().map(|lanes| lanes.iter().copied().map(LaneId::new).collect());
        RangeQuery {
            window: Interval::new(Timestamp(self.start_ns as i64), Timestamp(self.end_ns as i64)),
            device: self.device.map(DeviceId::new),
            accelerator: self.accelerator,
            lanes,
        }
    }
}

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
