//! Executions: which parts of a trace were recorded from the same run, so that their ops may have exchanged tensors.
//!
//! The parts of a step are one execution: its processes, or several messages about it. The exception is a step in which two parts
//! ran the same node on the same device. Two sessions that used a parameter server at the same time do that, and neither of them
//! used a tensor of the other.

use super::graph_links::GraphLinks;
use super::graph_of_part::graph_of_part;
use crate::base::ids::{DeviceId, OpId, PartId};
use crate::base::order;
use crate::base::pace::Pace;
use crate::steps::rule::{StepRule, Steps};
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How many times a search goes from the graphs of an execution to the graphs that have a name, and back. One or two times is
/// enough for any number of processes and steps. Only graphs constructed for that purpose alternate more often, and the bound keeps
/// them from costing n².
const MAX_HOPS: usize = 64;

/// The execution of each part, and the graphs of each execution.
#[derive(Default)]
pub struct Executions {
    /// The execution of each part.
    of_part: Vec<u32>,
    /// For each execution its row of `graphs`. Executions with the same graphs share a row.
    graphs_of: Vec<u32>,
    /// Lists of parts, sorted: the graphs of the parts in one list belong together.
    graphs: Vec<Vec<PartId>>,
}

/// The search for a node was stopped at [`MAX_HOPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GivenUp;

impl Executions {
    /// Finds the executions of `trace`, whose steps follow `rule`.
    pub(super) async fn found(trace: &Trace, rule: StepRule, links: &GraphLinks, pace: &Pace) -> Self {
        let parts = trace.parts().len();
        let steps = Steps::divided(trace, rule);
        let mut execution_of_step: Vec<Option<u32>> = vec![None; steps.rows().len()];
        let is_split = split_steps(trace, &steps, pace).await;
        let graph_of_part = graph_of_part(trace, links);
        let mut of_part = Vec::with_capacity(parts);
        let mut graphs: Vec<Vec<PartId>> = Vec::new();
        for part in (0..parts).map(PartId::from_usize) {
            let step = steps.of_part(part).filter(|&step| !is_split[step]);
            let known = step.and_then(|step| execution_of_step[step]);
            let execution = known.unwrap_or_else(|| {
                graphs.push(Vec::new());
                graphs.len() as u32 - 1
            });
            if let Some(step) = step {
                execution_of_step[step] = Some(execution);
            }
            of_part.push(execution);
            graphs[execution as usize].extend(graph_of_part[part.index()]);
        }
        if graphs.is_empty() {
            graphs.push(Vec::new());
        }
        Self::shared(of_part, graphs)
    }

    /// Builds the executions. `graphs` has the parts with the graphs of each execution, in any order.
    fn shared(of_part: Vec<u32>, graphs: Vec<Vec<PartId>>) -> Self {
        let mut executions = Self { of_part, ..Self::default() };
        let mut rows: HashMap<Vec<PartId>, u32, FixedState> = HashMap::default();
        for mut graph_parts in graphs {
            order::by_number(&mut graph_parts, |part| (i64::from(part.get()), 0));
            graph_parts.dedup();
            graph_parts.shrink_to_fit();
            let next = rows.len() as u32;
            let row = *rows.entry(graph_parts).or_insert_with_key(|graph_parts| {
                executions.graphs.push(graph_parts.clone());
                next
            });
            executions.graphs_of.push(row);
        }
        executions
    }

    /// The number of executions; at least one.
    pub fn len(&self) -> usize {
        self.graphs_of.len()
    }

    /// Always false: there is at least one execution.
    pub fn is_empty(&self) -> bool {
        self.graphs_of.is_empty()
    }

    /// The execution of `op`.
    #[inline]
    pub fn of_op(&self, trace: &Trace, op: OpId) -> u32 {
        if self.graphs_of.len() == 1 {
            return 0;
        }
        self.of_part.get(trace.ops().part(op).index()).copied().unwrap_or(0)
    }

    /// The parts whose graphs belong to `execution`, sorted.
    pub fn graphs(&self, execution: u32) -> &[PartId] {
        let row = self.graphs_of.get(execution as usize);
        row.and_then(|&row| self.graphs.get(row as usize)).map_or(&[], Vec::as_slice)
    }

    /// Whether two executions have the same graphs.
    pub(crate) fn have_same_graphs(&self, a: u32, b: u32) -> bool {
        self.graphs_of.get(a as usize) == self.graphs_of.get(b as usize)
    }

    /// For each graph the executions that it belongs to.
    pub(crate) fn by_graph(&self) -> ByGraph {
        let pairs = |rows: &mut dyn Iterator<Item = (u32, u32)>| {
            let mut pairs: Vec<(u32, u32)> = rows.collect();
            order::by_number(&mut pairs, |(key, row)| (i64::from(key), i64::from(row)));
            pairs
        };
        let parts = |(row, graphs): (usize, &Vec<PartId>)| {
            graphs.iter().map(move |part| (part.get(), row as u32)).collect::<Vec<_>>()
        };
        ByGraph {
            sets: pairs(&mut self.graphs.iter().enumerate().flat_map(parts)),
            executions: pairs(&mut self.graphs_of.iter().copied().zip(0..)),
        }
    }

    /// The first of `rows`, which must be in order of their parts, whose part has a graph of `execution`.
    pub(crate) fn first_of_graphs<'a, T>(
        &self,
        execution: u32,
        mut rows: &'a [T],
        part: impl Fn(&T) -> PartId,
    ) -> Result<Option<&'a T>, GivenUp> {
        let mut graphs = self.graphs(execution);
        for _ in 0..MAX_HOPS {
            let Some(&graph) = graphs.first() else { return Ok(None) };
            rows = &rows[rows.partition_point(|row| part(row) < graph)..];
            let Some(row) = rows.first() else { return Ok(None) };
            let wanted = part(row);
            graphs = &graphs[graphs.partition_point(|&graph| graph < wanted)..];
            if graphs.first() == Some(&wanted) {
                return Ok(Some(row));
            }
        }
        Err(GivenUp)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let graphs = self.graphs.iter().map(Vec::capacity).sum::<usize>() * size_of::<PartId>();
        (self.of_part.capacity() + self.graphs_of.capacity()) * size_of::<u32>()
            + self.graphs.capacity() * size_of::<Vec<PartId>>()
            + graphs
    }
}

/// The executions of each graph.
pub(crate) struct ByGraph {
    /// (part with the graph, row of `Executions::graphs`), sorted.
    sets: Vec<(u32, u32)>,
    /// (row of `Executions::graphs`, execution), sorted.
    executions: Vec<(u32, u32)>,
}

impl ByGraph {
    /// The executions that the graphs of `part` belong to.
    pub(crate) fn of(&self, part: PartId) -> impl Iterator<Item = u32> {
        equal(&self.sets, part.get())
            .iter()
            .flat_map(|&(_, set)| equal(&self.executions, set))
            .map(|own| own.1)
    }
}

/// The `pairs` whose first number is `key`. `pairs` must be sorted.
fn equal(pairs: &[(u32, u32)], key: u32) -> &[(u32, u32)] {
    let rest = &pairs[pairs.partition_point(|own| own.0 < key)..];
    &rest[..rest.partition_point(|own| own.0 == key)]
}

/// For each step whether two of its parts ran the same node on the same device.
async fn split_steps(trace: &Trace, steps: &Steps, pace: &Pace) -> Vec<bool> {
    let mut is_split = vec![false; steps.rows().len()];
    if steps.rows().iter().all(|step| step.parts.len() < 2) {
        return is_split;
    }
    // The step, device and part of the newest run of each node. Runs of one step on one device follow each other, or almost.
    let mut newest: Vec<Option<(usize, DeviceId, PartId)>> = vec![None; trace.nodes().len()];
    for device in trace.devices().ids() {
        pace.worked(trace.ops_of(device).len()).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(parts: impl IntoIterator<Item = usize>) -> Vec<PartId> {
        parts.into_iter().map(PartId::from_usize).collect()
    }

    #[test]
    fn many_graphs_are_searched_in_few_hops() {
        // 1,000 steps of 200 processes, one file after the other: the graphs of step 7, and those of process 150.
        let step = (0..200).map(|process| process * 1_000 + 7);
        let executions = Executions::shared(vec![], vec![parts(step.clone()), parts(step), parts([5])]);
        assert!(executions.have_same_graphs(0, 1) && !executions.have_same_graphs(1, 2));
        let many = parts((0..1_000).map(|step| 150_000 + step));
        let found = executions.first_of_graphs(1, &many, |&part| part).map(Option::<&PartId>::copied);
        assert_eq!(found, Ok(Some(PartId::from_usize(150_007))));
        assert_eq!(executions.first_of_graphs(2, &many, |&part| part), Ok(None));
    }

    #[test]
    fn graphs_that_alternate_are_given_up() {
        let executions = Executions::shared(vec![], vec![parts((0..1_000).step_by(2))]);
        let odd = parts((1..1_000).step_by(2));
        assert_eq!(executions.first_of_graphs(0, &odd, |&part| part), Err(GivenUp));
    }
}
