//! One op of a host that feeds a GPU, and that has a large part of the path: it starts nothing on the GPU, and computes on the CPU. Where it only
//! writes something down, a program does not need it in each step.

use crate::base::units::Nanos;
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::{accelerators, begins_executor, ends_executor};
use crate::gpu::launching::launching;
use crate::gpu::overhead::Overhead;
use crate::model::category::only_wraps;
use crate::{OpId, Study, Trace};
use std::collections::BTreeMap;

/// An op has a large part of the path from this share of it on, in percent.
const LEAST_PERCENT: i128 = 30;

/// Operators of PyTorch that compute nothing, without `aten::`: they get memory for a tensor, or make another view of one
/// (`aten/src/ATen/native/native_functions.yaml`). One that takes long did not run meanwhile, or waited for the driver.
const NO_WORK: [&str; 28] = [
    "alias",
    "as_strided",
    "as_strided_",
    "detach",
    "detach_",
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "expand",
    "expand_as",
    "flatten",
    "narrow",
    "new_empty",
    "new_empty_strided",
    "permute",
    "resize_",
    "resize_as_",
    "select",
    "set_",
    "slice",
    "split",
    "squeeze",
    "t",
    "transpose",
    "unbind",
    "unsqueeze",
    "view",
];

/// Whether `op` only gets memory, or makes a view.
pub(super) fn computes_nothing(trace: &Trace, op: OpId) -> bool {
    let name = trace.op_type(op).strip_prefix("aten::");
    name.is_some_and(|name| NO_WORK.binary_search(&name).is_ok())
}

/// Whether `op` computes, and starts nothing on an accelerator.
pub(super) fn starts_nothing(study: &Study, op: OpId) -> bool {
    let (trace, ops) = (study.trace(), study.trace().ops());
    if computes_nothing(trace, op) {
        return false;
    }
    let launches = launching(trace);
    let end = ops.end(op);
    let mut within = trace
        .ops_of(trace.device_of(op))
        .skip_while(|&own| own <= op)
        .take_while(|&own| ops.start(own) < end);
    let is_launch = |own: OpId| launches[own.index()] && ops.thread(own) == ops.thread(op);
    !within.any(is_launch) && study.kernels().of_op(trace, op).is_empty()
}

/// Calls of one op of a host that compute there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnHost {
    /// The longest of them first; others that take less than a tenth of it are left out.
    pub calls: Vec<OpId>,
    /// How much of the path they have together.
    pub time: Nanos,
}

impl OnHost {
    /// The longest.
    pub fn op(&self) -> OpId {
        self.calls[0]
    }
}

/// Calls count with the longest that take this part of it, as its divisor.
const LEAST_OF_LONGEST: i64 = 10;

/// The op of a host that has most of `segments`, with its other calls, if it has a large part and computes there.
pub(super) fn longest(study: &Study, segments: &[Segment]) -> Option<OnHost> {
    let trace = study.trace();
    let found = accelerators(trace);
    let mut is_host = vec![!found.is_empty(); trace.devices().len()];
    found.iter().flat_map(|one| &one.devices).for_each(|device| is_host[device.index()] = false);
    let counts = |op: OpId| {
        is_host[trace.device_of(op).index()]
            && !trace.is_call(op)
            && !only_wraps(trace.op_type(op))
            && !begins_executor(trace, op)
            && !ends_executor(trace, op)
    };
    let overhead = Overhead::of(trace);
    let mut of_op: BTreeMap<OpId, Nanos> = BTreeMap::new();
    for own in segments.iter().filter(|own| own.kind == SegmentKind::Compute && counts(own.op)) {
        let noted = overhead.within(trace, trace.device_of(own.op), own.interval);
        *of_op.entry(own.op).or_default() += own.interval.length() - noted;
    }
    let (&op, &time) = of_op.iter().max_by_key(|&(&op, &time)| (time, std::cmp::Reverse(op)))?;
    let is_large =
        i128::from(time.0) * 100 >= i128::from(trace.span().length().0) * LEAST_PERCENT && time > Nanos(0);
    if !is_large || !starts_nothing(study, op) {
        return None;
    }
    let node = |op: OpId| trace.ops().node(op);
    let is_alike = |&(&other, &own): &(&OpId, &Nanos)| {
        other != op && node(other) == node(op) && own.0.saturating_mul(LEAST_OF_LONGEST) >= time.0
    };
    let mut found = OnHost { calls: vec![op], time };
    for (&other, &own) in of_op.iter().filter(is_alike).filter(|&(&other, _)| starts_nothing(study, other)) {
        found.calls.push(other);
        found.time += own;
    }
    Some(found)
}

/// Whether ops of this type only write something down: summaries, checkpoints, lines of text, or what a function of Python does with a value.
pub(super) fn only_records(trace: &Trace, op: OpId) -> bool {
    let op_type = trace.op_type(op);
    let is_summary = op_type.ends_with("Summary")
        || op_type.ends_with("SummaryV2")
        || op_type.ends_with("SummaryWriter")
        || op_type.ends_with("SummaryFileWriter");
    let others = [
        "Print",
        "PrintV2",
        "Save",
        "SaveV2",
        "SaveSlices",
        "MergeV2Checkpoints",
        "PyFunc",
        "PyFuncStateless",
        "EagerPyFunc",
    ];
    is_summary || others.contains(&op_type)
}
