//! Why an op started late: what ran between its scheduling and its start on its thread, stream or link, and on the threads that it
//! may share.

use super::RunBy;
use super::moments::Moments;
use super::tiny::before;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::Causes;
use crate::makers::Edges;
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The place of an op that ran instead of the late op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    /// On the thread (recorded or inferred) that ran the late op afterwards.
    Thread,
    /// On the stream that ran the late kernel afterwards.
    Stream,
    /// On the link of the late transfer.
    Link,
    /// On the device of the late op, on another thread.
    Device,
    /// On another device that shares threads with the device of the late op.
    Shared,
}

impl Where {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Stream => "stream",
            Self::Link => "link",
            Self::Device => "device",
            Self::Shared => "shared",
        }
    }
}

/// An op that ran while the late op was scheduled and had not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instead {
    /// The op.
    pub op: OpId,
    /// The place where it ran.
    pub place: Where,
    /// How long it ran in that time.
    pub length: Nanos,
}

/// The ops that ran instead of a late op.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Late {
    /// From the scheduling of the late op to its start. Nothing schedules transfers and calls of a program: for them, from the end
    /// of what they waited for.
    pub queue: Interval,
    /// The ops that ran during `queue`: first those on the thread, stream or link of the late op, then all others; each group has
    /// the longest first.
    pub instead: Vec<Instead>,
    /// How much of `queue` the thread, stream or link of the late op was at work.
    pub own_busy: Nanos,
    /// How much of `queue` at least one of these ops ran.
    pub busy: Nanos,
}

impl Late {
    /// Finds what ran instead of `op`; `None` where the op started at once, or where nothing says when it could have started.
    pub fn found(edges: Edges<'_>, causes: &Causes, op: OpId) -> Option<Self> {
        let trace = edges.trace;
        let run_by = RunBy::of(trace, edges.transfers, op);
        let mut found = Found { trace, queue: queue_of(edges, causes, op, run_by)?, pieces: Vec::new() };
        match run_by {
            RunBy::Executor => found.on_threads(causes, op),
            RunBy::Stream => found.on_stream(causes, op),
            RunBy::Network => found.on_link(edges, op),
            RunBy::Program => found.on_recorded_thread(causes, op),
            RunBy::Nothing => return None,
        }
        Some(found.into_late())
    }
}

fn queue_of(edges: Edges<'_>, causes: &Causes, op: OpId, run_by: RunBy) -> Option<Interval> {
    let graph = &causes.graph;
    let queue = match run_by {
        RunBy::Executor | RunBy::Stream => {
            let moments = Moments::of(edges, causes, op);
            Interval::new(moments.scheduled?, moments.start)
        }
        RunBy::Network | RunBy::Program => {
            let node = graph.nodes.first_of(edges.trace, op)?;
            let (cause, _) = crate::causality::observed::Observed::wait_of(edges, graph, node);
            Interval::new(graph.ready(cause?.0, node), graph.nodes.interval(node).start)
        }
        RunBy::Nothing => return None,
    };
    (queue.length() > Nanos(0)).then_some(queue)
}

struct Found<'a> {
    trace: &'a Trace,
    queue: Interval,
    /// The pieces of ops that ran during `queue`.
    pieces: Vec<(OpId, Where, Interval)>,
}

impl Found<'_> {
    fn add(&mut self, op: OpId, interval: Interval, place: Where) {
        let within = interval.clamp_to(self.queue);
        if within.length() > Nanos(0) {
            self.pieces.push((op, place, within));
        }
    }

    /// Adds the ops that executors ran on the threads that `late` may share.
    fn on_threads(&mut self, causes: &Causes, late: OpId) {
        let threads = &causes.graph.threads;
        let own_device = self.trace.device_of(late);
        let devices: Vec<DeviceId> = match threads.pools.sharing_with(own_device) {
            [] => vec![own_device],
            sharing => sharing.to_vec(),
        };
        // If the thread of the late op was recorded, only ops that were recorded on it ran there. Inferred threads belong to one
        // device.
        let is_on_thread = |op: OpId, device: DeviceId| match threads.is_recorded(late) {
            true => threads.is_recorded(op) && threads.thread(op) == threads.thread(late),
            false => device == own_device && threads.thread(op) == threads.thread(late),
        };
        for device in devices {
            for op in threads.pools.device(device).within(self.trace, self.queue).filter(|&op| op != late) {
                let place = match device == own_device {
                    _ if is_on_thread(op, device) => Where::Thread,
                    true => Where::Device,
                    false => Where::Shared,
                };
                self.add(op, self.trace.ops().interval(op), place);
            }
        }
    }

    /// Adds the kernels before `kernel` on its stream.
    fn on_stream(&mut self, causes: &Causes, kernel: OpId) {
        let mut other = before(causes, kernel);
        while let Some(own) = other.filter(|&own| self.trace.ops().end(own) > self.queue.start) {
            self.add(own, self.trace.ops().interval(own), Where::Stream);
            other = before(causes, own);
        }
    }

    /// Adds the transfers that were in transit on the same link.
    fn on_link(&mut self, edges: Edges<'_>, op: OpId) {
        let Some(transfer) = edges.transfers.of_op(op) else { return };
        for (_, other) in edges.transfers.all() {
            let is_on_link = other.source == transfer.source && other.destination == transfer.destination;
            if let Some(other) = other.op.filter(|&other| is_on_link && other != op) {
                self.add(other, self.trace.ops().interval(other), Where::Link);
            }
        }
    }

    /// Adds the self time of the other ops on the thread of `op`.
    fn on_recorded_thread(&mut self, causes: &Causes, op: OpId) {
        let nodes = &causes.graph.nodes;
        let thread = |op: OpId| self.trace.ops().thread(op);
        let rows = nodes.of_device(self.trace, self.trace.device_of(op));
        let same = |&node: &u32| nodes.op(node) != op && thread(nodes.op(node)) == thread(op);
        for node in rows.filter(same).collect::<Vec<u32>>() {
            self.add(nodes.op(node), nodes.interval(node), Where::Thread);
        }
    }

    fn into_late(mut self) -> Late {
        order::by_number(&mut self.pieces, |(_, _, piece)| (piece.start.0, 0));
        let mut late = Late { queue: self.queue, ..Late::default() };
        let mut rows: HashMap<OpId, usize, FixedState> = HashMap::default();
        let (mut until, mut own_until) = (self.queue.start, self.queue.start);
        for &(op, place, piece) in &self.pieces {
            late.busy += beyond(piece, &mut until);
            if place <= Where::Link {
                late.own_busy += beyond(piece, &mut own_until);
            }
            let row = *rows.entry(op).or_insert(late.instead.len());
            match late.instead.get_mut(row) {
                Some(own) => own.length += piece.length(),
                None => late.instead.push(Instead { op, place, length: piece.length() }),
            }
        }
        order::by_number(&mut late.instead, |own| {
            (i64::from(own.place > Where::Link), own.length.0.wrapping_neg())
        });
        late
    }
}

/// How much of `piece` lies after `until`. Moves `until` to the end of the piece.
fn beyond(piece: Interval, until: &mut crate::base::units::Timestamp) -> Nanos {
    let from = piece.start.max(*until);
    *until = piece.end.max(*until);
    Interval::new(from, *until).length()
}
