//! What the step waited for, and what dependencies alone allow.

use super::Session;
use steplens_core::View;
use steplens_core::base::pace::{Parts, Work};
use steplens_report as report;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// What the step waited for, moment by moment, and what dependencies alone allow. See `PathPage` in protocol.ts.
    #[wasm_bindgen(js_name = criticalPath)]
    pub fn critical_path(&self) -> Result<String, JsValue> {
        Ok(report::causality::path(self.study()?))
    }

    /// `PathOverSteps`: how often each op is on the path of the steps from `first` (included) to `end` (excluded).
    #[wasm_bindgen(js_name = pathOverSteps)]
    pub fn path_over_steps(&self, first: usize, end: usize) -> Result<String, JsValue> {
        let view = View { step: None, ..self.study()?.view().clone() };
        Ok(report::causality::PathOverSteps::of(self.whole()?, &view, first..end).to_text())
    }

    /// `steplens.findings/1`: what is worth changing in what is shown.
    pub fn findings(&self) -> Result<String, JsValue> {
        Ok(self.find()?.end())
    }

    /// Does one piece of `findings`. Returns the answer after the last piece, and nothing before.
    #[wasm_bindgen(js_name = findingsOne)]
    pub fn findings_one(&mut self) -> Result<Option<String>, JsValue> {
        let mut work = match self.findings_begun.take() {
            Some(begun) => begun,
            None => self.find()?,
        };
        let answer = work.go_on();
        if answer.is_none() {
            self.findings_begun = Some(work);
        }
        Ok(answer)
    }

    /// (parts done, parts in total) while `findings` are found in pieces; empty otherwise.
    #[wasm_bindgen(js_name = findingsParts)]
    pub fn findings_parts(&self) -> Vec<u32> {
        let parts = self.findings_begun.as_ref().map(Work::parts);
        parts.map_or(Vec::new(), |Parts { done, of }| vec![done, of])
    }

    fn find(&self) -> Result<Work<String>, JsValue> {
        let variation = self.viewing()?.variation(self.study()?.view());
        Ok(report::findings::FindingList::for_page(self.study()?, self.files()?, variation))
    }
}
