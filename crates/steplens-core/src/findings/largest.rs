//! Which op types have most of some segments of the path: the one that has more than half, or else the largest few.

use super::rules::marking;
use crate::base::units::Nanos;
use crate::causality::observed::{Segment, SegmentKind};
use crate::gpu::accelerators::is_of_executor_itself;
use crate::model::category::only_wraps;
use crate::{OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A name is said if it has more than this share of what decides, in percent.
const NAMED_PERCENT: i128 = 50;
/// Where none has, those are said that have this share, in percent,
const LARGE_PERCENT: i128 = 10;
/// and no more than this number of them.
const MOST_LARGE: usize = 3;

/// The op type that has most of `segments` in which something ran: its longest op, and how much it has; `None` if that is no more than half of `all`.
pub(super) fn most_of<'a>(
    trace: &Trace,
    segments: impl Iterator<Item = &'a Segment>,
    all: Nanos,
) -> Option<(OpId, Nanos)> {
    let rows = by_type(trace, segments);
    let most = rows.into_iter().max_by_key(|&(sum, _, op)| (sum, std::cmp::Reverse(op)));
    let most = most.filter(|(sum, ..)| i128::from(sum.0) * 100 > i128::from(all.0) * NAMED_PERCENT);
    most.map(|(sum, _, op)| (op, sum))
}

/// The op types that have much of `segments`, the largest first: each its longest op, and how much it has.
pub(super) fn largest_of<'a>(
    trace: &Trace,
    segments: impl Iterator<Item = &'a Segment>,
    all: Nanos,
) -> Vec<(OpId, Nanos)> {
    // What the profiler does is no work of the program.
    let marks = marking(trace);
    let mut rows = by_type(trace, segments.filter(|own| !marks[trace.ops().node(own.op).index()]));
    rows.retain(|(sum, ..)| i128::from(sum.0) * 100 >= i128::from(all.0) * LARGE_PERCENT);
    rows.sort_by_key(|&(sum, _, op)| (std::cmp::Reverse(sum), op));
    rows.into_iter().take(MOST_LARGE).map(|(sum, _, op)| (op, sum)).collect()
}

/// For each op type what ran of `segments`, its longest segment, and the op of that.
fn by_type<'a>(trace: &Trace, segments: impl Iterator<Item = &'a Segment>) -> Vec<(Nanos, Nanos, OpId)> {
    let mut rows: HashMap<StringId, (Nanos, Nanos, OpId), FixedState> = HashMap::default();
    for own in segments {
        let length = own.interval.length();
        // Between two ops nothing of the second one ran.
        let is_between = matches!(
            own.kind,
            SegmentKind::Gap | SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps
        );
        if !is_between && !only_wraps(trace.op_type(own.op)) && !is_of_executor_itself(trace, own.op) {
            let op_type = trace.nodes().op_type(trace.ops().node(own.op));
            let row = rows.entry(op_type).or_insert((Nanos(0), Nanos(0), own.op));
            row.0 += length;
            if length > row.1 {
                (row.1, row.2) = (length, own.op);
            }
        }
    }
    rows.into_values().collect()
}
