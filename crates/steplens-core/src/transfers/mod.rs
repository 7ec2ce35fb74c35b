//! Which tensor went from which device to which, which op made it, and under what name it was used. From the ops that recorded
//! transfers, and the graphs and labels of both ends. For makers, clocks, the network and the table of transfers.
//!
//! A transfer is joined to its ends through the partition graphs of its execution, if it has any: the `_Send` and `_Recv` nodes
//! with its rendezvous key name the producer and the consumers. Without graphs the key itself names the producer (`edge_N_NAME`),
//! and the labels of the ops at the destination name it with a suffix: an inference.
//!
//! Between tasks `RecvTensor` records a transfer; old versions of TensorFlow record `_Recv`. Between the devices of one task
//! nothing is recorded: such a transfer has no op, and there is one for each run of its producer.

pub mod copies;
mod draft;
mod ends;
mod inputs;
mod joining;
pub mod links;
mod rows;
mod table;
pub mod traffic;

pub use draft::title_by_label;
pub(crate) use draft::transfer_of_label;
pub use rows::{Iter, Rows};

use crate::Trace;
use crate::base::bits::RankedBits;
use crate::base::ids::{DeviceId, GraphNodeId, OpId, StringId, TransferId};
use crate::base::order;
use crate::base::pace::{Pace, at_once};
use crate::base::units::{Bytes, Nanos, Timestamp};
use crate::dataflow::runs::ExecutionDevice;
use crate::dataflow::{Certainty, DataFlow};
use crate::model::graph::{End, Rendezvous};
use crate::model::label;
use crate::model::output::Output;
use crate::storage::column::{Column, ColumnBuilder};
use draft::Draft;
use ends::{Ends, Key};
use inputs::{Inputs, input_key, pair};
use table::Table;

/// The shortest time in transit that is trusted. TensorFlow starts a RecvTensor by the sender's clock, but at the latest this long
/// before its end (`grpc_remote_worker.cc`): so a transfer this short only says that the sender's clock is ahead, not when the
/// tensor was sent.
pub(crate) const CLAMPED: Nanos = Nanos(1_000);

/// What joined a transfer to the ops at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// The `_Send` and `_Recv` nodes of the partition graphs: exact.
    Graph,
    /// Names in labels: inferred.
    Label,
}

/// Why a transfer has no producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProducer {
    /// The trace has no op of the source device: its worker was not traced.
    SourceNotTraced,
    /// The node that made the tensor has no recorded op: it was folded away, or its executor did not record it.
    NotRecorded,
    /// The key names no node.
    UnknownKey,
}

impl NoProducer {
    /// The code for this value in every output.
    pub fn code(self) -> &'static str {
        match self {
            Self::SourceNotTraced => "source-not-traced",
            Self::NotRecorded => "producer-not-recorded",
            Self::UnknownKey => "unknown-rendezvous-key",
        }
    }
}

/// How the graph of the destination names a tensor that it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum InputKey {
    /// The `_Recv` node of the graph that receives it.
    GraphNode(GraphNodeId),
    /// Its name, with or without the suffix that the partitioner adds.
    Name(StringId),
    /// The name of a tensor of no bytes: most likely a control edge.
    ControlName(StringId),
}

impl InputKey {
    /// The node of the graph that receives it, if that is known.
    pub(crate) fn node(self) -> Option<GraphNodeId> {
        match self {
            Self::GraphNode(node) => Some(node),
            Self::Name(_) | Self::ControlName(_) => None,
        }
    }
}

/// One transfer, put together from the columns that store it.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The op on the destination that recorded it; `None` where none did.
    pub op: Option<OpId>,
    /// The tensor part of the rendezvous key.
    pub tensor: StringId,
    /// The device that sent it.
    pub source: StringId,
    /// The device that received it.
    pub destination: StringId,
    /// The size; 0 where it was not recorded.
    pub bytes: Bytes,
    /// The op that made the tensor, or why that op is not known.
    pub producer: Result<OpId, NoProducer>,
    /// How the ends were found; `None` if neither was.
    pub join: Option<Join>,
    /// How sure the producer is.
    pub certainty: Certainty,
    /// Whether the op is the record of a transport, which starts at the send; not the op of a receiving node.
    pub is_of_transport: bool,
    execution: u32,
    device: Option<DeviceId>,
    brought: Option<InputKey>,
}

impl Transfer {
    /// The size; `None` where no op recorded the transfer and nothing says how large the tensor was.
    pub fn known_bytes(&self) -> Option<Bytes> {
        (self.op.is_some() || self.bytes > Bytes(0)).then_some(self.bytes)
    }

    /// Which output of its producer the tensor is, and the name of the producer's node, both from the key.
    pub fn output<'a>(&self, trace: &'a Trace) -> label::InputRef<'a> {
        label::producer_of_edge(trace.text(self.tensor))
    }
}

/// All transfers: first those that ops recorded, in the order of these ops; then the others, in the order of their producers.
#[derive(Default)]
pub struct Transfers {
    table: Table,
    /// The ops that recorded a transfer; the first rows belong to them.
    recording: RankedBits,
    /// The transfers with a producer, in the order of producers.
    by_producer: Column,
    /// The number of transfers with a producer.
    with_producer: usize,
    inputs: Inputs,
    ends: Ends,
    /// See [`find_rivals`](Self::find_rivals).
    rivals: Vec<(u32, u32)>,
    /// The number of transfers for which the search for the ends was stopped at its bound.
    pub(crate) given_up: u64,
    /// The number of tensors between devices of one task that were not followed because a bound was reached.
    pub(crate) unfollowed: u64,
}

impl Transfers {
    /// Finds the transfers of `trace` and joins them to their ends.
    pub fn joined(trace: &Trace, flow: &DataFlow) -> Self {
        at_once(async |pace: &Pace| Self::paced(trace, flow, pace).await)
    }

    /// Like `joined`, but in pieces, so that the caller can do other work between them.
    pub(crate) async fn paced(trace: &Trace, flow: &DataFlow, pace: &Pace) -> Self {
        let Draft { rows, inputs, ends, given_up, unfollowed, .. } = Draft::joined(trace, flow, pace).await;
        let mut recording = rows.iter().filter_map(|transfer| transfer.op).peekable();
        let is_next = |row| recording.next_if_eq(&OpId::from_usize(row)).is_some();
        let recording = RankedBits::of(trace.ops().len(), is_next);
        pace.worked(trace.ops().len()).await;
        let producer = |id: TransferId| rows[id.index()].producer.ok();
        let mut by_producer: Vec<TransferId> = (0..rows.len()).map(TransferId::from_usize).collect();
        by_producer.retain(|&id| producer(id).is_some());
        order::by_number(&mut by_producer, |id| (producer(id).map_or(0, |op| i64::from(op.get())), 0));
        let with_producer = by_producer.len();
        let by_producer = ColumnBuilder::of(by_producer.into_iter().map(|id| i64::from(id.get())));
        pace.worked(rows.len()).await;
        let table = Table::stored(&rows);
        pace.worked(rows.len()).await;
        let mut transfers = Self {
            table,
            recording,
            by_producer,
            with_producer,
            inputs,
            ends,
            rivals: Vec::new(),
            given_up,
            unfollowed,
        };
        transfers.rivals = transfers.find_rivals(pace).await;
        transfers
    }

    /// All transfers.
    pub fn rows(&self) -> Rows<'_> {
        Rows::new(self)
    }

    /// How many kinds of transfers there are: those of one kind differ only in their ops and executions.
    pub(crate) fn distinct(&self) -> usize {
        self.table.distinct()
    }

    /// All transfers with their ids.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (TransferId, Transfer)> + '_ {
        self.rows().iter().enumerate().map(|(row, transfer)| (TransferId::from_usize(row), transfer))
    }

    /// The transfer of `id`.
    pub fn get(&self, id: TransferId) -> Transfer {
        self.table.row(id.index(), self.op(id.index()))
    }

    /// The op that recorded the transfer in `row`, if one did.
    fn op(&self, row: usize) -> Option<OpId> {
        self.recording.select(row).map(OpId::from_usize)
    }

    /// The id of the transfer that `op` recorded.
    pub fn id_of_op(&self, op: OpId) -> Option<TransferId> {
        let is_recording = self.recording.contains(op.index());
        is_recording.then(|| TransferId::from_usize(self.recording.count(0..op.index())))
    }

    /// The transfer that `op` recorded.
    pub fn of_op(&self, op: OpId) -> Option<Transfer> {
        self.id_of_op(op).map(|id| self.table.row(id.index(), Some(op)))
    }

    /// Whether any op records a transfer although its own label does not say so.
    pub fn renames_marks(&self, trace: &Trace) -> bool {
        let mut others = self.rows().iter().filter(|transfer| !transfer.is_of_transport);
        others.any(|transfer| transfer.op.is_some_and(|op| transfer_of_label(trace, op).is_none()))
    }

    /// The `DataType` of a tensor, and its shape if the rank is known: as recorded for its producer, otherwise for the receiving
    /// node.
    pub fn type_of<'a>(&self, trace: &'a Trace, id: TransferId) -> Option<(u32, Option<Output<'a>>)> {
        let transfer = self.get(id);
        let slot = transfer.output(trace).slot as i32;
        let mut made = transfer.producer.into_iter().flat_map(|producer| trace.outputs().of(producer));
        if let Some(output) = made.find(|output| output.slot == slot && output.dtype != 0) {
            return Some((output.dtype, Some(output)));
        }
        let Some(InputKey::GraphNode(receiver)) = transfer.brought else { return None };
        let dtype = trace.graph().meeting(receiver)?.dtype;
        (dtype != 0).then_some((dtype, None))
    }

    /// The transfers that took an output of `op` to other devices.
    pub fn sent_from(&self, op: OpId) -> impl Iterator<Item = TransferId> + '_ {
        let id = |place: usize| TransferId::new(self.by_producer.get(place) as u32);
        let producer = move |place: usize| self.table.producer(id(place).index()).ok();
        let (mut first, mut end) = (0, self.with_producer);
        while first < end {
            let middle = (first + end) / 2;
            if producer(middle) < Some(op) { first = middle + 1 } else { end = middle }
        }
        (first..self.with_producer).take_while(move |&place| producer(place) == Some(op)).map(id)
    }

    /// When the tensor was ready for its consumers: the arrival, otherwise the end of the producer.
    pub(crate) fn ready(&self, trace: &Trace, row: u32) -> Timestamp {
        let row = row as usize;
        let last = self.op(row).or_else(|| self.table.producer(row).ok());
        last.map_or(Timestamp(i64::MIN), |op| trace.ops().end(op))
    }

    /// Rows sorted by how the destination knows the tensor, and by place: the rows of one [`brought`](Self::brought) call are next
    /// to one another.
    pub(crate) fn by_input(&self) -> impl Iterator<Item = &[u32]> {
        self.inputs.groups(|row| self.key_of(row))
    }

    /// The transfers of the tensor `brought` to `place`, in order of arrival.
    pub(crate) fn brought(&self, place: ExecutionDevice, brought: InputKey) -> &[u32] {
        self.inputs.brought(place, brought, |row| self.key_of(row))
    }

    /// How many different keys the tensors of `rows` have: more than one if different tensors share a name.
    pub(crate) fn rivals(&self, rows: &[u32]) -> u32 {
        let place =
            rows.first().and_then(|first| self.rivals.binary_search_by_key(first, |rival| rival.0).ok());
        place.map_or(1, |place| self.rivals[place].1)
    }

    /// (the first row, number of keys) of each input that is known by a name which several keys share; sorted.
    async fn find_rivals(&self, pace: &Pace) -> Vec<(u32, u32)> {
        let mut rivals = Vec::new();
        for rows in self.by_input() {
            pace.worked(rows.len()).await;
            if rows.len() == 1 {
                continue;
            }
            let is_named = self.table.known(rows[0] as usize).is_some_and(|(_, by)| by.node().is_none());
            if !is_named {
                continue;
            }
            let key = |&row: &u32| {
                let spec = self.table.spec(row as usize);
                pair(spec.tensor.get(), spec.source.get())
            };
            let mut keys: Vec<i64> = rows.iter().map(key).collect();
            order::by_number(&mut keys, |key| (key, 0));
            keys.dedup();
            if keys.len() > 1 {
                rivals.push((rows[0], keys.len() as u32));
            }
        }
        order::by_number(&mut rivals, |(row, _)| (i64::from(row), 0));
        rivals.shrink_to_fit();
        rivals
    }

    /// How the destination of a transfer knows its tensor, and at which place.
    pub(crate) fn input_of(&self, id: TransferId) -> Option<(ExecutionDevice, InputKey)> {
        self.table.known(id.index())
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

    /// The node that receives under the key of `meeting`.
    pub(crate) fn receiver(
        &self,
        flow: &DataFlow,
        execution: u32,
        meeting: &Rendezvous,
    ) -> Option<GraphNodeId> {
        self.ends.receiver(&flow.executions, execution, Key::of(meeting))
    }

    /// The `_Recv` node and the device that receive the output of `sender`, if the transfer was not recorded.
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
        let is_recorded =
            !self.brought(ExecutionDevice { execution, device }, InputKey::GraphNode(receiver)).is_empty();
        (!is_recorded).then_some((receiver, device))
    }

    fn key_of(&self, row: u32) -> Option<(i64, i64)> {
        let (place, brought) = self.table.known(row as usize)?;
        Some(input_key(place, brought))
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.table.heap_bytes()
            + self.recording.heap_bytes()
            + self.by_producer.heap_bytes()
            + self.inputs.heap_bytes()
            + self.ends.heap_bytes()
            + self.rivals.capacity() * size_of::<(u32, u32)>()
    }
}

impl Transfer {
    fn unjoined(key: Key, execution: u32) -> Self {
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

    /// How its destination knows the tensor, and at which place.
    fn known(&self) -> Option<(ExecutionDevice, InputKey)> {
        Some((ExecutionDevice { execution: self.execution, device: self.device? }, self.brought?))
    }
}
