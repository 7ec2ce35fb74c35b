//! Which part of the opened trace is shown: its step, repairs and clocks; and reports about the whole trace.

use super::{Session, bad_option, not_open};
use std::rc::Rc;
use steplens_core::Study;
use steplens_core::clocks::ClockSetting;
use steplens_core::search::matches::Matches;
use steplens_core::study::kept::KeptTraffic;
use steplens_report as report;
use steplens_report::ops::OpPages;
use steplens_report::transfers::TransferPages;
use steplens_report::viewing::{ViewWords, Viewing};
use steplens_report::{answers, options};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// Shows one step, a row of `steps`, or everything. Returns what `finish` returns, for this view. The ids of ops and lanes
    /// change, and the search is cleared. `repairs` are words of `doctor`; `op_time` is `schedule`, `gpu` or `all`; `clocks` are
    /// the words of a [`ClockChoice`](steplens_core::clocks::ClockChoice); `communication` are patterns of what else counts as
    /// communication.
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
        self.show(ViewWords { rule, step, repairs, op_time, clocks, communication })
    }

    /// `steplens.summary/1` of what is shown, including the totals of transfers.
    pub fn summary(&self) -> Result<String, JsValue> {
        Ok(report::summary::of(self.study()?, self.files()?).to_text())
    }

    /// Does one piece of preparing `part`, a word of `Prepared`. Most questions need these parts, but the first picture does not.
    /// Returns whether there is more to do. A question that comes earlier computes what it needs itself.
    #[wasm_bindgen(js_name = prepareOne)]
    pub fn prepare_one(&self, part: &str) -> Result<bool, JsValue> {
        let part = options::prepared(part).map_err(|why| bad_option(&why))?;
        Ok(self.study()?.prepare_one(part))
    }

    /// `Totals` in protocol.ts: the part of the summary that is about transfers.
    pub fn totals(&self) -> Result<String, JsValue> {
        Ok(report::summary::totals_json(self.study()?))
    }

    /// The answer called `name`, as the command line prints it with `--json`; `options` is the JSON of what is chosen.
    pub fn answer(&self, name: &str, options: &str) -> Result<String, JsValue> {
        let shown = self.viewing()?.shown(self.study()?);
        answers::json(name, options, &shown).map_err(|why| bad_option(&why))
    }

    /// For each of `patterns`, how many of the shown ops it matches.
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

    /// The `pairs` of `steplens.clocks/1` as they would be with these words for clocks.
    pub fn violations(&mut self, clocks: Vec<String>) -> Result<String, JsValue> {
        let choice = options::clock_choice(&clocks).map_err(|why| bad_option(&why))?;
        let (viewing, study) = self.parts()?;
        let setting = ClockSetting { choice, clocks: viewing.clocks(&study.view().repairs, Some(study)) };
        Ok(report::clocks::violations(study.trace(), &setting))
    }

    /// The memory that the trace and its analyses take, in bytes.
    #[wasm_bindgen(js_name = heapBytes)]
    pub fn heap_bytes(&self) -> usize {
        let replay = self.replay.as_ref().map_or(0, |kept| kept.heap_bytes());
        let pairs = self.pairs.as_ref().map_or(0, |pairs| pairs.heap_bytes());
        self.study.as_ref().map_or(0, |study| study.heap_bytes()) + replay + pairs
    }
}

impl Session {
    /// Shows what `words` ask for. Returns its summary without the totals of transfers.
    pub(super) fn show(&mut self, words: ViewWords<'_>) -> Result<String, JsValue> {
        let viewing = self.viewing.as_mut().ok_or_else(not_open)?;
        let view = viewing.view(words, &mut self.study).map_err(|why| bad_option(&why))?;
        // The old study goes first, so that only one is in memory.
        (self.study, self.network_begun, self.findings_begun, self.saving) = (None, None, None, None);
        (self.compare_begun, self.compared_findings_begun, self.pairs) = (None, None, None);
        self.replay = None;
        self.op_pages = OpPages::default();
        self.transfer_pages = TransferPages::default();
        self.traffic = KeptTraffic::default();
        self.matches = Matches::default();
        self.lit = Matches::default();
        let study = self.study.insert(Rc::new(Study::of_view(viewing.whole(), view)));
        Ok(report::summary::without_transfers(study, viewing.files()).to_text())
    }

    /// Everything that was opened, and what of it is shown.
    fn parts(&mut self) -> Result<(&mut Viewing, &Study), JsValue> {
        let study = self.study.as_deref().ok_or_else(not_open)?;
        Ok((self.viewing.as_mut().ok_or_else(not_open)?, study))
    }
}
