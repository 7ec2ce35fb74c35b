//! GPUs of an executor whose kernels were not recorded, and several GPUs whose kernels were recorded under the name of one.
//!
//! The executor's ops on a GPU are as long as it took to dispatch them. What the GPU did stands on its streams, which TensorFlow
//! records only where CUPTI is there and the run was traced with `FULL_TRACE` in its own process. Releases up to 1.13 call every
//! GPU `/device:GPU:0` there (`const int id = 0` in `device_tracer.cc`).

use super::{Finding, FindingKind, MAX_OPS, about};
use crate::gpu::accelerators::{accelerators, dispatched_to, without_kernels};
use crate::gpu::kernels::{Kernels, has_kernels};
use crate::model::device::DeviceKind;
use crate::{DeviceId, Trace};

pub(super) fn find(trace: &Trace) -> Vec<Finding> {
    let mut without = without_kernels(trace);
    if without.is_empty() {
        return Vec::new();
    }
    let under_one_name = under_one_name(trace, &without);
    if let Some(finding) = &under_one_name {
        without.retain(|device| !finding.devices.contains(device));
    }
    let ops = without.iter().flat_map(|&device| trace.ops_of(device));
    let unrecorded = about(trace, FindingKind::KernelsNotRecorded, ops);
    under_one_name.into_iter().chain(unrecorded).collect()
}

/// The GPUs `without` kernels whose ops have kernels all the same: under the name of another GPU.
fn under_one_name(trace: &Trace, without: &[DeviceId]) -> Option<Finding> {
    let has_streams = |id: &DeviceId| trace.devices().get(*id).kind == DeviceKind::Stream;
    if !trace.devices().ids().any(|id| has_streams(&id)) {
        return None;
    }
    let joined = Kernels::joined(trace);
    let (mut devices, mut ops, mut count) = (Vec::new(), Vec::new(), 0);
    let kernels = trace.devices().ids().filter(has_streams).flat_map(|device| trace.ops_of(device));
    for kernel in kernels {
        let Some(device) = joined.op_of(kernel).map(|op| trace.device_of(op)) else { continue };
        if !without.contains(&device) {
            continue;
        }
        count += 1;
        if ops.len() < MAX_OPS {
            ops.push(kernel);
        }
        if !devices.contains(&device) {
            devices.push(device);
        }
    }
    let found = accelerators(trace);
    // One GPU whose streams have another name is no second GPU.
    let owners = dispatched_to(trace, &found).concat();
    let has_others = owners.iter().any(|&id| !has_kernels(trace, id)) || devices.len() > 1;
    (count > 0 && has_others).then_some(Finding { kind: FindingKind::OneNameOfGpus, count, ops, devices })
}
