//! What communication costs, and what is in transit.

use super::{Session, not_open, window};
use js_sys::Float32Array;
use steplens_core::base::pace::{Parts, Work};
use steplens_core::transfers::links::{Between, Route};
use steplens_report as report;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Which transfers count as traffic; see `Route` in protocol.ts.
#[wasm_bindgen]
pub struct RouteQuery(Route);

#[wasm_bindgen]
impl RouteQuery {
    /// A route between tasks, or else between devices. An undefined source or destination means any.
    #[wasm_bindgen(constructor)]
    pub fn new(tasks: bool, source: Option<String>, destination: Option<String>) -> Self {
        let between = if tasks { Between::Tasks } else { Between::Devices };
        Self(Route { between, source, destination })
    }
}

#[wasm_bindgen]
impl Session {
    /// `steplens.network/1`: what is spent on communication, and what to blame.
    pub fn network(&self) -> Result<String, JsValue> {
        Ok(report::network::Network::for_page(self.study()?).end())
    }

    /// Does one piece of `network`. Returns the answer after the last piece, and nothing before.
    #[wasm_bindgen(js_name = networkOne)]
    pub fn network_one(&mut self) -> Result<Option<String>, JsValue> {
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let answer =
            self.network_begun.get_or_insert_with(|| report::network::Network::for_page(study)).go_on();
        if answer.is_some() {
            self.network_begun = None;
        }
        Ok(answer)
    }

    /// (parts done, parts in total) while `network` is computed in pieces; empty otherwise.
    #[wasm_bindgen(js_name = networkParts)]
    pub fn network_parts(&self) -> Vec<u32> {
        let parts = self.network_begun.as_ref().map(Work::parts);
        parts.map_or(Vec::new(), |Parts { done, of }| vec![done, of])
    }

    /// What is in transit: for each column of a window that is `width_px` wide, bytes per second and transfers in flight. See
    /// `TrafficQuery` in protocol.ts.
    pub fn traffic(
        &mut self,
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
        route: RouteQuery,
    ) -> Result<Float32Array, JsValue> {
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let traffic = self.traffic.of(study, &route.0);
        let of = (&**study.trace(), study.transfers());
        let columns = traffic.columns(of, window(start_ns, end_ns), width_px);
        Ok(Float32Array::from(columns.as_flattened()))
    }

    /// `Peaks` of a route over the whole step, or `null`.
    #[wasm_bindgen(js_name = trafficPeaks)]
    pub fn traffic_peaks(&mut self, route: RouteQuery) -> Result<String, JsValue> {
        let study = self.study.as_ref().ok_or_else(not_open)?;
        Ok(report::network::traffic_peaks(self.traffic.of(study, &route.0)))
    }

    /// `TrafficLinks`: the links of a route that carry most in a window.
    #[wasm_bindgen(js_name = trafficLinks)]
    pub fn traffic_links(&self, start_ns: f64, end_ns: f64, route: RouteQuery) -> Result<String, JsValue> {
        Ok(report::network::traffic_links(self.study()?, &route.0, window(start_ns, end_ns)))
    }
}
