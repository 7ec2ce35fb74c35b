//! Whether a task ends late because its ops wait for threads that other tasks use, too: servers of one machine or of one process. Such a
//! task does no more work than its peers, so that a replay in which it does as they do gains nothing: another one would end as late.
//!
//! It is so where three things were recorded or inferred: executors of several tasks share threads (`causality/pools.rs`); on the path to
//! the task's end ops that were ready waited for half of the time or more; and half of the observed path is ops that kept others of it
//! waiting for a thread.

use super::super::context::Context;
use super::super::finding::SharedThreads;
use crate::base::units::Nanos;
use crate::causality::sums::{Bound, bounds};
use crate::network::chain::ChainTimes;
use crate::scheduling::at_work::AtWork;
use std::collections::BTreeSet;

/// The threads that tasks share, and how long the observed path waited for them; `None` if that is not why a task with this chain to its
/// end is late.
pub(super) fn shared(context: &Context<'_>, times: &ChainTimes) -> Option<(SharedThreads, Nanos)> {
    let trace = context.trace();
    let is_half = |part: Nanos, whole: Nanos| whole > Nanos(0) && part.0.saturating_mul(2) >= whole.0;
    let path = times.before + times.running + times.waiting + times.queued + times.wire;
    let causes = context.study.causes();
    let (_, held) = bounds(trace, causes).into_iter().find(|&(bound, _)| bound == Bound::Threads)?;
    if !is_half(times.waiting, path) || !is_half(held, causes.observed.length()) {
        return None;
    }
    let tasks = |own: &AtWork| {
        let all = own.devices.iter().filter_map(|&device| trace.devices().get(device).task);
        all.collect::<BTreeSet<_>>().len() as u64
    };
    // The pools that several devices share come first.
    let pools = causes.graph.threads.pools.sharing().count();
    let at_work = &context.study.scheduling().at_work;
    let own = at_work.iter().take(pools).max_by_key(|own| tasks(own)).filter(|own| tasks(own) > 1)?;
    let most = own.most();
    let threads = SharedThreads {
        waited: times.waiting,
        path,
        tasks: tasks(own),
        most: u64::from(most),
        full: own.starved(most),
    };
    Some((threads, held))
}
