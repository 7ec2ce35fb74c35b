//! Pools: the ops that run on the same threads, and when none of them ran.
//!
//! An op that was scheduled and did not run is queued behind those that ran instead: in the row of one thread, or in the queue of all of them. The
//! ops of one device share its threads. Servers that run in one process share theirs, too: where at least three devices are at work and
//! never as many ops run at once, though each device has work, they are taken to. RunMetadata does not record how many threads there are.

use super::observed::MAX_DISPATCH;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::{DeviceId, OpId, Trace};

/// How many ops have their first start kept together.
const BLOCK: usize = 64;

/// The ops of executors that may share threads.
#[derive(Default)]
pub struct Pool {
    /// Its ops that took time, by their ends.
    ended: Vec<OpId>,
    /// The first start in each [`BLOCK`] of these.
    first_start: Vec<Timestamp>,
    /// When none ran, for longer than a dispatch takes; in order.
    rests: Vec<Interval>,
    /// How many ran at once at most.
    pub most: u32,
    /// When an op was first scheduled on it.
    pub began: Option<Timestamp>,
}

impl Pool {
    fn of(trace: &Trace, mut ended: Vec<OpId>) -> Self {
        let ops = trace.ops();
        let began = ended.iter().filter_map(|&op| ops.scheduled(op)).min();
        ended.retain(|&op| ops.interval(op).length() > Nanos(0));
        let mut starts: Vec<Timestamp> = ended.iter().map(|&op| ops.start(op)).collect();
        order::by_number(&mut starts, |start| (start.0, 0));
        order::by_number(&mut ended, |op| (ops.end(op).0, i64::from(op.get())));
        ended.shrink_to_fit();
        let first = |block: &[OpId]| block.iter().map(|&op| ops.start(op)).min().unwrap_or_default();
        let first_start: Vec<Timestamp> = ended.chunks(BLOCK).map(first).collect();
        let changes = || Changes { trace, starts: &starts, ended: &ended, begun: 0, done: 0 };
        let most = changes().map(|(_, running)| running).max().unwrap_or(0);
        let mut rests: Vec<Interval> = Vec::new();
        let mut rest_from: Option<Timestamp> = Some(Timestamp(i64::MIN));
        for (at, running) in changes() {
            match rest_from {
                Some(from) if running > 0 => {
                    if at - from > MAX_DISPATCH {
                        rests.push(Interval { start: from, end: at });
                    }
                    rest_from = None;
                }
                None if running == 0 => rest_from = Some(at),
                _ => {}
            }
        }
        rests.extend(rest_from.map(|start| Interval { start, end: Timestamp(i64::MAX) }));
        rests.shrink_to_fit();
        Self { ended, first_start, rests, most, began }
    }

    /// The last of its ops that ended by `at`.
    pub fn ended_by(&self, trace: &Trace, at: Timestamp) -> Option<OpId> {
        let count = self.ended.partition_point(|&op| trace.ops().end(op) <= at);
        count.checked_sub(1).map(|last| self.ended[last])
    }

    /// The last of its ops that ended within `window`, and how many did.
    pub(super) fn ended_within(&self, trace: &Trace, window: Interval) -> Option<(OpId, u32)> {
        let by = |at: Timestamp| self.ended.partition_point(|&op| trace.ops().end(op) <= at);
        let (first, end) = (by(window.start), by(window.end));
        (end > first).then(|| (self.ended[end - 1], (end - first) as u32))
    }

    /// Every one of its ops that ran within `window`, by its end.
    pub fn within<'a>(&'a self, trace: &'a Trace, window: Interval) -> impl Iterator<Item = OpId> + 'a {
        let first = self.ended.partition_point(|&op| trace.ops().end(op) <= window.start);
        let has_any = move |&block: &usize| self.first_start[block] < window.end;
        let blocks = (first / BLOCK..self.first_start.len()).filter(has_any);
        let ops = blocks.flat_map(move |block| {
            let own = block * BLOCK..(block * BLOCK + BLOCK).min(self.ended.len());
            own.skip_while(move |&place| place < first).map(|place| self.ended[place])
        });
        ops.filter(move |&op| trace.ops().start(op) < window.end)
    }

    /// The last time before `at` when none ran.
    pub(super) fn rest_before(&self, at: Timestamp) -> Option<Interval> {
        let count = self.rests.partition_point(|rest| rest.start < at);
        count.checked_sub(1).map(|last| self.rests[last])
    }

    fn heap_bytes(&self) -> usize {
        self.ended.capacity() * size_of::<OpId>()
            + self.first_start.capacity() * size_of::<Timestamp>()
            + self.rests.capacity() * size_of::<Interval>()
    }
}

/// How many ops run from each start and end on.
struct Changes<'a> {
    trace: &'a Trace,
    starts: &'a [Timestamp],
    ended: &'a [OpId],
    begun: usize,
    done: usize,
}

impl Iterator for Changes<'_> {
    type Item = (Timestamp, u32);

    fn next(&mut self) -> Option<(Timestamp, u32)> {
        let start = self.starts.get(self.begun).copied();
        let end = self.ended.get(self.done).map(|&op| self.trace.ops().end(op))?;
        // What ends comes first: an op that starts then may be on its thread.
        let at = match start.filter(|&start| start < end) {
            Some(start) => {
                self.begun += 1;
                start
            }
            None => {
                self.done += 1;
                end
            }
        };
        Some((at, self.begun.saturating_sub(self.done) as u32))
    }
}

/// The pools of a trace.
#[derive(Default)]
pub struct Pools {
    /// By device; empty for what no executor runs.
    devices: Vec<Pool>,
    /// Of all devices together, if they share threads.
    pub all: Option<Pool>,
}

impl Pools {
    /// `own` are the ops of executors, by device.
    pub(super) fn of(trace: &Trace, own: Vec<Vec<OpId>>) -> Self {
        let used = own.iter().filter(|own| !own.is_empty()).count();
        let all = (used > 2).then(|| Pool::of(trace, own.concat()));
        let all = all.filter(|all| all.most > 1 && (all.most as usize) < used);
        Self { devices: own.into_iter().map(|own| Pool::of(trace, own)).collect(), all }
    }

    /// The pool of one device.
    pub fn device(&self, device: DeviceId) -> &Pool {
        &self.devices[device.index()]
    }

    /// All that may run on the threads of `device`.
    pub fn around(&self, device: DeviceId) -> &Pool {
        self.all.as_ref().unwrap_or(self.device(device))
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.devices.capacity() * size_of::<Pool>()
            + self.devices.iter().map(Pool::heap_bytes).sum::<usize>()
            + self.all.as_ref().map_or(0, Pool::heap_bytes)
    }
}
