//! How long the step would take if something were different.

use super::{Session, bad_option, not_open};
use steplens_core::replay::Replay;
use steplens_core::replay::candidates::Candidate;
use steplens_core::replay::change::BadChange;
use steplens_core::steps::figures::variation;
use steplens_core::{Nanos, Study};
use steplens_report as report;
use steplens_report::options::BadOption;
use steplens_report::viewing::Viewing;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The replay of what is shown, and what does not depend on changes.
pub(super) struct KeptReplay {
    replay: Replay,
    /// How much the lengths of the opened steps vary.
    variation: Option<Nanos>,
    /// What is worth changing, once that was asked for.
    candidates: Option<Vec<Candidate>>,
}

impl KeptReplay {
    fn of(study: &Study, viewing: &Viewing) -> Self {
        let (_, steps) = viewing.steps(study, study.view().rule);
        Self { replay: Replay::of(study), variation: variation(&steps), candidates: None }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.replay.heap_bytes()
    }
}

#[wasm_bindgen]
impl Session {
    /// `WhatIfPage`: what the changes would do to the step that is shown. Each is written as the options of `steplens what-if` are:
    /// `op=type:Conv2D=0.5`.
    #[wasm_bindgen(js_name = whatIf)]
    pub fn what_if(&mut self, changes: Vec<String>) -> Result<String, JsValue> {
        let (study, kept) = self.replayed()?;
        report::what_if::page(study, &kept.replay, kept.variation, &changes)
            .map_err(|BadChange(why)| bad_option(&BadOption(why)))
    }

    /// `SavingRows`: the rows from `first` (included) to `end` (excluded) of the table of what would help.
    #[wasm_bindgen(js_name = whatIfRows)]
    pub fn what_if_rows(&mut self, first: usize, end: usize) -> Result<String, JsValue> {
        let (study, kept) = self.replayed()?;
        let KeptReplay { replay, candidates, .. } = kept;
        let candidates = candidates.get_or_insert_with(|| {
            report::what_if::longest_first(report::what_if::candidates(study, replay))
        });
        Ok(report::what_if::rows(study, replay, candidates, first..end))
    }
}

impl Session {
    /// What is shown, and its replay, which is made at the first question.
    fn replayed(&mut self) -> Result<(&Study, &mut KeptReplay), JsValue> {
        let study = self.study.as_deref().ok_or_else(not_open)?;
        let viewing = self.viewing.as_ref().ok_or_else(not_open)?;
        Ok((study, self.replay.get_or_insert_with(|| KeptReplay::of(study, viewing))))
    }
}
