//! Two steps aligned at an op that both have: how much of their difference comes before it, and how much after.

use super::Comparison;
use super::joined::Which;
use crate::base::units::Nanos;
use crate::{OpId, Study};

/// Two steps, aligned at an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// The op in A, and its partner in B.
    pub ops: [OpId; 2],
    /// From the start of each step to the start of the op.
    pub before: [Nanos; 2],
    /// From there to the end of each step.
    pub after: [Nanos; 2],
}

/// Why two steps cannot be aligned at an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAligned {
    /// A has no op of this name.
    NotFound,
    /// None of the ops of this name has a partner.
    NoPartner,
}

impl Comparison<'_> {
    /// Aligns the steps at the first op of A that is called `name` and has a partner; of a transfer, the name is that of its tensor.
    pub fn aligned_at(&self, name: &str) -> Result<Aligned, NotAligned> {
        let study = self.sides[0].study;
        let trace = study.trace();
        let named = |&op: &OpId| {
            study.title(op) == name || trace.text(trace.nodes().name(trace.ops().node(op))) == name
        };
        let mut ops: Vec<OpId> = trace.ops().ids().take(trace.counted_ops()).filter(named).collect();
        if ops.is_empty() {
            return Err(NotAligned::NotFound);
        }
        ops.sort_by_key(|&op| trace.ops().start(op));
        let pair = ops.iter().find_map(|&op| Some([op, self.matching.partner(Which::A, op)?]));
        Ok(self.aligned(pair.ok_or(NotAligned::NoPartner)?))
    }

    fn aligned(&self, ops: [OpId; 2]) -> Aligned {
        let start = |study: &Study| study.causes().observed.segments.first().map(|own| own.interval.start);
        let before = Which::BOTH.map(|side| {
            let (study, op) = (self.sides[side as usize].study, ops[side as usize]);
            let at = study.trace().ops().start(op);
            at - start(study).unwrap_or(at)
        });
        Aligned { ops, before, after: [0, 1].map(|side| self.lengths[side] - before[side]) }
    }
}
