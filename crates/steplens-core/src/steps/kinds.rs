//! Runs of different graphs: a program that runs one graph for its input and another one for its model has no steps of one kind, and what is
//! usual of both together is usual of none. Two runs are of one kind if half of the nodes that either has are in both. The kind with most of
//! the time, of at least three runs, is what the steps are; the others are listed, and are none.

use super::rule::Steps;
use crate::base::units::Nanos;
use crate::model::part::Part;
use crate::{NodeId, Trace};

/// So many runs of a kind make it one.
const LEAST_RUNS: usize = 3;
/// With more kinds than this, nothing is said of them.
const MOST_KINDS: usize = 8;

/// A kind of runs.
struct Kind {
    /// The nodes of its first run, in order.
    nodes: Vec<NodeId>,
    rows: Vec<usize>,
    time: Nanos,
}

/// Marks the rows of `steps` that are runs of another graph.
pub(super) fn leave_out_others(trace: &Trace, steps: &mut Steps) {
    let is_run = |part: &Part| part.ops > 0;
    if steps.rows().len() <= LEAST_RUNS
        || trace.parts().iter().filter(|part| is_run(part)).count() <= LEAST_RUNS
    {
        return;
    }
    let mut of_row: Vec<Vec<NodeId>> = vec![Vec::new(); steps.rows().len()];
    for op in trace.ops().ids().take(trace.counted_ops()) {
        let row = steps.of_part(trace.ops().part(op)).and_then(|row| of_row.get_mut(row));
        row.into_iter().for_each(|row| row.push(trace.ops().node(op)));
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for (row, mut nodes) in of_row.into_iter().enumerate() {
        let step = &steps.rows()[row];
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
            return;
        }
    }
    let several = || kinds.iter().filter(|kind| kind.rows.len() >= LEAST_RUNS);
    // Of kinds with as much time, the first.
    let Some(main) = several().max_by_key(|kind| (kind.time, std::cmp::Reverse(kind.rows[0]))) else {
        return;
    };
    let is_main = |row: usize| main.rows.binary_search(&row).is_ok();
    let others: Vec<usize> =
        kinds.iter().flat_map(|kind| &kind.rows).copied().filter(|&row| !is_main(row)).collect();
    for row in others {
        steps.rows[row].is_before = true;
    }
}

/// Whether half of the nodes of both, which are in order, are in both.
fn are_alike(a: &[NodeId], b: &[NodeId]) -> bool {
    let both = a.iter().filter(|node| b.binary_search(node).is_ok()).count();
    both.saturating_mul(2) >= a.len() + b.len() - both
}
