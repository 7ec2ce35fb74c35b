//! An op on the host for which the GPU waits: an op of the GPU needs its output. The GPU rests meanwhile, and the output is copied
//! (TensorFlow issues 8321 and 5408). TensorFlow also places ops on a GPU that run on the host, such as `Unique`: where kernels are
//! recorded, these launch none. What only passes a tensor on, or looks at its shape, is left out: if it takes long, its thread did something
//! else. The saving is that of a step in which these ops take no time.

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Nanos;
use crate::model::device::DeviceKind;
use crate::{Category, OpId};

/// Ops that take less than this part of the step, as its divisor, are no concern: dispatching an op to a GPU takes as long.
const LEAST: i64 = 200;

/// What an executor runs on a GPU's row without a kernel, and without work.
pub(super) const PASSES_ON: [&str; 30] = [
    "_Arg",
    "_Retval",
    "AutoReloadVariable",
    "BroadcastGradientArgs",
    "ConcatOffset",
    "Const",
    "ControlTrigger",
    "Enter",
    "Exit",
    "ExpandDims",
    "HostConst",
    "Identity",
    "IdentityN",
    "LoopCond",
    "Merge",
    "NextIteration",
    "NoOp",
    "Placeholder",
    "PreventGradient",
    "Rank",
    "ReadVariableOp",
    "Reshape",
    "Shape",
    "ShapeN",
    "Size",
    "Squeeze",
    "StopGradient",
    "Switch",
    "VarHandleOp",
    "VariableV2",
];

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let (trace, study) = (context.trace(), context.study);
    let kind_of = |op: OpId| trace.devices().get(trace.device_of(op)).kind;
    let is_gpu = |op: OpId| kind_of(op) == DeviceKind::Gpu;
    let has = |kind: DeviceKind| trace.devices().ids().any(|id| trace.devices().get(id).kind == kind);
    if !has(DeviceKind::Gpu) {
        return Ruling::Lacks(Needs::Gpu);
    }
    let records_kernels = has(DeviceKind::Stream);
    let ops = trace.ops();
    let mut feeds_gpu = vec![false; ops.len()];
    for op in ops.ids().take(trace.counted_ops()).filter(|&op| is_gpu(op)) {
        context.makers.of_op(op).iter().for_each(|maker| feeds_gpu[maker.index()] = true);
    }
    let least = Nanos((trace.span().length().0 / LEAST).max(1));
    let passes_on = |op: OpId| PASSES_ON.contains(&trace.text(trace.nodes().op_type(ops.node(op))));
    let is_on_host = |op: OpId| match kind_of(op) {
        DeviceKind::Cpu => true,
        DeviceKind::Gpu => records_kernels && !passes_on(op) && study.kernels().of_op(trace, op).is_empty(),
        _ => false,
    };
    let is_waited_for = |op: OpId| {
        feeds_gpu[op.index()]
            && ops.interval(op).length() >= least
            && trace.category(op) == Category::Compute
            && is_on_host(op)
    };
    let mut found: Vec<OpId> = ops.ids().take(trace.counted_ops()).filter(|&op| is_waited_for(op)).collect();
    if found.is_empty() {
        return Ruling::Nothing;
    }
    found.sort_by_key(|&op| (std::cmp::Reverse(ops.interval(op).length()), op));
    let facts = Facts {
        name: study.title(found[0]).to_owned(),
        count: found.len() as u64,
        of: found.iter().filter(|&&op| is_gpu(op)).count() as u64,
        time: ops.interval(found[0]).length(),
        ..Facts::default()
    };
    let mut is_found = vec![false; ops.len()];
    found.iter().for_each(|op| is_found[op.index()] = true);
    let scenario = || context.replay.without(|op| is_found[op.index()]);
    context.judge(
        Rule::HostOpBetween,
        Nanos(0),
        With {
            facts,
            evidence: found.clone(),
            change: None,
            scenario: &scenario,
            most: Some(context.most_without(None)),
        },
    )
}
