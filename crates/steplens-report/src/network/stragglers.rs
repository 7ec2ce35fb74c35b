//! Which task finished last in each step, by how much, and why.

use crate::listed::Listed;
use crate::op_ref::OpRef;
use serde::Serialize;
use steplens_core::base::pace::Pace;
use steplens_core::base::{natural, order};
use steplens_core::makers::Makers;
use steplens_core::network::stragglers::{self, stragglers_paced};
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{StringId, Study};

/// The most stragglers that are listed; the total counts all.
const MAX_STEPS: usize = 500;
/// The most tasks that are listed for one step.
const MAX_TASKS: usize = 64;

/// All stragglers.
#[derive(Serialize)]
pub struct Stragglers<'a> {
    /// In order of step and job.
    #[serde(flatten)]
    pub listed: Listed<Straggler<'a>>,
    /// How many times each task was the straggler, the largest number first; only the first tasks.
    pub often: Vec<(&'a str, usize)>,
    /// The number of tasks that were a straggler.
    pub often_total: usize,
}

/// The task that came last among its peers in one step.
#[derive(Serialize)]
pub struct Straggler<'a> {
    /// The number of the step, as in `steplens steps`: from 1.
    pub step: usize,
    /// The task, or a device if there is only one task.
    pub task: &'a str,
    /// How much later it ended than the one before it.
    pub after_next_ns: i64,
    /// How much later it ended than the median of its peers.
    pub behind_ns: i64,
    /// The straggler and its peers, the last one first.
    pub ended: Vec<Ended<'a>>,
    /// The number of tasks.
    pub tasks: usize,
    /// How the time from the step's start to its end divides along the chain.
    pub chain: Chain,
    /// The root cause; null if nothing shows it.
    pub cause: Option<Cause<'a>>,
    /// Whether chain and cause are based on only some of the ops and tasks, because there are too many.
    pub is_cut: bool,
}

/// When a task ended.
#[derive(Serialize)]
pub struct Ended<'a> {
    /// Its name.
    pub task: &'a str,
    /// The end of its last op; where its peers wait for it in a collective, when it came there.
    pub ended_ns: i64,
    /// Its last op, or the one before that collective.
    pub op: u32,
}

/// How the time of a chain divides.
#[derive(Serialize)]
pub struct Chain {
    pub ops: usize,
    pub before_ns: i64,
    pub running_ns: i64,
    pub waiting_ns: i64,
    pub queued_ns: i64,
    pub wire_ns: i64,
}

/// The root cause.
#[derive(Serialize)]
pub struct Cause<'a> {
    /// `ran-late`, `took-long`, `input-late` or `started-late`.
    pub kind: &'static str,
    /// The delayed op of the chain.
    pub op: OpRef,
    /// The input of this op that was ready last.
    pub input: Option<OpRef>,
    /// The device that sent that input, if it is a transfer.
    pub source: Option<&'a str>,
    /// How long the op waited to run, or ran; or when its last input was ready or when it was scheduled, counted from the step's
    /// start.
    pub own_ns: i64,
    /// The same value for its peers, as their median; null if the op has no peers to compare with.
    pub usual_ns: Option<i64>,
}

pub(super) async fn all<'a>(
    study: &'a Study,
    steps: &StepOfOp,
    makers: &Makers,
    pace: &Pace,
) -> Stragglers<'a> {
    let rows = stragglers_paced(study, steps, makers, pace).await;
    let text = |id: StringId| study.trace().text(id);
    let mut last: Vec<StringId> =
        rows.iter().filter_map(|row| row.ended.first()).map(|ended| ended.unit).collect();
    order::by_number(&mut last, |name| (i64::from(name.get()), 0));
    let mut often: Vec<(StringId, usize)> =
        last.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect();
    often.sort_by(|&a, &b| b.1.cmp(&a.1).then_with(|| natural::compare(text(a.0), text(b.0))));
    Stragglers {
        listed: Listed::of(rows.len(), MAX_STEPS, &mut |at| row(study, &rows[at])),
        often_total: often.len(),
        often: often.into_iter().take(MAX_TASKS).map(|(name, times)| (text(name), times)).collect(),
    }
}

#[inline(never)]
fn row<'a>(study: &'a Study, straggler: &stragglers::Straggler) -> Straggler<'a> {
    let ended = |ended: &stragglers::Ended| Ended {
        task: study.trace().text(ended.unit),
        ended_ns: ended.at.0,
        op: ended.op.get(),
    };
    let times = straggler.times;
    Straggler {
        step: straggler.step + 1,
        task: straggler.ended.first().map_or("", |ended| study.trace().text(ended.unit)),
        after_next_ns: straggler.after_next.0,
        behind_ns: straggler.behind.0,
        ended: straggler.ended.iter().take(MAX_TASKS).map(ended).collect(),
        tasks: straggler.ended.len(),
        chain: Chain {
            ops: straggler.links,
            before_ns: times.before.0,
            running_ns: times.running.0,
            waiting_ns: times.waiting.0,
            queued_ns: times.queued.0,
            wire_ns: times.wire.0,
        },
        cause: straggler.cause.map(|cause| cause_row(study, &cause)),
        is_cut: straggler.is_cut,
    }
}

#[inline(never)]
fn cause_row<'a>(study: &'a Study, cause: &stragglers::Cause) -> Cause<'a> {
    let transfer = cause.input.and_then(|input| study.transfers().of_op(input));
    Cause {
        kind: cause.kind.word(),
        op: OpRef::of(study, cause.op),
        input: cause.input.map(|input| OpRef::of(study, input)),
        source: transfer.map(|transfer| study.trace().text(transfer.source)),
        own_ns: cause.own.0,
        usual_ns: cause.usual.map(|usual| usual.0),
    }
}
