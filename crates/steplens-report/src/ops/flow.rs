//! Where an op's data came from and where it went, several hops in both directions.

use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::questions::flow;
use steplens_core::{OpId, Study};

/// The edges that lead to `op` and from it, within `hops` hops; `None` if the trace has no such op.
pub fn flow(study: &Study, op: OpId, hops: u32) -> Option<String> {
    /// An edge: one op used an output of another. A transfer is an op on the way from producer to consumers.
    #[derive(Serialize)]
    struct FlowEdge {
        from: OpRef,
        to: OpRef,
        /// -1 for edges from a direct producer, -2 from a producer of these, and so on; 1 for edges to a direct consumer, 2 to a
        /// consumer of these, and so on.
        hop: i32,
        /// Whether one of the two is a transfer.
        transfer: bool,
        /// When the call was made by which `from` launched `to`, if that was recorded: `from` may continue while `to` runs.
        called_ns: Option<i64>,
    }
    #[derive(Serialize)]
    struct Flow {
        /// The edges, each once, the nearest first.
        edges: Vec<FlowEdge>,
        /// Whether there are more than the 2,000 edges that are listed.
        truncated: bool,
    }
    if op.index() >= study.trace().ops().len() {
        return None;
    }
    let flow = flow::Flow::around(study, op, hops);
    let edge = |edge: &flow::Edge| FlowEdge {
        from: OpRef::of(study, edge.from),
        to: OpRef::of(study, edge.to),
        hop: edge.hop,
        transfer: edge.is_transfer,
        called_ns: edge.called.map(|called| called.0),
    };
    Some(text(&Flow { edges: flow.edges.iter().map(edge).collect(), truncated: flow.is_truncated }))
}
