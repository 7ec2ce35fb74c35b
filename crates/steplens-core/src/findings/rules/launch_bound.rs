//! Launch-bound: of the time in which the host keeps its GPU waiting, calls that launch are a seventh of the step or more. The saving is
//! that of a step in which they take no time, as with CUDA graphs or larger kernels, and no more than this part. What only a first call does is
//! not launching (see `first_calls`), nor is a call that launches nothing, nor one that copies. One launch for each GPU cannot be fewer.
//!
//! XProf calls launching of 3 % of a step moderate, of 15 % high (`op_stats_to_input_pipeline_analysis.cc`).

use super::super::context::{Context, With};
use super::super::finding::{Facts, Rule, Ruling};
use super::first_calls::first_calls;
use super::first_step::is_cold;
use super::host_bound::usual_parts;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::launching::{is_copy_call, launching};
use crate::replay::change::Change;
use crate::scheduling::host_idle::HostPart;
use crate::{Category, OpId};

/// At least this part of the step, as its divisor: XProf's limit between moderate and high.
const LEAST: i64 = 7;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return context.lacks_host() };
    let parts = usual_parts(context, own);
    let time = parts[HostPart::Launching as usize];
    if time.0.saturating_mul(LEAST) < context.trace().span().length().0 || time <= context.least {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    let mut first: Vec<OpId> = first_calls(trace).into_iter().map(|own| own.op).collect();
    first.sort_unstable();
    let is_launching = launching(trace);
    let is_copy = |op: OpId| is_copy_call(trace.op_type(op));
    let is_usual = |op: OpId| is_launching[op.index()] && !is_copy(op) && first.binary_search(&op).is_err();
    let count = trace.ops().ids().filter(|&op| is_usual(op)).count();
    // One for each accelerator is the least.
    if count <= context.hosts().iter().filter(|own| own.busy > Nanos(0)).count() {
        return Ruling::Nothing;
    }
    let evidence = context.longest_on_path(|kind, op| kind == SegmentKind::Launching && is_usual(op));
    let is_cold = is_cold(context, time);
    let facts = Facts { count: count as u64, time, is_cold, ..Facts::default() };
    let scenario = || context.replay.without(is_usual);
    let change = Change::Category { category: Category::Launch, factor: 0.0 };
    let copies = trace.ops().ids().any(|op| is_launching[op.index()] && is_copy(op));
    let change = (first.is_empty() && !copies).then_some(change);
    let with = With { facts, evidence, change, scenario: &scenario, most: Some(time) };
    context.judge(Rule::LaunchBound, Nanos(0), with)
}
