//! How long a device waited for each transfer or collective, by its op.

use crate::base::pace::{Pace, at_once};
use crate::base::units::Nanos;
use crate::network::waits::{Wait, waits_paced};
use crate::study::step_of_op::StepOfOp;
use crate::{OpId, Study};

/// The exposed communication that is blamed on each op, as columns. Only ops with blame have a row.
#[derive(Debug, Default)]
pub struct Waited {
    /// In ascending order.
    ops: Vec<OpId>,
    waited: Vec<Nanos>,
}

impl Waited {
    /// Computes the blame of every op of `study`.
    pub fn summed(study: &Study) -> Self {
        at_once(async |pace: &Pace| Self::paced(study, pace).await)
    }

    /// Like [`of`](Self::of), but in pieces.
    pub async fn paced(study: &Study, pace: &Pace) -> Self {
        Self::from_waits(&waits_paced(study, &StepOfOp::indexed(study), pace).await)
    }

    /// Takes the blame from `waits`, which must be in the order of their ops.
    fn from_waits(waits: &[Wait]) -> Self {
        let blamed = || waits.iter().filter(|wait| wait.waited > Nanos(0));
        Self {
            ops: blamed().map(|wait| wait.op).collect(),
            waited: blamed().map(|wait| wait.waited).collect(),
        }
    }

    /// How long its device waited for `op`; 0 if no wait is blamed on the op.
    pub fn of_op(&self, op: OpId) -> Nanos {
        self.ops.binary_search(&op).map_or(Nanos(0), |row| self.waited[row])
    }
}
