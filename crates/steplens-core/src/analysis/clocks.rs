//! Clocks: how far the clocks of tasks are apart, told by the tensors that went between them.
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
//! Where a trace is long enough, a clock may be seen to be fast or slow ([`drift`]).

mod arrows;
mod bounds;
mod drift;
mod hosts;
mod lean;
mod paths;
mod setting;
mod witness;

use crate::analysis::transfers::Transfers;
use crate::ids::StringId;
use crate::units::{Nanos, Timestamp};
use crate::{Trace, order};
use arrows::Arrow;

pub(crate) use arrows::ends;
pub use drift::{Drift, NoDrift};
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
    /// By how much it is ahead of the reference: what to subtract from its timestamps, in the middle of the trace. The best
    /// estimate between the bounds; `None` where one is missing.
    pub offset: Option<Nanos>,
    /// What is subtracted where the clocks are set right: the offset; where there is none, what is near 0 and puts no
    /// tensor before its making.
    pub applied: Ahead,
    /// It is ahead by this much at least.
    pub low: Option<Nanos>,
    /// It is ahead by this much at most.
    pub high: Option<Nanos>,
    /// How much faster than the reference it goes, or why that cannot be told.
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
    /// Whose clock the others are compared with: that of the task with the most transfers.
    pub reference: Option<StringId>,
    /// The tasks that have ops.
    pub tasks: Vec<TaskClock>,
    /// In order of source and destination.
    arrows: Vec<Arrow>,
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
        // Of equals the first.
        let reference = (0..tasks.len()).rev().max_by_key(|&task| counts[task]).unwrap_or(0);
        let (estimate, drifts) = estimates(&arrows, tasks.len(), reference, middle);
        let is_connected = paths::connected(tasks.len(), reference, &bounds::bounds(&arrows));
        let clock = |(row, &task): (usize, &StringId)| TaskClock {
            task,
            is_connected: is_connected[row],
            offset: estimate.likely[row].map(Nanos),
            applied: estimate.applied[row],
            low: estimate.lows[row].map(Nanos),
            high: estimate.highs[row].map(Nanos),
            drift: drifts[row],
            transfers: counts[row],
        };
        let clocks = tasks.iter().enumerate().map(clock).collect();
        order::by_number(&mut arrows, |arrow| (arrow.way(), 0));
        let middle_unix_ns = trace.unix_ns(middle);
        Self { reference: tasks.get(reference).copied(), tasks: clocks, arrows, middle, middle_unix_ns }
    }

    /// What is received before it is made, by source and destination, where the clock of each task is ahead by what `ahead` says of
    /// its row; in time linear in transfers.
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
        self.arrows.len() as u64
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
    lows: Vec<Option<i64>>,
    highs: Vec<Option<i64>>,
    likely: Vec<Option<i64>>,
    applied: Vec<Ahead>,
}

/// With drifts where the trace shows that there are any: where 0 is out of the question, and fewer tensors are early with them.
fn estimates(
    arrows: &[Arrow],
    tasks: usize,
    reference: usize,
    middle: Timestamp,
) -> (Estimate, Vec<Result<Drift, NoDrift>>) {
    let steady = estimate(arrows, tasks, reference);
    let mut drifts = drift::drifts(arrows, tasks, reference, middle);
    let slope = |drift: &Result<Drift, NoDrift>| drift.map_or(0, |drift| drift.if_any());
    if drifts.iter().all(|drift| slope(drift) == 0) {
        return (steady, drifts);
    }
    let drifting = |row: u32| Ahead { at_middle: Nanos(0), drift_ppb: slope(&drifts[row as usize]) };
    let straight: Vec<Arrow> = arrows
        .iter()
        .map(|arrow| arrow.set(middle, drifting(arrow.source), drifting(arrow.destination)))
        .collect();
    let mut sloped = estimate(&straight, tasks, reference);
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
        (steady, drifts)
    }
}

/// The estimate for clocks that go equally fast.
fn estimate(arrows: &[Arrow], tasks: usize, reference: usize) -> Estimate {
    let mut bounds = bounds::bounds(arrows);
    if !paths::can_be_kept(tasks, &bounds) {
        let offsets = witness::offsets(arrows, tasks, reference, &bounds);
        let keeps = |arrow: &&Arrow| {
            arrow.slack()
                >= offsets[arrow.destination as usize].saturating_sub(offsets[arrow.source as usize])
        };
        bounds = bounds::bounds(&arrows.iter().filter(keeps).copied().collect::<Vec<_>>());
    }
    let at_most = paths::around(tasks, reference, &bounds, |bound| bound.at_most);
    let likely = lean::estimates(arrows, reference, &bounds, &at_most);
    let applied = paths::applied(&bounds, &likely);
    let steady = |at_middle| Ahead { at_middle: Nanos(at_middle), drift_ppb: 0 };
    Estimate {
        lows: at_most.towards.iter().map(|low| low.map(i64::saturating_neg)).collect(),
        highs: at_most.from,
        likely,
        applied: applied.into_iter().map(steady).collect(),
    }
}
