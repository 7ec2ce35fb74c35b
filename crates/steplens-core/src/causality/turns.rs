//! Turns: for each op of an executor the op that held the thread which it took.
//!
//! Where threads were recorded, that is the op before on the thread. Otherwise it is, of the ops that share threads with it and
//! had ended when it began, the op before on its inferred thread if that had ended within a dispatch, or else the one that ended last;
//! but none whose thread another op had taken meanwhile. If none of these ended within a dispatch, an op that still ran had what it
//! waited for (an op may keep all cores): of these the first one to end. Otherwise it is the one that ended last. So one rule holds
//! for devices of one task and for all tasks of one process.

use super::pools::{MAX_DISPATCH, Pool};
use super::threads::Threads;
use crate::base::order;
use crate::base::units::Timestamp;
use crate::{OpId, Trace};
use std::collections::BTreeSet;

/// For each op the op that held its thread.
#[derive(Default)]
pub struct Turns {
    /// The op, plus one; 0 where there is none.
    before: Vec<u32>,
}

impl Turns {
    /// Finds them, in time n log n.
    pub(super) fn found(trace: &Trace, threads: &Threads) -> Self {
        let mut turns = Self::default();
        if threads.rules.is_empty() {
            return turns;
        }
        turns.before = vec![0; trace.ops().len()];
        for pool in threads.pools.all() {
            turns.take(trace, threads, pool);
        }
        turns
    }

    fn take(&mut self, trace: &Trace, threads: &Threads, pool: &Pool) {
        let ops = trace.ops();
        let mut by_start = pool.ended().to_vec();
        order::by_number(&mut by_start, |op| (ops.start(op).0, ops.end(op).0));
        let mut by_end = pool.ended().iter().copied().peekable();
        // The ops whose thread nobody has taken.
        let mut free: BTreeSet<(Timestamp, OpId)> = BTreeSet::new();
        let mut latest: Option<(Timestamp, OpId)> = None;
        let mut running: BTreeSet<(Timestamp, OpId)> = BTreeSet::new();
        for op in by_start {
            let start = ops.start(op);
            while let Some(ended) = by_end.next_if(|&other| ops.end(other) <= start) {
                latest = Some((ops.end(ended), ended));
                free.extend(latest);
                running.remove(&(ops.end(ended), ended));
            }
            let own = threads.before(op).map(|before| (ops.end(before), before));
            let is_near = |&(end, _): &(Timestamp, OpId)| start - end <= MAX_DISPATCH;
            let own = own.filter(|own| threads.is_recorded(op) || (is_near(own) && free.contains(own)));
            let taken = match threads.is_recorded(op) {
                true => own,
                false => own.or_else(|| free.last().copied()),
            };
            taken.iter().for_each(|taken| _ = free.remove(taken));
            let held = match threads.is_recorded(op) {
                true => taken,
                false => {
                    let runs = || running.first().copied().filter(|&(_, other)| ops.start(other) < start);
                    taken.filter(is_near).or_else(runs).or(latest)
                }
            };
            running.insert((ops.end(op), op));
            self.before[op.index()] = held.map_or(0, |(_, before)| before.get() + 1);
        }
    }

    /// The op that held the thread which `op` took.
    pub fn before(&self, op: OpId) -> Option<OpId> {
        self.before.get(op.index())?.checked_sub(1).map(OpId::new)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.before.capacity() * size_of::<u32>()
    }
}
