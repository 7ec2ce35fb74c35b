//! A topological order of the graph. Damaged graphs have circles: an edge that closes one is cut and counted.

use super::graph::ExecutionGraph;

/// All nodes of `graph`, each after its causes. Cuts the edges that close a circle. Uses no recursion, because a step may be a
/// chain of all its ops.
pub fn in_order(graph: &mut ExecutionGraph) -> Vec<u32> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let count = graph.nodes.len();
    let mut state = vec![NEW; count];
    let mut sorted = Vec::with_capacity(count);
    // Nodes whose causes are not all placed yet, each with the next edge to follow.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for root in 0..count as u32 {
        if state[root as usize] != NEW {
            continue;
        }
        state[root as usize] = OPEN;
        open.push((root, graph.edges_of(root).start as u32));
        while let Some((node, place)) = open.last_mut() {
            let (node, edge) = (*node, *place as usize);
            if edge == graph.edges_of(node).end {
                state[node as usize] = DONE;
                sorted.push(node);
                open.pop();
                continue;
            }
            *place += 1;
            let (from, kind) = graph.edge(edge);
            if !kind.is_dependency() {
                continue;
            }
            match state[from as usize] {
                NEW => {
                    state[from as usize] = OPEN;
                    open.push((from, graph.edges_of(from).start as u32));
                }
                OPEN => graph.cut(edge),
                _ => {}
            }
        }
    }
    sorted
}
