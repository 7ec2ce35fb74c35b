//! Everything that is known about one op.

use super::arguments::{ArgumentRow, arguments};
use super::said::{has_recorded_label, has_stages, surroundings};
use crate::tables::Transfer;
use crate::work::WorkFigures;
use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::gpu::kernels;
use steplens_core::host_profile::EventKind;
use steplens_core::makers::{Edge, Source};
use steplens_core::model::input_bytes::input_bytes;
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::model::output::{dtype_name, shape_text};
use steplens_core::network::tensors::given;
use steplens_core::questions::flow;
use steplens_core::{Category, OpId, Study};

/// The most inputs that are listed; the count has all of them.
const MAX_INPUTS: usize = 1_000;
/// The most consumers or kernels that are listed; the count has all of them.
const MAX_CONSUMERS: usize = 100;

#[derive(Serialize)]
struct OpDetails<'a> {
    op: u32,
    name: &'a str,
    op_type: &'a str,
    category: &'static str,
    /// The reason for its category: a field of the format, such as `cat=kernel`, or its op type.
    reason: &'a str,
    device: u32,
    lane: u32,
    start_ns: i64,
    end_ns: i64,
    /// Its length without the ops nested in it; 0 for a range.
    self_ns: i64,
    scheduled_ns: Option<i64>,
    queue_ns: Option<i64>,
    op_start_ns: i64,
    op_end_ns: i64,
    thread: u32,
    thread_name: Option<String>,
    /// Its record by TensorFlow's host profiler, if there is one.
    host: Option<OnThread>,
    /// For an event of the host profiler: its kind, and the executor's op that it repeats.
    host_event: Option<HostEventRow>,
    /// The bytes that a copy moved, or a call asked for, and those that its outputs asked for; null if nothing says them.
    bytes: Option<u64>,
    /// The bytes of the tensors that it was given; null if the file does not say those of each, or there is none.
    input_bytes: Option<u64>,
    /// What it calculates and moves; a kernel its part of what the op does that launched it.
    #[serde(flatten)]
    work: WorkFigures,
    /// Whether a profiler recorded that; otherwise it is by the shapes of its tensors. Null if it is not known.
    work_recorded: Option<bool>,
    label: &'a str,
    /// Whether the label is in the file; otherwise it was made from other data of the format.
    label_recorded: bool,
    /// Whether more of its times was recorded than its start and its end.
    has_stages: bool,
    /// The arguments of its event: those with a known meaning first.
    arguments: Vec<ArgumentRow<'a>>,
    /// The innermost event on its thread that contains it, if events nest.
    inside_of: Option<OpRef>,
    /// Among the events on its thread inside the same event, the one that ended last before it started.
    before: Option<OpRef>,
    /// The PyTorch modules in which it ran, the outermost first.
    modules: Vec<String>,
    /// The first of the Python frames under which it ran, the innermost first; `frame_count` is the number of all.
    frames: Vec<OpRef>,
    frame_count: usize,
    inputs: Vec<Input<'a>>,
    /// The number of inputs; `inputs` has the first of them.
    input_count: usize,
    consumers: Vec<OpRef>,
    /// The number of consumers; `consumers` has the first of them.
    consumer_count: usize,
    outputs: Vec<Output<'a>>,
    memory: Vec<AllocatorUse<'a>>,
    transfer: Option<Transfer<'a>>,
    /// The kernels and copies that it, or anything in it, launched on a GPU, in order of start: the first of `kernel_count`.
    kernels: Vec<OpRef>,
    kernel_count: usize,
    /// The sum of their times.
    kernels_ns: i64,
    /// From the start of the first of them to the end of the last.
    kernels_start_ns: Option<i64>,
    kernels_end_ns: Option<i64>,
    /// For a kernel or copy, the op that launched it.
    launched_by: Option<OpRef>,
    /// The call into the driver by which that op launched it, if that was recorded.
    called_by: Option<OpRef>,
}

/// When the kernel of an op was on its thread, to the microsecond.
#[derive(Serialize)]
struct OnThread {
    start_ns: i64,
    end_ns: i64,
    /// The rest of the op's time: what the executor itself did before and after. Null for an asynchronous op, which ends elsewhere.
    executor_ns: Option<i64>,
    /// Whether the thread did not wait for the op's end, if that was recorded.
    asynchronous: Option<bool>,
}

/// The kind of an event of a host profiler.
#[derive(Serialize)]
struct HostEventRow {
    /// `joined`, `transfer-node`, `unjoined`, `range` or `other-run`.
    kind: &'static str,
    op: Option<OpRef>,
}

#[derive(Serialize)]
struct Input<'a> {
    /// The name in the label, without `^` and `:k`.
    name: &'a str,
    slot: u32,
    control: bool,
    /// The op (or the RecvTensor) that made this value, if one was recorded.
    producer: Option<OpRef>,
    /// The transfer that brought it, if no op recorded the transfer.
    silent_transfer: Option<u32>,
    certainty: &'static str,
    /// The number of possible producers, if it is not decided which one it was.
    candidates: Option<u32>,
    /// Whether nothing came from there: another branch or another input did.
    not_taken: bool,
    /// The size of the tensor, if it was recorded: by its transfer, or as what its maker asked for.
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct Output<'a> {
    slot: i32,
    dtype: String,
    shape: String,
    requested_bytes: u64,
    allocated_bytes: u64,
    allocator: &'a str,
}

#[derive(Serialize)]
struct AllocatorUse<'a> {
    allocator: &'a str,
    total_bytes: u64,
    peak_bytes: u64,
    live_bytes: u64,
    records: Vec<AllocationRecord>,
}

#[derive(Serialize)]
struct AllocationRecord {
    at_ns: i64,
    bytes: i64,
}

/// The details of `op`; `None` if the trace has no such op.
pub fn details(study: &Study, op: OpId) -> Option<String> {
    let trace = study.trace();
    if op.index() >= trace.ops().len() {
        return None;
    }
    let (node, interval, kernel) = (trace.ops().node(op), trace.ops().interval(op), trace.ops().kernel(op));
    let device = trace.device_of(op);
    let thread = trace.ops().thread(op);
    let label = trace.text(trace.nodes().label(node));
    let transfer = study.transfers().id_of_op(op);
    let consumers = flow::consumers(study, op);
    let kernels = study.kernels().of_op(trace, op);
    let kernels_span = kernels::span(trace, &kernels);
    let work = study.works().of(op);
    let around = surroundings(study, op);
    let kernels_ns = kernels.iter().map(|&kernel| trace.ops().interval(kernel).length().0).sum();
    let launched_by = study.kernels().op_of(op);
    let inputs: Vec<Input<'_>> =
        study.edges().inputs(op, MAX_INPUTS).into_iter().map(|edge| input(study, edge)).collect();
    let input_count = study.edges().input_count(op);
    let given = match trace.category(op) {
        Category::Communication => given(study, op),
        _ => input_bytes(trace, op),
    };
    Some(text(&OpDetails {
        op: op.get(),
        name: trace.op_name(op),
        op_type: trace.text(trace.nodes().op_type(node)),
        category: trace.category(op).word(),
        reason: trace.text(trace.nodes().reason(node)),
        device: device.get(),
        lane: study.lanes().lane(op).get(),
        start_ns: interval.start.0,
        end_ns: interval.end.0,
        self_ns: study.self_time(op).0,
        scheduled_ns: trace.ops().scheduled(op).map(|time| time.0),
        queue_ns: trace.ops().queued(op).map(|queued| queued.0),
        op_start_ns: kernel.start.0,
        op_end_ns: kernel.end.0,
        thread,
        thread_name: host_thread_name(study, op)
            .or_else(|| trace.thread_name(device, thread).map(str::to_owned)),
        host: on_thread(study, op),
        host_event: host_event(study, op),
        bytes: Some(op_bytes(trace, op).0).filter(|&bytes| bytes > 0),
        work: WorkFigures::of_one(work, interval.length(), trace.peak_flops()),
        work_recorded: work.map(|own| own.is_recorded),
        label,
        label_recorded: has_recorded_label(study, op),
        has_stages: has_stages(study, op),
        arguments: arguments(study, op),
        inside_of: around.inside_of,
        before: around.before,
        modules: around.modules,
        frames: around.frames,
        frame_count: around.frame_count,
        input_bytes: given.map(|bytes| bytes.0).or_else(|| sum_of(&inputs, input_count)),
        inputs,
        input_count,
        consumers: consumers.iter().take(MAX_CONSUMERS).map(|&op| OpRef::of(study, op)).collect(),
        consumer_count: consumers.len(),
        outputs: outputs(study, op),
        memory: memory(study, op),
        transfer: transfer.map(|transfer| Transfer::of(study, transfer, None)),
        kernels: kernels.iter().take(MAX_CONSUMERS).map(|&kernel| OpRef::of(study, kernel)).collect(),
        kernel_count: kernels.len(),
        kernels_ns,
        kernels_start_ns: kernels_span.map(|span| span.start.0),
        kernels_end_ns: kernels_span.map(|span| span.end.0),
        launched_by: launched_by.map(|op| OpRef::of(study, op)),
        called_by: trace.call_of(op).filter(|&call| Some(call) != launched_by).map(|op| OpRef::of(study, op)),
    }))
}

/// The bytes of all inputs together; `None` if there is none, or that of one is not known.
fn sum_of(inputs: &[Input<'_>], count: usize) -> Option<u64> {
    let mut tensors = inputs.iter().filter(|input| !input.control && !input.not_taken).peekable();
    if count > inputs.len() || tensors.peek().is_none() {
        return None;
    }
    tensors.try_fold(0_u64, |sum, input| sum.checked_add(input.bytes?))
}

/// The name and number of the thread of `op`, as a host profiler recorded it.
fn host_thread_name(study: &Study, op: OpId) -> Option<String> {
    let host = study.host_profile();
    let own = host.event(op).or_else(|| host.of_op(op))?;
    let thread = host.threads()[own.thread? as usize];
    let name = study.trace().thread_name(thread.device, thread.number).unwrap_or_default();
    Some(format!("{name} ({})", thread.number).trim_start().to_owned())
}

fn on_thread(study: &Study, op: OpId) -> Option<OnThread> {
    let (trace, host) = (study.trace(), study.host_profile());
    let kernel = host.kernel(trace, op)?;
    let asynchronous = host.is_async(trace, op);
    let executor = trace.ops().interval(op).length() - kernel.length();
    Some(OnThread {
        start_ns: kernel.start.0,
        end_ns: kernel.end.0,
        executor_ns: Some(executor.0).filter(|_| asynchronous != Some(true)),
        asynchronous,
    })
}

fn host_event(study: &Study, op: OpId) -> Option<HostEventRow> {
    let kind = study.host_profile().event(op)?.kind;
    let joined = match kind {
        EventKind::Joined(op) => Some(OpRef::of(study, op)),
        _ => None,
    };
    Some(HostEventRow { kind: kind.word(), op: joined })
}

fn input<'a>(study: &'a Study, edge: Edge<'a>) -> Input<'a> {
    let unrecorded = match edge.source {
        Source::Transfer(id) => Some(id).filter(|&id| study.transfers().get(id).op.is_none()),
        _ => None,
    };
    let producer = study.edges().maker(edge.source);
    Input {
        name: edge.input.name,
        slot: edge.input.slot,
        control: edge.input.control,
        producer: producer.map(|producer| OpRef::of(study, producer)),
        silent_transfer: unrecorded.map(|id| id.get()),
        certainty: edge.certainty.word(),
        candidates: edge.certainty.candidates(),
        not_taken: edge.source == Source::NotTaken,
        bytes: study.edges().bytes(&edge).map(|bytes| bytes.0),
    }
}

fn outputs(study: &Study, op: OpId) -> Vec<Output<'_>> {
    let output = |output: steplens_core::model::output::Output<'_>| Output {
        slot: output.slot,
        dtype: dtype_name(output.dtype),
        shape: shape_text(output.shape),
        requested_bytes: output.requested.0,
        allocated_bytes: output.allocated.0,
        allocator: study.trace().text(output.allocator),
    };
    study.trace().outputs().of(op).map(output).collect()
}

fn memory(study: &Study, op: OpId) -> Vec<AllocatorUse<'_>> {
    let start = study.trace().ops().start(op);
    let reports = study.trace().memory().of(op);
    let report = reports.map(|(used, records)| AllocatorUse {
        allocator: study.trace().text(used.allocator),
        total_bytes: used.total.0,
        peak_bytes: used.peak.0,
        live_bytes: used.live.0,
        records: records
            .map(|record| AllocationRecord { at_ns: (start + record.after_start).0, bytes: record.bytes })
            .collect(),
    });
    report.collect()
}
