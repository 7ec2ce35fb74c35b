//! Memory that a driver gets and gives back while the GPU is idle: an allocator that caches memory asks the driver only in its first
//! steps. Found where such calls are at least three, and no step or tenth of the recording has more than half of their time: a first
//! step, which fills the cache, is another finding.

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::first_step::first_step;
use super::given_back::GivenBack;
use super::host_bound::usual_parts;
use super::memory_full;
use super::recurs::is_spread;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::scheduling::host_idle::HostPart;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::collections::BTreeSet;

/// Fewer calls are no habit.
const LEAST_CALLS: usize = 3;

/// Where what the GPU did was not recorded: calls with a fifth of the path, that one is.
fn of_host(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    if !is_gpu_unrecorded(trace) || !context.compares {
        return Ruling::Lacks(Needs::Gpu);
    }
    let time = context.on_path(&[SegmentKind::Allocating]);
    if time.0.saturating_mul(LEAST_OF_PATH) < trace.span().length().0 {
        return Ruling::Nothing;
    }
    let mut calls: Vec<OpId> =
        trace.ops().ids().filter(|&op| trace.category(op) == Category::Allocation).collect();
    let length = |op: OpId| trace.ops().interval(op).length();
    calls.sort_by_key(|&op| (std::cmp::Reverse(length(op)), op));
    let Some(&longest) = calls.first() else { return Ruling::Nothing };
    let all = calls.iter().fold(Nanos(0), |sum, &op| sum + length(op));
    let given_back = given_back(trace, &calls);
    let facts = Facts {
        name: trace.op_name(longest).to_owned(),
        count: calls.len() as u64,
        of: 2,
        usual: all,
        time,
        ..Facts::default()
    };
    if let Some((count, back)) = given_back.filter(|(_, back)| back.0.saturating_mul(2) >= all.0) {
        let facts = Facts { count, of: GIVEN_BACK, usual: back, ..facts };
        return by_path(Rule::Allocator, time.min(back), facts, calls);
    }
    by_path(Rule::Allocator, time, facts, calls)
}

/// Of findings about memory that the program itself gives back.
const GIVEN_BACK: u64 = 3;

/// How many of `calls` give memory back that the program itself frees, and how long they take; `None` if none does.
fn given_back(trace: &Trace, calls: &[OpId]) -> Option<(u64, Nanos)> {
    let known = GivenBack::of(trace);
    let is_it = |op: OpId| trace.op_type(op).contains("Free") && known.has(trace, op);
    let back: Vec<OpId> = calls.iter().copied().filter(|&op| is_it(op)).collect();
    let time = back.iter().fold(Nanos(0), |sum, &op| sum + trace.ops().interval(op).length());
    (!back.is_empty()).then_some((back.len() as u64, time))
}

/// At least this part of the path, as its divisor.
const LEAST_OF_PATH: i64 = 5;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return of_host(context) };
    let trace = context.trace();
    // What only a first step does is another finding.
    let time = usual_parts(context, own)[HostPart::Allocating as usize];
    let first: HashSet<OpId, FixedState> = first_step(context).ops.iter().copied().collect();
    if time <= context.least {
        return Ruling::Nothing;
    }
    let sum = |all: &[OpId]| all.iter().fold(Nanos(0), |sum, &op| sum + trace.ops().interval(op).length());
    let mut calls: Vec<OpId> = trace
        .ops()
        .ids()
        .filter(|&op| trace.category(op) == Category::Allocation && !first.contains(&op))
        .collect();
    let full = memory_full::calls(trace);
    // What was full once need not come again and again.
    let is_full = full.len() >= LEAST_CALLS && sum(&full).0.saturating_mul(2) >= sum(&calls).0;
    if !is_full && (calls.len() < LEAST_CALLS || !is_spread(context, &calls)) {
        return Ruling::Nothing;
    }
    if is_full {
        calls = full;
    }
    let count = calls.len() as u64;
    let processes: BTreeSet<DeviceId> = calls.iter().map(|&op| trace.device_of(op)).collect();
    let all = sum(&calls);
    let back = given_back(trace, &calls).filter(|(_, back)| !is_full && back.0.saturating_mul(2) >= all.0);
    calls.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: trace.op_name(calls[0]).to_owned(),
        count: back.map_or(count, |(count, _)| count),
        of: if back.is_some() { GIVEN_BACK } else { u64::from(is_full) },
        ranks: processes.len() as u64,
        time: time.min(all),
        usual: back.map_or(all, |(_, back)| back),
        ..Facts::default()
    };
    context.measured(Rule::Allocator, time.min(facts.usual), facts, calls, None)
}
