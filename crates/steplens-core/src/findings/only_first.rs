//! What of a step only a first step does: the rule `first-step` finds it, and others leave it out.

use crate::{Nanos, OpId};

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
}
