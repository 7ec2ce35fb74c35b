//! Which bytes were alive when, and why.

use super::{Session, bad_option, window};
use js_sys::Float64Array;
use steplens_core::Timestamp;
use steplens_core::memory::{Account, By, Reading};
use steplens_messages::say;
use steplens_report as report;
use steplens_report::options::BadOption;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// `MemoryReport`: what is known about memory.
    pub fn memory(&self) -> Result<String, JsValue> {
        Ok(report::memory::page(self.study()?, self.files()?))
    }

    /// `MemoryAlive`: what is alive in an account at `at_ns`, or at the account's peak.
    #[wasm_bindgen(js_name = memoryAlive)]
    pub fn memory_alive(
        &self,
        reading: &str,
        account: usize,
        at_ns: Option<f64>,
        by: &str,
        most: usize,
    ) -> Result<String, JsValue> {
        let account = self.account(reading, account)?;
        let by =
            By::of_word(by).ok_or_else(|| bad_option(&BadOption(say!("bad-memory-division", word = by))))?;
        Ok(report::memory::alive(self.study()?, account, moment(at_ns, account), by, most))
    }

    /// `MemoryWhy`: why one of the lives of an account is alive at `at_ns`, or at the peak.
    #[wasm_bindgen(js_name = memoryWhy)]
    pub fn memory_why(
        &self,
        reading: &str,
        account: usize,
        life: usize,
        at_ns: Option<f64>,
    ) -> Result<String, JsValue> {
        let account = self.account(reading, account)?;
        let why = report::memory::why(self.study()?, account, life, moment(at_ns, account));
        why.ok_or_else(|| bad_option(&BadOption(say!("bad-memory-tensor").to_owned())))
    }

    /// `MemoryBoxes`: the `most` largest lives of an account in a window.
    #[wasm_bindgen(js_name = memoryBoxes)]
    pub fn memory_boxes(
        &self,
        reading: &str,
        account: usize,
        start_ns: f64,
        end_ns: f64,
        most: usize,
    ) -> Result<String, JsValue> {
        let account = self.account(reading, account)?;
        Ok(report::memory::boxes(self.study()?, account, window(start_ns, end_ns), most))
    }

    /// For each account in turn, the most bytes that were alive at once in each column of a window that is `width_px` wide.
    #[wasm_bindgen(js_name = memoryLanes)]
    pub fn memory_lanes(
        &self,
        reading: &str,
        accounts: &[u32],
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
    ) -> Result<Float64Array, JsValue> {
        let mut columns = Vec::new();
        for &account in accounts {
            let account = self.account(reading, account as usize)?;
            let most = account.curve.strip(window(start_ns, end_ns), width_px);
            columns.extend(most.into_iter().map(|bytes| bytes.0 as f64));
        }
        Ok(Float64Array::from(columns.as_slice()))
    }
}

impl Session {
    fn account(&self, reading: &str, account: usize) -> Result<&Account, JsValue> {
        let reading = Reading::of_word(reading)
            .ok_or_else(|| bad_option(&BadOption(say!("bad-memory-reading", word = reading))))?;
        let accounts = &self.study()?.memory(reading).accounts;
        accounts.get(account).ok_or_else(|| bad_option(&BadOption(say!("bad-memory-account").to_owned())))
    }
}

/// The given moment, or else the peak of the account.
fn moment(at_ns: Option<f64>, account: &Account) -> Timestamp {
    at_ns.map_or_else(|| account.peak().1, |at| Timestamp(at as i64))
}
