//! One device under several names: `/cpu:0` in older versions of TensorFlow, `/device:CPU:0` in newer ones.

use super::{Finding, FindingKind};
use crate::{DeviceId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

pub(super) fn find(trace: &Trace) -> Option<Finding> {
    let mut of_name: HashMap<String, DeviceId, FixedState> = HashMap::default();
    let count = |device: DeviceId| trace.devices().get(device).op_count;
    for device in trace.devices().ids() {
        let name = canonical(trace.text(trace.devices().get(device).name));
        let kept = of_name.entry(name).or_insert(device);
        // The name with more ops is kept; of equal ones the first.
        if count(device) > count(*kept) {
            *kept = device;
        }
    }
    let same = trace.devices().ids().filter_map(|device| {
        let kept = of_name.get(&canonical(trace.text(trace.devices().get(device).name)))?;
        (*kept != device).then_some((device, *kept))
    });
    let same: Vec<(DeviceId, DeviceId)> = same.collect();
    let devices: Vec<DeviceId> = same.iter().map(|&(device, _)| device).collect();
    Some(Finding {
        count: devices.iter().map(|&device| u64::from(count(device))).sum(),
        ops: devices.iter().filter_map(|&device| trace.ops_of(device).next()).take(super::MAX_OPS).collect(),
        kind: FindingKind::SameDevices(same),
        devices,
    })
    .filter(|finding| !finding.devices.is_empty())
}

/// The name in small letters, with `device:` added where older names lack it.
fn canonical(name: &str) -> String {
    let mut canonical = String::with_capacity(name.len() + 8);
    for (place, part) in name.split('/').enumerate() {
        if place > 0 {
            canonical.push('/');
        }
        let part = part.to_ascii_lowercase();
        if ["cpu:", "gpu:", "tpu:"].iter().any(|kind| part.starts_with(kind)) {
            canonical.push_str("device:");
        }
        canonical.push_str(&part);
    }
    canonical
}
