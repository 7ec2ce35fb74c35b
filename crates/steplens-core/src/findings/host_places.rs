//! Into what a verdict divides the time of a host on the path.

use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::{begins_executor, ends_executor};
use crate::model::category::runs_python;
use crate::{Category, Trace};

/// How many parts there are.
pub(super) const PLACES: usize = 7;
/// Where the time of the host in operators stands.
pub(super) const OPERATORS: usize = 0;
/// Where its calls of a driver stand.
pub(super) const CALLS: usize = 1;
/// Where its time between these stands, and the beginning of an executor.
pub(super) const BETWEEN: usize = 2;
pub(super) const BEGINNING: usize = 3;
/// Where its calls stand that wait, after the GPU was done.
pub(super) const WAITING: usize = 4;
/// Where what the profiler noted as overhead stands.
pub(super) const OVERHEAD: usize = 5;
/// Where its calls stand that get memory or give it back, if they are much.
pub(super) const ALLOCATING: usize = 6;

/// The place of the time of `own`.
pub(super) fn place_of_host(trace: &Trace, own: &Segment) -> usize {
    match own.kind {
        SegmentKind::Compute if trace.is_call(own.op) => CALLS,
        // The same parts as those of the idle time of a GPU.
        SegmentKind::Compute if begins_executor(trace, own.op) => BEGINNING,
        SegmentKind::Compute if ends_executor(trace, own.op) || runs_python(trace.op_type(own.op)) => BETWEEN,
        SegmentKind::Compute => OPERATORS,
        SegmentKind::Launching if trace.category(own.op) == Category::Waiting => WAITING,
        SegmentKind::Allocating => ALLOCATING,
        SegmentKind::Launching => CALLS,
        _ => BETWEEN,
    }
}
