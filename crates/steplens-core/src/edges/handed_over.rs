//! When tensors were handed over to be sent: the start of the `_Send` node that a host profiler recorded, on the sender's clock.
//!
//! The executor does not record these nodes. The partition graphs say which of them sends a transfer, so that only transfers that are
//! joined through graphs have the time.

use super::Edges;
use crate::base::ids::{OpId, StringId, TransferId};
use crate::base::order;
use crate::base::units::Timestamp;
use crate::host_profile::HostProfile;
use crate::transfers::InputKey;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// When the tensor of each transfer was handed over, where a host profiler recorded it.
#[derive(Default)]
pub struct HandedOver {
    /// (transfer, when), in the order of the transfers.
    times: Vec<(TransferId, Timestamp)>,
}

impl HandedOver {
    /// Of all transfers, in time n log n; empty at no cost without a host profile.
    pub fn of(edges: Edges<'_>, host: &HostProfile) -> Self {
        let (trace, transfers) = (edges.trace, edges.transfers);
        let mut sends: HashMap<StringId, Vec<OpId>, FixedState> = HashMap::default();
        for (node, event) in host.sends(trace) {
            sends.entry(node).or_default().push(event);
        }
        if sends.is_empty() {
            return Self::default();
        }
        // Events of several processes may be in one list, and out of order.
        let start = |event: OpId| trace.ops().start(event);
        sends.values_mut().for_each(|own| order::by_number(own, |event| (start(event).0, 0)));
        let time = |id: TransferId| {
            let (place, InputKey::GraphNode(receiver)) = transfers.input_of(id)? else { return None };
            let (sender, _) = transfers.sender(trace, edges.flow, place.execution, receiver)?;
            let events = sends.get(&trace.graph().name(sender))?;
            let transfer = transfers.get(id);
            let made = transfer.producer.ok()?;
            // A loop, or another step, hands over once a run: the first time after the producer had started.
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

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.times.capacity() * size_of::<(TransferId, Timestamp)>()
    }
}
