//! Why a tensor is alive: which ops read it, what the last of them waited for, and what else is alive because of that.

use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::memory::why::{self as core_why, Holders};
use steplens_core::memory::{Account, alive};
use steplens_core::{Study, Timestamp};

/// The most readers that are listed; the count has all of them.
const MOST_READERS: usize = 100;

/// An op that keeps tensors alive at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryHolder {
    /// The op.
    pub op: OpRef,
    /// The bytes that are alive at least until it ends.
    pub bytes: u64,
    /// The number of tensors with these bytes.
    pub tensors: u64,
}

#[derive(Serialize)]
struct MemoryWhy<'a> {
    /// The op that allocated it.
    op: OpRef,
    name: &'a str,
    output: Option<u32>,
    bytes: u64,
    allocated_ns: Option<i64>,
    freed_ns: Option<i64>,
    /// The first of the ops that read it, the last to end first; `reader_count` is the number of all.
    readers: Vec<OpRef>,
    reader_count: usize,
    /// How many of them have not ended at that moment.
    waiting: u64,
    last: Option<LastReader>,
    /// The ops that keep it alive: the nearest first, each held back by the next.
    holders: Vec<MemoryHolder>,
}

/// The last reader of a tensor.
#[derive(Serialize)]
struct LastReader {
    op: OpRef,
    /// The op that ended last among those that made its inputs.
    waited_for: Option<OpRef>,
    /// When all inputs were ready.
    ready_ns: i64,
    /// How long it did not run although all inputs were ready.
    late_ns: i64,
    /// The bytes that would be free at that moment if it had run right after its inputs were ready.
    would_free_bytes: u64,
    /// The bytes that its outputs would need instead.
    would_need_bytes: u64,
}

/// The ops that keep the most bytes alive in `account` at `at`.
pub fn holders_at(study: &Study, account: &Account, at: Timestamp, most: usize) -> Vec<MemoryHolder> {
    let holders = Holders::found(study.trace(), study.reads(), account, at);
    holders.largest(most).into_iter().map(|own| holder(study, own)).collect()
}

/// Why the life `row` of `account` is alive at `at`; `None` if there is no such life.
pub fn why(study: &Study, account: &Account, row: usize, at: Timestamp) -> Option<String> {
    if row >= account.lives.len() {
        return None;
    }
    let (trace, reads, life) = (study.trace(), study.reads(), account.lives.get(row));
    let why = Holders::found(trace, reads, account, at).why(trace, reads, account, row);
    let op = |op| OpRef::of(study, op);
    let last = |own: core_why::LastReader| LastReader {
        op: op(own.op),
        waited_for: own.waited_for.map(op),
        ready_ns: own.ready.0,
        late_ns: own.late.0,
        would_free_bytes: own.would_free.0,
        would_need_bytes: own.would_need.0,
    };
    Some(text(&MemoryWhy {
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

fn holder(study: &Study, own: core_why::Holder) -> MemoryHolder {
    MemoryHolder { op: OpRef::of(study, own.op), bytes: own.bytes.0, tensors: own.tensors }
}
