//! What a trace has and `RunMetadata` has no field for.

use steplens_core::model::device::DeviceKind;
use steplens_core::{CategoryRules, Trace};

/// Reasons for a category that are a place on a GPU: devices keep their names, and so their ops are the same when they are read.
const PLACES: [&str; 4] = ["/memcpy", "/sync", "/stream:", "/stream:all"];

/// How many things of a trace a `RunMetadata` cannot hold, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Ops that will open in another category, because then only their names decide it.
    pub categories: u64,
    /// Kernels for which the trace knows the launching call.
    pub calls: u64,
    /// Devices that their format calls accelerators, or whose ops it nests.
    pub devices: u64,
    /// Parts for which their container has a name, number or date.
    pub runs: u64,
    /// Times of allocations that were cut to whole microseconds.
    pub cut: u64,
}

impl Lost {
    pub(super) fn of(trace: &Trace, cut: u64) -> Self {
        let (nodes, rules) = (trace.nodes(), CategoryRules::default());
        let is_other: Vec<bool> = nodes
            .ids()
            .map(|node| {
                let [name, op_type, label] =
                    [nodes.name(node), nodes.op_type(node), nodes.label(node)].map(|id| trace.text(id));
                let by_place = PLACES.contains(&trace.text(nodes.reason(node)));
                !by_place && rules.category(name, op_type, label) != nodes.category(node)
            })
            .collect();
        let ops = trace.ops().ids().filter(|&op| is_other[trace.ops().node(op).index()]);
        let devices = trace.devices().ids().map(|id| trace.devices().get(id));
        let is_said = |device: &steplens_core::model::device::Device| {
            let name = trace.text(device.name);
            device.nests || device.is_accelerator || device.kind != DeviceKind::of(name)
        };
        let has_ops = |part: &&steplens_core::model::part::Part| part.ops > 0;
        Self {
            categories: ops.count() as u64,
            calls: trace.calls().len() as u64,
            devices: devices.filter(|device| is_said(device)).count() as u64,
            runs: trace
                .parts()
                .iter()
                .filter(has_ops)
                .filter(|part| part.is_described(trace.strings()))
                .count() as u64,
            cut,
        }
    }
}
