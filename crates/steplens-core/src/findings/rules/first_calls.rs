//! Calls of a GPU's runtime that do what only a first call does: they start the driver or load a module, within a call that usually
//! takes microseconds. PyTorch's `alexnet` has one call of 30 s among 266 with a median of 2 µs.

use crate::base::units::Nanos;
use crate::{Category, OpId, Trace};

/// Such a call takes at least a millisecond,
const LEAST: Nanos = Nanos(1_000_000);
/// and 100 times the median of all calls.
const TIMES_MEDIAN: i64 = 100;

/// The calls that launch and take as long as only first calls do.
pub(super) fn first_calls(trace: &Trace) -> Vec<OpId> {
    let launches = || trace.ops().ids().filter(|&op| trace.category(op) == Category::Launch);
    let length = |op: OpId| trace.ops().interval(op).length();
    let mut lengths: Vec<Nanos> = launches().map(length).collect();
    if lengths.is_empty() {
        return Vec::new();
    }
    let middle = (lengths.len() - 1) / 2;
    let median = *lengths.select_nth_unstable(middle).1;
    let least = LEAST.max(Nanos(median.0.saturating_mul(TIMES_MEDIAN)));
    launches().filter(|&op| length(op) >= least).collect()
}
