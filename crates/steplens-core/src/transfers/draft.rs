//! A draft of all transfers: those that ops recorded, and those that only graphs or names imply; as rows until they are joined.

use super::ends::{Ends, Key};
use super::inputs::{Inputs, input_key, pair};
use super::{InputKey, Join, Transfer};
use crate::base::ids::{NodeId, OpId, StringId};
use crate::base::order;
use crate::base::pace::{Pace, STRIDE};
use crate::base::units::Bytes;
use crate::dataflow::runs::ExecutionDevice;
use crate::dataflow::{Certainty, DataFlow};
use crate::model::label;
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::Range;

/// How many ops are visited, per op of the trace, to find transfers that were not recorded. Real inputs have a few users.
const MAX_VISITS_PER_OP: usize = 64;

/// The transfers of a trace while they are being found and joined.
#[derive(Default)]
pub(super) struct Draft {
    /// First the transfers that ops recorded, in the order of these ops; then the others, in the order of their producers.
    pub(super) rows: Vec<Transfer>,
    /// How many of the rows an op recorded.
    pub(super) recorded: usize,
    pub(super) inputs: Inputs,
    pub(super) ends: Ends,
    /// The number of transfers for which the search for the ends was stopped at its bound.
    pub(super) given_up: u64,
    /// The number of tensors between devices of one task that were not followed.
    pub(super) unfollowed: u64,
}

impl Draft {
    /// Finds the transfers of `trace` and joins them to their ends.
    pub(super) async fn joined(trace: &Trace, flow: &DataFlow, pace: &Pace) -> Self {
        let mut draft = Self { ends: Ends::indexed(trace), ..Self::default() };
        pace.worked(trace.graph().rendezvous().len()).await;
        draft.find_recorded(trace, flow, pace).await;
        draft.find_received(trace, flow, pace).await;
        draft.find_unrecorded(trace, flow, pace).await;
        draft.index_inputs(trace, pace).await;
        draft.join_producers(trace, flow, pace).await;
        draft
    }

    /// Finds the transfers that an op with a label recorded: `RecvTensor`, or its name in another transport.
    async fn find_recorded(&mut self, trace: &Trace, flow: &DataFlow, pace: &Pace) {
        // The label is the same for every op of a node.
        let mut read_nodes: HashMap<NodeId, Option<(Key, Bytes)>, FixedState> = HashMap::default();
        // The next op at which progress is reported.
        let mut next = 0;
        for op in trace.ops().ids() {
            if op.index() == next {
                next += STRIDE;
                pace.worked(STRIDE).await;
            }
            if trace.category(op) != Category::Communication {
                continue;
            }
            let node = trace.ops().node(op);
            let Some((key, said)) = *read_nodes.entry(node).or_insert_with(|| read(trace, node)) else {
                continue;
            };
            let recorded = trace.outputs().requested_bytes(op);
            let execution = flow.executions.of_op(trace, op);
            let receiver = self.ends.receiver(&flow.executions, execution, key);
            self.given_up += u64::from(self.ends.is_given_up(&flow.executions, execution, key));
            self.rows.push(Transfer {
                op: Some(op),
                bytes: if recorded.0 > 0 { recorded } else { said },
                device: Some(trace.device_of(op)),
                brought: receiver.map(InputKey::GraphNode),
                is_of_transport: true,
                ..Transfer::unjoined(key, execution)
            });
        }
        self.recorded = self.rows.len();
    }

    /// Finds the transfers of which only the op of the receiving node was recorded.
    async fn find_received(&mut self, trace: &Trace, flow: &DataFlow, pace: &Pace) {
        let mut found = Vec::new();
        let nodes = trace.nodes();
        let is_receiver = |node: &NodeId| matches!(trace.text(nodes.op_type(*node)), "_Recv" | "_HostRecv");
        for node in nodes.ids().filter(is_receiver) {
            let Some(name) = flow.runs.row(nodes.name(node)) else { continue };
            pace.worked(flow.runs.of_name(name).len()).await;
            for &op in flow.runs.of_name(name).iter().filter(|&&op| trace.ops().node(op) == node) {
                let place = flow.place(trace, op);
                let Some(receiver) = flow.graph.node(trace, &flow.executions, nodes.name(node), place) else {
                    continue;
                };
                let Some(meeting) = trace.graph().meeting(receiver) else { continue };
                found.push(Transfer {
                    op: Some(op),
                    bytes: trace.outputs().requested_bytes(op),
                    device: Some(place.device),
                    brought: Some(InputKey::GraphNode(receiver)),
                    ..Transfer::unjoined(Key::of(meeting), place.execution)
                });
            }
        }
        if found.is_empty() {
            return;
        }
        let recorded = self.receivers();
        found.retain(|transfer| recorded.binary_search(&transfer.receiver()).is_err());
        self.rows.extend(found);
        order::by_number(&mut self.rows, |transfer| (transfer.op.map_or(0, |op| i64::from(op.get())), 0));
        self.rows.dedup_by_key(|transfer| transfer.op);
        self.recorded = self.rows.len();
    }

    /// (execution, receiving node) of all rows with a known receiving node, sorted.
    fn receivers(&self) -> Vec<i64> {
        let mut receivers: Vec<i64> = self.rows.iter().map(Transfer::receiver).collect();
        order::by_number(&mut receivers, |receiver| (receiver, 0));
        receivers
    }

    /// Finds the transfers between devices of one task that were not recorded.
    async fn find_unrecorded(&mut self, trace: &Trace, flow: &DataFlow, pace: &Pace) {
        let recorded = self.receivers();
        let mut visits = MAX_VISITS_PER_OP * (trace.ops().len() + trace.graph().rendezvous().len());
        let executions = flow.executions.by_graph();
        for (key, receiver, maker) in self.ends.unrecorded(trace, flow) {
            let Some(name) = flow.runs.row(trace.graph().name(maker)) else { continue };
            let (Some(device), Some(to)) =
                (trace.devices().by_name(key.source), trace.devices().by_name(key.destination))
            else {
                continue;
            };
            for execution in executions.of(trace.graph().part_of(receiver)) {
                let producers =
                    flow.runs.on(trace, &flow.executions, name, ExecutionDevice { execution, device });
                let Some(left) = visits.checked_sub(producers.len().max(1)) else {
                    self.unfollowed += 1;
                    break;
                };
                visits = left;
                pace.worked(producers.len().max(1)).await;
                let rows = producers.iter().map(|&producer| Transfer {
                    device: Some(to),
                    brought: Some(InputKey::GraphNode(receiver)),
                    certainty: Certainty::Exact,
                    ..Transfer::unrecorded(trace, key, execution, producer)
                });
                self.rows.extend(rows.filter(|row| recorded.binary_search(&row.receiver()).is_err()));
            }
        }
        self.find_unrecorded_by_label(trace, flow, pace).await;
        pace.worked(self.rows.len()).await;
        order::by_number(&mut self.rows[self.recorded..], |transfer| {
            (transfer.producer.map_or(0, |op| i64::from(op.get())), 0)
        });
    }

    /// Finds the transfers that only the suffixes of the partitioner imply: an input that was cut, and under whose name no transfer
    /// was recorded, comes from another device of the task, if that device has an op of that name.
    async fn find_unrecorded_by_label(&mut self, trace: &Trace, flow: &DataFlow, pace: &Pace) {
        let key = |place, base| input_key(place, InputKey::Name(base));
        let mut known: Vec<(i64, i64)> = Vec::new();
        for transfer in &self.rows {
            let base = trace.strings().find(transfer.output(trace).name);
            let place =
                transfer.device.map(|device| ExecutionDevice { execution: transfer.execution, device });
            known.extend(place.zip(base).map(|(place, base)| key(place, base)));
        }
        pace.worked(self.rows.len()).await;
        order::by_number(&mut known, |key| key);
        let mut visits = MAX_VISITS_PER_OP * trace.ops().len();
        let mut wanted: Vec<(ExecutionDevice, StringId)> = Vec::new();
        for &(base, user) in flow.labels.cut() {
            let users = flow.runs.of_name(user);
            let Some(left) = visits.checked_sub(users.len()) else {
                self.unfollowed += 1;
                continue;
            };
            visits = left;
            pace.worked(users.len()).await;
            for &op in users {
                let place = flow.place(trace, op);
                if wanted.last() != Some(&(place, base)) && known.binary_search(&key(place, base)).is_err() {
                    wanted.push((place, base));
                }
            }
        }
        order::by_number(&mut wanted, |(place, base)| key(place, base));
        wanted.dedup();
        let mut visits = MAX_VISITS_PER_OP * trace.ops().len();
        let tasks = ops_of_tasks(trace);
        for (place, base) in wanted {
            let Some(name) = flow.runs.row(base) else { continue };
            let to = trace.devices().get(place.device);
            let Some(ops_of_task) = to.task.and_then(|task| tasks.get(&task)) else { continue };
            let is_of_task = |list: &&[OpId]| {
                let from = list.first().map(|&op| trace.devices().get(trace.device_of(op)));
                from.is_some_and(|from| from.task == to.task)
            };
            let lists = flow.elsewhere_among(trace, name, place, ops_of_task.clone());
            let lists: Vec<&[OpId]> = lists.take(visits.saturating_add(1)).filter(is_of_task).collect();
            let producers = lists.first().copied().unwrap_or_default();
            let Some(left) = visits.checked_sub(producers.len() + lists.len()) else {
                visits = 0;
                self.unfollowed += 1;
                continue;
            };
            visits = left;
            pace.worked(producers.len() + lists.len()).await;
            for &producer in producers {
                let source = trace.devices().get(trace.device_of(producer)).name;
                let key = Key { tensor: base, source, destination: to.name };
                self.rows.push(Transfer {
                    device: Some(place.device),
                    brought: Some(InputKey::Name(base)),
                    join: Some(Join::Label),
                    certainty: Certainty::Inferred.among(lists.len() as u32),
                    ..Transfer::unrecorded(trace, key, place.execution, producer)
                });
            }
        }
    }
}

impl Transfer {
    /// A transfer that was not recorded, with the producer `producer`.
    fn unrecorded(trace: &Trace, key: Key, execution: u32, producer: OpId) -> Self {
        let new = Self { producer: Ok(producer), join: Some(Join::Graph), ..Self::unjoined(key, execution) };
        let slot = new.output(trace).slot as i32;
        let outputs = trace.outputs().of(producer).filter(|output| output.slot == slot);
        Self { bytes: outputs.map(|output| output.requested).sum(), ..new }
    }

    /// (execution, receiving node) as one number; -1 if it is not known.
    fn receiver(&self) -> i64 {
        match self.brought {
            Some(InputKey::GraphNode(node)) => pair(self.execution, node.get()),
            _ => -1,
        }
    }
}

/// The range from the first to the last op of each task.
fn ops_of_tasks(trace: &Trace) -> HashMap<StringId, Range<u32>, FixedState> {
    let mut tasks: HashMap<StringId, Range<u32>, FixedState> = HashMap::default();
    for device in trace.devices().ids().map(|device| trace.devices().get(device)) {
        let Some(task) = device.task else { continue };
        let ops_of_task = tasks.entry(task).or_insert(device.first_op..device.end_op());
        *ops_of_task = ops_of_task.start.min(device.first_op)..ops_of_task.end.max(device.end_op());
    }
    tasks
}

/// The key and size in the label of `op`, if the op records a transfer.
pub(crate) fn transfer_of_label(trace: &Trace, op: OpId) -> Option<(Key, Bytes)> {
    (trace.category(op) == Category::Communication).then(|| read(trace, trace.ops().node(op)))?
}

/// The name of `op`. If its label records a transfer, the name of the tensor, because the node is then always called `RecvTensor`.
pub fn title_by_label(trace: &Trace, op: OpId) -> &str {
    transfer_of_label(trace, op)
        .map_or_else(|| trace.op_name(op), |(key, _)| label::producer_of_edge(trace.text(key.tensor)).name)
}

/// The key in the label of `node`, if it is the label of a transfer, with the size in the label.
fn read(trace: &Trace, node: NodeId) -> Option<(Key, Bytes)> {
    let label = label::transfer(trace.text(trace.nodes().label(node)))?;
    let find = |text| trace.strings().find(text);
    let key = Key {
        tensor: find(label.tensor)?,
        source: find(label.source)?,
        destination: find(label.destination)?,
    };
    Some((key, Bytes(label.bytes.unwrap_or(0))))
}
