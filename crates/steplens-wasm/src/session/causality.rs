//! What the step waited for, and what dependencies alone allow.

use super::Session;
use steplens_report as report;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// What the step waited for, moment by moment, and what dependencies alone allow. See `PathPage` in protocol.ts.
    #[wasm_bindgen(js_name = criticalPath)]
    pub fn critical_path(&self) -> Result<String, JsValue> {
        Ok(report::causality::path(self.study()?))
    }

    /// `steplens.critical-path/1`, as the program prints it.
    #[wasm_bindgen(js_name = criticalPathJson)]
    pub fn critical_path_json(&self) -> Result<String, JsValue> {
        Ok(report::causality::json(self.study()?))
    }
}
