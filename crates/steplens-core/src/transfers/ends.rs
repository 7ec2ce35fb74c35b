//! The ends of transfers in the partition graphs: the node that sends and the node that receives under a rendezvous key.

use crate::Trace;
use crate::base::ids::{GraphNodeId, PartId, StringId};
use crate::dataflow::DataFlow;
use crate::dataflow::executions::{Executions, GivenUp};
use crate::model::graph::{End, Rendezvous};
use crate::storage::ranges::range;
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

/// The sending and receiving nodes of the graphs, by key and part.
#[derive(Default)]
pub(crate) struct Ends {
    /// For each key its row of `first`.
    rows: HashMap<Key, u32, FixedState>,
    /// For each end: the nodes of a key are those from `first[row]` to `first[row + 1]`, in order of part.
    sides: [Side; 2],
}

/// The nodes at one end of each rendezvous.
#[derive(Default)]
struct Side {
    first: Vec<u32>,
    nodes: Vec<(PartId, GraphNodeId)>,
}

impl Side {
    fn indexed(trace: &Trace, rows: &HashMap<Key, u32, FixedState>, end: End) -> Self {
        let graph = trace.graph();
        let meetings = || graph.rendezvous().iter().filter(|meeting| meeting.end == end);
        let row = |meeting: &Rendezvous| rows.get(&Key::of(meeting)).map_or(0, |&row| row as usize);
        let mut first = vec![0; rows.len() + 1];
        meetings().for_each(|meeting| first[row(meeting) + 1] += 1);
        for row in 0..rows.len() {
            first[row + 1] += first[row];
        }
        let mut next = first.clone();
        let mut nodes = vec![(PartId::new(0), GraphNodeId::new(0)); meetings().count()];
        for meeting in meetings() {
            let place = &mut next[row(meeting)];
            nodes[*place as usize] = (graph.part_of(meeting.node), meeting.node);
            *place += 1;
        }
        Self { first, nodes }
    }

    fn of_key(&self, row: u32) -> &[(PartId, GraphNodeId)] {
        &self.nodes[range(&self.first, row as usize)]
    }
}

impl Ends {
    pub(crate) fn indexed(trace: &Trace) -> Self {
        let mut rows: HashMap<Key, u32, FixedState> = HashMap::default();
        for meeting in trace.graph().rendezvous() {
            let next = rows.len() as u32;
            rows.entry(Key::of(meeting)).or_insert(next);
        }
        let sides = [End::Send, End::Recv].map(|end| Side::indexed(trace, &rows, end));
        Self { rows, sides }
    }

    /// All nodes at this end of `key`, in order of part.
    fn nodes(&self, key: Key, end: End) -> &[(PartId, GraphNodeId)] {
        self.rows.get(&key).map_or(&[], |&row| self.sides[end as usize].of_key(row))
    }

    fn find(
        &self,
        executions: &Executions,
        execution: u32,
        key: Key,
        end: End,
    ) -> Result<Option<GraphNodeId>, GivenUp> {
        let found = executions.first_of_graphs(execution, self.nodes(key, end), |&(part, _)| part)?;
        Ok(found.map(|&(_, node)| node))
    }

    /// The node that sends under `key`.
    pub(crate) fn sender(&self, executions: &Executions, execution: u32, key: Key) -> Option<GraphNodeId> {
        self.find(executions, execution, key, End::Send).unwrap_or(None)
    }

    /// The node that receives under `key`.
    pub(crate) fn receiver(&self, executions: &Executions, execution: u32, key: Key) -> Option<GraphNodeId> {
        self.find(executions, execution, key, End::Recv).unwrap_or(None)
    }

    /// Whether the search for one of the ends was stopped at its bound.
    pub(crate) fn is_given_up(&self, executions: &Executions, execution: u32, key: Key) -> bool {
        [End::Send, End::Recv].into_iter().any(|end| self.find(executions, execution, key, end).is_err())
    }

    /// The keys whose two ends are devices of one task, each with the receiving node and the node whose output is sent; in the
    /// order of the graph.
    pub(crate) fn unrecorded(&self, trace: &Trace, flow: &DataFlow) -> Vec<(Key, GraphNodeId, GraphNodeId)> {
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
            let part = trace.graph().part_of(meeting.node);
            let of_part = |end| {
                let nodes = self.nodes(key, end);
                let place = nodes.partition_point(|&(other, _)| other < part);
                nodes.get(place).filter(|&&(other, _)| other == part).map(|&(_, node)| node)
            };
            let (Some(sender), Some(receiver)) = (of_part(End::Send), of_part(End::Recv)) else { continue };
            let maker = flow.graph.makers_of(trace.graph(), sender).first().copied().flatten();
            found.extend(maker.filter(|_| receiver == meeting.node).map(|maker| (key, receiver, maker)));
        }
        found
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let sides = self.sides.iter().map(|side| {
            side.first.capacity() * size_of::<u32>()
                + side.nodes.capacity() * size_of::<(PartId, GraphNodeId)>()
        });
        self.rows.allocation_size() + sides.sum::<usize>()
    }
}
