//! What the step waited for, and what dependencies alone allow.

use super::Session;
use steplens_core::View;
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

    /// `steplens.critical-path/1`, as the command line prints it.
    #[wasm_bindgen(js_name = criticalPathJson)]
    pub fn critical_path_json(&self) -> Result<String, JsValue> {
        Ok(report::causality::json(self.study()?))
    }
}
