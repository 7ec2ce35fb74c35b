//! The graph node in one execution: if several graphs have the node, the first of them that ran.

use super::executions::{Executions, GivenUp};
use super::graph_links::{GraphLinks, Named};
use super::runs::ExecutionDevice;
use crate::Trace;
use crate::base::ids::{GraphNodeId, StringId};

impl GraphLinks {
    /// The graph node of ops called `name` at `place`.
    pub fn node(
        &self,
        trace: &Trace,
        executions: &Executions,
        name: StringId,
        at: ExecutionDevice,
    ) -> Option<GraphNodeId> {
        self.search(trace, executions, name, at).unwrap_or(None)
    }

    /// Like `node`, but also reports if the search was stopped at its bound.
    pub(super) fn search(
        &self,
        trace: &Trace,
        executions: &Executions,
        name: StringId,
        at: ExecutionDevice,
    ) -> Result<Option<GraphNodeId>, GivenUp> {
        let (graph, device) = (trace.graph(), trace.devices().get(at.device).name);
        if let &[only] = executions.graphs(at.execution) {
            return Ok(self.find(graph, only, name, device));
        }
        let same = self.named(name, device);
        let part = |&(.., node): &Named| graph.part_of(node);
        Ok(executions.first_of_graphs(at.execution, same, part)?.map(|&(.., node)| node))
    }
}
