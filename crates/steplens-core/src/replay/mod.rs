//! Replay: how long the step would take if something were different. From the execution graph of
//! [`causality`](super::causality), the transfers and the collectives: it runs the ops of the step again on the threads, streams
//! and links that the recording shows, each for as long as it was recorded, and then once more with changed lengths. For
//! `steplens what-if`, the page and the findings.
//!
//! | module | what it has |
//! |---|---|
//! | [`model`] | what a replay needs of the recording: for each node its length, what it waits for, where it runs |
//! | [`inline`] | which ops run on the thread that made them ready |
//! | [`lines`] | links: how transfers share them |
//! | [`together`] | collectives: ops that end once all participants have arrived |
//! | [`simulate`] | the simulation |
//! | [`schedule`] | what a simulation gives: starts, ends, what each node waited for, the critical path |
//! | [`change`] | what may be different |
//! | [`scenario`] | the lengths and delays that follow from changes |
//! | [`candidates`] | what is worth changing, and what each change would save |
//!
//! `docs/what-if.md` has the formulas, the errors that were measured, and the limits.

pub mod candidates;
pub mod change;
mod inline;
mod lines;
mod model;
mod scenario;
pub mod schedule;
mod simulate;
mod together;

use crate::Study;
use crate::base::units::Nanos;
use change::{BadChange, Change};
pub use lines::{Sharing, Spread};
use model::Model;
pub use scenario::Scenario;
use schedule::Schedule;

/// The model of a step, and its replay without any change.
pub struct Replay {
    pub(crate) model: Model,
    unchanged: Schedule,
    error: ReplayError,
}

/// How far the replay without changes is from the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayError {
    /// The length of the recorded step.
    pub recorded: Nanos,
    /// The length of the replayed step.
    pub replayed: Nanos,
    /// The number of nodes that took time.
    pub nodes: u64,
    /// How many of them start within one percent of the step of when they did.
    pub near: u64,
}

/// The largest error with which a replay still predicts: five percent of the step. Published tools drop traces above it
/// (`docs/what-if.md` has the sources).
pub const MOST_ERROR_PPM: i64 = 50_000;

impl ReplayError {
    /// How far the replayed length is from the recorded one.
    pub fn difference(&self) -> Nanos {
        Nanos((self.replayed - self.recorded).0.abs())
    }

    /// The difference in millionths of the recorded length.
    pub fn ppm(&self) -> i64 {
        parts_per_million(self.difference(), self.recorded)
    }

    /// Whether predictions may be made.
    pub fn may_predict(&self) -> bool {
        self.nodes > 0 && self.ppm() <= MOST_ERROR_PPM
    }
}

/// `part` in millionths of `whole`; 0 where `whole` is empty.
pub fn parts_per_million(part: Nanos, whole: Nanos) -> i64 {
    match whole.0 {
        ..=0 => 0,
        whole => (i128::from(part.0) * 1_000_000 / i128::from(whole)).clamp(0, i64::MAX.into()) as i64,
    }
}

impl Replay {
    /// Builds the model of what `study` shows and replays it once, in time n log n.
    pub fn of(study: &Study) -> Self {
        let model = Model::of(study);
        let unchanged = simulate::run(&model, &Scenario::unchanged(&model));
        let error = error(study, &model, &unchanged);
        Self { model, unchanged, error }
    }

    /// The replay without changes.
    pub fn unchanged(&self) -> &Schedule {
        &self.unchanged
    }

    /// How far the replay without changes is from the recording.
    pub fn error(&self) -> ReplayError {
        self.error
    }

    /// How transfers share the links, as it reproduces this recording best; `None` where no transfer took time.
    pub fn sharing(&self) -> Option<(Sharing, Spread)> {
        self.model.lines.model()
    }

    /// What `changes` do to lengths and delays.
    ///
    /// # Errors
    ///
    /// If a change names nothing that the trace has.
    pub fn scenario(&self, study: &Study, changes: &[Change]) -> Result<Scenario, BadChange> {
        let mut scenario = Scenario::unchanged(&self.model);
        for change in changes {
            scenario.apply(study, &self.model, change)?;
        }
        Ok(scenario)
    }

    /// Calls `with` for each node of `schedule` that takes time: its op, and when it runs, from the start of the step.
    pub fn each_run(&self, schedule: &Schedule, mut with: impl FnMut(crate::OpId, i64, i64)) {
        for node in 0..self.model.len() {
            let (start, end) = (schedule.start(node), schedule.end(node));
            if end > start {
                with(self.model.op(node), start, end);
            }
        }
    }

    /// Replays the step with the lengths and delays of `scenario`.
    pub fn run(&self, scenario: &Scenario) -> Schedule {
        simulate::run(&self.model, scenario)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.model.heap_bytes() + self.unchanged.heap_bytes()
    }
}

/// Compares the replay without changes with the recording.
fn error(study: &Study, model: &Model, unchanged: &Schedule) -> ReplayError {
    let recorded = study.trace().span().length();
    let near = recorded.0 / 100;
    let mut error = ReplayError { recorded, replayed: unchanged.length(), ..ReplayError::default() };
    for node in 0..model.len() {
        if model.took_time(node) {
            error.nodes += 1;
            error.near += u64::from((unchanged.start(node) - model.recorded_start(node)).abs() <= near);
        }
    }
    error
}
