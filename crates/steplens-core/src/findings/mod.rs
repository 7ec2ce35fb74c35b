//! Findings: what is worth changing in a step, ranked by the time that the change would save. From the replay, the critical path,
//! stragglers, memory and clocks. For the row above the timeline, the tab Findings, `steplens findings` and `steplens summary`.
//!
//! | module | what it has |
//! |---|---|
//! | `batches` | how long a program waits for its next batch |
//! | [`compiled`] | whether code ran that `torch.compile` compiled |
//! | `compiling` | a log of what `torch.compile` did, and nothing else |
//! | [`done`] | what a program did already of what advice could name |
//! | [`finding`] | what a finding is, and what a rule may say |
//! | [`context`] | what every rule needs, computed once |
//! | [`framework`] | which framework wrote the trace: its words are used for advice |
//! | [`host_op`] | one op of a host with a large part of the path |
//! | [`kernel_input`] | how long kernels of Pallas wait for their input |
//! | [`kernel_kinds`] | what kernels calculate, by their names |
//! | [`later`] | what comes again, and takes less then |
//! | [`mostly`] | which op type has most of a part of the split |
//! | [`no_compute`] | what counts as compute and is none |
//! | [`reached`] | how fast ops calculate, and which is slow for its work |
//! | [`rounds`] | rounds of tensors that come again and again, which are steps |
//! | [`rules`] | the rules, one file each |
//! | [`spans`] | the steps in what is shown, where they are less |
//! | [`subject`] | what a verdict and its findings are about |
//! | [`time_by_kind`] | how long accelerators compute each kind |
//! | [`unlike`] | what a mean, or a number of steps, hides |
//! | [`unused_gpu`] | a GPU that the file names and no op used |
//! | [`xla_kinds`] | what instructions of XLA calculate |
//! | [`verdict`] | what the step mostly is |
//! | [`verdict_parts`] | the parts of the split and of the path that it names |
//!
//! A rule that can say how much time would be saved replays the step with its change. It is a finding if the saving is more than
//! the error of the replay, more than steps vary, and at least [`LEAST_SHARE_PPM`] of the step. Where the replay is too far from the
//! recording, such rules are ranked by their time on the observed path. `docs/findings.md` has each rule with its formula and source,
//! `docs/findings-rules.md` its limits and exceptions.

mod batches;
mod before_work;
pub mod compiled;
mod compiling;
mod context;
pub mod done;
mod executor;
mod finding;
pub mod framework;
mod host_op;
mod host_places;
mod kernel_input;
mod kernel_kinds;
mod largest;
mod late_start;
mod later;
mod mostly;
mod no_compute;
mod only_first;
mod own_range;
pub mod passes;
mod pauses;
mod reached;
mod recording_cost;
pub mod rounds;
mod rules;
mod spans;
mod stood_still;
mod subject;
mod time_by_kind;
mod unlike;
mod unused_gpu;
mod verdict;
mod verdict_parts;
mod xla_kinds;

pub use before_work::BeforeWork;
pub use compiling::{Compiling, compiling};
pub use executor::{InExecutors, Sender, executors_at_work};
pub use finding::{
    Alone, Basis, CopiedBy, CopiesOf, Direction, Exchange, FactPart, Facts, Finding, KernelKind,
    LEAST_SHARE_PPM, LateRank, MOST_EVIDENCE, Needs, OfRounds, OpKind, Rule, SharedThreads, WhichCollectives,
    Work,
};
pub use host_op::OnHost;
pub use late_start::LateStart;
pub use later::Later;
pub use only_first::{Once, OnceKind};
pub use pauses::{Pause, PauseOf};
pub use reached::{Reached, Slow};
pub use recording_cost::RecordingCost;
pub use spans::InSteps;
pub use stood_still::StoodStill;
pub use subject::Subject;
pub use unlike::LongestStep;
pub use verdict::{DecidedBy, Verdict, WaitsFor};
pub use verdict_parts::{PathPart, SplitPart};

use crate::Study;
use crate::base::pace::{Pace, at_once};
use crate::base::units::Nanos;
use crate::gpu::accelerators::is_of_executor_itself;
use crate::replay::Replay;
use crate::replay::change::Change;
use context::Context;
use finding::Ruling;
use std::cmp::Reverse;

/// All findings of a step.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// By saving, the largest first; then those without.
    pub rows: Vec<Finding>,
    /// The rules that could not judge this trace, each with what it lacks.
    pub not_judged: Vec<(Rule, Needs)>,
    /// Of the first findings whose changes were replayed one by one: how many they are, and what all of these changes save together, if
    /// that is less than the sum of what each saves.
    pub together: Option<(usize, Nanos)>,
}

impl Findings {
    /// The findings of what `study` shows. What saves no more than `least` is none: how much the lengths of the opened steps vary, or more.
    pub fn found(study: &Study, replay: &Replay, least: Option<Nanos>) -> Self {
        at_once(async |pace: &Pace| Self::found_paced(study, replay, least, pace).await)
    }

    /// Like `found`, but in pieces, so that the caller can do other work between them.
    pub async fn found_paced(study: &Study, replay: &Replay, least: Option<Nanos>, pace: &Pace) -> Self {
        let context = Context::of(study, replay, least);
        pace.worked(study.trace().ops().len()).await;
        let mut found = Self::default();
        for (done, rule) in (1..).zip(Rule::ALL) {
            match rules::judge(rule, &context) {
                Ruling::Found(_) if context.is_host_coarse() && needs_host(rule) => {
                    found.not_judged.push((rule, Needs::Clocks));
                }
                Ruling::Found(mut finding) => {
                    // Nobody finds anything in what an executor begins and ends with.
                    let trace = study.trace();
                    finding.evidence.retain(|&op| !is_of_executor_itself(trace, op));
                    found.rows.push(*finding);
                }
                Ruling::Lacks(needs) => found.not_judged.push((rule, needs)),
                Ruling::Nothing => {}
            }
            pace.did(done, Rule::ALL.len() as u32);
            pace.worked(study.trace().ops().len()).await;
        }
        let step = study.trace().span().length();
        let place = |rule: Rule| Rule::ALL.iter().position(|&own| own == rule);
        let weight = |own: &Finding| match own.basis {
            Basis::Replay | Basis::Measured => own.saving.unwrap_or_default(),
            Basis::Path => own.on_path,
            // Where the profiler itself takes a quarter of the time, other figures are about it, too.
            Basis::Figure if own.rule == Rule::Tracing && own.facts.time.0.saturating_mul(4) >= step.0 => {
                own.facts.time
            }
            // What has most of the path comes before what may save little of it.
            Basis::Figure
                if matches!(
                    own.facts.alone,
                    Some(Alone::OfKind(Some(_)) | Alone::OfKernels { .. } | Alone::OfGraph { .. })
                ) =>
            {
                Nanos(own.facts.time.0 / TIMES_SAVING)
            }
            // So does idle time for which nothing says why, if it is half of the step or more.
            Basis::Figure if own.rule == Rule::IdleThoughLaunched && is_half(own.facts.time, step) => {
                Nanos(own.facts.time.0 / TIMES_SAVING)
            }
            // What holes in the record hide is more than what other findings could save: it comes before them.
            Basis::Figure => own.holes().unwrap_or(Nanos(-1)),
        };
        found.rows.sort_by_key(|own| (!own.is_mostly_once(step), Reverse(weight(own)), place(own.rule)));
        let has_host = found.rows.iter().any(|own| own.rule == Rule::HostBound);
        for own in &mut found.rows {
            let is_of_host = matches!(
                own.rule,
                Rule::LaunchBound | Rule::Synchronising | Rule::Allocator | Rule::HostOpBetween
            );
            own.is_part = has_host && is_of_host;
        }
        one_per_op(&mut found.rows);
        part_first(&mut found.rows);
        cause_first(&mut found.rows);
        // It saves no time: whoever asks what would help must not hear of it first.
        if found.rows.first().is_some_and(|own| own.rule == Rule::MemoryPeak) {
            found.rows.remove(0);
        }
        found.together = together(study, replay, &found.rows);
        found
    }
}

/// Whether a rule compares what a host did with what its accelerator did, or says how long the host took.
fn needs_host(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::FirstStep
            | Rule::HostBound
            | Rule::LaunchBound
            | Rule::Synchronising
            | Rule::Allocator
            | Rule::HostOpBetween
            | Rule::IdleThoughLaunched
            | Rule::InputBound
            | Rule::TinyOps
            | Rule::FewThreads
    )
}

fn is_half(time: Nanos, whole: Nanos) -> bool {
    time.0.saturating_mul(2) >= whole.0
}

/// Nobody knows what a kind of operator could save, or what kernels wait for: it is ranked as if it saved this part of its time, as its divisor.
const TIMES_SAVING: i64 = 3;

/// An op of a host that computes there is one finding: where it is what the GPU waits for, that one says it.
fn one_per_op(rows: &mut Vec<Finding>) {
    let named =
        rows.iter().find(|own| own.rule == Rule::HostBound).and_then(|own| own.evidence.first().copied());
    rows.retain(|own| {
        own.facts.alone != Some(Alone::OnHost) || named.is_none_or(|op| own.evidence.first() != Some(&op))
    });
}

/// A part of the time in which a GPU waits for its host comes before all of it, if it is half of it: it says more.
fn part_first(rows: &mut [Finding]) {
    let Some(host) = rows.iter().position(|own| own.rule == Rule::HostBound) else { return };
    let saving = |own: &Finding| own.saving.map_or(0, |own| i128::from(own.0));
    let is_half = |own: &Finding| own.is_part && saving(own) * 2 >= saving(&rows[host]);
    if let Some(part) = rows[host..].iter().position(is_half) {
        rows[host..=host + part].rotate_right(1);
    }
}

/// A rule that names the transfers to change comes before `exposed-transfers`, if it saves at least half as much: no network takes no time.
fn cause_first(rows: &mut [Finding]) {
    let Some(all) = rows.iter().position(|own| own.rule == Rule::ExposedTransfers) else { return };
    let saving = |own: &Finding| own.saving.map_or(0, |own| i128::from(own.0));
    let is_half = |own: &Finding| {
        matches!(own.rule, Rule::TransfersToMerge | Rule::TransferOrder | Rule::UnevenServers)
            && own.basis == rows[all].basis
            && saving(own) * 2 >= saving(&rows[all])
    };
    if let Some(cause) = rows[all..].iter().position(is_half) {
        rows[all..=all + cause].rotate_right(1);
    }
}

/// The most findings that are replayed together.
const MOST_TOGETHER: usize = 3;

/// What the changes of the first findings save together, if that is less than their sum: where one of them no longer helps after
/// another, a sum would promise too much.
fn together(study: &Study, replay: &Replay, rows: &[Finding]) -> Option<(usize, Nanos)> {
    let replayed = rows.iter().take_while(|own| own.basis == Basis::Replay && own.change.is_some());
    let first: Vec<&Finding> = replayed.take(MOST_TOGETHER).collect();
    if first.len() < 2 {
        return None;
    }
    let changes: Vec<Change> = first.iter().filter_map(|own| own.change.clone()).collect();
    let scenario = replay.scenario(study, &changes).ok()?;
    let saving = replay.unchanged().length() - replay.run(&scenario).length();
    let sum = first.iter().filter_map(|own| own.saving).fold(Nanos(0), |sum, own| sum + own);
    (saving < sum).then_some((first.len(), saving))
}
