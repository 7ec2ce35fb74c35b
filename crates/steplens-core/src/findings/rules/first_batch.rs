//! The first batch of an iterator that was made in this step: buffers fill then, files are opened, and no later batch takes as long.
//!
//! `MakeIterator` makes one each time that it runs. `OneShotIterator` runs in each step, and makes one only at first, which takes at least 1 ms.

use super::super::only_first::Shown;
use crate::OpId;
use crate::base::units::Nanos;

/// An iterator that is there already is handed out in less, and so is a batch.
const LEAST: Nanos = Nanos(1_000_000);
/// The first batch takes this many times the median of later ones.
const TIMES: i64 = 10;

/// What makes the first iterator, and what takes its first batch.
pub(super) fn first_batch(shown: &Shown<'_>) -> Vec<OpId> {
    let (trace, ops) = (shown.trace(), shown.trace().ops());
    let length = |op: OpId| ops.interval(op).length();
    let makes = |op: &OpId| match trace.op_type(*op) {
        "MakeIterator" => true,
        "OneShotIterator" => length(*op) >= LEAST,
        _ => false,
    };
    let counted = || ops.ids().take(trace.counted_ops());
    let Some(made) = counted().filter(makes).min_by_key(|&op| (ops.start(op), op)) else {
        return Vec::new();
    };
    let takes =
        |op: &OpId| trace.op_type(*op).contains("IteratorGetNext") && ops.start(*op) >= ops.start(made);
    let mut taken: Vec<OpId> = counted().filter(takes).collect();
    taken.sort_by_key(|&op| (ops.start(op), op));
    let Some((&first, later)) = taken.split_first() else { return Vec::new() };
    let mut later: Vec<i64> = later.iter().map(|&op| length(op).0).collect();
    later.sort_unstable();
    let usual = later.get(later.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    if length(first) < LEAST || length(first).0 < usual.saturating_mul(TIMES) {
        return Vec::new();
    }
    [made, first].into_iter().filter(|&op| length(op) >= LEAST).collect()
}
