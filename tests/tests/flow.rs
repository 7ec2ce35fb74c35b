//! Flow over several hops, against the plain definition: every pair of ops is tried, hop after hop.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use prost::Message;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::makers::Source;
use steplens_core::questions::flow::{Edge, Flow, MAX_EDGES};
use steplens_core::{CategoryRules, OpId, Study};
use steplens_formats::Opener;
use steplens_tests::cases::cases;
use steplens_tests::fixtures::fixture;
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

/// Who made and who used what, for all ops of a trace.
struct Relations {
    producers: BTreeMap<OpId, BTreeSet<OpId>>,
    consumers: BTreeMap<OpId, BTreeSet<OpId>>,
}

impl Relations {
    fn of(study: &Study) -> Self {
        let trace = study.trace();
        let mut relations = Self { producers: BTreeMap::new(), consumers: BTreeMap::new() };
        for op in trace.ops().ids() {
            if let Some(producer) = study.transfers().of_op(op).and_then(|transfer| transfer.producer.ok()) {
                relations.producers.entry(op).or_default().insert(producer);
                relations.consumers.entry(producer).or_default().insert(op);
            }
            for edge in study.edges().inputs(op, usize::MAX) {
                let maker = match edge.source {
                    // A transfer is used through its receiver alone.
                    Source::Op(maker) if study.transfers().of_op(maker).is_some() => {
                        relations.producers.entry(op).or_default().insert(maker);
                        continue;
                    }
                    Source::Op(maker) => maker,
                    Source::Transfer(id) => {
                        let transfer = study.transfers().get(id);
                        let Some(maker) = transfer.op.or(transfer.producer.ok()) else { continue };
                        maker
                    }
                    Source::NotTaken | Source::NotRecorded => continue,
                };
                relations.producers.entry(op).or_default().insert(maker);
                relations.consumers.entry(maker).or_default().insert(op);
            }
        }
        // An op leads to the kernels that it launched; `kernels.rs` tests which these are.
        for op in trace.ops().ids() {
            relations.consumers.entry(op).or_default().extend(study.kernels().of_op(trace, op));
            // A stream that only repeats others knows its op, and that op only the others.
            relations.producers.entry(op).or_default().extend(study.kernels().op_of(op));
        }
        // No op feeds itself, whatever names say.
        for relation in [&mut relations.producers, &mut relations.consumers] {
            relation.iter_mut().for_each(|(op, others)| _ = others.remove(op));
        }
        relations
    }

    /// The edges around `op`: those of every op that is less than `hops` edges away.
    fn around(&self, op: OpId, hops: i32) -> BTreeSet<(OpId, OpId)> {
        let mut edges = BTreeSet::new();
        for (relation, is_back) in [(&self.producers, true), (&self.consumers, false)] {
            let mut reached = BTreeSet::from([op]);
            for _ in 0..hops {
                for near in reached.clone() {
                    for &far in relation.get(&near).into_iter().flatten() {
                        edges.insert(if is_back { (far, near) } else { (near, far) });
                        reached.insert(far);
                    }
                }
            }
        }
        edges
    }
}

/// The edges within each number of hops up to `hops` are those of the relations.
fn check(study: &Study, relations: &Relations, op: OpId, hops: i32) {
    let flow = Flow::around(study, op, hops as u32);
    let ends = |edge: &Edge| (edge.from, edge.to);
    assert!(flow.edges.is_sorted_by_key(|edge| edge.hop.abs()));
    assert_eq!(flow.edges.iter().map(ends).collect::<BTreeSet<_>>().len(), flow.edges.len());
    assert_eq!(flow.is_truncated, relations.around(op, hops).len() > MAX_EDGES);
    for within in 0..=hops {
        let wanted = relations.around(op, within);
        let got: BTreeSet<_> = flow.edges.iter().filter(|edge| edge.hop.abs() <= within).map(ends).collect();
        if wanted.len() <= MAX_EDGES {
            assert_eq!(got, wanted, "{op:?} within {within} hops");
        } else {
            assert!(got.len() == MAX_EDGES && got.is_subset(&wanted));
        }
    }
    for edge in &flow.edges {
        let is_transfer = |op| study.transfers().of_op(op).is_some();
        assert_eq!(edge.is_transfer, is_transfer(edge.from) || is_transfer(edge.to));
    }
}

#[test]
fn the_flow_of_a_recorded_step() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let relations = Relations::of(&study);
    for op in study.trace().ops().ids() {
        check(&study, &relations, op, 2);
    }
    for op in study.trace().ops().ids().step_by(97) {
        check(&study, &relations, op, 9);
    }
    // A worker's ops are fed from the parameter server and feed it again.
    let crosses = |op: OpId| {
        let flow = Flow::around(&study, op, 3);
        let devices: BTreeSet<_> = flow.edges.iter().map(|edge| study.trace().device_of(edge.from)).collect();
        devices.len() > 1
            && flow.edges.iter().any(|edge| edge.hop < -1)
            && flow.edges.iter().any(|edge| edge.hop > 1)
    };
    assert!(study.trace().ops().ids().any(crosses));
}

#[test]
fn a_very_wide_flow_is_cut_where_it_is_farthest() {
    let readers = (0..3_000).map(|at| op(&format!("r{at} = Identity(w)"), 10 + at, 1));
    let ops = [op("v = Variable()", 0, 1), op("w = Mul(v)", 2, 1)].into_iter().chain(readers);
    let study = Scenario::new().device(PS, ops).study();
    let named = |name: &str| study.trace().ops().ids().find(|&op| study.trace().op_name(op) == name).unwrap();
    let flow = Flow::around(&study, named("w"), 5);
    assert!(flow.is_truncated && flow.edges.len() == MAX_EDGES);
    assert_eq!((flow.edges[0].from, flow.edges[0].hop), (named("v"), -1));
    assert_eq!(Flow::around(&study, named("v"), 1).edges.len(), 1);
    assert_eq!(Flow::around(&study, named("v"), 0), Flow::default());
}

/// Ops that name each other, on two devices, and transfers between these.
fn step() -> impl Strategy<Value = Scenario> {
    let label = select(
        &[
            "a = Mul(b, c)",
            "b = Add(a, ^c)",
            "c = Sub(a/_1)",
            "d = Neg(c, c:1)",
            "a = Abs(d, a)",
            "e = Mul(x)",
        ][..],
    );
    let row = move || (label.clone(), 0_i64..90_000, 1_i64..20_000);
    let transfer = (select(&["edge_1_a", "edge_2_c", "edge_3_d:1", "x"][..]), 0_i64..90, 0_i64..20);
    (vec(row(), 0..12), vec(row(), 1..12), vec(transfer, 0..8)).prop_map(|(ps, worker, transfers)| {
        let ops = |rows: Vec<(&str, i64, i64)>| {
            rows.into_iter().map(|(label, start, length)| op(label, start, length)).collect::<Vec<_>>()
        };
        let transfers =
            transfers.into_iter().map(|(tensor, start, length)| recv(tensor, PS, WORKER, 8, start, length));
        Scenario::new().device(PS, ops(ps)).device(WORKER, ops(worker)).device(WORKER, transfers)
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_flow_of_random_steps(step in step()) {
        let study = step.study();
        let relations = Relations::of(&study);
        for op in study.trace().ops().ids() {
            check(&study, &relations, op, 4);
        }
    }

    #[test]
    fn the_flow_of_hostile_steps(metadata in crate::strategy::run_metadata()) {
        let mut opener = Opener::new(CategoryRules::default(), Default::default());
        opener.begin_file("random.pb");
        opener.push(&metadata.encode_to_vec());
        if let Ok(opened) = opener.finish() {
            let study = Study::new(opened.trace);
            let relations = Relations::of(&study);
            for op in study.trace().ops().ids() {
                check(&study, &relations, op, 3);
            }
        }
    }
}
