//! All steps of both traces: whether they differ, or only vary.

use crate::figures::duration;
use serde::Serialize;
use steplens_core::compare::Comparison;
use steplens_core::compare::over_steps::OverSteps;
use steplens_core::compare::significance::{LEAST_STEPS, Sample};
use steplens_messages::say;

/// The steps of both traces.
#[derive(Serialize)]
pub struct StepsCompared<'a> {
    /// Whether the lengths differ, as a sentence.
    pub sentence: String,
    /// The lengths of A's steps; null without any.
    pub a: Option<SampleRow>,
    /// The lengths of B's steps.
    pub b: Option<SampleRow>,
    /// The median of B minus that of A.
    pub difference_ns: Option<i64>,
    /// How likely lengths as different are by chance, by the rank test of Mann and Whitney. Null below four steps a side.
    pub probability: Option<f64>,
    /// Whether that is below 5 %.
    pub significant: bool,
    /// The time of each op type in a step, by how much its medians differ. Empty with less than two steps a side.
    pub op_types: Vec<OpTypeOverSteps<'a>>,
}

/// A figure over the steps of one trace.
#[derive(Serialize)]
pub struct SampleRow {
    /// How many steps.
    pub steps: usize,
    /// The median.
    pub median_ns: i64,
    /// Where the median of all such steps lies with 95 %: its lower end. Null below six steps.
    pub low_ns: Option<i64>,
    /// The upper end.
    pub high_ns: Option<i64>,
    /// How many steps lie outside of Tukey's fences. They are not left out.
    pub outliers: usize,
}

/// The time of an op type in each step.
#[derive(Serialize)]
pub struct OpTypeOverSteps<'a> {
    /// The op type.
    pub op_type: &'a str,
    /// The sums in A's steps.
    pub a: Option<SampleRow>,
    /// The sums in B's steps.
    pub b: Option<SampleRow>,
    /// The median of B minus that of A; null where one has none.
    pub difference_ns: Option<i64>,
    /// How likely sums as different are by chance; null below four steps a side.
    pub probability: Option<f64>,
    /// Whether that is below 5 % for all op types together, by Holm.
    pub significant: bool,
}

fn sample(own: Option<Sample>) -> Option<SampleRow> {
    own.map(|own| SampleRow {
        steps: own.count,
        median_ns: own.median.0,
        low_ns: own.interval.map(|(low, _)| low.0),
        high_ns: own.interval.map(|(_, high)| high.0),
        outliers: own.outliers,
    })
}

pub(super) fn steps<'a>(found: &'a Comparison<'a>) -> StepsCompared<'a> {
    let lengths = &found.steps.lengths;
    let op_type = |(name, own): &'a (Box<str>, OverSteps)| OpTypeOverSteps {
        op_type: name,
        a: sample(own.samples[0]),
        b: sample(own.samples[1]),
        difference_ns: own.difference().map(|own| own.0),
        probability: own.probability,
        significant: own.is_significant,
    };
    StepsCompared {
        sentence: sentence(lengths),
        a: sample(lengths.samples[0]),
        b: sample(lengths.samples[1]),
        difference_ns: lengths.difference().map(|own| own.0),
        probability: lengths.probability,
        significant: lengths.is_significant,
        op_types: found.steps.op_types.iter().map(op_type).collect(),
    }
}

fn sentence(lengths: &OverSteps) -> String {
    let [a, b] = lengths.samples.map(|own| own.map_or(0, |own| own.count));
    let (Some(p), [Some(of_a), Some(of_b)]) = (lengths.probability, lengths.samples) else {
        return say!("compare-steps-few", a, b, least = LEAST_STEPS);
    };
    let [median_a, median_b] = [of_a, of_b].map(|own| duration(own.median.0));
    let p = if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") };
    match lengths.is_significant {
        true => say!("compare-steps-differ", a, b, median_a, median_b, p),
        false => say!("compare-steps-vary", a, b, median_a, median_b, p),
    }
}
