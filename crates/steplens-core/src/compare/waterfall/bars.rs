//! Bars: the pieces of a comparison, summed by cause.

use super::chain::{Compared, Piece};
use super::{Cause, Context};
use crate::OpId;
use crate::base::units::Nanos;
use crate::compare::joined::Which;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The most bars next to the rest.
pub const MOST_BARS: usize = 8;

/// What differs for one cause.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The cause.
    pub cause: Cause,
    /// What it adds to the difference B - A.
    pub difference: Nanos,
    /// Its time on the path of A, and of B; negative where ops ended in another order.
    pub lengths: [Nanos; 2],
    /// How much of the change was hidden by other work of the shorter step, and so is not part of the difference.
    pub hidden: Nanos,
    /// Its ops, by how much they add; each with its partner, and what both add before anything is hidden.
    pub ops: Vec<(Option<OpId>, Option<OpId>, Nanos)>,
}

/// Bars that add up to the difference of two steps.
#[derive(Clone, Debug, Default)]
pub struct Waterfall {
    /// The largest differences first; at most [`MOST_BARS`].
    pub bars: Vec<Bar>,
    /// What all other causes add.
    pub rest: Nanos,
    /// How many other causes there are.
    pub rest_causes: usize,
    /// The time of the shorter step whose cause was not searched for, because that would have taken too long. It counts as waiting
    /// without a recorded cause.
    pub not_followed: Nanos,
}

impl Waterfall {
    /// A single bar.
    pub(in crate::compare) fn of_one(cause: Cause, difference: Nanos, lengths: [Nanos; 2]) -> Self {
        let bar = Bar { cause, difference, lengths, hidden: Nanos(0), ops: Vec::new() };
        let bars = if difference == Nanos(0) { Vec::new() } else { vec![bar] };
        Self { bars, ..Self::default() }
    }

    /// What all bars add up to.
    pub fn difference(&self) -> Nanos {
        self.bars.iter().fold(self.rest, |sum, bar| sum + bar.difference)
    }
}

/// The pieces of one cause.
#[derive(Default)]
struct Group {
    own: Nanos,
    other: Nanos,
    hidden: Nanos,
    pieces: Vec<u32>,
}

pub(super) fn waterfall(context: &Context<'_>, longer: Which, compared: Compared) -> Waterfall {
    let Compared { pieces, hidden, not_followed } = compared;
    let mut number: HashMap<&Cause, usize, FixedState> = HashMap::default();
    let mut groups: Vec<(&Cause, Group)> = Vec::new();
    for (row, piece) in (0..).zip(&pieces) {
        let next = groups.len();
        let place = *number.entry(&piece.cause).or_insert(next);
        if place == next {
            groups.push((&piece.cause, Group::default()));
        }
        let group = &mut groups[place].1;
        group.own += piece.own;
        group.other += piece.other;
        group.pieces.push(row);
    }
    hide(&mut groups, hidden);
    let mut bars: Vec<Bar> = Vec::new();
    for (cause, group) in groups {
        let growth = group.own - group.other - group.hidden;
        let difference = if longer == Which::B { growth } else { Nanos(-growth.0) };
        if difference == Nanos(0) {
            continue;
        }
        let lengths = match longer {
            Which::A => [group.own, group.other],
            Which::B => [group.other, group.own],
        };
        let ops = ops(context, longer, &pieces, &group.pieces);
        bars.push(Bar { cause: cause.clone(), difference, lengths, hidden: group.hidden, ops });
    }
    bars.sort_by(|a, b| b.difference.0.abs().cmp(&a.difference.0.abs()).then_with(|| a.cause.cmp(&b.cause)));
    let others = bars.split_off(bars.len().min(MOST_BARS));
    let rest = others.iter().fold(Nanos(0), |sum, bar| sum + bar.difference);
    Waterfall { bars, rest, rest_causes: others.len(), not_followed }
}

/// Takes `hidden` off the groups that grew, in proportion; to the nanosecond.
fn hide(groups: &mut [(&Cause, Group)], hidden: Nanos) {
    let growth = |group: &Group| i128::from((group.own - group.other).0.max(0));
    let all: i128 = groups.iter().map(|(_, group)| growth(group)).sum();
    // The longer step is the longer one by its growth without what is hidden, so that there is enough to take off.
    let (mut before, mut taken) = (0, 0);
    for (_, group) in groups.iter_mut().filter(|(_, group)| growth(group) > 0) {
        before += growth(group);
        let until = i128::from(hidden.0) * before / all;
        group.hidden = Nanos((until - taken) as i64);
        taken = until;
    }
}

/// The ops of a group, those that add most first.
fn ops(
    context: &Context<'_>,
    longer: Which,
    pieces: &[Piece],
    rows: &[u32],
) -> Vec<(Option<OpId>, Option<OpId>, Nanos)> {
    let mut place: HashMap<(Option<OpId>, Option<OpId>), usize, FixedState> = HashMap::default();
    let mut found: Vec<(Option<OpId>, Option<OpId>, Nanos)> = Vec::new();
    for &row in rows {
        let piece = &pieces[row as usize];
        let partner = |side: Which, op: Option<OpId>| op.and_then(|op| context.matching.partner(side, op));
        let own = piece.own_op.or_else(|| partner(longer.other(), piece.other_op));
        let other = piece.other_op.or_else(|| partner(longer, piece.own_op));
        let growth = piece.own - piece.other;
        let (pair, adds) = match longer {
            Which::A => ((own, other), Nanos(-growth.0)),
            Which::B => ((other, own), growth),
        };
        let at = *place.entry(pair).or_insert(found.len());
        if at == found.len() {
            found.push((pair.0, pair.1, Nanos(0)));
        }
        found[at].2 += adds;
    }
    found.sort_by_key(|&(a, b, adds)| (std::cmp::Reverse(adds.0.abs()), a, b));
    found
}
