//! The recording itself: the profiler's own events take at least a fiftieth of the step on the threads that they stop. Kineto and
//! CUPTI write such events.

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Rule, Ruling};
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::accelerators;
use crate::scheduling::host_idle::HostIdle;
use crate::scheduling::idle::Busy;
use crate::{OpId, Trace};

/// At least this part of the step, as its divisor.
const LEAST: i64 = 50;
/// The names of such events, in lower case.
const OWN: [&str; 5] =
    ["activity buffer request", "cupti", "instrumentation", "buffer flush", "resource (profiler)"];

/// How long the profiler itself ran while the GPUs of `own` were idle.
pub(super) fn recording(context: &Context<'_>, own: &HostIdle) -> Nanos {
    let trace = context.trace();
    let events = events(trace);
    if events.is_empty() {
        return Nanos(0);
    }
    let gpus = accelerators(trace);
    let devices = gpus.iter().find(|one| one.devices.contains(&own.device));
    let busy = context.busy(devices.map_or(&[], |one| one.devices.as_slice()), |_| true);
    let mut intervals: Vec<Interval> =
        events.iter().map(|&op| trace.ops().interval(op).clamp_to(trace.span())).collect();
    intervals.sort_by_key(|own| (own.start, own.end));
    let ran = Busy::of(intervals.iter().copied()).within(trace.span());
    ran - intervals.iter().fold(Nanos(0), |sum, &own| sum + busy.within(own)).min(ran)
}

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let mut found = events(trace);
    let time = found.iter().fold(Nanos(0), |sum, &op| sum + trace.ops().interval(op).length());
    if found.is_empty() || time.0.saturating_mul(LEAST) < trace.span().length().0 {
        return Ruling::Nothing;
    }
    found.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: trace.op_name(found[0]).to_owned(),
        count: found.len() as u64,
        time,
        ..Facts::default()
    };
    figure(Rule::Tracing, Nanos(0), facts, found)
}

/// The profiler's own events.
fn events(trace: &Trace) -> Vec<OpId> {
    let nodes = trace.nodes();
    let is_own: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node)).to_ascii_lowercase();
            OWN.iter().any(|own| name.starts_with(own))
        })
        .collect();
    trace.ops().ids().filter(|&op| is_own[trace.ops().node(op).index()]).collect()
}
