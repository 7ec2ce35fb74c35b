//! Which op of the executor each record of TensorFlow's host profiler is. From the names and times of both. For the threads of
//! ops, the times at which tensors were handed over, and the doctor.
//!
//! TensorFlow 1.14 to 2.2 write a device `/host:CPU`. It has some of the executor's ops a second time, with the thread that ran
//! each and the time of its kernel; the `_Send` and `_Recv` nodes, which the executor does not record; ranges such as `SessionRun`;
//! and events of other runs of sessions in the same process at that time. None of these is work of its own. A joined event has what
//! no other record has: the thread of its op. Such events are ranges, on devices that come last, because the ops that count must be
//! the first rows ([`Trace::counted_ops`](crate::Trace::counted_ops)).
//!
//! `docs/releases.md` has the forms by release, and the rules of joining.

mod event;
mod joining;

use crate::base::ids::{DeviceId, OpId, StringId};
use crate::base::units::Interval;
use crate::{Nanos, Trace};
use event::Label;
pub(crate) use event::PROCESS;

/// The kind of a host event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A second record of this op of the executor.
    Joined(OpId),
    /// A `_Send`, `_Recv` or the like, which the executor does not record.
    TransferNode,
    /// It has a name like an op, but no op of the executor matches.
    Unjoined,
    /// A range around other events, such as `RunGraph`.
    Range,
    /// Part of another run of a session at the same time; or an event without a run that matches no op of the step.
    OtherRun,
}

impl EventKind {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Joined(_) => "joined",
            Self::TransferNode => "transfer-node",
            Self::Unjoined => "unjoined",
            Self::Range => "range",
            Self::OtherRun => "other-run",
        }
    }
}

/// One event of the host profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostEvent {
    /// The event: an op of a device that is a host profiler.
    pub event: OpId,
    /// Its kind.
    pub kind: EventKind,
    /// Its thread, as a row of [`HostProfile::threads`]; `None` if no thread was recorded, as in a Chrome trace.
    pub thread: Option<u32>,
}

/// A thread of a process of TensorFlow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostThread {
    /// The host profiler's device.
    pub device: DeviceId,
    /// The number in the file.
    pub number: u32,
    /// The task whose ops it ran, if threads of several processes share one number.
    pub task: Option<StringId>,
}

/// The number of events of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All events.
    pub events: usize,
    /// Ops of the executor.
    pub joined: usize,
    /// Nodes that hand tensors over, which the executor does not record.
    pub transfer_nodes: usize,
    /// Events with names like ops, but without an op of the executor.
    pub unjoined: usize,
    /// Ranges.
    pub ranges: usize,
    /// Events of other runs of sessions.
    pub other_runs: usize,
    /// Threads that ran joined ops.
    pub threads: usize,
}

/// The events of all host profilers of a trace, with their kinds.
#[derive(Default)]
pub struct HostProfile {
    /// In the order of the trace's ops.
    events: Vec<HostEvent>,
    /// (op of the executor, row of its event), in order of op.
    of_op: Vec<(OpId, u32)>,
    threads: Vec<HostThread>,
}

impl HostProfile {
    /// The host profile of `trace`, in time n log n; empty and without cost if it has none.
    pub fn read(trace: &Trace) -> Self {
        match trace.devices().host_profilers().next() {
            None => Self::default(),
            Some(_) => joining::joined(trace),
        }
    }

    /// The profiler's microseconds are rounded down, so an event may be outside of the executor's nanoseconds by this much.
    pub const ROUNDING: Nanos = Nanos(1_000);

    /// Every `_Send` of the step by its node's name, in the order of the trace's ops.
    pub fn sends<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = (StringId, OpId)> + 'a {
        let nodes = self.events.iter().filter(|own| own.kind == EventKind::TransferNode);
        nodes.filter_map(|own| {
            let name = trace.op_name(own.event).strip_suffix(":_Send")?;
            Some((trace.strings().find(name)?, own.event))
        })
    }

    /// Whether the trace has no records of a host profiler.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Every event, in the order of the trace's ops.
    pub fn events(&self) -> &[HostEvent] {
        &self.events
    }

    /// The threads that ran any event.
    pub fn threads(&self) -> &[HostThread] {
        &self.threads
    }

    /// The event of `op`, an op on a host profiler's device.
    pub fn event(&self, op: OpId) -> Option<&HostEvent> {
        let row = self.events.binary_search_by_key(&op, |own| own.event).ok()?;
        Some(&self.events[row])
    }

    /// The event that is a second record of `op`, an op of the executor.
    pub fn of_op(&self, op: OpId) -> Option<&HostEvent> {
        let place = self.of_op.binary_search_by_key(&op, |&(op, _)| op).ok()?;
        Some(&self.events[self.of_op[place].1 as usize])
    }

    /// The ops of the executor that are joined, each with its event, in the order of the ops.
    pub fn joined(&self) -> impl Iterator<Item = (OpId, &HostEvent)> {
        self.of_op.iter().map(|&(op, row)| (op, &self.events[row as usize]))
    }

    /// The thread on which `op` of the executor ran, as a row of [`threads`](Self::threads), if that was recorded.
    pub fn thread(&self, op: OpId) -> Option<u32> {
        self.of_op(op)?.thread
    }

    /// When the kernel of `op` ran on its thread, to the microsecond, and within the op. For an asynchronous op, when it was
    /// started.
    pub fn kernel(&self, trace: &Trace, op: OpId) -> Option<Interval> {
        let event = trace.ops().interval(self.of_op(op)?.event);
        Some(event.clamp_to(trace.ops().interval(op)))
    }

    /// Whether `op` was asynchronous, so that its thread did not wait for its end; `None` if that was not recorded.
    pub fn is_async(&self, trace: &Trace, op: OpId) -> Option<bool> {
        let node = trace.ops().node(self.of_op(op)?.event);
        Label::of(trace.text(trace.nodes().label(node))).is_async
    }

    /// The number of events of each kind.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { events: self.events.len(), ..Counts::default() };
        let mut is_used = vec![false; self.threads.len()];
        for own in &self.events {
            match own.kind {
                EventKind::Joined(_) => {
                    counts.joined += 1;
                    own.thread.into_iter().for_each(|thread| is_used[thread as usize] = true);
                }
                EventKind::TransferNode => counts.transfer_nodes += 1,
                EventKind::Unjoined => counts.unjoined += 1,
                EventKind::Range => counts.ranges += 1,
                EventKind::OtherRun => counts.other_runs += 1,
            }
        }
        counts.threads = is_used.into_iter().filter(|&is_used| is_used).count();
        counts
    }

    /// The events with names like ops of the step that match no op of the executor. More than a few mean that the two recordings do
    /// not fit together.
    pub fn unjoined(&self) -> impl Iterator<Item = OpId> {
        self.events.iter().filter(|own| own.kind == EventKind::Unjoined).map(|own| own.event)
    }

    /// The process of each event.
    pub fn processes(&self, trace: &Trace) -> Processes {
        let mut of_thread = vec![None; self.threads.len()];
        for (op, event) in self.joined() {
            if let Some(thread) = event.thread {
                of_thread[thread as usize].get_or_insert(trace.device_of(op));
            }
        }
        Processes { of_thread }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.events.capacity() * size_of::<HostEvent>()
            + self.of_op.capacity() * size_of::<(OpId, u32)>()
            + self.threads.capacity() * size_of::<HostThread>()
    }
}

/// The process of each host event, represented by one of the devices whose ops it ran.
pub struct Processes {
    /// For each thread a device of its process.
    of_thread: Vec<Option<DeviceId>>,
}

impl Processes {
    /// A device of the process of `event`; `None` if no event on its thread is joined to an op of the executor.
    pub fn of(&self, trace: &Trace, event: &HostEvent) -> Option<DeviceId> {
        match event.kind {
            EventKind::Joined(op) => Some(trace.device_of(op)),
            _ => self.of_thread[event.thread? as usize],
        }
    }
}
