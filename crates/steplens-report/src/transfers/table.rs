//! A table of transfers: which of them, in which order, page by page.

use super::{TransferRow, row};
use crate::text;
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::network::tensors::TensorNames;
use steplens_core::network::waited::Waited;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::search::matches::contains;
use steplens_core::transfers::Transfer;
use steplens_core::{Nanos, OpId, StringId, Study, Timestamp, TransferId};

/// Which transfers a table shows, and in which order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferQuery {
    /// The column by which they are sorted.
    pub sort: Ordering,
    /// Whether the largest come first.
    pub descending: bool,
    /// Only transfers whose tensor, variable, source or destination contains this, in any case. `tensor=NAME` selects values and
    /// `gradient=NAME` gradients of a name in the table of tensors. With `->` in it, it selects transfers from the place before it
    /// to the place after it. Empty for all.
    pub filter: String,
    /// Only transfers that arrive in this range.
    pub range: Option<RangeQuery>,
}

/// The transfers of a query in order. The page asks for some rows at a time, and this list stays the same between its requests.
#[derive(Clone, Debug)]
pub struct TransferList {
    query: TransferQuery,
    rows: Vec<TransferId>,
}

/// Prefixes of a filter for one row of the table of tensors: its values, or its gradients.
const NAMED: [(&str, bool); 2] = [("tensor=", false), ("gradient=", true)];

/// The columns by which a table of transfers can be sorted.
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
    WaitedNs,
}

impl Ordering {
    /// The ordering by a column of [`TransferRow`], by its name in JSON.
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
            "waited_ns" => Self::WaitedNs,
            _ => return None,
        })
    }
}

impl TransferList {
    /// Filters and sorts. Figures that were not recorded come last in both directions.
    pub fn of(study: &Study, query: TransferQuery, waited: &Waited) -> Self {
        let range = query.range.as_ref().map(|query| Range::of(study, query));
        let is_received =
            |transfer: &Transfer| range.as_ref().is_none_or(|range| range.receives_transfer(transfer));
        let has = |id, part: &str| contains(study.trace().text(id), part);
        let variable = |id| study.variable(id).map(|variable| variable.name);
        let link =
            query.filter.split_once("->").map(|(source, destination)| (source.trim(), destination.trim()));
        let named = NAMED.iter().find_map(|&(prefix, is)| Some((query.filter.strip_prefix(prefix)?, is)));
        let mut names = named.map(|_| TensorNames::of(study));
        let mut is_named = |id, transfer: &Transfer, (name, is_gradient): (&str, bool)| {
            let own = names.as_mut().and_then(|names| names.of_transfer(id, transfer));
            own.is_some_and(|(own, is)| is == is_gradient && study.trace().text(own) == name)
        };
        let mut matches = |id, transfer: &Transfer| match link {
            _ if let Some(named) = named => is_named(id, transfer, named),
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
            sort => by_figure(found, query.descending, &|id| figure(study, id, sort, waited)),
        };
        Self { query, rows }
    }

    /// The transfers in order.
    pub fn rows(&self) -> &[TransferId] {
        &self.rows
    }
}

/// Pages of tables of transfers. The last list is kept, because the next page is probably of the same list.
#[derive(Debug, Default)]
pub struct TransferPages {
    list: Option<TransferList>,
    /// Computed once, because it does not depend on the query.
    waited: Option<Waited>,
}

impl TransferPages {
    /// The rows at `places` of `query`, and the number of all rows. For another study a new `self` is needed.
    pub fn page(&mut self, study: &Study, query: TransferQuery, places: std::ops::Range<usize>) -> String {
        #[derive(Serialize)]
        struct Page {
            total: usize,
            rows: Vec<TransferRow>,
        }
        let waited = &*self.waited.get_or_insert_with(|| Waited::of(study));
        let known = self.list.take().filter(|list| list.query == query);
        let list = self.list.insert(known.unwrap_or_else(|| TransferList::of(study, query, waited)));
        let shown = list.rows.iter().skip(places.start).take(places.len());
        let rows = shown.map(|&id| row(study, id, Some(waited)));
        text(&Page { total: list.rows.len(), rows: rows.collect() })
    }

    /// The place in the last list of the transfer that `op` recorded.
    pub fn place(&self, study: &Study, op: OpId) -> Option<usize> {
        let is_of_op = |&id: &TransferId| study.transfers().get(id).op == Some(op);
        self.list.as_ref()?.rows.iter().position(is_of_op)
    }
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
    known.sort_by(|&a, &b| if descending { text(b).cmp(text(a)) } else { text(a).cmp(text(b)) });
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

fn figure(study: &Study, id: TransferId, sort: Ordering, waited: &Waited) -> Option<i64> {
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
        Ordering::WaitedNs => Some(waited.of_op(study.transfers().get(id).op?).0),
        Ordering::SentNs => at(times.sent),
        _ => at(times.received),
    }
}
