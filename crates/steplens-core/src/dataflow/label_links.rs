//! Label links: the names that the labels of ops give for their inputs. Used for ops that are in no graph.

use super::DataFlow;
use crate::Trace;
use crate::base::ids::{NodeId, StringId};
use crate::base::order;
use crate::base::pace::Pace;
use crate::model::label;
use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hash, Hasher};

/// Which label has which name among its inputs, as (name of the input, row of the name of the node with the label); sorted, without
/// repeats.
#[derive(Default)]
pub struct LabelLinks {
    /// The names of the inputs as they are in the labels.
    users: Vec<(StringId, u32)>,
    /// The names without the suffix that the partitioner adds where it cuts an edge.
    cut_users: Vec<(StringId, u32)>,
    /// The rows of the names whose labels differ in their inputs, sorted.
    differing: Vec<u32>,
}

impl LabelLinks {
    /// Reads the labels of nodes with an op that `flow` finds in no graph. Also returns the number of ops for which the search was
    /// stopped at its bound.
    pub(super) async fn indexed(trace: &Trace, flow: &DataFlow, pace: &Pace) -> (Self, u64) {
        let mut links = Self::default();
        let (is_read, given_up) = nodes_in_no_graph(trace, flow, pace).await;
        let nodes = trace.nodes();
        // For each name a hash of the inputs in its first label.
        let mut inputs_of: Vec<Option<u64>> = vec![None; flow.runs.len()];
        for node in nodes.ids().filter(|node| is_read[node.index()]) {
            let Some(user) = flow.runs.row(nodes.name(node)) else { continue };
            let mut hasher = FixedState::default().build_hasher();
            for input in label::inputs(trace.text(nodes.label(node))) {
                (input.name, input.slot, input.control).hash(&mut hasher);
                // A name that is not among the strings of the trace is not the name of any node.
                let find = |name: &str| trace.strings().find(name).map(|name| (name, user));
                links.users.extend(find(input.name));
                links.cut_users.extend(label::without_partition_suffix(input.name).and_then(find));
            }
            let own = hasher.finish();
            if *inputs_of[user as usize].get_or_insert(own) != own {
                links.differing.push(user);
            }
        }
        order::by_number(&mut links.differing, |name| (i64::from(name), 0));
        links.differing.dedup();
        for table in [&mut links.users, &mut links.cut_users] {
            order::by_number(table, |(name, user)| (i64::from(name.get()), i64::from(user)));
            table.dedup();
        }
        (links, given_up)
    }

    /// The rows of the names whose labels have `name` among their inputs.
    pub fn users(&self, name: StringId) -> &[(StringId, u32)] {
        equal(&self.users, name)
    }

    /// The rows of the names whose labels have an input that is `base` with the suffix of a partitioner.
    pub fn cut_users(&self, base: StringId) -> &[(StringId, u32)] {
        equal(&self.cut_users, base)
    }

    /// Whether the labels of the name in row `name` differ in their inputs.
    pub(crate) fn differ(&self, name: u32) -> bool {
        self.differing.binary_search(&name).is_ok()
    }

    /// All (base, user) pairs.
    pub(crate) fn cut(&self) -> &[(StringId, u32)] {
        &self.cut_users
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.users.capacity() + self.cut_users.capacity()) * size_of::<(StringId, u32)>()
            + self.differing.capacity() * size_of::<u32>()
    }
}

/// For each node whether one of its ops is in no graph; and the number of ops for which the search for the node was stopped at its
/// bound.
async fn nodes_in_no_graph(trace: &Trace, flow: &DataFlow, pace: &Pace) -> (Vec<bool>, u64) {
    if trace.graph().is_empty() {
        return (vec![true; trace.nodes().len()], 0);
    }
    let mut is_read = vec![false; trace.nodes().len()];
    let mut given_up = 0;
    for name in 0..flow.runs.len() as u32 {
        pace.worked(flow.runs.of_name(name).len()).await;
        // Runs at one place have the same answer.
        let mut before = None;
        for &op in flow.runs.of_name(name) {
            let node: NodeId = trace.ops().node(op);
            let place = flow.place_near(trace, op, before.map(|(place, _)| place));
            let found = match before {
                Some((other, found)) if flow.has_same_graphs(other, place) => found,
                _ => flow.graph.search(trace, &flow.executions, flow.runs.name(name), place),
            };
            before = Some((place, found));
            is_read[node.index()] |= !matches!(found, Ok(Some(_)));
            given_up += u64::from(found.is_err());
        }
    }
    (is_read, given_up)
}

fn equal(table: &[(StringId, u32)], name: StringId) -> &[(StringId, u32)] {
    let first = table.partition_point(|&(other, _)| other < name);
    let count = table[first..].partition_point(|&(other, _)| other == name);
    &table[first..first + count]
}
