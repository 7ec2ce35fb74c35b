//! Recordings of nothing but ranges: what a program, a trainer or a tracer of functions marks on threads of its own (Composer, Lightning, VizTracer,
//! Ray). Nothing says what was computed in them, nor that a device of any kind did it.

use crate::base::units::Nanos;
use crate::gpu::accelerators::has_any;
use crate::gpu::unrecorded::{is_gpu_unrecorded, is_tpu_unrecorded};
use crate::model::category::counts_by_default;
use crate::model::device::DeviceKind;
use crate::timeline::nesting::self_times;
use crate::{Category, Trace};

/// Of the time of all ops, that within others is this part or more, as its divisor: rows of a device have no ranges within ranges.
const LEAST_WITHIN: i128 = 10;
/// PyTorch's first profilers call so the process of operators, before their names began with `aten::`.
const OPERATORS: &str = "CPU functions";

/// Whether nothing but ranges was recorded: no accelerator, no op of a framework that is known, and ranges that contain others.
pub fn are_ranges_alone(trace: &Trace) -> bool {
    let (nodes, devices, ops) = (trace.nodes(), trace.devices(), trace.ops());
    let computes = |node| nodes.category(node) == Category::Compute;
    let is_known = |node| computes(node) && !counts_by_default(trace.text(nodes.reason(node)));
    if nodes.ids().any(is_known) || has_any(trace) || is_gpu_unrecorded(trace) || is_tpu_unrecorded(trace) {
        return false;
    }
    let (mut whole, mut own) = (0_i128, 0_i128);
    for id in devices.ids() {
        let row = devices.get(id);
        let mut computing = trace.ops_of(id).filter(|&op| computes(ops.node(op))).peekable();
        if computing.peek().is_none() {
            continue;
        }
        if !row.nests || row.kind != DeviceKind::Other || trace.text(row.name).starts_with(OPERATORS) {
            return false;
        }
        let times = self_times(trace, id);
        for op in computing {
            let Nanos(time) = times[(op.get() - row.first_op) as usize];
            (own, whole) = (own + i128::from(time), whole + i128::from(ops.interval(op).length().0));
        }
    }
    whole > 0 && (whole - own) * LEAST_WITHIN >= whole
}
