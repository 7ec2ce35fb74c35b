//! Who came last to a collective: until then the others only waited for it, so the path goes on with what the last one did.

use super::nodes::Nodes;
use crate::base::order;
use crate::collectives::Collectives;

/// The nodes that waited for another participant of their collective.
#[derive(Default)]
pub(super) struct Arrivals {
    /// (the node that waited, the node of the participant that came last), in order of the first.
    rows: Vec<(u32, u32)>,
}

impl Arrivals {
    /// Reads the last arrivals from `collectives`. An op that ends before the last one comes did not wait for it: then its collective says
    /// nothing.
    pub(super) fn read(nodes: &Nodes, collectives: &Collectives) -> Self {
        let mut rows = Vec::new();
        for own in &collectives.rows {
            let Some(last) = own.last.and_then(|(op, _)| nodes.of_op(op)) else { continue };
            let arrived = nodes.interval(last).start;
            let participants = &collectives.participants[own.participants.clone()];
            let each = || participants.iter().map(|own| nodes.of_op(own.op));
            if each().all(|node| node.is_some_and(|node| nodes.interval(node).end > arrived)) {
                let waited = |&node: &u32| nodes.interval(node).start < arrived;
                rows.extend(each().flatten().filter(waited).map(|node| (node, last)));
            }
        }
        order::by_number(&mut rows, |(node, _)| (i64::from(node), 0));
        rows.shrink_to_fit();
        Self { rows }
    }

    /// The participant that `node` waited for after it had begun.
    pub(super) fn last(&self, node: u32) -> Option<u32> {
        let row = self.rows.binary_search_by_key(&node, |&(own, _)| own).ok()?;
        Some(self.rows[row].1)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<(u32, u32)>()
    }
}
