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
                .any(|text| contains(trace.text(text), query))
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

/// Whether `text` contains `part`; the letters A to Z match in either case, as TensorFlow's names have no others.
pub fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let Some(&first) = part.first() else { return true };
    let starts = |&byte: &u8| byte.eq_ignore_ascii_case(&first);
    let last = text.len().saturating_sub(part.len() - 1);
    (0..last).filter(|&at| starts(&text[at])).any(|at| text[at..at + part.len()].eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn letters_match_in_either_case() {
        assert!(contains("net/Conv2D", "conv2d") && contains("net/Conv2D", "D") && contains("a", ""));
        assert!(contains("größe", "öß") && !contains("größe", "ÖSS"));
        assert!(!contains("ab", "abc") && !contains("", "a") && !contains("net/Conv2D", "conv3"));
    }
}
