//! Which calls into a driver launch something: those that a kernel or a copy is joined with, by the correlation that both have. Other calls
//! ask the driver, or tell it things: no device does anything because of them. In Ascend's CANN a call that launches is within others, which
//! do nothing else.

use crate::model::category::is_call_of_cann;
use crate::{Category, Trace};

/// For each op whether it is a call that launches. Where no call is joined with what it launched, every call that neither waits nor
/// gets memory counts.
pub fn launching(trace: &Trace) -> Vec<bool> {
    let is_launch = |op| trace.category(op) == Category::Launch;
    if trace.calls().is_empty() {
        return trace.ops().ids().map(is_launch).collect();
    }
    let mut is_launching = vec![false; trace.ops().len()];
    trace.calls().iter().for_each(|&(_, call)| is_launching[call.index()] |= is_launch(call));
    let nodes = trace.nodes();
    let of_cann: Vec<bool> =
        nodes.ids().map(|node| is_call_of_cann(trace.text(nodes.op_type(node)))).collect();
    if of_cann.contains(&true) {
        let is_one = |op| of_cann[trace.ops().node(op).index()] && is_launch(op);
        trace.ops().ids().filter(|&op| is_one(op)).for_each(|op| is_launching[op.index()] = true);
    }
    is_launching
}

/// Whether the call `name` copies or sets memory: `cudaMemcpyAsync`, `hipMemsetAsync`, `cuMemcpyHtoDAsync_v2`.
pub(crate) fn is_copy_call(name: &str) -> bool {
    ["Memcpy", "MemCpy", "Memset", "MemSet"].iter().any(|part| name.contains(part))
}
