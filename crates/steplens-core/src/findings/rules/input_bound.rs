//! Input-bound: the step waits for its next batch. The saving is that of a step in which input takes no time; where accelerators were
//! recorded, no more than the busiest of them is idle, or loads input itself.
//!
//! A replay keeps what it does not know, so it may save less than was measured: how long the GPU was idle while its host loaded input,
//! or, where the calls of its kernels are not known, how long the path was in loading. Where it saves less than half of that, the finding
//! rests on the measured time, as the most that can be saved.
//!
//! Where the calls of its kernels are known, and no GPU is idle for its next batch for as long as a finding needs, it is none.
//!
//! XProf calls input below 5 % of a step no bottleneck, up to 20 % moderate, above that high (`op_stats_to_input_pipeline_analysis.cc`);
//! PyTorch's advisor uses 5 %.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::model::category::is_loading;
use crate::replay::change::Change;
use crate::scheduling::host_idle::HostPart;
use crate::timeline::nesting;
use crate::{Category, OpId};

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.has(Category::Input) {
        return Ruling::Nothing;
    }
    let mut evidence = context.longest_on_path(|kind, _| kind == SegmentKind::Input);
    let on_path = context.on_path(&[SegmentKind::Input]);
    let most = context.most_without(Some(Category::Input));
    let host = context.host();
    // Loading that no GPU waits for runs ahead, whatever a replay makes of the threads.
    if host.is_some_and(|own| own.part(HostPart::Input) <= context.least) {
        return Ruling::Nothing;
    }
    let measured = host.map_or(on_path, |own| own.part(HostPart::Input)).min(most);
    if evidence.is_empty() {
        let loaded = host.and_then(|own| own.most[HostPart::Input as usize]);
        evidence = loaded.map(|(op, _): (OpId, _)| op).into_iter().collect();
    }
    let first = first_load(context);
    let facts = Facts {
        usual: first,
        name: evidence.first().map(|&op| name_of(context, op).to_owned()).unwrap_or_default(),
        time: measured,
        ..Facts::default()
    };
    let change = Change::Category { category: Category::Input, factor: 0.0 };
    let judged = |facts: Facts, evidence: Vec<OpId>| {
        context.judge_change_within(Rule::InputBound, on_path, facts, evidence, change.clone(), Some(most))
    };
    let ruling = judged(facts.clone(), evidence.clone());
    let saving = match &ruling {
        Ruling::Found(own) => own.saving.unwrap_or(own.on_path),
        Ruling::Nothing | Ruling::Lacks(_) => Nanos(0),
    };
    match saving.0.saturating_mul(2) < measured.0 {
        true => context.measured(Rule::InputBound, measured, facts, evidence, Some(change)),
        false => ruling,
    }
}

/// What a program calls the loading that `op` is a part of; else the name of `op`.
fn name_of<'a>(context: &Context<'a>, op: OpId) -> &'a str {
    let (study, trace) = (context.study, context.trace());
    let device = trace.device_of(op);
    let row = trace.devices().get(device);
    let within = nesting::operators(trace, device);
    let outer = |op: OpId| within.get((op.get() - row.first_op) as usize).copied().flatten();
    let mut found = op;
    // A chain is no longer than the ops of the device.
    for _ in 0..within.len() {
        match outer(found).filter(|&next| next != found && trace.category(next) == Category::Input) {
            Some(next) => found = next,
            None => break,
        }
    }
    if is_loading(trace.op_name(found)) { trace.op_name(found) } else { study.title(op) }
}

/// The first of several batches takes this many times as long as the usual one after it, if the workers start before it.
const STARTS: i64 = 10;

/// How long the first batch took, if the workers of a `DataLoader` start before it: later ones take much less, or the function of Python that makes
/// the workers was recorded. Otherwise 0: of one batch alone nobody knows.
fn first_load(context: &Context<'_>) -> Nanos {
    let (trace, ops) = (context.trace(), context.trace().ops());
    let is_load = |&op: &OpId| trace.op_name(op).contains("MultiProcessingDataLoader");
    let mut loads: Vec<(i64, i64)> =
        ops.ids().filter(is_load).map(|op| (ops.start(op).0, ops.interval(op).length().0)).collect();
    order::by_number(&mut loads, |own| own);
    let Some((&(_, first), later)) = loads.split_first() else { return Nanos(0) };
    let mut later: Vec<i64> = later.iter().map(|&(_, length)| length).collect();
    later.sort_unstable();
    let is_made = |name: &str| name.contains("dataloader.py") && name.ends_with("__init__");
    let nodes = trace.nodes();
    let starts = match later.get(later.len() / 2) {
        Some(&usual) => first / usual.max(1) >= STARTS,
        None => nodes.ids().any(|node| is_made(trace.text(nodes.name(node)))),
    };
    Nanos(if starts { first } else { 0 })
}
