//! `steplens.transfers/1`: every transfer with its ends and times, and the transfers over each link.

mod csv;
mod table;

pub use csv::write_csv;
pub use table::{Ordering, TransferList, TransferPages, TransferQuery};

use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::model::output::{dtype_name, shape_text};
use steplens_core::network::waited::Waited;
use steplens_core::transfers::Join;
use steplens_core::transfers::links::{Between, Link, Matrix};
use steplens_core::{Study, Timestamp, TransferId};

/// The most consumers that are listed for one transfer; the count has all of them.
const MAX_CONSUMERS: usize = 1_000;
/// The most consumers that are listed for all transfers together, but at least some of each. Keeps the list of a file with a
/// million transfers, each used by a million ops, from outgrowing memory.
const MAX_CONSUMERS_TOGETHER: usize = 10_000_000;
const MIN_CONSUMERS: usize = 16;

/// One transfer. Times that were not recorded are null.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are those of core's Transfer and Times, which document them")]
pub struct TransferRow {
    pub transfer: u32,
    /// The op that recorded it, if one did.
    pub op: Option<u32>,
    pub tensor: String,
    pub source: String,
    pub destination: String,
    /// The index of the output of its producer.
    pub output: u32,
    /// The variable whose value or gradient it is.
    pub variable: Option<String>,
    /// `value` or `gradient`.
    pub kind: Option<&'static str>,
    pub bytes: Option<u64>,
    pub dtype: Option<String>,
    pub shape: Option<String>,
    pub producer: Option<OpRef>,
    pub producer_end_ns: Option<i64>,
    /// When it was handed over to be sent: the start of its `_Send` node, if a host profiler recorded that.
    pub handed_over_ns: Option<i64>,
    pub sent_ns: Option<i64>,
    pub received_ns: Option<i64>,
    pub queued_ns: Option<i64>,
    pub wire_ns: Option<i64>,
    pub unused_ns: Option<i64>,
    pub delayed_ns: Option<i64>,
    /// Exposed communication of the receiver that is blamed on it. Null if no op recorded it, and in the details of an op, where it
    /// is not computed.
    pub waited_ns: Option<i64>,
    pub bytes_per_second: Option<u64>,
    /// The first of its consumers; `consumer_count` is the number of all.
    pub consumers: Vec<OpRef>,
    /// The number of its consumers.
    pub consumer_count: usize,
    /// How producer and consumers were found: exactly, from the graphs; or inferred from labels.
    pub joined: Option<&'static str>,
    /// How sure its producer is: `exact`, `inferred` or `ambiguous`; and the number of candidates.
    pub certainty: &'static str,
    pub candidates: Option<u32>,
    /// Why there is no producer, if there is none: one of the codes in the documentation.
    pub unjoined_because: Option<&'static str>,
}

/// The clock on which each figure of a transfer is based. A figure that is based on both clocks is wrong by their difference.
#[derive(Clone, Copy, Debug, Serialize)]
struct Clocks {
    producer_end_ns: &'static str,
    handed_over_ns: &'static str,
    sent_ns: &'static str,
    received_ns: &'static str,
    queued_ns: &'static str,
    wire_ns: &'static str,
    unused_ns: &'static str,
    delayed_ns: &'static str,
    waited_ns: &'static str,
    bytes_per_second: &'static str,
}

const CLOCKS: Clocks = Clocks {
    producer_end_ns: "sender",
    handed_over_ns: "sender",
    sent_ns: "sender",
    received_ns: "receiver",
    queued_ns: "sender",
    wire_ns: "both",
    unused_ns: "receiver",
    delayed_ns: "receiver",
    waited_ns: "receiver",
    bytes_per_second: "both",
};

/// The transfers from one device to another.
#[derive(Clone, Debug, Serialize)]
pub struct Links {
    source: String,
    destination: String,
    count: u64,
    bytes: u64,
    busy_ns: Option<i64>,
    bytes_per_second: Option<u64>,
}

/// Every transfer, in the order of its op.
pub fn rows(study: &Study) -> impl Iterator<Item = TransferRow> + '_ {
    let waited = Waited::of(study);
    study.transfers().all().map(move |(id, _)| row(study, id, Some(&waited)))
}

/// `steplens.transfers/1`.
pub fn json(study: &Study) -> String {
    text(&answer(study))
}

/// The object as a value.
pub fn answer(study: &Study) -> impl Serialize + use<> {
    #[derive(Serialize)]
    struct Transfers {
        schema: &'static str,
        clocks: Clocks,
        transfers: Vec<TransferRow>,
        links: Vec<Links>,
    }
    Transfers {
        schema: "steplens.transfers/1",
        clocks: CLOCKS,
        transfers: rows(study).collect(),
        links: link_rows(study),
    }
}

/// The links of `study`.
fn link_rows(study: &Study) -> Vec<Links> {
    let matrix = Matrix::of(study.trace(), study.transfers(), Between::Devices);
    let name = |place: u32| matrix.places[place as usize].to_owned();
    let row = |&Link { source, destination, load }: &Link| Links {
        source: name(source),
        destination: name(destination),
        count: load.count,
        bytes: load.bytes.0,
        busy_ns: (load.timed > 0).then_some(load.busy.0),
        bytes_per_second: rate(load.timed_bytes.0, Some(load.busy.0)),
    };
    matrix.links.iter().map(row).collect()
}

/// The row of one transfer.
pub(crate) fn row(study: &Study, id: TransferId, waited: Option<&Waited>) -> TransferRow {
    let (trace, transfer) = (study.trace(), study.transfers().get(id));
    let consumers = study.transfer_times().consumers(id);
    let listed =
        (MAX_CONSUMERS_TOGETHER / study.transfers().rows().len().max(1)).clamp(MIN_CONSUMERS, MAX_CONSUMERS);
    let times = study.times(id);
    let name = |id| trace.text(id).to_owned();
    let (variable, tensor_type) = (study.variable(id), study.transfers().type_of(trace, id));
    let at = |time: Option<Timestamp>| time.map(|time| time.0);
    TransferRow {
        transfer: id.get(),
        op: transfer.op.map(|op| op.get()),
        tensor: name(transfer.tensor),
        source: name(transfer.source),
        destination: name(transfer.destination),
        output: transfer.output(trace).slot,
        variable: variable.map(|variable| name(variable.name)),
        kind: variable.map(|variable| if variable.is_gradient { "gradient" } else { "value" }),
        bytes: transfer.known_bytes().map(|bytes| bytes.0),
        dtype: tensor_type.map(|(dtype, _)| dtype_name(dtype)),
        shape: tensor_type.and_then(|(_, output)| Some(shape_text(output?.shape))),
        producer: transfer.producer.ok().map(|producer| OpRef::of(study, producer)),
        handed_over_ns: study.handed_over(id).map(|at| at.0),
        producer_end_ns: at(times.producer_end),
        sent_ns: at(times.sent),
        received_ns: at(times.received),
        queued_ns: times.queued.map(|length| length.0),
        wire_ns: times.wire.map(|length| length.0),
        unused_ns: times.unused.map(|length| length.0),
        delayed_ns: times.delayed.map(|length| length.0),
        waited_ns: waited.zip(transfer.op).map(|(waited, op)| waited.of_op(op).0),
        bytes_per_second: rate(transfer.bytes.0, times.wire.map(|wire| wire.0)),
        consumers: consumers.iter().take(listed).map(|&op| OpRef::of(study, op)).collect(),
        consumer_count: consumers.len(),
        joined: transfer.join.map(|join| match join {
            Join::Graph => "graph",
            Join::Label => "label",
        }),
        certainty: transfer.certainty.word(),
        candidates: transfer.certainty.candidates(),
        unjoined_because: transfer.producer.err().map(|why| why.code()),
    }
}

/// Bytes per second, rounded down; `None` if no time passed.
pub(crate) fn rate(bytes: u64, ns: Option<i64>) -> Option<u64> {
    let ns = u128::try_from(ns?).ok().filter(|&ns| ns > 0)?;
    Some(u64::try_from(u128::from(bytes) * 1_000_000_000 / ns).unwrap_or(u64::MAX))
}
