//! `steplens.clocks/1`: how much the clocks of the tasks differ.

mod note;
mod sentence;

pub use note::ClockNote;
pub use sentence::sentence;

use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::Trace;
use steplens_core::clocks::{self as core, Ahead, ClockSetting, Drift, Violations, count};

/// How far the clocks of the tasks are apart, by the tensors that they sent each other.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "clocks";
    type Answer<'a> = Clocks<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(answer(shown.whole, &shown.clocks()))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(shown.whole, &shown.clocks(), out)?)
    }
}

/// One task per row.
fn write_csv(trace: &Trace, clocks: &core::Clocks, out: &mut impl Write) -> io::Result<()> {
    let tasks = answer(trace, clocks).tasks;
    sheet!(out, (task, drift) in tasks.iter().map(|task| (task, task.drift_ppm.as_ref())), {
        task: task.task,
        offset_ns: task.offset_ns,
        low_ns: task.low_ns,
        high_ns: task.high_ns,
        transfers: task.transfers,
        unknown_because: task.unknown_because,
        drift_ppm_low: drift.map(|drift| drift.low),
        drift_ppm_best: drift.map(|drift| drift.best),
        drift_ppm_high: drift.map(|drift| drift.high),
        drift_ppm_applied: drift.map(|drift| drift.applied),
        drift_unknown_because: task.drift_unknown_because,
    })
}

#[expect(missing_docs, reason = "the schema has no sentence about the whole")]
#[derive(Serialize)]
pub struct Clocks<'a> {
    schema: &'static str,
    /// What was found, as a sentence.
    sentence: String,
    /// The task whose clock the others are compared with; null without any task.
    reference: Option<&'a str>,
    /// The number of tensors with a known producer that went between tasks.
    transfers: u64,
    tasks: Vec<TaskClock<'a>>,
    /// The number of tensors that were received before they were made: as recorded, and with the offsets subtracted.
    violations_before: u64,
    violations_after: u64,
    /// The number of tensors whose times contradict the others, however the clocks are aligned. They do not count as violations.
    contradicting: u64,
    /// Why the least correction was not found: `not-proven-least` or `too-many-bounds`; null if it was found.
    search_limit: Option<&'static str>,
    pairs: Vec<PairOfTasks<'a>>,
}

#[derive(Serialize)]
struct TaskClock<'a> {
    task: &'a str,
    /// What is subtracted from the task's timestamps: its part of the least correction.
    offset_ns: i64,
    /// The bounds of how much the task is ahead of the reference, from the tensors; null without a bound on that side.
    low_ns: Option<i64>,
    high_ns: Option<i64>,
    transfers: u64,
    /// Why a bound is missing: `unconnected` or `one-way`; null if none is missing.
    unknown_because: Option<&'static str>,
    /// How much faster than the reference the clock runs, in parts per million; null if that cannot be computed.
    drift_ppm: Option<ClockDrift>,
    drift_unknown_because: Option<&'static str>,
}

#[derive(Serialize)]
struct ClockDrift {
    low: f64,
    best: f64,
    high: f64,
    /// Whether the drift is part of the estimate: only if it cannot be 0.
    applied: bool,
}

/// The tensors that one task sent to another, and how many of them were received before they were made.
#[derive(Serialize)]
struct PairOfTasks<'a> {
    source: &'a str,
    destination: &'a str,
    transfers: u64,
    violations_before: u64,
    violations_after: u64,
}

/// Why the clock is not bounded from both sides.
pub fn unknown_because(clock: &core::TaskClock) -> Option<&'static str> {
    match (clock.low, clock.high) {
        (Some(_), Some(_)) => None,
        _ if clock.is_connected => Some("one-way"),
        _ => Some("unconnected"),
    }
}

/// `steplens.clocks/1`.
pub fn json(trace: &Trace, clocks: &core::Clocks) -> String {
    text(&answer(trace, clocks))
}

/// The object as a value.
pub fn answer<'a>(trace: &'a Trace, clocks: &core::Clocks) -> Clocks<'a> {
    let estimated = clocks.violations(&|row| clocks.tasks[row].applied);
    let pairs = pairs(trace, clocks, &estimated);
    let task = |clock: &core::TaskClock| TaskClock {
        task: trace.text(clock.task),
        offset_ns: clock.applied.at_middle.0,
        low_ns: clock.low.map(|low| low.0),
        high_ns: clock.high.map(|high| high.0),
        transfers: clock.transfers,
        unknown_because: unknown_because(clock),
        drift_ppm: clock.drift.ok().map(drift),
        drift_unknown_because: clock.drift.err().map(|why| why.code()),
    };
    Clocks {
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

/// The tensors that are received before they are made, with clocks aligned by `setting`, for the same pairs. All counts are those
/// after aligning.
pub fn violations(trace: &Trace, setting: &ClockSetting) -> String {
    text(&pairs(trace, &setting.clocks, &setting.clocks.violations(&|row| setting.ahead(trace, row))))
}

fn pairs<'a>(trace: &'a Trace, clocks: &core::Clocks, after: &[Violations]) -> Vec<PairOfTasks<'a>> {
    let name = |row: u32| trace.text(clocks.tasks[row as usize].task);
    let recorded = clocks.violations(&|_| Ahead::default());
    // The arrows are the same, so the pairs are, too.
    let pair = |(before, after): (&Violations, &Violations)| PairOfTasks {
        source: name(before.source),
        destination: name(before.destination),
        transfers: before.transfers,
        violations_before: before.count,
        violations_after: after.count,
    };
    recorded.iter().zip(after).map(pair).collect()
}

fn drift(drift: Drift) -> ClockDrift {
    let ppm = |ppb: i64| ppb as f64 / 1e3;
    ClockDrift {
        low: ppm(drift.low_ppb),
        best: ppm(drift.best_ppb),
        high: ppm(drift.high_ppb),
        applied: drift.is_applied,
    }
}
