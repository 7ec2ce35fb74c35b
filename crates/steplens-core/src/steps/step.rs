//! One step: its parts, and from when to when it lasts; and which step each part is in.

use crate::PartId;
use crate::base::units::{Interval, Nanos};

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its parts; the first one names the step.
    pub parts: Vec<PartId>,
    /// From the first start to the last end of its ops, or its period; empty without ops.
    pub span: Interval,
    /// The number of its ops, and of what devices did for other steps in its period.
    pub ops: u64,
    /// Whether the span is its period: then all work of devices in it counts, whatever step launched it.
    pub is_period: bool,
    /// How long before it the step before it had ended, if both are periods of one run; otherwise 0.
    pub pause_before: Nanos,
    /// Whether it is none: what ran before the first step that its file numbers, or a run of another graph.
    pub is_before: bool,
    /// Whether it is none because it runs another graph.
    pub runs_other_graph: bool,
    /// What texts call it: the number of its file, or its place among the steps, from 1; `None` if it is none.
    pub called: Option<i64>,
}

/// The step of every part.
#[derive(Clone, Debug, Default)]
pub(super) struct StepOfPart(Vec<u32>);

impl StepOfPart {
    /// Of `parts` parts none is in a step yet.
    pub(super) fn none(parts: usize) -> Self {
        Self(vec![u32::MAX; parts])
    }

    pub(super) fn set(&mut self, part: PartId, row: usize) {
        self.0[part.index()] = row as u32;
    }

    /// The row of the step of `part`; `None` for a part without ops that is no run.
    pub(super) fn get(&self, part: PartId) -> Option<usize> {
        self.0.get(part.index()).filter(|&&row| row != u32::MAX).map(|&row| row as usize)
    }
}
