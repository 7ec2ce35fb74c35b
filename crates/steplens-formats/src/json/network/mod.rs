//! `steplens.network/1`: what a step spends on communication, and what to blame. One file for each of its sections.

mod devices;
mod links;

use super::text;
use devices::DeviceShare;
use links::Peaks;
pub use links::{LinkRow, Links as LinkTable, traffic_links};
use serde::Serialize;
use steplens_core::Study;
use steplens_core::analysis::links::Between;

/// The object that `steplens network --json` prints, and the page's tab Network shows.
#[derive(Serialize)]
pub struct Network<'a> {
    schema: &'static str,
    /// How long the step is.
    pub span_ns: i64,
    /// How much of its communication each device that communicates hid behind compute.
    pub devices: Vec<DeviceShare<'a>>,
    /// The links between devices.
    pub links: LinkTable<'a>,
    /// The links between tasks.
    pub task_links: LinkTable<'a>,
    /// What streams of GPUs copied, as links between GPUs and host.
    pub copies: Vec<LinkRow<'a>>,
    /// The most that was on the wire.
    pub peaks: Option<Peaks>,
}

impl<'a> Network<'a> {
    /// What the analyses say of `study`.
    pub fn of(study: &'a Study) -> Self {
        Self {
            schema: "steplens.network/1",
            span_ns: study.trace.span().length().0,
            devices: devices::devices(study),
            links: links::links(study, Between::Devices),
            task_links: links::links(study, Between::Tasks),
            copies: links::copied(study),
            peaks: links::peaks(study),
        }
    }

    /// As JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
