//! A table of transfers: which of them, in which order, page by page.

use crate::tables::{Transfer, TransferColumn, Value};
use crate::text;
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::network::tensors::TensorNames;
use steplens_core::network::waited::Waited;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::search::matches::contains;
use steplens_core::transfers;
use steplens_core::{OpId, Study, TransferId};

/// Which transfers a table shows, and in which order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferQuery {
    /// By what they are sorted.
    pub sort: TransferColumn,
    /// The largest first.
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

impl TransferList {
    /// Filters and sorts. Figures that were not recorded come last in both directions.
    pub fn of(study: &Study, query: TransferQuery, waited: &Waited) -> Self {
        let range = query.range.as_ref().map(|query| Range::of(study, query));
        let is_received = |transfer: &transfers::Transfer| {
            range.as_ref().is_none_or(|range| range.receives_transfer(transfer))
        };
        let has = |id, part: &str| contains(study.trace().text(id), part);
        let variable = |id| study.variable(id).map(|variable| variable.name);
        let link =
            query.filter.split_once("->").map(|(source, destination)| (source.trim(), destination.trim()));
        let named = NAMED.iter().find_map(|&(prefix, is)| Some((query.filter.strip_prefix(prefix)?, is)));
        let mut names = named.map(|_| TensorNames::new(study));
        let mut is_named = |id, transfer: &transfers::Transfer, (name, is_gradient): (&str, bool)| {
            let own = names.as_mut().and_then(|names| names.of_transfer(id, transfer));
            own.is_some_and(|(own, is)| is == is_gradient && study.trace().text(own) == name)
        };
        let mut matches = |id, transfer: &transfers::Transfer| match link {
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
        let value = |id| query.sort.value(&Transfer::of(study, id, Some(waited)));
        let rows = if query.sort.is_text() {
            by_text(found, query.descending, &value)
        } else {
            by_figure(found, query.descending, &value)
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
        struct TransfersPage<'a> {
            total: usize,
            rows: Vec<Transfer<'a>>,
        }
        let waited = &*self.waited.get_or_insert_with(|| Waited::summed(study));
        let known = self.list.take().filter(|list| list.query == query);
        let list = self.list.insert(known.unwrap_or_else(|| TransferList::of(study, query, waited)));
        let shown = list.rows.iter().skip(places.start).take(places.len());
        let rows = shown.map(|&id| Transfer::of(study, id, Some(waited)));
        text(&TransfersPage { total: list.rows.len(), rows: rows.collect() })
    }

    /// The place in the last list of the transfer that `op` recorded.
    pub fn place(&self, study: &Study, op: OpId) -> Option<usize> {
        let is_of_op = |&id: &TransferId| study.transfers().get(id).op == Some(op);
        self.list.as_ref()?.rows.iter().position(is_of_op)
    }
}

fn by_text<'s>(
    found: Vec<TransferId>,
    descending: bool,
    value: &dyn Fn(TransferId) -> Value<'s>,
) -> Vec<TransferId> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for row in found {
        match value(row) {
            Value::Text(text) => known.push((text, row)),
            _ => unknown.push(row),
        }
    }
    known.sort_by(|(a, _), (b, _)| if descending { b.cmp(a) } else { a.cmp(b) });
    known.into_iter().map(|(_, row)| row).chain(unknown).collect()
}

fn by_figure<'s>(
    found: Vec<TransferId>,
    descending: bool,
    value: &dyn Fn(TransferId) -> Value<'s>,
) -> Vec<TransferId> {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for row in found {
        match value(row) {
            Value::Integer(figure) => {
                known.push((if descending { figure.saturating_neg() } else { figure }, row));
            }
            _ => unknown.push(row),
        }
    }
    order::by_number(&mut known, |(figure, _)| (figure, 0));
    known.into_iter().map(|(_, row)| row).chain(unknown).collect()
}
