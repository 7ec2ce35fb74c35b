//! Which graphs belong to a part: its own graphs, or those of another part if the ops of the part are runs of their nodes.
//!
//! A run records its graphs only once: the steps after it have none. Graphs of another model, or of another version of the model,
//! fit none or only some of the ops.

use super::graph_links::GraphLinks;
use crate::base::ids::{DeviceId, NodeId, PartId};
use crate::model::label::{self, InputRef};
use crate::steps::rule::graphs_of_parts;
use crate::{Category, Trace};

/// For each part, the part whose graphs belong to it.
pub(super) fn graph_of_part(trace: &Trace, links: &GraphLinks) -> Vec<Option<PartId>> {
    let mut graphs = graphs_of_parts(trace);
    let is_lent = |(part, graph): (usize, &Option<PartId>)| graph.is_some_and(|graph| graph.index() != part);
    if !graphs.iter().enumerate().any(is_lent) {
        return graphs;
    }
    let mut fits = vec![Fit::default(); graphs.len()];
    // The result for each node, with the graphs it was compared with. Steps repeat their nodes.
    let mut found: Vec<Option<(PartId, DeviceId, NodeMatch)>> = vec![None; trace.nodes().len()];
    for device in trace.devices().ids() {
        for op in trace.ops_of(device).filter(|&op| trace.category(op) != Category::Communication) {
            let (part, node) = (trace.ops().part(op), trace.ops().node(op));
            let Some(graph) = graphs.get(part.index()).copied().flatten().filter(|graph| *graph != part)
            else {
                continue;
            };
            let own = match found[node.index()] {
                Some((other, at, own)) if (other, at) == (graph, device) => own,
                _ => look(trace, links, graph, device, node),
            };
            found[node.index()] = Some((graph, device, own));
            fits[part.index()].count(own);
        }
    }
    for (graph, fit) in graphs.iter_mut().zip(fits) {
        if !fit.holds() {
            *graph = None;
        }
    }
    graphs
}

/// How a node of the graph compares with the node of an op.
#[derive(Clone, Copy, PartialEq)]
enum NodeMatch {
    Same,
    /// The op type or the number of inputs differs.
    Other,
    /// The graph has no node of this name, or its inputs have other names. Labels have the names from before some nodes were
    /// merged.
    Unlike,
}

fn look(trace: &Trace, links: &GraphLinks, graph: PartId, device: DeviceId, node: NodeId) -> NodeMatch {
    let (nodes, device) = (trace.nodes(), trace.devices().get(device).name);
    let Some(known) = links.find(trace.graph(), graph, nodes.name(node), device) else {
        return NodeMatch::Unlike;
    };
    // Labels leave out control inputs.
    let said = label::inputs(trace.text(nodes.label(node))).filter(|input| !input.control);
    let inputs = trace.graph().inputs(known).iter().map(|&input| InputRef::parse(trace.text(input)));
    let (said, inputs): (Vec<_>, Vec<_>) = (said.collect(), inputs.filter(|input| !input.control).collect());
    if trace.graph().op(known) != nodes.op_type(node) || (!said.is_empty() && said.len() != inputs.len()) {
        return NodeMatch::Other;
    }
    if said.is_empty() || said == inputs { NodeMatch::Same } else { NodeMatch::Unlike }
}

/// How many ops of a part match the graphs.
#[derive(Clone, Copy, Default)]
struct Fit {
    same: u32,
    other: u32,
    unlike: u32,
}

impl Fit {
    fn count(&mut self, found: NodeMatch) {
        match found {
            NodeMatch::Same => self.same += 1,
            NodeMatch::Other => self.other += 1,
            NodeMatch::Unlike => self.unlike += 1,
        }
    }

    /// Whether no op contradicts the graphs and most ops match them, or there are no ops to compare.
    fn holds(self) -> bool {
        self.other == 0 && (self.unlike < self.same || self.same + self.unlike == 0)
    }
}
