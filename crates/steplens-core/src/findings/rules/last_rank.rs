//! The rank that is ready last in Horovod's negotiations: all others wait until the last one is ready with a tensor. The time is
//! measured: how much later it was than the rank before it, and no more than there were negotiations at all.
//!
//! One rank is a finding if it is last in at least half of the negotiations, or for at least half of the time; otherwise lateness goes
//! around, and no rank is slower than the others.

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::network::ready::ready;
use crate::storage::union::Union;
use crate::{Category, OpId};

/// Less often says nothing: one rank is always the last.
const LEAST: u64 = 3;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(found) = ready(context.study) else { return Ruling::Lacks(Needs::Peers) };
    let trace = context.trace();
    let all = found.ranks.iter().fold(Nanos(0), |sum, own| sum + own.late);
    let Some(worst) = found.ranks.first() else { return Ruling::Nothing };
    if worst.times < LEAST {
        return Ruling::Nothing;
    }
    let is_mostly = |part: i64, whole: i64| part.saturating_mul(2) >= whole;
    if !is_mostly(worst.late.0, all.0) || !is_mostly(worst.times as i64, found.negotiations as i64) {
        return Ruling::Nothing;
    }
    let mut waits: Vec<OpId> = trace.ops().ids().filter(|&op| trace.category(op) == Category::Waiting).collect();
    let mut intervals: Vec<Interval> = waits.iter().map(|&op| trace.ops().interval(op)).collect();
    order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
    let mut union = Union::default();
    intervals.into_iter().for_each(|own| union.push(own));
    // Tensors are negotiated at the same time: what they wait together cannot be saved more than once.
    let time = worst.late.min(union.length());
    waits.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: worst.rank.to_string(),
        count: worst.times,
        of: found.negotiations,
        time: worst.late,
        usual: worst.most,
        ..Facts::default()
    };
    context.measured(Rule::LastRank, time, facts, waits, None)
}
