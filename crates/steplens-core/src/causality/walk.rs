//! A way back through the execution graph: the result that a node waited for last, and what the time from there to its start was
//! spent on. For the observed path, and for what is said of a single op.

use super::cause::BeforeSending;
use super::edge_kind::EdgeKind;
use super::graph::ExecutionGraph;
use super::pools::MAX_DISPATCH;
use super::segment::{Segment, SegmentKind};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::has_kernels;
use crate::makers::Edges;
use crate::model::device::{DeviceKind, is_of_executor};
use crate::{DeviceId, OpId, Trace};

/// How long after its launch, or after the kernel before it, a kernel may start so that this time counts as launching. The value is
/// from HTA, which takes longer delays for a dependency that was not recorded (`KERNEL_KERNEL_DELAY_THRESHOLD_US`).
pub(crate) const MAX_LAUNCH: Nanos = Nanos(1_500_000);

/// What held the thread, the link or the GPU of an op.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// The node that held it last.
    pub(super) from: u32,
    pub(super) kind: EdgeKind,
    pub(super) is_inferred: bool,
    /// When the op that waited could have run.
    pub(super) since: Timestamp,
    /// How many ops ended there since then.
    pub(super) count: u32,
}

/// A way back through the graph.
pub(super) struct Walk<'a> {
    pub(super) edges: Edges<'a>,
    pub(super) graph: &'a ExecutionGraph,
    /// The path is known from here on; it is not known before.
    now: Timestamp,
    pub(super) start: Timestamp,
    /// What was found, the last moment first.
    pub(super) segments: Vec<Segment>,
    pub(super) on_path: OnPath,
    /// Whether the time in which an op waits for its turn is a segment of its own.
    names_turns: bool,
}

/// Which nodes are on the path so far.
pub(super) enum OnPath {
    /// This one only: a question about a single node must not cost what all nodes take.
    One(u32),
    /// For each node whether it is.
    Many(Vec<bool>),
}

impl OnPath {
    pub(super) fn has(&self, node: u32) -> bool {
        match self {
            Self::One(own) => *own == node,
            Self::Many(is_on) => is_on[node as usize],
        }
    }

    pub(super) fn add(&mut self, node: u32) {
        match self {
            Self::One(own) => *own = node,
            Self::Many(is_on) => is_on[node as usize] = true,
        }
    }
}

/// When the executor made `node` ready, if that was recorded.
pub(super) fn scheduled(edges: Edges<'_>, graph: &ExecutionGraph, node: u32) -> Option<Timestamp> {
    let op = graph.nodes.op(node);
    let row = edges.trace.devices().get(edges.trace.device_of(op));
    let is_run = !row.nests && edges.transfers.id_of_op(op).is_none();
    let scheduled = edges.trace.ops().scheduled(op).filter(|_| is_run)?;
    Some(scheduled.min(graph.nodes.interval(node).start))
}

impl<'a> Walk<'a> {
    pub(super) fn new(edges: Edges<'a>, graph: &'a ExecutionGraph, now: Timestamp, on_path: OnPath) -> Self {
        let (start, segments) = (edges.trace.span().start, Vec::new());
        Self { edges, graph, now, start, segments, on_path, names_turns: true }
    }

    pub(super) fn trace(&self) -> &'a Trace {
        self.edges.trace
    }

    /// The node that ended last; of several the one that started last. In a period, one that runs on after it comes after those that
    /// end with it.
    pub(super) fn last(&self) -> Option<u32> {
        let (nodes, is_period) = (&self.graph.nodes, self.trace().is_period());
        let all = (0..nodes.len() as u32).filter(|&node| nodes.length(node) > Nanos(0));
        let goes_on = |node: u32| is_period && self.trace().ops().end(nodes.op(node)) > self.now;
        // A thread that only asks a driver goes on after the program.
        let watchers = &self.graph.watchers;
        // So does a pipeline that makes batches for later steps.
        let works = |node: u32| {
            let (op, device) = (nodes.op(node), self.trace().device_of(nodes.op(node)));
            let runs_ahead = self.graph.ahead.get(&device).is_some_and(|own| own.has(self.trace(), op));
            !runs_ahead
                && (watchers.is_empty() || !watchers.contains(&(device, self.trace().ops().thread(op))))
        };
        all.max_by_key(|&node| {
            (works(node), nodes.interval(node).end, !goes_on(node), nodes.interval(node).start, node)
        })
    }

    /// The node whose result `node` waited for last.
    pub(super) fn cause(&self, node: u32) -> Option<(u32, EdgeKind)> {
        let free = || self.graph.causes(node).filter(|&(from, _)| !self.on_path.has(from));
        let latest = |&(from, kind): &(u32, EdgeKind)| {
            // Of two causes that were ready at the same time, prefer the one that brought a value to a control edge.
            (self.graph.ready(from, node), kind != EdgeKind::Control, from)
        };
        let by_dependency = free().filter(|(_, kind)| kind.is_dependency()).max_by_key(latest);
        match self.scheduled(node) {
            Some(scheduled) => {
                let is_late = |(from, _)| scheduled - self.graph.ready(from, node) > MAX_DISPATCH;
                let trigger = || self.trigger(node, scheduled).map(|from| (from, EdgeKind::Thread));
                match by_dependency {
                    Some(cause) if !is_late(cause) => Some(cause),
                    cause => trigger().filter(|&own| cause.is_none() || !is_late(own)).or(cause),
                }
            }
            // An op without a recorded dependency waited for the op before it on its thread.
            None => {
                let cause = by_dependency
                    .or_else(|| free().filter(|own| own.1 == EdgeKind::Thread).max_by_key(latest));
                self.behind_gpu(node, cause).map(|kernel| (kernel, EdgeKind::Sync)).or(cause)
            }
        }
    }

    /// The participant that came last to the collective of `node`, which had begun and waited for it.
    pub(super) fn came_last(&self, node: u32) -> Option<u32> {
        let last = self.graph.arrivals.last(node).filter(|&last| !self.on_path.has(last))?;
        let arrived = self.graph.nodes.interval(last).start;
        (self.graph.nodes.interval(node).start < arrived && arrived < self.now).then_some(last)
    }

    /// What the GPU ran until `node`, an op that an executor ran on a CPU, began, long after its `cause`.
    fn behind_gpu(&self, node: u32, cause: Option<(u32, EdgeKind)>) -> Option<u32> {
        let device = self.trace().devices().get(self.trace().device_of(self.graph.nodes.op(node)));
        if device.kind != DeviceKind::Cpu || !is_of_executor(self.trace().text(device.name)) {
            return None;
        }
        let (since, start) = (self.graph.ready(cause?.0, node), self.graph.nodes.interval(node).start);
        let kernel = self.graph.feeders.ran_until(self.trace(), Interval::new(since, start))?;
        self.graph.nodes.of_op(kernel).filter(|&kernel| kernel != node && !self.on_path.has(kernel))
    }

    /// When the executor made `node` ready, if that was recorded.
    pub(super) fn scheduled(&self, node: u32) -> Option<Timestamp> {
        scheduled(self.edges, self.graph, node)
    }

    /// The op of the same device that ended last before `node` was scheduled: the thread of this op made `node` ready. `None` for
    /// nodes that were scheduled when the task began.
    fn trigger(&self, node: u32, scheduled: Timestamp) -> Option<u32> {
        let device = self.trace().device_of(self.graph.nodes.op(node));
        if self.is_root(device, scheduled) {
            return None;
        }
        let pools = &self.graph.threads.pools;
        // The first op of a device comes from another device whose ops run on the same threads.
        let ended = pools.device(device).ended_by(self.trace(), scheduled);
        let ended = ended.or_else(|| pools.of_task(device).ended_by(self.trace(), scheduled))?;
        let from = self.graph.nodes.of_op(ended)?;
        (from != node && !self.on_path.has(from)).then_some(from)
    }

    /// Adds the time between the start of `node` and the result that it waited for last, where nothing held its thread or link: while it
    /// was not its turn for a reason that is not known, the time has no recorded cause.
    pub(super) fn go_to_result(&mut self, node: u32, cause: Option<(u32, EdgeKind)>) {
        self.names_turns = false;
        self.between(node, cause);
        self.names_turns = true;
    }

    /// Adds the time between the start of `node` and the end of the op that held its thread or link.
    pub(super) fn until_held(&mut self, node: u32, held: &Held) {
        let op = self.graph.nodes.op(node);
        let ready = self.graph.ready(held.from, node);
        match held.kind {
            EdgeKind::Link => self.back_to(node, ready, SegmentKind::SenderQueue),
            _ => {
                // A transfer between devices of one task: first the op is scheduled, then it starts.
                let scheduled = self.scheduled(node).map_or(ready, |at| at.max(ready));
                self.starting(op, scheduled);
                self.starting(op, ready);
            }
        }
    }

    /// Adds the time back to `until`, in which `op` was starting: at most a dispatch.
    fn starting(&mut self, op: OpId, until: Timestamp) {
        let kind = if self.now - until <= MAX_DISPATCH { SegmentKind::Launching } else { SegmentKind::Gap };
        self.put(op, until, kind, None);
    }

    /// Adds the segments between the start of `node` and its cause.
    pub(super) fn between(&mut self, node: u32, cause: Option<(u32, EdgeKind)>) {
        let op = self.graph.nodes.op(node);
        let start = self.graph.nodes.interval(node).start;
        let ready = cause.map_or(self.start, |(from, _)| self.graph.ready(from, node));
        if ready >= start {
            return;
        }
        if let Some(transfer) = self.edges.transfers.of_op(op) {
            if cause.is_none() {
                return self.back_to(node, ready, SegmentKind::Producer);
            }
            let own = self.trace().device_of(op);
            let sender = transfer.producer.map_or(own, |producer| self.trace().device_of(producer));
            return match BeforeSending::of(self.trace(), &transfer, op) {
                BeforeSending::AtSender => self.back_to(node, ready, SegmentKind::SenderQueue),
                BeforeSending::NotTimed => self.behind_others(op, sender, ready),
                BeforeSending::NotBegun => self.behind_others(op, own, ready),
            };
        }
        if self.graph.unnamed.has(op) {
            let kind = if cause.is_some() { SegmentKind::SenderQueue } else { SegmentKind::Producer };
            return self.back_to(node, ready, kind);
        }
        let device = self.trace().device_of(op);
        if has_kernels(self.trace(), device) {
            let is_short = cause.is_some() && start - ready <= MAX_LAUNCH;
            return self.back_to(
                node,
                ready,
                if is_short { SegmentKind::Launching } else { SegmentKind::Gap },
            );
        }
        if self.trace().devices().get(device).nests {
            let before = cause.map(|(from, _)| self.graph.nodes.op(from));
            // The first op of its thread: the program of a marked step ran before it.
            let began = self.graph.feeders.step_began(self.trace(), op, start).filter(|_| before.is_none());
            if let Some(began) = began {
                self.back_to(node, began, self.graph.feeders.kind(self.trace(), op, Some(op)));
            }
            // Before its rank began, nothing says that its host did anything.
            let known = self.graph.began.of(self.trace(), device).map_or(ready, |began| began.max(ready));
            self.back_to(node, known, self.graph.feeders.kind(self.trace(), op, before));
            return self.back_to(node, ready, SegmentKind::Starting);
        }
        let scheduled = self.scheduled(node).map(|scheduled| scheduled.max(ready));
        // Where no scheduling was recorded, an op counts as scheduled as soon as it was ready.
        if scheduled.is_some() || cause.is_some() {
            self.queued(node, scheduled.unwrap_or(ready));
        }
        let kind = match (cause, scheduled) {
            // A node without a cause waits for the start of the executor.
            (None, Some(scheduled)) if self.is_root(device, scheduled) => SegmentKind::Starting,
            (None, _) => SegmentKind::Gap,
            // A transfer that no op recorded lies between the two. It has no times, so nothing is shown as in transit.
            (Some((from, EdgeKind::Transfer)), Some(_)) if !self.is_transfer(from) => {
                let sender = self.trace().device_of(self.graph.nodes.op(from));
                return self.behind_others(op, sender, ready);
            }
            (Some(_), Some(_)) if self.now - ready <= MAX_DISPATCH => SegmentKind::Launching,
            _ => SegmentKind::Gap,
        };
        self.back_to(node, ready, kind);
    }

    /// Whether `node` is the record of a transfer.
    pub(super) fn is_transfer(&self, node: u32) -> bool {
        let op = self.graph.nodes.op(node);
        self.edges.transfers.id_of_op(op).is_some() || self.graph.unnamed.has(op)
    }

    /// Whether a node scheduled at `scheduled` was scheduled when the executor of its task began.
    fn is_root(&self, device: DeviceId, scheduled: Timestamp) -> bool {
        let began = self.graph.threads.pools.of_task(device).began;
        began.is_some_and(|began| scheduled - began <= MAX_DISPATCH)
    }

    /// Adds the time from the start of `node` back to `scheduled`: it waited behind the batch that it was in, or behind other ops
    /// on its threads.
    fn queued(&mut self, node: u32, scheduled: Timestamp) {
        if !self.names_turns {
            return self.starting(self.graph.nodes.op(node), scheduled);
        }
        let (trace, op) = (self.edges.trace, self.graph.nodes.op(node));
        let (ops, threads) = (trace.ops(), &self.graph.threads);
        let mut row: Option<(OpId, u32)> = None;
        let mut mate = threads.mate(op);
        while let Some(other) = mate.filter(|&other| ops.end(other) > scheduled) {
            row = Some((other, row.map_or(1, |(_, count)| count + 1)));
            mate = threads.mate(other);
        }
        let before = threads.before(op).filter(|&before| ops.end(before) > scheduled);
        if let Some(before) = before.filter(|&before| self.now - ops.end(before) <= MAX_DISPATCH) {
            self.back_to(node, ops.end(before), SegmentKind::Launching);
        }
        if let Some((first, count)) = row {
            // The thread works through its batch. Work that leaves no op, such as sending, is part of it.
            let last = before.unwrap_or(first);
            self.put(op, ops.start(first).max(scheduled), SegmentKind::Behind, Some((last, count)));
        }
        self.behind_pool(op, trace.device_of(op), scheduled);
        let ended = before.filter(|&before| ops.start(before) < self.now).map(|before| (before, 1));
        let kind = if ended.is_some() { SegmentKind::Behind } else { SegmentKind::Launching };
        self.put(op, scheduled, kind, ended);
    }

    /// Adds the time back to `from`, behind the ops that the threads of `device` ran.
    fn behind_others(&mut self, op: OpId, device: DeviceId, from: Timestamp) {
        if !self.names_turns {
            return self.starting(op, from);
        }
        self.behind_pool(op, device, from);
        self.put(op, from, SegmentKind::Launching, None);
    }

    /// Adds the time back towards `from`, until at most a dispatch is left: behind the ops that the threads of `device` ran. While
    /// the threads rested, nothing says why `op` did not run.
    fn behind_pool(&mut self, op: OpId, device: DeviceId, from: Timestamp) {
        let (trace, pool) = (self.edges.trace, self.graph.threads.pools.around(device));
        while self.now - from > MAX_DISPATCH {
            let rest = pool.rest_before(self.now).unwrap_or(Interval { start: self.start, end: self.start });
            let busy = Interval::new(rest.end.max(from), self.now);
            self.put(op, busy.start, SegmentKind::Behind, pool.ended_within(trace, busy));
            self.put(op, rest.start.max(from), SegmentKind::Gap, None);
        }
    }

    /// Adds the time after `last`, the node that ended last: a call or a range that nothing waits for may end after all work. While a
    /// program was in a step that it marked, it ran between its ops.
    pub(super) fn after(&mut self, last: u32) {
        let end = self.graph.nodes.interval(last).end;
        let (feeders, now) = (&self.graph.feeders, self.now);
        if let Some(own) = feeders.last_of_step(self.trace(), now).filter(|_| end < now) {
            let since = feeders.step_began(self.trace(), own, now).unwrap_or(now).max(end);
            self.put(own, since, feeders.kind(self.trace(), own, Some(own)), None);
        }
        self.back_to(last, end, SegmentKind::Gap);
    }

    pub(super) fn back_to(&mut self, node: u32, until: Timestamp, kind: SegmentKind) {
        self.put(self.graph.nodes.op(node), until, kind, None);
    }

    /// Adds a segment of this kind between `until` and the part of the path that is known already.
    pub(super) fn put(&mut self, op: OpId, until: Timestamp, kind: SegmentKind, behind: Option<(OpId, u32)>) {
        let until = until.clamp(self.start.min(self.now), self.now);
        if until < self.now {
            let interval = Interval { start: until, end: self.now };
            self.segments.push(Segment { behind, ..Segment::new(op, kind, interval) });
            self.now = until;
        }
    }
}
