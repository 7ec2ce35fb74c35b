//! How much the clocks of tasks differ. From the tensors that went between the tasks, and from collectives ([`together`]). For the view, which can align clocks, the
//! tab Clocks, `steplens clocks` and the doctor.
//!
//! No tensor is received before it was made. The producer's end is by the sender's clock and the arrival by the receiver's. So, if
//! `o` is how much each clock is ahead,
//!
//! ```text
//! receipt - o[receiver] >= end - o[sender],   or   o[receiver] - o[sender] <= receipt - end
//! ```
//!
//! As in NTP, the fastest tensors of both directions bound the difference of two clocks from both sides ([`bounds`]); over the
//! graph of all tasks the bounds add up along the shortest paths ([`paths`]). Broken timestamps make bounds that no clock can keep:
//! the bounds that contradict the most others are left out ([`bounds`] for two tasks, [`witness`] around circles of tasks). Clocks
//! are aligned by the least correction that the other bounds require, and by none if they require none ([`estimate`]). If a trace
//! is long enough, a clock may be seen to be fast or slow ([`drift`]).

mod accelerator;
mod arrows;
mod bounds;
mod coarse;
mod cycles;
mod doubt;
mod drift;
mod estimate;
pub mod files;
mod flow;
mod hosts;
mod paths;
mod setting;
mod together;
mod witness;
mod work;

use crate::base::ids::StringId;
use crate::base::order;
use crate::base::units::{Nanos, Timestamp};
use crate::transfers::Transfers;
use crate::{OpId, Trace};
use arrows::{Arrow, BoundOf};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use paths::Followed;

pub(crate) use accelerator::accelerator_doubt;
pub(crate) use arrows::ends;
pub(crate) use coarse::coarse_host_doubt;
pub(crate) use doubt::clocks_in_question;
pub use doubt::{Doubt, Why};
pub use drift::{Drift, NoDrift};
pub use estimate::Search;
pub use setting::{ClockChoice, ClockSetting};

/// How much a clock is ahead of the reference, as time goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// The offset in the middle of the trace.
    pub at_middle: Nanos,
    /// How much faster it runs, in parts per billion.
    pub drift_ppb: i64,
}

impl Ahead {
    /// The offset at a time `after_middle` of the trace.
    pub fn at(self, after_middle: Nanos) -> Nanos {
        // Without a drift, which is the usual case, no result depends on a float.
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
    /// What is subtracted from its timestamps when clocks are aligned: its part of the least correction that the tensors require.
    pub applied: Ahead,
    /// The lower bound of how much it is ahead of the reference.
    pub low: Option<Nanos>,
    /// The upper bound of how much it is ahead of the reference.
    pub high: Option<Nanos>,
    /// How much faster than the reference it runs, or why that cannot be computed.
    pub drift: Result<Drift, NoDrift>,
    /// Whether any tensor went between it and the reference, over any tasks and in any direction.
    pub is_connected: bool,
    /// The number of transfers with a known producer that it sent to, or received from, other tasks.
    pub transfers: u64,
}

/// The tensors from one task to another, and how many of them arrived before they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violations {
    /// The task that sent, a row of [`Clocks::tasks`].
    pub source: u32,
    /// The task that received, also a row of [`Clocks::tasks`].
    pub destination: u32,
    /// The number of tensors with a known producer.
    pub transfers: u64,
    /// How many of them arrived before they were made.
    pub count: u64,
    /// The largest time by which one of them arrived before it was made.
    pub most: Nanos,
}

/// The clocks of all tasks, in the order of the devices.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    /// The task whose clock the others are compared with. Of the tasks that are not moved, and are joined to the task with the most
    /// transfers, it has the most transfers.
    pub reference: Option<StringId>,
    /// The tasks with ops.
    pub tasks: Vec<TaskClock>,
    /// Whether the least correction was found.
    pub search: Search,
    /// In order of source and destination.
    arrows: Vec<Arrow>,
    /// The arrows that contradict the others with any offsets; in the same order.
    contradicting: Vec<Arrow>,
    middle: Timestamp,
    middle_unix_ns: i64,
}

impl Clocks {
    /// Computes the clocks of `trace`, in time n log n in its transfers.
    pub fn estimated(trace: &Trace, transfers: &Transfers) -> Self {
        let (tasks, mut arrows) = arrows::arrows(trace, transfers);
        let row_of: HashMap<StringId, u32, FixedState> = tasks.iter().copied().zip(0..).collect();
        let task_of = |device| Some(*row_of.get(&trace.devices().get(device).task?)?);
        arrows.extend(together::arrows(trace, &task_of));
        let mut counts = vec![0u64; tasks.len()];
        for arrow in arrows.iter().filter(|arrow| arrow.of != BoundOf::Ends) {
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
            let counts = |arrow: &Arrow| wanted || arrow.of != BoundOf::Ends;
            let mut arrows: Vec<Arrow> = chosen.map(|(arrow, _)| *arrow).filter(counts).collect();
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

    /// The tensors that arrive before they are made, by source and destination, if the clock of each task is ahead by `ahead` of
    /// its row. Tensors that contradict the others are left out. Linear in transfers.
    pub fn violations(&self, ahead: &dyn Fn(usize) -> Ahead) -> Vec<Violations> {
        violations(&self.arrows, self.tasks.len(), self.middle, ahead)
    }

    /// The number of tensors that arrived before they were made, as recorded.
    pub fn violated_before(&self) -> u64 {
        count(&self.violations(&|_| Ahead::default()))
    }

    /// The number of tensors that arrive before they are made with the estimate subtracted.
    pub fn violated_after(&self) -> u64 {
        count(&self.violations(&|row| self.tasks[row].applied))
    }

    /// The number of tensors with a known producer that went between tasks, or of two ranks in a collective.
    pub fn transfers(&self) -> u64 {
        let all = self.arrows.iter().chain(&self.contradicting);
        all.filter(|arrow| arrow.of != BoundOf::Ends).count() as u64
    }

    /// Whether only collectives, and no tensors, say anything of the clocks.
    pub fn is_by_collectives(&self) -> bool {
        let mut all = self.arrows.iter().chain(&self.contradicting).peekable();
        all.peek().is_some() && all.all(|arrow| arrow.of != BoundOf::Tensor)
    }

    /// The ops that recorded the arrival of a tensor before it was made, by the recorded clocks.
    pub fn early(&self) -> impl Iterator<Item = OpId> + '_ {
        let counts = |arrow: &&Arrow| arrow.slack() < 0 && arrow.of != BoundOf::Ends;
        self.arrows.iter().filter(counts).map(|arrow| arrow.op)
    }

    /// The ops that recorded the arrival of tensors whose times contradict the others, however the clocks are aligned. They say
    /// nothing about the clocks.
    pub fn contradicting(&self) -> impl ExactSizeIterator<Item = OpId> + '_ {
        self.contradicting.iter().map(|arrow| arrow.op)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.tasks.capacity() * size_of::<TaskClock>()
            + (self.arrows.capacity() + self.contradicting.capacity()) * size_of::<Arrow>()
    }

    /// The largest time by which one of the contradicting tensors arrived before it was made, as recorded; not positive if there is
    /// none.
    pub fn most_contradicting(&self) -> Nanos {
        let early = self.contradicting.iter().map(|arrow| arrow.slack().saturating_neg());
        Nanos(early.max().unwrap_or(0))
    }
}

/// The number of tensors that arrive before they are made.
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
    for arrow in arrows.iter().filter(|arrow| arrow.of != BoundOf::Ends) {
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

/// The estimate for every task, by its row.
struct Estimate {
    reference: usize,
    lows: Vec<Option<i64>>,
    highs: Vec<Option<i64>>,
    applied: Vec<Ahead>,
    is_connected: Vec<bool>,
    search: Search,
    /// For each arrow whether it is kept, and not left out as a contradiction.
    is_kept: Vec<bool>,
}

/// The estimate with drifts where the trace shows any: where the drift cannot be 0, and fewer tensors are early with the drifts.
fn estimates(
    arrows: &[Arrow],
    transfers: &[u64],
    middle: Timestamp,
) -> (Estimate, Vec<Result<Drift, NoDrift>>) {
    let tasks = transfers.len();
    let steady = estimate(arrows, transfers, None);
    // Relative to the task with the most known tensors, because a slope over several tasks in a row is less sure.
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
            // The uncertainty of the slope adds to the bounds at the middle of the trace, as far as the ends of the trace are away.
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

/// The estimate for clocks that run equally fast. A given reference stays at 0, and tasks that are joined to it are moved along.
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

/// Of the tasks with `is_it`, the one with the most transfers; of equal ones, or without such a task, the first.
fn of_most(transfers: &[u64], is_it: &dyn Fn(usize) -> bool) -> usize {
    let tasks = (0..transfers.len()).rev().filter(|&task| is_it(task));
    tasks.max_by_key(|&task| transfers[task]).unwrap_or(0)
}
