//! Host-bound and launch-bound: a GPU is idle because its next kernel was not launched yet. The time is measured: it is all of the idle
//! time that the host causes ([`host_idle`](crate::scheduling::host_idle)), except for loading input, which has a rule of its own. It
//! is the most that can be saved, of the GPU that waits least. Where calls that launch are half of it or more, it is launch-bound.
//!
//! XProf calls a device that is idle for 10 % of a step because of its host a finding, launching of 3 % moderate, of 15 % high
//! (`op_stats_to_input_pipeline_analysis.cc`).

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, Needs, Rule, Ruling};
use super::first_calls::first_calls;
use crate::OpId;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::launching::launching;
use crate::replay::change::Change;
use crate::scheduling::host_idle::{HostIdle, HostPart};
use std::collections::BTreeMap;

/// The most names of Python functions that are said.
const MOST_NAMES: usize = 3;

pub(super) fn judge(rule: Rule, context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return Ruling::Lacks(Needs::Gpu) };
    let launches = is_launching(own);
    if launches != (rule == Rule::LaunchBound) {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    let is_launch = launching(trace);
    let first = first_calls(trace);
    let count = trace.ops().ids().filter(|&op| is_launch[op.index()] && first.binary_search(&op).is_err()).count();
    let mut parts: Vec<(FactPart, Nanos)> = HostPart::ALL
        .into_iter()
        .filter(|&part| part != HostPart::Input && own.part(part) > Nanos(0))
        .map(|part| (FactPart::Host(part), own.part(part)))
        .collect();
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    let largest = parts.first().and_then(|&(part, _)| match part {
        FactPart::Host(part) => own.most[part as usize],
        _ => None,
    });
    let facts = Facts {
        name: largest.map(|(op, _)| trace.op_name(op).to_owned()).unwrap_or_default(),
        usual: largest.map(|(_, time)| time).unwrap_or_default(),
        count: count as u64,
        time: own.without_input(),
        parts,
        names: frames(context),
        ..Facts::default()
    };
    let change = launches.then_some(Change::Category { category: crate::Category::Launch, factor: 0.0 });
    let evidence = evidence(context, own);
    context.measured(rule, own.without_input(), facts, evidence, change)
}

/// Whether calls that launch are at least half of what the host does while the GPU is idle.
fn is_launching(own: &HostIdle) -> bool {
    own.part(HostPart::Launching).0.saturating_mul(2) >= own.without_input().0.max(1)
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
    let mut rows: Vec<(String, Nanos)> = sums.into_iter().map(|(name, time)| (name.to_owned(), time)).collect();
    rows.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    rows.retain(|&(_, time)| time > context.least);
    rows.truncate(MOST_NAMES);
    rows
}

/// What the host ran longest while the GPU was idle, and what the path waited for longest.
fn evidence(context: &Context<'_>, own: &HostIdle) -> Vec<OpId> {
    let mut most: Vec<(OpId, Nanos)> = own.most.iter().flatten().copied().collect();
    most.sort_by_key(|&(op, time)| (std::cmp::Reverse(time), op));
    let is_between =
        |kind: SegmentKind, _| matches!(kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps);
    let mut found: Vec<OpId> = most.into_iter().map(|(op, _)| op).collect();
    for op in context.longest_on_path(is_between) {
        if !found.contains(&op) {
            found.push(op);
        }
    }
    found
}
