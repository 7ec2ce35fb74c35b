//! Ops as rows of a table: the ones asked for, or a page of a sorted list.

use crate::{OpRef, text};
use serde::Serialize;
use std::ops::Range;
use steplens_core::questions::op_list::{OpColumn, OpList};
use steplens_core::questions::range::RangeQuery;
use steplens_core::search::matches::Matches;
use steplens_core::{OpId, Study};

/// Ops as rows of a table, in the order asked for; those that the trace does not have are left out.
pub fn rows(study: &Study, ops: &[OpId]) -> String {
    let known = ops.iter().filter(|op| op.index() < study.trace().ops().len());
    text(&known.map(|&op| OpRow::of(study, op)).collect::<Vec<_>>())
}

/// Pages of tables of ops. The list of the last one is kept, since the next page is most likely of the same.
#[derive(Debug, Default)]
pub struct OpPages(Option<OpList>);

impl OpPages {
    /// The rows at `places` of the ops of `query` by `column` (of them only those among `matches`, where there is a search), and how many
    /// there are in all; the largest first if `descending`. Lists of another study or search are forgotten with `self`.
    pub fn page(
        &mut self,
        study: &Study,
        query: RangeQuery,
        column: OpColumn,
        matches: Option<&Matches>,
        descending: bool,
        places: Range<usize>,
    ) -> String {
        #[derive(Serialize)]
        struct Page<'a> {
            total: usize,
            rows: Vec<OpRow<'a>>,
        }
        let order = (column, descending);
        let known = self.0.take().filter(|list| list.answers(&query, order, matches.is_some()));
        let list = self.0.insert(known.unwrap_or_else(|| OpList::of(study, query, order, matches)));
        let shown = list.ops().iter().skip(places.start).take(places.len());
        text(&Page { total: list.ops().len(), rows: shown.map(|&op| OpRow::of(study, op)).collect() })
    }
}

/// The column of [`OpRow`]'s JSON that is called `name`, to sort by.
pub fn column(name: &str) -> Option<OpColumn> {
    Some(match name {
        "start_ns" => OpColumn::Start,
        "length_ns" => OpColumn::Length,
        "name" => OpColumn::Name,
        "op_type" => OpColumn::OpType,
        "category" => OpColumn::Category,
        "device" => OpColumn::Device,
        _ => return None,
    })
}

/// An op as a row of a table.
#[derive(Serialize)]
struct OpRow<'a> {
    #[serde(flatten)]
    op: OpRef,
    op_type: &'a str,
    category: &'static str,
}

impl<'a> OpRow<'a> {
    fn of(study: &'a Study, op: OpId) -> Self {
        let trace = study.trace();
        Self {
            op: OpRef::of(study, op),
            op_type: trace.text(trace.nodes().op_type(trace.ops().node(op))),
            category: trace.category(op).word(),
        }
    }
}
