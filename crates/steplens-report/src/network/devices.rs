//! How much of its communication each device hid behind compute, and how much of it the device waited for.

use serde::Serialize;
use steplens_core::Study;
use steplens_core::network::tensors::TensorRow;
use steplens_core::network::waits::Wait;

/// Communication of one device, over the whole window.
#[derive(Serialize)]
pub struct DeviceShare<'a> {
    /// Its row in `devices` of the summary.
    pub device: u32,
    /// Its name.
    pub name: &'a str,
    /// The time in which communication ran on it.
    pub communication_ns: i64,
    /// How much of that time a compute op ran, too.
    pub hidden_ns: i64,
    /// How much of that time nothing else ran, neither compute nor copy.
    pub exposed_ns: i64,
    /// Idle before send: the time in which nothing ran, not even communication, because the awaited tensor was not sent yet.
    pub idle_before_ns: i64,
    /// The tensor that it waited for longest.
    pub longest: Option<LongestWait<'a>>,
}

/// The tensor that a device waited for longest.
#[derive(Serialize)]
pub struct LongestWait<'a> {
    pub tensor: &'a str,
    pub is_gradient: bool,
    pub source: Option<&'a str>,
    pub waited_ns: i64,
    pub worst: u32,
}

/// The devices that communicate, in the order of the summary. `by_tensor` must have the longest waits first.
pub(super) fn devices<'a>(study: &'a Study, waits: &[Wait], by_tensor: &[TensorRow]) -> Vec<DeviceShare<'a>> {
    let trace = study.trace();
    let mut longest: Vec<Option<&TensorRow>> = vec![None; trace.devices().len()];
    for row in by_tensor.iter().rev().filter(|row| row.waited.0 > 0) {
        if let Some(device) = row.device {
            longest[device.index()] = Some(row);
        }
    }
    let mut idle_before = vec![0_i64; trace.devices().len()];
    for wait in waits {
        idle_before[wait.device.index()] += wait.idle_before.0;
    }
    let communicating = study.communicating();
    let share = |device: steplens_core::DeviceId| {
        let split = communicating[device.index()].split(trace.span());
        DeviceShare {
            device: device.get(),
            name: trace.text(trace.devices().get(device).name),
            communication_ns: split.communication.0,
            hidden_ns: split.overlapped_communication.0,
            exposed_ns: split.exposed_communication.0,
            idle_before_ns: idle_before[device.index()],
            longest: longest[device.index()].map(|row| LongestWait {
                tensor: trace.text(row.name),
                is_gradient: row.is_gradient,
                source: row.source.map(|source| trace.text(source)),
                waited_ns: row.waited.0,
                worst: row.worst.get(),
            }),
        }
    };
    trace.devices().ids().map(share).filter(|share| share.communication_ns > 0).collect()
}
