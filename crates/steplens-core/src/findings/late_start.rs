//! A rank whose recording begins after that of others, while the path waits for its first op.

use crate::base::units::Nanos;
use crate::causality::observed::{Segment, SegmentKind};
use crate::{OpId, StringId, Study, Timestamp};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// It is said from this part of the time on, as its divisor.
const LEAST: i64 = 10;

/// A rank that begins after others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateStart {
    /// The rank.
    pub task: StringId,
    /// How much later than the first one it begins.
    pub time: Nanos,
    /// The first one.
    pub first: StringId,
    /// From the first op of a rank to its last: the shortest, and the longest.
    pub lengths: (Nanos, Nanos),
}

/// The rank before whose first op the path waits, if that is much of the time.
pub(super) fn late_start(study: &Study, segments: &[Segment]) -> Option<LateStart> {
    let (trace, began) = (study.trace(), &study.causes().graph.began);
    let (first, since) = began.first()?;
    let waits = |own: &&Segment| own.kind == SegmentKind::Starting;
    let longest = segments.iter().filter(waits).max_by_key(|own| own.interval.length())?;
    let device = trace.devices().get(trace.device_of(longest.op));
    let task = device.task.filter(|&task| device.nests && task != first)?;
    let time = began.of(trace, trace.device_of(longest.op))? - since;
    let is_much = longest.interval.length().0.saturating_mul(LEAST) >= trace.span().length().0;
    if !is_much {
        return None;
    }
    let mut ends: HashMap<StringId, Timestamp, FixedState> = HashMap::default();
    for device in trace.devices().ids() {
        let Some(task) = trace.devices().get(device).task else { continue };
        let works = |op: &OpId| !trace.nodes().is_range(trace.ops().node(*op));
        let last = trace.ops_of(device).filter(works).map(|op| trace.ops().end(op)).max();
        if let Some(end) = last {
            ends.entry(task).and_modify(|own| *own = end.max(*own)).or_insert(end);
        }
    }
    let lengths = began.tasks().filter_map(|(task, since)| Some(*ends.get(&task)? - since));
    let lengths: Vec<Nanos> = lengths.collect();
    let lengths = (lengths.iter().copied().min()?, lengths.iter().copied().max()?);
    Some(LateStart { task, time, first, lengths })
}
