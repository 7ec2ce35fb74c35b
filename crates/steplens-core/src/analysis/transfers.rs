//! Transfers: which tensor went from which device to which, made by which op, and by what name it was used.
//!
//! A transfer is joined to its ends through the partition graphs of its execution where there are any: the `_Send` and `_Recv` nodes
//! with its rendezvous key name the producer and the consumers. Without graphs the key itself names the producer (`edge_N_NAME`) and
//! the labels of the destination's ops name it with a suffix: an inference.
//!
//! Between tasks `RecvTensor` records a transfer; old versions of TensorFlow record `_Recv`. Between the devices of one task
//! nothing does: such a transfer is carried by no op, and comes about for each run of its producer.

use crate::analysis::dataflow::pairing::{by_order, last_ended};
use crate::analysis::dataflow::runs::Place;
use crate::analysis::dataflow::{Certainty, DataFlow};
use crate::analysis::transfer_ends::{Ends, Key};
use crate::bits::RankedBits;
use crate::graph::End;
use crate::ids::{DeviceId, GraphNodeId, NodeId, OpId, StringId, TransferId};
use crate::label;
use crate::order;
use crate::output::{Output, range};
use crate::units::{Bytes, Nanos, Timestamp};
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// TensorFlow starts a RecvTensor at the sender's clock but no later than this before its end
/// (`grpc_remote_worker.cc`): a transfer this short says that the sender's clock is ahead, not when it sent.
pub(crate) const CLAMPED: Nanos = Nanos(1_000);

/// What joined a transfer to the ops at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// The `_Send` and `_Recv` nodes of the partition graphs: exact.
    Graph,
    /// Names in labels: inferred.
    Label,
}

/// Why a transfer has no producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProducer {
    /// The trace has no op of the source device at all: its worker was not traced.
    SourceNotTraced,
    /// The node that made the tensor left no op (it was folded away, or its executor did not record it).
    NotRecorded,
    /// The key names no node.
    UnknownKey,
}

impl NoProducer {
    /// Its code in every output.
    pub fn code(self) -> &'static str {
        match self {
            Self::SourceNotTraced => "source-not-traced",
            Self::NotRecorded => "producer-not-recorded",
            Self::UnknownKey => "unknown-rendezvous-key",
        }
    }
}

/// How the ops of the destination know a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brought {
    /// As what this node of the graph receives.
    By(GraphNodeId),
    /// As this name, with or without the partitioner's suffix.
    As(StringId),
    /// The same for a tensor of no bytes: an order, most likely.
    AsOrder(StringId),
}

/// One transfer.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The op that recorded it, on the destination; `None` where none did.
    pub op: Option<OpId>,
    /// The tensor part of the rendezvous key.
    pub tensor: StringId,
    /// The device that sent it.
    pub source: StringId,
    /// The device that received it.
    pub destination: StringId,
    /// Its size; 0 where nothing recorded it.
    pub bytes: Bytes,
    /// The op that made the tensor, or why it is not known.
    pub producer: Result<OpId, NoProducer>,
    /// How the ends were found; `None` if neither was.
    pub join: Option<Join>,
    /// How surely the producer is known.
    pub certainty: Certainty,
    /// Whether the op is a transport's own record, which starts at the sending; and not that of a receiving node.
    pub is_of_transport: bool,
    execution: u32,
    device: Option<DeviceId>,
    brought: Option<Brought>,
}

impl Transfer {
    /// Which output of its producer it is, and what the producer's node is called, by its key.
    pub fn output<'a>(&self, trace: &'a Trace) -> label::InputRef<'a> {
        label::producer_of_edge(trace.text(self.tensor))
    }
}

/// All transfers: those that ops recorded, in the order of these; then the others, in the order of their producers.
#[derive(Default)]
pub struct Transfers {
    rows: Vec<Transfer>,
    /// How many of them an op recorded.
    recorded: usize,
    /// These ops.
    recording: RankedBits,
    /// Those with a producer, in order of these.
    by_producer: Vec<TransferId>,
    /// Rows by how the destination knows the tensor and by place; equal ones in order of receipt.
    by_input: Vec<u32>,
    /// Those that node `i` of the graphs received: `by_input[first_input[i] .. first_input[i + 1]]`.
    first_input: Vec<u32>,
    ends: Ends,
}

impl Transfers {
    /// Finds the transfers of `trace` and joins them to their ends.
    pub fn of(trace: &Trace, flow: &DataFlow) -> Self {
        let mut transfers = Self { ends: Ends::of(trace), ..Self::default() };
        transfers.find_recorded(trace, flow);
        transfers.find_received(trace, flow);
        let mut recording = transfers.rows.iter().filter_map(|transfer| transfer.op).peekable();
        let is_next = |row| recording.next_if_eq(&OpId::from_usize(row)).is_some();
        transfers.recording = RankedBits::of(trace.ops().len(), is_next);
        transfers.find_silent(trace, flow);
        transfers.rows.shrink_to_fit();
        transfers.index_inputs(trace);
        transfers.join_producers(trace, flow);
        let rows = &transfers.rows;
        let producer = |id: TransferId| rows[id.index()].producer.ok();
        let mut by_producer: Vec<TransferId> = (0..rows.len()).map(TransferId::from_usize).collect();
        by_producer.retain(|&id| producer(id).is_some());
        order::by_number(&mut by_producer, |id| (producer(id).map_or(0, |op| i64::from(op.get())), 0));
        transfers.by_producer = by_producer;
        transfers
    }

    /// All of them.
    pub fn rows(&self) -> &[Transfer] {
        &self.rows
    }

    /// All of them with their ids.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (TransferId, &Transfer)> {
        self.rows.iter().enumerate().map(|(row, transfer)| (TransferId::from_usize(row), transfer))
    }

    /// The transfer of `id`.
    pub fn get(&self, id: TransferId) -> &Transfer {
        &self.rows[id.index()]
    }

    /// The transfer that `op` recorded, as its id.
    pub fn id_of_op(&self, op: OpId) -> Option<TransferId> {
        let is_recording = self.recording.contains(op.index());
        is_recording.then(|| TransferId::from_usize(self.recording.count(0..op.index())))
    }

    /// The transfer that `op` recorded.
    pub fn of_op(&self, op: OpId) -> Option<&Transfer> {
        self.id_of_op(op).map(|id| self.get(id))
    }

    /// Whether an op records a transfer although its own label does not say so.
    pub fn renames_marks(&self, trace: &Trace) -> bool {
        let ops =
            self.rows.iter().filter(|transfer| !transfer.is_of_transport).filter_map(|transfer| transfer.op);
        ops.into_iter().any(|op| transfer_of_label(trace, op).is_none())
    }

    /// The `DataType` of a tensor and its shape, if it has a known rank, as its producer or else the receiving node has them.
    pub fn type_of<'a>(&self, trace: &'a Trace, id: TransferId) -> Option<(u32, Option<Output<'a>>)> {
        let transfer = self.get(id);
        let slot = transfer.output(trace).slot as i32;
        let mut made = transfer.producer.into_iter().flat_map(|producer| trace.outputs().of(producer));
        if let Some(output) = made.find(|output| output.slot == slot && output.dtype != 0) {
            return Some((output.dtype, Some(output)));
        }
        let Some(Brought::By(receiver)) = transfer.brought else { return None };
        let dtype = trace.graph().meeting(receiver)?.dtype;
        (dtype != 0).then_some((dtype, None))
    }

    /// The transfers that took what `op` made to other devices.
    pub fn sent_from(&self, op: OpId) -> impl Iterator<Item = TransferId> + '_ {
        let producer = move |id: &TransferId| self.get(*id).producer.ok();
        let first = self.by_producer.partition_point(|id| producer(id) < Some(op));
        self.by_producer[first..].iter().copied().take_while(move |id| producer(id) == Some(op))
    }

    /// When its tensor was there for its consumers: when it was received, or else when it was made.
    pub(crate) fn ready(&self, trace: &Trace, row: u32) -> Timestamp {
        let transfer = &self.rows[row as usize];
        let last = transfer.op.or(transfer.producer.ok());
        last.map_or(Timestamp(i64::MIN), |op| trace.ops().end(op))
    }

    /// Rows by how the destination knows the tensor and by place: those that [`brought`](Self::brought) gives are next to one another.
    pub(crate) fn by_input(&self) -> impl Iterator<Item = &[u32]> {
        self.by_input.chunk_by(|&a, &b| self.key_of(a) == self.key_of(b))
    }

    /// The transfers to `place` of what is `brought`, in order of receipt.
    pub(crate) fn brought(&self, place: Place, brought: Brought) -> &[u32] {
        let rows = match brought {
            Brought::By(node) => &self.by_input[range(&self.first_input, node.index())],
            _ => &self.by_input[self.first_input.last().map_or(0, |&end| end as usize)..],
        };
        let key = Some(input_key(place, brought));
        if let Some(&only) = rows.get(place.execution as usize)
            && self.key_of(only) == key
        {
            // One of each execution, as most often.
            let at = place.execution as usize;
            let is_other = |row: Option<&u32>| row.is_none_or(|&row| self.key_of(row) != key);
            if is_other(rows.get(at + 1)) && is_other(rows.get(at.wrapping_sub(1))) {
                return &rows[at..=at];
            }
        }
        let first = rows.partition_point(|&row| self.key_of(row) < key);
        let count = rows[first..].partition_point(|&row| self.key_of(row) == key);
        &rows[first..first + count]
    }

    /// How many different keys the tensors of `rows` have: more than one if only their names are alike.
    pub(crate) fn rivals(&self, rows: &[u32]) -> u32 {
        let key = |row: &u32| {
            let transfer = &self.rows[*row as usize];
            (transfer.tensor, transfer.source)
        };
        // Two are enough to be undecided; all are counted where there are few.
        let mut keys: Vec<_> = rows.iter().take(MAX_RIVALS).map(key).collect();
        order::by_number(&mut keys, |(tensor, source)| (pair(tensor.get(), source.get()), 0));
        keys.dedup();
        keys.len() as u32
    }

    /// How the destination of a transfer knows its tensor, and where.
    pub(crate) fn input_of(&self, id: TransferId) -> Option<(Place, Brought)> {
        self.get(id).known()
    }

    /// The node that sends what `receiver` receives, and its device.
    pub(crate) fn sender(
        &self,
        trace: &Trace,
        flow: &DataFlow,
        execution: u32,
        receiver: GraphNodeId,
    ) -> Option<(GraphNodeId, StringId)> {
        let meeting = trace.graph().meeting(receiver)?;
        let sender = self.ends.sender(&flow.executions, execution, Key::of(meeting))?;
        Some((sender, meeting.source))
    }

    /// Who receives what `sender` sends, if no transfer tells of it; and where.
    pub(crate) fn unrecorded(
        &self,
        trace: &Trace,
        flow: &DataFlow,
        execution: u32,
        sender: GraphNodeId,
    ) -> Option<(GraphNodeId, DeviceId)> {
        let meeting = trace.graph().meeting(sender).filter(|meeting| meeting.end == End::Send)?;
        let receiver = self.ends.receiver(&flow.executions, execution, Key::of(meeting))?;
        let device = trace.devices().by_name(meeting.destination)?;
        let is_recorded = !self.brought(Place { execution, device }, Brought::By(receiver)).is_empty();
        (!is_recorded).then_some((receiver, device))
    }

    /// Those of which ops have labels that say so: `RecvTensor`, or what another transport calls it.
    fn find_recorded(&mut self, trace: &Trace, flow: &DataFlow) {
        // What a label says is the same for every op of a node.
        let mut read_nodes: HashMap<NodeId, Option<(Key, Bytes)>, FixedState> = HashMap::default();
        for op in trace.ops().ids() {
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
            self.rows.push(Transfer {
                op: Some(op),
                bytes: if recorded.0 > 0 { recorded } else { said },
                device: Some(trace.device_of(op)),
                brought: receiver.map(Brought::By),
                is_of_transport: true,
                ..Transfer::of(key, execution)
            });
        }
        self.recorded = self.rows.len();
    }

    /// Those of which the op of the receiving node itself was recorded, and nothing else.
    fn find_received(&mut self, trace: &Trace, flow: &DataFlow) {
        let mut found = Vec::new();
        let nodes = trace.nodes();
        let is_receiver = |node: &NodeId| matches!(trace.text(nodes.op_type(*node)), "_Recv" | "_HostRecv");
        for node in nodes.ids().filter(is_receiver) {
            let Some(name) = flow.runs.row(nodes.name(node)) else { continue };
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
                    brought: Some(Brought::By(receiver)),
                    ..Transfer::of(Key::of(meeting), place.execution)
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

    /// (execution, receiving node) of all rows that have one, sorted.
    fn receivers(&self) -> Vec<i64> {
        let mut receivers: Vec<i64> = self.rows.iter().map(Transfer::receiver).collect();
        order::by_number(&mut receivers, |receiver| (receiver, 0));
        receivers
    }

    /// Those between devices of one task.
    fn find_silent(&mut self, trace: &Trace, flow: &DataFlow) {
        let recorded = self.receivers();
        let mut looks = MAX_LOOKS_PER_OP * (trace.ops().len() + trace.graph().rendezvous().len());
        for (key, receiver, maker) in self.ends.silent(trace, flow) {
            let Some(name) = flow.runs.row(trace.graph().name(maker)) else { continue };
            let (Some(from), Some(to)) =
                (trace.devices().by_name(key.source), trace.devices().by_name(key.destination))
            else {
                continue;
            };
            let part = trace.graph().part_of(receiver);
            for &producer in flow.runs.of_name(name) {
                let Some(left) = looks.checked_sub(1) else { break };
                looks = left;
                let place = flow.place(trace, producer);
                if place.device != from || !flow.executions.graphs(place.execution).contains(&part) {
                    continue;
                }
                let row = Transfer {
                    device: Some(to),
                    brought: Some(Brought::By(receiver)),
                    certainty: Certainty::Exact,
                    ..Transfer::silent(trace, key, place.execution, producer)
                };
                if recorded.binary_search(&row.receiver()).is_err() {
                    self.rows.push(row);
                }
            }
        }
        self.find_silent_by_label(trace, flow);
        order::by_number(&mut self.rows[self.recorded..], |transfer| {
            (transfer.producer.map_or(0, |op| i64::from(op.get())), 0)
        });
    }

    /// Those that only the partitioner's suffixes tell of: an input that was cut, and of whose name no transfer was recorded, comes
    /// from another device of the task, if that has an op of that name.
    fn find_silent_by_label(&mut self, trace: &Trace, flow: &DataFlow) {
        let key = |place, base| input_key(place, Brought::As(base));
        let mut known: Vec<(i64, i64)> = Vec::new();
        for transfer in &self.rows {
            let base = trace.strings().find(transfer.output(trace).name);
            let place = transfer.device.map(|device| Place { execution: transfer.execution, device });
            known.extend(place.zip(base).map(|(place, base)| key(place, base)));
        }
        order::by_number(&mut known, |key| key);
        let mut looks = MAX_LOOKS_PER_OP * trace.ops().len();
        let mut wanted: Vec<(Place, StringId)> = Vec::new();
        for &(base, user) in flow.labels.cut() {
            for &op in flow.runs.of_name(user) {
                let Some(left) = looks.checked_sub(1) else { break };
                looks = left;
                let place = flow.place(trace, op);
                if wanted.last() != Some(&(place, base)) && known.binary_search(&key(place, base)).is_err() {
                    wanted.push((place, base));
                }
            }
        }
        order::by_number(&mut wanted, |(place, base)| key(place, base));
        wanted.dedup();
        for (place, base) in wanted {
            let Some(name) = flow.runs.row(base) else { continue };
            let to = trace.devices().get(place.device);
            let is_of_task = |list: &&[OpId]| {
                let from = list.first().map(|&op| trace.devices().get(trace.device_of(op)));
                from.is_some_and(|from| from.task.is_some() && from.task == to.task)
            };
            let lists: Vec<&[OpId]> =
                flow.elsewhere(trace, name, place).into_iter().filter(is_of_task).collect();
            for &producer in lists.first().copied().unwrap_or_default() {
                let Some(left) = looks.checked_sub(1) else { return };
                looks = left;
                let source = trace.devices().get(trace.device_of(producer)).name;
                let key = Key { tensor: base, source, destination: to.name };
                self.rows.push(Transfer {
                    device: Some(place.device),
                    brought: Some(Brought::As(base)),
                    join: Some(Join::Label),
                    certainty: Certainty::Inferred.among(lists.len() as u32),
                    ..Transfer::silent(trace, key, place.execution, producer)
                });
            }
        }
    }

    fn join_producers(&mut self, trace: &Trace, flow: &DataFlow) {
        // The transfers of one key come in order of receipt, to be paired with the runs of their producer.
        let mut rows: Vec<u32> = self.by_input.clone();
        rows.retain(|&row| (row as usize) < self.recorded);
        let known = |row: u32| self.rows[row as usize].brought.is_some();
        rows.extend((0..self.recorded as u32).filter(|&row| !known(row)));
        let key = |transfers: &Self, row: u32| {
            let Transfer { tensor, source, destination, .. } = transfers.rows[row as usize];
            (pair(tensor.get(), source.get()), i64::from(destination.get()))
        };
        let input = |transfers: &Self, row: u32| transfers.key_of(row);
        let mut start = 0;
        while let Some(&first) = rows.get(start) {
            let end = start + rows[start..].partition_point(|&row| input(self, row) == input(self, first));
            // Of names alone several tensors may share one; and what nobody knows by a name is in no order yet.
            order::by_number(&mut rows[start..end], |row| key(self, row));
            while start < end {
                let same = rows[start..end].partition_point(|&row| key(self, row) == key(self, rows[start]));
                self.join_key(trace, flow, &rows[start..start + same]);
                start += same;
            }
        }
        // Of a value and an order of one name, the order was made by what followed that.
        for row in 0..self.rows.len() {
            let Some((place, Brought::AsOrder(name))) = self.input_of(TransferId::from_usize(row)) else {
                continue;
            };
            if !self.brought(place, Brought::As(name)).is_empty() {
                self.rows[row].certainty = self.rows[row].certainty.among(2);
            }
        }
    }

    /// Joins the transfers of one rendezvous key, in order of receipt.
    fn join_key(&mut self, trace: &Trace, flow: &DataFlow, rows: &[u32]) {
        let Some(&first) = rows.first() else { return };
        let first = self.rows[first as usize];
        let key = Key { tensor: first.tensor, source: first.source, destination: first.destination };
        let sender = self.ends.sender(&flow.executions, first.execution, key);
        let maker = sender.and_then(|sender| *flow.graph.makers_of(trace.graph(), sender).first()?);
        let name = match maker {
            Some(maker) => Some(trace.graph().name(maker)),
            None => trace.strings().find(first.output(trace).name),
        };
        let device = trace.devices().by_name(first.source);
        let device = device.filter(|&device| trace.devices().get(device).op_count > 0);
        // What was received is sent on.
        let forwarded = maker.zip(device).and_then(|(maker, device)| {
            trace.graph().meeting(maker)?;
            let rows = self.brought(Place { execution: first.execution, device }, Brought::By(maker));
            Some(rows.iter().filter_map(|&row| self.rows[row as usize].op).collect::<Vec<OpId>>())
        });
        let name_row = name.and_then(|name| flow.runs.row(name));
        let runs = match (device, name_row, &forwarded) {
            (_, _, Some(forwarded)) => forwarded.as_slice(),
            (Some(device), Some(row), _) => {
                let place = Place { execution: first.execution, device };
                flow.runs.on(trace, &flow.executions, row, place)
            }
            _ => &[],
        };
        let is_received = matches!(first.brought, Some(Brought::By(_)));
        let join = if sender.is_some() || is_received { Some(Join::Graph) } else { None };
        let certainty = if maker.is_some() { Certainty::Exact } else { Certainty::Inferred };
        for (place, &row) in rows.iter().enumerate() {
            let transfer = &mut self.rows[row as usize];
            let received = transfer.op.map_or(Timestamp(i64::MAX), |op| trace.ops().end(op));
            transfer.producer = match (device, name) {
                (None, _) => Err(NoProducer::SourceNotTraced),
                (_, None) => Err(NoProducer::UnknownKey),
                _ if runs.is_empty() => Err(NoProducer::NotRecorded),
                _ => {
                    let ended = || last_ended(trace, runs, received);
                    let pair = by_order(place, rows.len(), runs.len(), ended);
                    transfer.certainty = certainty.among(pair.candidates);
                    Ok(runs[pair.run])
                }
            };
            transfer.join = join.or(transfer.producer.is_ok().then_some(Join::Label));
        }
    }

    fn index_inputs(&mut self, trace: &Trace) {
        for row in 0..self.rows.len() {
            let transfer = self.rows[row];
            if transfer.brought.is_none() {
                let base = trace.strings().find(transfer.output(trace).name);
                let is_empty = transfer.bytes.0 == 0;
                self.rows[row].brought = base.map(if is_empty { Brought::AsOrder } else { Brought::As });
            }
        }
        let mut rows: Vec<u32> = (0..self.rows.len() as u32).collect();
        rows.retain(|&row| self.key_of(row).is_some());
        order::by_number(&mut rows, |row| self.key_of(row).unwrap_or_default());
        for same in rows.chunk_by_mut(|&a, &b| self.key_of(a) == self.key_of(b)) {
            order::by_number(same, |row| (self.ready(trace, row).0, 0));
        }
        self.first_input = vec![0; trace.graph().len() + 1];
        for transfer in &self.rows {
            if let Some((_, Brought::By(node))) = transfer.known() {
                self.first_input[node.index() + 1] += 1;
            }
        }
        for node in 0..trace.graph().len() {
            self.first_input[node + 1] += self.first_input[node];
        }
        self.by_input = rows;
    }

    fn key_of(&self, row: u32) -> Option<(i64, i64)> {
        let (place, brought) = self.input_of(TransferId::new(row))?;
        Some(input_key(place, brought))
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Transfer>()
            + (self.by_producer.capacity() + self.by_input.capacity() + self.first_input.capacity()) * 4
            + self.recording.heap_bytes()
            + self.ends.heap_bytes()
    }
}

/// How many ops are looked at, for each that there is, to find transfers that nothing recorded. Real inputs have a few users.
const MAX_LOOKS_PER_OP: usize = 64;
/// Of how many transfers of one name it is counted how many keys they have.
const MAX_RIVALS: usize = 16;

impl Transfer {
    fn of(key: Key, execution: u32) -> Self {
        let Key { tensor, source, destination } = key;
        Self {
            op: None,
            tensor,
            source,
            destination,
            bytes: Bytes(0),
            producer: Err(NoProducer::UnknownKey),
            join: None,
            certainty: Certainty::Inferred,
            is_of_transport: false,
            execution,
            device: None,
            brought: None,
        }
    }

    /// How its destination knows it, and where.
    fn known(&self) -> Option<(Place, Brought)> {
        Some((Place { execution: self.execution, device: self.device? }, self.brought?))
    }

    /// One that nothing recorded, made by `producer`.
    fn silent(trace: &Trace, key: Key, execution: u32, producer: OpId) -> Self {
        let new = Self { producer: Ok(producer), join: Some(Join::Graph), ..Self::of(key, execution) };
        let slot = new.output(trace).slot as i32;
        let outputs = trace.outputs().of(producer).filter(|output| output.slot == slot);
        Self { bytes: outputs.map(|output| output.requested).sum(), ..new }
    }

    /// (execution, receiving node) as one number; -1 if that is not known.
    fn receiver(&self) -> i64 {
        match self.brought {
            Some(Brought::By(node)) => pair(self.execution, node.get()),
            _ => -1,
        }
    }
}

/// Two row numbers as one number, in their order.
fn pair(first: u32, second: u32) -> i64 {
    i64::from(first) << 32 | i64::from(second)
}

/// Two numbers for how a tensor is known at a place.
fn input_key(place: Place, brought: Brought) -> (i64, i64) {
    let brought = match brought {
        Brought::By(node) => i64::from(node.get()),
        Brought::As(name) => pair(1, name.get()),
        Brought::AsOrder(name) => pair(2, name.get()),
    };
    (brought, pair(place.execution, place.device.get()))
}

/// The key and size that the label of `op` holds, if that records a transfer.
pub(crate) fn transfer_of_label(trace: &Trace, op: OpId) -> Option<(Key, Bytes)> {
    (trace.category(op) == Category::Communication).then(|| read(trace, trace.ops().node(op)))?
}

/// The key that the label of `node` holds, if it is a transfer's; with the size that the label gives.
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
