//! What every rule needs of a step, computed once.

use super::finding::{Basis, Facts, Finding, LEAST_SHARE_PPM, MOST_EVIDENCE, Needs, Rule, Ruling};
use super::framework::Framework;
use super::only_first::Shown;
use crate::base::units::{Interval, Nanos};
use crate::causality::observed::SegmentKind;
use crate::causality::spent::{Spending, Spent, waits_for_gpu};
use crate::clocks::Why;
use crate::collectives::Collectives;
use crate::gpu::accelerators::accelerators;
use crate::gpu::overhead::counted_ranges;
use crate::makers::Makers;
use crate::replay::change::Change;
use crate::replay::schedule::Schedule;
use crate::replay::{Replay, Scenario};
use crate::scheduling::host_idle::{HostIdle, host_idle_within, least_waiting};
use crate::steps::rule::Apart;
use crate::storage::busy::Busy;
use crate::{Category, OpId, Study};
use std::cell::OnceCell;
use std::ops::Deref;

/// A step with its replay.
pub(super) struct Context<'a> {
    shown: Shown<'a>,
    pub(super) replay: &'a Replay,
    pub(super) makers: Makers,
    /// A saving must be more than this.
    pub(super) least: Nanos,
    /// Whether times of different tasks can be compared.
    pub(super) compares: bool,
    /// Whether the replay is near enough to the recording.
    pub(super) predicts: bool,
    /// Whether it understands too little of the recording for a prediction: then times on the path say more, where a rule knows them.
    is_frozen: bool,
    by_kind: [Nanos; SegmentKind::ALL.len()],
    spending: Spending,
    hosts: OnceCell<Vec<HostIdle>>,
    collectives: OnceCell<Collectives>,
    counted: OnceCell<bool>,
}

impl<'a> Deref for Context<'a> {
    type Target = Shown<'a>;

    fn deref(&self) -> &Shown<'a> {
        &self.shown
    }
}

impl<'a> Context<'a> {
    pub(super) fn of(study: &'a Study, replay: &'a Replay, least: Option<Nanos>) -> Self {
        let share = least_of(study.trace().span().length());
        let compares = study.clock_doubt().is_none();
        Self {
            shown: Shown::of(study),
            replay,
            makers: Makers::found(study.edges()),
            least: share.max(least.unwrap_or_default()),
            compares,
            predicts: replay.error().may_predict() && compares,
            is_frozen: !replay.may_predict(study),
            by_kind: study.causes().observed.by_kind(),
            spending: Spending::of(study.trace(), false),
            hosts: OnceCell::new(),
            collectives: OnceCell::new(),
            counted: OnceCell::new(),
        }
    }

    /// Whether the clock of the host counts in long ticks: what it did has no place between what its accelerator did.
    pub(super) fn is_host_coarse(&self) -> bool {
        self.study.clock_doubt().is_some_and(|own| own.why == Why::CoarseHost)
    }

    /// Whether a profiler collected counters, so that times are not those of the program.
    pub(super) fn is_counted(&self) -> bool {
        *self.counted.get_or_init(|| !counted_ranges(self.trace()).is_empty())
    }

    /// The idle time of each GPU that its host causes.
    pub(super) fn hosts(&self) -> &[HostIdle] {
        self.hosts.get_or_init(|| {
            let steps = self.steps_apart();
            host_idle_within(self.study.edges(), self.study.kernels(), steps.as_ref())
        })
    }

    /// When steps ran that have nothing to do with the time between them: far apart, or each a run of a graph that a loop of Python asks for.
    fn steps_apart(&self) -> Option<Busy> {
        let study = self.study;
        let is_loop = Framework::of_trace(self.trace()) == Framework::Graphs;
        if study.view().step.is_some() || study.steps() < 2 || !(is_loop || study.apart() == Some(Apart::Far))
        {
            return None;
        }
        let rows = self.steps.steps().rows().iter().filter(|row| row.ops > 0 && !row.is_before);
        let mut spans: Vec<Interval> = rows.map(|row| row.span).collect();
        spans.sort_unstable_by_key(|own| (own.start, own.end));
        Some(Busy::of(spans.into_iter()))
    }

    /// The GPU whose host keeps it waiting least.
    pub(super) fn host(&self) -> Option<&HostIdle> {
        least_waiting(self.hosts())
    }

    /// What lacks where no host is known to keep a GPU waiting.
    pub(super) fn lacks_host(&self) -> Ruling {
        let has_work = self.trace().calls().is_empty() && !accelerators(self.trace()).is_empty();
        Ruling::Lacks(if has_work { Needs::Launches } else { Needs::Gpu })
    }

    /// Whether what ran before the first marked step is shown, too, and `step` is that.
    pub(super) fn is_before(&self, step: usize) -> bool {
        self.study.has_before()
            && self.study.view().step.is_none()
            && self.steps.steps().rows().get(step).is_some_and(|row| row.is_before && !row.runs_other_graph)
    }

    /// How long no compute hides communication: of marked steps, without what ran before them.
    pub(super) fn exposed_communication(&self) -> Nanos {
        let exposed = |span| self.study.step_split(span).exposed_communication;
        let span = self.trace().span();
        let rows = || self.steps.steps().rows().iter().enumerate();
        if !rows().any(|(row, _)| self.is_before(row)) {
            return exposed(span);
        }
        let steps = rows().filter(|&(row, step)| !self.is_before(row) && step.ops > 0);
        steps.fold(Nanos(0), |sum, (_, step)| sum + exposed(step.span.clamp_to(span))).min(exposed(span))
    }

    pub(super) fn collectives(&self) -> &Collectives {
        self.collectives.get_or_init(|| {
            let mut found = self.study.collectives();
            found.rows.retain(|own| !self.is_before(own.step));
            found
        })
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

    /// The most that a change can save which leaves the work of accelerators as it is, except that work of `category` takes no time:
    /// how long the busiest of them does nothing else. Without accelerators it is the whole step.
    pub(super) fn most_without(&self, category: Option<Category>) -> Nanos {
        let span = self.trace().span();
        if !crate::gpu::accelerators::has_any(self.trace()) {
            return span.length();
        }
        let left = self.study.bar().iter().map(|coverage| {
            let split = coverage.split(span);
            split.idle + category.map_or(Nanos(0), |category| split.part(category))
        });
        left.min().unwrap_or(span.length())
    }

    /// The ruling for a rule that replays the step with `scenario`. Without a replay that is near enough, the ruling is by `on_path`,
    /// if the rule knows it.
    pub(super) fn judge(&self, rule: Rule, on_path: Nanos, with: With<'_>) -> Ruling {
        let With { facts, evidence, change, scenario, most } = with;
        let mut finding = Finding {
            rule,
            saving: None,
            range: None,
            on_path,
            basis: Basis::Path,
            facts,
            evidence: evidence.into_iter().take(MOST_EVIDENCE).collect(),
            change,
            is_part: false,
            after: None,
            denied: None,
        };
        if !self.compares {
            return Ruling::Lacks(Needs::Clocks);
        }
        if !self.predicts || self.is_frozen && on_path > Nanos(0) {
            finding.change = None;
            return match on_path {
                Nanos(0) => Ruling::Lacks(Needs::Replay),
                on_path if on_path > self.least => Ruling::Found(Box::new(finding)),
                _ => Ruling::Nothing,
            };
        }
        let after = self.replay.run(&scenario());
        let error = self.replay.error().difference();
        let replayed = self.replay.unchanged().length() - after.length();
        let saving = replayed.min(most.unwrap_or(replayed));
        if saving <= self.least.max(error) {
            return Ruling::Nothing;
        }
        (finding.saving, finding.basis) = (Some(saving), Basis::Replay);
        let most = most.unwrap_or(self.trace().span().length());
        let high = (replayed + error).min(most);
        finding.range = Some((saving - error, high.max(saving)));
        finding.after = self.mostly(&after);
        Ruling::Found(Box::new(finding))
    }

    /// The ruling for a change that [`Change`] can say; nothing in the trace that it meets is no finding.
    pub(super) fn judge_change(
        &self,
        rule: Rule,
        on_path: Nanos,
        facts: Facts,
        evidence: Vec<OpId>,
        change: Change,
    ) -> Ruling {
        self.judge_change_within(rule, on_path, facts, evidence, change, None)
    }

    /// The same, where no more than `most` can be saved.
    pub(super) fn judge_change_within(
        &self,
        rule: Rule,
        on_path: Nanos,
        facts: Facts,
        evidence: Vec<OpId>,
        change: Change,
        most: Option<Nanos>,
    ) -> Ruling {
        let Ok(scenario) = self.replay.scenario(self.study, std::slice::from_ref(&change)) else {
            return Ruling::Nothing;
        };
        let scenario = || scenario.clone();
        self.judge(rule, on_path, With { facts, evidence, change: Some(change), scenario: &scenario, most })
    }

    fn mostly(&self, after: &Schedule) -> Option<(Spent, Nanos)> {
        let path = after.path(self.study, self.replay);
        let segments = path.iter().map(|own| (own.kind, own.op, own.end - own.start));
        self.spending.sums(self.trace(), segments).first().copied()
    }

    /// What a replay with `change` saves, if it is near enough to the recording.
    fn replayed(&self, change: &Change) -> Option<Nanos> {
        let may = self.predicts && !self.is_frozen;
        let scenario = may.then(|| self.replay.scenario(self.study, std::slice::from_ref(change)).ok());
        Some(self.replay.unchanged().length() - self.replay.run(&scenario??).length())
    }

    /// The ruling for a measured time, which is the most that can be saved. It names `change` only if a replay with it saves half of that.
    pub(super) fn measured(
        &self,
        rule: Rule,
        time: Nanos,
        facts: Facts,
        evidence: Vec<OpId>,
        change: Option<Change>,
    ) -> Ruling {
        if time <= self.least {
            return Ruling::Nothing;
        }
        let change = change.filter(|change| self.replayed(change).is_some_and(|saved| is_half(saved, time)));
        Ruling::Found(Box::new(Finding {
            rule,
            saving: Some(time),
            range: Some((Nanos(0), time)),
            on_path: Nanos(0),
            basis: Basis::Measured,
            facts,
            evidence: evidence.into_iter().take(MOST_EVIDENCE).collect(),
            change,
            is_part: false,
            after: None,
            denied: None,
        }))
    }

    /// The ruling for `time` in which accelerators only communicated. If a replay without communication saves less than half of it, the finding says
    /// what the replay saves. It does not where hosts wait for long: a replay keeps their calls as long as they were.
    pub(super) fn exposed(&self, rule: Rule, time: Nanos, facts: Facts, evidence: Vec<OpId>) -> Ruling {
        let change = Change::Category { category: Category::Communication, factor: 0.0 };
        let is_denied = |saved: Nanos| !is_half(saved, time) && !is_half(self.waited(), time - saved);
        let denying = self.replayed(&change).filter(|&saved| is_denied(saved));
        let ruling = self.measured(rule, time, facts, evidence, Some(change).filter(|_| denying.is_none()));
        match (ruling, denying) {
            (Ruling::Found(own), Some(saved)) => {
                let (saving, range) = (Some(saved.max(Nanos(0))), Some((Nanos(0), time)));
                Ruling::Found(Box::new(Finding { saving, range, denied: Some(time), ..*own }))
            }
            (ruling, _) => ruling,
        }
    }

    /// How long calls of a driver waited.
    fn waited(&self) -> Nanos {
        let trace = self.trace();
        let waits = trace.ops().ids().take(trace.counted_ops()).filter(|&op| waits_for_gpu(trace, op));
        waits.fold(Nanos(0), |sum, op| sum + trace.ops().interval(op).length())
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
    /// No more can be saved than this, whatever the replay says.
    pub(super) most: Option<Nanos>,
}

/// A finding that is ranked by its time on the observed path, and promises nothing.
pub(super) fn by_path(rule: Rule, on_path: Nanos, facts: Facts, evidence: Vec<OpId>) -> Ruling {
    unsaved(Basis::Path, rule, on_path, facts, evidence)
}

/// A finding without a saving.
pub(super) fn figure(rule: Rule, on_path: Nanos, facts: Facts, evidence: Vec<OpId>) -> Ruling {
    unsaved(Basis::Figure, rule, on_path, facts, evidence)
}

fn unsaved(basis: Basis, rule: Rule, on_path: Nanos, facts: Facts, evidence: Vec<OpId>) -> Ruling {
    Ruling::Found(Box::new(Finding {
        rule,
        saving: None,
        range: None,
        on_path,
        basis,
        facts,
        evidence: evidence.into_iter().take(MOST_EVIDENCE).collect(),
        change: None,
        is_part: false,
        after: None,
        denied: None,
    }))
}

fn is_half(saved: Nanos, time: Nanos) -> bool {
    saved.0.saturating_mul(2) >= time.0
}

/// The part of `length` that a finding has at least.
pub(super) fn least_of(length: Nanos) -> Nanos {
    Nanos((i128::from(length.0) * i128::from(LEAST_SHARE_PPM) / 1_000_000) as i64)
}
