//! How much of its communication each device hid behind compute, and for how much of it the device sat waiting.

use serde::Serialize;
use steplens_core::Study;

/// Communication of one device, over the whole window.
#[derive(Serialize)]
pub struct DeviceShare<'a> {
    /// Its row in `devices` of the summary.
    pub device: u32,
    /// Its name.
    pub name: &'a str,
    /// When communication ran on it.
    pub communication_ns: i64,
    /// When a compute op ran, too.
    pub hidden_ns: i64,
    /// When nothing else ran, neither compute nor copy.
    pub exposed_ns: i64,
}

/// The devices that communicate, in the order of the summary.
pub(super) fn devices(study: &Study) -> Vec<DeviceShare<'_>> {
    let trace = &study.trace;
    let share = |device| {
        let split = study.split(Some(device), trace.span());
        DeviceShare {
            device: device.get(),
            name: trace.text(trace.devices().get(device).name),
            communication_ns: split.communication.0,
            hidden_ns: split.overlapped_communication.0,
            exposed_ns: split.exposed_communication.0,
        }
    };
    trace.devices().ids().map(share).filter(|share| share.communication_ns > 0).collect()
}
