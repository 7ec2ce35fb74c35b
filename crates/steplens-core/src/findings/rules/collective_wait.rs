//! Collectives that wait for the last rank: which rank most waiting is for, and what the late ranks did meanwhile.
//!
//! If all ranks came at once, each would wait as long as it now waits less than the last one: the mean over the participants of what
//! they wait is the most that can be saved, and no more than the communication that nothing hides. What a late rank did between the
//! first arrival and its own is the split of its own GPU there.
//!
//! XProf calls barriers of 10 % of a step a finding (`barrier_cores_rule.h`).

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, Needs, Rule, Ruling};
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{accelerators, units};
use crate::model::device::task_of;
use crate::replay::change::Change;
use crate::{Category, DeviceId, OpId};
use std::collections::BTreeMap;

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
    let Some((name, row)) = last.iter().max_by_key(|(_, row)| row.waiting) else {
        return Ruling::Lacks(Needs::Peers);
    };
    let all = last.values().fold(Nanos(0), |sum, own| sum + own.waiting);
    let facts = Facts {
        name: (*name).to_owned(),
        count: row.count,
        of: known,
        time: all,
        usual: row.waiting,
        parts: meanwhile(context, &windows),
        ..Facts::default()
    };
    let evidence = row.longest.map(|(_, op)| op).into_iter().collect();
    let exposed = match accelerators(trace).is_empty() {
        true => mean,
        false => context.study.step_split(trace.span()).exposed_communication,
    };
    let change = Change::LikePeers { task: facts.name.clone() };
    context.measured(Rule::CollectiveWait, mean.min(exposed), facts, evidence, Some(change))
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
