//! The part of a program that has most of the time, where it marks its parts itself (`record_function`).

use super::pauses::is_of_profiler;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::model::category::REPEATED_ROW;
use crate::model::device::FRAMES;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// It has at least this part of the time, as percent,
const LEAST_PERCENT: i128 = 50;
/// and at most this: a range around all says nothing.
const MOST_PERCENT: i128 = 90;
/// What frameworks call their own ranges.
const OWN: [&str; 6] = ["ProfilerStep", "nccl:", "gloo:", "autograd::", "Torch-Compiled", "MXNDArray"];

/// The ranges of one name that have most of `window`, the shortest such name in all: one of them, and how long they run.
pub(super) fn own_range(trace: &Trace, window: Interval) -> Option<(OpId, Nanos)> {
    let marks: HashSet<OpId, FixedState> = trace.marks().iter().map(|&(_, mark)| mark).collect();
    let mut of_name: HashMap<StringId, Vec<OpId>, FixedState> = HashMap::default();
    // Functions of Python are no marks.
    let is_frames = |own: DeviceId| trace.text(trace.devices().get(own).name).ends_with(FRAMES);
    let hosts = trace.devices().ids().filter(|&own| trace.devices().get(own).nests && !is_frames(own));
    for device in hosts {
        for op in trace.ops_of(device).filter(|&op| trace.category(op) == Category::Range) {
            let name = trace.op_name(op);
            let node = trace.ops().node(op);
            let is_own = is_of_profiler(name)
                || OWN.iter().any(|own| name.starts_with(own))
                || trace.text(trace.nodes().reason(node)).as_bytes() == REPEATED_ROW;
            if !is_own && !marks.contains(&op) {
                of_name.entry(trace.nodes().name(node)).or_default().push(op);
            }
        }
    }
    let is_part =
        |time: Nanos, percent: i128| i128::from(time.0) * 100 >= i128::from(window.length().0) * percent;
    let times = of_name.into_values().filter_map(|ops| {
        let mut all: Vec<Interval> = ops.iter().map(|&op| trace.ops().interval(op)).collect();
        order::by_number(&mut all, |own| (own.start.0, own.end.0));
        Some((*ops.first()?, Busy::of(all.into_iter()).within(window)))
    });
    let much = times.filter(|&(_, time)| is_part(time, LEAST_PERCENT) && !is_part(time, MOST_PERCENT));
    much.min_by_key(|&(op, time)| (time, op))
}
