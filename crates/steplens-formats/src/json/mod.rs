//! What the analyses say, as JSON: one text for the page, the program and everything that reads either.
//!
//! Every object names its `schema`. Durations and times are nanoseconds from the trace's origin; ids are row numbers.
//! The page's types, `www/src/engine/contract/`, are made from these structs and their comments: `tests/tests/contract/main.rs`.

mod clocks;
mod doctor;
mod found;
mod limits;
mod network;
mod op_details;
mod ops;
mod steps;
mod summary;
mod tables;
mod transfers;

pub use clocks::{clocks, sentence as clocks_sentence, unknown_because, violations};
pub use doctor::{FindingJson, doctor, findings};
pub use found::found;
pub use network::{CauseRow, LinkRow, LinkTable, Network, StragglerRow, traffic_links, traffic_peaks};
pub use op_details::{op_details, op_flow};
pub use ops::write_ops;
pub use steps::steps;
pub use summary::{
    Device, DeviceTotals, File, Problem, SplitNs, Summary, Totals, ViewJson, summary, timeline_summary,
    totals_text,
};
pub use tables::{lane_groups, op_column, op_page, op_rows, op_types, range, search};
pub use transfers::{
    Links, Ordering, TransferList, TransferQuery, TransferRow, transfer_page, transfer_rows, transfers,
};

use serde::Serialize;
use steplens_core::{OpId, Study};

/// An op as others point to it.
#[derive(Clone, Debug, Serialize)]
pub struct OpRef {
    op: u32,
    name: String,
    device: u32,
    lane: u32,
    start_ns: i64,
    end_ns: i64,
}

impl OpRef {
    /// What to call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The row of its device.
    pub fn device(&self) -> u32 {
        self.device
    }

    #[inline(never)]
    fn of(study: &Study, op: OpId) -> Self {
        let interval = study.trace().ops().interval(op);
        Self {
            op: op.get(),
            name: study.title(op).to_owned(),
            device: study.trace().device_of(op).get(),
            lane: study.lanes().lane(op).get(),
            start_ns: interval.start.0,
            end_ns: interval.end.0,
        }
    }
}

/// The text of a value whose serialization cannot fail: no map keys but strings, no writer but memory.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
