//! Collectives that wait for the last rank: the device that most collectives waited for, and longest.
//!
//! The saving is replayed: the delays and lengths of that device's ops become those of its peers. XProf calls barriers of 10 % of a
//! step a finding (`barrier_cores_rule.h`).

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Verdict};
use crate::OpId;
use crate::base::units::Nanos;
use crate::model::device::task_of;
use crate::network::collectives::Collectives;
use crate::replay::change::Change;
use std::collections::BTreeMap;

pub(super) fn judge(context: &Context<'_>) -> Verdict {
    let trace = context.trace();
    let collectives = Collectives::matched(context.study, &context.steps);
    let mut last: BTreeMap<&str, Last> = BTreeMap::new();
    let mut known = 0;
    for own in &collectives.rows {
        let Some((op, _)) = own.last else { continue };
        known += 1;
        let device = trace.text(trace.devices().get(trace.device_of(op)).name);
        let row = last.entry(task_of(device).unwrap_or(device)).or_default();
        row.waiting += own.waiting;
        row.count += 1;
        if row.longest.is_none_or(|(most, _)| own.waiting > most) {
            row.longest = Some((own.waiting, op));
        }
    }
    let Some((name, row)) = last.iter().max_by_key(|(_, row)| row.waiting) else {
        return Verdict::Lacks(Needs::Peers);
    };
    let facts = Facts {
        name: (*name).to_owned(),
        count: row.count,
        of: known,
        time: row.waiting,
        ..Facts::default()
    };
    let evidence = row.longest.map(|(_, op)| op).into_iter().collect();
    let change = Change::LikePeers { task: facts.name.clone() };
    context.judge_change(Rule::CollectiveWait, Nanos(0), facts, evidence, change)
}

/// What a task or rank did as the last participant of collectives.
#[derive(Default)]
struct Last {
    /// How long the others waited for it.
    waiting: Nanos,
    /// In how many collectives it was last.
    count: u64,
    /// The longest waiting, and the op that was waited for.
    longest: Option<(Nanos, OpId)>,
}
