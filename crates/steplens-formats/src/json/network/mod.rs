//! `steplens.network/1`: what a step spends on communication, and what to blame. One file for each of its sections.

mod devices;

use super::text;
use devices::DeviceShare;
use serde::Serialize;
use steplens_core::Study;

/// The object that `steplens network --json` prints, and the page's tab Network shows.
#[derive(Serialize)]
pub struct Network<'a> {
    schema: &'static str,
    span_ns: i64,
    /// How much of its communication each device that communicates hid behind compute.
    pub devices: Vec<DeviceShare<'a>>,
}

impl<'a> Network<'a> {
    /// What the analyses say of `study`.
    pub fn of(study: &'a Study) -> Self {
        Self {
            schema: "steplens.network/1",
            span_ns: study.trace.span().length().0,
            devices: devices::devices(study),
        }
    }

    /// As JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}
