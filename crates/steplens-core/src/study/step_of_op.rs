//! The step of an op in the view, which may show one step, or all of them on one axis.

use crate::base::units::Interval;
use crate::steps::rule::Steps;
use crate::{OpId, Study};

/// The steps of the view.
pub struct StepOfOp {
    /// The step that is shown, if it is a single one.
    only: Option<usize>,
    steps: Steps,
    whole: Interval,
}

impl StepOfOp {
    /// The steps with ops that `study` shows.
    pub fn indexed(study: &Study) -> Self {
        let steps = Steps::divided(study.trace(), study.view().rule);
        let with_ops = steps.rows().iter().filter(|step| step.ops > 0).count();
        let only = study.view().step.or((with_ops <= 1).then_some(0));
        Self { only, steps, whole: study.trace().span() }
    }

    /// The steps.
    pub(crate) fn steps(&self) -> &Steps {
        &self.steps
    }

    /// Whether a single step is shown.
    pub fn is_one(&self) -> bool {
        self.only.is_some()
    }

    /// The step of `op`, as a row of the steps of the opened trace.
    pub fn step(&self, study: &Study, op: OpId) -> usize {
        self.only.or_else(|| self.steps.of_part(study.trace().ops().part(op))).unwrap_or(0)
    }

    /// From the first start to the last end of the ops of `step`, or its period.
    pub fn span(&self, step: usize) -> Interval {
        match self.only {
            Some(_) => self.whole,
            None => self.steps.rows().get(step).map_or(self.whole, |step| step.span),
        }
    }

    /// One more than the largest step.
    pub fn end(&self) -> usize {
        self.only.map_or(self.steps.rows().len(), |only| only + 1)
    }
}
