//! Steps of A against steps of B: their lengths, and the time of each op type in each step.

use super::Side;
use super::joined::{Joined, Which};
use super::significance::{Sample, probability, significant};
use crate::base::units::Nanos;
use crate::steps::figures::is_usual;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

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
    fn of(a: &[i64], b: &[i64]) -> Self {
        Self {
            samples: [Sample::of(a), Sample::of(b)],
            probability: probability(a, b),
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
    /// For each op type, by its number, the sum of the durations of its ops in a step. By how much the medians differ.
    pub op_types: Vec<(u32, OverSteps)>,
}

impl StepComparison {
    pub(super) fn of(sides: [&Side<'_>; 2], joined: &Joined<'_>) -> Self {
        let usual = sides.map(|side| is_usual(side.whole, side.steps));
        let lengths = [0, 1].map(|own: usize| {
            let rows = sides[own].steps.rows().iter().zip(&usual[own]);
            rows.filter(|&(_, &usual)| usual).map(|(step, _)| step.span.length().0).collect::<Vec<i64>>()
        });
        let mut sums: HashMap<u32, [Vec<i64>; 2], FixedState> = HashMap::default();
        if lengths.iter().all(|own| own.len() > 1) {
            for side in Which::BOTH {
                sum(sides[side as usize], side, &usual[side as usize], joined, &mut sums);
            }
        }
        let mut op_types: Vec<(u32, OverSteps)> =
            sums.into_iter().map(|(number, [a, b])| (number, OverSteps::of(&a, &b))).collect();
        op_types.sort_by_key(|&(number, ref own)| {
            (std::cmp::Reverse(own.difference().map_or(0, |own| own.0.unsigned_abs())), number)
        });
        let probabilities: Vec<Option<f64>> = op_types.iter().map(|(_, own)| own.probability).collect();
        for ((_, own), is) in op_types.iter_mut().zip(significant(&probabilities)) {
            own.is_significant = is;
        }
        let mut lengths = OverSteps::of(&lengths[0], &lengths[1]);
        lengths.is_significant = significant(&[lengths.probability])[0];
        Self { lengths, op_types }
    }
}

/// Adds the time of each op type in each usual step; 0 in steps without it.
fn sum(
    side: &Side<'_>,
    which: Which,
    usual: &[bool],
    joined: &Joined<'_>,
    sums: &mut HashMap<u32, [Vec<i64>; 2], FixedState>,
) {
    let (trace, steps) = (side.whole, side.steps);
    let mut place = Vec::with_capacity(usual.len());
    let mut count = 0;
    for &usual in usual {
        place.push(usual.then_some(count));
        count += usize::from(usual);
    }
    let nodes = trace.nodes();
    for op in trace.ops().ids().take(trace.counted_ops()) {
        let node = trace.ops().node(op);
        let Some(place) = steps.of_part(trace.ops().part(op)).and_then(|step| place[step]) else { continue };
        if nodes.is_range(node) {
            continue;
        }
        let number = joined.number(which, nodes.op_type(node));
        let own = &mut sums.entry(number).or_default()[which as usize];
        own.resize(count, 0);
        own[place] = own[place].saturating_add(trace.ops().interval(op).length().0);
    }
    for own in sums.values_mut() {
        own[which as usize].resize(count, 0);
    }
}
