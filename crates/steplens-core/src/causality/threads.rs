//! TensorFlow's executor threads: taken from the recording where a host profiler or the format has them, otherwise inferred.
//!
//! RunMetadata does not distinguish the threads of a device. But its two stamps, in nanoseconds, say which ops a thread kept and ran
//! one after another ([`Stamps`]). Such a row of ops is on one thread; it goes to the thread that became free last, else to a new one.
//!
//! Without nanoseconds, ops that became ready together have one time stamp, and the cheap ones of such a batch run one after another
//! on the thread that made them ready (`ScheduleReady` in `executor.cc`). So the thread of an op is, by the first rule that fits:
//!
//! 1. the thread of the op before it in its batch, if that op had ended;
//! 2. the thread of the op that ended when this op was scheduled, because that op made it ready;
//! 3. the thread that became free last;
//! 4. a new thread.
//!
//! `docs/what-if.md` has how often that is right, measured with releases that recorded threads.
//!
//! Where TensorFlow's host profiler recorded the thread of an op ([`HostProfile`]), the op is on that thread, and no other op is
//! put on a thread while it is known to run something else. Devices whose ops ran on one thread share their threads.

use super::pools::{MAX_DISPATCH, Pools};
use super::stamps::Stamps;
pub use super::stamps::Turn;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::has_kernels;
use crate::host_profile::HostProfile;
use crate::model::device::is_of_executor;
use crate::model::device::task_of;
use crate::transfers::Transfers;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// TensorFlow stamps scheduling in microseconds; later versions also in nanoseconds.
const MICROSECOND: i64 = 1_000;

/// At most this many of the threads that became free last are checked for one that is not known to be busy. It is more than the
/// cores of a machine.
const MAX_SOUGHT: usize = 1_024;

/// How well the batch rule holds on one device: neighbours that were scheduled in the same microsecond, and how many of them ran
/// strictly one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The device.
    pub device: DeviceId,
    /// The number of pairs of neighbours that were scheduled in the same microsecond.
    pub neighbours: u64,
    /// How many of these pairs ran one after the other.
    pub in_a_row: u64,
    /// The number of threads of the device. Inferred threads are as many as the ops that ran at the same time need.
    pub threads: u32,
    /// The number of ops whose thread was recorded; the threads of the others are inferred.
    pub recorded: u64,
    /// The number of ops of the device that ran on threads.
    pub ops: u64,
}

impl Rule {
    /// Whether the thread of any op of the device is inferred.
    pub fn is_inferred(&self) -> bool {
        self.recorded < self.ops
    }
}

/// The op that ran before each op on its thread.
#[derive(Default)]
pub struct Threads {
    /// For each op the op before it on its thread, plus one; 0 for the first one.
    before: Vec<u32>,
    /// For each op the last op of its batch that had ended, plus one; 0 if there is none.
    mate: Vec<u32>,
    /// For each op its thread, counted among the devices that share threads with its device.
    thread: Vec<u32>,
    /// Whether the thread of an op was recorded.
    is_recorded: Vec<bool>,
    /// For each op how it got its thread.
    turn: Vec<Turn>,
    /// How well the rule holds, for each device that an executor runs.
    pub rules: Vec<Rule>,
    /// The pools of ops that share threads.
    pub pools: Pools,
}

impl Threads {
    /// Finds the threads of all executors, in time n log n.
    pub fn found(trace: &Trace, transfers: &Transfers, host: &HostProfile) -> Self {
        let count = trace.ops().len();
        let mut threads = Self {
            before: vec![0; count],
            mate: vec![0; count],
            thread: vec![0; count],
            is_recorded: vec![false; count],
            turn: vec![Turn::Unknown; count],
            ..Self::default()
        };
        let mut own_of = vec![Vec::new(); trace.devices().len()];
        for device in trace.devices().ids() {
            let row = trace.devices().get(device);
            if row.nests || has_kernels(trace, device) {
                continue;
            }
            let runs = |op: &OpId| {
                !matches!(trace.category(*op), Category::Range | Category::Communication)
                    && transfers.id_of_op(*op).is_none()
            };
            own_of[device.index()] = trace.ops_of(device).filter(runs).collect();
        }
        let sharing = sharing(trace, host, &own_of);
        threads.pools = Pools::found(trace, own_of.clone(), sharing, !host.threads().is_empty());
        for device in trace.devices().ids().filter(|device| !own_of[device.index()].is_empty()) {
            let sharing = threads.pools.sharing_with(device);
            match sharing.first() {
                None => threads.add(trace, host, &[device], &own_of),
                // A copy for the first of them alone: one for each device grows with the square of the devices.
                Some(&first) if first == device => {
                    let devices = sharing.to_vec();
                    threads.add(trace, host, &devices, &own_of);
                }
                Some(_) => {}
            }
        }
        order::by_number(&mut threads.rules, |rule| (i64::from(rule.device.get()), 0));
        threads.rules.shrink_to_fit();
        threads
    }

    /// Adds the threads of `devices`, which share them.
    fn add(&mut self, trace: &Trace, host: &HostProfile, devices: &[DeviceId], own_of: &[Vec<OpId>]) {
        let all = || devices.iter().flat_map(|device| own_of[device.index()].iter().copied());
        let mut executor_ops: Vec<OpId> = all().collect();
        let Some(&first) = executor_ops.first() else { return };
        let differ = executor_ops.iter().any(|&op| trace.ops().thread(op) != trace.ops().thread(first));
        // TensorFlow's executor does not number its threads. But `timeline.py` writes the lanes that it draws into the message,
        // which may then be saved.
        let is_of_executor =
            |device: &DeviceId| is_of_executor(trace.text(trace.devices().get(*device).name));
        if differ && !devices.iter().any(is_of_executor) {
            self.take(trace, executor_ops);
        } else {
            // The ops of one device are in this order already.
            order::by_number(&mut executor_ops, |op| (trace.ops().start(op).0, 0));
            self.infer(trace, &executor_ops, Busy::of(trace, host, &executor_ops));
        }
        for &device in devices {
            let executor_ops = &own_of[device.index()];
            let (neighbours, in_a_row) = in_rows(trace, executor_ops);
            let mut used: Vec<u32> = executor_ops.iter().map(|&op| self.thread(op)).collect();
            order::by_number(&mut used, |thread| (i64::from(thread), 0));
            used.dedup();
            self.rules.push(Rule {
                device,
                neighbours,
                in_a_row,
                threads: used.len() as u32,
                recorded: executor_ops.iter().filter(|&&op| self.is_recorded(op)).count() as u64,
                ops: executor_ops.len() as u64,
            });
        }
    }

    /// Takes the threads as the format records them: the ops of each thread, one after the other.
    fn take(&mut self, trace: &Trace, mut executor_ops: Vec<OpId>) {
        order::by_number(&mut executor_ops, |op| (i64::from(trace.ops().thread(op)), 0));
        let by_thread = executor_ops.chunk_by(|&a, &b| trace.ops().thread(a) == trace.ops().thread(b));
        for (count, thread) in (0..).zip(by_thread) {
            let mut before: Option<OpId> = None;
            for &op in thread {
                (self.thread[op.index()], self.is_recorded[op.index()]) = (count, true);
                let is_after = |before: &OpId| trace.ops().end(*before) <= trace.ops().start(op);
                self.before[op.index()] = before.filter(is_after).map_or(0, |before| before.get() + 1);
                before = Some(op);
            }
        }
    }

    /// Infers the threads, except those that `busy` knows. `executor_ops` must be in order of start.
    fn infer(&mut self, trace: &Trace, executor_ops: &[OpId], mut busy: Busy) {
        let ops = trace.ops();
        // The last op of each thread; and the free threads, by when their last op left.
        let mut last: Vec<Option<OpId>> = vec![None; busy.threads()];
        let mut left: Vec<Timestamp> = vec![Timestamp(i64::MIN); busy.threads()];
        let mut free: BTreeMap<(Timestamp, u32), ()> = BTreeMap::new();
        // The ops that were scheduled when the executor began are its roots: they go to the threads one by one, and wait in one
        // queue.
        let mut began: HashMap<DeviceId, Timestamp, FixedState> = HashMap::default();
        let mut of_op: Vec<DeviceId> = Vec::with_capacity(executor_ops.len());
        for &op in executor_ops {
            let device = of_op.last().copied().filter(|&last| trace.devices().get(last).has_op(op));
            let device = device.unwrap_or_else(|| trace.device_of(op));
            of_op.push(device);
            if let Some(at) = ops.scheduled(op) {
                let first = began.entry(device).or_insert(at);
                *first = at.min(*first);
            }
        }
        let ended = Ended::of(trace, executor_ops);
        let turns = Stamps::read(trace, executor_ops, &of_op);
        // All ops of a row that a thread kept are on the thread that is known of one of them.
        let mut known_row: Vec<Option<u32>> = executor_ops.iter().map(|&op| busy.thread(op)).collect();
        for place in (0..executor_ops.len()).rev() {
            if let (Some(before), Some(thread)) = (turns.before(place), known_row[place]) {
                known_row[before].get_or_insert(thread);
            }
        }
        // For each device and time stamp: the thread of the last op with it so far, and that op.
        let mut batches: HashMap<(DeviceId, i64), (u32, OpId), FixedState> = HashMap::default();
        for (place, (&op, &device)) in executor_ops.iter().zip(&of_op).enumerate() {
            let turn = turns.turn(place);
            self.turn[op.index()] = turn;
            let (start, end) = (ops.start(op), ops.end(op));
            // The thread goes on with the ops that it kept.
            let row_end = turns.row_end(place, end);
            let is_root = |at: Timestamp| began.get(&device).is_some_and(|&began| at - began <= MAX_DISPATCH);
            let stamp = ops.scheduled(op).map(|at| (device, if is_root(at) { i64::MIN } else { at.0 }));
            let batch = stamp.and_then(|stamp| batches.get(&stamp).copied());
            // An op that still runs on another thread is not what this one waited for.
            let has_ended = |mate: OpId| if ops.end(mate) <= start { Some(mate) } else { self.mate(mate) };
            let mate = batch.and_then(|(_, mate)| has_ended(mate));
            self.mate[op.index()] = mate.map_or(0, |mate| mate.get() + 1);
            let known = busy.meet(op);
            // The thread of the op before in the batch, if that thread is free by now.
            let in_row = batch.map(|(thread, _)| thread).filter(|&thread| left[thread as usize] <= start);
            let fits = |thread: u32| busy.is_free(thread, end);
            // An op that comes later in this order has no thread yet.
            let is_left = |thread: u32| left.get(thread as usize).is_some_and(|&left| left <= start);
            let fits_now = |thread: u32| is_left(thread) && fits(thread);
            // No op made the roots ready.
            let stamped = ops.scheduled(op).filter(|&at| !is_root(at));
            let by = || ended.when(trace, device, stamped?, start).map(|by| self.thread(by));
            let follows = match turn {
                Turn::Kept | Turn::Left => turns
                    .before(place)
                    .map(|before| self.thread(executor_ops[before]))
                    .filter(|&thread| (thread as usize) < left.len() && fits(thread)),
                Turn::Sent => None,
                Turn::Unknown => {
                    in_row.filter(|&thread| fits(thread)).or_else(|| by().filter(|&thread| fits_now(thread)))
                }
            };
            let known_thread = known.map(|(thread, _)| thread);
            let of_row = known_row[place].filter(|&thread| fits_now(thread));
            let thread = known_thread.or(follows).or(of_row).or_else(|| {
                let ended = free.range(..=(start, u32::MAX)).rev().take(MAX_SOUGHT);
                ended.map(|(&(_, thread), ())| thread).find(|&thread| fits(thread))
            });
            let thread = thread.unwrap_or_else(|| {
                last.push(None);
                left.push(Timestamp(i64::MIN));
                last.len() as u32 - 1
            });
            let row = thread as usize;
            free.remove(&(left[row], thread));
            let is_before = |before: &OpId| ops.end(*before) <= start;
            // The asynchronous op before it may still run elsewhere.
            let before = last[row]
                .and_then(|last| Some(last).filter(is_before).or(self.before(last).filter(is_before)));
            self.before[op.index()] = before.map_or(0, |before| before.get() + 1);
            last[row] = Some(op);
            left[row] = left[row].max(known.map_or(row_end, |(_, leaves)| leaves));
            free.insert((left[row], thread), ());
            (self.thread[op.index()], self.is_recorded[op.index()]) = (thread, known.is_some());
            if let Some(stamp) = stamp {
                batches.insert(stamp, (thread, op));
            }
        }
    }

    /// The op that ran before `op` on its thread.
    #[inline]
    pub fn before(&self, op: OpId) -> Option<OpId> {
        self.before[op.index()].checked_sub(1).map(OpId::new)
    }

    /// The last op of the batch of `op` that had ended when `op` started.
    pub fn mate(&self, op: OpId) -> Option<OpId> {
        self.mate[op.index()].checked_sub(1).map(OpId::new)
    }

    /// The thread of `op`, counted from 0 for each device, or for all devices that share threads.
    pub fn thread(&self, op: OpId) -> u32 {
        self.thread[op.index()]
    }

    /// How `op` got its thread.
    #[inline]
    pub fn turn(&self, op: OpId) -> Turn {
        self.turn[op.index()]
    }

    /// Whether the thread of `op` was recorded; otherwise it is inferred.
    pub fn is_recorded(&self, op: OpId) -> bool {
        self.is_recorded[op.index()]
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.before.capacity() + self.mate.capacity() + self.thread.capacity()) * size_of::<u32>()
            + self.is_recorded.capacity()
            + self.turn.capacity() * size_of::<Turn>()
            + self.rules.capacity() * size_of::<Rule>()
            + self.pools.heap_bytes()
    }
}

/// The lists of devices that share threads: devices of one list ran ops on the same thread, as a host profiler recorded. Where none
/// did, they are the devices of one task: the executors of a step give their ops to one pool, that of the session or server
/// (`DirectSession::RunInternal`, `GraphMgr::StartParallelExecutors`).
fn sharing(trace: &Trace, host: &HostProfile, own_of: &[Vec<OpId>]) -> Vec<Vec<DeviceId>> {
    let used = trace.devices().ids().filter(|device| !own_of[device.index()].is_empty());
    if host.threads().is_empty() {
        return lists_by_task(trace, used);
    }
    let mut lists: Vec<Vec<DeviceId>> = used.map(|device| vec![device]).collect();
    let mut device_of: Vec<Option<DeviceId>> = vec![None; host.threads().len()];
    for (op, event) in host.joined() {
        let device = trace.device_of(op);
        let Some(thread) = event.thread else { continue };
        let first = *device_of[thread as usize].get_or_insert(device);
        let place = |device| lists.iter().position(|list| list.contains(&device));
        if let (true, Some(a), Some(b)) = (first != device, place(first), place(device))
            && a != b
        {
            let other = lists.remove(a.max(b));
            lists[a.min(b)].extend(other);
        }
    }
    lists.iter_mut().for_each(|list| order::by_number(list, |device| (i64::from(device.get()), 0)));
    lists
}

fn lists_by_task(trace: &Trace, used: impl Iterator<Item = DeviceId>) -> Vec<Vec<DeviceId>> {
    let mut lists: Vec<Vec<DeviceId>> = Vec::new();
    let mut row_of_task: HashMap<&str, usize, FixedState> = HashMap::default();
    for device in used {
        let row = match task_of(trace.text(trace.devices().get(device).name)) {
            Some(task) => *row_of_task.entry(task).or_insert(lists.len()),
            None => lists.len(),
        };
        if row == lists.len() {
            lists.push(Vec::new());
        }
        lists[row].push(device);
    }
    lists
}

/// The largest time between the end of an op and the stamp of the ops that it made ready. Most releases stamp first and then end
/// the op; some do it the other way round.
const STAMPED: Nanos = Nanos(1_000);

/// The search looks at this many ends before and after a moment. Any number of ops without length may end at once, so the search
/// needs a bound.
const MOST_NEAR: usize = 16;

/// Ops by device and end.
struct Ended {
    /// (device, end, op), sorted.
    ops: Vec<(DeviceId, Timestamp, OpId)>,
}

impl Ended {
    fn of(trace: &Trace, executor_ops: &[OpId]) -> Self {
        let mut ops: Vec<_> =
            executor_ops.iter().map(|&op| (trace.device_of(op), trace.ops().end(op), op)).collect();
        order::by_number(&mut ops, |(_, end, op)| (end.0, i64::from(op.get())));
        order::by_number(&mut ops, |(device, ..)| (i64::from(device.get()), 0));
        Self { ops }
    }

    /// The op of `device` that ended nearest to `at`, among the ops that started before `at` and ended by `start`; `None` if it is
    /// further from `at` than stamping explains.
    fn when(&self, trace: &Trace, device: DeviceId, at: Timestamp, start: Timestamp) -> Option<OpId> {
        let place = self.ops.partition_point(|&(recorded_on, end, _)| (recorded_on, end) < (device, at));
        let is_near = |&&(recorded_on, end, op): &&(DeviceId, Timestamp, OpId)| {
            // An op that starts together with this one, or later, has no thread yet, even if damaged stamps say otherwise.
            let has_begun = trace.ops().start(op) < at.min(start);
            recorded_on == device && end <= start && has_begun && (end - at).max(at - end) <= STAMPED
        };
        let before = self.ops[..place].iter().rev().take(MOST_NEAR).find(is_near);
        let after = self.ops[place..].iter().take(MOST_NEAR).find(is_near);
        let nearest = before.into_iter().chain(after).min_by_key(|&&(_, end, _)| (end - at).max(at - end));
        nearest.map(|&(.., op)| op)
    }
}

/// When threads are known to be busy.
struct Busy {
    /// For each op its thread, counted from 0, and when it left the thread.
    of_op: HashMap<OpId, (u32, Timestamp), FixedState>,
    /// For each thread the start times of its ops, in order.
    starts: Vec<Vec<Timestamp>>,
    /// For each thread how many of these starts were passed already.
    met: Vec<usize>,
}

impl Busy {
    fn of(trace: &Trace, host: &HostProfile, executor_ops: &[OpId]) -> Self {
        let mut found = Self { of_op: HashMap::default(), starts: Vec::new(), met: Vec::new() };
        if host.is_empty() {
            return found;
        }
        let mut row_of: HashMap<u32, u32, FixedState> = HashMap::default();
        let mut last: Vec<OpId> = Vec::new();
        for &op in executor_ops {
            let Some(thread) = host.thread(op) else { continue };
            let row = *row_of.entry(thread).or_insert(last.len() as u32);
            let Interval { start, end } = trace.ops().interval(op);
            match last.get_mut(row as usize) {
                Some(last) => {
                    // An asynchronous op leaves its thread once it has begun: the next op on the thread shows when.
                    let before = std::mem::replace(last, op);
                    if let (Some(own), Some(kernel)) =
                        (found.of_op.get_mut(&before), host.kernel(trace, before))
                        && own.1 > start
                    {
                        own.1 = kernel.end;
                    }
                    found.starts[row as usize].push(start);
                }
                None => {
                    last.push(op);
                    found.starts.push(vec![start]);
                }
            }
            found.of_op.insert(op, (row, end));
        }
        found.met = vec![0; found.starts.len()];
        found
    }

    /// The thread of `op`, if it is known.
    fn thread(&self, op: OpId) -> Option<u32> {
        self.of_op.get(&op).map(|&(thread, _)| thread)
    }

    /// The number of known threads.
    fn threads(&self) -> usize {
        self.starts.len()
    }

    /// The thread of `op` and when the op left it, if that is known. Must be called for each op in order of start.
    fn meet(&mut self, op: OpId) -> Option<(u32, Timestamp)> {
        let known = self.of_op.get(&op).copied();
        if let Some((thread, _)) = known {
            self.met[thread as usize] += 1;
        }
        known
    }

    /// Whether `thread` is not known to run anything else between now and `end`.
    fn is_free(&self, thread: u32, end: Timestamp) -> bool {
        let next = || self.starts.get(thread as usize)?.get(self.met[thread as usize]);
        next().is_none_or(|&next| next >= end)
    }
}

/// For `executor_ops`, in order of start: how many neighbours were scheduled in the same microsecond, and how many of these ran one after
/// the other. Uses whole microseconds, which every version of TensorFlow records.
fn in_rows(trace: &Trace, executor_ops: &[OpId]) -> (u64, u64) {
    let ops = trace.ops();
    let mut last_of: HashMap<i64, OpId, FixedState> = HashMap::default();
    let (mut neighbours, mut in_a_row) = (0, 0);
    let us = |time: Timestamp| (trace.origin_unix_ns().wrapping_add(time.0)).div_euclid(MICROSECOND);
    let mut executor_ops = executor_ops.to_vec();
    order::by_number(&mut executor_ops, |op| (us(ops.start(op)), us(ops.end(op))));
    for op in executor_ops {
        let Some(scheduled) = ops.scheduled(op) else { continue };
        if let Some(last) = last_of.insert(us(scheduled), op) {
            neighbours += 1;
            in_a_row += u64::from(us(ops.end(last)) <= us(ops.start(op)));
        }
    }
    (neighbours, in_a_row)
}
