//! When tensors were handed over to be sent: the start of the `_Send` node that a host profiler recorded, by the sender's clock.
//!
//! The executor does not record these nodes. The partition graphs say which `_Send` node sends a transfer, so only transfers that
//! were joined through graphs have this time.

use crate::base::ids::{OpId, StringId, TransferId};
use crate::base::order;
use crate::base::units::Timestamp;
use crate::host_profile::HostProfile;
use crate::makers::Edges;
use crate::transfers::InputKey;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// When the tensor of each transfer was handed over, where a host profiler recorded that.
#[derive(Default)]
pub struct HandedOver {
    /// (transfer, time), in the order of the transfers.
    times: Vec<(TransferId, Timestamp)>,
}

impl HandedOver {
    /// Finds the times of all transfers, in time n log n; costs nothing without a host profile.
    pub fn found(edges: Edges<'_>, host: &HostProfile) -> Self {
        let (trace, transfers) = (edges.trace, edges.transfers);
        let mut sends: HashMap<StringId, Vec<OpId>, FixedState> = HashMap::default();
        for (node, event) in host.sends(trace) {
            sends.entry(node).or_default().push(event);
        }
        if sends.is_empty() {
            return Self::default();
        }
        // One list may have events of several processes, out of order.
        let start = |event: OpId| trace.ops().start(event);
        sends.values_mut().for_each(|own| order::by_number(own, |event| (start(event).0, 0)));
        let time = |id: TransferId| {
            let (place, InputKey::GraphNode(receiver)) = transfers.input_of(id)? else { return None };
            let (sender, _) = transfers.sender(trace, edges.flow, place.execution, receiver)?;
            let events = sends.get(&trace.graph().name(sender))?;
            let transfer = transfers.get(id);
            let made = transfer.producer.ok()?;
            // A node in a loop, or in several steps, hands over once in each run: take the first time after the start of the
            // producer.
            let first = events
                .partition_point(|&event| start(event) + HostProfile::ROUNDING < trace.ops().start(made));
            let at = start(*events.get(first)?);
            let received = transfer.op.map(|op| trace.ops().end(op));
            received.is_none_or(|received| at <= received).then_some((id, at))
        };
        Self { times: transfers.all().filter_map(|(id, _)| time(id)).collect() }
    }

    /// When the tensor of a transfer was handed over, if that was recorded.
    pub fn get(&self, id: TransferId) -> Option<Timestamp> {
        let place = self.times.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(self.times[place].1)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.times.capacity() * size_of::<(TransferId, Timestamp)>()
    }
}
