//! Two traces compared: changes that were planted, recordings of one run, samples of other tools, and laws for every pair.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod causes;
mod executor;
mod laws;
mod page;
mod planted;
mod real;
mod steps;

use std::sync::Arc;
use steplens_core::compare::samples::StepSamples;
use steplens_core::compare::{Comparison, Side};
use steplens_core::steps::rule::Steps;
use steplens_core::{Study, Trace};

/// A trace with what a comparison needs of it.
pub(crate) struct Opened {
    whole: Arc<Trace>,
    steps: Steps,
    samples: StepSamples,
    study: Study,
}

impl Opened {
    /// All of `trace` on one axis, as it was recorded.
    pub(crate) fn of(trace: Trace) -> Self {
        let study = Study::new(trace);
        let (whole, steps) = study.view().steps(study.trace());
        let samples = StepSamples::of(&whole, &steps, None);
        Self { whole, steps, samples, study }
    }

    fn side(&self) -> Side<'_> {
        Side { study: &self.study, steps: &self.samples }
    }
}

pub(crate) fn compared<'a>(a: &'a Opened, b: &'a Opened) -> Comparison<'a> {
    Comparison::made(a.side(), b.side())
}
