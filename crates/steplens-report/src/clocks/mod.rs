//! `steplens.clocks/1`: how far the clocks of the tasks are apart.

mod csv;
mod note;
mod sentence;

pub use csv::write_csv;
pub use note::ClockNote;
pub use sentence::sentence;

use crate::text;
use serde::Serialize;
use steplens_core::Trace;
use steplens_core::clocks::{Ahead, ClockSetting, Clocks, Drift, TaskClock, Violations, count};

#[derive(Serialize)]
struct ClocksJson<'a> {
    schema: &'static str,
    /// What was found, for people.
    sentence: String,
    /// Whose clock the others are compared with; null where there is no task.
    reference: Option<&'a str>,
    /// How many tensors of known producers went between tasks.
    transfers: u64,
    tasks: Vec<TaskJson<'a>>,
    /// How many tensors were received before they were made, as recorded and with the offsets subtracted.
    violations_before: u64,
    violations_after: u64,
    /// How many more have times that contradict the others' however the clocks are set; no violations.
    contradicting: u64,
    /// What kept the least correction from being found: `not-proven-least` or `too-many-bounds`; null where it was found.
    search_limit: Option<&'static str>,
    pairs: Vec<PairJson<'a>>,
}

#[derive(Serialize)]
struct TaskJson<'a> {
    task: &'a str,
    /// What to subtract from its timestamps: its part of the least correction.
    offset_ns: i64,
    /// Between which the tensors say that it is ahead of the reference; null where nothing bounds it on that side.
    low_ns: Option<i64>,
    high_ns: Option<i64>,
    transfers: u64,
    /// Why a bound is missing: `unconnected` or `one-way`; null where none is.
    unknown_because: Option<&'static str>,
    /// How many millionths faster than the reference it goes; null where that cannot be computed.
    drift_ppm: Option<DriftJson>,
    drift_unknown_because: Option<&'static str>,
}

#[derive(Serialize)]
struct DriftJson {
    low: f64,
    best: f64,
    high: f64,
    /// Whether it is part of the estimate: where it cannot be 0.
    applied: bool,
}

/// What one task sent to another, and how much of it was received before it was made.
#[derive(Serialize)]
struct PairJson<'a> {
    source: &'a str,
    destination: &'a str,
    transfers: u64,
    violations_before: u64,
    violations_after: u64,
}

/// Why the clock is not bounded from both sides.
pub fn unknown_because(clock: &TaskClock) -> Option<&'static str> {
    match (clock.low, clock.high) {
        (Some(_), Some(_)) => None,
        _ if clock.is_connected => Some("one-way"),
        _ => Some("unconnected"),
    }
}

/// `steplens.clocks/1`.
pub fn json(trace: &Trace, clocks: &Clocks) -> String {
    text(&answer(trace, clocks))
}

/// The same, as a value.
pub fn answer<'a>(trace: &'a Trace, clocks: &'a Clocks) -> impl Serialize + use<'a> {
    of(trace, clocks)
}

fn of<'a>(trace: &'a Trace, clocks: &'a Clocks) -> ClocksJson<'a> {
    let estimated = clocks.violations(&|row| clocks.tasks[row].applied);
    let pairs = pairs(trace, clocks, &estimated);
    let task = |clock: &TaskClock| TaskJson {
        task: trace.text(clock.task),
        offset_ns: clock.applied.at_middle.0,
        low_ns: clock.low.map(|low| low.0),
        high_ns: clock.high.map(|high| high.0),
        transfers: clock.transfers,
        unknown_because: unknown_because(clock),
        drift_ppm: clock.drift.ok().map(drift),
        drift_unknown_because: clock.drift.err().map(|why| why.code()),
    };
    ClocksJson {
        schema: "steplens.clocks/1",
        sentence: sentence(clocks),
        reference: clocks.reference.map(|task| trace.text(task)),
        transfers: clocks.transfers(),
        tasks: clocks.tasks.iter().map(task).collect(),
        violations_before: pairs.iter().map(|pair| pair.violations_before).sum(),
        violations_after: count(&estimated),
        contradicting: clocks.contradicting().len() as u64,
        search_limit: clocks.search.code(),
        pairs,
    }
}

/// What is received before it is made where clocks are set as `setting` says: the same pairs, all that is `after` being so.
pub fn violations(trace: &Trace, setting: &ClockSetting) -> String {
    text(&pairs(trace, &setting.clocks, &setting.clocks.violations(&|row| setting.ahead(trace, row))))
}

fn pairs<'a>(trace: &'a Trace, clocks: &Clocks, after: &[Violations]) -> Vec<PairJson<'a>> {
    let name = |row: u32| trace.text(clocks.tasks[row as usize].task);
    let recorded = clocks.violations(&|_| Ahead::default());
    // The same arrows, so the same pairs.
    let pair = |(before, after): (&Violations, &Violations)| PairJson {
        source: name(before.source),
        destination: name(before.destination),
        transfers: before.transfers,
        violations_before: before.count,
        violations_after: after.count,
    };
    recorded.iter().zip(after).map(pair).collect()
}

fn drift(drift: Drift) -> DriftJson {
    let ppm = |ppb: i64| ppb as f64 / 1e3;
    DriftJson {
        low: ppm(drift.low_ppb),
        best: ppm(drift.best_ppb),
        high: ppm(drift.high_ppb),
        applied: drift.is_applied,
    }
}
