//! Host-bound: GPUs wait while the thread that feeds them runs no recorded op (of PyTorch: Python between operators). The saving is
//! that of a step without these gaps on host threads.
//!
//! HTA divides the idle time of a GPU likewise (`idle_time_breakdown`); XProf calls a device that is idle for 10 % of a step because of
//! its host a finding.

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Verdict};
use crate::base::units::Nanos;
use crate::gpu::kernels::has_kernels;
use crate::{DeviceId, OpId};
use std::collections::BTreeSet;

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    let trace = context.trace();
    if !trace.devices().ids().any(|id| has_kernels(trace, id)) {
        return Verdict::Lacks(Needs::Gpu);
    }
    // The threads whose calls launch kernels.
    let thread_of = |op: OpId| (trace.device_of(op), trace.ops().thread(op));
    let feeding: BTreeSet<(DeviceId, u32)> = trace.calls().iter().map(|&(_, call)| thread_of(call)).collect();
    let feeds = |op: OpId| trace.devices().get(trace.device_of(op)).nests && feeding.contains(&thread_of(op));
    let mut delays = context.replay.delays(feeds);
    if delays.is_empty() {
        return Verdict::Lacks(Needs::Gpu);
    }
    delays.sort_by_key(|&(delay, op)| (std::cmp::Reverse(delay), op));
    let facts = Facts {
        count: delays.len() as u64,
        time: delays.iter().fold(Nanos(0), |sum, &(delay, _)| sum + delay),
        ..Facts::default()
    };
    let evidence = delays.iter().map(|&(_, op)| op).collect();
    let scenario = || context.replay.without_delays(feeds);
    context.judge(Rule::HostBound, Nanos(0), With { facts, evidence, change: None, scenario: &scenario })
}
