//! When each op was ready, scheduled, begun and done; how many ops were at work; what tiny ops cost; why streams of GPUs were
//! empty; what ran in the place of an op that started late. From the makers of ops and the causes of
//! [`causality`](super::causality). For the tab Scheduling and `steplens scheduling`.
//!
//! | module | what it has |
//! |---|---|
//! | [`moments`] | the moments of one op, and the five parts between them |
//! | [`sums`] | these parts by device and by op type |
//! | [`at_work`] | how many ops ran at once while how many were queued, by the threads that devices share |
//! | [`tiny`] | ops shorter than a limit: how many, the time between them, what they cost |
//! | [`streams`] | kernels: how long each stood in its stream, and what each gap of a stream waited for |
//! | [`levels`] | how long each stream's queue was, and how much its copies moved, moment by moment |
//! | [`host_idle`] | what a host did while its GPU was idle because of it |
//! | `host_part` | the parts of that |
//! | [`launched_idle`] | why a GPU was idle though its next kernel had been launched |
//! | [`idle`] | what the idle time of a stream or GPU was spent on |
//! | [`late`] | what ran in the place of one op between its scheduling and its start |
//!
//! `docs/scheduling.md` has the formulas, and which fields of `RunMetadata` each figure rests on.

pub mod at_work;
pub mod host_idle;
mod host_part;
pub mod idle;
pub mod late;
pub mod launched_idle;
pub mod levels;
pub mod moments;
pub mod over_time;
pub mod streams;
pub mod sums;
pub mod tiny;

use crate::causality::Causes;
use crate::causality::nodes::is_work;
use crate::gpu::kernels::has_kernels;
use crate::makers::Edges;
use crate::transfers::Transfers;
use crate::{Category, OpId, Trace};
use at_work::AtWork;
use idle::{GpuIdle, Hosts};
use streams::Stream;
use sums::Sums;

/// What decided when an op ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunBy {
    /// TensorFlow's executor scheduled it.
    Executor,
    /// A stream of a GPU ran it.
    Stream,
    /// The op receives a tensor or is a collective. The network decided, which `steplens transfers` shows.
    Network,
    /// A thread of a program called it. Nothing schedules such a call.
    Program,
    /// It is a range, or repeats an op of another device, so it is no work of its own.
    Nothing,
}

impl RunBy {
    /// What ran `op`.
    pub fn of(trace: &Trace, transfers: &Transfers, op: OpId) -> Self {
        let device = trace.device_of(op);
        if !is_work(trace, op) {
            Self::Nothing
        } else if trace.devices().get(device).nests {
            Self::Program
        } else if has_kernels(trace, device) {
            Self::Stream
        } else if trace.category(op) == Category::Communication || transfers.id_of_op(op).is_some() {
            Self::Network
        } else {
            Self::Executor
        }
    }

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Executor => "executor",
            Self::Stream => "stream",
            Self::Network => "network",
            Self::Program => "program",
            Self::Nothing => "nothing",
        }
    }
}

/// The results that do not depend on a setting of the user.
pub struct Scheduling {
    /// The parts of ops, by device and by op type.
    pub sums: Sums,
    /// How many ops were at work and queued; where devices share threads, the first row is of all of them.
    pub at_work: Vec<AtWork>,
    /// The streams of GPUs.
    pub streams: Vec<Stream>,
    /// The idle time of GPUs.
    pub gpus: Vec<GpuIdle>,
}

impl Scheduling {
    /// Computes the scheduling of all ops, in time n log n.
    pub fn computed(edges: Edges<'_>, causes: &Causes) -> Self {
        let hosts = Hosts::of(edges.trace);
        Self {
            sums: Sums::computed(edges, causes),
            at_work: at_work::at_work(edges, causes),
            streams: streams::streams(edges, &hosts),
            gpus: idle::idle(edges, &hosts),
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let at_work = |one: &AtWork| {
            one.devices.capacity() * size_of::<crate::DeviceId>()
                + (one.at_once.capacity() + one.queued.capacity()) * size_of::<crate::Nanos>()
                + one.over_time.heap_bytes()
        };
        self.sums.heap_bytes()
            + self.at_work.capacity() * size_of::<AtWork>()
            + self.at_work.iter().map(at_work).sum::<usize>()
            + self.streams.capacity() * size_of::<Stream>()
            + self.gpus.capacity() * size_of::<GpuIdle>()
    }
}
