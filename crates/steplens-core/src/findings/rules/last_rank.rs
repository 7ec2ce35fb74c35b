//! The rank that is ready last in Horovod's negotiations: all others wait until the last one is ready with a tensor. The time is
//! measured: while others waited for it alone, and no more than the time in which nothing but negotiations ran.
//!
//! One rank is a finding if it is last in at least half of the negotiations, and for at least half of the time; otherwise lateness goes
//! around, and no rank is slower than the others.
//!
//! While a program starts, tensors are only broadcast. Who is late then, is so once, and is judged by itself.

use super::super::context::Context;
use super::super::finding::{Facts, Needs, Rule, Ruling};
use super::super::framework::starts_until;
use crate::base::units::{Interval, Nanos};
use crate::network::ready::{ready, ready_within};
use crate::{Category, OpId};

/// Less often says nothing: one rank is always the last.
const LEAST: u64 = 3;

/// What costs more: the rank that is late as programs start, or the one that is late from then on.
pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let span = context.trace().span();
    if ready(context.study).is_none() {
        return Ruling::Lacks(Needs::Peers);
    }
    let Some(until) = starts_until(context.trace()) else { return within(context, span, false) };
    let saving = |own: &Ruling| match own {
        Ruling::Found(own) => own.saving,
        Ruling::Nothing | Ruling::Lacks(_) => None,
    };
    let starting = within(context, Interval::new(span.start, until), true);
    let later = within(context, Interval::new(until, span.end), false);
    if saving(&starting) > saving(&later) { starting } else { later }
}

fn within(context: &Context<'_>, window: Interval, starts: bool) -> Ruling {
    let Some(found) = ready_within(context.study, window) else { return Ruling::Nothing };
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
    let is_it = |op: OpId| {
        let start = trace.ops().start(op);
        trace.category(op) == Category::Waiting && window.start <= start && start < window.end
    };
    let mut waits: Vec<OpId> = trace.ops().ids().filter(|&op| is_it(op)).collect();
    // Tensors are negotiated at the same time, and while others are reduced: what they wait together, and what is hidden, cannot be saved.
    let time = worst.together.min(context.study.step_split(window).exposed_waiting);
    waits.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: worst.rank.to_string(),
        count: worst.times,
        of: found.negotiations,
        time: worst.late,
        usual: worst.most,
        since: worst.together,
        is_cold: starts,
        ..Facts::default()
    };
    context.measured(Rule::LastRank, time, facts, waits, None)
}
