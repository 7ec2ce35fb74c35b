//! Threads that feed GPUs: what a time without a recorded op on a thread of a program is called, and where in Python it was.
//!
//! A thread feeds a GPU if one of its calls launched a kernel. It runs Python between its ops if Python frames of its process were
//! recorded, or if the process or the thread is called after Python and the thread has operators. Without operators, only calls
//! into a driver were recorded: what lies between two of these may as well be an operator. PyTorch's autograd engine runs the ops
//! of the backward pass in a row: between two of these no Python runs. A row of a tensor is no thread: nothing says what ran between two
//! of its phases.

use super::pools::MAX_DISPATCH;
use super::segment::{Segment, SegmentKind};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::multiprocessors::multiprocessors;
use crate::gpu::task_queue::TaskQueue;
use crate::model::device::{DeviceKind, FRAMES, is_of_tensors};
use crate::timeline::nesting::{self, Piece};
use crate::{Category, DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What the ops of PyTorch's autograd engine are called.
pub(crate) const ENGINE: &str = "autograd::engine::";

/// The threads whose calls launched kernels.
#[derive(Default)]
pub(super) struct Feeders {
    /// For each such thread whether it runs Python.
    threads: HashMap<(DeviceId, u32), bool, FixedState>,
    /// (device, thread, interval) for each step that a program marked, in that order.
    steps: Vec<(DeviceId, u32, Interval)>,
    /// When the copy of a call ran that blocked it, by call; `None` for one that the call did not wait for.
    copies: HashMap<OpId, Option<Interval>, FixedState>,
    /// The kernel that a call launched and waited for, by call.
    kernels: HashMap<OpId, OpId, FixedState>,
    /// What streams of TensorFlow ran, by end. Empty if there are several tasks: then it is not known for which one a stream works.
    ended: Vec<(Timestamp, OpId)>,
    /// Whether all devices are multiprocessors of a GPU: no thread of a host is there.
    is_of_multiprocessors: bool,
}

/// A call that copies was blocked if it took this long, where its copy was not recorded: one that hands a copy to a stream takes
/// microseconds.
const BLOCKED: Nanos = Nanos(100_000);

/// What waited for a GPU may begin this part of its wait after the GPU had ended, as its divisor, where that is longer than a dispatch.
const LEAST_RETURN: i64 = 20;

/// Whether `call` asks for a copy.
fn copies(trace: &Trace, call: OpId) -> bool {
    trace.category(call) == Category::Launch
        && trace.op_type(call).as_bytes().windows(6).any(|part| part.eq_ignore_ascii_case(b"memcpy"))
}

/// Whether `call` launched `kernel` and waited for it, which took half of it or more.
fn is_awaited(trace: &Trace, kernel: OpId, call: OpId) -> bool {
    let (ran, own) = (trace.ops().interval(kernel), trace.ops().interval(call));
    trace.category(call) == Category::Launch
        && own.length() >= BLOCKED
        && ran.start >= own.start
        && ran.end <= own.end
        && ran.length().0.saturating_mul(2) >= own.length().0
}

impl Feeders {
    /// Finds these threads.
    pub(super) fn found(trace: &Trace) -> Self {
        let mut found = Self::default();
        let step = |op| (trace.device_of(op), trace.ops().thread(op), trace.ops().interval(op));
        found.steps = trace.marks_of_hosts().map(step).collect();
        found.steps.sort_unstable_by_key(|&(device, thread, step)| (device, thread, step.start, step.end));
        found.ended = ended_on_streams(trace);
        found.is_of_multiprocessors = multiprocessors(trace).is_some();
        let mut devices: Vec<DeviceId> = Vec::new();
        for &(copy, call) in trace.calls() {
            if trace.category(copy) == Category::Copy && copies(trace, call) {
                let ran = trace.ops().interval(copy);
                let own = trace.ops().interval(call);
                let has_ended = ran.end <= own.end;
                // Clocks of host and GPU are not exact: the call copies memory that is not pinned itself, piece by piece.
                let within = ran.clamp_to(own);
                let is_most = within.length().0.saturating_mul(2) >= own.length().0;
                let blocks = is_most && own.length() >= BLOCKED && trace.op_name(copy).contains("Pageable");
                let ran = if has_ended { Some(ran) } else { Some(within).filter(|_| blocks) };
                found.copies.insert(call, ran);
            } else if is_awaited(trace, copy, call) {
                found.kernels.insert(call, copy);
            }
            let device = trace.device_of(call);
            if !devices.contains(&device) {
                devices.push(device);
            }
            found.threads.insert((device, trace.ops().thread(call)), false);
        }
        // A thread that takes what is launched from a queue runs nothing else: the one that puts it there feeds the GPU.
        let thread = |op: OpId| (trace.device_of(op), trace.ops().thread(op));
        for &(took, put) in TaskQueue::found(trace).taken() {
            found.threads.remove(&thread(took));
            found.threads.insert(thread(put), false);
        }
        for device in devices {
            let has_frames = frames_of(trace, device).is_some();
            let is_python = has_frames || is_of_python(trace.text(trace.devices().get(device).name));
            for op in trace.ops_of(device) {
                let thread = trace.ops().thread(op);
                let Some(runs_python) = found.threads.get_mut(&(device, thread)).filter(|own| !**own) else {
                    continue;
                };
                let is_operator = trace.category(op) != Category::Range && !trace.is_call(op);
                let is_named = || is_python || trace.thread_name(device, thread).is_some_and(is_of_python);
                *runs_python = has_frames || (is_operator && is_named());
            }
        }
        found
    }

    /// The kind of a time in which the thread of `op` ran no recorded op, until `op` began. `before` is what `op` waited for, if
    /// that is known.
    pub(super) fn kind(&self, trace: &Trace, op: OpId, before: Option<OpId>) -> SegmentKind {
        let thread = |op: OpId| (trace.device_of(op), trace.ops().thread(op));
        let is_of_tensors = || is_of_tensors(trace.text(trace.devices().get(trace.device_of(op)).name));
        if self.is_of_multiprocessors || is_of_tensors() {
            return SegmentKind::Gap;
        }
        let is_of_engine = |op: OpId| trace.op_name(op).starts_with(ENGINE);
        match self.threads.get(&thread(op)) {
            Some(true) => {
                let own_before = before.filter(|&before| thread(before) == thread(op));
                let is_engine = is_of_engine(op) && own_before.is_none_or(is_of_engine);
                if is_engine { SegmentKind::HostBetweenOps } else { SegmentKind::PythonBetweenOps }
            }
            Some(false) => SegmentKind::HostBetweenOps,
            // A thread that launches nothing is between its ops only if it had run one.
            None if before.is_some() => SegmentKind::HostBetweenOps,
            None => SegmentKind::Gap,
        }
    }

    /// When `call` copied, if it returned only after that: while its copy ran, or all of a long call whose copy was not recorded.
    pub(super) fn copied(&self, trace: &Trace, call: OpId) -> Option<Interval> {
        if !copies(trace, call) {
            return None;
        }
        let own = trace.ops().interval(call);
        self.copies.get(&call).copied().unwrap_or(Some(own).filter(|own| own.length() >= BLOCKED))
    }

    /// The kernel that `call` launched, if it returned only after that: an accelerator of Meta's takes work so, and CUDA with
    /// `CUDA_LAUNCH_BLOCKING`.
    pub(super) fn awaited(&self, call: OpId) -> Option<OpId> {
        self.kernels.get(&call).copied()
    }

    /// What the GPU ran until shortly before the end of `waited`, in which an op of an executor waited for no reason that was recorded, and
    /// the GPU worked for half of the time or more: an op that takes a result to the host begins when the GPU has done what was launched
    /// before.
    pub(super) fn ran_until(&self, trace: &Trace, waited: Interval) -> Option<OpId> {
        let count = self.ended.partition_point(|&(end, _)| end <= waited.end);
        let &(last, op) = self.ended.get(count.checked_sub(1)?)?;
        // The call that waits for a GPU, and the executor after it, take a moment of their own.
        let most = MAX_DISPATCH.max(Nanos(waited.length().0 / LEAST_RETURN));
        if waited.end - last > most || last - waited.start <= MAX_DISPATCH {
            return None;
        }
        let (mut busy, mut known) = (Nanos(0), waited.end);
        for &(end, op) in self.ended[..count].iter().rev().take_while(|&&(end, _)| end > waited.start) {
            let start = trace.ops().start(op).max(waited.start);
            if start < known {
                busy += end.min(known) - start;
                known = start;
            }
        }
        (busy.0.saturating_mul(2) >= waited.length().0).then_some(op)
    }

    /// When the step began in which a program was at `time` on the thread of `op`, if it marked that step.
    pub(super) fn step_began(&self, trace: &Trace, op: OpId, time: Timestamp) -> Option<Timestamp> {
        let (device, thread) = (trace.device_of(op), trace.ops().thread(op));
        let later =
            |&(of, on, step): &(DeviceId, u32, Interval)| (of, on, step.start) > (device, thread, time);
        let last = self.steps.partition_point(|own| !later(own)).checked_sub(1)?;
        let (of, on, step) = self.steps[last];
        ((of, on) == (device, thread) && step.end >= time).then_some(step.start)
    }

    /// The op that ended last on the thread that marked the step in which its program was at `time`; of several steps the one that began
    /// last counts.
    pub(super) fn last_of_step(&self, trace: &Trace, time: Timestamp) -> Option<OpId> {
        let at = |(.., step): &&(DeviceId, u32, Interval)| step.start < time && step.end >= time;
        let &(device, thread, step) = self.steps.iter().filter(at).max_by_key(|own| own.2.start)?;
        let ops = trace.ops();
        let is_own = |&op: &OpId| {
            ops.thread(op) == thread && ops.start(op) >= step.start && trace.category(op) != Category::Range
        };
        trace.ops_of(device).filter(is_own).max_by_key(|&op| (ops.end(op), op))
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.threads.capacity() * size_of::<((DeviceId, u32), bool)>()
            + self.steps.capacity() * size_of::<(DeviceId, u32, Interval)>()
            + self.copies.capacity() * size_of::<(OpId, Option<Interval>)>()
            + self.kernels.capacity() * size_of::<(OpId, OpId)>()
            + self.ended.capacity() * size_of::<(Timestamp, OpId)>()
    }
}

fn ended_on_streams(trace: &Trace) -> Vec<(Timestamp, OpId)> {
    let rows = || trace.devices().ids().map(|id| trace.devices().get(id));
    let is_stream = |id: &DeviceId| trace.devices().get(*id).kind == DeviceKind::Stream;
    let mut tasks: Vec<StringId> = rows().filter_map(|row| row.task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    if tasks.len() > 1 {
        return Vec::new();
    }
    let streams = trace.devices().ids().filter(is_stream).flat_map(|stream| trace.ops_of(stream));
    let mut found: Vec<(Timestamp, OpId)> = streams
        .filter(|&op| trace.category(op) != Category::Range)
        .map(|op| (trace.ops().end(op), op))
        .collect();
    order::by_number(&mut found, |(end, op)| (end.0, i64::from(op.get())));
    found.shrink_to_fit();
    found
}

fn is_of_python(name: &str) -> bool {
    name.to_ascii_lowercase().contains("python")
}

/// The device with the Python frames of the process `device`.
pub(crate) fn frames_of(trace: &Trace, device: DeviceId) -> Option<DeviceId> {
    let name = [trace.text(trace.devices().get(device).name), FRAMES].concat();
    trace.devices().by_name(trace.strings().find(&name)?)
}

/// Cuts the `segments` between ops of Python where another Python frame becomes the innermost, and names that frame.
pub(super) fn name_frames(trace: &Trace, segments: &mut Vec<Segment>) {
    let is_between = |own: &Segment| own.kind == SegmentKind::PythonBetweenOps;
    let mut stacks: HashMap<(DeviceId, u32), Vec<Piece>, FixedState> = HashMap::default();
    for own in segments.iter().filter(|own| is_between(own)) {
        let thread = (trace.device_of(own.op), trace.ops().thread(own.op));
        if let (false, Some(frames)) = (stacks.contains_key(&thread), frames_of(trace, thread.0)) {
            stacks.insert(thread, innermost(trace, frames, thread.1));
        }
    }
    if stacks.is_empty() {
        return;
    }
    let mut cut = Vec::with_capacity(segments.len());
    for &own in segments.iter() {
        let thread = (trace.device_of(own.op), trace.ops().thread(own.op));
        match stacks.get(&thread).filter(|_| is_between(&own)) {
            Some(stack) => cut_by(&own, stack, &mut cut),
            None => cut.push(own),
        }
    }
    *segments = cut;
}

/// When each frame of a thread was the innermost, in order of time.
fn innermost(trace: &Trace, frames: DeviceId, thread: u32) -> Vec<Piece> {
    let ops = trace.ops();
    let mut own: Vec<OpId> = trace.ops_of(frames).filter(|&frame| ops.thread(frame) == thread).collect();
    order::by_number(&mut own, |frame| (ops.start(frame).0, ops.end(frame).0.wrapping_neg()));
    let own: Vec<Piece> =
        own.into_iter().map(|frame| Piece { op: frame, interval: ops.interval(frame) }).collect();
    let mut pieces = Vec::new();
    nesting::of_thread(&own, &mut pieces);
    order::by_number(&mut pieces, |piece| (piece.interval.start.0, i64::from(piece.op.get())));
    pieces
}

fn cut_by(own: &Segment, stack: &[Piece], cut: &mut Vec<Segment>) {
    let mut now = own.interval.start;
    let first = stack.partition_point(|piece| piece.interval.end <= now);
    for piece in stack[first..].iter().take_while(|piece| piece.interval.start < own.interval.end) {
        // Frames whose times cross belong to damaged stacks.
        let part =
            Interval { start: piece.interval.start.max(now), end: piece.interval.end.min(own.interval.end) };
        if part.start >= part.end {
            continue;
        }
        if part.start > now {
            cut.push(Segment { interval: Interval { start: now, end: part.start }, ..*own });
        }
        cut.push(Segment { interval: part, frame: Some(piece.op), ..*own });
        now = part.end;
    }
    if now < own.interval.end {
        cut.push(Segment { interval: Interval { start: now, end: own.interval.end }, ..*own });
    }
}
