//! The page's smaller answers: op types, figures of a range, groups of lanes, search, rows of ops.

use super::{OpRef, SplitNs, text};
use serde::Serialize;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::questions::op_list::{OpColumn, OpList};
use steplens_core::questions::op_types::{self, OpTypeRow};
use steplens_core::questions::range::{self, Range, RangeLink, RangeQuery};
use steplens_core::search::matches::Matches;
use steplens_core::timeline::grouping::LaneGroup;
use steplens_core::{Bytes, OpId, Study, Trace};

/// The op types of the ops of a range, those with the largest own time first.
pub fn op_types(study: &Study, query: &RangeQuery) -> String {
    /// The ops of one type that overlap a range. Without a choice of device or lanes, what repeats the numbered streams of a GPU
    /// (`stream:all`, `memcpy`) is left out.
    #[derive(Serialize)]
    struct Row<'a> {
        op_type: &'a str,
        category: &'static str,
        count: u64,
        /// Their time within the window.
        total_ns: i64,
        /// The same without what ops nested in them cover: what is summed.
        self_ns: i64,
        /// Mean, percentiles (nearest rank) and maximum are of their whole lengths.
        mean_ns: i64,
        p50_ns: i64,
        p99_ns: i64,
        max_ns: i64,
        /// Its part of the sum of all `self_ns`, in parts per million.
        share_ppm: i64,
        /// The longest op of this type: where a click leads.
        longest: u32,
    }
    let trace = study.trace();
    let rows = op_types::op_types(study, &Range::of(study, query));
    let all: i64 = rows.iter().map(|row| row.own.0).fold(0, i64::saturating_add);
    let row = |row: &OpTypeRow| Row {
        op_type: trace.text(row.op_type),
        category: row.category.word(),
        count: row.count,
        total_ns: row.total.0,
        self_ns: row.own.0,
        mean_ns: row.mean().0,
        p50_ns: row.p50.0,
        p99_ns: row.p99.0,
        max_ns: trace.ops().interval(row.longest).length().0,
        share_ppm: (i128::from(row.own.0) * 1_000_000 / i128::from(all.max(1))) as i64,
        longest: row.longest.get(),
    };
    text(&rows.iter().map(row).collect::<Vec<_>>())
}

/// The figures of a range: how it divides on each device and accelerator, in a step bar and on any device, how many ops there are, and what was
/// received.
pub fn range(study: &Study, query: &RangeQuery) -> String {
    #[derive(Serialize)]
    struct Link<'a> {
        source: &'a str,
        destination: &'a str,
        count: u64,
        bytes: u64,
    }
    /// The figures of a range.
    #[derive(Serialize)]
    struct Summary<'a> {
        /// Per device (by DeviceId). Only ops of the chosen device or lanes count.
        splits: Vec<SplitNs>,
        /// The same of `Summary.accelerators`.
        accelerators: Vec<SplitNs>,
        /// The mean of the accelerators, or of all devices where there are none.
        step: SplitNs,
        /// At every moment what any device does.
        any_device: SplitNs,
        ops: usize,
        /// Transfers into the chosen device or lanes whose receipt lies in the window.
        transfers: u64,
        /// Others of which it is not known when they were received.
        untimed_transfers: usize,
        transferred_bytes: u64,
        /// The transfers by source and destination, the most bytes first.
        links: Vec<Link<'a>>,
    }
    let trace = study.trace();
    let range = Range::of(study, query);
    let splits = trace.devices().ids().map(|device| range.split(device));
    let links = range::links(study, &range);
    let link = |link: &RangeLink| Link {
        source: trace.text(link.source),
        destination: trace.text(link.destination),
        count: link.count,
        bytes: link.bytes.0,
    };
    text(&Summary {
        splits: splits.map(SplitNs::from).collect(),
        accelerators: accelerators(trace).iter().map(|one| range.split_of(&one.devices).into()).collect(),
        step: range.step_split().into(),
        any_device: range.split_together().into(),
        ops: range.devices().map(|device| range.count(device)).sum(),
        untimed_transfers: study
            .transfers()
            .rows()
            .iter()
            .filter(|transfer| range.may_hold(transfer))
            .count(),
        transfers: links.iter().map(|link| link.count).sum(),
        transferred_bytes: links.iter().map(|link| link.bytes).sum::<Bytes>().0,
        links: links.iter().map(link).collect(),
    })
}

/// The groups of lanes of every device.
pub fn lane_groups(study: &Study) -> String {
    /// A run of a device's lanes that belong together.
    #[derive(Serialize)]
    struct Group {
        /// '' for packed ops, 'communication' for the packed rest; else a thread, an op type or a name scope.
        name: String,
        lanes: usize,
        /// What most of its ops do.
        kind: &'static str,
    }
    let group = |group: LaneGroup| Group { name: group.name, lanes: group.lanes, kind: group.kind.word() };
    let of_device =
        |device| study.lanes().groups(study.trace(), device).into_iter().map(group).collect::<Vec<_>>();
    text(&study.trace().devices().ids().map(of_device).collect::<Vec<_>>())
}

/// What a search found: the count, and the count on each device; or the problem with its pattern.
pub fn search(trace: &Trace, query: &str, regex: bool, matches: &Matches, problem: Option<&str>) -> String {
    #[derive(Serialize)]
    struct Result<'a> {
        query: &'a str,
        regex: bool,
        count: usize,
        per_device: Vec<usize>,
        problem: Option<&'a str>,
    }
    let per_device = trace.devices().ids().map(|device| matches.count_on(trace, device)).collect();
    text(&Result { query, regex, count: matches.len(), per_device, problem })
}

/// Ops as rows of a table, in the order asked for; those that the trace does not have are left out.
pub fn op_rows(study: &Study, ops: &[OpId]) -> String {
    let known = ops.iter().filter(|op| op.index() < study.trace().ops().len());
    text(&known.map(|&op| OpRow::of(study, op)).collect::<Vec<_>>())
}

/// Some rows of a list of ops, and how many it has in all; from its end on if `descending`.
pub fn op_page(study: &Study, list: &OpList, descending: bool, offset: usize, limit: usize) -> String {
    #[derive(Serialize)]
    struct Page<'a> {
        total: usize,
        rows: Vec<OpRow<'a>>,
    }
    let ops = list.page(descending, offset, limit);
    text(&Page { total: list.len(), rows: ops.iter().map(|&op| OpRow::of(study, op)).collect() })
}

/// The column of [`OpRow`]'s JSON that is called `name`, to sort by.
pub fn op_column(name: &str) -> Option<OpColumn> {
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
