//! The page's answer: the path in columns.

use super::{CriticalPath, PartRow};
use crate::text;
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::{OpId, Study};

/// Both paths, for the page: rows of the observed path as columns, their sums, and what was found.
#[derive(Serialize)]
struct PathPage<'a> {
    sentence: String,
    length_ns: i64,
    static_ns: i64,
    unexplained_ns: i64,
    /// By segment of the observed path: its op, its place in `kinds`, its start and end, and what it was queued behind last.
    ops: Vec<u32>,
    kind: Vec<u8>,
    start_ns: Vec<i64>,
    end_ns: Vec<i64>,
    behind: Vec<Option<u32>>,
    behind_count: Vec<u32>,
    /// The names of the ops of the segments.
    names: Vec<&'a str>,
    /// The lanes of these ops.
    lanes: Vec<u32>,
    /// Words of the kinds of segments.
    kinds: Vec<&'static str>,
    /// The ops that the path leads through, in order, with their lanes, starts and ends, and how each was reached.
    through: Vec<u32>,
    through_lanes: Vec<u32>,
    through_start_ns: Vec<i64>,
    through_end_ns: Vec<i64>,
    through_kind: Vec<&'static str>,
    /// The latest start of these ops up to each: where its place along the path is, for a search by halves.
    through_reach_ns: Vec<i64>,
    /// Their places by lane, then by start, each op once.
    through_by_lane: Vec<u32>,
    by_category: Vec<PartRow<'a>>,
    by_op_type: Vec<PartRow<'a>>,
    by_scope: Vec<PartRow<'a>>,
    by_device: Vec<PartRow<'a>>,
    /// The ops of the static path.
    static_ops: Vec<u32>,
    near: usize,
    next_length_ns: i64,
    next_outside_ns: i64,
    /// Dependencies that ran back in time and were repaired.
    backward: u64,
    backward_largest_ns: i64,
    /// Neighbours that were scheduled together, and how many of these ran in a row: how far inferred threads are explained.
    neighbours: u64,
    in_a_row: u64,
}

/// Both paths.
pub fn path(study: &Study) -> String {
    let all = CriticalPath::of(study);
    let causes = study.causes();
    let segments = &causes.observed.segments;
    let steps = &causes.observed.steps;
    let first = steps.first().map(|&(from, _, _)| (from, "start"));
    let through: Vec<(OpId, &'static str)> =
        first.into_iter().chain(steps.iter().map(|&(_, to, kind)| (to, kind.word()))).collect();
    let interval = |op: OpId| study.trace().ops().interval(op);
    let mut reach = i64::MIN;
    let mut by_lane: Vec<u32> = (0..through.len() as u32).collect();
    let op_of = |place: u32| through[place as usize].0;
    order::by_number(&mut by_lane, |place| {
        (i64::from(study.lanes().lane(op_of(place)).get()), interval(op_of(place)).start.0)
    });
    by_lane.dedup_by_key(|place| op_of(*place));
    text(&PathPage {
        sentence: all.sentence,
        length_ns: all.length_ns,
        static_ns: all.floor.length_ns,
        unexplained_ns: all.unexplained_ns,
        ops: segments.iter().map(|own| own.op.get()).collect(),
        kind: segments.iter().map(|own| own.kind as u8).collect(),
        start_ns: segments.iter().map(|own| own.interval.start.0).collect(),
        end_ns: segments.iter().map(|own| own.interval.end.0).collect(),
        behind: segments.iter().map(|own| own.behind.map(|(op, _)| op.get())).collect(),
        behind_count: segments.iter().map(|own| own.behind.map_or(0, |(_, count)| count)).collect(),
        names: segments.iter().map(|own| study.title(own.op)).collect(),
        lanes: segments.iter().map(|own| study.lanes().lane(own.op).get()).collect(),
        kinds: SegmentKind::ALL.map(SegmentKind::word).to_vec(),
        through: through.iter().map(|(op, _)| op.get()).collect(),
        through_lanes: through.iter().map(|&(op, _)| study.lanes().lane(op).get()).collect(),
        through_start_ns: through.iter().map(|&(op, _)| interval(op).start.0).collect(),
        through_end_ns: through.iter().map(|&(op, _)| interval(op).end.0).collect(),
        through_kind: through.iter().map(|&(_, kind)| kind).collect(),
        through_reach_ns: through
            .iter()
            .map(|&(op, _)| {
                reach = reach.max(interval(op).start.0);
                reach
            })
            .collect(),
        through_by_lane: by_lane,
        by_category: all.by_category,
        by_op_type: all.by_op_type,
        by_scope: all.by_scope,
        by_device: all.by_device,
        static_ops: causes.floor.path.iter().map(|&node| causes.graph.nodes.op(node).get()).collect(),
        near: all.floor.near,
        next_length_ns: all.floor.next_length_ns,
        next_outside_ns: all.floor.next_outside_ns,
        backward: all.graph.backward,
        backward_largest_ns: all.graph.backward_largest_ns,
        neighbours: all.threads.iter().map(|rule| rule.neighbours).sum(),
        in_a_row: all.threads.iter().map(|rule| rule.in_a_row).sum(),
    })
}
