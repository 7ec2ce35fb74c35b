//! Why a tensor is alive: who reads it, what the last of them waited for, and what else is alive for that.

use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::memory::why::{self as core_why, Holders, LastReader};
use steplens_core::memory::{Account, alive};
use steplens_core::{Study, Timestamp};

/// How many readers are listed; the count says how many there are.
const MOST_READERS: usize = 100;

/// An op that keeps tensors alive at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct Holder {
    /// The op.
    pub op: OpRef,
    /// What is alive at least until it ends.
    pub bytes: u64,
    /// How many tensors that are.
    pub tensors: u64,
}

#[derive(Serialize)]
struct Why<'a> {
    /// What allocated it.
    op: OpRef,
    name: &'a str,
    output: Option<u32>,
    bytes: u64,
    allocated_ns: Option<i64>,
    freed_ns: Option<i64>,
    /// Those who read it, the last first: the first of `reader_count`.
    readers: Vec<OpRef>,
    reader_count: usize,
    /// How many of them have not ended at the moment.
    waiting: u64,
    last: Option<Last>,
    /// What it is alive for at least: the nearest first, each held back by the next.
    holders: Vec<Holder>,
}

/// The last reader of a tensor.
#[derive(Serialize)]
struct Last {
    op: OpRef,
    /// Of those who made its inputs, the one that ended last.
    waited_for: Option<OpRef>,
    /// When all inputs were there.
    ready_ns: i64,
    /// How long it did not run although all inputs were there.
    late_ns: i64,
    /// What would be freed by the moment if it had run right after its inputs were there.
    would_free_bytes: u64,
    /// What its outputs would take instead.
    would_need_bytes: u64,
}

/// The ops that keep the most of what is alive in `account` at `at`.
pub fn holders_at(study: &Study, account: &Account, at: Timestamp, most: usize) -> Vec<Holder> {
    let holders = Holders::of(study.trace(), study.reads(), account, at);
    holders.largest(most).into_iter().map(|own| holder(study, own)).collect()
}

/// Why the life `row` of `account` is alive at `at`; `None` if there is no such life.
pub fn why(study: &Study, account: &Account, row: usize, at: Timestamp) -> Option<String> {
    if row >= account.lives.len() {
        return None;
    }
    let (trace, reads, life) = (study.trace(), study.reads(), account.lives.get(row));
    let why = Holders::of(trace, reads, account, at).why(trace, reads, account, row);
    let op = |op| OpRef::of(study, op);
    let last = |own: LastReader| Last {
        op: op(own.op),
        waited_for: own.waited_for.map(op),
        ready_ns: own.ready.0,
        late_ns: own.late.0,
        would_free_bytes: own.would_free.0,
        would_need_bytes: own.would_need.0,
    };
    Some(text(&Why {
        op: op(life.op),
        name: alive::title(study.edges(), life.op),
        output: life.output,
        bytes: life.bytes.0,
        allocated_ns: life.allocated.map(|at| at.0),
        freed_ns: life.freed.map(|at| at.0),
        readers: why.readers.iter().rev().take(MOST_READERS).map(|&own| op(own)).collect(),
        reader_count: why.readers.len(),
        waiting: why.waiting,
        last: why.last.map(last),
        holders: why.holders.into_iter().map(|own| holder(study, own)).collect(),
    }))
}

fn holder(study: &Study, own: core_why::Holder) -> Holder {
    Holder { op: OpRef::of(study, own.op), bytes: own.bytes.0, tensors: own.tensors }
}
