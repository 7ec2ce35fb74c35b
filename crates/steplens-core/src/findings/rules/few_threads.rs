//! An executor that has one thread, while ops that are ready wait for it. The saving is that of a step with two threads.
//!
//! Only of one thread is it known that more would help: RunMetadata does not say how many processors there are, and TensorFlow has by
//! default as many threads as processors (`inter_op_parallelism_threads` of `ConfigProto`). Every machine that trains has two. Ops that the
//! executor keeps on the thread that made them ready stay on it in the replay, too: they wait for it however many there are.

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::Category;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::has_any;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::replay::change::Change;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    // An executor that only launches kernels is no faster with two threads, and what it waits for is its GPU.
    if has_any(context.trace()) || is_gpu_unrecorded(context.trace()) {
        return Ruling::Nothing;
    }
    let pools = &context.study.scheduling().at_work;
    let Some(own) = pools.iter().filter(|own| own.scheduled > 0).max_by_key(|own| own.starved(1)) else {
        return Ruling::Lacks(Needs::Scheduling);
    };
    if pools.iter().any(|own| own.most() > 1) {
        return Ruling::Nothing;
    }
    let waited = own.starved(1);
    let facts = Facts { count: own.ops, time: waited, ..Facts::default() };
    let trace = context.trace();
    let evidence = context
        .longest_on_path(|kind, op| kind == SegmentKind::Compute && trace.category(op) == Category::Compute);
    // With two threads no more can be saved than half of what one of them did.
    let most = Some(Nanos(own.busy().0 / 2));
    context.judge_change_within(Rule::FewThreads, Nanos(0), facts, evidence, Change::Threads(2), most)
}
