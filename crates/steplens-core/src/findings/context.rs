//! What every rule needs of a step, computed once.

use super::finding::{Basis, Facts, Finding, LEAST_SHARE_PPM, MOST_EVIDENCE, Needs, Rule, Verdict};
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::makers::Makers;
use crate::replay::change::Change;
use crate::replay::schedule::Schedule;
use crate::replay::{Replay, Scenario};
use crate::study::step_of_op::StepOfOp;
use crate::{Category, OpId, Study, Trace};

/// A step with its replay.
pub(super) struct Context<'a> {
    pub(super) study: &'a Study,
    pub(super) replay: &'a Replay,
    pub(super) makers: Makers,
    pub(super) steps: StepOfOp,
    /// A saving must be more than this.
    pub(super) least: Nanos,
    /// Whether times of different tasks can be compared.
    pub(super) compares: bool,
    /// Whether the replay is near enough to the recording.
    pub(super) predicts: bool,
    by_kind: [Nanos; SegmentKind::ALL.len()],
}

impl<'a> Context<'a> {
    pub(super) fn of(study: &'a Study, replay: &'a Replay, variation: Option<Nanos>) -> Self {
        let span = study.trace().span().length();
        let share = Nanos((i128::from(span.0) * i128::from(LEAST_SHARE_PPM) / 1_000_000) as i64);
        let compares = study.clock_doubt().is_none();
        Self {
            study,
            replay,
            makers: Makers::found(study.edges()),
            steps: StepOfOp::indexed(study),
            least: share.max(replay.error().difference()).max(variation.unwrap_or_default()),
            compares,
            predicts: replay.error().may_predict() && compares,
            by_kind: study.causes().observed.by_kind(),
        }
    }

    pub(super) fn trace(&self) -> &'a Trace {
        self.study.trace()
    }

    /// The time of these kinds on the observed path; 0 where times of tasks cannot be compared.
    pub(super) fn on_path(&self, kinds: &[SegmentKind]) -> Nanos {
        if !self.compares {
            return Nanos(0);
        }
        kinds.iter().map(|&kind| self.by_kind[kind as usize]).fold(Nanos(0), |sum, own| sum + own)
    }

    /// The ops of the longest segments of these kinds on the observed path.
    pub(super) fn longest_on_path(&self, is_it: impl Fn(SegmentKind, OpId) -> bool) -> Vec<OpId> {
        let segments = self.study.causes().observed.segments.iter();
        let mut found: Vec<(i64, OpId)> = segments
            .filter(|own| is_it(own.kind, own.op))
            .map(|own| (own.interval.length().0, own.op))
            .collect();
        found.sort_by_key(|&(length, op)| (std::cmp::Reverse(length), op));
        let mut ops: Vec<OpId> = Vec::new();
        for (_, op) in found {
            if ops.len() == MOST_EVIDENCE {
                break;
            }
            if !ops.contains(&op) {
                ops.push(op);
            }
        }
        ops
    }

    /// The verdict for a rule that replays the step with `scenario`. Without a replay that is near enough, the verdict is by
    /// `on_path`, if the rule knows it.
    pub(super) fn judge(&self, rule: Rule, on_path: Nanos, with: With<'_>) -> Verdict {
        let With { facts, evidence, change, scenario } = with;
        let mut finding = Finding {
            rule,
            saving: None,
            on_path,
            basis: Basis::Path,
            facts,
            evidence: evidence.into_iter().take(MOST_EVIDENCE).collect(),
            change,
            after: None,
        };
        if !self.compares {
            return Verdict::Lacks(Needs::Clocks);
        }
        if !self.predicts {
            return match on_path {
                Nanos(0) => Verdict::Lacks(Needs::Replay),
                on_path if on_path > self.least => Verdict::Found(Box::new(finding)),
                _ => Verdict::Nothing,
            };
        }
        let after = self.replay.run(&scenario());
        let saving = self.replay.unchanged().length() - after.length();
        if saving <= self.least {
            return Verdict::Nothing;
        }
        (finding.saving, finding.basis) = (Some(saving), Basis::Replay);
        finding.after = self.mostly(&after);
        Verdict::Found(Box::new(finding))
    }

    /// The verdict for a change that [`Change`] can say; nothing in the trace that it meets is no finding.
    pub(super) fn judge_change(
        &self,
        rule: Rule,
        on_path: Nanos,
        facts: Facts,
        evidence: Vec<OpId>,
        change: Change,
    ) -> Verdict {
        let Ok(scenario) = self.replay.scenario(self.study, std::slice::from_ref(&change)) else {
            return Verdict::Nothing;
        };
        self.judge(
            rule,
            on_path,
            With { facts, evidence, change: Some(change), scenario: &|| scenario.clone() },
        )
    }

    fn mostly(&self, after: &Schedule) -> Option<(SegmentKind, Nanos)> {
        let sums = Schedule::by_kind(&after.path(self.study, self.replay));
        let kinds = SegmentKind::ALL.into_iter().zip(sums);
        kinds.max_by_key(|&(_, length)| length).filter(|&(_, length)| length > Nanos(0))
    }

    /// Whether any op that took time is of `category`.
    pub(super) fn has(&self, category: Category) -> bool {
        let trace = self.trace();
        let nodes = trace.nodes();
        nodes.ids().any(|node| nodes.category(node) == category && !nodes.is_range(node))
    }
}

/// What a rule knows before the step is replayed.
pub(super) struct With<'a> {
    pub(super) facts: Facts,
    pub(super) evidence: Vec<OpId>,
    pub(super) change: Option<Change>,
    pub(super) scenario: &'a dyn Fn() -> Scenario,
}

/// A finding without a saving.
pub(super) fn figure(rule: Rule, on_path: Nanos, facts: Facts, evidence: Vec<OpId>) -> Verdict {
    Verdict::Found(Box::new(Finding {
        rule,
        saving: None,
        on_path,
        basis: Basis::Figure,
        facts,
        evidence: evidence.into_iter().take(MOST_EVIDENCE).collect(),
        change: None,
        after: None,
    }))
}
