//! Counters and instants of the files.

use super::{Session, bad_option, window};
use js_sys::Float64Array;
use steplens_core::marks::counters::counter_columns;
use steplens_core::{CounterId, InstantId};
use steplens_messages::say;
use steplens_report as report;
use steplens_report::options::BadOption;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// `Counters`: the first of them.
    pub fn counters(&self) -> Result<String, JsValue> {
        Ok(report::counters::page(self.study()?))
    }

    /// For each of `counters` in turn, for each column of a window that is `width_px` wide, the lowest, the highest and the last value;
    /// NaN before the first value.
    #[wasm_bindgen(js_name = counterLanes)]
    pub fn counter_lanes(
        &self,
        counters: &[u32],
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
    ) -> Result<Float64Array, JsValue> {
        let all = self.study()?.trace().counters();
        let known = counters.iter().map(|&row| CounterId::new(row)).filter(|row| row.index() < all.len());
        let columns = known.flat_map(|row| counter_columns(all, row, window(start_ns, end_ns), width_px));
        let values = columns.flat_map(|column| match column {
            Some(column) => [column.extent.min, column.extent.max, column.last].map(|value| value.get()),
            None => [f64::NAN; 3],
        });
        Ok(Float64Array::from(values.collect::<Vec<f64>>().as_slice()))
    }

    /// `Flags`: the instants in a window that is `width_px` wide.
    pub fn flags(&self, start_ns: f64, end_ns: f64, width_px: f64) -> Result<String, JsValue> {
        Ok(report::counters::flags(self.study()?, window(start_ns, end_ns), width_px))
    }

    /// `InstantDetails`: what an instant says.
    pub fn instant(&self, instant: u32) -> Result<String, JsValue> {
        let said = report::counters::instant(self.study()?, InstantId::new(instant));
        said.ok_or_else(|| bad_option(&BadOption(say!("bad-instant").to_owned())))
    }
}
