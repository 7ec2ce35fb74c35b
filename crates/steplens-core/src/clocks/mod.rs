//! Clocks: how far the clocks of tasks are apart, computed from the tensors that went between them.
//!
//! No tensor is received before it was made. The producer's end stands on the sender's clock and the receipt on the
//! receiver's, so that with `o` what each clock is ahead by
//!
//! ```text
//! receipt - o[receiver] >= end - o[sender],   or   o[receiver] - o[sender] <= receipt - end
//! ```
//!
//! As in NTP, the fastest tensors of both directions bound the difference of two clocks from both sides ([`bounds`]); over the
//! graph of all tasks the bounds add up along the shortest paths ([`paths`]). Broken timestamps make bounds that no clock can
//! keep: those are left out that contradict the most others ([`bounds`] for two tasks, [`witness`] around circles of tasks).
//! What clocks are set by is the least correction that the rest demands, and none where it demands none ([`estimate`]).
//! Where a trace is long enough, a clock may be seen to be fast or slow ([`drift`]).

mod arrows;
mod bounds;
mod cycles;
mod doubt;
mod drift;
mod estimate;
pub mod files;
mod flow;
mod hosts;
mod paths;
mod setting;
mod witness;
mod work;

use crate::base::ids::StringId;
use crate::base::order;
use crate::base::units::{Nanos, Timestamp};
use crate::transfers::Transfers;
use crate::{OpId, Trace};
use arrows::Arrow;
use paths::Followed;

pub(crate) use arrows::ends;
pub(crate) use doubt::clocks_in_question;
pub use doubt::{Doubt, Why};
pub use drift::{Drift, NoDrift};
pub use estimate::Search;
pub use setting::{ClockChoice, ClockSetting};

/// By how much a clock is ahead of the reference, as time goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// In the middle of the trace.
    pub at_middle: Nanos,
    /// How many billionths faster it goes.
    pub drift_ppb: i64,
}

impl Ahead {
    /// By how much at a time `after_middle` of the trace.
    pub fn at(self, after_middle: Nanos) -> Nanos {
        // Without a drift, which is nearly always, nothing depends on a float.
        let drifted = match self.drift_ppb {
            0 => 0,
            ppb => (after_middle.0 as f64 * ppb as f64 / 1e9) as i64,
        };
        self.at_middle + Nanos(drifted)
    }
}

/// The clock of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskClock {
    /// The task.
    pub task: StringId,
    /// What is subtracted from its timestamps where the clocks are set right: its part of the least correction that the tensors
    /// demand.
    pub applied: Ahead,
    /// It is ahead of the reference by this much at least.
    pub low: Option<Nanos>,
    /// It is ahead of the reference by this much at most.
    pub high: Option<Nanos>,
    /// How much faster than the reference it goes, or why that cannot be computed.
    pub drift: Result<Drift, NoDrift>,
    /// Whether anything went between it and the reference, over whatever tasks and in whatever direction.
    pub is_connected: bool,
    /// How many transfers of known producers it sent to, or received from, other tasks.
    pub transfers: u64,
}

/// What went from one task to another, and how much of it was received before it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violations {
    /// The task that sent, a row of [`Clocks::tasks`].
    pub source: u32,
    /// The task that received.
    pub destination: u32,
    /// How many tensors of known producers.
    pub transfers: u64,
    /// How many of them were received before they were made.
    pub count: u64,
    /// By how much at most.
    pub most: Nanos,
}

/// The clocks of all tasks, in the order of the devices.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    /// Whose clock the others are compared with: that of the task with the most transfers, or of those that are joined to it and
    /// not moved.
    pub reference: Option<StringId>,
    /// The tasks that have ops.
    pub tasks: Vec<TaskClock>,
    /// Whether the least correction was found.
    pub search: Search,
    /// In order of source and destination.
    arrows: Vec<Arrow>,
    /// Those that contradict the others under any offsets; in the same order.
    contradicting: Vec<Arrow>,
    middle: Timestamp,
    middle_unix_ns: i64,
}

impl Clocks {
    /// The clocks of `trace`, in time n log n in its transfers.
    pub fn of(trace: &Trace, transfers: &Transfers) -> Self {
        let (tasks, mut arrows) = arrows::arrows(trace, transfers);
        let mut counts = vec![0u64; tasks.len()];
        for arrow in &arrows {
            counts[arrow.source as usize] += 1;
            counts[arrow.destination as usize] += 1;
        }
        order::by_number(&mut arrows, |arrow| (arrow.received.0, 0));
        let middle = arrows.get(arrows.len() / 2).map_or(Timestamp(0), |arrow| arrow.received);
        order::by_number(&mut arrows, |arrow| (arrow.two_tasks(), 0));
        let (estimate, drifts) = estimates(&arrows, &counts, middle);
        let clock = |(row, &task): (usize, &StringId)| TaskClock {
            task,
            is_connected: estimate.is_connected[row],
            applied: estimate.applied[row],
            low: estimate.lows[row].map(Nanos),
            high: estimate.highs[row].map(Nanos),
            drift: drifts[row],
            transfers: counts[row],
        };
        let clocks = tasks.iter().enumerate().map(clock).collect();
        let which = |wanted: bool| {
            let chosen = arrows.iter().zip(&estimate.is_kept).filter(|&(_, &is_kept)| is_kept == wanted);
            let mut arrows: Vec<Arrow> = chosen.map(|(arrow, _)| *arrow).collect();
            order::by_number(&mut arrows, |arrow| (arrow.way(), 0));
            arrows
        };
        Self {
            reference: tasks.get(estimate.reference).copied(),
            tasks: clocks,
            search: estimate.search,
            arrows: which(true),
            contradicting: which(false),
            middle,
            middle_unix_ns: trace.unix_ns(middle),
        }
    }

    /// What is received before it is made, by source and destination, where the clock of each task is ahead by what `ahead` says of
    /// its row; without what contradicts the rest; in time linear in transfers.
    pub fn violations(&self, ahead: &dyn Fn(usize) -> Ahead) -> Vec<Violations> {
        violations(&self.arrows, self.tasks.len(), self.middle, ahead)
    }

    /// How many are received before they were made, as recorded.
    pub fn violated_before(&self) -> u64 {
        count(&self.violations(&|_| Ahead::default()))
    }

    /// The same with the estimate subtracted.
    pub fn violated_after(&self) -> u64 {
        count(&self.violations(&|row| self.tasks[row].applied))
    }

    /// How many tensors of known producers went between tasks.
    pub fn transfers(&self) -> u64 {
        (self.arrows.len() + self.contradicting.len()) as u64
    }

    /// The receipts of tensors that are received before they were made, as recorded.
    pub fn early(&self) -> impl Iterator<Item = OpId> + '_ {
        self.arrows.iter().filter(|arrow| arrow.slack() < 0).map(|arrow| arrow.op)
    }

    /// The receipts of tensors whose times contradict more of the others, however the clocks are set. They say nothing of the clocks.
    pub fn contradicting(&self) -> impl ExactSizeIterator<Item = OpId> + '_ {
        self.contradicting.iter().map(|arrow| arrow.op)
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.tasks.capacity() * size_of::<TaskClock>()
            + (self.arrows.capacity() + self.contradicting.capacity()) * size_of::<Arrow>()
    }

    /// By how much the earliest of these is received before it was made, as recorded; not positive where none is.
    pub fn most_contradicting(&self) -> Nanos {
        let early = self.contradicting.iter().map(|arrow| arrow.slack().saturating_neg());
        Nanos(early.max().unwrap_or(0))
    }
}

/// How many tensors are received before they are made.
pub fn count(violations: &[Violations]) -> u64 {
    violations.iter().map(|pair| pair.count).sum()
}

fn violations(
    arrows: &[Arrow],
    tasks: usize,
    middle: Timestamp,
    ahead: &dyn Fn(usize) -> Ahead,
) -> Vec<Violations> {
    let ahead: Vec<Ahead> = (0..tasks).map(ahead).collect();
    let mut pairs: Vec<Violations> = Vec::new();
    for arrow in arrows {
        let Arrow { source, destination, .. } = *arrow;
        if pairs.last().is_none_or(|pair| (pair.source, pair.destination) != (source, destination)) {
            pairs.push(Violations { source, destination, transfers: 0, count: 0, most: Nanos(0) });
        }
        let [sender, receiver] = [source, destination].map(|row| ahead[row as usize]);
        let early = arrow.set(middle, sender, receiver).slack().saturating_neg();
        if let Some(pair) = pairs.last_mut() {
            pair.transfers += 1;
            pair.count += u64::from(early > 0);
            pair.most = pair.most.max(Nanos(early));
        }
    }
    pairs
}

/// What is said of every task, by its row.
struct Estimate {
    reference: usize,
    lows: Vec<Option<i64>>,
    highs: Vec<Option<i64>>,
    applied: Vec<Ahead>,
    is_connected: Vec<bool>,
    search: Search,
    /// Of the arrows: whether it contradicts no more of the others than can be helped.
    is_kept: Vec<bool>,
}

/// With drifts where the trace shows that there are any: where 0 is out of the question, and fewer tensors are early with them.
fn estimates(
    arrows: &[Arrow],
    transfers: &[u64],
    middle: Timestamp,
) -> (Estimate, Vec<Result<Drift, NoDrift>>) {
    let tasks = transfers.len();
    let steady = estimate(arrows, transfers, None);
    // Relative to the task with most known tensors: a slope over more tasks in a row is less sure.
    let hub = of_most(transfers, &|_| true);
    let mut drifts = drift::drifts(arrows, tasks, hub, middle);
    let as_steady = |drifts| match steady.reference == hub {
        true => drifts,
        false => drift::drifts(arrows, tasks, steady.reference, middle),
    };
    let slope = |drift: &Result<Drift, NoDrift>| drift.map_or(0, |drift| drift.if_any());
    if drifts.iter().all(|drift| slope(drift) == 0) {
        let drifts = as_steady(drifts);
        return (steady, drifts);
    }
    let drifting = |row: u32| Ahead { at_middle: Nanos(0), drift_ppb: slope(&drifts[row as usize]) };
    let straight: Vec<Arrow> = arrows
        .iter()
        .map(|arrow| arrow.set(middle, drifting(arrow.source), drifting(arrow.destination)))
        .collect();
    let mut sloped = estimate(&straight, transfers, Some(hub));
    let longest = arrows.iter().map(|arrow| (arrow.received - middle).0.saturating_abs()).max().unwrap_or(0);
    for (row, drift) in drifts.iter().enumerate() {
        let ppb = slope(drift);
        sloped.applied[row].drift_ppb = ppb;
        let Ok(Drift { low_ppb, high_ppb, .. }) = *drift else { continue };
        if ppb != 0 {
            // As far as the slope may be off, so may be what the far ends of the trace say of its middle.
            let off = Nanos(longest);
            let wider = |end: i64| Ahead { drift_ppb: end, ..Ahead::default() }.at(off).0;
            sloped.lows[row] = sloped.lows[row].map(|low| low.saturating_sub(wider(high_ppb - low_ppb)));
            sloped.highs[row] = sloped.highs[row].map(|high| high.saturating_add(wider(high_ppb - low_ppb)));
        }
    }
    let violated =
        |estimate: &Estimate| count(&violations(arrows, tasks, middle, &|row| estimate.applied[row]));
    if violated(&sloped) < violated(&steady) {
        drifts.iter_mut().flatten().for_each(|drift| drift.is_applied = drift.if_any() != 0);
        (sloped, drifts)
    } else {
        let drifts = as_steady(drifts);
        (steady, drifts)
    }
}

/// The estimate for clocks that go equally fast. A reference that is given stays at 0, and what is joined to it is moved along.
fn estimate(arrows: &[Arrow], transfers: &[u64], reference: Option<usize>) -> Estimate {
    let tasks = transfers.len();
    let first = reference.unwrap_or_else(|| of_most(transfers, &|_| true));
    let mut bounds = bounds::bounds(arrows);
    let followed = paths::can_be_kept(tasks, &bounds);
    if followed != Followed::ToTheEnd {
        let offsets = witness::offsets(arrows, tasks, first, &bounds);
        let keeps = |arrow: &&Arrow| {
            arrow.slack()
                >= offsets[arrow.destination as usize].saturating_sub(offsets[arrow.source as usize])
        };
        bounds = bounds::bounds(&arrows.iter().filter(keeps).copied().collect::<Vec<_>>());
    }
    let (mut offsets, search) = estimate::least_correction(&bounds, transfers);
    let (is_connected, may_be_more) = paths::connected(tasks, first, &bounds);
    let reference = match reference {
        Some(reference) => {
            let by = offsets.get(reference).copied().unwrap_or(0);
            let own = offsets.iter_mut().zip(&is_connected).filter(|(_, is_connected)| **is_connected);
            own.for_each(|(offset, _)| *offset = offset.saturating_sub(by));
            reference
        }
        None => of_most(transfers, &|task| is_connected[task] && offsets[task] == 0),
    };
    let at_most = paths::around(tasks, reference, &bounds, |bound| bound.at_most);
    let is_given_up = followed == Followed::GivenUp || may_be_more || at_most.is_given_up;
    let steady = |at_middle| Ahead { at_middle: Nanos(at_middle), drift_ppb: 0 };
    Estimate {
        reference,
        lows: at_most.towards.iter().map(|low| low.map(i64::saturating_neg)).collect(),
        highs: at_most.from,
        applied: offsets.into_iter().map(steady).collect(),
        is_connected,
        search: if is_given_up { Search::GivenUp } else { search },
        is_kept: bounds::kept(arrows, &bounds),
    }
}

/// The task with the most transfers of those that `is_it`; of equals, or where there is none, the first.
fn of_most(transfers: &[u64], is_it: &dyn Fn(usize) -> bool) -> usize {
    let tasks = (0..transfers.len()).rev().filter(|&task| is_it(task));
    tasks.max_by_key(|&task| transfers[task]).unwrap_or(0)
}
