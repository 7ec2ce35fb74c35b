//! The summary of a fleet, as the page asks it.

use super::session::error;
use js_sys::{Float32Array, Uint8Array, Uint32Array};
use steplens_report::overview::answers::heat::{Heat, HeatQuery};
use steplens_report::overview::answers::series::Series;
use steplens_report::overview::{Figure, Overview, Unreadable};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A summary that is open.
#[wasm_bindgen]
#[derive(Debug)]
pub struct FleetSession(Overview);

/// A picture in columns; see `FleetHeat` in requests/fleet.ts.
#[wasm_bindgen]
#[derive(Debug)]
pub struct HeatBuffers(Heat);

/// A series in columns; see `FleetSeries` in requests/fleet.ts.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SeriesBuffers(Series);

#[wasm_bindgen]
impl FleetSession {
    /// Reads `overview.steplens-fleet`. Throws `{code, message}` where that cannot be read; so do the others.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> Result<FleetSession, JsValue> {
        Overview::read(bytes).map(Self).map_err(|why| thrown(&why))
    }

    /// `steplens.fleet-overview/1`.
    pub fn overview(&self) -> String {
        self.0.overview_json()
    }

    /// `FleetRun`.
    pub fn run(&self, run: usize) -> Result<String, JsValue> {
        self.0.run_json(run).map_err(|why| thrown(&why))
    }

    /// The picture of a figure.
    pub fn heat(
        &mut self,
        run: usize,
        figure: &str,
        as_share: bool,
        largest: bool,
        by_figure: bool,
    ) -> Result<HeatBuffers, JsValue> {
        let query = HeatQuery { figure: figure_of(figure)?, as_share, largest, by_figure };
        self.0.heat(run, query).map(HeatBuffers).map_err(|why| thrown(&why))
    }

    /// The same over steps.
    pub fn series(
        &mut self,
        run: usize,
        figure: &str,
        as_share: bool,
        largest: bool,
    ) -> Result<SeriesBuffers, JsValue> {
        let query = HeatQuery { figure: figure_of(figure)?, as_share, largest, by_figure: false };
        self.0.series(run, query).map(SeriesBuffers).map_err(|why| thrown(&why))
    }

    /// `FleetStragglers`.
    pub fn stragglers(&mut self, run: usize) -> Result<String, JsValue> {
        self.0.stragglers_json(run).map_err(|why| thrown(&why))
    }

    /// `FleetDays`.
    pub fn days(&self, day_a: &str, day_b: &str) -> Result<String, JsValue> {
        self.0.days_json(day_a, day_b).map_err(|why| thrown(&why))
    }

    /// `FleetBeforeAfter`; without a column, at the middle of the recorded time.
    #[wasm_bindgen(js_name = beforeAfter)]
    pub fn before_after(&mut self, run: usize, column: Option<usize>) -> Result<String, JsValue> {
        self.0.before_after_json(run, column).map_err(|why| thrown(&why))
    }

    /// `FleetCell`; `row` as the run has it.
    pub fn cell(&mut self, run: usize, row: usize, column: usize, of: &str) -> Result<String, JsValue> {
        self.0.cell_json(run, row, column, figure_of(of)?).map_err(|why| thrown(&why))
    }
}

#[wasm_bindgen]
impl HeatBuffers {
    /// By cell, from the upper left: ns, or a part of 1; NaN where there is none.
    #[wasm_bindgen(getter)]
    pub fn values(&self) -> Float32Array {
        Float32Array::from(self.0.values.as_slice())
    }

    /// By cell, its level on the scale.
    #[wasm_bindgen(getter)]
    pub fn levels(&self) -> Uint8Array {
        Uint8Array::from(self.0.levels.as_slice())
    }

    /// By row of the picture, the row of the run.
    #[wasm_bindgen(getter)]
    pub fn order(&self) -> Uint32Array {
        Uint32Array::from(self.0.order.as_slice())
    }

    /// By row of the picture, the mean over its columns.
    #[wasm_bindgen(getter, js_name = rowMeans)]
    pub fn row_means(&self) -> Float32Array {
        Float32Array::from(self.0.row_means.as_slice())
    }

    /// `HeatScale`.
    #[wasm_bindgen(getter)]
    pub fn scale(&self) -> String {
        self.0.scale_json()
    }
}

#[wasm_bindgen]
impl SeriesBuffers {
    /// By column: a tenth of the rows is no larger.
    #[wasm_bindgen(getter)]
    pub fn p10(&self) -> Float32Array {
        Float32Array::from(self.0.p10.as_slice())
    }

    /// By column: half of the rows is no larger.
    #[wasm_bindgen(getter)]
    pub fn median(&self) -> Float32Array {
        Float32Array::from(self.0.median.as_slice())
    }

    /// By column: nine of ten rows are no larger.
    #[wasm_bindgen(getter)]
    pub fn p90(&self) -> Float32Array {
        Float32Array::from(self.0.p90.as_slice())
    }

    /// By column, the largest.
    #[wasm_bindgen(getter)]
    pub fn most(&self) -> Float32Array {
        Float32Array::from(self.0.most.as_slice())
    }

    /// By column, the row of the run with the largest.
    #[wasm_bindgen(getter, js_name = mostRow)]
    pub fn most_row(&self) -> Uint32Array {
        Uint32Array::from(self.0.most_row.as_slice())
    }
}

fn figure_of(word: &str) -> Result<Figure, JsValue> {
    Figure::named(word).map_err(|why| thrown(&why))
}

fn thrown(why: &Unreadable) -> JsValue {
    error(why.kind.code(), &why.to_string())
}
