//! Label links: which names the labels of ops give for their inputs, for ops that stand in no graph.

use super::DataFlow;
use crate::Trace;
use crate::ids::{NodeId, StringId};
use crate::label;
use crate::order;

/// Who names what, as (name of an input, row of the name of a node that has it); sorted, without repeats.
#[derive(Default)]
pub struct LabelLinks {
    /// As the labels have it.
    users: Vec<(StringId, u32)>,
    /// Without the suffix that the partitioner put after a name where it cut the edge.
    cut_users: Vec<(StringId, u32)>,
}

impl LabelLinks {
    /// Reads the labels of those nodes of which `flow` finds an op in no graph.
    pub(super) fn of(trace: &Trace, flow: &DataFlow) -> Self {
        let mut links = Self::default();
        let is_read = nodes_in_no_graph(trace, flow);
        let nodes = trace.nodes();
        for node in nodes.ids().filter(|node| is_read[node.index()]) {
            let Some(user) = flow.runs.row(nodes.name(node)) else { continue };
            for input in label::inputs(trace.text(nodes.label(node))) {
                // A name that no string of the trace equals was never a node's.
                let find = |name: &str| trace.strings().find(name).map(|name| (name, user));
                links.users.extend(find(input.name));
                links.cut_users.extend(label::without_partition_suffix(input.name).and_then(find));
            }
        }
        for table in [&mut links.users, &mut links.cut_users] {
            order::by_number(table, |(name, user)| (i64::from(name.get()), i64::from(user)));
            table.dedup();
        }
        links
    }

    /// The rows of the names whose labels have `name` among their inputs.
    pub fn users(&self, name: StringId) -> &[(StringId, u32)] {
        equal(&self.users, name)
    }

    /// The rows of the names whose labels have `base` with a partitioner's suffix among their inputs.
    pub fn cut_users(&self, base: StringId) -> &[(StringId, u32)] {
        equal(&self.cut_users, base)
    }

    /// All (base, user).
    pub(crate) fn cut(&self) -> &[(StringId, u32)] {
        &self.cut_users
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.users.capacity() + self.cut_users.capacity()) * size_of::<(StringId, u32)>()
    }
}

/// By node: whether one of its ops stands in no graph.
fn nodes_in_no_graph(trace: &Trace, flow: &DataFlow) -> Vec<bool> {
    if trace.graph().is_empty() {
        return vec![true; trace.nodes().len()];
    }
    let mut is_read = vec![false; trace.nodes().len()];
    for name in 0..flow.runs.len() as u32 {
        // Runs at one place share their answer.
        let mut before = None;
        for &op in flow.runs.of_name(name) {
            let node: NodeId = trace.ops().node(op);
            if is_read[node.index()] {
                continue;
            }
            let place = flow.place_near(trace, op, before.map(|(place, _)| place));
            let is_in_graph = match before {
                Some((other, answer)) if flow.has_same_graphs(other, place) => answer,
                _ => flow.graph.node(trace, &flow.executions, flow.runs.name(name), place).is_some(),
            };
            before = Some((place, is_in_graph));
            is_read[node.index()] = !is_in_graph;
        }
    }
    is_read
}

fn equal(table: &[(StringId, u32)], name: StringId) -> &[(StringId, u32)] {
    let first = table.partition_point(|&(other, _)| other < name);
    let count = table[first..].partition_point(|&(other, _)| other == name);
    &table[first..first + count]
}
