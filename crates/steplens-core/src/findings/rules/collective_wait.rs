//! Collectives that wait for the last rank: which ranks most waiting is for, and what the late ranks did meanwhile.
//!
//! If all ranks came when they do in the mean, the step would be shorter by the mean over the participants of what they wait: that is
//! measured, and no more than what of the exposed communication is waiting. If a replay in which the rank that is waited for longest
//! does as its peers saves more, the finding rests on that. What a late rank did between the first arrival and its own is the split of
//! its own GPU there; where these GPUs were mostly idle, their hosts were late, and the rule names what these ran.
//!
//! XProf calls barriers of 10 % of a step a finding (`barrier_cores_rule.h`).

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, LateRank, Needs, Rule, Ruling};
use super::exposed_communication::known_waiting;
use super::late_hosts;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{has_any, units};
use crate::model::device::task_of;
use crate::replay::change::Change;
use crate::{Category, DeviceId, OpId};
use std::collections::{BTreeMap, BTreeSet};

/// A rank is named if a part of this many of all waiting, or more, is for it: a fifth.
const NAMED_FROM: i64 = 5;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.compares {
        return Ruling::Lacks(Needs::Clocks);
    }
    let trace = context.trace();
    let collectives = context.collectives();
    let mut last: BTreeMap<&str, Last> = BTreeMap::new();
    let (mut known, mut mean) = (0, Nanos(0));
    let mut windows: Vec<(DeviceId, Interval)> = Vec::new();
    for own in &collectives.rows {
        let Some((op, _)) = own.last else { continue };
        known += 1;
        let participants = &collectives.participants[own.participants.clone()];
        mean += Nanos(own.waiting.0 / (participants.len() as i64).max(1));
        let device = trace.device_of(op);
        let first = participants.iter().map(|own| trace.ops().start(own.op)).min();
        let arrived = trace.ops().start(op);
        let window = first.map(|first| Interval::new(first, arrived));
        windows.extend(window.map(|window| (device, window)));
        let name = trace.text(trace.devices().get(device).name);
        let row = last.entry(task_of(name).unwrap_or(name)).or_default();
        row.waiting += own.waiting;
        row.count += 1;
        if row.longest.is_none_or(|(most, _)| own.waiting > most) {
            row.longest = Some((own.waiting, op));
        }
    }
    let all = last.values().fold(Nanos(0), |sum, own| sum + own.waiting);
    let mut rows: Vec<(&str, Last)> = last.into_iter().collect();
    rows.sort_by_key(|&(name, ref row)| (std::cmp::Reverse(row.waiting), name));
    let Some((name, row)) = rows.first() else {
        let has_any = !collectives.rows.is_empty();
        return Ruling::Lacks(if has_any { Needs::Participants } else { Needs::Peers });
    };
    // The first one is named whatever it has.
    let is_named = |row: &Last| row.waiting.0.saturating_mul(NAMED_FROM) >= all.0;
    let named = || rows.iter().enumerate().filter(|(place, (_, row))| *place == 0 || is_named(row));
    let late = |&(name, ref row): &(&str, Last)| LateRank {
        name: name.to_owned(),
        count: row.count,
        waiting: row.waiting,
    };
    let parts = meanwhile(context, &windows);
    let are_idle = parts.first().is_some_and(|&(part, _)| part == FactPart::Idle);
    let facts = Facts {
        name: (*name).to_owned(),
        count: row.count,
        of: known,
        time: all,
        usual: row.waiting,
        late: named().map(|(_, own)| late(own)).collect(),
        ranks: ranks(context) as u64,
        names: if are_idle { late_hosts::names(context, &windows) } else { Vec::new() },
        parts,
        ..Facts::default()
    };
    let evidence: Vec<OpId> = named().filter_map(|(_, (_, row))| Some(row.longest?.1)).collect();
    let most = has_any(trace).then(|| known_waiting(context));
    let change = Change::LikePeers { task: facts.name.clone() };
    let judged = |facts, evidence: Vec<OpId>| {
        context.judge_change_within(Rule::CollectiveWait, Nanos(0), facts, evidence, change.clone(), most)
    };
    let measured = mean.min(most.unwrap_or(mean));
    let ruling = judged(facts.clone(), evidence.clone());
    match &ruling {
        Ruling::Found(own) if own.saving.is_some_and(|saving| saving >= measured) => ruling,
        _ => context.measured(Rule::CollectiveWait, measured, facts, evidence, Some(change.clone())),
    }
}

/// How many devices take part in collectives whose participants are known.
fn ranks(context: &Context<'_>) -> usize {
    let collectives = context.collectives();
    let known = collectives.rows.iter().filter(|own| own.last.is_some());
    let devices: BTreeSet<DeviceId> = known
        .flat_map(|own| &collectives.participants[own.participants.clone()])
        .map(|own| own.device)
        .collect();
    devices.len()
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

/// How the GPUs of late ranks spent the time in which others waited for them.
fn meanwhile(context: &Context<'_>, windows: &[(DeviceId, Interval)]) -> Vec<(FactPart, Nanos)> {
    let trace = context.trace();
    let (mut computing, mut idle, mut other) = (Nanos(0), Nanos(0), Nanos(0));
    let units = units(trace);
    let mut unit_of = vec![None; trace.devices().len()];
    for (row, unit) in units.iter().enumerate() {
        unit.iter().for_each(|device| unit_of[device.index()] = Some(row));
    }
    let mut of_unit: Vec<Vec<Interval>> = vec![Vec::new(); units.len()];
    for &(device, window) in windows {
        unit_of[device.index()].into_iter().for_each(|row: usize| of_unit[row].push(window));
    }
    for (unit, own) in units.iter().zip(of_unit).filter(|(_, own)| !own.is_empty()) {
        let all = context.busy(unit, |_| true);
        let compute = context.busy(unit, |op| trace.category(op) == Category::Compute);
        for window in own {
            let (busy, computed) = (all.within(window), compute.within(window));
            computing += computed;
            other += busy - computed;
            idle += window.length() - busy;
        }
    }
    let parts = [(FactPart::Computing, computing), (FactPart::Idle, idle), (FactPart::Other, other)];
    let mut parts: Vec<(FactPart, Nanos)> = parts.into_iter().filter(|&(_, time)| time > Nanos(0)).collect();
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    parts
}
