//! Search: which ops match a text, by name or op type.

use crate::Trace;
use crate::ids::{NodeId, OpId};
use crate::order;

/// The nodes that match: one flag a node, so that millions of ops of few nodes are quick to ask.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    nodes: Vec<bool>,
}

impl Matches {
    /// The nodes whose name or op type contains `query`, or whose label does for transfers (whose name says nothing);
    /// upper and lower case are the same. An empty query matches nothing.
    pub fn of(trace: &Trace, query: &str) -> Self {
        let query = query.to_lowercase();
        if query.is_empty() {
            return Self::default();
        }
        let nodes = trace.nodes();
        let is_match = |node: NodeId| {
            let label =
                (trace.text(nodes.name(node)) == trace.text(nodes.op_type(node))).then(|| nodes.label(node));
            [Some(nodes.name(node)), Some(nodes.op_type(node)), label]
                .into_iter()
                .flatten()
                .any(|text| contains(trace.text(text), &query))
        };
        Self { nodes: nodes.ids().map(is_match).collect() }
    }

    /// Whether `op` matches.
    #[inline]
    pub fn contains(&self, trace: &Trace, op: OpId) -> bool {
        self.nodes.get(trace.ops().node(op).index()).copied().unwrap_or(false)
    }

    /// Whether nothing is searched for.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The matching ops in order of start.
    pub fn ops(&self, trace: &Trace) -> Vec<OpId> {
        let mut ops: Vec<_> = trace.ops().ids().filter(|&op| self.contains(trace, op)).collect();
        order::by_number(&mut ops, |op| (trace.ops().start(op).0, 0));
        ops
    }
}

/// Whether `text`, in lower case, contains `lower`.
fn contains(text: &str, lower: &str) -> bool {
    if text.is_ascii() && lower.is_ascii() {
        let (text, lower) = (text.as_bytes(), lower.as_bytes());
        return text.windows(lower.len()).any(|window| window.eq_ignore_ascii_case(lower));
    }
    text.to_lowercase().contains(lower)
}
