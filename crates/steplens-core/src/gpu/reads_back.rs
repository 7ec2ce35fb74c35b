//! Ops of an executor that read a result of their GPU back, and wait for it: `CheckNumerics`, `Where`, `Unique`. A copy to the host that they asked for
//! lies within them. Until it ends, they wait for all that was given to the stream before.

use crate::base::units::Timestamp;
use crate::gpu::kernels::{Kernels, has_kernels};
use crate::{Category, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How a copy to the host is called, in the words of CUDA's profiler.
const TO_HOST: [&str; 2] = ["DtoH", "DtoP"];

/// For each such op when its result was on the host.
pub(crate) type ReadBack = HashMap<OpId, Timestamp, FixedState>;

/// Finds these ops, where no calls say what waits.
pub(crate) fn read_back(trace: &Trace, kernels: &Kernels) -> ReadBack {
    let mut found = ReadBack::default();
    if !trace.calls().is_empty() {
        return found;
    }
    let ops = trace.ops();
    let rows =
        trace.devices().ids().filter(|&id| has_kernels(trace, id) && !trace.devices().repeats_streams(id));
    for copy in rows.flat_map(|device| trace.ops_of(device)) {
        let is_to_host = || TO_HOST.iter().any(|own| trace.op_type(copy).contains(own));
        if trace.category(copy) != Category::Copy || !is_to_host() {
            continue;
        }
        let Some(op) = kernels.op_of(copy) else { continue };
        let (ran, copied) = (ops.interval(op), ops.interval(copy));
        if trace.category(op) == Category::Compute && ran.start <= copied.start && copied.end <= ran.end {
            let last = found.entry(op).or_insert(copied.end);
            *last = copied.end.max(*last);
        }
    }
    found
}
