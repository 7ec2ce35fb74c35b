//! A task that is slower than its peers: each of its ops takes the median of the ops with its role on the other tasks of its job.
//!
//! The task may [wait for threads](super::shared_threads) that its peers use, too: that is said first.
//!
//! ByteDance's study of stragglers (OSDI 2025) replaces durations in the same way; a persistent cause shows in most steps, so the
//! finding says in how many steps the task was last.

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::shared_threads::shared;
use crate::base::units::Nanos;
use crate::network::stragglers::{CauseKind, Straggler, stragglers};
use crate::replay::change::Change;
use std::collections::BTreeSet;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.compares {
        return Ruling::Lacks(Needs::Clocks);
    }
    let mut found = stragglers(context.study, &context.steps, &context.makers);
    let all = found.len();
    // Who comes late to collectives has a rule of its own.
    found.retain(|own| !own.in_collective);
    if found.len() < all && found.is_empty() {
        return Ruling::Nothing;
    }
    let Some(worst) = found.iter().max_by_key(|own| own.behind) else { return Ruling::Lacks(Needs::Peers) };
    // With less than three peers the median says nothing: of two, one is always slower.
    if worst.ended.len() < 3 {
        return Ruling::Lacks(Needs::Peers);
    }
    let task = worst.ended[0].unit;
    let all: BTreeSet<usize> = found.iter().map(|own| own.step).collect();
    let last = |own: &&Straggler| own.ended.first().is_some_and(|last| last.unit == task);
    let steps: BTreeSet<usize> = found.iter().filter(last).map(|own| own.step).collect();
    let cause = worst.cause;
    let facts = Facts {
        name: context.trace().text(task).to_owned(),
        other: cause.map(|cause| context.study.title(cause.op).to_owned()).unwrap_or_default(),
        count: steps.len() as u64,
        of: all.len() as u64,
        cause: cause.map(|cause| cause.kind),
        since: cause.map(|cause| cause.own).unwrap_or_default(),
        time: worst.behind,
        usual: cause.and_then(|cause| cause.usual).unwrap_or_default(),
        ..Facts::default()
    };
    let evidence = cause.map(|cause| cause.op).into_iter().chain([worst.ended[0].op]).collect();
    let change = Change::LikePeers { task: facts.name.clone() };
    let judged = |facts: Facts, evidence| {
        context.judge_change(Rule::Straggler, Nanos(0), facts, evidence, change.clone())
    };
    // With threads of its own the task may end as its peers do, whatever it does.
    match for_threads(context, worst, facts.clone()) {
        Ruling::Nothing => judged(facts, evidence),
        ruling => ruling,
    }
}

/// Whether the task waits for threads that its peers share. Nothing says what the step would take without
/// that, so it is ranked by the path.
fn for_threads(context: &Context<'_>, worst: &Straggler, facts: Facts) -> Ruling {
    let is_late = worst.cause.is_some_and(|cause| cause.kind == CauseKind::RanLate);
    if worst.behind <= context.least || !is_late {
        return Ruling::Nothing;
    }
    let Some((threads, held)) = shared(context, &worst.times) else { return Ruling::Nothing };
    let evidence = worst.cause.map(|cause| cause.op).into_iter().chain([worst.ended[0].op]).collect();
    let facts = Facts { threads: Some(threads), ..facts };
    by_path(Rule::Straggler, held, facts, evidence)
}
