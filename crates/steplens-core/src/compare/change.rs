//! How the time of each op changed: what a drawing of both steps shows of an op and its partner.

use super::Comparison;
use super::joined::Which;
use super::matching::{Matching, Pass};
use crate::{Nanos, OpId, Study};

/// Ops whose lengths differ by less than this part of the longer one took as long; in percent.
pub const SAME_PERCENT: i64 = 10;

/// How an op of one trace differs from its partner in the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Change {
    /// Both took as long, but for [`SAME_PERCENT`].
    Same = 0,
    /// It takes longer in B.
    Slower = 1,
    /// It takes less long in B.
    Faster = 2,
    /// It has no partner.
    Alone = 3,
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Same, Self::Slower, Self::Faster, Self::Alone];

    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Alone => "alone",
        }
    }

    /// What becomes of an op that took `a` in A and takes `b` in B.
    pub fn between(a: Nanos, b: Nanos) -> Self {
        let (difference, longer) = (b.0.saturating_sub(a.0), a.0.max(b.0));
        let is_small =
            i128::from(difference.unsigned_abs()) * 100 < i128::from(longer) * i128::from(SAME_PERCENT);
        match difference {
            0 => Self::Same,
            _ if is_small => Self::Same,
            1.. => Self::Slower,
            _ => Self::Faster,
        }
    }
}

/// How many pairs, and ops without a partner, differ in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs that took as long.
    pub same: u64,
    /// Pairs that take longer in B.
    pub slower: u64,
    /// Pairs that take less long in B.
    pub faster: u64,
    /// Ops of A without a partner.
    pub only_a: u64,
    /// Ops of B without a partner.
    pub only_b: u64,
}

/// What of a comparison stays when its answer was given: which op is which.
#[derive(Clone, Debug, Default)]
pub struct Pairs(Matching);

impl Pairs {
    /// Keeps the pairs of `found`.
    pub fn of(found: &Comparison<'_>) -> Self {
        Self(found.matching.clone())
    }

    /// The partner of an op of `side`.
    pub fn partner(&self, side: Which, op: OpId) -> Option<OpId> {
        self.0.partner(side, op)
    }

    /// The pass that matched an op of A.
    pub fn pass(&self, op: OpId) -> Option<Pass> {
        self.0.pass(op)
    }

    /// How an op of `side` differs from its partner; `studies` are those that were compared.
    pub fn change(&self, studies: [&Study; 2], side: Which, op: OpId) -> Change {
        let Some(partner) = self.partner(side, op) else { return Change::Alone };
        let length = |side: Which, op: OpId| studies[side as usize].trace().ops().interval(op).length();
        match side {
            Which::A => Change::between(length(Which::A, op), length(Which::B, partner)),
            Which::B => Change::between(length(Which::A, partner), length(Which::B, op)),
        }
    }

    /// How many pairs, and ops without a partner, differ in each way.
    pub fn counts(&self, studies: [&Study; 2]) -> Counts {
        let mut counts = Counts::default();
        for (a, _) in self.0.all() {
            match self.change(studies, Which::A, a) {
                Change::Same => counts.same += 1,
                Change::Slower => counts.slower += 1,
                Change::Faster => counts.faster += 1,
                Change::Alone => {}
            }
        }
        let alone = |side| self.0.ops(side) - self.0.pairs();
        (counts.only_a, counts.only_b) = (alone(Which::A), alone(Which::B));
        counts
    }

    /// The memory that they take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_a_tenth_is_no_change() {
        let change = |a, b| Change::between(Nanos(a), Nanos(b));
        assert_eq!(change(100, 100), Change::Same);
        assert_eq!(change(0, 0), Change::Same);
        assert_eq!(change(91, 100), Change::Same);
        assert_eq!(change(90, 100), Change::Slower);
        assert_eq!(change(100, 90), Change::Faster);
        assert_eq!(change(0, 1), Change::Slower);
        assert_eq!(change(i64::MAX, 0), Change::Faster);
    }
}
