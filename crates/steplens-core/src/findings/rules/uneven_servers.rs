//! Parameter servers of which one sends and receives much more than the others: its transfers get the share of an even load.
//!
//! A server is uneven if it moves at least half as many bytes again as the mean of all. Imbalance by design was the main cause in
//! 39.3 % of ByteDance's slow jobs (OSDI 2025).

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::{Bytes, Nanos};
use crate::causality::observed::SegmentKind;
use crate::model::device::{JobRole, task_of};
use crate::replay::change::Change;
use std::collections::BTreeMap;

/// How many times the mean an uneven server moves, in halves.
const UNEVEN_HALVES: u64 = 3;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let mut moved: BTreeMap<&str, u64> = BTreeMap::new();
    for id in trace.devices().ids() {
        let task = task_of(trace.text(trace.devices().get(id).name));
        task.filter(|task| JobRole::of_task(task) == Some(JobRole::Server))
            .into_iter()
            .for_each(|task| _ = moved.entry(task).or_default());
    }
    if moved.len() < 2 {
        return Ruling::Lacks(Needs::Peers);
    }
    for transfer in context.study.transfers().rows().iter() {
        for end in [transfer.source, transfer.destination] {
            if let Some(sum) = task_of(trace.text(end)).and_then(|task| moved.get_mut(task)) {
                *sum = sum.saturating_add(transfer.bytes.0);
            }
        }
    }
    let all = moved.values().fold(0_u64, |sum, &own| sum.saturating_add(own));
    let mean = all / moved.len() as u64;
    let Some((&task, &most)) = moved.iter().max_by_key(|&(_, &moved)| moved) else {
        return Ruling::Nothing;
    };
    if mean == 0 || most.saturating_mul(2) < mean.saturating_mul(UNEVEN_HALVES) {
        return Ruling::Nothing;
    }
    let is_of_task = |op| {
        let transfer = context.study.transfers().of_op(op);
        transfer.is_some_and(|own| {
            [own.source, own.destination].iter().any(|&end| task_of(trace.text(end)) == Some(task))
        })
    };
    let evidence = context.longest_on_path(|kind, op| kind == SegmentKind::Transit && is_of_task(op));
    let facts = Facts {
        name: task.to_owned(),
        count: moved.len() as u64,
        bytes: Bytes(most),
        of: mean,
        ..Facts::default()
    };
    let change = Change::Network { task: Some(task.to_owned()), factor: mean as f64 / most as f64 };
    context.judge_change(Rule::UnevenServers, Nanos(0), facts, evidence, change)
}
