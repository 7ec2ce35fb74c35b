//! The rank that is ready last in Horovod's negotiations: all others wait until the last one is ready with a tensor. The time is
//! measured: while others waited for it alone, and no more than the time in which nothing but negotiations ran.
//!
//! One rank is a finding if it is last in at least half of the negotiations, or for at least half of the time; otherwise lateness goes
//! around, and no rank is slower than the others.

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Nanos;
use crate::network::ready::ready;
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
    let mut waits: Vec<OpId> =
        trace.ops().ids().filter(|&op| trace.category(op) == Category::Waiting).collect();
    // Tensors are negotiated at the same time, and while others are reduced: what they wait together, and what is hidden, cannot be saved.
    let time = worst.together.min(context.study.step_split(trace.span()).exposed_waiting);
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
