//! The copies of a trace, each once: without setting memory to a value, which copies nothing, without those that devices repeat of
//! others, and, where copies themselves were recorded, without the ops of TensorFlow's memory optimizer that ask for them.

use crate::gpu::kernels::has_kernels;
use crate::{Category, DeviceId, Nanos, OpId, Trace};

/// All copies.
pub(super) fn copies(trace: &Trace) -> impl Iterator<Item = OpId> + '_ {
    of_category(trace).filter(|&op| !sets(trace, op))
}

/// How much of the time of all ops of the category copy these have: `part` of it.
pub(super) fn share_of(trace: &Trace, part: Nanos, exposed: Nanos) -> Nanos {
    let all = of_category(trace).map(|op| trace.ops().interval(op).length());
    let all = all.fold(Nanos(0), |sum, own| sum + own);
    let share = i128::from(exposed.0) * i128::from(part.0) / i128::from(all.0.max(1));
    Nanos(share as i64)
}

fn of_category(trace: &Trace) -> impl Iterator<Item = OpId> + '_ {
    let is_copy = |op: &OpId| trace.category(*op) == Category::Copy;
    let counts = |device: &DeviceId| !trace.devices().repeats_others(*device);
    let is_recorded = move |device: DeviceId| trace.ops_of(device).any(|op| is_copy(&op));
    let devices = || trace.devices().ids().filter(counts);
    let is_by_device = devices().any(|device| has_kernels(trace, device) && is_recorded(device));
    let asks = move |device: DeviceId, op: OpId| {
        is_by_device && !has_kernels(trace, device) && is_swap(trace.op_name(op))
    };
    let all = devices().collect::<Vec<DeviceId>>().into_iter();
    all.flat_map(move |device| trace.ops_of(device).filter(move |&op| !asks(device, op)))
        .filter(move |op| is_copy(op))
}

/// Whether an op of this name was made by TensorFlow's memory optimizer.
pub(super) fn is_swap(name: &str) -> bool {
    name.starts_with("swap_out_") || name.starts_with("swap_in_")
}

/// Whether `op` sets memory: `Memset (Device)`, `MEMSET`.
fn sets(trace: &Trace, op: OpId) -> bool {
    let is_set = |text: &str| text.get(..6).is_some_and(|head| head.eq_ignore_ascii_case("memset"));
    is_set(trace.op_type(op)) || is_set(trace.op_name(op))
}
