//! Replay: how long the step would take if something were different. From the execution graph of
//! [`causality`](super::causality), the transfers and the collectives: it runs the ops of the step again on the threads, streams
//! and links that the recording shows, each for as long as it was recorded, and then once more with changed lengths. For
//! `steplens what-if`, the page and the findings.
//!
//! | module | what it has |
//! |---|---|
//! | [`timing`] | when each node ran, and where it runs |
//! | [`model`] | what a replay needs of the recording: for each node its length, what it waits for, where it runs |
//! | [`waiting`] | what each node waits for |
//! | [`executors`] | threads of executors: which ops a thread keeps, which it gives to the pool |
//! | [`lines`] | links: how transfers share them |
//! | [`together`] | collectives: ops that end once all participants have arrived |
//! | [`simulate`] | the simulation |
//! | [`schedule`] | what a simulation gives: starts, ends, what each node waited for, the critical path |
//! | [`bounds`] | what no change can undercut |
//! | [`frozen`] | the time that no change moves, and between which lengths a prediction lies |
//! | [`change`] | what may be different |
//! | [`scenario`] | the lengths and delays that follow from changes |
//! | [`candidates`] | what is worth changing, and what each change would save |
//! | [`by_node`] | lengths and delays node by node, for a comparison with another replay |
//!
//! `docs/what-if.md` has the formulas, the errors that were measured, and the limits.

mod bounds;
mod by_node;
pub mod candidates;
pub mod change;
mod executors;
pub mod frozen;
mod lines;
mod model;
mod scenario;
pub mod schedule;
mod simulate;
mod timing;
mod together;
mod users;
mod waiting;

use crate::base::units::Nanos;
use crate::{OpId, Study};
use change::{BadChange, Change};
pub use lines::{Sharing, Spread};
use model::Model;
pub use scenario::Scenario;
use schedule::Schedule;
use std::sync::OnceLock;

/// The model of a step, and its replay without any change.
pub struct Replay {
    pub(crate) model: Model,
    unchanged: Schedule,
    error: ReplayError,
    /// The same where threads take what the pool gives them, as with another number of threads.
    given_error: ReplayError,
    /// What remains when nothing takes any time, once that was asked for.
    frozen: OnceLock<Nanos>,
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

/// A replay in which threads take what the pool gives them, and that is off by more, is compared with one in which ops stay on their
/// recorded threads.
const NEAR_PPM: i64 = 10_000;

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
        let mut given = Self { model, unchanged, error, given_error: error, frozen: OnceLock::new() };
        if error.ppm() <= NEAR_PPM || given.model.threads.is_empty() {
            given.model.give();
            return given;
        }
        // Threads did something that was not recorded: who would have taken which op is not known well enough. Where ops that stay on
        // their threads explain no more of the step, though, the pool's way is the truer one: it shares work again.
        let shares = error.may_predict() && given.model.threads.iter().any(|&threads| threads > 1);
        let frozen = if shares { given.frozen(study) } else { Nanos(i64::MAX) };
        given.model.stay_on_threads();
        given.unchanged = simulate::run(&given.model, &Scenario::unchanged(&given.model));
        given.error = self::error(study, &given.model, &given.unchanged);
        given.frozen = OnceLock::new();
        let near = Nanos(error.recorded.0 / 100);
        let is_better = given.error.ppm() < error.ppm() && (!shares || given.frozen(study) + near < frozen);
        if !is_better {
            given.model.give();
            given.unchanged = simulate::run(&given.model, &Scenario::unchanged(&given.model));
            given.error = error;
            given.frozen = OnceLock::new();
        }
        given
    }

    /// The replay without changes.
    pub fn unchanged(&self) -> &Schedule {
        &self.unchanged
    }

    /// How far the replay without changes is from the recording.
    pub fn error(&self) -> ReplayError {
        self.error
    }

    /// How far the replay is from the recording with the threads of `scenario`: with another number of them, ops cannot stay on theirs.
    pub fn error_with(&self, scenario: &Scenario) -> ReplayError {
        if scenario.threads.is_some() { self.given_error } else { self.error }
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

    /// The number of transfers that are replayed.
    pub fn transfers(&self) -> u64 {
        self.model.lines.sent.len() as u64
    }

    /// The number of collectives that are replayed.
    pub fn collectives(&self) -> u64 {
        self.model.together.participants.len() as u64
    }

    /// The delays of the ops for which `is_it` holds, if they follow another op.
    pub fn delays(&self, is_it: impl Fn(OpId) -> bool) -> Vec<(Nanos, OpId)> {
        let nodes = 0..self.model.len();
        let delayed = nodes.filter(|&node| self.model.delay[node] > 0 && self.model.waits[node] > 0);
        let rows = delayed.map(|node| (Nanos(self.model.delay[node]), self.model.op(node)));
        rows.filter(|&(_, op)| is_it(op)).collect()
    }

    /// As recorded, but without the delays of these ops.
    pub fn without_delays(&self, is_it: impl Fn(OpId) -> bool) -> Scenario {
        let mut scenario = Scenario::unchanged(&self.model);
        scenario.drop_delays(&self.model, is_it);
        scenario
    }

    /// As recorded, but these ops and the delays before them take no time.
    pub fn without(&self, is_it: impl Fn(OpId) -> bool) -> Scenario {
        let mut scenario = self.without_delays(&is_it);
        scenario.set_lengths(&self.model, |op| is_it(op).then_some(Nanos(0)));
        scenario
    }

    /// As recorded, but these ops take other lengths. `lengths` may be in any order.
    pub fn with_lengths(&self, lengths: &[(OpId, Nanos)]) -> Scenario {
        let of_op: std::collections::BTreeMap<OpId, Nanos> = lengths.iter().copied().collect();
        let mut scenario = Scenario::unchanged(&self.model);
        scenario.set_lengths(&self.model, |op| of_op.get(&op).copied());
        scenario
    }

    /// The rows of at least `least` transfers from one task to another that follow one another with gaps of at most `most`, each of
    /// them at most `most` long: their ops, in order of start.
    pub fn rows_of_transfers(&self, most: Nanos, least: usize) -> Vec<Vec<OpId>> {
        self.model.lines.rows(most, least)
    }

    /// As recorded, but the transfers of each of `rows` go as one.
    pub fn with_rows_merged(&self, rows: &[Vec<OpId>]) -> Scenario {
        let mut scenario = Scenario::unchanged(&self.model);
        let lines = &self.model.lines;
        let row_of: std::collections::BTreeMap<OpId, u32> =
            (0..lines.sent.len()).map(|row| (lines.sent[row].op, row as u32)).collect();
        for ops in rows {
            let own: Vec<u32> = ops.iter().filter_map(|op| row_of.get(op).copied()).collect();
            scenario.merge_rows(&self.model, &own);
        }
        scenario
    }

    /// Calls `with` for each node of `schedule` that takes time: its op, and when it runs, from the start of the step.
    pub fn each_run(&self, schedule: &Schedule, mut with: impl FnMut(OpId, i64, i64)) {
        for node in 0..self.model.len() {
            let (start, end) = (schedule.start(node), schedule.end(node));
            if end > start {
                with(self.model.op(node), start, end);
            }
        }
    }

    /// Replays the step with the lengths and delays of `scenario`.
    ///
    /// Where more ops are ready than threads are free, a small change may give all of them another order, and a step in which every op is
    /// faster takes longer (Graham, Bounds on multiprocessing timing anomalies, 1969). Whether that happens is chance, and in the recorded
    /// order it does not. So if no op is slower, and the step is longer all the same, a replay in which each op stays on its recorded
    /// thread counts, if that is shorter; and the step is never longer than without the change.
    pub fn run(&self, scenario: &Scenario) -> Schedule {
        let given = simulate::run(&self.model, scenario);
        if given.length() <= self.unchanged.length() || !scenario.is_no_slower(&self.model) {
            return given;
        }
        let stayed = scenario.staying(&self.model).map(|staying| simulate::run(&self.model, &staying));
        let mut shorter = stayed.filter(|stayed| stayed.length() < given.length()).unwrap_or(given);
        shorter.at_most(self.unchanged.length().0);
        shorter
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
