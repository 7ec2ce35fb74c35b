//! `steplens.transfers/1`: every transfer with its ends and times, and what went over each link.

use super::{OpRef, text};
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::model::output::{dtype_name, shape_text};
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::search::matches::contains;
use steplens_core::transfers::links::{Between, Link, Matrix};
use steplens_core::transfers::{Join, Transfer};
use steplens_core::{Nanos, StringId, Study, Timestamp, TransferId};

/// How many consumers of one transfer are listed at most; the count tells of the rest.
const MAX_CONSUMERS: usize = 1_000;
/// How many consumers of all transfers are listed at most, but at least some of each: keeps the list of a file with a
/// million transfers, each used by a million ops, from outgrowing memory.
const MAX_CONSUMERS_TOGETHER: usize = 10_000_000;
const MIN_CONSUMERS: usize = 16;

/// One transfer. Times that nothing recorded are null.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are those of core's Transfer and Times, which document them")]
pub struct TransferRow {
    pub transfer: u32,
    /// The op that recorded it, if one did.
    pub op: Option<u32>,
    pub tensor: String,
    pub source: String,
    pub destination: String,
    /// Which output of its producer it is.
    pub output: u32,
    /// The variable that it is a value of, or a gradient for.
    pub variable: Option<String>,
    /// `value` or `gradient`.
    pub kind: Option<&'static str>,
    pub bytes: Option<u64>,
    pub dtype: Option<String>,
    pub shape: Option<String>,
    pub producer: Option<OpRef>,
    pub producer_end_ns: Option<i64>,
    pub sent_ns: Option<i64>,
    pub received_ns: Option<i64>,
    pub queued_ns: Option<i64>,
    pub wire_ns: Option<i64>,
    pub unused_ns: Option<i64>,
    pub delayed_ns: Option<i64>,
    pub bytes_per_second: Option<u64>,
    /// The first of them; `consumer_count` is how many there are.
    pub consumers: Vec<OpRef>,
    /// How many there are.
    pub consumer_count: usize,
    /// How producer and consumers were found: exactly, from the graphs; or inferred from labels.
    pub joined: Option<&'static str>,
    /// How surely its producer is known: `exact`, `inferred` or `ambiguous`; and of how many it is one.
    pub certainty: &'static str,
    pub candidates: Option<u32>,
    /// Why there is no producer, when there is none: one of the codes of docs.
    pub unjoined_because: Option<&'static str>,
}

/// Whose clock each figure of a transfer rests on. What rests on both is wrong by what their clocks differ by.
#[derive(Clone, Copy, Debug, Serialize)]
struct Clocks {
    producer_end_ns: &'static str,
    sent_ns: &'static str,
    received_ns: &'static str,
    queued_ns: &'static str,
    wire_ns: &'static str,
    unused_ns: &'static str,
    delayed_ns: &'static str,
    bytes_per_second: &'static str,
}

const CLOCKS: Clocks = Clocks {
    producer_end_ns: "sender",
    sent_ns: "sender",
    received_ns: "receiver",
    queued_ns: "sender",
    wire_ns: "both",
    unused_ns: "receiver",
    delayed_ns: "receiver",
    bytes_per_second: "both",
};

/// What went from one device to another.
#[derive(Clone, Debug, Serialize)]
pub struct Links {
    source: String,
    destination: String,
    count: u64,
    bytes: u64,
    busy_ns: Option<i64>,
    bytes_per_second: Option<u64>,
}

/// Which transfers a table shows, and in which order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferQuery {
    /// By what they are sorted.
    pub sort: Ordering,
    /// The largest first.
    pub descending: bool,
    /// Only those whose tensor, variable, source or destination contains this, in any case; with `->` in it, those from what is
    /// before it to what is after it; empty for all.
    pub filter: String,
    /// Only those whose receipt lies in this range.
    pub range: Option<RangeQuery>,
}

/// The transfers of a query in its order. The page asks for some rows at a time, and this is what does not change meanwhile.
#[derive(Clone, Debug)]
pub struct TransferList {
    query: TransferQuery,
    rows: Vec<TransferId>,
}

/// By what a table of transfers is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the columns of TransferRow")]
pub enum Ordering {
    Bytes,
    WireNs,
    QueuedNs,
    UnusedNs,
    DelayedNs,
    SentNs,
    ReceivedNs,
    Tensor,
    Source,
    Destination,
    Variable,
}

impl Ordering {
    /// The ordering by a column of [`TransferRow`], called as in JSON.
    pub fn by_column(name: &str) -> Option<Self> {
        Some(match name {
            "bytes" => Self::Bytes,
            "wire_ns" => Self::WireNs,
            "queued_ns" => Self::QueuedNs,
            "unused_ns" => Self::UnusedNs,
            "delayed_ns" => Self::DelayedNs,
            "sent_ns" => Self::SentNs,
            "received_ns" => Self::ReceivedNs,
            "tensor" => Self::Tensor,
            "source" => Self::Source,
            "destination" => Self::Destination,
            "variable" => Self::Variable,
            _ => return None,
        })
    }
}

/// Every transfer, in the order of its op.
pub fn transfer_rows(study: &Study) -> impl Iterator<Item = TransferRow> + '_ {
    study.transfers().all().map(|(id, _)| row(study, id))
}

/// `steplens.transfers/1`.
pub fn transfers(study: &Study) -> String {
    #[derive(Serialize)]
    struct Transfers {
        schema: &'static str,
        clocks: Clocks,
        transfers: Vec<TransferRow>,
        links: Vec<Links>,
    }
    text(&Transfers {
        schema: "steplens.transfers/1",
        clocks: CLOCKS,
        transfers: transfer_rows(study).collect(),
        links: link_rows(study),
    })
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

impl TransferList {
    /// Filters and sorts; figures that nothing recorded come last, whichever way.
    pub fn of(study: &Study, query: TransferQuery) -> Self {
        let range = query.range.as_ref().map(|query| Range::of(study, query));
        let is_received =
            |transfer: &Transfer| range.as_ref().is_none_or(|range| range.receives_transfer(transfer));
        let has = |id, part: &str| contains(study.trace().text(id), part);
        let variable = |id| study.variable(id).map(|variable| variable.name);
        let link =
            query.filter.split_once("->").map(|(source, destination)| (source.trim(), destination.trim()));
        let matches = |id, transfer: &Transfer| match link {
            Some((source, destination)) => {
                has(transfer.source, source) && has(transfer.destination, destination)
            }
            None => {
                let texts = [transfer.tensor, transfer.source, transfer.destination];
                texts.into_iter().chain(variable(id)).any(|id| has(id, &query.filter))
            }
        };
        let all = study.transfers().all();
        let found = all.filter(|&(id, transfer)| {
            is_received(&transfer) && (query.filter.is_empty() || matches(id, &transfer))
        });
        let found: Vec<TransferId> = found.map(|(id, _)| id).collect();
        let text = |id: TransferId| {
            let transfer = study.transfers().get(id);
            Some(match query.sort {
                Ordering::Tensor => transfer.tensor,
                Ordering::Source => transfer.source,
                Ordering::Destination => transfer.destination,
                _ => variable(id)?,
            })
        };
        let rows = match query.sort {
            Ordering::Tensor | Ordering::Source | Ordering::Destination | Ordering::Variable => {
                by_text(study, found, query.descending, &text)
            }
            sort => by_figure(found, query.descending, &|id| figure(study, id, sort)),
        };
        Self { query, rows }
    }

    /// Whether this is the list of `query`.
    pub fn answers(&self, query: &TransferQuery) -> bool {
        self.query == *query
    }
}

/// Some rows of the table of transfers, and how many it has in all.
pub fn transfer_page(study: &Study, list: &TransferList, offset: usize, limit: usize) -> String {
    #[derive(Serialize)]
    struct Page {
        total: usize,
        rows: Vec<TransferRow>,
    }
    let shown = list.rows.iter().skip(offset).take(limit);
    let rows = shown.map(|&id| row(study, id));
    text(&Page { total: list.rows.len(), rows: rows.collect() })
}

fn by_text(
    study: &Study,
    found: Vec<TransferId>,
    descending: bool,
    id: &dyn Fn(TransferId) -> Option<StringId>,
) -> Vec<TransferId> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for row in found {
        match id(row) {
            Some(id) => known.push((id, row)),
            None => unknown.push(row),
        }
    }
    let text = |(id, _)| study.trace().text(id);
    order::by(&mut known, |a, b| if descending { text(b).cmp(text(a)) } else { text(a).cmp(text(b)) });
    known.into_iter().map(|(_, row)| row).chain(unknown).collect()
}

fn by_figure(
    found: Vec<TransferId>,
    descending: bool,
    figure: &dyn Fn(TransferId) -> Option<i64>,
) -> Vec<TransferId> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for row in found {
        match figure(row) {
            Some(figure) => known.push((if descending { figure.saturating_neg() } else { figure }, row)),
            None => unknown.push(row),
        }
    }
    order::by_number(&mut known, |(figure, _)| (figure, 0));
    known.into_iter().map(|(_, row)| row).chain(unknown).collect()
}

fn figure(study: &Study, id: TransferId, sort: Ordering) -> Option<i64> {
    let times = study.times(id);
    let length = |length: Option<Nanos>| length.map(|length| length.0);
    let at = |time: Option<Timestamp>| time.map(|time| time.0);
    match sort {
        Ordering::Bytes => {
            let known = study.transfers().get(id).known_bytes();
            known.map(|bytes| i64::try_from(bytes.0).unwrap_or(i64::MAX))
        }
        Ordering::WireNs => length(times.wire),
        Ordering::QueuedNs => length(times.queued),
        Ordering::UnusedNs => length(times.unused),
        Ordering::DelayedNs => length(times.delayed),
        Ordering::SentNs => at(times.sent),
        _ => at(times.received),
    }
}

/// The row of one transfer.
pub(super) fn row(study: &Study, id: TransferId) -> TransferRow {
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
        producer_end_ns: at(times.producer_end),
        sent_ns: at(times.sent),
        received_ns: at(times.received),
        queued_ns: times.queued.map(|length| length.0),
        wire_ns: times.wire.map(|length| length.0),
        unused_ns: times.unused.map(|length| length.0),
        delayed_ns: times.delayed.map(|length| length.0),
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

/// Bytes per second, rounded down; `None` when no time passed.
pub(super) fn rate(bytes: u64, ns: Option<i64>) -> Option<u64> {
    let ns = u128::try_from(ns?).ok().filter(|&ns| ns > 0)?;
    Some(u64::try_from(u128::from(bytes) * 1_000_000_000 / ns).unwrap_or(u64::MAX))
}
