//! What is shown of all that was opened: its step, repairs and clocks; and what is said of it as a whole.

use super::{Session, bad_option, not_open};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::clocks::{ClockSetting, Clocks};
use steplens_core::doctor::Repair;
use steplens_core::search::matches::Matches;
use steplens_core::study::kept::{KeptClocks, KeptTraffic};
use steplens_core::{Study, View};
use steplens_report as report;
use steplens_report::ops::OpPages;
use steplens_report::options;
use steplens_report::transfers::TransferPages;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// Shows one step, a row of `steps`, or everything; returns what `finish` returns for it. Ops and lanes have other
    /// ids from then on, and nothing is searched.
    /// `repairs` are words of `doctor`; `op_time` is `schedule`, `gpu` or `all`; `clocks` are the words of a [`ClockChoice`](steplens_core::clocks::ClockChoice);
    /// `communication` are patterns of what also counts as that.
    #[wasm_bindgen(js_name = showView)]
    pub fn show_view(
        &mut self,
        rule: &str,
        step: Option<usize>,
        repairs: Vec<String>,
        op_time: &str,
        clocks: Vec<String>,
        communication: Vec<String>,
    ) -> Result<String, JsValue> {
        let bad = |why| bad_option(&why);
        let rules = options::communication(&communication).map_err(bad)?;
        let (repairs, rule) =
            (options::repairs(&repairs).map_err(bad)?, options::step_rule(rule).map_err(bad)?);
        let op_time = options::op_time(op_time).map_err(bad)?;
        let choice = options::clock_choice(&clocks).map_err(bad)?;
        if self.whole.is_none() || self.communication != communication {
            let opened = self.opened.as_ref().ok_or_else(not_open)?;
            // What is shown is of other categories, and so are the clocks that were found by it.
            self.whole = Some(opened.with_patterns(&rules));
            (self.study, self.network_begun, self.clocks) = (None, None, KeptClocks::default());
            self.communication = communication;
        }
        let clocks = match choice.is_recorded() {
            true => None,
            false => Some(ClockSetting { choice, clocks: self.known_clocks(&repairs)? }),
        };
        let view = View { repairs, rule, step, clocks, op_time };
        let whole = self.whole.as_ref().ok_or_else(not_open)?;
        // The old one goes first, so that both are never in memory.
        (self.study, self.network_begun, self.saving) = (None, None, None);
        self.op_pages = OpPages::default();
        self.transfer_pages = TransferPages::default();
        self.traffic = KeptTraffic::default();
        self.matches = Matches::default();
        self.lit = Matches::default();
        let study = self.study.insert(Rc::new(Study::of_view(whole, view)));
        Ok(report::summary::without_transfers(study, &self.files).to_text())
    }

    /// `steplens.summary/1` of what is shown, totals of transfers included.
    pub fn summary(&self) -> Result<String, JsValue> {
        Ok(report::summary::of(self.study()?, &self.files).to_text())
    }

    /// Does one piece of what leads to `part`, a word of `Prepared`, which most questions need and the first picture does not.
    /// Returns whether more is to be done for it. A question that comes earlier computes what it needs itself.
    #[wasm_bindgen(js_name = prepareOne)]
    pub fn prepare_one(&self, part: &str) -> Result<bool, JsValue> {
        let part = options::prepared(part).map_err(|why| bad_option(&why))?;
        Ok(self.study()?.prepare_one(part))
    }

    /// `Totals` in protocol.ts: the part of the summary that is about transfers.
    pub fn totals(&self) -> Result<String, JsValue> {
        Ok(report::summary::totals_json(self.study()?))
    }

    /// `steplens.steps/1`: the steps and runs to choose from.
    pub fn steps(&self, rule: &str) -> Result<String, JsValue> {
        let (rule, whole) = (options::step_rule(rule).map_err(|why| bad_option(&why))?, self.whole()?);
        let View { repairs, clocks, .. } = self.study()?.view().clone();
        let (trace, steps) = View { repairs, clocks, rule, ..View::default() }.steps(whole);
        Ok(report::steps::json(&trace, &steps, rule, &self.files))
    }

    /// How many ops of what is shown each of `patterns` matches.
    #[wasm_bindgen(js_name = patternOps)]
    pub fn pattern_ops(&self, patterns: Vec<String>) -> Result<Vec<u32>, JsValue> {
        let trace = self.study()?.trace();
        let count = |pattern: &String| {
            let rules =
                options::communication(std::slice::from_ref(pattern)).map_err(|why| bad_option(&why))?;
            Ok(u32::try_from(trace.matched_by(&rules)).unwrap_or(u32::MAX))
        };
        patterns.iter().map(count).collect()
    }

    /// `steplens.doctor/1`: what is wrong with all that was opened.
    pub fn doctor(&self) -> Result<String, JsValue> {
        Ok(report::doctor::json(self.whole()?, self.study()?))
    }

    /// `steplens.clocks/1`: how far the clocks are apart, by all that was opened, repaired as what is shown.
    pub fn clocks(&mut self) -> Result<String, JsValue> {
        let repairs = self.study()?.view().repairs.clone();
        let clocks = self.known_clocks(&repairs)?;
        Ok(report::clocks::json(self.study()?.trace(), &clocks))
    }

    /// The `pairs` of `steplens.clocks/1` if clocks were set by these words.
    pub fn violations(&mut self, clocks: Vec<String>) -> Result<String, JsValue> {
        let choice = options::clock_choice(&clocks).map_err(|why| bad_option(&why))?;
        let repairs = self.study()?.view().repairs.clone();
        let setting = ClockSetting { choice, clocks: self.known_clocks(&repairs)? };
        Ok(report::clocks::violations(self.study()?.trace(), &setting))
    }

    /// Memory that the trace and its analyses hold, in bytes.
    #[wasm_bindgen(js_name = heapBytes)]
    pub fn heap_bytes(&self) -> usize {
        self.study.as_ref().map_or(0, |study| study.heap_bytes())
    }
}

impl Session {
    /// The clocks of all that was opened, with `repairs`.
    fn known_clocks(&mut self, repairs: &[Repair]) -> Result<Arc<Clocks>, JsValue> {
        let whole = self.whole.as_ref().ok_or_else(not_open)?;
        Ok(self.clocks.of(whole, self.study.as_deref(), repairs))
    }
}
