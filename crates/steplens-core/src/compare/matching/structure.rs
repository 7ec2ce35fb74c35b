//! What lies around an op in the graph, as a number: the types of the ops that made its inputs and of those that used its outputs,
//! whatever their order.

use super::keys::Keys;
use crate::Study;
use crate::base::pace::{Pace, STRIDE};
use crate::compare::joined::Which;
use crate::makers::Makers;
use foldhash::fast::FixedState;
use std::hash::BuildHasher;

/// For each op of A and of B; `None` where nothing is around it, because then its type alone would decide.
pub(super) async fn around(studies: [&Study; 2], keys: &Keys<'_>, pace: &Pace) -> [Vec<Option<u64>>; 2] {
    let [a, b] = studies;
    [of_side(a, Which::A, keys, pace).await, of_side(b, Which::B, keys, pace).await]
}

async fn of_side(study: &Study, side: Which, keys: &Keys<'_>, pace: &Pace) -> Vec<Option<u64>> {
    let count = study.trace().counted_ops();
    let makers = Makers::found(study.edges());
    let hasher = FixedState::default();
    let number = |op: u32, role: u64| hasher.hash_one((role, keys.kind(side, op)));
    let mut around: Vec<Option<u64>> = vec![None; count];
    let mut add = |op: usize, of: u64| {
        if let Some(sum) = around.get_mut(op) {
            // A sum does not depend on the order of edges.
            *sum = Some(sum.unwrap_or_default().wrapping_add(of));
        }
    };
    for op in study.trace().ops().ids().take(count) {
        for &maker in makers.of_op(op).iter().filter(|maker| maker.index() < count) {
            add(op.index(), number(maker.get(), 1));
            add(maker.index(), number(op.get(), 2));
        }
        if op.index() % STRIDE == STRIDE - 1 {
            pace.worked(STRIDE).await;
        }
    }
    around
}
