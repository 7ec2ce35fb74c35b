//! Host-bound: a GPU is idle because its next kernel was not launched yet. The time is measured: it is all of the idle time that the
//! host causes ([`host_idle`](crate::scheduling::host_idle)), of the GPU that waits least, except for loading input and for what only a
//! first step does, which have rules of their own. It is the most that can be saved. Where half of it or more is one pause between recorded
//! ops, that is said: what comes once is no habit of the step.
//!
//! XProf calls a device that is idle for 10 % of a step because of its host a finding (`op_stats_to_input_pipeline_analysis.cc`).

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, Needs, Rule, Ruling};
use super::first_step::{first_step, is_mostly_capture};
use super::tracing::recording;
use crate::OpId;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::accelerators::accelerators;
use crate::gpu::launching::launching;
use crate::scheduling::host_idle::{HostIdle, HostPart};
use std::collections::BTreeMap;

/// The most names of Python functions that are said.
const MOST_NAMES: usize = 3;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return Ruling::Lacks(Needs::Gpu) };
    if is_mostly_capture(context) {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    let own_parts = usual_parts(context, own);
    let mut parts: Vec<(FactPart, Nanos)> = HostPart::ALL
        .into_iter()
        .zip(own_parts)
        .filter(|&(part, time)| part != HostPart::Input && time > Nanos(0))
        .map(|(part, time)| (FactPart::Host(part), time))
        .collect();
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    // The profiler's own events interrupt what runs longest.
    if let Some(largest) = parts.first_mut() {
        largest.1 = Nanos((largest.1 - recording(context, own)).0.max(0));
    }
    parts.retain(|&(_, time)| time > Nanos(0));
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    let time = parts.iter().fold(Nanos(0), |sum, &(_, time)| sum + time);
    let largest = parts.first().and_then(|&(part, _)| match part {
        FactPart::Host(part) => own.most[part as usize],
        _ => None,
    });
    let pause = own.pause.filter(|&(length, _)| length <= time && length.0.saturating_mul(2) >= time.0);
    let facts = Facts {
        pause: pause.map(|(length, op)| (trace.op_name(op).to_owned(), length)),
        name: largest.map(|(op, _)| trace.op_name(op).to_owned()).unwrap_or_default(),
        other: unit(context, own),
        ranks: judged(context),
        usual: largest.map(|(_, time)| time).unwrap_or_default(),
        since: largest
            .filter(|&(op, _)| computes(context, op))
            .map(|(op, _)| context.study.self_time(op))
            .unwrap_or_default(),
        time,
        parts,
        names: within(frames(context), time),
        ..Facts::default()
    };
    // First what the sentence names.
    let calculated = largest.filter(|_| facts.since > Nanos(0)).map(|(op, _)| op);
    let named = pause.map(|(_, op)| op).or(calculated);
    context.measured(Rule::HostBound, time, facts, evidence(context, own, named), None)
}

/// Whether `op` does its work on the host: nothing that it ran launched anything, and it is none of what only a first step does.
fn computes(context: &Context<'_>, op: OpId) -> bool {
    let (trace, ops) = (context.trace(), context.trace().ops());
    let launches = launching(trace);
    let end = ops.end(op);
    let mut within = trace
        .ops_of(trace.device_of(op))
        .skip_while(|&own| own <= op)
        .take_while(|&own| ops.start(own) < end);
    let is_launch = |own: OpId| launches[own.index()] && ops.thread(own) == ops.thread(op);
    !within.any(is_launch)
        && context.study.kernels().of_op(trace, op).is_empty()
        && !first_step(context).ops.contains(&op)
}

/// The name of the accelerator, if it is no GPU, or one of several.
fn unit(context: &Context<'_>, own: &HostIdle) -> String {
    let unit = accelerators(context.trace()).into_iter().find(|one| one.devices.contains(&own.device));
    let name = unit.map(|one| one.name.to_owned()).unwrap_or_default();
    let is_only = judged(context) < 2 && name.to_ascii_lowercase().contains("gpu");
    if is_only { String::new() } else { name }
}

/// Of how many accelerators this is the one that waits least.
fn judged(context: &Context<'_>) -> u64 {
    context.hosts().iter().filter(|own| own.busy > Nanos(0)).count() as u64
}

/// What the host did, in the order of [`HostPart::ALL`], without what only a first step does.
pub(super) fn usual_parts(context: &Context<'_>, own: &HostIdle) -> [Nanos; HostPart::ALL.len()] {
    let trace = context.trace();
    let mut parts = own.parts;
    let first = &first_step(context).ops;
    let is_launching = if first.is_empty() { Vec::new() } else { launching(trace) };
    for &op in first {
        let part = HostPart::of(trace, op, is_launching[op.index()]) as usize;
        parts[part] = Nanos((parts[part] - context.study.self_time(op)).0.max(0));
    }
    parts
}

/// The first of `frames` that together take no longer than `time`: what Python takes of the path may be next to work of the GPU.
fn within(frames: Vec<(String, Nanos)>, time: Nanos) -> Vec<(String, Nanos)> {
    let mut left = time;
    let fits = |own: &(String, Nanos)| {
        let fits = own.1 <= left;
        left = if fits { left - own.1 } else { left };
        fits
    };
    frames.into_iter().filter(fits).collect()
}

/// The functions of Python in which the step waited longest for its host, where they were recorded.
fn frames(context: &Context<'_>) -> Vec<(String, Nanos)> {
    let trace = context.trace();
    let mut sums: BTreeMap<&str, Nanos> = BTreeMap::new();
    for own in &context.study.causes().observed.segments {
        if let Some(frame) = own.frame {
            *sums.entry(trace.op_name(frame)).or_default() += own.interval.length();
        }
    }
    let mut rows: Vec<(String, Nanos)> =
        sums.into_iter().map(|(name, time)| (name.to_owned(), time)).collect();
    rows.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    rows.retain(|&(_, time)| time > context.least);
    rows.truncate(MOST_NAMES);
    rows
}

/// What the host ran longest while the GPU was idle, and what the path waited for longest.
fn evidence(context: &Context<'_>, own: &HostIdle, named: Option<OpId>) -> Vec<OpId> {
    let rows = HostPart::ALL.into_iter().zip(own.most).filter(|&(part, _)| part != HostPart::Input);
    let mut most: Vec<(OpId, Nanos)> = rows.filter_map(|(_, most)| most).collect();
    most.sort_by_key(|&(op, time)| (std::cmp::Reverse(time), op));
    let is_between =
        |kind: SegmentKind, _| matches!(kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps);
    let mut found: Vec<OpId> = named.into_iter().collect();
    found.extend(most.into_iter().map(|(op, _)| op).filter(|&op| Some(op) != named));
    for op in context.longest_on_path(is_between) {
        if !found.contains(&op) {
            found.push(op);
        }
    }
    found
}
