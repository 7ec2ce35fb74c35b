//! The session: one trace that is being opened, or is open.

use crate::buffers::{ConcurrencyBuffers, MarksBuffers};
use js_sys::{Float32Array, Float64Array, Object, Reflect, Uint32Array};
use std::sync::Arc;
use steplens_core::build::selection::FoundDevice;
use steplens_core::clocks::{ClockChoice, ClockSetting, Clocks};
use steplens_core::doctor::Repair;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::marks::MarksQuery;
use steplens_core::memory::{Account, By, Reading};
use steplens_core::model::file::FileReport;
use steplens_core::questions::concurrency::concurrency;
use steplens_core::questions::op_list::OpList;
use steplens_core::questions::range::{self, Range};
use steplens_core::questions::strips;
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::steps::rule::StepRule;
use steplens_core::study::Prepared;
use steplens_core::timeline::grouping::Arrangement;
use steplens_core::transfers::links::{Between, Route};
use steplens_core::transfers::traffic::Traffic;
use steplens_core::{
    CategoryRules, DeviceId, Interval, LaneId, OpId, Selection, Study, Timestamp, Trace, View,
};
use steplens_formats::{Limits, Opener, ReadError, session};
use steplens_report as report;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// One trace: `beginFile`, `push`, `endFile` for each file, then `finish`; after that it answers questions.
///
/// Errors are thrown as `{code, message}`; codes are stable, messages are one sentence for people.
#[wasm_bindgen]
pub struct Session {
    opener: Option<Opener>,
    /// All that was opened.
    whole: Option<Arc<Trace>>,
    /// What of it is shown.
    study: Option<Study>,
    files: Vec<FileReport>,
    found: Vec<FoundDevice>,
    matches: Matches,
    /// The list whose rows were asked for last: the next ones are most likely of the same.
    list: Option<OpList>,
    /// The same for transfers.
    transfers: Option<report::transfers::TransferList>,
    /// The traffic of the link that was asked about last.
    traffic: Option<(Route, Traffic)>,
    /// What is known of the clocks, once that was asked, and what was repaired then.
    clocks: Option<(Vec<Repair>, Arc<Clocks>)>,
}

#[wasm_bindgen]
impl Session {
    /// A session whose trace puts what matches `communication` (regular expressions) into that category.
    #[wasm_bindgen(constructor)]
    pub fn new(communication: Vec<String>) -> Result<Session, JsValue> {
        let rules = CategoryRules::new(&communication).map_err(|message| error("bad-option", &message))?;
        let opener = Some(Opener::new(rules, Limits::default()));
        Ok(Self {
            opener,
            whole: None,
            study: None,
            files: Vec::new(),
            found: Vec::new(),
            matches: Matches::default(),
            list: None,
            transfers: None,
            traffic: None,
            clocks: None,
        })
    }

    /// Before the first file: opens only the devices that match, and ops that overlap the window of ns from 1970. Times
    /// are texts, because they do not fit a double.
    pub fn select(
        &mut self,
        devices: Option<String>,
        start_unix_ns: Option<String>,
        end_unix_ns: Option<String>,
    ) -> Result<(), JsValue> {
        let window = match (start_unix_ns, end_unix_ns) {
            (Some(start), Some(end)) => {
                let time = |text: &str| text.parse().map_err(|_| error("bad-option", "a time is no number"));
                Some(time(&start)?..time(&end)?)
            }
            _ => None,
        };
        let selection =
            Selection::new(devices.as_deref(), window).map_err(|why| error("bad-option", &why))?;
        self.opener = self.opener.take().map(|opener| opener.select(selection));
        Ok(())
    }

    /// Before the first file: how much memory the ops may take.
    #[wasm_bindgen(js_name = limitMemory)]
    pub fn limit_memory(&mut self, bytes: f64) {
        let limits = Limits { memory_bytes: bytes as usize };
        self.opener = self.opener.take().map(|opener| opener.limit(limits));
    }

    /// Before the first file: only counts what is there, for `found`.
    #[wasm_bindgen(js_name = countOnly)]
    pub fn count_only(&mut self) {
        self.opener = self.opener.take().map(Opener::count_only);
    }

    /// `Found`: what the files hold of every device, those that were left out among them.
    pub fn found(&mut self) -> String {
        match &mut self.opener {
            Some(opener) => report::found::json(&opener.found()),
            None => report::found::json(&self.found),
        }
    }

    /// Starts the next file.
    #[wasm_bindgen(js_name = beginFile)]
    pub fn begin_file(&mut self, name: &str) {
        if let Some(opener) = &mut self.opener {
            opener.begin_file(name);
        }
    }

    /// What the user calls the process that the current file is of, before its first slice.
    #[wasm_bindgen(js_name = nameProcess)]
    pub fn name_process(&mut self, name: &str) {
        if let Some(opener) = &mut self.opener {
            opener.name_process(name);
        }
    }

    /// Takes the next slice of the current file.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(opener) = &mut self.opener {
            opener.push(bytes);
        }
    }

    /// Ends the current file.
    #[wasm_bindgen(js_name = endFile)]
    pub fn end_file(&mut self) {
        if let Some(opener) = &mut self.opener {
            opener.end_file();
        }
    }

    /// How many ops were read so far.
    #[wasm_bindgen(js_name = opsRead)]
    pub fn ops_read(&self) -> usize {
        self.opener.as_ref().map_or(0, Opener::ops)
    }

    /// Builds the trace; returns `steplens.summary/1` without the totals of transfers.
    pub fn finish(&mut self) -> Result<String, JsValue> {
        let opener =
            self.opener.take().ok_or_else(|| error("not-open", "the session is finished already"))?;
        let opened = opener.finish().map_err(|why| unreadable(&why))?;
        self.whole = Some(Arc::new(opened.trace));
        self.files = opened.files;
        self.found = opened.found;
        self.show_view("content", None, Vec::new(), OpTime::default().word(), Vec::new())
    }

    /// Shows one step, a row of `steps`, or everything; returns what `finish` returns for it. Ops and lanes have other
    /// ids from then on, and nothing is searched.
    /// `repairs` are words of `doctor`; `op_time` is `schedule`, `gpu` or `all`; `clocks` are the words of a [`ClockChoice`].
    #[wasm_bindgen(js_name = showView)]
    pub fn show_view(
        &mut self,
        rule: &str,
        step: Option<usize>,
        repairs: Vec<String>,
        op_time: &str,
        clocks: Vec<String>,
    ) -> Result<String, JsValue> {
        let repair = |word: &String| {
            Repair::by_word(word).ok_or_else(|| error("bad-option", &format!("`{word}` is no repair")))
        };
        let repairs: Vec<Repair> = repairs.iter().map(repair).collect::<Result<_, _>>()?;
        let op_time = OpTime::of_word(op_time)
            .ok_or_else(|| error("bad-option", &format!("ops cannot last as `{op_time}`")))?;
        let choice = clock_choice(&clocks)?;
        let clocks = match choice.is_recorded() {
            true => None,
            false => Some(ClockSetting { choice, clocks: self.known_clocks(&repairs)? }),
        };
        let view = View { repairs, rule: step_rule(rule)?, step, clocks, op_time };
        let whole = self.whole.as_ref().ok_or_else(not_open)?;
        // The old one goes first, so that both are never in memory.
        self.study = None;
        self.list = None;
        self.transfers = None;
        self.traffic = None;
        self.matches = Matches::default();
        let study = self.study.insert(Study::of_view(whole, view));
        Ok(report::summary::without_transfers(study, &self.files).to_text())
    }

    /// `steplens.summary/1` of what is shown, totals of transfers included.
    pub fn summary(&self) -> Result<String, JsValue> {
        Ok(report::summary::of(self.study()?, &self.files).to_text())
    }

    /// Does one piece of what leads to `part`, a word of [`Prepared`], which most questions need and the first picture does not.
    /// Returns whether more is to be done for it. A question that comes earlier computes what it needs itself.
    #[wasm_bindgen(js_name = prepareOne)]
    pub fn prepare_one(&self, part: &str) -> Result<bool, JsValue> {
        let part = Prepared::by_word(part)
            .ok_or_else(|| error("bad-option", &format!("`{part}` is nothing to prepare")))?;
        Ok(self.study()?.prepare_one(part))
    }

    /// `Totals` in protocol.ts: the part of the summary that is about transfers.
    pub fn totals(&self) -> Result<String, JsValue> {
        Ok(report::summary::totals_json(self.study()?))
    }

    /// `steplens.steps/1`: the steps and runs to choose from.
    pub fn steps(&self, rule: &str) -> Result<String, JsValue> {
        let (rule, whole) = (step_rule(rule)?, self.whole.as_ref().ok_or_else(not_open)?);
        let View { repairs, clocks, .. } = self.study()?.view().clone();
        let (trace, steps) = View { repairs, clocks, rule, ..View::default() }.steps(whole);
        Ok(report::steps::json(&trace, &steps, rule, &self.files))
    }

    /// `steplens.doctor/1`: what is wrong with all that was opened.
    pub fn doctor(&self) -> Result<String, JsValue> {
        Ok(report::doctor::json(self.whole.as_ref().ok_or_else(not_open)?, self.study()?))
    }

    /// `steplens.clocks/1`: how far the clocks are apart, by all that was opened, repaired as what is shown.
    pub fn clocks(&mut self) -> Result<String, JsValue> {
        let repairs = self.study()?.view().repairs.clone();
        let clocks = self.known_clocks(&repairs)?;
        Ok(report::clocks::json(self.study()?.trace(), &clocks))
    }

    /// The `pairs` of `steplens.clocks/1` if clocks were set by these words.
    pub fn violations(&mut self, clocks: Vec<String>) -> Result<String, JsValue> {
        let choice = clock_choice(&clocks)?;
        let repairs = self.study()?.view().repairs.clone();
        let setting = ClockSetting { choice, clocks: self.known_clocks(&repairs)? };
        Ok(report::clocks::violations(self.study()?.trace(), &setting))
    }

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
        let marks = study.marks().marks(study.trace(), study.lanes(), &self.matches, &query);
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

    /// Arranges the lanes of every device; returns the `LaneGroup`s of each. Lanes have other ids from then on.
    pub fn arrange(&mut self, by: &str) -> Result<String, JsValue> {
        let by = Arrangement::by_word(by)
            .ok_or_else(|| error("bad-option", &format!("lanes cannot be arranged by `{by}`")))?;
        let study = self.study.as_mut().ok_or_else(not_open)?;
        study.arrange(by);
        self.matches.arrange(study.lanes());
        self.list = None;
        self.transfers = None;
        Ok(report::lanes::json(study))
    }

    /// Whether anything was recorded of which thread ran which op.
    #[wasm_bindgen(js_name = hasThreads)]
    pub fn has_threads(&self) -> Result<bool, JsValue> {
        Ok(self.study()?.trace().has_threads())
    }

    /// `OpDetails` of an op.
    pub fn op(&self, op: u32) -> Result<String, JsValue> {
        let details = report::ops::details(self.study()?, OpId::new(op));
        details.ok_or_else(|| no_such_op(op))
    }

    /// What leads to an op and on from it, as `Flow` in protocol.ts.
    pub fn flow(&self, op: u32, hops: u32) -> Result<String, JsValue> {
        report::ops::flow(self.study()?, OpId::new(op), hops).ok_or_else(|| no_such_op(op))
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

    /// The op before (-1) or after (1) `op` in its lane.
    pub fn neighbour(&self, op: u32, step: i32) -> Result<Option<u32>, JsValue> {
        let study = self.study()?;
        Ok(study.lanes().neighbour(OpId::new(op), step as isize).map(OpId::get))
    }

    /// `RangeSummary` of a range.
    pub fn range(&self, query: RangeQuery) -> Result<String, JsValue> {
        Ok(report::range::json(self.study()?, &query.0))
    }

    /// The whole step in `bins` slices: shares of the parts of the step bar, slice by slice.
    pub fn minimap(&self, bins: usize) -> Result<Float32Array, JsValue> {
        let study = self.study()?;
        let shares = study.step_shares(study.trace().span(), bins);
        Ok(Float32Array::from(shares.as_flattened()))
    }

    /// Searches for a part of a text or a regular expression; from now on marks tell what matches. Returns
    /// `SearchResult` without its ops.
    pub fn search(&mut self, query: &str, regex: bool) -> Result<String, JsValue> {
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let found = Pattern::new(query, regex)
            .and_then(|pattern| Matches::of(study.trace(), study.lanes(), &pattern));
        let problem = found.as_ref().err().cloned();
        self.matches = found.unwrap_or_default();
        self.list = None;
        Ok(report::search::json(study.trace(), query, regex, &self.matches, problem.as_deref()))
    }

    /// The first of the ops that the last search found, in order of start.
    #[wasm_bindgen(js_name = searchOps)]
    pub fn search_ops(&self) -> Result<Uint32Array, JsValue> {
        let ops = self.matches.listed(self.study()?.trace());
        Ok(Uint32Array::from(ops.iter().map(|op| op.get()).collect::<Vec<_>>().as_slice()))
    }

    /// `OpRow`s of ops, in the order given.
    pub fn ops(&self, ops: &[u32]) -> Result<String, JsValue> {
        let ops: Vec<OpId> = ops.iter().map(|&op| OpId::new(op)).collect();
        Ok(report::ops::rows(self.study()?, &ops))
    }

    /// A page of the ops of a range, by one of `OpSort` in protocol.ts; if `matching`, of those that the search found.
    #[wasm_bindgen(js_name = opsIn)]
    pub fn ops_in(
        &mut self,
        query: RangeQuery,
        matching: bool,
        sort: &str,
        descending: bool,
        offset: usize,
        limit: usize,
    ) -> Result<String, JsValue> {
        let column = report::ops::column(sort)
            .ok_or_else(|| error("bad-option", &format!("ops cannot be sorted by `{sort}`")))?;
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let known = self.list.take().filter(|list| list.answers(&query.0, column, matching));
        let matches = matching.then_some(&self.matches);
        let list = known.unwrap_or_else(|| OpList::of(study, query.0, column, matches));
        let page = report::ops::page(study, &list, descending, offset, limit);
        self.list = Some(list);
        Ok(page)
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
        let sort = report::transfers::Ordering::by_column(sort)
            .ok_or_else(|| error("bad-option", &format!("transfers cannot be sorted by `{sort}`")))?;
        let study = self.study.as_ref().ok_or_else(not_open)?;
        let query =
            report::transfers::TransferQuery { sort, descending, filter, range: range.map(|range| range.0) };
        let known = self.transfers.take().filter(|list| list.answers(&query));
        let list = known.unwrap_or_else(|| report::transfers::TransferList::of(study, query));
        let page = report::transfers::page(study, &list, offset, limit);
        self.transfers = Some(list);
        Ok(page)
    }

    /// `steplens.network/1`: what is spent on communication, and what to blame.
    pub fn network(&self) -> Result<String, JsValue> {
        Ok(report::network::Network::for_page(self.study()?).to_text())
    }

    /// What is known of the memory: `MemoryReport`.
    pub fn memory(&self) -> Result<String, JsValue> {
        Ok(report::memory::page(self.study()?, &self.files))
    }

    /// `MemoryAlive`: what of an account is alive at `at_ns`, or at its peak.
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
        let by = By::of_word(by)
            .ok_or_else(|| error("bad-option", &format!("memory is not divided by `{by}`")))?;
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
        why.ok_or_else(|| error("bad-option", "there is no such tensor"))
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

    /// The most bytes that were alive at once in each column of a window that is `width_px` wide, account after account.
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

    /// What is on the wire: column after column of a window that is `width_px` wide, bytes a second and transfers in
    /// flight. See `TrafficQuery` in protocol.ts.
    pub fn traffic(
        &mut self,
        start_ns: f64,
        end_ns: f64,
        width_px: f64,
        route: RouteQuery,
    ) -> Result<Float32Array, JsValue> {
        let (study, traffic) = self.followed(&route)?;
        let of = (&**study.trace(), study.transfers());
        let columns = traffic.columns(of, window(start_ns, end_ns), width_px);
        Ok(Float32Array::from(columns.as_flattened()))
    }

    /// `Peaks` of a route over the whole step, or `null`.
    #[wasm_bindgen(js_name = trafficPeaks)]
    pub fn traffic_peaks(&mut self, route: RouteQuery) -> Result<String, JsValue> {
        Ok(report::network::traffic_peaks(self.followed(&route)?.1))
    }

    /// `TrafficLinks`: the links of a route that carry most in a window.
    #[wasm_bindgen(js_name = trafficLinks)]
    pub fn traffic_links(&self, start_ns: f64, end_ns: f64, route: RouteQuery) -> Result<String, JsValue> {
        Ok(report::network::traffic_links(self.study()?, &route.0, window(start_ns, end_ns)))
    }

    /// `steplens.memory/1`, as the program prints it.
    #[wasm_bindgen(js_name = memoryJson)]
    pub fn memory_json(&self) -> Result<String, JsValue> {
        Ok(report::memory::json(self.study()?, &self.files))
    }

    /// `steplens.transfers/1`, as the program prints it.
    #[wasm_bindgen(js_name = transfersJson)]
    pub fn transfers_json(&self) -> Result<String, JsValue> {
        Ok(report::transfers::json(self.study()?))
    }

    /// `steplens.ops/1`, as the program prints it.
    #[wasm_bindgen(js_name = opsJson)]
    pub fn ops_json(&self) -> Result<String, JsValue> {
        let mut text = Vec::new();
        report::ops::write_json(self.study()?, &mut text)
            .map_err(|why| error("no-memory", &why.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The trace as a Steplens session: a file that opens as the same trace.
    #[wasm_bindgen(js_name = sessionBytes)]
    pub fn session_bytes(&self) -> Result<Vec<u8>, JsValue> {
        Ok(session::write(self.whole.as_ref().ok_or_else(not_open)?, &self.files))
    }

    /// Memory that the trace and its analyses hold, in bytes.
    #[wasm_bindgen(js_name = heapBytes)]
    pub fn heap_bytes(&self) -> usize {
        self.study.as_ref().map_or(0, Study::heap_bytes)
    }

    /// The clocks of all that was opened, with `repairs`.
    fn known_clocks(&mut self, repairs: &[Repair]) -> Result<Arc<Clocks>, JsValue> {
        if let Some((_, clocks)) = self.clocks.as_ref().filter(|(done, _)| done == repairs) {
            return Ok(Arc::clone(clocks));
        }
        let whole = self.whole.as_ref().ok_or_else(not_open)?;
        let clocks = match &self.study {
            // All of it is shown, as it was recorded: nothing is to be followed again.
            Some(study) if repairs.is_empty() && study.old_op().is_none() => {
                Clocks::of(study.trace(), study.transfers())
            }
            _ => View { repairs: repairs.to_vec(), ..View::default() }.clocks_of(whole),
        };
        let clocks = Arc::new(clocks);
        self.clocks = Some((repairs.to_vec(), Arc::clone(&clocks)));
        Ok(clocks)
    }

    /// What is shown, and its traffic on a route; of one link it is kept until another one is asked for.
    fn followed(&mut self, route: &RouteQuery) -> Result<(&Study, &Traffic), JsValue> {
        let study = self.study.as_ref().ok_or_else(not_open)?;
        if route.0 == Route::ALL {
            return Ok((study, study.traffic()));
        }
        let known = self.traffic.take().filter(|(of, _)| *of == route.0);
        let follow = || Traffic::of(study.trace(), study.transfers(), &route.0);
        let of = known.unwrap_or_else(|| (route.0.clone(), follow()));
        Ok((study, &self.traffic.insert(of).1))
    }

    fn account(&self, reading: &str, account: usize) -> Result<&Account, JsValue> {
        let reading = Reading::of_word(reading)
            .ok_or_else(|| error("bad-option", &format!("memory is not known by `{reading}`")))?;
        let accounts = &self.study()?.memory(reading).accounts;
        accounts.get(account).ok_or_else(|| error("bad-option", "there is no such account of memory"))
    }

    fn study(&self) -> Result<&Study, JsValue> {
        self.study.as_ref().ok_or_else(not_open)
    }
}

/// Which ops figures are about; see `RangeQuery` in protocol.ts.
#[wasm_bindgen]
pub struct RangeQuery(range::RangeQuery);

#[wasm_bindgen]
impl RangeQuery {
    /// All devices if `device` is undefined, all lanes if `lanes` is; with `accelerator`, the whole accelerator that `device` is a part of.
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

/// Which transfers traffic is of; see `Route` in protocol.ts.
#[wasm_bindgen]
pub struct RouteQuery(Route);

#[wasm_bindgen]
impl RouteQuery {
    /// Between tasks or else devices; any source or destination if it is undefined.
    #[wasm_bindgen(constructor)]
    pub fn new(tasks: bool, source: Option<String>, destination: Option<String>) -> Self {
        let between = if tasks { Between::Tasks } else { Between::Devices };
        Self(Route { between, source, destination })
    }
}

fn step_rule(word: &str) -> Result<StepRule, JsValue> {
    StepRule::by_word(word).ok_or_else(|| error("bad-option", &format!("`{word}` makes no steps")))
}

fn clock_choice(words: &[String]) -> Result<ClockChoice, JsValue> {
    ClockChoice::of_words(words.iter().map(String::as_str))
        .ok_or_else(|| error("bad-option", "clocks are set by `estimated` and `TASK=NS`"))
}

fn not_open() -> JsValue {
    error("not-open", "no trace is open in this session")
}

fn unreadable(why: &ReadError) -> JsValue {
    error(why.kind.code(), &why.to_string())
}

fn no_such_op(op: u32) -> JsValue {
    error("no-such-op", &format!("the trace has no op {op}"))
}

/// A moment, or that of the peak of an account.
fn moment(at_ns: Option<f64>, account: &Account) -> Timestamp {
    at_ns.map_or_else(|| account.peak().1, |at| Timestamp(at as i64))
}

fn window(start_ns: f64, end_ns: f64) -> Interval {
    Interval::new(Timestamp(start_ns as i64), Timestamp(end_ns as i64))
}

fn error(code: &str, message: &str) -> JsValue {
    let object = Object::new();
    for (key, value) in [("code", code), ("message", message)] {
        // A plain object takes any property.
        let _ = Reflect::set(&object, &key.into(), &value.into());
    }
    object.into()
}
