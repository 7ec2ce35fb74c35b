//! The findings of a trace, and what a list of them needs.

use crate::reading::loaded::Loaded;
use steplens_core::Nanos;
use steplens_core::findings::Findings;
use steplens_core::replay::Replay;
use steplens_core::steps::figures::variation;
use steplens_report::findings::FindingList;

/// The findings of a trace, with what their rows need.
pub struct Judged {
    replay: Replay,
    variation: Option<Nanos>,
    found: Findings,
}

impl Judged {
    /// Of what `loaded` shows.
    pub fn new(loaded: &Loaded) -> Self {
        let (_, steps) = loaded.study.view().steps(&loaded.whole);
        let variation = variation(&steps);
        let replay = Replay::of(&loaded.study);
        let found = Findings::found(&loaded.study, &replay, variation);
        Self { replay, variation, found }
    }

    /// As rows, with what their sentences say of `loaded`.
    pub fn list<'a>(&self, loaded: &'a Loaded) -> FindingList<'a> {
        FindingList::new(&loaded.study, &loaded.files, &self.replay, self.variation, &self.found)
    }
}
