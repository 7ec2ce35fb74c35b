//! What TensorFlow's host profiler recorded next to the executor, joined to the executor's ops.
//!
//! TensorFlow 1.14 to 2.2 write a device `/host:CPU`: some of the executor's ops once more, with the thread that ran each and the time
//! of its kernel; the `_Send` and `_Recv` nodes that the executor does not record; ranges such as `SessionRun`; and what other runs of
//! sessions did in the same process meanwhile. None of it is work of its own. A joined event says what nothing else does: the thread of its op.
//! Such events are ranges, on devices that come last: the ops that count are the first rows ([`Trace::counted_ops`](crate::Trace::counted_ops)).
//!
//! `docs/releases.md` has the forms by release, and the rules of joining.

mod event;
mod joining;

use crate::base::ids::{DeviceId, OpId, StringId};
use crate::base::units::Interval;
use crate::{Nanos, Trace};
use event::Label;

/// What an event of the host profiler is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An op of the executor, once more.
    Joined(OpId),
    /// A `_Send`, `_Recv` or the like, which the executor does not record.
    TransferNode,
    /// Named like an op, and no op of the executor is it.
    Unjoined,
    /// A range around others, such as `RunGraph`.
    Range,
    /// Part of another run of a session at the same time; or an event that says no run and joins no op of the step.
    OtherRun,
}

impl EventKind {
    /// Its word in every output.
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
    /// What it is.
    pub kind: EventKind,
    /// Its thread, a row of [`HostProfile::threads`]; `None` where no thread was recorded, as in a Chrome trace.
    pub thread: Option<u32>,
}

/// A thread of a process of TensorFlow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostThread {
    /// The host profiler's device.
    pub device: DeviceId,
    /// Its number in the file.
    pub number: u32,
    /// The task whose ops it ran, where threads of several processes have one number.
    pub task: Option<StringId>,
}

/// How many events are what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All events.
    pub events: usize,
    /// Ops of the executor.
    pub joined: usize,
    /// Nodes that hand tensors over, which the executor does not record.
    pub transfer_nodes: usize,
    /// Named like an op, and no op of the executor.
    pub unjoined: usize,
    /// Ranges.
    pub ranges: usize,
    /// Of other runs of sessions.
    pub other_runs: usize,
    /// Threads that ran joined ops.
    pub threads: usize,
}

/// The events of all host profilers of a trace, by what they are.
#[derive(Default)]
pub struct HostProfile {
    /// In the order of the trace's ops.
    events: Vec<HostEvent>,
    /// (op of the executor, row of its event), by op.
    of_op: Vec<(OpId, u32)>,
    threads: Vec<HostThread>,
}

impl HostProfile {
    /// The host profile of `trace`, in time n log n; empty at no cost where it has none.
    pub fn of(trace: &Trace) -> Self {
        match trace.devices().host_profilers().next() {
            None => Self::default(),
            Some(_) => joining::joined(trace),
        }
    }

    /// How far the profiler's microseconds, which are rounded down, may lie outside of the executor's nanoseconds.
    pub const ROUNDING: Nanos = Nanos(1_000);

    /// Every `_Send` of the step by its node's name, in the order of the trace's ops.
    pub fn sends<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = (StringId, OpId)> + 'a {
        let nodes = self.events.iter().filter(|own| own.kind == EventKind::TransferNode);
        nodes.filter_map(|own| {
            let name = trace.op_name(own.event).strip_suffix(":_Send")?;
            Some((trace.strings().find(name)?, own.event))
        })
    }

    /// Whether nothing was recorded by a host profiler.
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

    /// The event that `op`, an op of a host profiler's device, is.
    pub fn event(&self, op: OpId) -> Option<&HostEvent> {
        let row = self.events.binary_search_by_key(&op, |own| own.event).ok()?;
        Some(&self.events[row])
    }

    /// The event that is `op` of the executor once more.
    pub fn of_op(&self, op: OpId) -> Option<&HostEvent> {
        let place = self.of_op.binary_search_by_key(&op, |&(op, _)| op).ok()?;
        Some(&self.events[self.of_op[place].1 as usize])
    }

    /// The ops of the executor that are joined, each with its event, in the order of the ops.
    pub fn joined(&self) -> impl Iterator<Item = (OpId, &HostEvent)> {
        self.of_op.iter().map(|&(op, row)| (op, &self.events[row as usize]))
    }

    /// The thread on which `op` of the executor ran, a row of [`threads`](Self::threads), where that was recorded.
    pub fn thread(&self, op: OpId) -> Option<u32> {
        self.of_op(op)?.thread
    }

    /// When the kernel of `op` ran on its thread, to the microsecond; within the op. Of an asynchronous op, when it was begun.
    pub fn kernel(&self, trace: &Trace, op: OpId) -> Option<Interval> {
        let event = trace.ops().interval(self.of_op(op)?.event);
        Some(event.clamp_to(trace.ops().interval(op)))
    }

    /// Whether `op` was asynchronous, so that its thread did not wait for its end; where that was recorded.
    pub fn is_async(&self, trace: &Trace, op: OpId) -> Option<bool> {
        let node = trace.ops().node(self.of_op(op)?.event);
        Label::of(trace.text(trace.nodes().label(node))).is_async
    }

    /// How many events are what.
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

    /// Of the events that are named like ops of the step, those that are none of the executor's: more than a few say that the two
    /// recordings do not fit together.
    pub fn unjoined(&self) -> impl Iterator<Item = OpId> {
        self.events.iter().filter(|own| own.kind == EventKind::Unjoined).map(|own| own.event)
    }

    /// Of which process each event is.
    pub fn processes(&self, trace: &Trace) -> Processes {
        let mut of_thread = vec![None; self.threads.len()];
        for (op, event) in self.joined() {
            if let Some(thread) = event.thread {
                of_thread[thread as usize].get_or_insert(trace.device_of(op));
            }
        }
        Processes { of_thread }
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.events.capacity() * size_of::<HostEvent>()
            + self.of_op.capacity() * size_of::<(OpId, u32)>()
            + self.threads.capacity() * size_of::<HostThread>()
    }
}

/// The process of each host event, named by one of the devices whose ops it ran.
pub struct Processes {
    /// By thread.
    of_thread: Vec<Option<DeviceId>>,
}

impl Processes {
    /// A device of the process of `event`; `None` if nothing on its thread is an op of the executor.
    pub fn of(&self, trace: &Trace, event: &HostEvent) -> Option<DeviceId> {
        match event.kind {
            EventKind::Joined(op) => Some(trace.device_of(op)),
            _ => self.of_thread[event.thread? as usize],
        }
    }
}
