//! What of a step only a first step does: the rule `first-step` finds it, and others leave it out.

use crate::base::units::Interval;
use crate::{DeviceId, Nanos, OpId};

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
}
