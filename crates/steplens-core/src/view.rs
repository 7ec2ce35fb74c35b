//! A view: what of an opened trace is looked at, as a trace of its own.

use crate::Trace;
use crate::analysis::steps::{StepRule, Steps};
use std::sync::Arc;

/// What is looked at; everything by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// What makes a step.
    pub rule: StepRule,
    /// The step that is looked at, a row of [`Steps`]; `None` for all of them on one axis.
    pub step: Option<usize>,
}

/// What a view shows.
pub struct Seen {
    /// The trace of it.
    pub trace: Arc<Trace>,
    /// How many steps there are to choose from.
    pub steps: usize,
}

impl View {
    /// What it shows of `whole`. A step that is not there shows everything.
    pub fn of(&self, whole: &Arc<Trace>) -> Seen {
        let steps = Steps::of(whole, self.rule);
        let count = steps.rows().len();
        let trace = match self.step {
            Some(row) if count > 1 && row < count => Arc::new(steps.alone(whole, row).trace),
            _ => Arc::clone(whole),
        };
        Seen { trace, steps: count }
    }
}
