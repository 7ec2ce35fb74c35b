//! Laws of lanes in every arrangement, on random small traces, against definitions that are slow and plain.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use steplens_core::timeline::grouping::{Arrangement, GroupKind};
use steplens_core::{Category, Interval, LaneId, Nanos, OpId, Study, Timestamp};
use steplens_tests::cases::cases;
use steplens_tests::steps::{LABELS, step};
use steplens_tests::writer::{Scenario, WORKER, op};

const ARRANGEMENTS: [Arrangement; 4] =
    [Arrangement::Packed, Arrangement::Thread, Arrangement::OpType, Arrangement::Scope];

/// Each starts before the other ends.
fn overlap(a: Interval, b: Interval) -> bool {
    a.start < b.end && b.start < a.end
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn lanes_never_overlap_and_are_as_few_as_can_be(step in step(), by in select(&ARRANGEMENTS[..])) {
        let mut study = step.study();
        study.arrange(by);
        let (ops, lanes) = (study.trace().ops(), study.lanes());
        let mut next_lane = 0;
        let mut seen = vec![0; ops.len()];
        for device in study.trace().devices().ids() {
            let mut own_lanes = lanes.of_device(device);
            let groups = lanes.groups(device);
            prop_assert_eq!(groups.iter().map(|group| group.lanes).sum::<usize>(), own_lanes.len());
            prop_assert!(groups.is_sorted_by_key(|group| group.kind));
            for group in &groups {
                let mut members: Vec<OpId> = Vec::new();
                for lane in own_lanes.by_ref().take(group.lanes) {
                    prop_assert_eq!(lane.get(), next_lane);
                    next_lane += 1;
                    let row = lanes.ops(lane);
                    prop_assert!(!row.is_empty() && row.is_sorted());
                    for (place, &op) in row.iter().enumerate() {
                        seen[op.index()] += 1;
                        prop_assert_eq!(lanes.lane(op), lane);
                        prop_assert_eq!(study.trace().device_of(op), device);
                        prop_assert_eq!(lanes.neighbour(op, 1), row.get(place + 1).copied());
                        prop_assert!(row[place + 1..].iter().all(|&other| !overlap(ops.interval(op), ops.interval(other))));
                    }
                    members.extend(row);
                }
                prop_assert_eq!(group.lanes, most_at_once(&study, &members));
                let communicates = |op: &OpId| study.trace().category(*op) == Category::Communication;
                let communicating = members.iter().filter(|op| communicates(op)).count();
                prop_assert_eq!(group.kind == GroupKind::Communication, communicating * 2 > members.len());
                if by == Arrangement::Packed {
                    // What a device computes is never below its transfers.
                    prop_assert!(communicating == 0 || communicating == members.len());
                } else {
                    prop_assert!(members.iter().all(|&op| group_name(&study, by, op) == group.name));
                }
            }
            let of_ops = groups.iter().filter(|group| group.kind == GroupKind::Ops);
            prop_assert_eq!(lanes.op_lanes(device), of_ops.map(|group| group.lanes).sum::<usize>());
        }
        prop_assert_eq!(lanes.len(), next_lane as usize);
        prop_assert!(seen.iter().all(|&times| times == 1));
    }

    #[test]
    fn lanes_in_use_and_edges_are_what_every_op_says(
        step in step(),
        by in select(&ARRANGEMENTS[..]),
        at in -20_i64..400,
        reach in 0_i64..60,
    ) {
        let mut study = step.study();
        study.arrange(by);
        let (trace, lanes) = (study.trace(), study.lanes());
        let at = Timestamp(at * 1_000);
        let window = Interval::new(at - Nanos(reach * 1_000), at + Nanos(reach * 1_000));
        let all = || (0..lanes.len()).map(LaneId::from_usize);
        let interval = |op: OpId| trace.ops().interval(op);
        for lane in all() {
            let meets = |&op: &OpId| interval(op).start <= window.end && interval(op).end >= window.start;
            prop_assert_eq!(lanes.is_used(trace, lane, window), lanes.ops(lane).iter().any(meets));
        }
        let edges = trace.ops().ids().flat_map(|op| [interval(op).start, interval(op).end]);
        let nearest = edges.filter(|&edge| window.start <= edge && edge <= window.end).map(|edge| (edge - at).max(at - edge)).min();
        let found = lanes.edge_near(trace, all(), at, window);
        prop_assert_eq!(found.map(|edge| (edge - at).max(at - edge)), nearest);
    }

    #[test]
    fn what_is_found_at_a_moment_is_the_longest_that_covers_it_or_the_nearest(
        step in step(), at in -5_i64..80, slack in 0_i64..6,
    ) {
        let study = step.study();
        let (trace, lanes) = (study.trace(), study.lanes());
        let at = Timestamp(at);
        let window = Interval { start: at - Nanos(slack), end: at + Nanos(slack) };
        for device in trace.devices().ids() {
            let found = lanes.longest_near(trace, lanes.of_device(device), at, window);
            let meets = |op: &OpId| { let own = trace.ops().interval(*op); own.start <= window.end && own.end >= window.start };
            let away = |op: OpId| { let own = trace.ops().interval(op); (own.start - at).max(at - own.end).max(Nanos(0)) };
            let all = || trace.ops_of(device).filter(meets);
            let nearest = all().map(away).min();
            prop_assert_eq!(found.map(away), nearest);
            let longest = all().filter(|&op| Some(away(op)) == nearest).map(|op| trace.ops().interval(op).length()).max();
            // Of a lane that has two as near as each other, the later one stands for both.
            if nearest == Some(Nanos(0)) && all().filter(|&op| away(op) == Nanos(0)).all(|op| trace.ops().interval(op).start < at && trace.ops().interval(op).end > at) {
                prop_assert_eq!(found.map(|op| trace.ops().interval(op).length()), longest);
            }
        }
    }

    #[test]
    fn back_to_packed_is_as_opened(step in step(), by in select(&ARRANGEMENTS[..])) {
        let opened = step.study();
        let mut study = step.study();
        study.arrange(by);
        study.arrange(Arrangement::Packed);
        let lanes_of = |study: &Study| study.trace().ops().ids().map(|op| study.lanes().lane(op)).collect::<Vec<_>>();
        prop_assert_eq!(lanes_of(&study), lanes_of(&opened));
    }

    #[test]
    fn lanes_do_not_depend_on_the_order_in_the_file(
        rows in btree_set((0_i64..60, 0_i64..25), 1..40),
        order in vec(any::<u64>(), 40),
    ) {
        let label = |row: &(i64, i64)| LABELS[(row.0 + row.1) as usize % LABELS.len()];
        let lanes_of = |rows: &[(i64, i64)]| {
            let study = Scenario::new().device(WORKER, rows.iter().map(|row| op(label(row), row.0, row.1))).study();
            let lane = |op| (study.trace().ops().interval(op).start, study.trace().ops().interval(op).end, study.lanes().lane(op));
            study.trace().ops().ids().map(lane).collect::<Vec<_>>()
        };
        let rows: Vec<_> = rows.into_iter().collect();
        let mut shuffled: Vec<_> = order.iter().zip(&rows).map(|(order, row)| (order, *row)).collect();
        shuffled.sort_unstable();
        let shuffled: Vec<_> = shuffled.into_iter().map(|(_, row)| row).collect();
        prop_assert_eq!(lanes_of(&rows), lanes_of(&shuffled));
    }
}

/// How many of `ops` run at one moment: ops that overlap pairwise all overlap the one of them that starts last.
fn most_at_once(study: &Study, ops: &[OpId]) -> usize {
    let interval = |op: &OpId| study.trace().ops().interval(*op);
    let with = |last: &OpId| {
        ops.iter().filter(|&other| other < last && overlap(interval(other), interval(last))).count()
    };
    ops.iter().map(|last| with(last) + 1).max().unwrap_or(0)
}

/// The group of `op`, where there are so few that none is left out.
fn group_name(study: &Study, by: Arrangement, op: OpId) -> String {
    let trace = study.trace();
    match (by, trace.ops().thread(op)) {
        (Arrangement::Packed, _) => String::new(),
        (Arrangement::Thread, 0) => "no thread".to_owned(),
        (Arrangement::Thread, thread) => format!("thread {thread}"),
        (Arrangement::OpType, _) => trace.text(trace.nodes().op_type(trace.ops().node(op))).to_owned(),
        (Arrangement::Scope, _) if trace.category(op) == Category::Communication => {
            "communication".to_owned()
        }
        (Arrangement::Scope, _) => {
            trace.op_name(op).rsplit_once('/').map_or("no scope", |(scope, _)| scope).to_owned()
        }
    }
}
