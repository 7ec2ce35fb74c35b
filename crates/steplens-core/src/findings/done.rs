//! What a program did already of what advice could name: the names of what ran say it.

use crate::gpu::accelerators::accelerators;
use crate::model::capability::Capability;
use crate::{Category, DeviceId, Nanos, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

fn has(trace: &Trace, is_it: impl Fn(&str) -> bool) -> bool {
    let nodes = trace.nodes();
    nodes.ids().any(|node| is_it(trace.text(nodes.name(node))) || is_it(trace.text(nodes.op_type(node))))
}

/// Whether NCCL, or RCCL, carried out collectives: Horovod's phase `NCCL_ALLREDUCE`, TensorFlow's ops, kernels of the library.
pub fn runs_nccl(trace: &Trace) -> bool {
    has(trace, |name| ["nccl", "Nccl", "NCCL"].iter().any(|own| name.contains(own)))
}

/// Whether convolutions keep channels last: kernels say so, and none turns tensors for them.
pub fn keeps_channels_last(trace: &Trace) -> bool {
    let is_it = |name: &str| name.contains("nhwc") || name.contains("channels_last");
    let turns = |name: &str| name.contains("nchwToNhwc") || name.contains("nhwcToNchw");
    has(trace, is_it) && !has(trace, turns)
}

/// The compute capability of the accelerators, if all have the same.
pub fn capability(trace: &Trace) -> Option<Capability> {
    let mut all = accelerators(trace).into_iter().flat_map(|one| one.devices);
    let of_device = |device: DeviceId| trace.devices().get(device).capability;
    let first = all.next().and_then(of_device)?;
    all.all(|device| of_device(device) == Some(first)).then_some(first)
}

/// Nearly all is this part, in tenths.
const NEARLY_ALL: i64 = 9;

/// Whether nearly all of the time of `all` is that of those that are so.
fn are_nearly_all(trace: &Trace, all: &[OpId], is_it: impl Fn(OpId) -> bool) -> bool {
    let sum = |ops: &mut dyn Iterator<Item = OpId>| {
        ops.fold(Nanos(0), |sum, op| sum + trace.ops().interval(op).length())
    };
    let (part, whole) =
        (sum(&mut all.iter().copied().filter(|&op| is_it(op))), sum(&mut all.iter().copied()));
    whole > Nanos(0) && part.0.saturating_mul(10) >= whole.0.saturating_mul(NEARLY_ALL)
}

/// Copies between a host and a GPU, as PyTorch's profiler names them.
fn copies_with_host(trace: &Trace) -> Vec<OpId> {
    let is_with_host = |op: &OpId| ["HtoD", "DtoH"].iter().any(|own| trace.op_name(*op).contains(own));
    trace.ops().ids().filter(|&op| trace.category(op) == Category::Copy).filter(is_with_host).collect()
}

/// Whether copies to a GPU are from memory that is pinned.
pub fn copies_from_pinned(trace: &Trace) -> bool {
    let mut all = copies_with_host(trace);
    all.retain(|&op| trace.op_name(op).contains("HtoD"));
    are_nearly_all(trace, &all, |op| trace.op_name(op).contains("Pinned -> "))
}

/// Whether copies between a host and a GPU have a stream on which nothing is computed.
pub fn copies_on_own_stream(trace: &Trace) -> bool {
    let row = |op: OpId| (trace.device_of(op), trace.ops().thread(op));
    let work = accelerators(trace).into_iter().flat_map(|one| one.devices);
    let work = work.flat_map(|device| trace.ops_of(device));
    let computes = work.filter(|&op| trace.category(op) == Category::Compute);
    let computes: HashSet<(DeviceId, u32), FixedState> = computes.map(row).collect();
    !computes.is_empty() && are_nearly_all(trace, &copies_with_host(trace), |op| !computes.contains(&row(op)))
}
