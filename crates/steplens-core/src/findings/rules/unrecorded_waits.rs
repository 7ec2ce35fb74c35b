//! Waits for a GPU that was not recorded: a host that reads a value of it, or whose queue of work is full, waits within an operator. Such operators are
//! those that read values, and one that takes a hundred times as long as others of its type.

use super::super::context::{Context, by_path};
use super::super::finding::{Facts, Rule, Ruling};
use super::super::host_op::computes_nothing;
use super::first_step::first_step;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::gpu::unrecorded::is_gpu_unrecorded;
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
/// Waits are found from this part of the path on, as its divisor.
const LEAST_OF_PATH: i64 = 10;

/// The operators on the path that most likely wait for a GPU that was not recorded, with their time there, the longest first.
pub(super) fn waits(context: &Context<'_>) -> Vec<(OpId, Nanos)> {
    let (trace, study) = (context.trace(), context.study);
    if !is_gpu_unrecorded(trace) || !context.compares {
        return Vec::new();
    }
    let first: HashSet<OpId, FixedState> = first_step(context).ops.iter().copied().collect();
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

/// The finding of [`synchronising`](super::synchronising) where no GPU was recorded.
pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let waits = waits(context);
    let time = waits.iter().fold(Nanos(0), |sum, &(_, time)| sum + time);
    let Some(&(longest, most)) = waits.first() else { return context.lacks_host() };
    if time.0.saturating_mul(LEAST_OF_PATH) < context.trace().span().length().0 {
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
