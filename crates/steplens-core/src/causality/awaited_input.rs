//! The next batch, where an executor of TensorFlow waits for it (`IteratorGetNextOp::DoCompute`): what runs of the pipeline meanwhile, such as the
//! functions of `map` on threads that the step uses, too, is loading. Ops of the step itself that run at the same time are none.
//!
//! TensorFlow writes one number, `id`, at each run of an executor and at the ops that wait within it: functions of a pipeline have others
//! (`ExecutorState::Process`, `IteratorGetNextOp::DoCompute` in `executor.cc` and `iterator_ops.cc`).

use super::segment::{Segment, SegmentKind};
use crate::base::units::{Interval, Timestamp};
use crate::host_profile::PROCESS;
use crate::model::category::only_wraps;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::borrow::Cow;

/// How TensorFlow calls an op that waits for the next batch.
const WAIT: &str = "IteratorGetNextOp::DoCompute";

/// The number of the run of an executor that `op` belongs to.
fn run_of(trace: &Trace, op: OpId) -> Option<Cow<'_, str>> {
    trace.arguments().of(op).find(|own| own.name == "id").map(|own| own.value.shown())
}

/// Calls the time of `segments`, which tile the path, loading where a step waited for its batch and nothing of it ran.
pub(super) fn name_loading(trace: &Trace, segments: &mut Vec<Segment>) {
    let nodes = trace.nodes();
    if trace.arguments().is_empty() || !nodes.ids().any(|node| trace.text(nodes.name(node)) == WAIT) {
        return;
    }
    let named = |name: &'static str| trace.ops().ids().filter(move |&op| trace.op_name(op) == name);
    let mut waits: Vec<OpId> = named(WAIT).filter(|&op| run_of(trace, op).is_some()).collect();
    waits.sort_unstable_by_key(|&op| (trace.ops().start(op), op));
    let mut runs: HashMap<(DeviceId, u32), Vec<(Interval, OpId)>, FixedState> = HashMap::default();
    for op in named(PROCESS) {
        let thread = (trace.device_of(op), trace.ops().thread(op));
        runs.entry(thread).or_default().push((trace.ops().interval(op), op));
    }
    runs.values_mut().for_each(|own| own.sort_unstable_by_key(|&(own, op)| (own.start, op)));
    // The run around a moment of a thread: runs of one thread follow one another.
    let around = |op: OpId, at: Timestamp| {
        let own = runs.get(&(trace.device_of(op), trace.ops().thread(op)))?;
        let last = own.partition_point(|(own, _)| own.start <= at).checked_sub(1)?;
        Some(own[last].1).filter(|_| at < own[last].0.end)
    };
    let is_of_pipeline = |own: &Segment, wait: OpId| match own.kind {
        SegmentKind::Input
        | SegmentKind::HostBetweenOps
        | SegmentKind::PythonBetweenOps
        | SegmentKind::Gap => true,
        _ if trace.category(own.op) == Category::Input => true,
        // The program waits in it.
        _ if only_wraps(trace.op_type(own.op)) && trace.op_name(own.op) != PROCESS => true,
        SegmentKind::Compute | SegmentKind::Producer | SegmentKind::Launching => {
            around(own.op, own.interval.start)
                .and_then(|run| run_of(trace, run))
                .is_some_and(|run| run_of(trace, wait) != Some(run))
        }
        _ => false,
    };
    // Waits within others, and what others cover of them, are left out: those of a device follow one another.
    let mut of_device: HashMap<DeviceId, Vec<(Interval, OpId)>, FixedState> = HashMap::default();
    for wait in waits {
        let Interval { start, end } = trace.ops().interval(wait);
        let own = of_device.entry(trace.device_of(wait)).or_default();
        let start = own.last().map_or(start, |(last, _)| start.max(last.end));
        if start < end {
            own.push((Interval { start, end }, wait));
        }
    }
    let mut cut = Vec::with_capacity(segments.len());
    for &own in segments.iter() {
        let mut now = own.interval.start;
        let waits = of_device.get(&trace.device_of(own.op)).map_or(&[][..], Vec::as_slice);
        let first = waits.partition_point(|(wait, _)| wait.end <= own.interval.start);
        for &(interval, wait) in waits[first..].iter().take_while(|(wait, _)| wait.start < own.interval.end) {
            let part = interval.clamp_to(Interval { start: now, end: own.interval.end });
            if part.length().0 <= 0 || !is_of_pipeline(&own, wait) {
                continue;
            }
            if part.start > now {
                cut.push(Segment { interval: Interval { start: now, end: part.start }, ..own });
            }
            let loading = Segment::new(wait, SegmentKind::Input, part);
            cut.push(Segment {
                edge: own.edge.filter(|_| part.start == own.interval.start),
                held: own.held.min(part.length()),
                ..loading
            });
            now = part.end;
        }
        if now < own.interval.end {
            cut.push(Segment { interval: Interval { start: now, end: own.interval.end }, ..own });
        }
    }
    *segments = cut;
}
