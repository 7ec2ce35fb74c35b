//! Names the collectives that cause exposed communication: the one with more than half of the time and the range around its launch, or many short
//! ones that take longer to start than to send.

use super::super::context::Context;
use super::super::finding::WhichCollectives;
use crate::base::units::{Bytes, Nanos};
use crate::collectives::Collective;
use crate::{OpId, Trace};

/// Of fewer collectives one may have most of the time.
const LEAST: usize = 4;
/// This many collectives in a step are many,
const MANY: usize = 50;
/// and short, if the one in the middle takes no longer on a rank than NCCL takes to start one on a few ranks. Links of GPUs carry a megabyte in little more.
const SHORT: Nanos = Nanos(15_000);
/// From this size on it takes longer to send.
const LARGE: Bytes = Bytes(1 << 20);

/// What an op of a rank took in the mean, without its waiting.
fn each(own: &Collective) -> Nanos {
    Nanos((own.time - own.waiting).0 / own.participants.len().max(1) as i64)
}

/// The one collective with more than half of the time, or the many short ones; nothing if neither is so. Of one whose participants are not all known, the
/// time may be waiting.
pub(super) fn which_collectives(context: &Context<'_>) -> Option<WhichCollectives> {
    let collectives = context.collectives();
    let rows = &collectives.rows;
    if rows.len() < LEAST {
        return None;
    }
    let all = rows.iter().fold(Nanos(0), |sum, own| sum + each(own));
    let longest = rows.iter().max_by_key(|own| (each(own), std::cmp::Reverse(own.participants.start)))?;
    // What moves as much in half of the time shows that its size is not the reason.
    let is_quicker = |own: &&Collective| {
        own.operation == longest.operation
            && own.bytes >= longest.bytes
            && longest.bytes.is_some()
            && each(own).0.saturating_mul(2) < each(longest).0
    };
    let is_large = !rows.iter().any(|own| is_quicker(&own));
    let are_known = rows.iter().all(|own| own.last.is_some() && own.without_files == 0);
    if are_known && is_large && context.compares && each(longest).0.saturating_mul(2) > all.0 {
        let first = collectives.participants.get(longest.participants.start)?.op;
        let within = range_around(context.trace(), first).map(|op| context.trace().op_name(op).to_owned());
        return Some(WhichCollectives::One { time: each(longest), within, bytes: longest.bytes });
    }
    let mut times: Vec<Nanos> = rows.iter().map(each).collect();
    times.sort_unstable();
    let median = *times.get((times.len() - 1) / 2)?;
    let steps = rows.iter().map(|own| own.step).collect::<std::collections::BTreeSet<_>>().len().max(1);
    let are_short =
        median <= SHORT && rows.iter().filter(|own| own.bytes >= Some(LARGE)).count() * 2 < rows.len();
    let count = rows.len() / steps;
    (are_short && count >= MANY).then_some(WhichCollectives::Many { count: count as u64, median })
}

/// The shortest range that the program marks around the call that launched `op`, on its thread.
fn range_around(trace: &Trace, op: OpId) -> Option<OpId> {
    let (call, ops) = (trace.call_of(op)?, trace.ops());
    let is_own = |name: &str| !name.starts_with("ProfilerStep") && !name.starts_with("nccl:");
    let holds = |own: &OpId| {
        trace.nodes().is_range(ops.node(*own))
            && ops.thread(*own) == ops.thread(call)
            && ops.start(*own) <= ops.start(call)
            && ops.end(*own) >= ops.end(call)
            && is_own(trace.op_name(*own))
    };
    trace.ops_of(trace.device_of(call)).filter(holds).min_by_key(|&own| ops.interval(own).length())
}
