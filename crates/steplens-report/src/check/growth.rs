//! What may grow besides the length of steps: the time of op types, exposed communication, transfers, memory, and findings. Each has a
//! limit of its own, and fails if it is above it and differs by more than it varies.

use crate::compare::OpTypeOverSteps;
use crate::figures::{bytes, duration, share};
use serde::Serialize;
use steplens_core::compare::significance::{LEAST_STEPS, Sample, probability, significant};
use steplens_core::compare::step_use::StepUse;
use steplens_messages::say;

/// How much may grow; `None` for no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct GrowthLimits {
    /// The time of an op type in a step, as a part of the baseline's step.
    pub op_type: Option<f64>,
    /// The exposed communication of a step, as a part of the baseline's step.
    pub exposed_communication: Option<f64>,
    /// The bytes that a step transfers, as a part of the baseline's.
    pub transfers: Option<f64>,
    /// The peak of memory, as a part of the baseline's.
    pub memory: Option<f64>,
    /// How many findings may be new.
    pub new_findings: Option<u64>,
}

/// Whether one thing grew by more than it may.
#[derive(Serialize)]
pub struct GrowthRow {
    /// The option that sets the limit: `max-op-type-growth`, `max-exposed-growth`, `max-transfer-growth`, `max-memory-growth` or
    /// `max-new-findings`.
    pub limit: &'static str,
    /// `within` or `over` the limit; `not-judged` where steps or figures are missing, and `not-recorded` where neither trace has any
    /// figure; `no-limit` where no limit was set.
    pub verdict: &'static str,
    /// What grew and by how much, as a sentence.
    pub sentence: String,
    /// The most that is allowed, as a part or a number; null where no limit was set.
    pub most_allowed: Option<f64>,
    /// How much it grew, as a part or a number; null where nothing can be divided.
    pub growth: Option<f64>,
    /// How likely values as different are by chance; null with too few steps, and for findings.
    pub probability: Option<f64>,
}

impl GrowthRow {
    /// Whether a limit was set.
    pub fn has_limit(&self) -> bool {
        self.most_allowed.is_some()
    }

    /// Whether it keeps its limit. What neither trace recorded cannot have grown; what only one has, nobody knows.
    pub fn is_kept(&self) -> bool {
        matches!(self.verdict, "within" | "not-recorded")
    }
}

/// What is compared: the steps of the baseline, and those of today.
pub(super) struct Growth<'a> {
    /// The median length of the baseline's steps; null without any.
    pub(super) step_ns: Option<i64>,
    /// The op types of both.
    pub(super) op_types: &'a [OpTypeOverSteps<'a>],
    /// What the steps of the baseline used; `None` if it does not keep that.
    pub(super) before: Option<StepUse>,
    /// What the steps of today use.
    pub(super) now: &'a StepUse,
    /// How many findings are new.
    pub(super) new_findings: usize,
}

impl Growth<'_> {
    /// Judges everything by `limits`.
    pub(super) fn judged(&self, limits: GrowthLimits) -> Vec<GrowthRow> {
        let before = self.before.as_ref();
        let all = |of: fn(&StepUse) -> &[i64]| (before.map(of), of(self.now));
        let exposed = all(|own| &own.exposed_ns);
        let transfers = all(|own| &own.transferred_bytes);
        let memory = all(|own| &own.peak_bytes);
        let used = [exposed, transfers, memory];
        let chances = used.map(|(before, now)| before.and_then(|before| probability(before, now)));
        let is_significant = significant(&chances);
        let of = |row: usize, limit, allowed, whole, unit: Unit| {
            let (before, now) = used[row];
            let is = is_significant.get(row).copied().unwrap_or(false);
            grown(limit, allowed, unit, whole, [before, Some(now)], (chances[row], is))
        };
        vec![
            self.op_type(limits.op_type),
            of(0, "max-exposed-growth", limits.exposed_communication, self.step_ns, Unit::Exposed),
            of(1, "max-transfer-growth", limits.transfers, None, Unit::Transferred),
            of(2, "max-memory-growth", limits.memory, None, Unit::Memory),
            self.findings(limits.new_findings),
        ]
    }

    /// The op type that grew most, of those that differ significantly.
    fn op_type(&self, most_allowed: Option<f64>) -> GrowthRow {
        let limit = "max-op-type-growth";
        let median = |own: &Option<crate::compare::SampleRow>| own.as_ref().map(|own| own.median_ns);
        let judged = self.op_types.iter().any(|own| own.probability.is_some());
        let grown = self.op_types.iter().filter(|own| own.significant);
        let most =
            grown.max_by_key(|own| own.difference_ns.unwrap_or(0)).filter(|own| own.difference_ns > Some(0));
        let Some(most) = most.filter(|_| judged) else {
            let (verdict, sentence) = match judged {
                true => (verdict_of(most_allowed, false), say!("check-no-op-type-grew").to_owned()),
                false => (not_judged(most_allowed), say!("check-op-types-not-judged", least = LEAST_STEPS)),
            };
            let growth = judged.then_some(0.0);
            return GrowthRow { limit, verdict, sentence, most_allowed, growth, probability: None };
        };
        let difference = most.difference_ns.unwrap_or(0);
        let growth = self.step_ns.filter(|&step| step > 0).map(|step| difference as f64 / step as f64);
        let [a, b] = [&most.a, &most.b].map(|own| duration(median(own).unwrap_or(0)));
        let op_type = crate::names::visible(most.op_type).into_owned();
        let said = say!("check-op-type-grew", op_type, difference = duration(difference), a, b);
        let is_over = growth.zip(most_allowed).is_some_and(|(growth, most)| growth > most);
        GrowthRow {
            limit,
            verdict: verdict_of(most_allowed, is_over),
            sentence: with_allowed(said, is_over, most_allowed.map(of_step)),
            most_allowed,
            growth,
            probability: most.probability,
        }
    }

    fn findings(&self, most: Option<u64>) -> GrowthRow {
        let is_over = most.is_some_and(|most| self.new_findings as u64 > most);
        let said = say!("check-findings-grew", count = self.new_findings);
        GrowthRow {
            limit: "max-new-findings",
            verdict: verdict_of(most.map(|most| most as f64), is_over),
            sentence: with_allowed(said, is_over, most.map(|most| most.to_string())),
            most_allowed: most.map(|most| most as f64),
            growth: Some(self.new_findings as f64),
            probability: None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Exposed,
    Transferred,
    Memory,
}

impl Unit {
    fn said(self, value: i64) -> String {
        match self {
            Self::Exposed => duration(value),
            Self::Transferred | Self::Memory => bytes(value.unsigned_abs()),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Exposed => say!("check-what-exposed"),
            Self::Transferred => say!("check-what-transferred"),
            Self::Memory => say!("check-what-memory"),
        }
    }
}

/// Judges figures of steps. They are parts of `whole`, or of the baseline's median.
fn grown(
    limit: &'static str,
    most_allowed: Option<f64>,
    unit: Unit,
    whole: Option<i64>,
    values: [Option<&[i64]>; 2],
    (probability, is_significant): (Option<f64>, bool),
) -> GrowthRow {
    let what = unit.words();
    let none = |sentence: String| GrowthRow {
        limit,
        verdict: not_judged(most_allowed),
        sentence,
        most_allowed,
        growth: None,
        probability,
    };
    let [Some(before), Some(now)] = values else { return none(say!("check-not-kept", what)) };
    let [Some(a), Some(b)] = [before, now].map(Sample::of) else {
        let row = none(say!("check-not-recorded", what));
        let is_in_none = before.is_empty() && now.is_empty() && most_allowed.is_some();
        return GrowthRow { verdict: if is_in_none { "not-recorded" } else { row.verdict }, ..row };
    };
    let difference = b.median.0.saturating_sub(a.median.0);
    let whole = whole.unwrap_or(a.median.0);
    // What there was nothing of before is more than any part of it.
    let growth = (whole > 0).then(|| difference as f64 / whole as f64);
    let (of_a, of_b) = (unit.said(a.median.0), unit.said(b.median.0));
    if probability.is_none() {
        return none(say!("check-too-few", what, least = LEAST_STEPS, a = of_a, b = of_b));
    }
    let is_above = most_allowed.is_some_and(|most| growth.map_or(difference > 0, |growth| growth > most));
    let is_over = is_above && is_significant;
    let by = unit.said(difference.saturating_abs());
    let said = match (difference, is_significant) {
        (0, _) => say!("check-same", what, a = of_a),
        (_, false) => say!("check-only-varies", what, a = of_a, b = of_b),
        (1.., _) => say!("check-more", what, by, a = of_a, b = of_b),
        _ => say!("check-less", what, by, a = of_a, b = of_b),
    };
    let allowed = most_allowed.map(|most| if unit == Unit::Exposed { of_step(most) } else { percent(most) });
    GrowthRow {
        limit,
        verdict: verdict_of(most_allowed, is_over),
        sentence: with_allowed(said, is_over, allowed),
        most_allowed,
        growth,
        probability,
    }
}

fn percent(part: f64) -> String {
    share((part * 1e6) as i64, 1_000_000)
}

fn of_step(part: f64) -> String {
    say!("check-of-step", share = percent(part))
}

fn with_allowed(said: String, is_over: bool, allowed: Option<String>) -> String {
    match allowed.filter(|_| is_over) {
        Some(allowed) => format!("{said} {}", say!("check-allowed", allowed)),
        None => said,
    }
}

fn verdict_of(most_allowed: Option<f64>, is_over: bool) -> &'static str {
    match (most_allowed, is_over) {
        (None, _) => "no-limit",
        (Some(_), true) => "over",
        (Some(_), false) => "within",
    }
}

fn not_judged(most_allowed: Option<f64>) -> &'static str {
    if most_allowed.is_some() { "not-judged" } else { "no-limit" }
}
