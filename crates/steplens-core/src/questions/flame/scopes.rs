//! Bars of name scopes: `tower_1/conv1/Conv2D` is an op in `conv1` in `tower_1`.

use super::bars::Bars;
use super::nested::counts;
use crate::base::ids::OpId;
use crate::model::label;
use crate::questions::op_types::{AcceleratorDevices, Place};
use crate::questions::range::Range;
use crate::{DeviceId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Whether any op is in a scope: of hosts whose events do not contain one another, or as kernels name it.
pub(super) fn has_scopes(trace: &Trace) -> bool {
    let is_wanted = |id: &DeviceId| !trace.devices().get(*id).nests;
    let mut ops = trace.devices().ids().filter(is_wanted).flat_map(|id| trace.ops_of(id));
    ops.any(|op| name_of(trace, op).contains('/'))
}

/// Adds the ops of `range`: the self time of those of hosts, and the kernels of each.
pub(super) fn add<'a>(study: &'a Study, range: &Range<'_>, bars: &mut Bars<'a>) {
    let trace = study.trace();
    let places = AcceleratorDevices::of(trace);
    let mut bar_of: HashMap<OpId, u32, FixedState> = HashMap::default();
    let is_range = |op: OpId| trace.nodes().is_range(trace.ops().node(op));
    let of_host =
        |device: &DeviceId| places.place(*device) == Place::Host && !trace.devices().get(*device).nests;
    for op in range.counted_devices().filter(of_host).flat_map(|device| range.ops(device)) {
        let text = trace.text(trace.nodes().label(trace.ops().node(op)));
        if is_range(op) || label::is_inner(text) {
            continue;
        }
        if label::transfer(text).is_some() {
            bars.leave_out_transfer();
            continue;
        }
        let bar = path(bars, name_of(trace, op));
        bars.add_event(bar, trace.category(op), trace.ops().interval(op).clamp_to(range.window()).length());
        bar_of.insert(op, bar);
    }
    let of_gpu = |device: &DeviceId| counts(trace, *device) && places.place(*device) != Place::Host;
    for kernel in trace.devices().ids().filter(of_gpu).flat_map(|device| range.ops(device)) {
        if is_range(kernel) {
            continue;
        }
        let length = trace.ops().interval(kernel).clamp_to(range.window()).length();
        let of_op = study.kernels().op_of(kernel).and_then(|op| bar_of.get(&op).copied());
        let bar = of_op.unwrap_or_else(|| path(bars, name_of(trace, kernel)));
        if of_op.is_none() {
            bars.add_event(bar, trace.category(kernel), crate::Nanos(0));
        }
        bars.add_gpu(bar, length);
    }
}

/// The bar of the op called `name`, on the bars of its scopes.
fn path<'a>(bars: &mut Bars<'a>, name: &'a str) -> u32 {
    let mut parts = name.split('/').filter(|part| !part.is_empty());
    let bottom = bars.bar(None, parts.next().unwrap_or(name));
    parts.fold(bottom, |scope, part| bars.bar(Some(scope), part))
}

/// The name of `op`, or of the op for which it ran on a stream.
fn name_of(trace: &Trace, op: OpId) -> &str {
    let node = trace.ops().node(op);
    label::op_of_kernel(trace.text(trace.nodes().name(node)), trace.text(trace.nodes().label(node)))
}
