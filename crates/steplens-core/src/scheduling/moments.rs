//! The moments of one op (ready, scheduled, start, kernel start, kernel end, end) and the five parts between them.
//!
//! A moment that a format does not record is missing, and the parts before and after it are not known. They are never reported as
//! 0.

use super::RunBy;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::causality::Causes;
use crate::makers::Edges;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// How long before the end of an op the executor may stamp the ops that it makes ready. It stamps them first and then ends the op,
/// some tens to hundreds of nanoseconds later.
const SAME: Nanos = Nanos(1_000);

/// The parts of an op's time from ready to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Part {
    /// From the end of its last input until it was scheduled.
    Wait = 0,
    /// From its scheduling until it started; for a kernel, from its launch.
    Queue = 1,
    /// From its start until its kernel started.
    SetUp = 2,
    /// Its kernel.
    Kernel = 3,
    /// From the end of its kernel until its end.
    TearDown = 4,
}

impl Part {
    /// All of them, in order of time.
    pub const ALL: [Self; 5] = [Self::Wait, Self::Queue, Self::SetUp, Self::Kernel, Self::TearDown];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Queue => "queue",
            Self::SetUp => "set-up",
            Self::Kernel => "kernel",
            Self::TearDown => "tear-down",
        }
    }
}

/// The moments of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    /// When its last input was ready; `None` where no input is known.
    pub ready: Option<Timestamp>,
    /// When the executor scheduled it; of a kernel, when it was launched.
    pub scheduled: Option<Timestamp>,
    /// When it started.
    pub start: Timestamp,
    /// When its kernel ran, if that was recorded.
    pub kernel: Option<Interval>,
    /// Whether it is a kernel itself, with nothing around it.
    pub is_kernel: bool,
    /// When it ended.
    pub end: Timestamp,
}

impl Moments {
    /// The moments of `op`.
    pub fn of(edges: Edges<'_>, causes: &Causes, op: OpId) -> Self {
        let trace = edges.trace;
        let Interval { start, end } = trace.ops().interval(op);
        let run_by = RunBy::of(trace, edges.transfers, op);
        let (ready, scheduled, kernel) = match run_by {
            RunBy::Executor => (ready(causes, op), trace.ops().scheduled(op), kernel(trace, op)),
            RunBy::Stream => (None, launched(trace, op), Some(Interval { start, end })),
            RunBy::Network => (ready(causes, op), trace.ops().scheduled(op), None),
            RunBy::Program | RunBy::Nothing => (None, None, None),
        };
        Self { ready, scheduled, start, kernel, is_kernel: run_by == RunBy::Stream, end }
    }

    /// The length of each part in the order of [`Part::ALL`]; `None` where one end of the part is not known. The wait is also
    /// `None` where the last input ended well after the op was scheduled, because then the two records contradict each other.
    pub fn parts(&self) -> [Option<Nanos>; 5] {
        let wait = self.scheduled.zip(self.ready).map(|(scheduled, ready)| (scheduled - ready).max(Nanos(0)));
        let within = self.kernel.filter(|_| !self.is_kernel);
        [
            wait.filter(|_| self.contradiction().is_none()),
            self.scheduled.map(|scheduled| self.start - scheduled),
            within.map(|kernel| kernel.start - self.start),
            self.kernel.map(Interval::length),
            within.map(|kernel| self.end - kernel.end),
        ]
    }

    /// How long after the scheduling of the op its last input ended, if the stamping does not explain that difference.
    pub fn contradiction(&self) -> Option<Nanos> {
        let late = self.ready? - self.scheduled?;
        (late > SAME).then_some(late)
    }
}

/// When the last input of `op` was ready: the last end of the ops it depends on.
fn ready(causes: &Causes, op: OpId) -> Option<Timestamp> {
    let graph = &causes.graph;
    let node = graph.nodes.of_op(op)?;
    let dependencies = graph.causes(node).filter(|(_, kind)| kind.is_dependency());
    dependencies.map(|(from, _)| graph.nodes.interval(from).end).max()
}

/// The kernel of `op`, where `op_start_rel` and `op_end_rel` were recorded. Formats without these fields report the whole op as its
/// kernel, and do not record when it was scheduled.
fn kernel(trace: &Trace, op: OpId) -> Option<Interval> {
    let (whole, kernel) = (trace.ops().interval(op), trace.ops().kernel(op));
    let is_recorded = kernel.end > whole.start && whole.start <= kernel.start && kernel.end <= whole.end;
    (is_recorded && (kernel != whole || trace.ops().scheduled(op).is_some())).then_some(kernel)
}

/// When `kernel` entered its stream: when the call that launched it returned, otherwise as recorded; but never after its start.
///
/// An `XSpace` has both, and what it says of the kernel is when its call began: until the call returns, the stream waits for its host.
pub fn launched(trace: &Trace, kernel: OpId) -> Option<Timestamp> {
    let returned = trace.call_of(kernel).map(|call| trace.ops().end(call));
    let launched = returned.or_else(|| trace.ops().scheduled(kernel))?;
    Some(launched.min(trace.ops().start(kernel)))
}

/// The threads of `device` that run anything which is no part of loading a batch.
pub(super) fn threads_not_only_loading(trace: &Trace, device: DeviceId) -> HashSet<u32, FixedState> {
    let ops = trace.ops();
    let mut loads_until: HashMap<u32, Timestamp, FixedState> = HashMap::default();
    let mut found = HashSet::default();
    for op in trace.ops_of(device) {
        let thread = ops.thread(op);
        match trace.category(op) {
            Category::Input => {
                let until = loads_until.entry(thread).or_insert(ops.end(op));
                *until = ops.end(op).max(*until);
            }
            _ if loads_until.get(&thread).is_none_or(|&until| ops.end(op) > until) => {
                found.insert(thread);
            }
            _ => {}
        }
    }
    found
}
