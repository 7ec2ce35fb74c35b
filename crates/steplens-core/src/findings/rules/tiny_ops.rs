//! Ops so short that starting them takes longer than they run: ops of an executor below 10 µs. The saving is that of a step in which
//! they, and the delays before them, take no time, as if they were fused into others. It says how long they run in all, and how long the
//! pauses before them are, of which each counts up to 0.1 ms.
//!
//! The limit is that of `steplens scheduling`; TensorFlow calls a kernel cheap below 5,000 cycles, some 2 µs (`op_kernel.h`).

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Nanos;
use crate::gpu::kernels::has_kernels;
use crate::scheduling::RunBy;
use crate::scheduling::tiny::{TINY, tiny};
use crate::{Category, OpId};

/// At least this part of the ops is tiny, in percent.
const LEAST_PERCENT: usize = 25;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let ops = trace.ops();
    let runs = |op: OpId| {
        let device = trace.device_of(op);
        trace.category(op) == Category::Compute
            && !trace.devices().get(device).nests
            && !has_kernels(trace, device)
            && ops.interval(op).length() > Nanos(0)
    };
    let all = || ops.ids().take(trace.counted_ops()).filter(|&op| runs(op));
    let is_tiny = |op: OpId| runs(op) && ops.interval(op).length() < TINY;
    let (count, of) = (all().filter(|&op| is_tiny(op)).count(), all().count());
    if of == 0 {
        return Ruling::Lacks(Needs::Scheduling);
    }
    if count * 100 < of * LEAST_PERCENT {
        return Ruling::Nothing;
    }
    let rows = tiny(context.study.edges(), context.study.causes(), TINY);
    let rows = || rows.iter().filter(|own| own.run_by == RunBy::Executor);
    let running = rows().fold(Nanos(0), |sum, own| sum + own.tiny_length);
    let pauses = rows().fold(Nanos(0), |sum, own| sum + own.between);
    let facts = Facts {
        count: count as u64,
        of: of as u64,
        time: TINY,
        usual: running,
        since: pauses,
        ..Facts::default()
    };
    let evidence = context.longest_on_path(|_, op| is_tiny(op));
    let scenario = || context.replay.without(is_tiny);
    // What tiny ops cost, as `steplens scheduling` counts it: no change to them can save more.
    let most = Some(running + pauses);
    context.judge(Rule::TinyOps, Nanos(0), With { facts, evidence, change: None, scenario: &scenario, most })
}
