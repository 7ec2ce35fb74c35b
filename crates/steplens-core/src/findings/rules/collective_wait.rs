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
use crate::{DeviceId, OpId};
use std::collections::BTreeMap;

/// What late ranks did is looked at in so many of the longest waits: each is a window of a device.
const MOST_WINDOWS: usize = 1_000;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.compares {
        return Ruling::Lacks(Needs::Clocks);
    }
    let trace = context.trace();
    let collectives = context.collectives();
    let mut last: BTreeMap<&str, Last> = BTreeMap::new();
    let (mut known, mut mean) = (0, Nanos(0));
    let mut windows: Vec<(Nanos, DeviceId, Interval)> = Vec::new();
    for own in &collectives.rows {
        let Some((op, _)) = own.last else { continue };
        known += 1;
        let participants = &collectives.participants[own.participants.clone()];
        mean += Nanos(own.waiting.0 / (participants.len() as i64).max(1));
        let device = trace.device_of(op);
        let first = participants.iter().map(|own| trace.ops().start(own.op)).min();
        let arrived = trace.ops().start(op);
        let window = first.map(|first| Interval::new(first, arrived));
        windows.extend(window.map(|window| (own.waiting, device, window)));
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
        parts: meanwhile(context, windows),
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
fn meanwhile(context: &Context<'_>, mut windows: Vec<(Nanos, DeviceId, Interval)>) -> Vec<(FactPart, Nanos)> {
    windows.sort_by_key(|&(waiting, device, _)| (std::cmp::Reverse(waiting), device));
    let units = units(context.trace());
    let mut unit_of = vec![None; context.trace().devices().len()];
    for (row, unit) in units.iter().enumerate() {
        unit.iter().for_each(|device| unit_of[device.index()] = Some(row));
    }
    let (mut computing, mut idle, mut other) = (Nanos(0), Nanos(0), Nanos(0));
    for (_, device, window) in windows.into_iter().take(MOST_WINDOWS) {
        let Some(coverage) = unit_of[device.index()].and_then(|row| context.study.bar().get(row)) else { continue };
        let split = coverage.split(window);
        computing += split.compute;
        idle += split.idle;
        other += split.window - split.compute - split.idle;
    }
    let parts = [(FactPart::Computing, computing), (FactPart::Idle, idle), (FactPart::Other, other)];
    let mut parts: Vec<(FactPart, Nanos)> = parts.into_iter().filter(|&(_, time)| time > Nanos(0)).collect();
    parts.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    parts
}
