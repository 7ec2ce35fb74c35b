//! When ops were ready, scheduled and run, and why an op started late.

use super::Session;
use steplens_core::{Nanos, OpId};
use steplens_report as report;
use steplens_report::scheduling::Choice;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// `SchedulingPage`. `threads` is the number of threads that the user entered; ops shorter than `tiny_ns` count as tiny.
    pub fn scheduling(&self, threads: Option<u32>, tiny_ns: Option<f64>) -> Result<String, JsValue> {
        let tiny = tiny_ns.map_or(Choice::default().tiny, |tiny| Nanos(tiny as i64));
        Ok(report::scheduling::page(self.study()?, Choice { threads, tiny }))
    }

    /// `WhyPage`: why an op started when it did, what ran instead, and its slack.
    pub fn why(&self, op: u32) -> Result<String, JsValue> {
        Ok(report::scheduling::why(self.study()?, OpId::new(op)))
    }
}
