//! Parts that hold what another part holds: a file opened twice, a record written twice.

use super::{Finding, Kind, about};
use crate::{OpId, Trace};

/// How many ops that start and end together are compared with each other.
const MAX_TOGETHER: usize = 64;
/// A part repeats others if this share of its ops does.
const PERCENT: u64 = 90;

pub(super) fn find(trace: &Trace) -> Option<Finding> {
    about(trace, Kind::RepeatedOps, all(trace).into_iter())
}

/// The ops of parts that repeat others, as far as they do, in order.
pub(super) fn all(trace: &Trace) -> Vec<OpId> {
    let parts = trace.parts();
    if parts.len() < 2 {
        return Vec::new();
    }
    let mut repeated = vec![0u64; parts.len()];
    walk(trace, |op| repeated[trace.ops().part(op).index()] += 1);
    let is_repeat: Vec<bool> = parts
        .iter()
        .zip(&repeated)
        .map(|(part, &repeated)| repeated > 0 && repeated * 100 >= u64::from(part.ops) * PERCENT)
        .collect();
    let mut ops = Vec::new();
    if is_repeat.contains(&true) {
        walk(trace, |op| {
            if is_repeat[trace.ops().part(op).index()] {
                ops.push(op);
            }
        });
    }
    ops
}

/// Calls `visit` for every op that an earlier part holds, too: on the same device, at the same time, of the same node.
fn walk(trace: &Trace, mut visit: impl FnMut(OpId)) {
    let ops = trace.ops();
    for device in trace.devices().ids() {
        let mut together: Vec<OpId> = Vec::new();
        for op in trace.ops_of(device) {
            if together.first().is_some_and(|&first| ops.interval(first) != ops.interval(op)) {
                together.clear();
            }
            let is_same =
                |other: &&OpId| ops.node(**other) == ops.node(op) && ops.part(**other) != ops.part(op);
            if together.iter().any(|other| is_same(&other)) {
                visit(op);
            } else if together.len() < MAX_TOGETHER {
                together.push(op);
            }
        }
    }
}
