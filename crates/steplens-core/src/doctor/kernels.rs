//! Kernels that were not recorded, and kernels that cannot have lasted so long.

use super::{Finding, FindingKind, about};
use crate::base::units::Timestamp;
use crate::gpu::captures::{captures, is_captured};
use crate::{Category, OpId, Trace};

/// Beginnings of what a call does that launches kernels, in lower case, after the name of the driver: `cudaLaunchKernel`,
/// `cuLaunchKernelEx`, `hipModuleLaunchKernel`, `cudaGraphLaunch`.
const LAUNCHES: [&str; 3] = ["launchkernel", "launchcooperativekernel", "graphlaunch"];
/// A kernel covers others if it lasts longer than at least this many later ones of its stream.
const COVERED: usize = 2;

/// Calls that launch kernels, if no kernel was recorded for at least half of them.
pub(super) fn without_kernels(trace: &Trace) -> Option<Finding> {
    let nodes = trace.nodes();
    let launches: Vec<bool> = nodes
        .ids()
        .map(|node| {
            let name = trace.text(nodes.name(node));
            nodes.category(node) == Category::Launch
                && crate::model::category::is_driver_call(name)
                && LAUNCHES.iter().any(|word| name.to_ascii_lowercase().contains(word))
        })
        .collect();
    if !launches.contains(&true) {
        return None;
    }
    let accelerators = trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator);
    let works = |op| !trace.nodes().is_range(trace.ops().node(op));
    if trace.calls().is_empty() && accelerators.flat_map(|id| trace.ops_of(id)).any(works) {
        // Some formats do not say which call launched which kernel.
        return None;
    }
    let mut has_kernel = vec![false; trace.ops().len()];
    trace.calls().iter().for_each(|&(_, call)| has_kernel[call.index()] = true);
    // What is captured as a graph does not run.
    let captures = captures(trace);
    let of = |op: &OpId| launches[trace.ops().node(*op).index()] && !is_captured(&captures, trace, *op);
    let all = trace.ops().ids().filter(of).count();
    let lost = || trace.ops().ids().filter(of).filter(|op| !has_kernel[op.index()]);
    if all == 0 || lost().count() * 2 < all {
        return None;
    }
    let last = lost().map(|op| trace.ops().end(op)).max();
    let kind = match last.is_some_and(|last| waits_after(trace, last)) {
        true => FindingKind::KernelsLost(all as u64),
        false => FindingKind::NoKernels(all as u64),
    };
    about(trace, kind, lost())
}

/// Whether a call waits for a GPU after `last`: then all that was launched has run.
fn waits_after(trace: &Trace, last: Timestamp) -> bool {
    let waits = |op: OpId| trace.category(op) == Category::Waiting && trace.is_call(op);
    trace.ops().ids().any(|op| trace.ops().start(op) >= last && waits(op))
}

/// Kernels that last until after later kernels of their stream, which runs one after the other.
pub(super) fn covering(trace: &Trace) -> Option<Finding> {
    let mut found: Vec<OpId> = Vec::new();
    // A graph's kernels are on the stream that launched it, whatever streams they run on.
    let mut by_graph = vec![false; if trace.calls().is_empty() { 0 } else { trace.ops().len() }];
    for &(kernel, call) in trace.calls() {
        by_graph[kernel.index()] = trace.op_name(call).to_ascii_lowercase().contains("graphlaunch");
    }
    for device in trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator) {
        let counts = |op: &OpId| {
            let is_kernel = matches!(trace.category(*op), Category::Compute | Category::Communication);
            is_kernel && by_graph.get(op.index()) == Some(&false) && trace.call_of(*op).is_some()
        };
        let mut newest: Vec<(u32, OpId, Timestamp, usize)> = Vec::new();
        for op in trace.ops_of(device).filter(counts) {
            let (thread, interval) = (trace.ops().thread(op), trace.ops().interval(op));
            match newest.iter_mut().find(|(other, ..)| *other == thread) {
                Some((_, long, end, covered)) if interval.end < *end && interval.start < *end => {
                    *covered += 1;
                    if *covered == COVERED {
                        found.push(*long);
                    }
                }
                Some(own) => *own = (thread, op, interval.end, 0),
                None => newest.push((thread, op, interval.end, 0)),
            }
        }
    }
    about(trace, FindingKind::CoveringKernels, found.into_iter())
}

/// Files that do not say their rank: their order tells them apart.
pub(super) fn unnamed_ranks(trace: &Trace) -> Option<Finding> {
    let mut files: Vec<u32> =
        trace.parts().iter().filter(|part| part.is_apart).map(|part| part.file).collect();
    files.dedup();
    if files.len() < 2 || trace.calls().is_empty() {
        return None;
    }
    let devices = trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator).collect();
    Some(Finding { kind: FindingKind::RanksUnnamed, count: files.len() as u64, ops: Vec::new(), devices })
}
