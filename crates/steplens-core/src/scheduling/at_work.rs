//! How many ops were at work at once, and how many were scheduled and had not started, on threads that devices may share.
//!
//! RunMetadata does not record how many threads there are: the most ops at work at once is a lower bound. Only with a number of
//! threads that the user gives can a wait be explained by a lack of threads. Ops that wait for the network hold no thread and are
//! left out.

use super::RunBy;
use super::over_time::OverTime;
use crate::DeviceId;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::causality::Causes;
use crate::makers::Edges;

/// The ops that may run on the same threads, over time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtWork {
    /// The devices of these ops.
    pub devices: Vec<DeviceId>,
    /// The number of ops.
    pub ops: u64,
    /// How many of them have a recorded time of scheduling.
    pub scheduled: u64,
    /// Index n has the time for which exactly n ops were at work.
    pub at_once: Vec<Nanos>,
    /// Like `at_once`, but counts only the time when at least one op was scheduled and had not started.
    pub queued: Vec<Nanos>,
    /// The most ops that were scheduled and had not started.
    pub most_queued: u32,
    /// The ops at work and queued in the slices of the view.
    pub over_time: OverTime,
}

impl AtWork {
    /// The most ops at work at once. There were at least this many threads.
    pub fn most(&self) -> u32 {
        self.at_once.len().saturating_sub(1) as u32
    }

    /// From the first known moment of these ops to the last.
    pub fn span(&self) -> Nanos {
        self.at_once.iter().fold(Nanos(0), |sum, &time| sum + time)
    }

    /// How long at least one op was at work.
    pub fn busy(&self) -> Nanos {
        self.at_once.iter().skip(1).fold(Nanos(0), |sum, &time| sum + time)
    }

    /// The running times of all ops, summed.
    pub fn work(&self) -> Nanos {
        let times = self.at_once.iter().zip(0_i64..);
        times.fold(Nanos(0), |sum, (time, count)| sum + Nanos(time.0.saturating_mul(count)))
    }

    /// How long at least one op was scheduled and had not started.
    pub fn any_queued(&self) -> Nanos {
        self.queued.iter().fold(Nanos(0), |sum, &time| sum + time)
    }

    /// The starved time: at least one op was queued while at least `threads` ops were at work. A lack of threads explains it if
    /// `threads` is the real number.
    pub fn starved(&self, threads: u32) -> Nanos {
        self.queued.iter().skip(threads as usize).fold(Nanos(0), |sum, &time| sum + time)
    }

    fn counted(edges: Edges<'_>, devices: Vec<DeviceId>) -> Self {
        let trace = edges.trace;
        let ops = trace.ops();
        let of_executor = || {
            let all = devices.iter().flat_map(|&device| trace.ops_of(device));
            all.filter(|&op| RunBy::of(trace, edges.transfers, op) == RunBy::Executor)
        };
        let mut found = Self {
            at_once: vec![Nanos(0)],
            queued: vec![Nanos(0)],
            over_time: OverTime::over(trace.span()),
            ..Self::default()
        };
        let mut changes: Vec<(Timestamp, Change)> = Vec::new();
        for op in of_executor() {
            found.ops += 1;
            found.scheduled += u64::from(ops.scheduled(op).is_some());
            let (start, end) = (ops.start(op), ops.end(op));
            if start < end {
                changes.extend([(start, Change::Start), (end, Change::End)]);
            }
            if let Some(scheduled) = ops.scheduled(op).filter(|&scheduled| scheduled < start) {
                changes.extend([(scheduled, Change::Scheduled), (start, Change::Left)]);
            }
        }
        found.devices = devices;
        order::by_number(&mut changes, |(at, change)| (at.0, change as i64));
        let (mut running, mut queued) = (0_usize, 0_u32);
        let mut now = changes.first().map_or(Timestamp(0), |&(at, _)| at);
        for (at, change) in changes {
            let passed = at - now;
            found.over_time.add(Interval::new(now, at), running, queued);
            found.at_once[running] += passed;
            if queued > 0 {
                found.queued[running] += passed;
            }
            now = at;
            match change {
                Change::Start => running += 1,
                Change::End => running = running.saturating_sub(1),
                Change::Scheduled => queued += 1,
                Change::Left => queued = queued.saturating_sub(1),
            }
            found.most_queued = found.most_queued.max(queued);
            if running == found.at_once.len() {
                found.at_once.push(Nanos(0));
                found.queued.push(Nanos(0));
            }
        }
        // There may be as many of these as devices.
        found.at_once.shrink_to_fit();
        found.queued.shrink_to_fit();
        found.over_time.shrink();
        found
    }
}

/// What happens to an op. At equal times the changes apply in the order of the variants.
#[derive(Clone, Copy)]
enum Change {
    End = 0,
    Left = 1,
    Start = 2,
    Scheduled = 3,
}

/// The ops at work: first of all devices together where they share threads, then of each device that an executor runs.
pub fn at_work(edges: Edges<'_>, causes: &Causes) -> Vec<AtWork> {
    let threads = &causes.graph.threads;
    let devices: Vec<DeviceId> = threads.rules.iter().map(|rule| rule.device).collect();
    let together = threads.pools.sharing().map(<[DeviceId]>::to_vec);
    let each = devices.into_iter().map(|device| vec![device]);
    together.chain(each).map(|devices| AtWork::counted(edges, devices)).collect()
}
