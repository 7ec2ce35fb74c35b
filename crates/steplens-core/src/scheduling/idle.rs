//! Why a GPU, or one of its streams, was idle: the time before each kernel, divided.
//!
//! Until the next kernel was launched, the host was late: it was between two ops, or it was in an op or a call that led to the
//! launch. After the launch, the kernel was starting, or waited for another stream or rank. What is left has no known cause.

use super::RunBy;
use super::moments::launched;
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::gpu::event_waits::EventWaits;
use crate::makers::Edges;
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How long a kernel may take to start when no other kernel is before it. A longer time has another cause.
pub const STARTING: Nanos = Nanos(10_000);

/// A shorter idle time is the pause between two kernels, whatever was late. The value is HTA's (its idle time breakdown).
pub const BETWEEN_KERNELS: Nanos = Nanos(30);

/// What idle time was spent on. The parts add up to the idle time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Idle {
    /// The next kernel was not launched, and the thread that launched it ran no recorded op.
    pub host_between_ops: Nanos,
    /// The next kernel was not launched, and the thread that launched it ran an op or a call, or is not known.
    pub host_launching: Nanos,
    /// The next kernel was launched and starting.
    pub starting: Nanos,
    /// The next kernel was launched and waited for another stream of the GPU, or for an event.
    pub other_stream: Nanos,
    /// The next kernel was launched and waited for a collective, so for other ranks.
    pub other_rank: Nanos,
    /// No later kernel was recorded.
    pub nothing_queued: Nanos,
    /// Nothing that was recorded explains it.
    pub unexplained: Nanos,
}

impl Idle {
    /// All parts together.
    pub fn length(&self) -> Nanos {
        self.host() + self.starting + self.other() + self.nothing_queued + self.unexplained
    }

    /// The time before the next kernel was launched.
    pub fn host(&self) -> Nanos {
        self.host_between_ops + self.host_launching
    }

    /// The time in which the next kernel waited for another stream or rank.
    pub fn other(&self) -> Nanos {
        self.other_stream + self.other_rank
    }

    /// Adds the idle time `gap` before `kernel`, which began at its end. `other` is the kernel that ended last within the gap
    /// elsewhere on the GPU.
    pub(super) fn add(
        &mut self,
        trace: &Trace,
        hosts: &Hosts,
        kernel: OpId,
        gap: Interval,
        other: Option<OtherEnd>,
    ) {
        let Some(launch) = launched(trace, kernel) else {
            self.unexplained += gap.length();
            return;
        };
        if gap.length() < BETWEEN_KERNELS {
            self.starting += gap.length();
            return;
        }
        let launch = launch.clamp(gap.start, gap.end);
        let host = Interval { start: gap.start, end: launch };
        let between =
            hosts.of_kernel(trace, kernel).map_or(Nanos(0), |own| host.length() - own.ran_within(host));
        self.host_between_ops += between;
        self.host_launching += host.length() - between;
        let rest = gap.end - launch;
        if rest <= STARTING {
            self.starting += rest;
        } else if let Some(other) = other.filter(|own| own.end > launch && gap.end - own.end <= STARTING) {
            let part = if other.is_collective { &mut self.other_rank } else { &mut self.other_stream };
            *part += other.end - launch;
            self.starting += gap.end - other.end;
        } else if hosts.waits_for_event(trace, kernel) {
            self.other_stream += rest;
        } else {
            self.unexplained += rest;
        }
    }
}

/// The end of a kernel that ran elsewhere on the GPU.
#[derive(Clone, Copy)]
pub(super) struct OtherEnd {
    pub(super) end: Timestamp,
    pub(super) is_collective: bool,
}

/// The work of one GPU, and its idle time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuIdle {
    /// The first of its devices.
    pub device: DeviceId,
    /// The time in which any kernel or copy of its own ran. A collective, which mostly waits for other ranks, is none.
    pub busy: Nanos,
    /// The rest of the time that is shown, divided.
    pub idle: Idle,
    /// How much of the idle time a collective ran.
    pub in_collective: Nanos,
}

/// The idle time of every GPU that ran a kernel, in the order of their devices.
pub(super) fn idle(edges: Edges<'_>, hosts: &Hosts) -> Vec<GpuIdle> {
    let trace = edges.trace;
    let ops = trace.ops();
    let mut found = Vec::new();
    for gpu in accelerators(trace) {
        let mut kernels: Vec<OpId> = Vec::new();
        for device in gpu.unrepeated(trace) {
            let on_streams = trace.ops_of(device);
            kernels.extend(on_streams.filter(|&op| RunBy::of(trace, edges.transfers, op) == RunBy::Stream));
        }
        order::by_number(&mut kernels, |op| (ops.start(op).0, i64::from(op.get())));
        let is_collective = |op: &OpId| trace.category(*op) == Category::Communication;
        let (collectives, work): (Vec<OpId>, Vec<OpId>) = kernels.into_iter().partition(is_collective);
        let Some(&device) = gpu.devices.first().filter(|_| !work.is_empty()) else { continue };
        let mut ends: Vec<Timestamp> = collectives.iter().map(|&op| ops.end(op)).collect();
        order::by_number(&mut ends, |end| (end.0, 0));
        let last_end = |gap: Interval| {
            let last = ends.partition_point(|&end| end <= gap.end).checked_sub(1)?;
            Some(OtherEnd { end: ends[last], is_collective: true }).filter(|own| own.end > gap.start)
        };
        let at_collectives = Busy::of(collectives.iter().map(|&op| ops.interval(op)));
        let span = trace.span();
        let mut own = GpuIdle { device, busy: Nanos(0), idle: Idle::default(), in_collective: Nanos(0) };
        let mut now = span.start;
        for &op in &work {
            let interval = ops.interval(op).clamp_to(span);
            if interval.start > now {
                let gap = Interval { start: now, end: interval.start };
                own.idle.add(trace, hosts, op, gap, last_end(gap));
                own.in_collective += at_collectives.within(gap);
            }
            own.busy += Interval::new(interval.start.max(now), interval.end).length();
            now = now.max(interval.end);
        }
        let rest = Interval::new(now, span.end);
        own.idle.nothing_queued += rest.length();
        own.in_collective += at_collectives.within(rest);
        found.push(own);
    }
    found
}

/// A thread whose calls launched kernels.
#[derive(Default)]
pub(super) struct Host {
    ran: Busy,
}

impl Host {
    /// How long within `interval` it ran a recorded op.
    fn ran_within(&self, interval: Interval) -> Nanos {
        self.ran.within(interval)
    }
}

/// The threads whose calls launched kernels.
#[derive(Default)]
pub(super) struct Hosts {
    threads: HashMap<(DeviceId, u32), Host, FixedState>,
    event_waits: EventWaits,
}

impl Hosts {
    pub(super) fn of(trace: &Trace) -> Self {
        let ops = trace.ops();
        let mut found = Self { event_waits: EventWaits::of(trace), ..Self::default() };
        let mut devices: Vec<DeviceId> = Vec::new();
        for &(_, call) in trace.calls() {
            let device = trace.device_of(call);
            if !devices.contains(&device) {
                devices.push(device);
            }
            found.threads.entry((device, ops.thread(call))).or_default();
        }
        for device in devices {
            let mut work: Vec<OpId> =
                trace.ops_of(device).filter(|&op| trace.category(op) != Category::Range).collect();
            order::by_number(&mut work, |op| (ops.start(op).0, 0));
            for op in work {
                let Some(own) = found.threads.get_mut(&(device, ops.thread(op))) else { continue };
                own.ran.push(ops.interval(op));
            }
        }
        found
    }

    fn of_kernel(&self, trace: &Trace, kernel: OpId) -> Option<&Host> {
        let call = trace.call_of(kernel)?;
        self.threads.get(&(trace.device_of(call), trace.ops().thread(call)))
    }

    /// Whether the call before the launch of `kernel` that concerned a stream made it wait for an event.
    fn waits_for_event(&self, trace: &Trace, kernel: OpId) -> bool {
        self.event_waits.before_launch(trace, kernel).is_some()
    }
}
