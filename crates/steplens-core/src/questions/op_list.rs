//! The ops of a range as rows of a table, in the order of one of its columns.

use crate::Study;
use crate::base::ids::{NodeId, OpId};
use crate::base::order;
use crate::base::units::Nanos;
use crate::model::op_bytes::op_bytes;
use crate::questions::range::{Range, RangeQuery};
use crate::search::matches::Matches;

/// The column by which rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpColumn {
    /// The start.
    Start,
    /// The duration.
    Length,
    /// The name of the node or, for a transfer, of its tensor.
    Name,
    /// The op type, by name.
    OpType,
    /// The category.
    Category,
    /// The device, in the order of the trace.
    Device,
    /// The time in the queue; if it was not recorded, it sorts below zero.
    Queued,
    /// The bytes of the outputs; of a copy, those that it moved.
    Output,
}

/// Which ops of a range are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only ops that the search of the page matches.
    pub matching: bool,
    /// Only ops that this text also matches; all if it is empty.
    pub text: String,
    /// Only ops at least as long as the first, and shorter than the second.
    pub lengths: Option<(Nanos, Nanos)>,
}

/// The ops of a range in order. The page asks for some rows at a time, and this list stays the same between its requests.
#[derive(Clone, Debug)]
pub struct OpList {
    query: RangeQuery,
    column: OpColumn,
    descending: bool,
    filter: Filter,
    ops: Vec<OpId>,
}

impl OpList {
    /// The ops of `query` in the order of `column`, the largest first if `descending`; equal ones in order of start, then of
    /// device. `found` are the matches that `filter` asks for: only ops that are in all of them are listed, and only ops with the
    /// lengths of `filter`.
    pub fn of(
        study: &Study,
        query: RangeQuery,
        (column, descending): (OpColumn, bool),
        filter: Filter,
        found: &[&Matches],
    ) -> Self {
        let trace = study.trace();
        let range = Range::of(study, &query);
        let mut ops = Vec::new();
        for device in range.devices() {
            let is_listed = |op: &OpId| {
                found.iter().all(|matches| matches.contains(*op))
                    && filter
                        .lengths
                        .is_none_or(|(from, to)| (from..to).contains(&trace.ops().interval(*op).length()))
            };
            ops.extend(range.ops(device).filter(is_listed));
        }
        // Ops that run when the window starts come first on each device, in the order of lanes.
        order::by_number(&mut ops, |op| (i64::from(op.get()), 0));
        let ranks = match column {
            OpColumn::Name => ranks(study, &ops, &|op| study.title(op)),
            OpColumn::OpType => {
                ranks(study, &ops, &|op| trace.text(trace.nodes().op_type(trace.ops().node(op))))
            }
            _ => Vec::new(),
        };
        order::by_number(&mut ops, |op| {
            let start = trace.ops().start(op).0;
            let (figure, tie) = match column {
                OpColumn::Start => (start, 0),
                OpColumn::Length => (trace.ops().interval(op).length().0, start),
                OpColumn::Name | OpColumn::OpType => (i64::from(ranks[trace.ops().node(op).index()]), start),
                OpColumn::Category => (trace.category(op) as i64, start),
                OpColumn::Device => (i64::from(trace.device_of(op).get()), start),
                OpColumn::Queued => (trace.ops().queued(op).map_or(i64::MIN, |queued| queued.0), start),
                OpColumn::Output => {
                    let bytes = op_bytes(trace, op).0;
                    (i64::try_from(bytes).unwrap_or(i64::MAX), start)
                }
            };
            (if descending { figure.saturating_neg() } else { figure }, tie)
        });
        Self { query, column, descending, filter, ops }
    }

    /// Whether this is the list for these arguments.
    pub fn answers(
        &self,
        query: &RangeQuery,
        (column, descending): (OpColumn, bool),
        filter: &Filter,
    ) -> bool {
        self.query == *query
            && (self.column, self.descending) == (column, descending)
            && self.filter == *filter
    }

    /// The ops in order.
    pub fn ops(&self) -> &[OpId] {
        &self.ops
    }
}

/// For each node the rank of its text among the texts of all nodes of `ops`. All ops of a node have the same text.
fn ranks<'a>(study: &'a Study, ops: &[OpId], text: &dyn Fn(OpId) -> &'a str) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; study.trace().nodes().len()];
    let mut texts: Vec<(&str, NodeId)> = Vec::new();
    for &op in ops {
        let node = study.trace().ops().node(op);
        if std::mem::replace(&mut ranks[node.index()], 0) == u32::MAX {
            texts.push((text(op), node));
        }
    }
    texts.sort_by(|&a, &b| a.0.cmp(b.0));
    for (rank, run) in (0..).zip(texts.chunk_by(|a, b| a.0 == b.0)) {
        run.iter().for_each(|&(_, node)| ranks[node.index()] = rank);
    }
    ranks
}
