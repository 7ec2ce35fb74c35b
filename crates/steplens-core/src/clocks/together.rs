//! Collectives between ranks: none can end on one rank before it starts on another, because every rank needs what every other gives. So
//! their starts and ends bound the clocks of ranks, as tensors do:
//!
//! ```text
//! end on b - o[b] >= start on a - o[a]
//! ```
//!
//! Where that shows that clocks differ, their ends say by how much: the ranks of a collective end with it at nearly one time.

use super::arrows::{Arrow, BoundOf};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::model::collective::CollectiveSaid;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

/// Of more ranks than this only the last start and the first end are compared with those of all others.
const MOST_PAIRED: usize = 8;
/// A kernel's times are rounded to microseconds in many files: an end that is early by less says nothing.
const ROUNDING: Nanos = Nanos(1_000);
/// Operations in which every rank needs what every other gives, by the beginning of their names without underscores.
const OF_ALL: [&str; 5] = ["allreduce", "allgather", "reducescatter", "alltoall", "barrier"];

/// The name, the device and the task of an op in a collective.
#[derive(Clone, Copy)]
struct Met {
    key: i64,
    device: DeviceId,
    task: u32,
    op: OpId,
}

/// The bounds from collectives as arrows: from the start on one rank to the end on another. `task_of` is the row of a device's task.
pub(super) fn arrows(trace: &Trace, task_of: &dyn Fn(DeviceId) -> Option<u32>) -> Vec<Arrow> {
    let met = met(trace, task_of);
    let (mut arrows, mut ends): (Vec<Arrow>, HashMap<(u32, u32), Arrow, FixedState>) = Default::default();
    let interval = |own: &Met| trace.ops().interval(own.op);
    for own in met.chunk_by(|a, b| a.key == b.key) {
        let devices: Vec<&[Met]> = own.chunk_by(|a, b| a.device == b.device).collect();
        let each = devices[0].len();
        if devices.len() < 2 || devices.iter().any(|own| own.len() != each) {
            continue;
        }
        for place in 0..each {
            let together: Vec<Met> = devices.iter().map(|own| own[place]).collect();
            for (from, to) in pairs(&together, &interval) {
                arrows.extend(arrow(BoundOf::Collective, from, to, interval(from).start, interval(to)));
                let end = arrow(BoundOf::Ends, from, to, interval(from).end, interval(to));
                let Some(end) = end else { continue };
                let widest = ends.entry((from.task, to.task)).or_insert(end);
                if end.slack() > widest.slack() {
                    *widest = end;
                }
            }
        }
    }
    if arrows.iter().any(|arrow| arrow.slack() < -ROUNDING.0) {
        let mut ends: Vec<Arrow> = ends.into_values().collect();
        order::by_number(&mut ends, |arrow| (arrow.way(), 0));
        arrows.extend(ends);
    }
    arrows
}

/// Whether a collective ends on one rank before it starts on another.
pub(super) fn is_any_early(trace: &Trace, task_of: &dyn Fn(DeviceId) -> Option<u32>) -> bool {
    arrows(trace, task_of).iter().any(|arrow| arrow.slack() < -ROUNDING.0)
}

fn arrow(of: BoundOf, from: &Met, to: &Met, made: Timestamp, received: Interval) -> Option<Arrow> {
    (from.task != to.task).then_some(Arrow {
        source: from.task,
        destination: to.task,
        op: to.op,
        made,
        sent: received.end,
        received: received.end,
        of,
    })
}

/// Which two of the ranks of a collective are compared.
fn pairs<'a>(all: &'a [Met], interval: &dyn Fn(&Met) -> Interval) -> Vec<(&'a Met, &'a Met)> {
    if all.len() <= MOST_PAIRED {
        return all.iter().flat_map(|from| all.iter().map(move |to| (from, to))).collect();
    }
    let last = all.iter().max_by_key(|own| interval(own).start);
    let first = all.iter().min_by_key(|own| interval(own).end);
    let from_last = last.into_iter().flat_map(|last| all.iter().map(move |to| (last, to)));
    let to_first = first.into_iter().flat_map(|first| all.iter().map(move |from| (from, first)));
    from_last.chain(to_first).collect()
}

/// The ops of collectives on accelerators, by what they are called, device and start.
fn met(trace: &Trace, task_of: &dyn Fn(DeviceId) -> Option<u32>) -> Vec<Met> {
    let mut found: Vec<Met> = Vec::new();
    for device in trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator) {
        let Some(task) = task_of(device) else { continue };
        let communicates = |op: &OpId| trace.category(*op) == Category::Communication;
        for op in trace.ops_of(device).filter(communicates) {
            if let Some(key) = key(trace, op) {
                found.push(Met { key, device, task, op });
            }
        }
    }
    order::by_number(&mut found, |own| (own.key, i64::from(own.op.get())));
    found
}

/// What `op` is called in its step: its process group, or its name where no group is said. `None` if not every rank needs every other.
fn key(trace: &Trace, op: OpId) -> Option<i64> {
    let said = CollectiveSaid::of(trace, op);
    let name = trace.op_name(op);
    let is_of_all = |text: &str| OF_ALL.iter().any(|own| text.starts_with(own));
    let operation = said.as_ref().map_or("", |said| said.operation);
    let is_known = match operation {
        "" => without_underscores(name)
            .split_once("ccl")
            .is_some_and(|(_, rest)| OF_ALL.iter().any(|own| rest.contains(own))),
        operation => is_of_all(&without_underscores(operation)),
    };
    if !is_known {
        return None;
    }
    let part = trace.parts().get(trace.ops().part(op).index());
    let mut hasher = FixedState::default().build_hasher();
    part.and_then(|part| part.step).hash(&mut hasher);
    match said.filter(|said| !said.group.is_empty() || !said.ranks.is_empty()) {
        Some(said) => (said.group, said.ranks, without_underscores(operation)).hash(&mut hasher),
        None => name.hash(&mut hasher),
    }
    Some(hasher.finish() as i64)
}

/// `_allgather_base` and `all_gather` alike: `allgatherbase`, `allgather`.
fn without_underscores(text: &str) -> String {
    text.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}
