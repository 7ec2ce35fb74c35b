//! How long kernels of Pallas wait for their input.
//!
//! `emit_pipeline` of JAX (`jax/_src/pallas/mosaic/pipeline.py`) copies blocks of the input of a kernel from the memory of a TPU while the kernel
//! calculates with others. It names its waits for these copies, and a profiler of TPUs writes the names on the line `XLA TraceMe` of the TPU, within the
//! time of the kernel, which is all compute otherwise.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, NodeId, Trace};

/// How such a wait is called.
const WAITS: &str = "ep_wait_in";
/// Waits are said from this part of the time on, as its divisor.
const LEAST: i64 = 20;

/// How long each accelerator waits within `span` in its kernels for their input, in the mean of `counted` accelerators, if that is much.
pub(super) fn kernel_input(trace: &Trace, span: Interval, counted: usize) -> Option<Nanos> {
    let nodes = trace.nodes();
    let is_one = |node: NodeId| {
        let name = trace.text(nodes.name(node));
        nodes.category(node) == Category::Range && name.rsplit('/').next() == Some(WAITS)
    };
    let is_wait: Vec<bool> = nodes.ids().map(is_one).collect();
    if !is_wait.contains(&true) {
        return None;
    }
    let of_one = |devices: &[DeviceId]| {
        let ops = devices.iter().flat_map(|&device| trace.ops_of(device));
        let waits = ops.filter(|&op| is_wait[trace.ops().node(op).index()]);
        let mut waits: Vec<Interval> = waits.map(|op| trace.ops().interval(op)).collect();
        order::by_number(&mut waits, |own| (own.start.0, own.end.0));
        Busy::of(waits.into_iter()).within(span)
    };
    let all = accelerators(trace).iter().fold(Nanos(0), |sum, one| sum + of_one(&one.devices));
    let mean = Nanos(all.0 / i64::try_from(counted).unwrap_or(i64::MAX).max(1));
    (mean.0.saturating_mul(LEAST) >= span.length().0.max(1)).then_some(mean)
}
