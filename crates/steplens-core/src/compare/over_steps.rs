//! Steps of A against steps of B: their lengths, and the time of each op type in each step.

use super::samples::StepSamples;
use super::significance::{Sample, probability, significant};
use crate::base::units::Nanos;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// One figure over the steps of both traces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverSteps {
    /// The values of A, and of B; `None` without any step.
    pub samples: [Option<Sample>; 2],
    /// How likely values as different are by chance; `None` with too few steps.
    pub probability: Option<f64>,
    /// Whether the difference is significant.
    pub is_significant: bool,
}

impl OverSteps {
    fn of(a: &[Nanos], b: &[Nanos]) -> Self {
        let [a, b] = [a, b].map(|own| own.iter().map(|own| own.0).collect::<Vec<i64>>());
        Self {
            samples: [Sample::of(&a), Sample::of(&b)],
            probability: probability(&a, &b),
            is_significant: false,
        }
    }

    /// Median of B minus median of A.
    pub fn difference(&self) -> Option<Nanos> {
        let [a, b] = self.samples;
        Some(b?.median - a?.median)
    }
}

/// All steps of both traces.
#[derive(Clone, Debug, PartialEq)]
pub struct StepComparison {
    /// Their lengths.
    pub lengths: OverSteps,
    /// For each op type the sum of the durations of its ops in a step. By how much the medians differ. Empty with less than two steps
    /// a side.
    pub op_types: Vec<(Box<str>, OverSteps)>,
}

impl StepComparison {
    /// Compares the steps of A with those of B.
    pub fn of([a, b]: [&StepSamples; 2]) -> Self {
        let mut lengths = OverSteps::of(&a.lengths, &b.lengths);
        lengths.is_significant = significant(&[lengths.probability])[0];
        if a.lengths.len() < 2 || b.lengths.len() < 2 {
            return Self { lengths, op_types: Vec::new() };
        }
        // A type that one trace never ran took no time in each of its steps.
        let none = [a, b].map(|own| vec![Nanos(0); own.lengths.len()]);
        let names: BTreeSet<&str> = a.op_types.keys().chain(b.op_types.keys()).map(|own| &**own).collect();
        let row = |name: &str| {
            let [a, b] =
                [(a, &none[0]), (b, &none[1])].map(|(own, none)| own.op_types.get(name).unwrap_or(none));
            (Box::from(name), OverSteps::of(a, b))
        };
        let mut op_types: Vec<(Box<str>, OverSteps)> = names.into_iter().map(row).collect();
        op_types.sort_by_key(|(_, own)| Reverse(own.difference().map_or(0, |own| own.0.unsigned_abs())));
        let probabilities: Vec<Option<f64>> = op_types.iter().map(|(_, own)| own.probability).collect();
        for ((_, own), is) in op_types.iter_mut().zip(significant(&probabilities)) {
            own.is_significant = is;
        }
        Self { lengths, op_types }
    }
}
