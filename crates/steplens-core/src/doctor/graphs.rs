//! Finds graphs of kernels that the profiler recorded only in part: a graph was launched, and then the GPU shows nothing for a long time.

use super::{Finding, FindingKind, about};
use crate::base::order;
use crate::base::units::Nanos;
use crate::gpu::accelerators::accelerators;
use crate::{OpId, Trace};

/// A longer time between two nodes of a graph is no usual one.
const MOST_BETWEEN: Nanos = Nanos(100_000);
/// It is found from this part of the recording on, as its divisor,
const LEAST: i64 = 10;
/// and from this many holes on: one may be a part that ran on the host.
const LEAST_HOLES: usize = 3;

/// Parts of graphs before which a GPU did nothing that was recorded, if that is much of the time of the only GPU.
pub(super) fn in_part(trace: &Trace) -> Option<Finding> {
    let is_launch = |op: OpId| trace.op_type(op).contains("GraphLaunch");
    let units = accelerators(trace);
    let [only] = units.as_slice() else { return None };
    if !trace.calls().iter().any(|&(_, call)| is_launch(call)) {
        return None;
    }
    let ops = trace.ops();
    let work = only.unrepeated(trace).flat_map(|device| trace.ops_of(device));
    let mut work: Vec<OpId> = work.filter(|&op| !trace.nodes().is_range(ops.node(op))).collect();
    order::by_number(&mut work, |op| (ops.start(op).0, i64::from(op.get())));
    let mut found: Vec<OpId> = Vec::new();
    let (mut now, mut hidden) = (trace.span().start, Nanos(0));
    for op in work {
        if let Some(call) = trace.call_of(op).filter(|&call| is_launch(call)) {
            let hole = ops.start(op) - now.max(ops.end(call));
            if hole > MOST_BETWEEN {
                found.push(op);
                hidden += hole;
            }
        }
        now = now.max(ops.end(op));
    }
    let is_much = hidden.0.saturating_mul(LEAST) >= trace.span().length().0 && found.len() >= LEAST_HOLES;
    is_much.then(|| about(trace, FindingKind::GraphsInPart(hidden), found.into_iter())).flatten()
}
