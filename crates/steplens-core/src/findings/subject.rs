//! What the verdict and the findings are about: what is shown, or the steps in it, where these are less. Here alone that is decided.

use super::context::least_of;
use super::only_first::Shown;
use super::rules::once;
use super::spans::{InSteps, in_steps};
use crate::{Nanos, OpId, Study};

/// What is judged: shares in a verdict and its findings are shares of it.
pub struct Subject<'a> {
    shown: &'a Study,
    /// The steps, and a study of nothing else.
    part: Option<(InSteps, Study)>,
}

impl<'a> Subject<'a> {
    /// That of what `shown` shows.
    pub fn of(shown: &'a Study) -> Self {
        // Times by clocks that cannot be compared divide nothing. What comes before a first call may be what only that does.
        let is_whole = |own: &InSteps| {
            shown.clock_doubt().is_some()
                || own.calls.is_some() && once(&Shown::of(shown)).is_some_and(|own| own.leads)
        };
        let steps = in_steps(shown).filter(|own| !is_whole(own));
        Self { shown, part: steps.map(|own| (own, shown.within(own.span))) }
    }

    /// What is judged.
    pub fn study(&self) -> &Study {
        self.part.as_ref().map_or(self.shown, |(_, study)| study)
    }

    /// What is shown.
    pub fn shown(&self) -> &'a Study {
        self.shown
    }

    /// The steps, where they are less than what is shown.
    pub fn in_steps(&self) -> Option<InSteps> {
        self.part.as_ref().map(|&(own, _)| own)
    }

    /// How long that is, where it has its steps or else its ops: shares are of it.
    pub fn length(&self) -> Nanos {
        self.in_steps().map_or(self.shown.trace().span(), |own| own.span).length()
    }

    /// What saves no more than this is no finding. Ops may begin long after a call, and end long before it does.
    pub fn least(&self) -> Nanos {
        least_of(self.length())
    }

    /// Where an op of what is judged is in what is shown.
    pub fn shown_op(&self, op: OpId) -> OpId {
        let old = self.part.as_ref().and_then(|(_, study)| study.old_op()?.get(op.index()));
        old.copied().unwrap_or(op)
    }
}
