//! TensorFlow's executor threads, inferred.
//!
//! RunMetadata says one thread a device. What it says is when the executor scheduled each op: nodes that became ready together are
//! stamped once, and the cheap ones of such a batch run one after another on the thread that made them ready
//! (`ScheduleReady` in `executor.cc`). So an op goes on where the op before it of its batch ran, if that had ended; else where the op ran that
//! had ended last, since that thread was free; else on a thread of its own. Where a format records threads, these are taken.

use super::observed::MAX_DISPATCH;
use super::pools::Pools;
use crate::base::order;
use crate::base::units::Timestamp;
use crate::gpu::kernels::has_kernels;
use crate::transfers::Transfers;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// TensorFlow's clocks of scheduling say microseconds; later versions nanoseconds, too.
const MICROSECOND: i64 = 1_000;

/// How far the rule holds on one device: neighbours that were scheduled in one microsecond, and how many of them ran strictly in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The device.
    pub device: DeviceId,
    /// How many pairs of neighbours share a microsecond.
    pub neighbours: u64,
    /// How many of these ran one after the other.
    pub in_a_row: u64,
    /// How many threads it takes to run what ran at the same time: at least so many there were.
    pub threads: u32,
    /// Whether the threads are inferred; else they were recorded.
    pub is_inferred: bool,
}

/// Which op ran before each on its thread.
#[derive(Default)]
pub struct Threads {
    /// By op: the op before it on its thread, plus one; 0 where there is none.
    before: Vec<u32>,
    /// By op: the last one that had ended of those that were scheduled with it, plus one; 0 where there is none.
    mate: Vec<u32>,
    /// By op: its thread among those of its device.
    thread: Vec<u32>,
    /// By device that an executor runs.
    pub rules: Vec<Rule>,
    /// When as many ops ran as ever did.
    pub pools: Pools,
}

impl Threads {
    /// The threads of all executors, in time n log n.
    pub(super) fn of(trace: &Trace, transfers: &Transfers) -> Self {
        let count = trace.ops().len();
        let mut threads =
            Self { before: vec![0; count], mate: vec![0; count], thread: vec![0; count], ..Self::default() };
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
            let own: Vec<OpId> = trace.ops_of(device).filter(runs).collect();
            let Some(&first) = own.first() else { continue };
            let recorded = own.iter().any(|&op| trace.ops().thread(op) != trace.ops().thread(first));
            let (neighbours, in_a_row) = in_rows(trace, &own);
            let count = if recorded { threads.take(trace, own.clone()) } else { threads.infer(trace, &own) };
            threads.rules.push(Rule { device, neighbours, in_a_row, threads: count, is_inferred: !recorded });
            own_of[device.index()] = own;
        }
        threads.pools = Pools::of(trace, own_of);
        threads.rules.shrink_to_fit();
        threads
    }

    /// As recorded: one op after another of each thread; returns how many threads there are.
    fn take(&mut self, trace: &Trace, mut own: Vec<OpId>) -> u32 {
        order::by_number(&mut own, |op| (i64::from(trace.ops().thread(op)), 0));
        let mut count = 0;
        for thread in own.chunk_by(|&a, &b| trace.ops().thread(a) == trace.ops().thread(b)) {
            let mut before: Option<OpId> = None;
            for &op in thread {
                self.thread[op.index()] = count;
                let is_after = |before: &OpId| trace.ops().end(*before) <= trace.ops().start(op);
                self.before[op.index()] = before.filter(is_after).map_or(0, |before| before.get() + 1);
                before = Some(op);
            }
            count += 1;
        }
        count
    }

    /// Inferred; `own` are in order of start. Returns how many threads there are.
    fn infer(&mut self, trace: &Trace, own: &[OpId]) -> u32 {
        let ops = trace.ops();
        // Of each thread the last op; free ones by that op's end.
        let mut last: Vec<OpId> = Vec::new();
        let mut free: BTreeMap<(Timestamp, u32), ()> = BTreeMap::new();
        // What was scheduled when the executor began are its roots: they go to the threads one by one, and wait in one row.
        let began = own.iter().filter_map(|&op| ops.scheduled(op)).min();
        let is_root = |at: Timestamp| began.is_some_and(|began| at - began <= MAX_DISPATCH);
        // By stamp: the thread of the op that was met last, and that op.
        let mut batches: HashMap<i64, (u32, OpId), FixedState> = HashMap::default();
        for &op in own {
            let (start, end) = (ops.start(op), ops.end(op));
            let stamp = ops.scheduled(op).map(|at| if is_root(at) { i64::MIN } else { at.0 });
            let batch = stamp.and_then(|stamp| batches.get(&stamp).copied());
            // Where it ran on, if what its thread ran last has ended.
            let in_row = batch.map(|(thread, _)| (ops.end(last[thread as usize]), thread));
            let in_row = in_row.filter(|&(end, _)| end <= start);
            // What still runs on another thread is not what it waited for.
            let ended = |mate: OpId| if ops.end(mate) <= start { Some(mate) } else { self.mate(mate) };
            let mate = batch.and_then(|(_, mate)| ended(mate));
            self.mate[op.index()] = mate.map_or(0, |mate| mate.get() + 1);
            let key = in_row.or_else(|| Some(*free.range(..=(start, u32::MAX)).next_back()?.0));
            let thread = match key {
                Some(key) => {
                    free.remove(&key);
                    self.before[op.index()] = last[key.1 as usize].get() + 1;
                    last[key.1 as usize] = op;
                    key.1
                }
                None => {
                    last.push(op);
                    last.len() as u32 - 1
                }
            };
            free.insert((end, thread), ());
            self.thread[op.index()] = thread;
            if let Some(stamp) = stamp {
                batches.insert(stamp, (thread, op));
            }
        }
        last.len() as u32
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

    /// The thread of `op`, counted for each device from 0.
    pub fn thread(&self, op: OpId) -> u32 {
        self.thread[op.index()]
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.before.capacity() + self.mate.capacity() + self.thread.capacity()) * size_of::<u32>()
            + self.rules.capacity() * size_of::<Rule>()
            + self.pools.heap_bytes()
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
