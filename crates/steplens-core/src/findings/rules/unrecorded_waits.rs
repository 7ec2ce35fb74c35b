//! Waits for a GPU that was not recorded: a host that reads a value of it, or whose queue of work is full, waits within an operator. Such operators are
//! those that read values, and one that takes a hundred times as long as others of its type. An operator and the one within it wait once.

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Rule, Ruling};
use super::super::host_op::computes_nothing;
use super::super::only_first::Shown;
use super::first_step::first_step;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::unrecorded::is_gpu_unrecorded;
use crate::storage::busy::Busy;
use crate::{OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Operators of PyTorch whose result the host needs before it goes on (`native_functions.yaml`: their sizes or values depend on data).
const READS: [&str; 4] = ["aten::_local_scalar_dense", "aten::item", "aten::nonzero", "aten::masked_select"];
/// An operator most likely waits if it takes this many times the median of its type.
const TIMES: i64 = 100;
/// A median counts if at least this many other operators have the type.
const LEAST_PEERS: usize = 7;
/// A shorter operator does not count.
const LEAST_LONG: Nanos = Nanos(1_000_000);
/// A shorter read finds its value ready, or in the memory of the host.
const LEAST_READ: Nanos = Nanos(100_000);
/// Waits are found from this part of the path on, as its divisor.
const LEAST_OF_PATH: i64 = 10;

/// The operators on the path that most likely wait for a GPU that was not recorded, with their time there, the longest first.
pub(super) fn waits(shown: &Shown<'_>) -> Vec<(OpId, Nanos)> {
    let (trace, study) = (shown.trace(), shown.study);
    if !is_gpu_unrecorded(trace) || study.clock_doubt().is_some() {
        return Vec::new();
    }
    let first: HashSet<OpId, FixedState> = first_step(shown).ops.iter().copied().collect();
    let mut on_path: BTreeMap<OpId, Nanos> = BTreeMap::new();
    for own in study.causes().observed.segments.iter().filter(|own| own.kind == SegmentKind::Compute) {
        if !trace.is_call(own.op) && !first.contains(&own.op) {
            *on_path.entry(own.op).or_default() += own.interval.length();
        }
    }
    let medians = medians(trace, |op| study.self_time(op));
    let is_long = |op: OpId| {
        let own = study.self_time(op);
        let median = medians.get(trace.op_type(op));
        own >= LEAST_LONG
            && !computes_nothing(trace, op)
            && median.is_some_and(|median| own.0 >= median.0.saturating_mul(TIMES))
    };
    let mut found: Vec<(OpId, Nanos)> =
        on_path.into_iter().filter(|&(op, _)| READS.contains(&trace.op_type(op)) || is_long(op)).collect();
    found.sort_by_key(|&(op, time)| (Reverse(time), op));
    found
}

/// The median time of the operators of each type that has enough of them.
fn medians(trace: &Trace, time: impl Fn(OpId) -> Nanos) -> BTreeMap<&str, Nanos> {
    let mut all: BTreeMap<&str, Vec<Nanos>> = BTreeMap::new();
    for op in trace.ops().ids().take(trace.counted_ops()).filter(|&op| !trace.is_call(op)) {
        all.entry(trace.op_type(op)).or_default().push(time(op));
    }
    all.retain(|_, times| times.len() > LEAST_PEERS);
    let median = |mut times: Vec<Nanos>| {
        times.sort_unstable();
        times[(times.len() - 1) / 2]
    };
    all.into_iter().map(|(name, times)| (name, median(times))).collect()
}

/// The same, without reads that are too short for a wait, and each with what lies within it, the longest first.
fn counted_once(shown: &Shown<'_>) -> Vec<(OpId, Nanos)> {
    let (trace, ops) = (shown.trace(), shown.trace().ops());
    let mut found = waits(shown);
    found.retain(|&(op, _)| ops.interval(op).length() >= LEAST_READ);
    let row = |op: OpId| (trace.device_of(op), ops.thread(op));
    found.sort_by_key(|&(op, _)| (row(op), ops.start(op), Reverse(ops.end(op)), op));
    // Each is the one that waits longest by itself, until the outermost ends.
    let mut waits: Vec<(OpId, Nanos)> = Vec::new();
    let (mut outermost, mut longest) = (None, Nanos(0));
    for (op, time) in found {
        let within = outermost.filter(|&outer| row(outer) == row(op) && ops.end(op) <= ops.end(outer));
        match (within, waits.last_mut()) {
            (Some(_), Some(last)) => {
                last.1 += time;
                if time > longest {
                    (last.0, longest) = (op, time);
                }
            }
            _ => {
                waits.push((op, time));
                (outermost, longest) = (Some(op), time);
            }
        }
    }
    waits.sort_by_key(|&(op, time)| (Reverse(time), op));
    waits
}

/// How long the host most likely waits for a GPU that was not recorded, within the intervals of `busy` or, without these, at all; nothing where
/// that is too little for a finding.
pub(in super::super) fn waited(shown: &Shown<'_>, busy: Option<&Busy>) -> Nanos {
    let (waits, ops) = (counted_once(shown), shown.trace().ops());
    let sum = |sum: Nanos, &(_, time): &(OpId, Nanos)| sum + time;
    if !is_much(shown, waits.iter().fold(Nanos(0), sum)) {
        return Nanos(0);
    }
    let is_within = |op: OpId| busy.is_none_or(|busy| busy.within(ops.interval(op)) > Nanos(0));
    waits.iter().filter(|own| is_within(own.0)).fold(Nanos(0), sum)
}

fn is_much(shown: &Shown<'_>, time: Nanos) -> bool {
    time.0.saturating_mul(LEAST_OF_PATH) >= shown.trace().span().length().0
}

/// The finding of [`synchronising`](super::synchronising) where no GPU was recorded.
pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let waits = counted_once(context);
    let time = waits.iter().fold(Nanos(0), |sum, &(_, time)| sum + time);
    let Some(&(longest, most)) = waits.first() else { return context.lacks_host() };
    if !is_much(context, time) {
        return Ruling::Nothing;
    }
    let facts = Facts {
        name: context.trace().op_type(longest).to_owned(),
        count: waits.len() as u64,
        of: UNRECORDED,
        usual: most,
        time,
        ..Facts::default()
    };
    by_path(Rule::Synchronising, time, facts, waits.into_iter().map(|(op, _)| op).collect())
}

/// Of findings about a GPU that was not recorded.
const UNRECORDED: u64 = 2;
