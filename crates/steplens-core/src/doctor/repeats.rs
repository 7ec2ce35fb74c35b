//! Parts that hold what another part holds: a file opened twice, a record written twice.

use super::{Finding, FindingKind, about};
use crate::{NodeId, OpId, PartId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A part repeats others if this share of its ops does.
const PERCENT: u64 = 90;

pub(super) fn find(trace: &Trace) -> Option<Finding> {
    about(trace, FindingKind::RepeatedOps, all(trace).into_iter())
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
        // The parts that hold each node among the ops that start and end together: of one node most often one.
        let mut together: HashMap<NodeId, PartId, FixedState> = HashMap::default();
        let mut newest = None;
        for op in trace.ops_of(device) {
            let interval = ops.interval(op);
            if newest.replace(interval) != Some(interval) {
                together.clear();
            }
            let first = *together.entry(ops.node(op)).or_insert(ops.part(op));
            if first != ops.part(op) {
                visit(op);
            }
        }
    }
}
