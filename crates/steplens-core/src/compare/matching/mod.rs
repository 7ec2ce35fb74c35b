//! Which op of A is which op of B. Every op has at most one partner, on the device that its own is compared with.
//!
//! Ops are matched in passes, and an op that a pass matched is left alone by the later ones:
//!
//! 1. *exact*: name, op type, and shapes where both record them;
//! 2. *retyped*: name, and what the op types calculate, where a pass of a library wrote one of them;
//! 3. *renumbered*: name without numbers, and op type. The same name with other shapes is matched here;
//! 4. *structural*: op type, depth of scope, and the types of the ops at inputs and outputs;
//! 5. *edited*: the op types of a scope, in order of start, aligned by the least edits.
//!
//! Ops that are alike to a pass are paired by occurrence, as `occurrences.rs` says.

mod carried_out;
mod edits;
mod keys;
mod occurrences;
mod structure;

use super::devices::Devices;
use super::joined::{Joined, Which};
use crate::base::pace::Pace;
use crate::{OpId, Study};
use keys::Keys;
use occurrences::Left;

/// No partner.
const NONE: u32 = u32::MAX;

/// What matched a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pass {
    /// Name, op type and shapes.
    Exact = 0,
    /// Name without numbers, and op type.
    Renumbered = 1,
    /// What lies around it in the graph.
    Structural = 2,
    /// Its place among the ops of its scope.
    Edited = 3,
    /// Name, and what its op type calculates: a library carries it out under another type.
    Retyped = 4,
}

/// The partners of all ops.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// For each op of A, and of B, the row of its partner.
    partner: [Vec<u32>; 2],
    /// For each op of A the pass that matched it; of no meaning without a partner.
    pass: Vec<Pass>,
    /// How many pairs each pass matched.
    counts: [u64; 5],
    /// Of all pairs, how many have other shapes.
    pub reshaped: u64,
    /// Ops in scopes too large to be aligned; they have no partner.
    pub not_aligned: u64,
}

impl Matching {
    /// Matches the ops of two studies, in time n log n.
    pub(super) async fn found(
        studies: [&Study; 2],
        joined: &Joined<'_>,
        devices: &Devices,
        pace: &Pace,
    ) -> Self {
        let count = |study: &Study| study.trace().counted_ops();
        let mut matching = Self {
            partner: studies.map(|study| vec![NONE; count(study)]),
            pass: vec![Pass::Exact; count(studies[0])],
            ..Self::default()
        };
        let keys = Keys::of(studies, joined, devices, pace).await;
        matching.by_name(&keys, pace).await;
        if matching.may_continue(&keys) {
            let key = |keys: &Keys<'_>, side, op| {
                Some([keys.device(side, op), keys.work(side, op)?, u64::from(keys.name(side, op))])
            };
            let mut classes = keys.classes(&matching.partner, key, pace).await;
            classes.keep_rewritten(&keys);
            matching.pair(classes, Pass::Retyped, pace).await;
        }
        if matching.may_continue(&keys) {
            let key = |keys: &Keys<'_>, side, op| {
                Some([keys.device(side, op), keys.stem(side, op), u64::from(keys.kind(side, op))])
            };
            let classes = keys.classes(&matching.partner, key, pace).await;
            let ordered = classes.by_name(&keys);
            matching.pair(ordered, Pass::Renumbered, pace).await;
        }
        if matching.may_continue(&keys) {
            let around = structure::around(studies, &keys, pace).await;
            let key = |keys: &Keys<'_>, side, op: u32| {
                let around = around[side as usize][op as usize]?;
                let depth = u64::from(keys.depth(side, op));
                Some([keys.device(side, op), around, u64::from(keys.kind(side, op)) << 16 | depth])
            };
            let classes = keys.classes(&matching.partner, key, pace).await;
            matching.pair(classes, Pass::Structural, pace).await;
        }
        if matching.may_continue(&keys) {
            let (pairs, not_aligned) = edits::aligned(&keys, &matching.partner, pace).await;
            pairs.into_iter().for_each(|(a, b)| matching.put(a, b, Pass::Edited));
            matching.not_aligned = not_aligned;
        }
        matching.reshaped = keys.reshaped(&matching);
        matching
    }

    /// The first pass. Ops of one name whose shapes differ are left for the second one, unless a side recorded none.
    async fn by_name(&mut self, keys: &Keys<'_>, pace: &Pace) {
        let kind =
            |keys: &Keys<'_>, side, op| u64::from(keys.kind(side, op)) << 32 | u64::from(keys.name(side, op));
        let with_shapes = |keys: &Keys<'_>, side, op| {
            Some([keys.device(side, op), kind(keys, side, op), keys.shapes(side, op)])
        };
        let classes = keys.classes(&self.partner, with_shapes, pace).await;
        self.pair(classes, Pass::Exact, pace).await;
        if !self.may_continue(keys) {
            return;
        }
        let without_shapes =
            |keys: &Keys<'_>, side, op| Some([keys.device(side, op), kind(keys, side, op), 0]);
        let without = keys.classes(&self.partner, without_shapes, pace).await;
        for (a, b) in without.pairs(&self.partner) {
            let is_unknown =
                [(Which::A, a), (Which::B, b)].iter().any(|&(side, op)| keys.shapes(side, op) == 0);
            self.put(a, b, if is_unknown { Pass::Exact } else { Pass::Renumbered });
        }
    }

    /// Whether both sides have ops left on devices that are compared.
    fn may_continue(&self, keys: &Keys<'_>) -> bool {
        Which::BOTH.into_iter().all(|side| {
            let partner = &self.partner[side as usize];
            (0..partner.len()).any(|op| partner[op] == NONE && keys.is_compared(side, op as u32))
        })
    }

    async fn pair(&mut self, left: Left, pass: Pass, pace: &Pace) {
        let pairs = left.pairs(&self.partner);
        for &(a, b) in &pairs {
            self.put(a, b, pass);
        }
        pace.worked(pairs.len()).await;
    }

    fn put(&mut self, a: u32, b: u32, pass: Pass) {
        self.partner[0][a as usize] = b;
        self.partner[1][b as usize] = a;
        self.pass[a as usize] = pass;
        self.counts[pass as usize] += 1;
    }

    /// The partner of an op of `side`.
    #[inline]
    pub fn partner(&self, side: Which, op: OpId) -> Option<OpId> {
        let row = self.partner[side as usize].get(op.index()).copied().unwrap_or(NONE);
        (row != NONE).then(|| OpId::new(row))
    }

    /// The pass that matched an op of A, if one did.
    pub fn pass(&self, op: OpId) -> Option<Pass> {
        self.partner(Which::A, op).map(|_| self.pass[op.index()])
    }

    /// How many pairs a pass matched.
    pub fn count(&self, pass: Pass) -> u64 {
        self.counts[pass as usize]
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of ops of `side`.
    pub fn ops(&self, side: Which) -> u64 {
        self.partner[side as usize].len() as u64
    }

    /// The ops of `side` without a partner, in order.
    pub fn alone(&self, side: Which) -> impl Iterator<Item = OpId> + '_ {
        let partner = self.partner[side as usize].iter().enumerate();
        partner.filter(|&(_, &partner)| partner == NONE).map(|(row, _)| OpId::from_usize(row))
    }

    /// The memory that it takes, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let rows = self.partner.iter().map(|own| own.capacity() * size_of::<u32>()).sum::<usize>();
        rows + self.pass.capacity() * size_of::<Pass>()
    }

    /// Every pair: the op of A, the op of B.
    pub fn all(&self) -> impl Iterator<Item = (OpId, OpId)> + '_ {
        let partner = self.partner[0].iter().enumerate().filter(|&(_, &partner)| partner != NONE);
        partner.map(|(row, &partner)| (OpId::from_usize(row), OpId::new(partner)))
    }
}
