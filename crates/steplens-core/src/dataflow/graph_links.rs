//! Graph links: for each node of the partition graphs the nodes that it takes its inputs from, and the nodes that use its outputs.

use crate::Trace;
use crate::base::ids::{GraphNodeId, PartId, StringId};
use crate::base::order;
use crate::model::graph::Graph;
use crate::model::label::InputRef;
use crate::storage::ranges::range;

/// The edges of all graphs, in both directions; built in time n log n.
#[derive(Default)]
pub struct GraphLinks {
    /// For each name, device and part the one node with this name; sorted. If the graphs of a part have two different nodes with
    /// one name, both are left out, because nothing says which of them ran.
    named: Vec<Named>,
    /// The node that makes each input, in the order of the graph's inputs.
    makers: Vec<Option<GraphNodeId>>,
    /// The users of node `i` are `users[first_user[i] .. first_user[i + 1]]`, each once, in the order of the graph.
    first_user: Vec<u32>,
    users: Vec<GraphNodeId>,
    /// (`Switch`, the first `Exit` that it feeds), sorted.
    exits: Vec<(GraphNodeId, GraphNodeId)>,
}

/// (name, device, node).
pub(super) type Named = (StringId, StringId, GraphNodeId);

impl GraphLinks {
    /// Links the graphs of `trace`.
    pub fn indexed(trace: &Trace) -> Self {
        let graph = trace.graph();
        let mut named: Vec<Named> =
            graph.ids().map(|node| (graph.name(node), graph.device(node), node)).collect();
        order::by_number(&mut named, key);
        let mut links = Self::default();
        for same in named.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let mut rest = same;
            while let Some(&first) = rest.first() {
                let part = graph.part_of(first.2);
                let (own, after) =
                    rest.split_at(rest.partition_point(|other| graph.part_of(other.2) <= part));
                if own.iter().all(|other| is_same(graph, first.2, other.2)) {
                    links.named.push(first);
                }
                rest = after;
            }
        }
        let mut makers = Vec::with_capacity(graph.input_count());
        for node in graph.ids() {
            let (part, device) = (graph.part_of(node), graph.device(node));
            let maker = |&input: &StringId| {
                let name = trace.strings().find(InputRef::parse(trace.text(input)).name)?;
                links.find(graph, part, name, device)
            };
            makers.extend(graph.inputs(node).iter().map(maker));
        }
        links.makers = makers;
        links.link_users(graph);
        links.find_exits(trace);
        links
    }

    fn find_exits(&mut self, trace: &Trace) {
        let kinds = ["Exit", "RefExit"].map(|kind| trace.strings().find(kind));
        if kinds.iter().all(Option::is_none) {
            return;
        }
        let graph = trace.graph();
        let mut exits = Vec::new();
        for &(.., node) in self.named.iter().filter(|&&(.., node)| kinds.contains(&Some(graph.op(node)))) {
            exits.extend(self.makers_of(graph, node).iter().flatten().map(|&switch| (switch, node)));
        }
        order::by_number(&mut exits, |(switch, exit)| (i64::from(switch.get()), i64::from(exit.get())));
        exits.dedup_by_key(|&mut (switch, _)| switch);
        exits.shrink_to_fit();
        self.exits = exits;
    }

    /// The first `Exit` node that takes the output of `switch` out of its loop.
    pub(super) fn exit_of(&self, switch: GraphNodeId) -> Option<GraphNodeId> {
        let place = self.exits.binary_search_by_key(&switch, |&(switch, _)| switch).ok()?;
        Some(self.exits[place].1)
    }

    fn link_users(&mut self, graph: &Graph) {
        let mut pairs: Vec<(GraphNodeId, GraphNodeId)> = Vec::with_capacity(self.makers.len());
        for &(_, _, node) in &self.named {
            pairs.extend(self.makers_of(graph, node).iter().flatten().map(|&maker| (maker, node)));
        }
        order::by_number(&mut pairs, |(maker, user)| (i64::from(maker.get()), i64::from(user.get())));
        pairs.dedup();
        self.first_user = vec![0; graph.len() + 1];
        for (maker, _) in &pairs {
            self.first_user[maker.index() + 1] += 1;
        }
        for node in 0..graph.len() {
            self.first_user[node + 1] += self.first_user[node];
        }
        self.users = pairs.into_iter().map(|(_, user)| user).collect();
    }

    /// The node called `name` on `device` in the graphs of `part`.
    pub(super) fn find(
        &self,
        graph: &Graph,
        part: PartId,
        name: StringId,
        device: StringId,
    ) -> Option<GraphNodeId> {
        let nodes = graph.of_part(part);
        let first = GraphNodeId::from_usize(nodes.start);
        let place = self.named.partition_point(|&other| other < (name, device, first));
        let &(other_name, other_device, node) = self.named.get(place)?;
        ((other_name, other_device) == (name, device) && nodes.contains(&node.index())).then_some(node)
    }

    /// The nodes called `name` on `device`, of all parts.
    pub(super) fn named(&self, name: StringId, device: StringId) -> &[Named] {
        let first = self.named.partition_point(|&(other, at, _)| (other, at) < (name, device));
        let same = &self.named[first..];
        &same[..same.partition_point(|&(other, at, _)| (other, at) == (name, device))]
    }

    /// The node that makes each input of `node`; `None` for an input that no node of the same device makes.
    pub fn makers_of(&self, graph: &Graph, node: GraphNodeId) -> &[Option<GraphNodeId>] {
        self.makers.get(graph.input_range(node)).unwrap_or_default()
    }

    /// The nodes that use an output of `node`.
    pub fn users_of(&self, node: GraphNodeId) -> &[GraphNodeId] {
        &self.users[range(&self.first_user, node.index())]
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.named.capacity() * size_of::<Named>()
            + (self.makers.capacity() + self.first_user.capacity() + self.users.capacity()) * 4
            + self.exits.capacity() * size_of::<(GraphNodeId, GraphNodeId)>()
    }
}

fn key((name, device, node): Named) -> (i64, i64) {
    (i64::from(name.get()) << 32 | i64::from(device.get()), i64::from(node.get()))
}

/// Whether two nodes do the same. Some files have the graphs of functions twice.
fn is_same(graph: &Graph, a: GraphNodeId, b: GraphNodeId) -> bool {
    graph.op(a) == graph.op(b) && graph.inputs(a) == graph.inputs(b)
}
