//! Figures of a range, tables of ops and transfers, and details of one op.

use super::{Session, bad_option, error, not_open, window};
use crate::page::buffers::ConcurrencyBuffers;
use steplens_core::questions::concurrency::concurrency;
use steplens_core::questions::op_list::Filter;
use steplens_core::questions::range::{self, Range};
use steplens_core::{DeviceId, LaneId, Nanos, OpId};
use steplens_messages::say;
use steplens_report as report;
use steplens_report::options;
use steplens_report::transfers::TransferQuery;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Which ops the figures cover; see `RangeQuery` in protocol.ts.
#[wasm_bindgen]
pub struct RangeQuery(range::RangeQuery);

#[wasm_bindgen]
impl RangeQuery {
    /// All devices if `device` is undefined, all lanes if `lanes` is. With `accelerator`, the whole accelerator that `device`
    /// belongs to.
    #[wasm_bindgen(constructor)]
    pub fn new(
        start_ns: f64,
        end_ns: f64,
        device: Option<u32>,
        lanes: Option<Vec<u32>>,
        accelerator: Option<bool>,
    ) -> Self {
        let lanes = lanes.map(|lanes| lanes.into_iter().map(LaneId::new).collect());
        Self(range::RangeQuery {
            window: window(start_ns, end_ns),
            device: device.map(DeviceId::new),
            accelerator: accelerator.unwrap_or(false),
            lanes,
        })
    }
}

/// Which ops of a range are listed; see `OpsQuery` in protocol.ts.
#[wasm_bindgen]
pub struct OpFilter(Filter);

#[wasm_bindgen]
impl OpFilter {
    /// If `matching`, only ops that the search found. Only ops that match `text`, that are at least `from_ns` long and shorter than
    /// `to_ns`.
    #[wasm_bindgen(constructor)]
    pub fn new(matching: bool, text: String, from_ns: Option<f64>, to_ns: Option<f64>) -> Self {
        let lengths = from_ns.zip(to_ns).map(|(from, to)| (Nanos(from as i64), Nanos(to as i64)));
        Self(Filter { matching, text, lengths })
    }
}

impl RangeQuery {
    pub(super) fn core(&self) -> &range::RangeQuery {
        &self.0
    }
}

#[wasm_bindgen]
impl Session {
    /// `OpDetails` of an op.
    pub fn op(&self, op: u32) -> Result<String, JsValue> {
        let details = report::ops::details(self.study()?, OpId::new(op));
        details.ok_or_else(|| no_such_op(op))
    }

    /// What leads to an op and what follows from it, as `Flow` in protocol.ts.
    pub fn flow(&self, op: u32, hops: u32) -> Result<String, JsValue> {
        report::ops::flow(self.study()?, OpId::new(op), hops).ok_or_else(|| no_such_op(op))
    }

    /// `RangeSummary` of a range.
    pub fn range(&self, query: RangeQuery) -> Result<String, JsValue> {
        Ok(report::range::json(self.study()?, &query.0))
    }

    /// `OpRow`s of ops, in the order given.
    pub fn ops(&self, ops: &[u32]) -> Result<String, JsValue> {
        let ops: Vec<OpId> = ops.iter().map(|&op| OpId::new(op)).collect();
        Ok(report::ops::rows(self.study()?, &ops))
    }

    /// A page of the ops of a range, sorted by an `OpSort` of protocol.ts.
    #[wasm_bindgen(js_name = opsIn)]
    pub fn ops_in(
        &mut self,
        query: RangeQuery,
        filter: OpFilter,
        sort: &str,
        descending: bool,
        offset: usize,
        limit: usize,
    ) -> Result<String, JsValue> {
        let column = options::op_column(sort).map_err(|why| bad_option(&why))?;
        let study = self.study.as_ref().ok_or_else(not_open)?;
        Ok(self.op_pages.page(
            study,
            query.0,
            (column, descending),
            filter.0,
            &self.matches,
            offset..offset.saturating_add(limit),
        ))
    }

    /// The place of an op in the last list of ops that was requested, if the op is in it.
    #[wasm_bindgen(js_name = placeInOps)]
    pub fn place_in_ops(&self, op: u32) -> Option<usize> {
        self.op_pages.place(OpId::new(op))
    }

    /// The place of the transfer that an op recorded in the last list of transfers that was requested, if it is in it.
    #[wasm_bindgen(js_name = placeInTransfers)]
    pub fn place_in_transfers(&self, op: u32) -> Result<Option<usize>, JsValue> {
        Ok(self.transfer_pages.place(self.study()?, OpId::new(op)))
    }

    /// `LengthBin`s of the ops that the search found.
    pub fn lengths(&self) -> Result<String, JsValue> {
        Ok(report::ops::lengths(self.study()?, &self.matches))
    }

    /// How many ops of a range are in flight in each of `bins` slices.
    pub fn concurrency(&self, query: RangeQuery, bins: usize) -> Result<ConcurrencyBuffers, JsValue> {
        let study = self.study()?;
        Ok(ConcurrencyBuffers(concurrency(study, &Range::of(study, &query.0), bins)))
    }

    /// The op types of a range.
    #[wasm_bindgen(js_name = opTypes)]
    pub fn op_types(&self, query: RangeQuery) -> Result<String, JsValue> {
        Ok(report::ops::types(self.study()?, &query.0))
    }

    /// A page of the table of transfers; see `TransfersQuery` in protocol.ts.
    pub fn transfers(
        &mut self,
        sort: &str,
        descending: bool,
        filter: String,
        offset: usize,
        limit: usize,
        range: Option<RangeQuery>,
    ) -> Result<String, JsValue> {
        let sort = options::transfer_column(sort).map_err(|why| bad_option(&why))?;
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let query = TransferQuery { sort, descending, filter, range: range.map(|range| range.0) };
        Ok(self.transfer_pages.page(study, query, offset..offset.saturating_add(limit)))
    }
}

fn no_such_op(op: u32) -> JsValue {
    error("no-such-op", &say!("no-such-op", op))
}
