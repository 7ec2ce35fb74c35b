//! Accelerators: every GPU, TPU and the like once, with the devices that tell what it did; and what a step bar is the mean of.
//!
//! TensorFlow writes the streams and copies of a GPU as devices of their own, and what its executor dispatched to the GPU as another one
//! of the GPU's name: an accelerator is the union of the former. Other formats have one device for each.

use crate::Trace;
use crate::analysis::coverage::Coverage;
use crate::analysis::kernels::{gpu_of, has_kernels};
use crate::ids::DeviceId;

/// One GPU, TPU or the like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accelerator<'a> {
    /// What its devices have in common: `/device:GPU:0`.
    pub name: &'a str,
    /// The devices that tell what it did, in order.
    pub devices: Vec<DeviceId>,
}

/// The accelerators of `trace`, in the order of their devices.
pub fn accelerators(trace: &Trace) -> Vec<Accelerator<'_>> {
    let mut found: Vec<Accelerator<'_>> = Vec::new();
    for id in trace.devices().ids() {
        let device = trace.devices().get(id);
        let name = trace.text(device.name);
        if device.is_accelerator {
            found.push(Accelerator { name, devices: vec![id] });
        } else if has_kernels(trace, id) {
            // Devices are in natural order of names: those of one GPU follow each other.
            let gpu = gpu_of(name);
            match found.last_mut().filter(|last| last.name == gpu) {
                Some(last) => last.devices.push(id),
                None => found.push(Accelerator { name: gpu, devices: vec![id] }),
            }
        }
    }
    found
}

/// The devices whose mean a step bar is, each as a list: the [`accelerators`], in that order, or where there are none all devices
/// that did any work.
pub fn units(trace: &Trace) -> Vec<Vec<DeviceId>> {
    let found = accelerators(trace);
    if !found.is_empty() {
        return found.into_iter().map(|accelerator| accelerator.devices).collect();
    }
    let works = |id: &DeviceId| trace.ops_of(*id).any(|op| !trace.nodes().is_range(trace.ops().node(op)));
    trace.devices().ids().filter(works).map(|id| vec![id]).collect()
}

/// What each of `units` did, from what each device did.
pub fn coverage_of(units: &[Vec<DeviceId>], coverage: &[Coverage]) -> Vec<Coverage> {
    let of = |unit: &Vec<DeviceId>| {
        Coverage::together(unit.iter().filter_map(|device| coverage.get(device.index())))
    };
    units.iter().map(of).collect()
}
