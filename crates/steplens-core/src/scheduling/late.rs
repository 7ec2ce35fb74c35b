//! Why an op started late: what ran between its scheduling and its start, on its thread or stream, and on the threads that it may share.

use super::moments::Moments;
use super::tiny::before;
use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::causality::Causes;
use crate::edges::Edges;
use crate::gpu::kernels::has_kernels;
use crate::{DeviceId, OpId, Trace};

/// Where an op ran that ran instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    /// On the thread, recorded or inferred, that then ran the late op.
    Thread,
    /// On the stream that then ran the late kernel.
    Stream,
    /// On its device, on another thread.
    Device,
    /// On another device that shares its threads.
    Shared,
}

impl Where {
    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Stream => "stream",
            Self::Device => "device",
            Self::Shared => "shared",
        }
    }
}

/// An op that ran while another one was scheduled and had not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instead {
    /// Which.
    pub op: OpId,
    /// Where.
    pub place: Where,
    /// How long it ran in that time.
    pub length: Nanos,
}

/// What ran instead of an op.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Late {
    /// From its scheduling to its start.
    pub queue: Interval,
    /// What ran then: first on its thread or stream, then elsewhere; in each the longest first.
    pub instead: Vec<Instead>,
    /// How much of the queue its own thread or stream was at work.
    pub own_busy: Nanos,
}

impl Late {
    /// What ran instead of `op`; `None` where nothing says when it was scheduled, or it started at once.
    pub fn of(edges: Edges<'_>, causes: &Causes, op: OpId) -> Option<Self> {
        let trace = edges.trace;
        let moments = Moments::of(edges, causes, op);
        let queue = Interval::new(moments.scheduled?, moments.start);
        if queue.length() == Nanos(0) {
            return None;
        }
        let mut late = Self { queue, ..Self::default() };
        let device = trace.device_of(op);
        let is_stream = has_kernels(trace, device);
        if is_stream {
            late.on_stream(trace, causes, op);
        } else {
            let shared = causes.graph.threads.pools.all.is_some();
            let of_pool = causes.graph.threads.rules.iter().map(|rule| rule.device);
            let devices: Vec<DeviceId> = match shared {
                true => of_pool.collect(),
                false => vec![device],
            };
            for other in devices {
                late.on_device(trace, causes, other, op);
            }
        }
        order::by_number(&mut late.instead, |own| {
            (i64::from(own.place > Where::Stream), own.length.0.wrapping_neg())
        });
        Some(late)
    }

    /// Back along the stream of `kernel`.
    fn on_stream(&mut self, trace: &Trace, causes: &Causes, kernel: OpId) {
        let mut other = before(causes, kernel);
        while let Some(own) = other.filter(|&own| trace.ops().end(own) > self.queue.start) {
            self.add(trace, own, Where::Stream);
            other = before(causes, own);
        }
    }

    /// What the executor of `device` ran meanwhile.
    fn on_device(&mut self, trace: &Trace, causes: &Causes, device: DeviceId, late: OpId) {
        let threads = &causes.graph.threads;
        let own = trace.device_of(late);
        for op in threads.pools.device(device).within(trace, self.queue).filter(|&op| op != late) {
            let place = match device == own {
                true if threads.thread(op) == threads.thread(late) => Where::Thread,
                true => Where::Device,
                false => Where::Shared,
            };
            self.add(trace, op, place);
        }
    }

    fn add(&mut self, trace: &Trace, op: OpId, place: Where) {
        let length = trace.ops().interval(op).clamp_to(self.queue).length();
        if length > Nanos(0) {
            self.instead.push(Instead { op, place, length });
            if matches!(place, Where::Thread | Where::Stream) {
                self.own_busy += length;
            }
        }
    }
}
