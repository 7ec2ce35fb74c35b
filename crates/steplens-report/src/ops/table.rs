//! Ops as rows of a table: requested ones, or a page of a sorted list.

use crate::{OpRef, text};
use serde::Serialize;
use std::ops::Range;
use steplens_core::questions::lengths;
use steplens_core::questions::op_list::{Filter, OpColumn, OpList};
use steplens_core::questions::range::RangeQuery;
use steplens_core::search::matches::Matches;
use steplens_core::search::pattern::Pattern;
use steplens_core::{OpId, Study};

/// The requested ops as rows of a table, in the same order; ops that the trace does not have are left out.
pub fn rows(study: &Study, ops: &[OpId]) -> String {
    let known = ops.iter().filter(|op| op.index() < study.trace().ops().len());
    text(&known.map(|&op| OpRow::of(study, op)).collect::<Vec<_>>())
}

/// Pages of tables of ops. The last list is kept, because the next page is probably of the same list.
#[derive(Debug, Default)]
pub struct OpPages(Option<OpList>);

impl OpPages {
    /// The rows at `places` of the ops of `query` in the order of `column`, filtered by `filter` (`matches` are those of the page's
    /// search), and the number of all rows; the largest first if `descending`. For another study or search a new `self` is needed.
    pub fn page(
        &mut self,
        study: &Study,
        query: RangeQuery,
        (column, descending): (OpColumn, bool),
        filter: Filter,
        matches: &Matches,
        places: Range<usize>,
    ) -> String {
        #[derive(Serialize)]
        struct OpPage<'a> {
            total: usize,
            rows: Vec<OpRow<'a>>,
            /// Why the text of the filter is invalid; then there are no rows.
            problem: Option<String>,
        }
        let order = (column, descending);
        let known = self.0.take().filter(|list| list.answers(&query, order, &filter));
        let list = match known.map_or_else(|| filtered(study, query, order, filter, matches), Ok) {
            Ok(list) => self.0.insert(list),
            Err(problem) => return text(&OpPage { total: 0, rows: Vec::new(), problem: Some(problem) }),
        };
        let shown = list.ops().iter().skip(places.start).take(places.len());
        let rows = shown.map(|&op| OpRow::of(study, op)).collect();
        text(&OpPage { total: list.ops().len(), rows, problem: None })
    }

    /// The place of `op` in the last list.
    pub fn place(&self, op: OpId) -> Option<usize> {
        self.0.as_ref()?.ops().iter().position(|&listed| listed == op)
    }
}

fn filtered(
    study: &Study,
    query: RangeQuery,
    order: (OpColumn, bool),
    filter: Filter,
    matches: &Matches,
) -> Result<OpList, String> {
    let wanted = Pattern::new(&filter.text, false)?;
    let own = Matches::of(study.trace(), study.lanes(), &wanted)?;
    let found = [filter.matching.then_some(matches), (!wanted.is_empty()).then_some(&own)];
    let found: Vec<&Matches> = found.into_iter().flatten().collect();
    Ok(OpList::of(study, query, order, filter, &found))
}

/// A histogram of the durations of the ops that match.
pub fn lengths(study: &Study, matches: &Matches) -> String {
    /// Ops of about the same length.
    #[derive(Serialize)]
    struct LengthBin {
        /// The least length.
        from_ns: i64,
        /// All lengths are less than this.
        to_ns: i64,
        count: u64,
        total_ns: i64,
    }
    let ops = || study.trace().ops().ids().filter(|&op| matches.contains(op));
    let bins = lengths::lengths(study.trace(), ops);
    let bins = bins.iter().map(|bin| LengthBin {
        from_ns: bin.from.0,
        to_ns: bin.to.0,
        count: bin.count,
        total_ns: bin.total.0,
    });
    text(&bins.collect::<Vec<_>>())
}

/// The column of [`OpRow`]'s JSON with this name, to sort by.
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
