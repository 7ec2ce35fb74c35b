//! Runs of different graphs: a program that runs one graph for its input and another one for its model has no steps of one kind, and what is
//! usual of both together is usual of none. Two runs are of one kind if half of the nodes that either has are in both. The kind with most of
//! the time, of at least three runs, is what the steps are; runs of others, of at least two, are listed, and are none.

use super::step::Step;
use crate::base::units::Nanos;
use crate::model::part::Part;
use crate::{NodeId, PartId, Trace};

/// The kind that the steps are has this many runs or more,
const LEAST_RUNS: usize = 3;
/// and another one this many: what ran once may be a step that does more.
const LEAST_OTHERS: usize = 2;
/// With more kinds than this, nothing is said of them.
const MOST_KINDS: usize = 8;

/// A kind of runs.
struct Kind {
    /// The nodes of its first run, in order.
    nodes: Vec<NodeId>,
    rows: Vec<usize>,
    time: Nanos,
}

/// Those of `rows` that are runs of another graph. `row_of` says in which row a part is.
pub(super) fn other_runs(
    trace: &Trace,
    rows: &[Step],
    row_of: impl Fn(PartId) -> Option<usize>,
) -> Vec<usize> {
    let is_run = |part: &Part| part.ops > 0;
    if rows.len() <= LEAST_RUNS || trace.parts().iter().filter(|part| is_run(part)).count() <= LEAST_RUNS {
        return Vec::new();
    }
    let mut of_row: Vec<Vec<NodeId>> = vec![Vec::new(); rows.len()];
    for op in trace.ops().ids().take(trace.counted_ops()) {
        let row = row_of(trace.ops().part(op)).and_then(|row| of_row.get_mut(row));
        row.into_iter().for_each(|row| row.push(trace.ops().node(op)));
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for (row, mut nodes) in of_row.into_iter().enumerate() {
        let step = &rows[row];
        if step.ops == 0 || step.is_before {
            continue;
        }
        nodes.sort_unstable();
        nodes.dedup();
        let time = step.span.length();
        match kinds.iter_mut().find(|kind| are_alike(&kind.nodes, &nodes)) {
            Some(kind) => {
                kind.rows.push(row);
                kind.time += time;
            }
            None => kinds.push(Kind { nodes, rows: vec![row], time }),
        }
        if kinds.len() > MOST_KINDS {
            return Vec::new();
        }
    }
    let several = || kinds.iter().filter(|kind| kind.rows.len() >= LEAST_RUNS);
    // Of kinds with as much time, the first.
    let Some(main) = several().max_by_key(|kind| (kind.time, std::cmp::Reverse(kind.rows[0]))) else {
        return Vec::new();
    };
    let others = kinds.iter().filter(|kind| kind.rows.len() >= LEAST_OTHERS && kind.rows != main.rows);
    others.flat_map(|kind| &kind.rows).copied().collect()
}

/// Whether half of the nodes of both, which are in order, are in both.
fn are_alike(a: &[NodeId], b: &[NodeId]) -> bool {
    let both = a.iter().filter(|node| b.binary_search(node).is_ok()).count();
    both.saturating_mul(2) >= a.len() + b.len() - both
}
