//! The page's answer: the paths as columns.

use super::{CriticalPath, PathPart};
use crate::clocks::ClockNote;
use crate::text;
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::{OpId, Study};

/// Both paths for the page: the observed path as columns, its sums, and what was found.
#[derive(Serialize)]
struct PathPage<'a> {
    sentence: String,
    /// Why times of its tasks cannot be compared. If it is not null, both paths are empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<ClockNote>,
    length_ns: i64,
    static_ns: i64,
    unexplained_ns: i64,
    /// The next columns have a value for each segment of the observed path: its op, the index of its kind in `kinds`, its start, its
    /// end, the op that held its thread or link last, how many ops ended there meanwhile, and how much earlier it could have run.
    ops: Vec<u32>,
    kind: Vec<u8>,
    start_ns: Vec<i64>,
    end_ns: Vec<i64>,
    behind: Vec<Option<u32>>,
    behind_count: Vec<u32>,
    earlier_ns: Vec<i64>,
    /// The names of the ops of the segments.
    names: Vec<&'a str>,
    /// The lanes of these ops.
    lanes: Vec<u32>,
    /// The words for the kinds of segments.
    kinds: Vec<&'static str>,
    /// The paths along which the timeline can be highlighted: the observed path, the static path, and of all paths by dependencies
    /// the one that shares least with the static path.
    observed_path: PathThrough,
    static_path: PathThrough,
    next_path: PathThrough,
    by_category: Vec<PathPart<'a>>,
    by_op_type: Vec<PathPart<'a>>,
    by_scope: Vec<PathPart<'a>>,
    by_device: Vec<PathPart<'a>>,
    by_frame: Vec<PathPart<'a>>,
    near: usize,
    next_length_ns: i64,
    next_outside_ns: i64,
    /// The number of dependencies that ran back in time and were repaired.
    backward: u64,
    backward_largest_ns: i64,
    /// The number of neighbours that were scheduled together, and how many of these ran in a row: how well inferred threads explain
    /// the order of ops.
    neighbours: u64,
    in_a_row: u64,
    /// The number of ops of executors, and how many of them have a recorded thread.
    thread_ops: u64,
    threads_recorded: u64,
}

/// The ops of a path, in order, as columns.
#[derive(Serialize)]
struct PathThrough {
    lanes: Vec<u32>,
    start_ns: Vec<i64>,
    end_ns: Vec<i64>,
    /// For each op the latest start of the ops up to it, so that a place along the path can be found by binary search.
    reach_ns: Vec<i64>,
    /// The indexes of these ops by lane, then by start, each op once.
    by_lane: Vec<u32>,
}

impl PathThrough {
    fn of(study: &Study, ops: &[OpId]) -> Self {
        let interval = |op: OpId| study.trace().ops().interval(op);
        let lane = |op: OpId| study.lanes().lane(op).get();
        let mut by_lane: Vec<u32> = (0..ops.len() as u32).collect();
        let op_of = |place: u32| ops[place as usize];
        order::by_number(&mut by_lane, |place| {
            (i64::from(lane(op_of(place))), interval(op_of(place)).start.0)
        });
        by_lane.dedup_by_key(|place| op_of(*place));
        let mut reach = i64::MIN;
        let mut reached = |op: OpId| {
            reach = reach.max(interval(op).start.0);
            reach
        };
        Self {
            lanes: ops.iter().map(|&op| lane(op)).collect(),
            start_ns: ops.iter().map(|&op| interval(op).start.0).collect(),
            end_ns: ops.iter().map(|&op| interval(op).end.0).collect(),
            reach_ns: ops.iter().map(|&op| reached(op)).collect(),
            by_lane,
        }
    }
}

/// Both paths, for the page.
pub fn path(study: &Study) -> String {
    let all = CriticalPath::of(study);
    let causes = study.causes();
    let shown = all.clocks.is_none();
    let segments = if shown { &causes.observed.segments[..] } else { &[] };
    let steps = if shown { &causes.observed.steps[..] } else { &[] };
    let (floor, next) =
        if shown { (&causes.floor.path[..], &causes.floor.next.path[..]) } else { (&[][..], &[][..]) };
    let observed: Vec<OpId> = steps
        .first()
        .map(|&(from, _, _)| from)
        .into_iter()
        .chain(steps.iter().map(|&(_, to, _)| to))
        .collect();
    // The pieces of an op that others interrupted are separate nodes.
    let ops_of = |path: &[u32]| {
        let mut ops: Vec<OpId> = path.iter().map(|&node| causes.graph.nodes.op(node)).collect();
        ops.dedup();
        ops
    };
    text(&PathPage {
        sentence: all.sentence,
        clocks: all.clocks,
        length_ns: all.length_ns,
        static_ns: all.floor.length_ns,
        unexplained_ns: all.unexplained_ns,
        ops: segments.iter().map(|own| own.op.get()).collect(),
        kind: segments.iter().map(|own| own.kind as u8).collect(),
        start_ns: segments.iter().map(|own| own.interval.start.0).collect(),
        end_ns: segments.iter().map(|own| own.interval.end.0).collect(),
        behind: segments.iter().map(|own| own.behind.map(|(op, _)| op.get())).collect(),
        behind_count: segments.iter().map(|own| own.behind.map_or(0, |(_, count)| count)).collect(),
        earlier_ns: segments.iter().map(|own| own.earlier.0).collect(),
        names: segments.iter().map(|own| study.title(own.op)).collect(),
        lanes: segments.iter().map(|own| study.lanes().lane(own.op).get()).collect(),
        kinds: SegmentKind::ALL.map(SegmentKind::word).to_vec(),
        observed_path: PathThrough::of(study, &observed),
        static_path: PathThrough::of(study, &ops_of(floor)),
        next_path: PathThrough::of(study, &ops_of(next)),
        by_category: all.by_category,
        by_op_type: all.by_op_type,
        by_scope: all.by_scope,
        by_device: all.by_device,
        by_frame: all.by_frame,
        near: all.floor.near,
        next_length_ns: all.floor.next_length_ns,
        next_outside_ns: all.floor.next_outside_ns,
        backward: all.graph.backward,
        backward_largest_ns: all.graph.backward_largest_ns,
        neighbours: all.threads.iter().map(|rule| rule.neighbours).sum(),
        in_a_row: all.threads.iter().map(|rule| rule.in_a_row).sum(),
        thread_ops: all.threads.iter().map(|rule| rule.ops).sum(),
        threads_recorded: all.threads.iter().map(|rule| rule.recorded).sum(),
    })
}
