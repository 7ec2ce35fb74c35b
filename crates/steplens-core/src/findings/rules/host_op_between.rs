//! An op on the host between ops of a GPU: it waits for an output of the GPU, and an op of the GPU waits for its output. The GPU
//! rests meanwhile, and two copies are needed (TensorFlow issues 8321 and 5408). The saving is that of a step in which these ops take
//! no time.

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Verdict};
use crate::OpId;
use crate::base::units::Nanos;
use crate::model::device::DeviceKind;

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    let trace = context.trace();
    let kind_of = |op: OpId| trace.devices().get(trace.device_of(op)).kind;
    let is_gpu = |op: OpId| kind_of(op) == DeviceKind::Gpu;
    let is_host = |op: OpId| kind_of(op) == DeviceKind::Cpu;
    if !trace.devices().ids().any(|id| trace.devices().get(id).kind == DeviceKind::Gpu) {
        return Verdict::Lacks(Needs::Gpu);
    }
    let ops = trace.ops();
    let mut feeds_gpu = vec![false; ops.len()];
    for op in ops.ids().take(trace.counted_ops()).filter(|&op| is_gpu(op)) {
        context.makers.of_op(op).iter().for_each(|maker| feeds_gpu[maker.index()] = true);
    }
    let is_between = |op: OpId| {
        is_host(op)
            && feeds_gpu[op.index()]
            && ops.interval(op).length() > Nanos(0)
            && context.makers.of_op(op).iter().any(|&maker| is_gpu(maker))
    };
    let mut found: Vec<OpId> = ops.ids().take(trace.counted_ops()).filter(|&op| is_between(op)).collect();
    if found.is_empty() {
        return Verdict::Nothing;
    }
    found.sort_by_key(|&op| (std::cmp::Reverse(ops.interval(op).length()), op));
    let facts = Facts {
        name: context.study.title(found[0]).to_owned(),
        count: found.len() as u64,
        time: ops.interval(found[0]).length(),
        ..Facts::default()
    };
    let scenario = || context.replay.without(is_between);
    context.judge(
        Rule::HostOpBetween,
        Nanos(0),
        With { facts, evidence: found.clone(), change: None, scenario: &scenario },
    )
}
