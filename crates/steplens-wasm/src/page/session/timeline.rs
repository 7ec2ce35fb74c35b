//! What is drawn (marks, strips, lanes, the minimap), and what a search finds.

use super::RangeQuery;
use super::{Session, bad_option, not_open, window};
use crate::page::buffers::MarksBuffers;
use js_sys::{Float32Array, Uint8Array, Uint32Array};
use steplens_core::marks::{Look, MarksQuery};
use steplens_core::questions::{coloring, phases, strips};
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::{DeviceId, Interval, LaneId, OpId, Timestamp};
use steplens_report as report;
use steplens_report::ops::OpPages;
use steplens_report::options;
use steplens_report::transfers::TransferPages;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// What to draw; see `MarksQuery` in protocol.ts.
    pub fn marks(
        &self,
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
        lanes: &[u32],
        pitches: &[f32],
        most: usize,
    ) -> Result<MarksBuffers, JsValue> {
        let study = self.study()?;
        let lanes: Vec<LaneId> = lanes.iter().map(|&lane| LaneId::new(lane)).collect();
        let Interval { start, end } = window(start_ns, end_ns);
        let query = MarksQuery { start, end, width_px, lanes: &lanes, pitches, most };
        let look = Look { colors: study.colors(), matches: &self.matches, lit: &self.lit };
        let marks = study.marks().marks(study.trace(), study.lanes(), look, &query);
        Ok(MarksBuffers::of(study, marks))
    }

    /// Density strips of `devices`; see `Marks` in protocol.ts.
    pub fn strips(
        &self,
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
        devices: &[u32],
    ) -> Result<Float32Array, JsValue> {
        let devices: Vec<DeviceId> = devices.iter().map(|&device| DeviceId::new(device)).collect();
        let strips = strips::strips(self.study()?, &devices, window(start_ns, end_ns), width_px);
        Ok(Float32Array::from(strips.as_flattened()))
    }

    /// For each column of the strips of `devices`, the share of its communication time that is exposed.
    pub fn exposed(
        &self,
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
        devices: &[u32],
    ) -> Result<Float32Array, JsValue> {
        let devices: Vec<DeviceId> = devices.iter().map(|&device| DeviceId::new(device)).collect();
        let shares = strips::exposed(self.study()?, &devices, window(start_ns, end_ns), width_px);
        Ok(Float32Array::from(shares.as_slice()))
    }

    /// For each lane, 1 if any of its ops meets [start, end], else 0.
    #[wasm_bindgen(js_name = lanesInUse)]
    pub fn lanes_in_use(&self, start_ns: f64, end_ns: f64) -> Result<Uint8Array, JsValue> {
        let (study, window) = (self.study()?, window(start_ns, end_ns));
        let lanes = (0..study.lanes().len() as u32).map(LaneId::new);
        let used: Vec<u8> =
            lanes.map(|lane| study.lanes().is_used(study.trace(), lane, window).into()).collect();
        Ok(Uint8Array::from(used.as_slice()))
    }

    /// The start or end of an op in `lanes` that is nearest to `at_ns`, at most `slack_ns` away.
    #[wasm_bindgen(js_name = edgeNear)]
    pub fn edge_near(&self, lanes: &[u32], at_ns: f64, slack_ns: f64) -> Result<Option<f64>, JsValue> {
        let study = self.study()?;
        let lanes =
            lanes.iter().map(|&lane| LaneId::new(lane)).filter(|lane| lane.index() < study.lanes().len());
        let at = window(at_ns - slack_ns, at_ns + slack_ns);
        let edge = study.lanes().edge_near(study.trace(), lanes, Timestamp(at_ns.round() as i64), at);
        Ok(edge.map(|edge| edge.0 as f64))
    }

    /// The whole step in `bins` slices: for each slice, the shares of the parts of the step bar.
    pub fn minimap(&self, bins: usize) -> Result<Float32Array, JsValue> {
        let study = self.study()?;
        let shares = study.step_shares(study.trace().span(), bins);
        Ok(Float32Array::from(shares.as_flattened()))
    }

    /// Arranges the lanes of every device. Returns the `LaneGroup`s of each device. The ids of lanes change.
    pub fn arrange(&mut self, by: &str) -> Result<String, JsValue> {
        let by = options::arrangement(by).map_err(|why| bad_option(&why))?;
        self.study_mut()?.arrange(by);
        let study = self.study.as_ref().ok_or_else(not_open)?;
        self.matches.arrange(study.lanes());
        self.lit.arrange(study.lanes());
        self.op_pages = OpPages::default();
        self.transfer_pages = TransferPages::default();
        Ok(report::lanes::json(study))
    }

    /// Gives ops the colours of a `ColorBy`. Returns `Colors`. Nothing is highlighted afterwards.
    #[wasm_bindgen(js_name = colorBy)]
    pub fn color_by(&mut self, by: &str) -> Result<String, JsValue> {
        let by = options::color_by(by).map_err(|why| bad_option(&why))?;
        let study = self.study()?;
        if study.colors().by() != by {
            let colors = coloring::colors(study, by);
            self.study_mut()?.color(colors);
        }
        self.lit = Matches::default();
        Ok(report::colors::json(self.study()?))
    }

    /// Whether names record the phases of a training step.
    #[wasm_bindgen(js_name = hasPhases)]
    pub fn has_phases(&self) -> Result<bool, JsValue> {
        Ok(phases::are_recorded(self.study()?))
    }

    /// The `ColorSum`s of a range, by colour.
    #[wasm_bindgen(js_name = colorSums)]
    pub fn color_sums(&self, query: RangeQuery) -> Result<String, JsValue> {
        Ok(report::colors::sums(self.study()?, query.core()))
    }

    /// Highlights ops of this type; without a type, ops of these colours, one bit each. Marks say from now on whether they have
    /// such ops.
    pub fn light(&mut self, op_type: Option<String>, colors: u32) -> Result<(), JsValue> {
        self.lit = report::colors::lit(self.study()?, op_type.as_deref(), colors);
        Ok(())
    }

    /// Whether the trace says for any op which thread ran it.
    #[wasm_bindgen(js_name = hasThreads)]
    pub fn has_threads(&self) -> Result<bool, JsValue> {
        Ok(self.study()?.trace().has_threads())
    }

    /// The op of `lane` that covers `at_ns`, or comes within `slack_ns` of it.
    #[wasm_bindgen(js_name = opAt)]
    pub fn op_at(&self, lane: u32, at_ns: f64, slack_ns: f64) -> Result<Option<u32>, JsValue> {
        let study = self.study()?;
        let window = window(at_ns - slack_ns, at_ns + slack_ns);
        Ok(study
            .lanes()
            .op_near(study.trace(), LaneId::new(lane), Timestamp(at_ns as i64), window)
            .map(OpId::get))
    }

    /// The longest op that covers `at_ns` in `count` lanes from `first` on; if there is none, the nearest op within `slack_ns`.
    #[wasm_bindgen(js_name = longestAt)]
    pub fn longest_at(
        &self,
        first: u32,
        count: u32,
        at_ns: f64,
        slack_ns: f64,
    ) -> Result<Option<u32>, JsValue> {
        let study = self.study()?;
        let window = window(at_ns - slack_ns, at_ns + slack_ns);
        let lanes = (first..first.saturating_add(count)).take(study.lanes().len()).map(LaneId::new);
        let found = study.lanes().longest_near(study.trace(), lanes, Timestamp(at_ns as i64), window);
        Ok(found.map(OpId::get))
    }

    /// The op before (-1) or after (1) `op` in its lane.
    pub fn neighbour(&self, op: u32, step: i32) -> Result<Option<u32>, JsValue> {
        let study = self.study()?;
        Ok(study.lanes().neighbour(OpId::new(op), step as isize).map(OpId::get))
    }

    /// Searches for a part of a text or for a regular expression. Marks say from now on whether they match. Returns `SearchResult`
    /// without its ops.
    pub fn search(&mut self, query: &str, regex: bool) -> Result<String, JsValue> {
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let found = Pattern::new(query, regex)
            .and_then(|pattern| Matches::of(study.trace(), study.lanes(), &pattern));
        let problem = found.as_ref().err().cloned();
        self.matches = found.unwrap_or_default();
        self.op_pages = OpPages::default();
        Ok(report::search::json(study.trace(), query, regex, &self.matches, problem.as_deref()))
    }

    /// The first of the ops that the last search found, in order of start.
    #[wasm_bindgen(js_name = searchOps)]
    pub fn search_ops(&self) -> Result<Uint32Array, JsValue> {
        let ops = self.matches.listed(self.study()?.trace());
        Ok(Uint32Array::from(ops.iter().map(|op| op.get()).collect::<Vec<_>>().as_slice()))
    }
}
