//! Whether steps take longer than those of a baseline: by more than is allowed, and by more than they vary.

use super::growth::{Growth, GrowthLimits, GrowthRow};
use super::past::Past;
use crate::compare::{BarRow, Compare, OpTypeOverSteps, ReasonRow, SampleRow};
use crate::figures::{duration, share};
use crate::findings::FindingList;
use serde::Serialize;
use steplens_core::compare::significance::LEAST_STEPS;
use steplens_core::compare::step_use::StepUse;
use steplens_messages::say;

/// The most findings that are named.
const MOST_FINDINGS: usize = 3;

/// How steps (B) compare with those of a baseline (A).
#[derive(Serialize)]
pub struct Regression<'a> {
    /// `within` or `over` the limit; `not-judged` with too few steps on a side.
    pub verdict: &'static str,
    /// The verdict as a sentence.
    pub sentence: String,
    /// How much longer the median may be, as a part of the baseline's.
    pub most_allowed: f64,
    /// How much longer the median is, as a part of the baseline's; negative if it is shorter. Null where nothing can be divided.
    pub growth: Option<f64>,
    /// The lengths of the baseline's steps.
    pub a: Option<SampleRow>,
    /// The lengths of the steps that are checked.
    pub b: Option<SampleRow>,
    /// How likely lengths as different are by chance; null with too few steps.
    pub probability: Option<f64>,
    /// Why times cannot be compared as they are; empty if they can.
    pub not_comparable: Vec<ReasonRow>,
    /// By how much the step with the median length takes longer than that of the baseline.
    pub difference_ns: i64,
    /// Where that comes from; the bars add up to it.
    pub waterfall: Vec<BarRow<'a>>,
    /// The op types whose time differs significantly.
    pub op_types: Vec<OpTypeOverSteps<'a>>,
    /// What else grew, each with its limit: op types, exposed communication, transfers, memory and findings.
    pub growths: Vec<GrowthRow>,
    /// What would help now, and would not have helped in the baseline: at most three.
    pub new_findings: Vec<NewFinding>,
}

/// A finding that the baseline does not have.
#[derive(Serialize)]
pub struct NewFinding {
    /// The rule that found it.
    pub rule: &'static str,
    /// What was found, what it costs, and what the step waits for afterwards.
    pub sentence: String,
    /// What to do about it.
    pub advice: String,
    /// How much shorter the step would be; null where nothing was replayed.
    pub saving_ns: Option<i64>,
}

impl<'a> Regression<'a> {
    /// Judges `compared`, whose A is the baseline. `growth` above `most_allowed` is over the limit if the steps differ by more than
    /// they vary. `past` is what the baseline keeps of its findings, `now` are those of today.
    pub fn judged(
        compared: Compare<'a>,
        (most_allowed, limits): (f64, GrowthLimits),
        (past, used): (&Past, &StepUse),
        now: &FindingList<'_>,
    ) -> Self {
        let steps = compared.steps;
        let all_new = now.findings.iter().filter(|row| past.lacks(row.found()));
        let growths = Growth {
            step_ns: steps.a.as_ref().map(|own| own.median_ns),
            op_types: &steps.op_types,
            before: past.step_use(),
            now: used,
            new_findings: all_new.clone().count(),
        }
        .judged(limits);
        let growth = steps.a.as_ref().zip(steps.b.as_ref()).and_then(|(a, b)| {
            (a.median_ns > 0).then(|| (b.median_ns - a.median_ns) as f64 / a.median_ns as f64)
        });
        let is_over = growth.is_some_and(|growth| growth > most_allowed);
        let verdict = match steps.probability {
            None => "not-judged",
            Some(_) if steps.significant && is_over => "over",
            Some(_) => "within",
        };
        let new = all_new.take(MOST_FINDINGS).map(|row| NewFinding {
            rule: row.rule,
            sentence: row.sentence.clone(),
            advice: row.advice.clone(),
            saving_ns: row.saving_ns,
        });
        let sentence = sentence(verdict, &steps.a, &steps.b, steps.significant, most_allowed);
        Self {
            verdict,
            sentence,
            most_allowed,
            growth,
            a: steps.a,
            b: steps.b,
            probability: steps.probability,
            not_comparable: compared.not_comparable,
            difference_ns: compared.difference_ns,
            waterfall: compared.waterfall,
            op_types: steps.op_types.into_iter().filter(|own| own.significant).collect(),
            growths,
            new_findings: new.collect(),
        }
    }

    /// Whether the steps keep the limit. Steps that could not be judged do not.
    pub fn is_passed(&self) -> bool {
        self.verdict == "within" && self.with_limit().all(GrowthRow::is_kept)
    }

    /// Whether any limit is exceeded.
    pub fn is_over(&self) -> bool {
        self.verdict == "over" || self.with_limit().any(|row| row.verdict == "over")
    }

    /// What has a limit besides the length of steps.
    pub fn with_limit(&self) -> impl Iterator<Item = &GrowthRow> {
        self.growths.iter().filter(|row| row.has_limit())
    }
}

fn sentence(
    verdict: &str,
    a: &Option<SampleRow>,
    b: &Option<SampleRow>,
    is_significant: bool,
    most_allowed: f64,
) -> String {
    let count = |own: &Option<SampleRow>| own.as_ref().map_or(0, |own| own.steps);
    let (count_a, count_b) = (count(a), count(b));
    let (Some(a), Some(b), true) = (a, b, verdict != "not-judged") else {
        return say!("check-not-judged", least = LEAST_STEPS, a = count_a, b = count_b);
    };
    let by = share((b.median_ns - a.median_ns).abs(), a.median_ns);
    let [of_a, of_b] = [a, b].map(|own| duration(own.median_ns));
    let allowed = share((most_allowed * 1e6) as i64, 1_000_000);
    match (verdict, b.median_ns > a.median_ns, is_significant) {
        ("over", ..) => say!("check-regressed", by, a = of_a, b = of_b, allowed),
        (_, _, false) => say!("check-varies", a = of_a, b = of_b),
        (_, true, _) => say!("check-slower-within", by, a = of_a, b = of_b, allowed),
        (_, false, _) => say!("check-faster", by, a = of_a, b = of_b),
    }
}
