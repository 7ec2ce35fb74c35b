//! What streams of GPUs and threads of programs waited for: the op before, kernels that a call waited for, and other threads.

use super::ahead::Ahead;
use super::between_streams::between;
use super::edge_kind::EdgeKind;
use super::launched::Launched;
use super::nodes::Nodes;
use super::pool_waits::{PoolEnds, pool_threads};
use super::queued_calls::queued;
use super::spent::asks_driver;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::event_waits::is_for_a_stream;
use crate::gpu::kernels::{Kernels, has_kernels};
use crate::model::device::is_of_tensors;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The shortest pause of a thread after which another thread of its program may be what it waited for.
const PAUSE: Nanos = Nanos(100_000);

/// A shorter pause is no wait.
const LONG_PAUSE: Nanos = Nanos(1_000_000);
/// What calls are called that come after a wait for a GPU.
const AFTER_WAIT: [&str; 4] = ["EventQuery", "EventElapsedTime", "Free", "Synchronize"];

/// A pause of a thread that launches was a wait for its GPU, whatever comes next, if the GPU worked for this part of it, in percent,
const WORKED_PERCENT: i128 = 90;
/// and was done at most this part of the pause before its end, as its divisor,
const LATEST_RETURN: i64 = 20;
/// or this long: the call that waited returns, and the program goes on.
const RETURN: Nanos = Nanos(200_000);
/// An operator that reads a value returns sooner after its GPU: at most this part of its time, as its divisor,
const LATEST_READ: i64 = 100;
/// or this long.
const READ: Nanos = Nanos(50_000);

/// Edges of streams and of threads of programs.
#[derive(Default)]
pub(super) struct Streams {
    /// For each node the node before it on its stream or thread, plus one; 0 for the first one. Empty where no device has streams
    /// or such threads.
    before: Vec<u32>,
    /// (the node that waited, the node that it waited for, why), in order of the first.
    waited: Vec<(u32, u32, EdgeKind)>,
    /// For each op that launched kernels, and whose kernels were joined to it by names: the last kernel.
    last_kernel: HashMap<OpId, u32, FixedState>,
    /// The threads that only ask a driver.
    pub(super) watchers: HashSet<(DeviceId, u32), FixedState>,
    /// What runs ahead of the steps, for each device that has such threads.
    pub(super) ahead: HashMap<DeviceId, Ahead, FixedState>,
}

impl Streams {
    /// Finds the edges. Calls that waited for a kernel, or for an op of another thread, start at the end of the kernel from now on.
    pub(super) fn followed(trace: &Trace, nodes: &mut Nodes, kernels: &Kernels) -> Self {
        let is_serial = |id: &DeviceId| trace.devices().get(*id).nests || has_kernels(trace, *id);
        if !trace.devices().ids().any(|id| is_serial(&id)) {
            return Self::default();
        }
        let mut streams = Self { before: vec![0; nodes.len()], ..Self::default() };
        let mut rows = 0..0;
        for device in trace.devices().ids() {
            rows = rows_of(trace, nodes, device, rows.end);
            if is_serial(&device) {
                streams.in_order(trace, nodes, device, rows.clone());
            }
        }
        let launched = Launched::collected(trace, nodes);
        streams.waits(trace, nodes, &launched);
        streams.unrecorded_waits(trace, nodes, &launched);
        streams.waited.extend(between(trace, nodes, &streams.before, &launched));
        streams.waited.extend(queued(trace, nodes));
        order::by_number(&mut streams.waited, |(node, from, _)| (i64::from(node), i64::from(from)));
        for node in 0..nodes.len() as u32 {
            let op = nodes.op(node);
            let Some(launcher) = kernels.op_of(op).filter(|_| trace.call_of(op).is_none()) else { continue };
            let end = nodes.interval(node).end;
            let last = streams.last_kernel.entry(launcher).or_insert(node);
            if nodes.interval(*last).end < end {
                *last = node;
            }
        }
        streams
    }

    /// The nodes that `node` waited for on its stream or thread, or because of a call.
    pub(super) fn causes(&self, node: u32) -> impl Iterator<Item = (u32, EdgeKind)> + '_ {
        let before = self.before.get(node as usize).and_then(|before| before.checked_sub(1));
        let first = self.waited.partition_point(|&(waiter, ..)| waiter < node);
        let waited = self.waited[first..].iter().take_while(move |&&(waiter, ..)| waiter == node);
        let before = before.map(|before| (before, EdgeKind::Stream));
        before.into_iter().chain(waited.map(|&(_, from, kind)| (from, kind)))
    }

    /// The last kernel of `op`, where kernels were joined by names.
    pub(super) fn last_of(&self, op: OpId) -> Option<u32> {
        self.last_kernel.get(&op).copied()
    }

    /// Links the nodes of each stream or thread of `device` one after the other. `rows` are the nodes of `device`, in order of
    /// start. A stream keeps its order where a kernel ends a little after the next one has started: clocks of GPUs are not exact,
    /// and newer GPUs start the next kernel early. A kernel that lies within another one is not after it, but after what was before
    /// that.
    fn in_order(&mut self, trace: &Trace, nodes: &Nodes, device: DeviceId, rows: std::ops::Range<u32>) {
        let nests = trace.devices().get(device).nests;
        let is_of_tensors = nests && is_of_tensors(trace.text(trace.devices().get(device).name));
        let thread = |node: u32| trace.ops().thread(nodes.op(node));
        let pools = if nests { pool_threads(trace, device) } else { HashSet::default() };
        let is_of_pool = |node: u32| pools.contains(&thread(node));
        let watchers = if nests { watchers(trace, device) } else { HashSet::default() };
        self.watchers.extend(watchers.iter().map(|&thread| (device, thread)));
        let ahead = if pools.is_empty() { Ahead::default() } else { Ahead::found(trace, device) };
        let runs_ahead = |node: u32| !ahead.is_empty() && ahead.has(trace, nodes.op(node));
        // What ended last on a thread that runs ahead: only such threads wait for it.
        let mut ended_ahead: Option<u32> = None;
        // The node of such threads that ended last so far.
        let mut ended_of_pool: Option<u32> = None;
        // By thread, and of a thread that runs some of what runs ahead, apart from that.
        let mut last: HashMap<(u32, bool), u32, FixedState> = HashMap::default();
        // The running nodes of the device by their ends, and the node that ended last so far.
        let mut running: BinaryHeap<Reverse<(Timestamp, u32)>> = BinaryHeap::new();
        let mut ended: Option<u32> = None;
        for node in rows.filter(|&node| nodes.length(node) > Nanos(0)) {
            let interval = nodes.interval(node);
            let row = (thread(node), runs_ahead(node));
            let newest = last.get(&row).copied();
            let is_within = |before: u32| {
                let own = nodes.interval(before).end;
                interval.start < own && interval.end <= own
            };
            let before = match newest {
                Some(around) if is_within(around) => self.before[around as usize].checked_sub(1),
                newest => {
                    last.insert(row, node);
                    newest
                }
            };
            self.before[node as usize] = before.map_or(0, |before| before + 1);
            if !nests {
                continue;
            }
            let is_watcher = watchers.contains(&thread(node));
            while let Some(&Reverse((end, other))) = running.peek()
                && end <= interval.start
            {
                if runs_ahead(other) {
                    ended_ahead = Some(other);
                } else {
                    ended = Some(other);
                }
                if is_of_pool(other) && !runs_ahead(other) {
                    ended_of_pool = Some(other);
                }
                running.pop();
            }
            // No op waits for a thread that only asks.
            if !is_watcher {
                running.push(Reverse((interval.end, node)));
            }
            let rested = |other: u32| {
                let other_ended = nodes.interval(other).end;
                thread(other) != thread(node)
                    && before.is_none_or(|before| other_ended - nodes.interval(before).end >= PAUSE)
            };
            // A thread that continues to run hands nothing over, but one of a pool: it goes on with one of the ops that it made ready, and
            // the others go to threads that rest.
            let newest_of = |thread: u32| {
                let rows = [false, true].map(|ahead| last.get(&(thread, ahead)).copied());
                rows.into_iter().flatten().max_by_key(|&own| (nodes.interval(own).start, own))
            };
            let is_at_rest = |other: u32| newest_of(thread(other)).is_none_or(|newest| newest == other);
            let ahead_of_it = ended_ahead.filter(|_| runs_ahead(node));
            let latest = ended.into_iter().chain(ahead_of_it).max_by_key(|&other| nodes.interval(other).end);
            let handed = latest.filter(|&other| is_at_rest(other));
            let handed = handed.or_else(|| ended_of_pool.filter(|_| is_of_pool(node)));
            let handed = if is_watcher { ended } else { handed };
            let is_later =
                |other: u32| before.is_none_or(|own| nodes.interval(other).end > nodes.interval(own).end);
            let other = match is_of_tensors {
                // Whatever a program or a coordinator did last for any tensor.
                true => ended.filter(|&other| is_later(other)),
                false => handed.filter(|&other| rested(other)),
            };
            if let Some(other) = other {
                self.waited.push((node, other, EdgeKind::Handover));
            }
        }
        if !ahead.is_empty() {
            self.ahead.insert(device, ahead);
        }
    }

    /// Finds the calls that waited for kernels of their process, or for its threads.
    fn waits(&mut self, trace: &Trace, nodes: &mut Nodes, launched: &Launched) {
        let ops = trace.ops();
        let pools = PoolEnds::collected(trace, nodes);
        for node in 0..nodes.len() as u32 {
            let op = nodes.op(node);
            if trace.category(op) != Category::Waiting
                || is_for_a_stream(trace.text(trace.nodes().op_type(ops.node(op))))
            {
                continue;
            }
            let waiting = nodes.interval(node);
            let last = launched.last_before(trace, op, waiting);
            if let Some(last) = last.or_else(|| pools.last_before(trace, op, waiting)) {
                self.wait(nodes, node, last);
            }
        }
        // A copy that blocks its call starts when the stream has finished everything before it.
        for &(copy, call) in trace.calls() {
            if trace.category(copy) != Category::Copy || ops.end(copy) > ops.end(call) {
                continue;
            }
            let (Some(copy), Some(call)) = (nodes.of_op(copy), nodes.of_op(call)) else { continue };
            if let Some(before) = self.before[copy as usize].checked_sub(1) {
                self.wait(nodes, call, before);
            }
        }
    }

    /// Finds the pauses of threads in which a call waited for a GPU that nobody recorded, such as a synchronisation with an event before Kineto
    /// had that: a kernel ended just before the pause did, and what comes next asks or frees what only an idle GPU has ready; or a thread that
    /// launches rested while the GPU worked, until the GPU had done all that was launched. So it is with an operator within which nothing was
    /// recorded: it reads a value of the accelerator (`aten::_local_scalar_dense`), and its driver was not recorded.
    fn unrecorded_waits(&mut self, trace: &Trace, nodes: &mut Nodes, launched: &Launched) {
        let thread = |op: OpId| (trace.device_of(op), trace.ops().thread(op));
        let launching: HashSet<(DeviceId, u32), FixedState> =
            trace.calls().iter().map(|&(_, call)| thread(call)).collect();
        for node in 0..nodes.len() as u32 {
            let op = nodes.op(node);
            let is_operator = trace.category(op) == Category::Compute && !trace.is_call(op);
            if is_operator && launching.contains(&thread(op)) {
                self.read(trace, nodes, node, launched);
            }
            let Some(before) = self.before[node as usize].checked_sub(1) else { continue };
            let pause = Interval::new(nodes.interval(before).end, nodes.interval(node).start);
            let is_long = pause.end - pause.start >= LONG_PAUSE;
            if !is_long {
                continue;
            }
            let asks = trace.is_call(op) && AFTER_WAIT.iter().any(|own| trace.op_type(op).contains(own));
            let rests = launching.contains(&thread(op));
            let Some(kernel) =
                Some(()).filter(|()| asks || rests).and_then(|()| launched.last_before(trace, op, pause))
            else {
                continue;
            };
            let delay = pause.end - nodes.interval(kernel).end;
            let is_done = delay <= RETURN.max(Nanos(pause.length().0 / LATEST_RETURN))
                && launched.worked(trace, op, Interval::new(nodes.interval(kernel).end, pause.end))
                    == Nanos(0);
            let worked = i128::from(launched.worked(trace, op, pause).0) * 100;
            if rests && is_done && worked >= i128::from(pause.length().0) * WORKED_PERCENT {
                self.waited.push((node, kernel, EdgeKind::Sync));
                continue;
            }
            if !asks {
                continue;
            }
            // A short kernel ends near any moment.
            if delay <= PAUSE && delay.0.saturating_mul(4) <= nodes.length(kernel).0 {
                self.waited.push((node, kernel, EdgeKind::Sync));
            }
        }
    }

    /// Notes that the operator of `node` waited for its GPU, if it did nothing else that was recorded while the GPU worked, and ended with it.
    fn read(&mut self, trace: &Trace, nodes: &mut Nodes, node: u32, launched: &Launched) {
        let (op, ran) = (nodes.op(node), nodes.interval(node));
        if ran.length() < LONG_PAUSE || ran != trace.ops().interval(op) {
            return;
        }
        let Some(kernel) = launched.last_before(trace, op, ran) else { return };
        let end = nodes.interval(kernel).end;
        let is_soon = ran.end - end <= READ.max(Nanos(ran.length().0 / LATEST_READ));
        let is_done = launched.worked(trace, op, Interval::new(end, ran.end)) == Nanos(0);
        let worked = i128::from(launched.worked(trace, op, ran).0) * 100;
        if is_soon && is_done && worked >= i128::from(ran.length().0) * WORKED_PERCENT {
            self.wait(nodes, node, kernel);
        }
    }

    /// Notes that `node` waited for `kernel`, if the kernel ended while the node ran.
    fn wait(&mut self, nodes: &mut Nodes, node: u32, kernel: u32) {
        let (call, end) = (nodes.interval(node), nodes.interval(kernel).end);
        if call.start < end && end <= call.end {
            nodes.waits_until(node, end);
            self.waited.push((node, kernel, EdgeKind::Sync));
        }
    }
}

/// The threads of `device` that do nothing but ask the driver, such as NCCL's watchdog, which looks for ended collectives every 100 ms
/// (`ProcessGroupNCCL.cpp`, `kWatchdogThreadSleepMillis`). A timer, or what was not recorded, wakes them, and no op waits for them: so what
/// they do comes after what the program did by then, and moves with it.
fn watchers(trace: &Trace, device: DeviceId) -> HashSet<u32, FixedState> {
    let (mut asking, mut working) = (HashSet::default(), HashSet::<u32, FixedState>::default());
    for op in trace.ops_of(device) {
        let threads = if asks_driver(trace, op) { &mut asking } else { &mut working };
        threads.insert(trace.ops().thread(op));
    }
    asking.retain(|thread| !working.contains(thread));
    // Where nothing else was recorded, these calls are what the program did.
    if working.is_empty() { HashSet::default() } else { asking }
}

/// The nodes of `device`, which start at `first`.
fn rows_of(trace: &Trace, nodes: &Nodes, device: DeviceId, first: u32) -> std::ops::Range<u32> {
    let end_op = trace.devices().get(device).end_op();
    let count = nodes.len() as u32;
    let (mut low, mut high) = (first, count);
    while low < high {
        let middle = (low + high) / 2;
        if nodes.op(middle).get() < end_op { low = middle + 1 } else { high = middle }
    }
    first..low
}
