//! What of a step only a first step does: the rule `first-step` finds it, and others leave it out.

use super::stood_still::{StoodStill, stood_still};
use crate::base::order;
use crate::base::units::Interval;
use crate::storage::busy::Busy;
use crate::study::step_of_op::StepOfOp;
use crate::{DeviceId, Nanos, OpId, Study, Trace};
use std::cell::OnceCell;

/// What is shown, with its steps: all that is needed to find a first step, which the verdict says without a replay.
pub(super) struct Shown<'a> {
    pub(super) study: &'a Study,
    pub(super) steps: StepOfOp,
    pub(super) first: OnceCell<FirstStep>,
    still: OnceCell<Option<StoodStill>>,
}

impl<'a> Shown<'a> {
    pub(super) fn of(study: &'a Study) -> Self {
        Self { study, steps: StepOfOp::indexed(study), first: OnceCell::new(), still: OnceCell::new() }
    }

    /// How long threads of programs stood still, found once.
    pub(super) fn still(&self) -> Option<StoodStill> {
        *self.still.get_or_init(|| stood_still(self.study))
    }

    pub(super) fn trace(&self) -> &'a Trace {
        self.study.trace()
    }

    /// When ops of `devices` for which `is_it` holds ran, without those that a device repeats of others.
    pub(super) fn busy(&self, devices: &[DeviceId], is_it: impl Fn(OpId) -> bool) -> Busy {
        let (trace, ops) = (self.trace(), self.trace().ops());
        let own = devices.iter().copied().filter(|&device| !trace.devices().repeats_others(device));
        let work = own.flat_map(|device| trace.ops_of(device));
        let is_work = |&op: &OpId| !trace.nodes().is_range(ops.node(op)) && is_it(op);
        let mut intervals: Vec<Interval> = work.filter(is_work).map(|op| ops.interval(op)).collect();
        order::by_number(&mut intervals, |own| (own.start.0, own.end.0));
        Busy::of(intervals.into_iter())
    }
}

/// What happens once and has a fifth of what is shown, or is a graph that is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Once {
    /// What it is.
    pub kind: OnceKind,
    /// How long it takes, without what a GPU does meanwhile.
    pub time: Nanos,
    /// Whether it has more than half of what is shown, or is a graph that is captured: the verdict begins with it, and it is the first finding.
    pub leads: bool,
    /// The op that takes most of it, if it has more than half.
    pub op: Option<OpId>,
}

/// What happens only once in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceKind {
    /// Calls and ops that take long only in a first step.
    FirstStep,
    /// `torch.compile` compiles.
    Compiling,
    /// A graph is captured.
    Capture,
    /// The pause before the first run of a graph.
    FirstRun,
    /// A function of TensorFlow 2 is traced and prepared.
    FirstFunction,
}

/// Whether `time` is more than half of `whole`.
pub(super) fn is_most(time: Nanos, whole: Nanos) -> bool {
    time.0.saturating_mul(2) > whole.0
}

/// What of the step only a first step does.
#[derive(Default)]
pub(super) struct FirstStep {
    /// The ops, in order; none if it is no first step.
    pub(super) ops: Vec<OpId>,
    /// Their time without what is nested in them.
    pub(super) time: Nanos,
    /// Whether it is a graph that is captured, and the ops are the calls that begin it.
    pub(super) is_capture: bool,
    /// How much of their time the GPU worked, of calls that are much longer than all others.
    pub(super) busy: Nanos,
    /// The one call that is all of it, and much longer than all others of its name, with the longest of these.
    pub(super) lone: Option<(OpId, Nanos)>,
    /// The convolutions among them that try algorithms.
    pub(super) trials: Vec<Trial>,
    /// How long the GPU is idle while these try, at most all of the time.
    pub(super) trials_idle: Nanos,
    /// Where it is the pause before the first run of a graph, which `ops` begins: how long the usual one is before later runs.
    pub(super) pause: Option<Nanos>,
    /// Whether it is the time before the first call of a function of TensorFlow 2, which `ops` is.
    pub(super) is_function: bool,
    /// The step that `ops` are in, and how much longer it is than the median of later ones, where that is known: calls without a name are in it, too.
    pub(super) longer: Option<(Interval, Nanos)>,
}

/// A convolution that tries algorithms.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// The op; where none was recorded, its longest kernel.
    pub(super) op: OpId,
    /// The process that launched its kernels, or the device of the op.
    pub(super) process: DeviceId,
    /// From its start to its end; of kernels in a row to the start of the last one.
    pub(super) window: Interval,
    /// What of that a later step needs.
    pub(super) needed: Nanos,
    /// Whether it runs so few kernels that only next to other first calls it is known to try.
    pub(super) is_short: bool,
}

impl FirstStep {
    /// What of its time would not be there without it: what a GPU does meanwhile would remain.
    pub(super) fn saving(&self) -> Nanos {
        self.longer.map_or(self.time - self.busy.min(self.time), |(_, longer)| longer)
    }

    /// Whether `op` begins in the first step; false where the length of that step is not known.
    pub(super) fn has(&self, trace: &Trace, op: OpId) -> bool {
        let start = trace.ops().start(op);
        self.longer.is_some_and(|(step, _)| step.start <= start && start < step.end)
    }
}
