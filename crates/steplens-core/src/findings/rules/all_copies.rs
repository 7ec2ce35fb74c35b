//! The copies of a trace: without setting memory to a value, which copies nothing, and without those that devices repeat of
//! others. An executor's op that copies counts next to the copy that it asks for: `exposed_copy` counts both, too.

use super::super::context::Context;
use super::super::finding::{Needs, Ruling};
use crate::gpu::accelerators::{accelerators, has_any};
use crate::{Category, DeviceId, Nanos, OpId, Trace};

/// All copies.
pub(super) fn copies(trace: &Trace) -> impl Iterator<Item = OpId> + '_ {
    of_category(trace).filter(|&op| !sets(trace, op))
}

/// How long GPUs did nothing but copy: the mean of those that are counted. Where a GPU that is not counted, because it only copies, copies too, how
/// long any GPU copied while none did anything else.
pub(super) fn exposed(context: &Context<'_>) -> Nanos {
    let (trace, study) = (context.trace(), context.study);
    let gpus = accelerators(trace);
    let all: Vec<DeviceId> = gpus.iter().flat_map(|one| one.devices.iter().copied()).collect();
    if study.counted().count() == study.bar().len() || gpus.is_empty() {
        return study.step_split(trace.span()).exposed_copy;
    }
    let copying = |op: OpId| trace.category(op) == Category::Copy;
    let any = context.busy(&all, |_| true).within(trace.span());
    any - context.busy(&all, |op| !copying(op)).within(trace.span())
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
    let counts = move |device: &DeviceId| !trace.devices().repeats_others(*device);
    let devices = trace.devices().ids().filter(counts);
    devices.flat_map(|device| trace.ops_of(device)).filter(is_copy)
}

/// Whether `op` sets memory: `Memset (Device)`, `MEMSET`.
fn sets(trace: &Trace, op: OpId) -> bool {
    let is_set = |text: &str| text.get(..6).is_some_and(|head| head.eq_ignore_ascii_case("memset"));
    is_set(trace.op_type(op)) || is_set(trace.op_name(op))
}

/// Without any copy: whether there is a GPU that could have had some.
pub(super) fn lacks(context: &Context<'_>) -> Ruling {
    match has_any(context.trace()) {
        true => Ruling::Nothing,
        false => Ruling::Lacks(Needs::Gpu),
    }
}
