//! Pools: the ops that run on the same threads, and the times when none of them ran.
//!
//! An op that was scheduled and did not run is queued behind the ops that ran instead: in the batch of one thread, or in the queue
//! of all threads. The devices of one task share their threads. Servers that run in one process share their threads, too. This is
//! recorded where TensorFlow's host profiler saw one thread run ops of several devices. Where nothing was recorded, it is inferred
//! if at least three tasks have work, some ops run at once, and never as many as there are such tasks. RunMetadata does not
//! record how many threads there are.

use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::{DeviceId, OpId, Trace};

/// How long an executor may take to start a scheduled op while nothing ran before it. A longer delay has a cause that was not
/// recorded.
pub(crate) const MAX_DISPATCH: Nanos = Nanos(100_000);
/// The number of ops in a block; the first start is kept for each block.
const BLOCK: usize = 64;

/// The ops of executors that may share threads.
#[derive(Default)]
pub struct Pool {
    /// The ops that took time, in order of their ends.
    ended: Vec<OpId>,
    /// The first start in each [`BLOCK`] of `ended`.
    first_start: Vec<Timestamp>,
    /// The times when none of the ops ran for longer than a dispatch takes, in order.
    rests: Vec<Interval>,
    /// The most ops that ran at once.
    pub most: u32,
    /// When the first op of the pool was scheduled.
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

    /// The ops of the pool that took time, in order of their ends.
    pub(super) fn ended(&self) -> &[OpId] {
        &self.ended
    }

    /// The last op of the pool that ended by the time `at`.
    pub fn ended_by(&self, trace: &Trace, at: Timestamp) -> Option<OpId> {
        let count = self.ended.partition_point(|&op| trace.ops().end(op) <= at);
        count.checked_sub(1).map(|last| self.ended[last])
    }

    /// The last op of the pool that ended within `window`, and how many ops ended within it.
    pub(super) fn ended_within(&self, trace: &Trace, window: Interval) -> Option<(OpId, u32)> {
        let by = |at: Timestamp| self.ended.partition_point(|&op| trace.ops().end(op) <= at);
        let (first, end) = (by(window.start), by(window.end));
        (end > first).then(|| (self.ended[end - 1], (end - first) as u32))
    }

    /// All ops of the pool that ran within `window`, in order of their ends.
    pub fn within<'a>(&'a self, trace: &'a Trace, window: Interval) -> impl Iterator<Item = OpId> + 'a {
        let first = self.ended.partition_point(|&op| trace.ops().end(op) <= window.start);
        let has_any = move |&block: &usize| self.first_start[block] < window.end;
        let blocks = (first / BLOCK..self.first_start.len()).filter(has_any);
        let ops = blocks.flat_map(move |block| {
            let places = block * BLOCK..(block * BLOCK + BLOCK).min(self.ended.len());
            places.skip_while(move |&place| place < first).map(|place| self.ended[place])
        });
        ops.filter(move |&op| trace.ops().start(op) < window.end)
    }

    /// The last rest that began before `at`.
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

/// The number of running ops after each start and end.
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
        // Ends come before starts at the same time: an op that starts then may use the thread that became free.
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
    /// The pool of each device; empty for devices that no executor runs.
    devices: Vec<Pool>,
    /// The lists of devices that share threads, each with their common pool.
    shared: Vec<(Vec<DeviceId>, Pool)>,
    /// For each of these lists whether its devices are of one task.
    is_one_task: Vec<bool>,
    /// For each device its row of `shared`, plus one; 0 for a device that shares with no other.
    shared_of: Vec<u32>,
}

impl Pools {
    /// `own` has the ops of executors by device, `sharing` the lists of devices that are known to share threads. Unless
    /// `is_recorded`, it is inferred whether all of them share.
    pub(super) fn found(
        trace: &Trace,
        own: Vec<Vec<OpId>>,
        sharing: Vec<Vec<DeviceId>>,
        is_recorded: bool,
    ) -> Self {
        let ops_of = |devices: &[DeviceId]| -> Vec<OpId> {
            devices.iter().flat_map(|device| own[device.index()].iter().copied()).collect()
        };
        let with_pool = |devices: Vec<DeviceId>| {
            let pool = Pool::of(trace, ops_of(&devices));
            (devices, pool)
        };
        let in_one_process = (!is_recorded && sharing.len() > 2).then(|| with_pool(sharing.concat()));
        let tasks = sharing.len();
        let shared: Vec<(Vec<DeviceId>, Pool)> = match in_one_process {
            Some((devices, pool)) if pool.most > 1 && (pool.most as usize) < tasks => vec![(devices, pool)],
            _ => sharing.into_iter().filter(|devices| devices.len() > 1).map(with_pool).collect(),
        };
        let mut shared_of = vec![0; own.len()];
        for ((devices, _), row) in shared.iter().zip(1..) {
            devices.iter().for_each(|device| shared_of[device.index()] = row);
        }
        let task = |device: DeviceId| trace.devices().get(device).task;
        let is_one = |(devices, _): &(Vec<DeviceId>, Pool)| {
            devices.windows(2).all(|pair| task(pair[0]) == task(pair[1]))
        };
        let is_one_task = shared.iter().map(is_one).collect();
        let devices = own.into_iter().map(|own| Pool::of(trace, own)).collect();
        Self { devices, shared, is_one_task, shared_of }
    }

    /// The pool of one device.
    pub fn device(&self, device: DeviceId) -> &Pool {
        &self.devices[device.index()]
    }

    fn shared(&self, device: DeviceId) -> Option<&(Vec<DeviceId>, Pool)> {
        self.shared.get(self.shared_of[device.index()].checked_sub(1)? as usize)
    }

    /// The pool of all ops that may run on the threads of `device`.
    pub fn around(&self, device: DeviceId) -> &Pool {
        self.shared(device).map_or(self.device(device), |(_, pool)| pool)
    }

    /// The pool of the ops of its task that may run on the threads of `device`. Tasks in one process share threads, too, and begin one after
    /// another: then it is that of the device.
    pub(super) fn of_task(&self, device: DeviceId) -> &Pool {
        let row = self.shared_of[device.index()].checked_sub(1);
        match row.is_none_or(|row| self.is_one_task[row as usize]) {
            true => self.around(device),
            false => self.device(device),
        }
    }

    /// Every pool once: those of devices that share threads, and those of all other devices.
    pub(super) fn all(&self) -> impl Iterator<Item = &Pool> {
        let alone = self.devices.iter().zip(&self.shared_of).filter(|&(_, &shared)| shared == 0);
        self.shared.iter().map(|(_, pool)| pool).chain(alone.map(|(pool, _)| pool))
    }

    /// The devices that share threads with `device`, including `device`; empty if it shares with no other.
    pub fn sharing_with(&self, device: DeviceId) -> &[DeviceId] {
        self.shared(device).map_or(&[], |(devices, _)| devices)
    }

    /// The lists of devices that share threads.
    pub fn sharing(&self) -> impl Iterator<Item = &[DeviceId]> {
        self.shared.iter().map(|(devices, _)| devices.as_slice())
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let shared = self.shared.iter();
        let shared =
            shared.map(|(devices, pool)| devices.capacity() * size_of::<DeviceId>() + pool.heap_bytes());
        self.devices.capacity() * size_of::<Pool>()
            + self.is_one_task.capacity()
            + self.devices.iter().map(Pool::heap_bytes).sum::<usize>()
            + self.shared.capacity() * size_of::<(Vec<DeviceId>, Pool)>()
            + shared.sum::<usize>()
            + self.shared_of.capacity() * size_of::<u32>()
    }
}
