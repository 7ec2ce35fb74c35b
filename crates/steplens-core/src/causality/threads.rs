//! TensorFlow's executor threads: recorded where a host profiler or the format says them, else inferred.
//!
//! RunMetadata says one thread a device. What it says is when the executor scheduled each op: nodes that became ready together are
//! stamped once, and the cheap ones of such a batch run one after another on the thread that made them ready
//! (`ScheduleReady` in `executor.cc`). So an op goes on where the op before it of its batch ran, if that had ended; else where the op ran
//! that ended when it was scheduled, which made it ready; else where the op ran that had ended last, since that thread was free; else on a
//! thread of its own. `docs/critical-path.md` has how often that is right, by the releases that recorded threads.
//!
//! Where TensorFlow's host profiler recorded the thread of an op ([`HostProfile`]), the op is on that one, and no other op is put where
//! its thread is known to run something else. Devices whose ops ran on one thread share their threads.

use super::pools::{MAX_DISPATCH, Pools};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::has_kernels;
use crate::host_profile::HostProfile;
use crate::model::device::is_of_executor;
use crate::transfers::Transfers;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// TensorFlow's clocks of scheduling say microseconds; later versions nanoseconds, too.
const MICROSECOND: i64 = 1_000;

/// Of so many threads that came free last one is sought that is not known to be busy: more than machines have cores.
const MAX_SOUGHT: usize = 1_024;

/// How far the rule holds on one device: neighbours that were scheduled in one microsecond, and how many of them ran strictly in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The device.
    pub device: DeviceId,
    /// How many pairs of neighbours share a microsecond.
    pub neighbours: u64,
    /// How many of these ran one after the other.
    pub in_a_row: u64,
    /// How many threads its ops are on: of inferred ones, so many as it takes to run what ran at the same time.
    pub threads: u32,
    /// Of how many of its ops the thread was recorded; those of the others are inferred.
    pub recorded: u64,
    /// How many ops of it ran on threads.
    pub ops: u64,
}

impl Rule {
    /// Whether the thread of any of its ops is inferred.
    pub fn is_inferred(&self) -> bool {
        self.recorded < self.ops
    }
}

/// Which op ran before each on its thread.
#[derive(Default)]
pub struct Threads {
    /// By op: the op before it on its thread, plus one; 0 where there is none.
    before: Vec<u32>,
    /// By op: the last one that had ended of those that were scheduled with it, plus one; 0 where there is none.
    mate: Vec<u32>,
    /// By op: its thread, among those of the devices that share theirs with its device.
    thread: Vec<u32>,
    /// Whether the thread of an op was recorded.
    is_recorded: Vec<bool>,
    /// By device that an executor runs.
    pub rules: Vec<Rule>,
    /// When as many ops ran as ever did.
    pub pools: Pools,
}

impl Threads {
    /// The threads of all executors, in time n log n.
    pub fn of(trace: &Trace, transfers: &Transfers, host: &HostProfile) -> Self {
        let count = trace.ops().len();
        let mut threads = Self {
            before: vec![0; count],
            mate: vec![0; count],
            thread: vec![0; count],
            is_recorded: vec![false; count],
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
        for devices in &sharing {
            threads.add(trace, host, devices, &own_of);
        }
        order::by_number(&mut threads.rules, |rule| (i64::from(rule.device.get()), 0));
        threads.pools = Pools::of(trace, own_of, sharing, !host.threads().is_empty());
        threads.rules.shrink_to_fit();
        threads
    }

    /// The threads of `devices`, which share them.
    fn add(&mut self, trace: &Trace, host: &HostProfile, devices: &[DeviceId], own_of: &[Vec<OpId>]) {
        let all = || devices.iter().flat_map(|device| own_of[device.index()].iter().copied());
        let mut own: Vec<OpId> = all().collect();
        let Some(&first) = own.first() else { return };
        let differ = own.iter().any(|&op| trace.ops().thread(op) != trace.ops().thread(first));
        // TensorFlow's executor numbers no threads: `timeline.py` writes its lanes into the message that it draws, which is then saved.
        let is_of_executor =
            |device: &DeviceId| is_of_executor(trace.text(trace.devices().get(*device).name));
        if differ && !devices.iter().any(is_of_executor) {
            self.take(trace, own);
        } else {
            // Those of one device are in this order already.
            order::by_number(&mut own, |op| (trace.ops().start(op).0, 0));
            self.infer(trace, &own, Busy::of(trace, host, &own));
        }
        for &device in devices {
            let own = &own_of[device.index()];
            let (neighbours, in_a_row) = in_rows(trace, own);
            let mut used: Vec<u32> = own.iter().map(|&op| self.thread(op)).collect();
            order::by_number(&mut used, |thread| (i64::from(thread), 0));
            used.dedup();
            self.rules.push(Rule {
                device,
                neighbours,
                in_a_row,
                threads: used.len() as u32,
                recorded: own.iter().filter(|&&op| self.is_recorded(op)).count() as u64,
                ops: own.len() as u64,
            });
        }
    }

    /// As the format records them: one op after another of each thread.
    fn take(&mut self, trace: &Trace, mut own: Vec<OpId>) {
        order::by_number(&mut own, |op| (i64::from(trace.ops().thread(op)), 0));
        let by_thread = own.chunk_by(|&a, &b| trace.ops().thread(a) == trace.ops().thread(b));
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

    /// Inferred, but for those that `busy` knows; `own` are in order of start.
    fn infer(&mut self, trace: &Trace, own: &[OpId], mut busy: Busy) {
        let ops = trace.ops();
        // Of each thread the last op; free ones by when that left its thread.
        let mut last: Vec<Option<OpId>> = vec![None; busy.threads()];
        let mut left: Vec<Timestamp> = vec![Timestamp(i64::MIN); busy.threads()];
        let mut free: BTreeMap<(Timestamp, u32), ()> = BTreeMap::new();
        // What was scheduled when the executor began are its roots: they go to the threads one by one, and wait in one row.
        let mut began: HashMap<DeviceId, Timestamp, FixedState> = HashMap::default();
        let mut of_op: Vec<DeviceId> = Vec::with_capacity(own.len());
        for &op in own {
            let device = of_op.last().copied().filter(|&last| trace.devices().get(last).has_op(op));
            let device = device.unwrap_or_else(|| trace.device_of(op));
            of_op.push(device);
            if let Some(at) = ops.scheduled(op) {
                let first = began.entry(device).or_insert(at);
                *first = at.min(*first);
            }
        }
        let ended = Ended::of(trace, own);
        // By device and stamp: the thread of the op that was met last, and that op.
        let mut batches: HashMap<(DeviceId, i64), (u32, OpId), FixedState> = HashMap::default();
        for (&op, &device) in own.iter().zip(&of_op) {
            let (start, end) = (ops.start(op), ops.end(op));
            let is_root = |at: Timestamp| began.get(&device).is_some_and(|&began| at - began <= MAX_DISPATCH);
            let stamp = ops.scheduled(op).map(|at| (device, if is_root(at) { i64::MIN } else { at.0 }));
            let batch = stamp.and_then(|stamp| batches.get(&stamp).copied());
            // What still runs on another thread is not what it waited for.
            let has_ended = |mate: OpId| if ops.end(mate) <= start { Some(mate) } else { self.mate(mate) };
            let mate = batch.and_then(|(_, mate)| has_ended(mate));
            self.mate[op.index()] = mate.map_or(0, |mate| mate.get() + 1);
            let known = busy.meet(op);
            // Where it ran on, if what its thread ran last has left it.
            let in_row = batch.map(|(thread, _)| thread).filter(|&thread| left[thread as usize] <= start);
            let fits = |thread: u32| busy.is_free(thread, end);
            let fits_now = |thread: u32| left[thread as usize] <= start && fits(thread);
            // Roots were made ready by no op.
            let stamped = ops.scheduled(op).filter(|&at| !is_root(at));
            let by = || ended.when(trace, device, stamped?, start).map(|by| self.thread(by));
            let known_thread = known.map(|(thread, _)| thread).or(in_row.filter(|&thread| fits(thread)));
            let thread = known_thread.or_else(|| by().filter(|&thread| fits_now(thread))).or_else(|| {
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
            // An asynchronous op before it may still go on elsewhere.
            let before = last[row]
                .and_then(|last| Some(last).filter(is_before).or(self.before(last).filter(is_before)));
            self.before[op.index()] = before.map_or(0, |before| before.get() + 1);
            last[row] = Some(op);
            left[row] = left[row].max(known.map_or(end, |(_, leaves)| leaves));
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

    /// The last op that had ended when `op` started, of those that were scheduled with it.
    pub fn mate(&self, op: OpId) -> Option<OpId> {
        self.mate[op.index()].checked_sub(1).map(OpId::new)
    }

    /// The thread of `op`, counted from 0 for each device, or for all devices that share threads.
    pub fn thread(&self, op: OpId) -> u32 {
        self.thread[op.index()]
    }

    /// Whether the thread of `op` was recorded; else it is inferred.
    pub fn is_recorded(&self, op: OpId) -> bool {
        self.is_recorded[op.index()]
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.before.capacity() + self.mate.capacity() + self.thread.capacity()) * size_of::<u32>()
            + self.is_recorded.capacity()
            + self.rules.capacity() * size_of::<Rule>()
            + self.pools.heap_bytes()
    }
}

/// The devices that share threads, each list by what a host profiler recorded: those of one list ran ops on one thread.
fn sharing(trace: &Trace, host: &HostProfile, own_of: &[Vec<OpId>]) -> Vec<Vec<DeviceId>> {
    let used = trace.devices().ids().filter(|device| !own_of[device.index()].is_empty());
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

/// How far an op may end from when the executor stamped what that made ready: it stamps first and ends the op then, and some releases the
/// other way round.
const STAMPED: Nanos = Nanos(1_000);

/// How many ends before and after a moment are looked through: ops of no length may end with any number of others.
const MOST_NEAR: usize = 16;

/// Ops by device and end.
struct Ended {
    /// (device, end, op), in order.
    ops: Vec<(DeviceId, Timestamp, OpId)>,
}

impl Ended {
    fn of(trace: &Trace, own: &[OpId]) -> Self {
        let mut ops: Vec<_> = own.iter().map(|&op| (trace.device_of(op), trace.ops().end(op), op)).collect();
        order::by_number(&mut ops, |(_, end, op)| (end.0, i64::from(op.get())));
        order::by_number(&mut ops, |(device, ..)| (i64::from(device.get()), 0));
        Self { ops }
    }

    /// The op of `device` that ended nearest to `at`, of those that started before that and ended by `start`; none if that is further than
    /// stamping explains.
    fn when(&self, trace: &Trace, device: DeviceId, at: Timestamp, start: Timestamp) -> Option<OpId> {
        let place = self.ops.partition_point(|&(own, end, _)| (own, end) < (device, at));
        let is_near = |&&(own, end, op): &&(DeviceId, Timestamp, OpId)| {
            // What starts with it, or after it, has no thread yet, whatever damaged stamps say.
            let has_begun = trace.ops().start(op) < at.min(start);
            own == device && end <= start && has_begun && (end - at).max(at - end) <= STAMPED
        };
        let before = self.ops[..place].iter().rev().take(MOST_NEAR).find(is_near);
        let after = self.ops[place..].iter().take(MOST_NEAR).find(is_near);
        let nearest = before.into_iter().chain(after).min_by_key(|&&(_, end, _)| (end - at).max(at - end));
        nearest.map(|&(.., op)| op)
    }
}

/// When threads are known to run what.
struct Busy {
    /// By op: its thread, counted from 0, and when it left that.
    of_op: HashMap<OpId, (u32, Timestamp), FixedState>,
    /// By thread: when its ops started, in order.
    starts: Vec<Vec<Timestamp>>,
    /// By thread: how many of these were met.
    met: Vec<usize>,
}

impl Busy {
    fn of(trace: &Trace, host: &HostProfile, own: &[OpId]) -> Self {
        let mut found = Self { of_op: HashMap::default(), starts: Vec::new(), met: Vec::new() };
        if host.is_empty() {
            return found;
        }
        let mut row_of: HashMap<u32, u32, FixedState> = HashMap::default();
        let mut last: Vec<OpId> = Vec::new();
        for &op in own {
            let Some(thread) = host.thread(op) else { continue };
            let row = *row_of.entry(thread).or_insert(last.len() as u32);
            let Interval { start, end } = trace.ops().interval(op);
            match last.get_mut(row as usize) {
                Some(last) => {
                    // An asynchronous op leaves its thread when it has begun: what ran there next shows it.
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

    /// How many threads are known.
    fn threads(&self) -> usize {
        self.starts.len()
    }

    /// The thread of `op` and when it left that, if it is known. Asked for each op in order of start.
    fn meet(&mut self, op: OpId) -> Option<(u32, Timestamp)> {
        let known = self.of_op.get(&op).copied();
        if let Some((thread, _)) = known {
            self.met[thread as usize] += 1;
        }
        known
    }

    /// Whether `thread` is not known to run anything else from now until `end`.
    fn is_free(&self, thread: u32, end: Timestamp) -> bool {
        let next = || self.starts.get(thread as usize)?.get(self.met[thread as usize]);
        next().is_none_or(|&next| next >= end)
    }
}

/// Of `own`, in order of start: how many neighbours were scheduled in one microsecond, and how many of these ran one after the other. In
/// whole microseconds, which is what every version of TensorFlow records.
fn in_rows(trace: &Trace, own: &[OpId]) -> (u64, u64) {
    let ops = trace.ops();
    let mut last_of: HashMap<i64, OpId, FixedState> = HashMap::default();
    let (mut neighbours, mut in_a_row) = (0, 0);
    let us = |time: Timestamp| (trace.origin_unix_ns().wrapping_add(time.0)).div_euclid(MICROSECOND);
    let mut own = own.to_vec();
    order::by_number(&mut own, |op| (us(ops.start(op)), us(ops.end(op))));
    for op in own {
        let Some(scheduled) = ops.scheduled(op) else { continue };
        if let Some(last) = last_of.insert(us(scheduled), op) {
            neighbours += 1;
            in_a_row += u64::from(us(ops.end(last)) <= us(ops.start(op)));
        }
    }
    (neighbours, in_a_row)
}
