//! Which graphs hold for a part: its own, or those that another part brought, if its ops are runs of their nodes.
//!
//! A run records its graphs once: the steps after it have none. Graphs of another model, or of another version of it, fit no op, or not all.

use super::graph_links::GraphLinks;
use crate::base::ids::{DeviceId, NodeId, PartId};
use crate::model::label::{self, InputRef};
use crate::steps::rule::graphs_of_parts;
use crate::{Category, Trace};

/// For every part the one whose graphs hold for it.
pub(super) fn graph_of_part(trace: &Trace, links: &GraphLinks) -> Vec<Option<PartId>> {
    let mut graphs = graphs_of_parts(trace);
    let is_lent = |(part, graph): (usize, &Option<PartId>)| graph.is_some_and(|graph| graph.index() != part);
    if !graphs.iter().enumerate().any(is_lent) {
        return graphs;
    }
    let mut fits = vec![Fit::default(); graphs.len()];
    // What was found of a node, with whose graphs. Steps repeat their nodes.
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

/// What a graph says of a node.
#[derive(Clone, Copy, PartialEq)]
enum NodeMatch {
    Same,
    /// Another op type, or another number of values.
    Other,
    /// Its name is not there, or its inputs have other names. Labels have the names from before some nodes were merged.
    Unlike,
}

fn look(trace: &Trace, links: &GraphLinks, graph: PartId, device: DeviceId, node: NodeId) -> NodeMatch {
    let (nodes, device) = (trace.nodes(), trace.devices().get(device).name);
    let Some(known) = links.find(trace.graph(), graph, nodes.name(node), device) else {
        return NodeMatch::Unlike;
    };
    // Labels leave orders out.
    let said = label::inputs(trace.text(nodes.label(node))).filter(|input| !input.control);
    let inputs = trace.graph().inputs(known).iter().map(|&input| InputRef::parse(trace.text(input)));
    let (said, inputs): (Vec<_>, Vec<_>) = (said.collect(), inputs.filter(|input| !input.control).collect());
    if trace.graph().op(known) != nodes.op_type(node) || (!said.is_empty() && said.len() != inputs.len()) {
        return NodeMatch::Other;
    }
    if said.is_empty() || said == inputs { NodeMatch::Same } else { NodeMatch::Unlike }
}

/// How many ops of a part the graphs know.
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

    /// Whether no op contradicts the graphs, and they know most; or there is no op to tell.
    fn holds(self) -> bool {
        self.other == 0 && (self.unlike < self.same || self.same + self.unlike == 0)
    }
}
