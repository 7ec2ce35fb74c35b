//! Collectives that wait for the last rank: which ranks most waiting is for, and what the late ranks did meanwhile.
//!
//! Of each rank every moment counts once, however many collectives it waits in. If no rank came late, the step would be shorter by at most the
//! mean over the ranks of what they wait while they do nothing else: that is measured, and for GPUs no more than what of the exposed
//! communication is waiting. If a replay in which the rank that is waited for longest does as its peers saves more, the finding rests on
//! that, and saves no more than the rank waits that waits longest. What a late rank did between the first arrival and its own is the split of
//! its own GPU there, or of its own ops where there are no GPUs; where these GPUs were mostly idle, their hosts were late, and the rule names what
//! these ran.
//!
//! XProf calls barriers of 10 % of a step a finding (`barrier_cores_rule.h`).

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, LateRank, Needs, Rule, Ruling};
use super::exposed_communication::known_waiting;
use super::late_hosts;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::gpu::accelerators::{has_any, units};
use crate::model::device::task_of;
use crate::replay::change::Change;
use crate::{Category, DeviceId, OpId, Trace};
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
    let mut waited = Windows::new();
    let mut windows = Windows::new();
    let mut known = 0;
    for own in &collectives.rows {
        let Some((op, _)) = own.last else { continue };
        known += 1;
        let participants = &collectives.participants[own.participants.clone()];
        let device = trace.device_of(op);
        let arrived = trace.ops().start(op);
        let name = trace.text(trace.devices().get(device).name);
        let row = last.entry(task_of(name).unwrap_or(name)).or_default();
        for own in participants {
            let ran = trace.ops().interval(own.op);
            let window = Interval::new(ran.start, arrived.min(ran.end));
            if ran.start < window.end {
                waited.entry(own.device).or_default().push(window);
                row.waited.entry(own.device).or_default().push(window);
            }
        }
        let first = participants.iter().map(|own| trace.ops().start(own.op)).min().unwrap_or(arrived);
        windows.entry(device).or_default().push(Interval::new(first, arrived));
        row.count += 1;
        if row.longest.is_none_or(|(most, _)| own.waiting > most) {
            row.longest = Some((own.waiting, op));
        }
    }
    last.values_mut().for_each(|row| row.waiting = sum(&merged(&row.waited)));
    let (waited, windows) = (merged(&waited), merged(&windows));
    let all = sum(&waited);
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
    let ranks = ranks(context);
    let parts = meanwhile(context, &windows);
    let are_idle = parts.first().is_some_and(|&(part, _)| part == FactPart::Idle);
    let mut each: Vec<(DeviceId, Interval)> =
        windows.iter().flat_map(|(&device, own)| own.iter().map(move |&window| (device, window))).collect();
    let since = if are_idle { late_hosts::began_late(context, &mut each) } else { Nanos(0) };
    // A moment after the start says nothing of what kept a rank.
    let left = each.iter().fold(Nanos(0), |sum, own| sum + own.1.length());
    let is_much_left = left.0.saturating_mul(10) >= since.0;
    let facts = Facts {
        name: (*name).to_owned(),
        count: row.count,
        of: known,
        time: all,
        usual: row.waiting,
        late: named().map(|(_, own)| late(own)).collect(),
        ranks: ranks as u64,
        names: if are_idle && is_much_left { late_hosts::names(context, &each) } else { Vec::new() },
        since,
        parts,
        has_gpus: has_any(trace),
        still: context.still(),
        ..Facts::default()
    };
    let evidence: Vec<OpId> = named().filter_map(|(_, (_, row))| Some(row.longest?.1)).collect();
    let exposed = exposed(context, &waited);
    let mean = Nanos(exposed.iter().fold(Nanos(0), |sum, &own| sum + own).0 / (ranks as i64).max(1));
    let (measured, most) = match has_any(trace) {
        true => (mean.min(known_waiting(context)), known_waiting(context)),
        false => (mean, exposed.iter().copied().max().unwrap_or_default()),
    };
    let change = Change::LikePeers { task: facts.name.clone() };
    let ruling = context.judge_change_within(
        Rule::CollectiveWait,
        Nanos(0),
        facts.clone(),
        evidence.clone(),
        change.clone(),
        Some(most),
    );
    match &ruling {
        Ruling::Found(own) if own.saving.is_some_and(|saving| saving >= measured) => ruling,
        _ => context.measured(Rule::CollectiveWait, measured, facts, evidence, Some(change)),
    }
}

/// Times in which a device waited, or was waited for.
type Windows = BTreeMap<DeviceId, Vec<Interval>>;

/// The windows of each device, each moment once: several collectives may be in flight at once.
fn merged(windows: &Windows) -> Windows {
    let each = windows.iter().map(|(&device, own)| {
        let mut own = own.clone();
        order::by_number(&mut own, |window| (window.start.0, window.end.0));
        let mut merged: Vec<Interval> = Vec::new();
        for window in own {
            match merged.last_mut() {
                Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
                _ => merged.push(window),
            }
        }
        (device, merged)
    });
    each.collect()
}

fn sum(windows: &Windows) -> Nanos {
    windows.values().flatten().fold(Nanos(0), |sum, window| sum + window.length())
}

/// For how long each device waited while it did nothing else.
fn exposed(context: &Context<'_>, waited: &Windows) -> Vec<Nanos> {
    let trace = context.trace();
    let units = units(trace);
    let unit_of = unit_of_each(trace, &units);
    let each = waited.iter().map(|(&device, own)| {
        let unit = unit_of[device.index()].map(|row| units[row].as_slice());
        let is_other =
            |op| matches!(trace.category(op), Category::Compute | Category::Copy | Category::Input);
        let other = context.busy(unit.unwrap_or(&[device]), is_other);
        own.iter().fold(Nanos(0), |sum, &window| sum + (window.length() - other.within(window)))
    });
    each.collect()
}

/// For each device which of `units` it is of.
fn unit_of_each(trace: &Trace, units: &[Vec<DeviceId>]) -> Vec<Option<usize>> {
    let mut unit_of = vec![None; trace.devices().len()];
    for (row, unit) in units.iter().enumerate() {
        unit.iter().for_each(|device| unit_of[device.index()] = Some(row));
    }
    unit_of
}

/// How many ranks take part in collectives whose participants are known: accelerators, or else devices. A rank may have lanes of both.
fn ranks(context: &Context<'_>) -> usize {
    let collectives = context.collectives();
    let known = collectives.rows.iter().filter(|own| own.last.is_some());
    let devices: BTreeSet<DeviceId> = known
        .flat_map(|own| &collectives.participants[own.participants.clone()])
        .map(|own| own.device)
        .collect();
    let unit_of = unit_of_each(context.trace(), &units(context.trace()));
    let accelerators: BTreeSet<usize> = devices.iter().filter_map(|own| unit_of[own.index()]).collect();
    if accelerators.is_empty() { devices.len() } else { accelerators.len() }
}

/// What a task or rank did as the last participant of collectives.
#[derive(Default)]
struct Last {
    /// When the others waited for it, and how long that is.
    waited: Windows,
    waiting: Nanos,
    /// In how many collectives it was last.
    count: u64,
    /// The longest waiting, and the op that was waited for.
    longest: Option<(Nanos, OpId)>,
}

/// How the GPUs of late ranks, or their hosts where there are none, spent the time in which others waited for them.
fn meanwhile(context: &Context<'_>, windows: &Windows) -> Vec<(FactPart, Nanos)> {
    let trace = context.trace();
    let (mut computing, mut idle, mut other) = (Nanos(0), Nanos(0), Nanos(0));
    let units = units(trace);
    let unit_of = unit_of_each(trace, &units);
    let mut of_unit: Vec<Vec<Interval>> = vec![Vec::new(); units.len()];
    for (device, own) in windows {
        unit_of[device.index()].into_iter().for_each(|row| of_unit[row].extend(own));
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
