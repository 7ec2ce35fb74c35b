//! Transfers: which tensor went from which device to which, made by which op, used by which, and when.
//!
//! A transfer is joined to its ends through the partition graphs where there are any: the `_Send` and `_Recv` nodes
//! with its rendezvous key name the producer and, by their name, the consumers. Without graphs the key itself names
//! the producer (`edge_N_NAME`) and the labels of the destination's ops name it with a suffix: an inference.

use crate::analysis::dataflow::DataFlow;
use crate::graph::End;
use crate::ids::{DeviceId, GraphNodeId, NodeId, OpId, StringId};
use crate::label::{self, InputRef};
use crate::order;
use crate::units::{Bytes, Interval, Nanos, Timestamp};
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// TensorFlow starts a RecvTensor at the sender's clock but no later than this before its end
/// (`grpc_remote_worker.cc`): a transfer this short says that the sender's clock is ahead, not when it sent.
pub(crate) const CLAMPED: Nanos = Nanos(1_000);
/// How many other transfers of one name are looked at around one. Bounds the cost of hostile files.
const MAX_LOOK_AROUND: usize = 64;
/// How many inputs of a consumer are looked at to find the latest. Real ops have a few, `AddN` some hundreds.
const MAX_INPUTS: usize = 1024;

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

/// One transfer.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The op that recorded it, on the destination.
    pub op: OpId,
    /// The tensor part of the rendezvous key.
    pub tensor: StringId,
    /// The device that sent it.
    pub source: StringId,
    /// The device that received it.
    pub destination: StringId,
    /// Its size.
    pub bytes: Bytes,
    /// The op that made the tensor, or why it is not known.
    pub producer: Result<OpId, NoProducer>,
    /// How the ends were found; `None` if neither was.
    pub join: Option<Join>,
    /// The `_Recv` node's name: what its consumers call it.
    receiver: Option<StringId>,
}

/// All transfers in the order of their ops, and how to get from an op to its transfer.
#[derive(Default)]
pub struct Transfers {
    rows: Vec<Transfer>,
    /// (producer, the transfer that took its output), sorted.
    by_producer: Vec<(OpId, OpId)>,
    /// (receiving device and name by which its ops call the tensor, transfer), sorted; equal ones in order of receipt.
    by_input: Vec<(i64, u32)>,
}

/// The times of a transfer; `None` where nothing that was recorded tells them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The producer's end, on the sender's clock.
    pub producer_end: Option<Timestamp>,
    /// When it was sent, on the sender's clock; `None` where the receiver's bounds replaced it.
    pub sent: Option<Timestamp>,
    /// When it was received, on the receiver's clock.
    pub received: Timestamp,
    /// From the producer's end to the sending.
    pub queued: Option<Nanos>,
    /// From the sending to the receipt.
    pub wire: Option<Nanos>,
    /// From the receipt until the first consumer is scheduled.
    pub unused: Option<Nanos>,
    /// How much later its first consumer could start because of it.
    pub delayed: Option<Nanos>,
}

impl Transfers {
    /// Finds the transfers of `trace` and joins them to their ends.
    pub fn of(trace: &Trace, flow: &DataFlow) -> Self {
        let mut transfers = Self::default();
        let ends = Ends::of(trace);
        // What a label says is the same for every op of a node.
        let mut read_nodes: HashMap<NodeId, Option<Transfer>, FixedState> = HashMap::default();
        for op in trace.ops().ids() {
            if trace.category(op) != Category::Communication {
                continue;
            }
            let node = trace.ops().node(op);
            if let Some(same) = read_nodes.entry(node).or_insert_with(|| read(trace, &ends, op)) {
                let recorded = trace.outputs().requested_bytes(op);
                let bytes = if recorded.0 > 0 { recorded } else { same.bytes };
                transfers.rows.push(Transfer { op, bytes, ..*same });
            }
        }
        transfers.join_producers(trace, flow, &ends);
        transfers.index_inputs(trace);
        let sent = |transfer: &Transfer| transfer.producer.ok().map(|producer| (producer, transfer.op));
        transfers.by_producer = transfers.rows.iter().filter_map(sent).collect();
        order::by_number(&mut transfers.by_producer, |(producer, op)| (pair(producer.get(), op.get()), 0));
        transfers
    }

    /// All of them, in the order of their ops.
    pub fn rows(&self) -> &[Transfer] {
        &self.rows
    }

    /// The transfer that `op` recorded.
    pub fn of_op(&self, op: OpId) -> Option<&Transfer> {
        let row = self.rows.binary_search_by_key(&op, |transfer| transfer.op).ok()?;
        self.rows.get(row)
    }

    /// The transfer that brought `input` to `op`: the last that was received when `op` started.
    pub fn of_input(&self, trace: &Trace, op: OpId, input: InputRef<'_>) -> Option<&Transfer> {
        let device = trace.device_of(op);
        let find = |name: &str| trace.strings().find(name).map(|name| self.with_input(device, name));
        let rows = find(input.name)
            .filter(|rows| !rows.is_empty())
            .or_else(|| find(label::without_partition_suffix(input.name)?))?;
        let start = trace.ops().start(op);
        let before = rows.partition_point(|&(_, row)| trace.ops().end(self.rows[row as usize].op) <= start);
        rows.get(before.saturating_sub(1)).map(|&(_, row)| &self.rows[row as usize])
    }

    /// The transfers that took what `op` made to other devices, as their ops.
    pub fn sent_from(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        let first = self.by_producer.partition_point(|&(producer, _)| producer < op);
        self.by_producer[first..]
            .iter()
            .take_while(move |&&(producer, _)| producer == op)
            .map(|&(_, transfer)| transfer)
    }

    /// The ops on the destination that used the tensor, in order of start.
    pub fn consumers(&self, trace: &Trace, flow: &DataFlow, transfer: &Transfer) -> Vec<OpId> {
        let device = trace.device_of(transfer.op);
        let Some((name, is_cut)) = self.input_name(trace, transfer) else {
            return Vec::new();
        };
        // Tensors that come several times (steps, loops) are each used until the next one is there. The first may be
        // used by ops that, on a clock of another thread, seem to start a little early.
        let rows = self.with_input(device, name);
        let received = |&(_, row): &(i64, u32)| {
            let op = self.rows[row as usize].op;
            (trace.ops().end(op), op)
        };
        let own = (trace.ops().end(transfer.op), transfer.op);
        let place = rows.partition_point(|row| received(row) < own);
        let is_same = |row: &(i64, u32)| self.rows[row.1 as usize].tensor == transfer.tensor;
        let before = rows[..place].iter().rev().take(MAX_LOOK_AROUND).any(is_same);
        let next = rows.iter().skip(place + 1).take(MAX_LOOK_AROUND).find(|row| is_same(row));
        let from = if before { own.0 } else { Timestamp(i64::MIN) };
        let until = next.map_or(Timestamp(i64::MAX), |row| received(row).0);
        if is_cut {
            flow.ops_with_cut_input(trace, device, name, from, until)
        } else {
            flow.ops_with_input(trace, device, name, from, until)
        }
    }

    /// The times of a transfer, given its consumers.
    pub fn times(&self, trace: &Trace, flow: &DataFlow, transfer: &Transfer, consumers: &[OpId]) -> Times {
        let ops = trace.ops();
        let Interval { start, end: received } = ops.interval(transfer.op);
        let sent = (received - start > CLAMPED).then_some(start);
        let producer_end = transfer.producer.ok().map(|producer| ops.end(producer));
        let span = |from: Option<Timestamp>, to: Option<Timestamp>| {
            let length = to? - from?;
            (length >= Nanos(0)).then_some(length)
        };
        let first = consumers.iter().copied().min_by_key(|&op| ops.scheduled(op).unwrap_or(ops.start(op)));
        let first_scheduled = first.map(|op| ops.scheduled(op).unwrap_or(ops.start(op)));
        Times {
            producer_end,
            sent,
            received,
            queued: span(producer_end, sent),
            wire: span(sent, Some(received)),
            // A consumer queued within the microsecond that the receipt was rounded to waited no time.
            unused: first_scheduled.map(|scheduled| (scheduled - received).max(Nanos(0))),
            delayed: first
                .and_then(|op| self.latest_other_input(trace, flow, op, transfer))
                .map(|other| (received - other).max(Nanos(0))),
        }
    }

    /// When the last input of `op` other than `transfer` was there.
    fn latest_other_input(
        &self,
        trace: &Trace,
        flow: &DataFlow,
        op: OpId,
        transfer: &Transfer,
    ) -> Option<Timestamp> {
        let label = trace.text(trace.nodes().label(trace.ops().node(op)));
        label::inputs(label)
            .take(MAX_INPUTS)
            .filter_map(|input| match self.of_input(trace, op, input) {
                Some(other) if other.op == transfer.op => None,
                Some(other) => Some(trace.ops().end(other.op)),
                None => flow.producer(trace, op, input).map(|producer| trace.ops().end(producer)),
            })
            .max()
    }

    /// The name by which consumers call the tensor, and whether they add a suffix to it.
    fn input_name(&self, trace: &Trace, transfer: &Transfer) -> Option<(StringId, bool)> {
        if let Some(receiver) = transfer.receiver {
            return Some((receiver, false));
        }
        let base = label::producer_of_edge(trace.text(transfer.tensor)).name;
        trace.strings().find(base).map(|base| (base, true))
    }

    /// The rows in order of receipt.
    fn by_receipt(&self, trace: &Trace) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.rows.len() as u32).collect();
        order::by_number(&mut rows, |row| (trace.ops().end(self.rows[row as usize].op).0, 0));
        rows
    }

    fn join_producers(&mut self, trace: &Trace, flow: &DataFlow, ends: &Ends) {
        // The transfers of one key come in order of receipt, to be paired with the runs of their producer.
        let mut rows = self.by_receipt(trace);
        let key = |transfers: &Self, row: u32| {
            let Transfer { tensor, source, destination, .. } = transfers.rows[row as usize];
            (pair(tensor.get(), source.get()), i64::from(destination.get()))
        };
        order::by_number(&mut rows, |row| key(self, row));
        let mut rest = rows.as_slice();
        while let Some(&first) = rest.first() {
            let same = rest.partition_point(|&row| key(self, row) == key(self, first));
            let (rows, after) = rest.split_at(same);
            self.join_key(trace, flow, ends, rows);
            rest = after;
        }
    }

    /// Joins the transfers of one rendezvous key, in order of receipt.
    fn join_key(&mut self, trace: &Trace, flow: &DataFlow, ends: &Ends, rows: &[u32]) {
        let first = self.rows[rows[0] as usize];
        let found = ends.producer(trace, &first);
        let name =
            found.or_else(|| trace.strings().find(label::producer_of_edge(trace.text(first.tensor)).name));
        let device = trace.devices().by_name(first.source);
        let device = device.filter(|&device| trace.devices().get(device).op_count > 0);
        let runs = match (device, name) {
            (Some(device), Some(name)) => flow.ops_named(trace, device, name),
            _ => Vec::new(),
        };
        for (place, &row) in rows.iter().enumerate() {
            let transfer = &mut self.rows[row as usize];
            transfer.producer = match (device, name) {
                (None, _) => Err(NoProducer::SourceNotTraced),
                (_, None) => Err(NoProducer::UnknownKey),
                // As many runs as transfers: the first made the first. Holds whatever the clocks say.
                _ if runs.len() == rows.len() => Ok(runs[place]),
                (Some(device), Some(name)) => flow
                    .last_before(trace, device, name, trace.ops().end(transfer.op))
                    .or(runs.first().copied())
                    .ok_or(NoProducer::NotRecorded),
            };
            transfer.join = if found.is_some() || transfer.receiver.is_some() {
                Some(Join::Graph)
            } else {
                transfer.producer.is_ok().then_some(Join::Label)
            };
        }
    }

    fn index_inputs(&mut self, trace: &Trace) {
        for row in self.by_receipt(trace) {
            let transfer = &self.rows[row as usize];
            if let Some((name, _)) = self.input_name(trace, transfer) {
                self.by_input.push((pair(trace.device_of(transfer.op).get(), name.get()), row));
            }
        }
        order::by_number(&mut self.by_input, |(input, _)| (input, 0));
    }

    /// The transfers that bring `name` to `device`, in order of receipt.
    fn with_input(&self, device: DeviceId, name: StringId) -> &[(i64, u32)] {
        let input = pair(device.get(), name.get());
        let first = self.by_input.partition_point(|&(other, _)| other < input);
        let count = self.by_input[first..].partition_point(|&(other, _)| other == input);
        &self.by_input[first..first + count]
    }
}

/// Two row numbers as one number, in their order.
fn pair(first: u32, second: u32) -> i64 {
    i64::from(first) << 32 | i64::from(second)
}

/// Reads the transfer that `op` recorded, if its label is a transfer's; with the size that the label gives.
fn read(trace: &Trace, ends: &Ends, op: OpId) -> Option<Transfer> {
    let label = label::transfer(trace.text(trace.nodes().label(trace.ops().node(op))))?;
    let transfer = Transfer {
        op,
        tensor: trace.strings().find(label.tensor)?,
        source: trace.strings().find(label.source)?,
        destination: trace.strings().find(label.destination)?,
        bytes: Bytes(label.bytes.unwrap_or(0)),
        producer: Err(NoProducer::UnknownKey),
        join: None,
        receiver: None,
    };
    Some(Transfer { receiver: ends.receiver(&transfer), ..transfer })
}

/// A rendezvous key: tensor, source, destination.
type Key = (StringId, StringId, StringId);

/// The sending and receiving nodes of the graphs, by key.
struct Ends {
    senders: HashMap<Key, GraphNodeId, FixedState>,
    receivers: HashMap<Key, StringId, FixedState>,
}

impl Ends {
    fn of(trace: &Trace) -> Self {
        let mut ends = Self { senders: HashMap::default(), receivers: HashMap::default() };
        for meeting in trace.graph().rendezvous() {
            let key = (meeting.tensor, meeting.source, meeting.destination);
            match meeting.end {
                End::Send => _ = ends.senders.entry(key).or_insert(meeting.node),
                End::Recv => _ = ends.receivers.entry(key).or_insert(trace.graph().name(meeting.node)),
            }
        }
        ends
    }

    fn receiver(&self, transfer: &Transfer) -> Option<StringId> {
        self.receivers.get(&(transfer.tensor, transfer.source, transfer.destination)).copied()
    }

    /// The name of the node whose output the sending node sends.
    fn producer(&self, trace: &Trace, transfer: &Transfer) -> Option<StringId> {
        let sender = self.senders.get(&(transfer.tensor, transfer.source, transfer.destination))?;
        let input = *trace.graph().inputs(*sender).first()?;
        trace.strings().find(InputRef::parse(trace.text(input)).name)
    }
}
