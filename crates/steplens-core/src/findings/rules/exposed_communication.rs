//! Communication of ranks that no compute hides, from the split: the mean over the accelerators, or over the devices of a program
//! without any, as the step bar has it. It says which
//! collective and group has most of it, how many bytes it moves, and how much is waiting.
//!
//! Where the participants of collectives are known, what they wait for the last one is not counted here: `collective-wait` has it.
//! Of one rank alone nobody knows when the others came. Data is on its way for at most as long as in the quickest collective of the same operation,
//! group and size: what the others take longer is waiting, or a network that was busy. That is the least; the quickest may have waited, too.
//!
//! XProf calls communication of 3 % of a step moderate, of 15 % high.

use super::super::context::Context;
use super::super::finding::{FactPart, Facts, Needs, Rule, Ruling};
use super::super::framework::{Framework, only_broadcasts};
use super::first_step::first_step;
use super::last_rank;
use crate::base::units::{Bytes, Nanos};
use crate::collectives::Collective;
use crate::gpu::accelerators::{accelerators, has_any};
use crate::replay::change::Change;
use crate::{Category, DeviceId, OpId};
use std::collections::BTreeMap;

/// Of fewer collectives of one kind and size the quickest says nothing.
const LEAST_ALIKE: usize = 3;

/// Timelines whose rows are tensors have nothing but communication: how long any tensor was reduced, and how long tensors did nothing but wait
/// besides, without what only a first step does.
fn of_tensors(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    // What is sent once, as a program begins, is no habit of its steps.
    if only_broadcasts(trace).is_some() {
        return Ruling::Nothing;
    }
    let split = context.study.step_split(trace.span());
    // What others wait for the last rank is a finding of its own, and comes before.
    let late = match last_rank::judge(context) {
        Ruling::Found(own) => own.saving.unwrap_or_default(),
        Ruling::Nothing | Ruling::Lacks(_) => Nanos(0),
    };
    let waiting = Nanos((split.exposed_waiting - first_step(context).time - late).0.max(0));
    let time = split.exposed_communication;
    let negotiates = |op: OpId| trace.op_type(op).starts_with("NEGOTIATE_");
    let facts = Facts {
        time,
        usual: waiting,
        ranks: 1,
        count: u64::from(trace.ops().ids().any(negotiates)),
        ..Facts::default()
    };
    let mut evidence: Vec<OpId> =
        trace.ops().ids().filter(|&op| trace.category(op) == Category::Communication).collect();
    evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    context.measured(Rule::ExposedCommunication, time + waiting, facts, evidence, None)
}

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let (trace, study) = (context.trace(), context.study);
    if Framework::of_trace(trace) == Framework::Horovod && !context.has(Category::Compute) {
        return of_tensors(context);
    }
    // Tensors between executors have a rule of their own.
    let has_ranks = has_any(trace) || Framework::of_trace(trace) == Framework::PyTorch;
    if !has_ranks || !context.has(Category::Communication) {
        return Ruling::Lacks(Needs::Transfers);
    }
    // An executor reduces between the GPUs of its process: alone, a GPU copies.
    let is_of_process = |op: OpId| trace.op_type(op).starts_with("Nccl");
    let communicates = |&op: &OpId| trace.category(op) == Category::Communication;
    if accelerators(trace).len() == 1 && trace.ops().ids().filter(communicates).all(is_of_process) {
        return Ruling::Nothing;
    }
    let exposed = study.step_split(trace.span()).exposed_communication;
    let collectives = context.collectives();
    let all = collectives.rows.iter().fold(Nanos(0), |sum, own| sum + own.time);
    let known = context.compares && collectives.rows.iter().any(|own| own.last.is_some());
    let waiting = match known {
        true => collectives.rows.iter().fold(Nanos(0), |sum, own| sum + own.waiting),
        false => waiting_by_the_quickest(context),
    };
    let of_exposed = part_of(exposed, waiting, all);
    let saving = if known { exposed - of_exposed } else { exposed };
    let parts = match (all, waiting) {
        (Nanos(0), _) | (_, Nanos(0)) => Vec::new(),
        // The quickest of all may have waited, too.
        _ if !known => vec![(FactPart::Waiting, of_exposed)],
        _ => vec![(FactPart::Transfer, exposed - of_exposed), (FactPart::Waiting, of_exposed)],
    };
    let (largest, evidence) = largest(context);
    let bytes = collectives.rows.iter().filter_map(|own| own.bytes);
    let groups = &collectives.groups;
    let operation = largest.and_then(|own| Some(groups.operations.get(own.operation? as usize)?.clone()));
    let group = largest.and_then(|own| groups.groups.get(own.group? as usize));
    let group = group.map(|own| match own.description.is_empty() {
        true => own.name.clone(),
        false => own.description.clone(),
    });
    let by_name = || evidence.first().map(|&op| trace.op_name(op).to_owned());
    let facts = Facts {
        name: operation.or_else(by_name).unwrap_or_default(),
        other: group.unwrap_or_default(),
        count: collectives.rows.len() as u64,
        of: u64::from(known),
        time: exposed,
        bytes: bytes.fold(Bytes(0), |sum, own| Bytes(sum.0.saturating_add(own.0))),
        parts,
        ..Facts::default()
    };
    let change = Change::Category { category: Category::Communication, factor: 0.0 };
    context.measured(Rule::ExposedCommunication, saving, facts, evidence, Some(change).filter(|_| !known))
}

/// How much of the exposed communication is waiting for the last participant, where all are known.
pub(super) fn known_waiting(context: &Context<'_>) -> Nanos {
    let rows = &context.collectives().rows;
    let sum = |of: fn(&Collective) -> Nanos| rows.iter().map(of).fold(Nanos(0), |sum, own| sum + own);
    let exposed = context.study.step_split(context.trace().span()).exposed_communication;
    part_of(exposed, sum(|own| own.waiting), sum(|own| own.time))
}

/// `part / whole` of `time`.
fn part_of(time: Nanos, part: Nanos, whole: Nanos) -> Nanos {
    match whole.0 {
        ..=0 => Nanos(0),
        whole => Nanos((i128::from(time.0) * i128::from(part.0.clamp(0, whole)) / i128::from(whole)) as i64),
    }
}

/// How much longer the collectives of one rank took than the quickest of the same operation, group and size.
fn waiting_by_the_quickest(context: &Context<'_>) -> Nanos {
    let mut alike: BTreeMap<(Option<u32>, Option<u32>, Bytes), Vec<Nanos>> = BTreeMap::new();
    for own in &context.collectives().rows {
        // Without a size, large ones cannot be told from small ones.
        let Some(bytes) = own.bytes.filter(|&bytes| bytes > Bytes(0)) else { continue };
        alike.entry((own.group, own.operation, bytes)).or_default().push(own.time);
    }
    let judged = alike.values().filter(|own| own.len() >= LEAST_ALIKE);
    judged.fold(Nanos(0), |sum, own| {
        let quickest = own.iter().copied().min().unwrap_or_default();
        own.iter().fold(sum, |sum, &time| sum + (time - quickest))
    })
}

/// The collective that took longest, and the ops of the longest ones.
fn largest<'a>(context: &'a Context<'_>) -> (Option<&'a Collective>, Vec<OpId>) {
    let collectives = context.collectives();
    let mut rows: Vec<&Collective> = collectives.rows.iter().collect();
    rows.sort_by_key(|own| (std::cmp::Reverse(own.time), own.participants.start));
    let evidence =
        rows.iter().filter_map(|own| Some(collectives.participants.get(own.participants.start)?.op));
    let mut evidence: Vec<OpId> = evidence.take(super::super::finding::MOST_EVIDENCE).collect();
    if evidence.is_empty() {
        let trace = context.trace();
        let is_communication = |&op: &OpId| trace.category(op) == Category::Communication;
        let devices: Vec<DeviceId> = match accelerators(trace) {
            none if none.is_empty() => trace.devices().ids().collect(),
            found => found.into_iter().flat_map(|one| one.devices).collect(),
        };
        evidence =
            devices.into_iter().flat_map(|device| trace.ops_of(device)).filter(is_communication).collect();
        evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    }
    let first = rows.first().copied();
    if !has_any(context.trace()) && first.is_none_or(|own| own.operation.is_none()) {
        // Of ops that run at the same time, the one for which the step waits.
        let is_communication = |_, op| context.trace().category(op) == Category::Communication;
        let waited = context.longest_on_path(is_communication);
        evidence.retain(|op| !waited.contains(op));
        evidence.splice(..0, waited);
        evidence.truncate(super::super::finding::MOST_EVIDENCE);
    }
    (first, evidence)
}
