//! The copies of a trace, each once: without setting memory to a value, which copies nothing, without those that devices repeat of
//! others, and without an executor's op where the copy that it asked for was recorded itself.

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
    let devices: Vec<DeviceId> =
        devices().filter(|&device| !is_by_device || has_kernels(trace, device)).collect();
    devices.into_iter().flat_map(|device| trace.ops_of(device)).filter(move |op| is_copy(op))
}

/// Whether `op` sets memory: `Memset (Device)`, `MEMSET`.
fn sets(trace: &Trace, op: OpId) -> bool {
    let is_set = |text: &str| text.get(..6).is_some_and(|head| head.eq_ignore_ascii_case("memset"));
    is_set(trace.op_type(op)) || is_set(trace.op_name(op))
}
