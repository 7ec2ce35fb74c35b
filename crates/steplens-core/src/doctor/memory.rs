//! Allocators whose reports contradict themselves.

use super::{Finding, FindingKind, about};
use crate::Trace;
use crate::model::memory::{AllocationRecord, AllocatorUse};

/// Finds ops with impossible allocator figures: the peak is larger than the total, the end is larger than the peak, or the records add up
/// to more than the total.
pub(super) fn find(trace: &Trace) -> Option<Finding> {
    let memory = trace.memory();
    if !memory.has_reports() {
        return None;
    }
    let is_impossible = |&op: &_| memory.of(op).any(|(used, records)| is_impossible(used, records));
    about(trace, FindingKind::ImpossibleMemory, trace.ops().ids().filter(is_impossible))
}

fn is_impossible(used: AllocatorUse, records: impl Iterator<Item = AllocationRecord>) -> bool {
    if used.peak > used.total || used.live > used.peak {
        return true;
    }
    let allocated = records.filter(|record| record.bytes > 0).map(|record| i128::from(record.bytes));
    allocated.sum::<i128>() > i128::from(used.total.0)
}
