//! What a verdict says where ops of TensorFlow's executors were not recorded: a task that was not traced sends tensors, or the profiler of TensorFlow 2
//! leaves out ops of a GPU.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::graph::ExecutionGraph;
use crate::causality::observed::{Segment, SegmentKind};
use crate::host_profile::PROCESS;
use crate::storage::busy::Busy;
use crate::transfers::NoProducer;
use crate::{Category, DeviceId, OpId, StringId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The sender, itself not recorded, of the tensors that a step waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The device of this name.
    Of(StringId),
    /// It is not known who.
    Unnamed,
}

/// Who sends the tensors that half of the waiting on the path, `all`, is for.
pub(super) fn sender(study: &Study, segments: &[Segment], all: Nanos) -> Option<Sender> {
    let graph: &ExecutionGraph = &study.causes().graph;
    let mut unnamed = Nanos(0);
    let mut sums: HashMap<StringId, Nanos, FixedState> = HashMap::default();
    for own in segments.iter().filter(|own| own.kind == SegmentKind::Producer) {
        let length = own.interval.length();
        match study.transfers().of_op(own.op) {
            Some(transfer) if transfer.producer == Err(NoProducer::SourceNotTraced) => {
                *sums.entry(transfer.source).or_default() += length;
            }
            None if graph.is_unnamed(own.op) => unnamed += length,
            _ => {}
        }
    }
    let named = sums.into_iter().max_by_key(|&(device, time)| (time, device));
    let named = named.map(|(device, time)| (Sender::Of(device), time));
    let most = named.filter(|own| own.1 >= unnamed).unwrap_or((Sender::Unnamed, unnamed));
    (most.1 > Nanos(0) && most.1.0.saturating_mul(2) >= all.0).then_some(most.0)
}

/// The time that executors were at work between two calls of a driver, and nothing was recorded of it. The profiler of TensorFlow 2 records an op of
/// an executor only if it is expensive, and no op of a GPU is (`executor.cc`, `GetTFTraceMeLevel`; `op_kernel.cc`, `expensive_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InExecutors {
    /// How long.
    pub time: Nanos,
    /// How many pauses that are.
    pub count: u64,
    /// How long the one in the middle is.
    pub median: Nanos,
}

/// It is said from this part of the time on, as its divisor.
const LEAST: i64 = 10;

/// Finds it on the path, where it is half of the time between ops, `between`, or more. `whole` is what is shown.
pub(super) fn in_executors(
    trace: &Trace,
    segments: &[Segment],
    between: Nanos,
    whole: Nanos,
) -> Option<InExecutors> {
    if trace.nodes().ids().all(|node| trace.text(trace.nodes().name(node)) != PROCESS) {
        return None;
    }
    let mut runs: HashMap<(DeviceId, u32), Vec<Interval>, FixedState> = HashMap::default();
    let thread = |op| (trace.device_of(op), trace.ops().thread(op));
    for op in trace.ops().ids().filter(|&op| trace.op_name(op) == PROCESS) {
        runs.entry(thread(op)).or_default().push(trace.ops().interval(op));
    }
    runs.values_mut().for_each(|own| own.sort_unstable_by_key(|own| (own.start, own.end)));
    let mut pauses: Vec<Nanos> = Vec::new();
    let is_between =
        |own: &&Segment| matches!(own.kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps);
    for own in segments.iter().filter(is_between).filter(|own| trace.is_call(own.op)) {
        // Runs of one thread follow one another.
        let of_thread = runs.get(&thread(own.op)).map_or(&[][..], Vec::as_slice);
        let first = of_thread.partition_point(|run| run.end <= own.interval.start);
        let within = of_thread[first..].iter().take_while(|run| run.start < own.interval.end);
        let time: i64 = within.map(|run| run.clamp_to(own.interval).length().0).sum();
        pauses.extend(Some(Nanos(time)).filter(|&time| time > Nanos(0)));
    }
    pauses.sort_unstable();
    let time = Nanos(pauses.iter().map(|own| own.0).sum());
    let is_much = time.0.saturating_mul(2) >= between.0 && time.0.saturating_mul(LEAST) >= whole.0;
    let median = *pauses.get(pauses.len() / 2)?;
    is_much.then_some(InExecutors { time, count: pauses.len() as u64, median })
}

/// How long executors were at work in what `trace` has: they start ops, and run those of a CPU. Runs that load batches for half of their time or more
/// are of a pipeline, and do not count.
pub fn executors_at_work(trace: &Trace) -> Nanos {
    let ops = trace.ops();
    let thread = |op: OpId| (trace.device_of(op), ops.thread(op));
    let is_run: Vec<bool> =
        trace.nodes().ids().map(|node| trace.text(trace.nodes().name(node)) == PROCESS).collect();
    let mut loading: HashMap<(DeviceId, u32), Vec<Interval>, FixedState> = HashMap::default();
    for op in ops.ids().filter(|&op| trace.category(op) == Category::Input) {
        loading.entry(thread(op)).or_default().push(ops.interval(op));
    }
    let union = |mut own: Vec<Interval>| {
        order::by_number(&mut own, |own| (own.start.0, own.end.0));
        Busy::of(own.into_iter())
    };
    let loading: HashMap<(DeviceId, u32), Busy, FixedState> =
        loading.into_iter().map(|(thread, own)| (thread, union(own))).collect();
    let loads = |op: OpId| loading.get(&thread(op)).map_or(Nanos(0), |own| own.within(ops.interval(op)));
    let is_of_step = |op: &OpId| loads(*op).0.saturating_mul(2) < ops.interval(*op).length().0;
    let runs = ops.ids().filter(|&op| is_run[ops.node(op).index()]).filter(is_of_step);
    // The span of a trace leaves out ranges at its ends, such as these.
    let runs = union(runs.map(|op| ops.interval(op)).collect());
    runs.intervals().iter().fold(Nanos(0), |sum, own| sum + own.length())
}
