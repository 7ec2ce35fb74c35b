//! Parts that repeat another part: a file that was opened twice, a record that was written twice.

use super::{Finding, FindingKind, about};
use crate::{OpId, PartId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A part repeats others if at least this percentage of its ops does.
const PERCENT: u64 = 90;

pub(super) fn find(trace: &Trace) -> Option<Finding> {
    about(trace, FindingKind::RepeatedOps, all(trace).into_iter())
}

/// The repeated ops of parts that repeat others, in order.
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

/// Calls `visit` for every op that an earlier part has, too: on the same device, at the same time, with the same name and label. The nodes may
/// differ: a session says what an op is, and the file that it was made from lets a field say it.
fn walk(trace: &Trace, mut visit: impl FnMut(OpId)) {
    let (ops, nodes) = (trace.ops(), trace.nodes());
    for device in trace.devices().ids() {
        // For each name and label the part, among the ops that start and end together. There is usually one op per node.
        let mut together: HashMap<(StringId, StringId), PartId, FixedState> = HashMap::default();
        let mut newest = None;
        for op in trace.ops_of(device) {
            let interval = ops.interval(op);
            if newest.replace(interval) != Some(interval) {
                together.clear();
            }
            let node = ops.node(op);
            let first = *together.entry((nodes.name(node), nodes.label(node))).or_insert(ops.part(op));
            if first != ops.part(op) {
                visit(op);
            }
        }
    }
}
