//! The list of runs of a process.

use crate::listed::Listed;
use crate::text;
use serde::Serialize;
use steplens_core::watched::Watched;
use steplens_core::watched::names::ProcessName;
use steplens_core::watched::runs::Run;

/// Which runs.
#[derive(Clone, Debug)]
pub struct RunQuery<'a> {
    /// Of this process.
    pub process: &'a str,
    /// Only those with this row of calls.
    pub call: Option<u32>,
    /// Only those that were traced.
    pub traced_only: bool,
    /// The most that are listed.
    pub most: usize,
}

/// A run.
#[derive(Serialize)]
pub struct WatchedRun {
    /// Its number in its process.
    pub run: u64,
    /// When it began, by the clock of its machine, in ns from 1970 as decimal text, because it does not fit in a double.
    pub start_unix_ns: String,
    /// How long it took.
    pub length_ns: i64,
    /// The global step. Null where none is known.
    pub step: Option<i64>,
    /// What it fetched and was fed, as a row of its process. Null where that is not known.
    pub call: Option<u32>,
    /// The path of its trace within the folder. Null for a run that was not traced.
    pub trace: Option<String>,
    /// The size of the trace. Null where it is not there (any more).
    pub trace_bytes: Option<u64>,
    /// Which request it was traced for.
    pub request: Option<String>,
}

/// The runs, the newest line first.
pub fn runs(watched: &Watched, query: &RunQuery<'_>) -> Listed<WatchedRun> {
    let runs = ProcessName::new(query.process).and_then(|name| watched.processes.get(&name));
    let wanted = |run: &&Run| {
        (query.call.is_none() || run.call.map(|call| call.0) == query.call)
            && (!query.traced_only || run.trace.is_some())
    };
    let listed: Vec<&Run> = runs.iter().flat_map(|runs| runs.runs.iter().rev()).filter(wanted).collect();
    Listed::of(listed.len(), query.most, &mut |at| run_row(watched, listed[at]))
}

/// The same as JSON.
pub fn runs_json(watched: &Watched, query: &RunQuery<'_>) -> String {
    text(&runs(watched, query))
}

/// A run as it is listed.
pub fn run_row(watched: &Watched, run: &Run) -> WatchedRun {
    WatchedRun {
        run: run.number,
        start_unix_ns: run.start_unix_ns.to_string(),
        length_ns: run.length.0,
        step: run.step,
        call: run.call.map(|call| call.0),
        trace: run.trace.as_ref().map(ToString::to_string),
        trace_bytes: run.trace.as_ref().and_then(|trace| watched.bytes_of(trace)),
        request: run.request.as_deref().map(str::to_owned),
    }
}
