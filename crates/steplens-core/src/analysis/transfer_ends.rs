//! The ends of transfers in the partition graphs: which node sends and which one receives under a rendezvous key.

use crate::Trace;
use crate::analysis::dataflow::DataFlow;
use crate::analysis::dataflow::executions::Executions;
use crate::graph::{End, Rendezvous};
use crate::ids::{GraphNodeId, PartId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A rendezvous key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) tensor: StringId,
    pub(crate) source: StringId,
    pub(crate) destination: StringId,
}

impl Key {
    pub(crate) fn of(meeting: &Rendezvous) -> Self {
        Self { tensor: meeting.tensor, source: meeting.source, destination: meeting.destination }
    }
}

/// The sending and receiving nodes of the graphs, by part and key.
#[derive(Default)]
pub(crate) struct Ends {
    nodes: HashMap<(PartId, Key), [Option<GraphNodeId>; 2], FixedState>,
}

impl Ends {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut ends = Self::default();
        for meeting in trace.graph().rendezvous() {
            let key = (trace.graph().part_of(meeting.node), Key::of(meeting));
            ends.nodes.entry(key).or_default()[meeting.end as usize].get_or_insert(meeting.node);
        }
        ends
    }

    fn find(&self, executions: &Executions, execution: u32, key: Key, end: End) -> Option<GraphNodeId> {
        let graphs = executions.graphs(execution).iter();
        graphs.filter_map(|&part| self.nodes.get(&(part, key))).find_map(|nodes| nodes[end as usize])
    }

    /// The node that sends under `key`.
    pub(crate) fn sender(&self, executions: &Executions, execution: u32, key: Key) -> Option<GraphNodeId> {
        self.find(executions, execution, key, End::Send)
    }

    /// The node that receives under `key`.
    pub(crate) fn receiver(&self, executions: &Executions, execution: u32, key: Key) -> Option<GraphNodeId> {
        self.find(executions, execution, key, End::Recv)
    }

    /// The keys whose ends are devices of one task, with the receiving node and the one whose output is sent; in the graph's order.
    pub(crate) fn silent(&self, trace: &Trace, flow: &DataFlow) -> Vec<(Key, GraphNodeId, GraphNodeId)> {
        let task = |device: StringId| {
            let device = trace.devices().by_name(device)?;
            trace.devices().get(device).task
        };
        let mut found = Vec::new();
        for meeting in trace.graph().rendezvous().iter().filter(|meeting| meeting.end == End::Recv) {
            let key = Key::of(meeting);
            if task(key.source).is_none() || task(key.source) != task(key.destination) {
                continue;
            }
            let ends =
                self.nodes.get(&(trace.graph().part_of(meeting.node), key)).copied().unwrap_or_default();
            let [Some(sender), Some(receiver)] = ends else { continue };
            let maker = flow.graph.makers_of(trace.graph(), sender).first().copied().flatten();
            found.extend(maker.filter(|_| receiver == meeting.node).map(|maker| (key, receiver, maker)));
        }
        found
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.nodes.allocation_size()
    }
}
