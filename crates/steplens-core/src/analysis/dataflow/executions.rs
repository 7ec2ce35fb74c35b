//! Executions: which parts of what was opened were recorded of one and the same run, so that their ops may have exchanged tensors.
//!
//! The parts of a step are one execution: its processes, or several messages about it. Unless two of them ran the same node on the
//! same device: two sessions that used a parameter server at the same time did so, and neither used what the other made.

use super::graph_links::GraphLinks;
use super::graph_of_part::graph_of_part;
use crate::analysis::steps::{StepRule, Steps};
use crate::ids::{DeviceId, OpId, PartId};
use crate::{Category, Trace};

/// How many graphs one execution has at most: one for each of its processes, or one for all. Each is looked at for every name.
const MAX_GRAPHS: usize = 64;

/// Which execution each part is of, and the graphs of each.
#[derive(Default)]
pub struct Executions {
    /// By part.
    of_part: Vec<u32>,
    /// By execution: the parts whose graphs hold for it.
    graphs: Vec<Vec<PartId>>,
}

impl Executions {
    /// The executions of `trace`, whose steps are made by `rule`.
    pub fn of(trace: &Trace, rule: StepRule, links: &GraphLinks) -> Self {
        let parts = trace.parts().len();
        let steps = Steps::of(trace, rule);
        let mut execution_of_step: Vec<Option<u32>> = vec![None; steps.rows().len()];
        let is_split = split_steps(trace, &steps);
        let graph_of_part = graph_of_part(trace, links);
        let mut executions = Self { of_part: Vec::with_capacity(parts), graphs: Vec::new() };
        for part in (0..parts).map(PartId::from_usize) {
            let step = steps.of_part(part).filter(|&step| !is_split[step]);
            let known = step.and_then(|step| execution_of_step[step]);
            let execution = known.unwrap_or_else(|| {
                executions.graphs.push(Vec::new());
                executions.graphs.len() as u32 - 1
            });
            if let Some(step) = step {
                execution_of_step[step] = Some(execution);
            }
            executions.of_part.push(execution);
            let graphs = &mut executions.graphs[execution as usize];
            let graph = graph_of_part[part.index()].filter(|graph| graphs.last() != Some(graph));
            graphs.extend(graph.filter(|_| graphs.len() < MAX_GRAPHS));
        }
        if executions.graphs.is_empty() {
            executions.graphs.push(Vec::new());
        }
        executions
    }

    /// How many there are; at least one.
    pub fn len(&self) -> usize {
        self.graphs.len()
    }

    /// Whether there is none: never.
    pub fn is_empty(&self) -> bool {
        self.graphs.is_empty()
    }

    /// The execution that `op` is of.
    #[inline]
    pub fn of_op(&self, trace: &Trace, op: OpId) -> u32 {
        if self.graphs.len() == 1 {
            return 0;
        }
        self.of_part.get(trace.ops().part(op).index()).copied().unwrap_or(0)
    }

    /// The parts whose graphs hold for `execution`.
    pub fn graphs(&self, execution: u32) -> &[PartId] {
        self.graphs.get(execution as usize).map_or(&[], Vec::as_slice)
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let graphs = self.graphs.iter().map(Vec::capacity).sum::<usize>() * size_of::<PartId>();
        self.of_part.capacity() * size_of::<u32>()
            + self.graphs.capacity() * size_of::<Vec<PartId>>()
            + graphs
    }
}

/// For every step whether two of its parts ran one node on one device.
fn split_steps(trace: &Trace, steps: &Steps) -> Vec<bool> {
    let mut is_split = vec![false; steps.rows().len()];
    if steps.rows().iter().all(|step| step.parts.len() < 2) {
        return is_split;
    }
    // The step, device and part of the newest run of every node. Runs of one step on one device follow each other, or nearly.
    let mut newest: Vec<Option<(usize, DeviceId, PartId)>> = vec![None; trace.nodes().len()];
    for device in trace.devices().ids() {
        for op in trace.ops_of(device) {
            let (node, part) = (trace.ops().node(op), trace.ops().part(op));
            let Some(step) = steps.of_part(part).filter(|_| trace.category(op) != Category::Communication)
            else {
                continue;
            };
            if let Some((other_step, other_device, other_part)) =
                newest[node.index()].replace((step, device, part))
            {
                is_split[step] |= (other_step, other_device) == (step, device) && other_part != part;
            }
        }
    }
    is_split
}
