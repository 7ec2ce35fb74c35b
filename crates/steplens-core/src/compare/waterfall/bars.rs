//! Bars: what each group of ops adds to the difference of two steps.

use super::Cause;
use super::given::Explained;
use super::groups::Group;
use crate::OpId;
use crate::base::units::Nanos;
use crate::compare::joined::Which;

/// What differs for one cause.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The cause.
    pub cause: Cause,
    /// What it adds to the difference B - A.
    pub difference: Nanos,
    /// The time of its ops in A, and in B.
    pub lengths: [Nanos; 2],
    /// How many ops it has in A, and in B.
    pub counts: [usize; 2],
    /// How much longer those ops take in B that take longer, and how much less those that take less.
    pub more: Nanos,
    /// See `more`.
    pub less: Nanos,
    /// Whether other ops of its type are not part of it.
    pub is_of_others: bool,
    /// Its ops, by how much they differ; each with its partner, and how much longer it takes in B.
    pub ops: Vec<(Option<OpId>, Option<OpId>, Nanos)>,
}

/// Bars that add up to the difference of two steps.
#[derive(Clone, Debug, Default)]
pub struct Waterfall {
    /// The largest differences first; at most [`MOST_BARS`](super::MOST_BARS). Those without one changed by a large part of the step,
    /// which waited for something else.
    pub bars: Vec<Bar>,
    /// What all other groups of ops add together, and how many they are.
    pub others: Nanos,
    /// See `others`.
    pub other_groups: usize,
    /// What lengths of ops and delays do not explain: another order, times without a recorded cause, and what a replay is off by.
    pub rest: Nanos,
    /// The trace whose replay is off by more than that of a prediction may be, and by how many millionths.
    pub doubt: Option<(Which, i64)>,
}

impl Waterfall {
    /// A single bar.
    pub(in crate::compare) fn of_one(cause: Cause, difference: Nanos, lengths: [Nanos; 2]) -> Self {
        let bar = Bar {
            cause,
            difference,
            lengths,
            counts: [0; 2],
            more: Nanos(0),
            less: Nanos(0),
            is_of_others: false,
            ops: Vec::new(),
        };
        let bars = if difference == Nanos(0) { Vec::new() } else { vec![bar] };
        Self { bars, ..Self::default() }
    }

    /// What all bars add up to.
    pub fn difference(&self) -> Nanos {
        self.bars.iter().fold(self.others + self.rest, |sum, bar| sum + bar.difference)
    }
}

/// The bars of two steps that differ by `difference`.
pub(super) fn waterfall(longer: Which, difference: Nanos, explained: Explained) -> Waterfall {
    let signed = |gained: Nanos| if longer == Which::B { gained } else { Nanos(gained.0.saturating_neg()) };
    let mut bars: Vec<Bar> =
        explained.groups.into_iter().map(|(group, gained)| bar(longer, group, signed(gained))).collect();
    let size = |bar: &Bar| {
        let [a, b] = bar.lengths;
        (bar.difference.0.unsigned_abs(), (b - a).0.unsigned_abs())
    };
    if let Some(([own, other], gained)) = explained.threads {
        let both = if longer == Which::B { [other, own] } else { [own, other] };
        bars.extend(Waterfall::of_one(Cause::Threads(both), signed(gained), [Nanos(0); 2]).bars);
    }
    bars.sort_by_key(|bar| std::cmp::Reverse(size(bar)));
    let others = signed(explained.of_others);
    let said = bars.iter().fold(others, |sum, bar| sum + bar.difference);
    Waterfall { bars, others, other_groups: explained.others, rest: difference - said, doubt: None }
}

fn bar(longer: Which, group: Group, difference: Nanos) -> Bar {
    let sides = |[own, other]: [i64; 2]| match longer {
        Which::A => [own, other],
        Which::B => [other, own],
    };
    let (mut lengths, mut counts) = ([Nanos(0); 2], [0; 2]);
    let mut ops = Vec::new();
    for entry in &group.entries {
        let both = sides(entry.lengths);
        let pair = match longer {
            Which::A => (entry.own, entry.other),
            Which::B => (entry.other, entry.own),
        };
        (0..2).for_each(|side: usize| lengths[side] += Nanos(both[side]));
        counts[0] += usize::from(pair.0.is_some());
        counts[1] += usize::from(pair.1.is_some());
        ops.push((pair.0, pair.1, Nanos(both[1].saturating_sub(both[0]))));
    }
    ops.sort_by_key(|&(a, b, adds)| (std::cmp::Reverse(adds.0.unsigned_abs()), a, b));
    let (more, less) = match longer {
        Which::A => (group.shrank, group.grew),
        Which::B => (group.grew, group.shrank),
    };
    let Group { cause, is_of_others, .. } = group;
    Bar { cause, difference, lengths, counts, more: Nanos(more), less: Nanos(less), is_of_others, ops }
}
