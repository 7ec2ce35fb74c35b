//! The figures of a trace's steps that are compared: their lengths, and the time of each op type in each step.

use crate::base::units::Nanos;
use crate::steps::figures::is_usual;
use crate::steps::rule::Steps;
use crate::{StringId, Trace};
use std::collections::BTreeMap;
use std::ops::Range;

/// The figures of the steps of one trace. A baseline keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepSamples {
    /// How many steps were opened.
    pub opened: usize,
    /// The length of each step that counts.
    pub lengths: Vec<Nanos>,
    /// For each op type the sum of the durations of its ops in each of these steps. Empty with less than two steps.
    pub op_types: BTreeMap<Box<str>, Vec<Nanos>>,
}

impl StepSamples {
    /// The samples of the usual steps of `trace`, or of those of `group`, in time linear in ops.
    pub fn of(trace: &Trace, steps: &Steps, group: Option<Range<usize>>) -> Self {
        let counts = counted(steps, group.as_ref());
        let rows = steps.rows().iter().zip(&counts).filter(|&(_, &counts)| counts);
        let lengths: Vec<Nanos> = rows.map(|(step, _)| step.span.length()).collect();
        let op_types =
            if lengths.len() > 1 { sums(trace, steps, &counts, lengths.len()) } else { BTreeMap::new() };
        Self { opened: steps.rows().len(), lengths, op_types }
    }
}

/// The step to compare if nobody chose one: of several steps that count the one with the median length, of an even number the shorter
/// of the two in the middle, of equal ones the first. `None` if there is only one step.
pub fn typical_step(steps: &Steps, group: Option<&Range<usize>>) -> Option<usize> {
    if steps.rows().len() < 2 {
        return None;
    }
    let counts = counted(steps, group);
    let rows = steps.rows().iter().enumerate().filter(|&(row, _)| counts[row]);
    let mut lengths: Vec<(i64, usize)> = rows.map(|(row, step)| (step.span.length().0, row)).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len().saturating_sub(1) / 2).map(|&(_, row)| row)
}

/// For each step whether it counts: the usual ones, or those that were chosen.
pub(super) fn counted(steps: &Steps, group: Option<&Range<usize>>) -> Vec<bool> {
    match group {
        None => is_usual(steps),
        Some(group) => {
            steps.rows().iter().enumerate().map(|(row, step)| group.contains(&row) && step.ops > 0).collect()
        }
    }
}

/// The time of each op type in each of the `count` steps that count.
fn sums(trace: &Trace, steps: &Steps, counts: &[bool], count: usize) -> BTreeMap<Box<str>, Vec<Nanos>> {
    let mut place = Vec::with_capacity(counts.len());
    let mut next = 0;
    for &counts in counts {
        place.push(counts.then_some(next));
        next += usize::from(counts);
    }
    let nodes = trace.nodes();
    let mut of_string: Vec<Vec<Nanos>> = vec![Vec::new(); trace.strings.len()];
    for op in trace.ops().ids().take(trace.counted_ops()) {
        let node = trace.ops().node(op);
        let Some(place) = steps.of_part(trace.ops().part(op)).and_then(|step| place[step]) else { continue };
        if nodes.is_range(node) {
            continue;
        }
        let own = &mut of_string[nodes.op_type(node).index()];
        own.resize(count, Nanos(0));
        own[place] += trace.ops().interval(op).length();
    }
    let rows = (0..).map(StringId::new).zip(of_string).filter(|(_, sums)| !sums.is_empty());
    rows.map(|(id, sums)| (trace.text(id).into(), sums)).collect()
}
