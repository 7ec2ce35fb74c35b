//! Findings: what is worth changing in a step, ranked by the time that the change would save. From the replay, the critical path,
//! stragglers, memory and clocks. For the row above the timeline, the tab Findings, `steplens findings` and `steplens summary`.
//!
//! | module | what it has |
//! |---|---|
//! | [`finding`] | what a finding is, and what a rule may say |
//! | [`context`] | what every rule needs, computed once |
//! | [`framework`] | which framework wrote the trace: its words are used for advice |
//! | [`rules`] | the rules, one file each |
//!
//! A rule that can say how much time would be saved replays the step with its change. It is a finding if the saving is more than
//! the error of the replay, more than steps vary, and at least [`LEAST_SHARE_PPM`] of the step. Where the replay is too far from the
//! recording, such rules are ranked by their time on the observed path. `docs/findings.md` has each rule with its formula and source.

mod context;
mod finding;
pub mod framework;
mod rules;

pub use finding::{Basis, Facts, Finding, LEAST_SHARE_PPM, MOST_EVIDENCE, Needs, Rule};

use crate::Study;
use crate::base::pace::{Pace, at_once};
use crate::base::units::Nanos;
use crate::replay::Replay;
use context::Context;
use finding::Verdict;
use std::cmp::Reverse;

/// All findings of a step.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// By saving, the largest first; then those without.
    pub rows: Vec<Finding>,
    /// The rules that could not judge this trace, each with what it lacks.
    pub not_judged: Vec<(Rule, Needs)>,
}

impl Findings {
    /// The findings of what `study` shows. `variation` is how much the lengths of the opened steps vary, `recorded_steps` how many
    /// steps were opened.
    pub fn found(study: &Study, replay: &Replay, variation: Option<Nanos>) -> Self {
        at_once(async |pace: &Pace| Self::found_paced(study, replay, variation, pace).await)
    }

    /// Like `found`, but in pieces, so that the caller can do other work between them.
    pub async fn found_paced(study: &Study, replay: &Replay, variation: Option<Nanos>, pace: &Pace) -> Self {
        let context = Context::of(study, replay, variation);
        pace.worked(study.trace().ops().len()).await;
        let mut found = Self::default();
        for (done, rule) in (1..).zip(Rule::ALL) {
            match rules::judge(rule, &context) {
                Verdict::Found(finding) => found.rows.push(*finding),
                Verdict::Lacks(needs) => found.not_judged.push((rule, needs)),
                Verdict::Nothing => {}
            }
            pace.did(done, Rule::ALL.len() as u32);
            pace.worked(study.trace().ops().len()).await;
        }
        let place = |rule: Rule| Rule::ALL.iter().position(|&own| own == rule);
        let weight = |own: &Finding| match own.basis {
            Basis::Replay => own.saving.unwrap_or_default(),
            Basis::Path => own.on_path,
            Basis::Figure => Nanos(-1),
        };
        found.rows.sort_by_key(|own| (Reverse(weight(own)), place(own.rule)));
        found
    }
}
