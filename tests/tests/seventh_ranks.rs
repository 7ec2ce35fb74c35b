//! Ranks without GPUs that wait for each other: three of them, two all-reduces of Gloo in flight at once on two threads, and a rank 1 that
//! computes 80 ms longer. Each figure follows from the numbers of `ranks`.

use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::{Basis, FactPart, Finding, Findings, Rule};
use steplens_core::makers::Makers;
use steplens_core::network::stragglers::{CauseKind, stragglers};
use steplens_core::replay::Replay;
use steplens_core::replay::schedule::Schedule;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Bytes, Nanos, Study};
use steplens_report::findings;
use steplens_tests::opened::{event, open, process, study, torch};

const US: i64 = 1_000;
const SLOW: i64 = 1;

/// The file of `rank`, where rank 1 runs `extra` for 80 ms after its first 10 ms, or with them if `extra` is the same op. `shapes` are
/// the arguments of its all-reduces.
fn rank(rank: i64, extra: &str, shapes: &Value) -> Vec<u8> {
    let (pid, none) = (100 + rank, json!({}));
    let mut events = process(pid, "CPU").to_vec();
    let mut put = |name: &str, tid: i64, from: i64, to: i64, args: &Value| {
        let cat = if name.starts_with("gloo") { "user_annotation" } else { "cpu_op" };
        events.push(event(cat, name, (pid, tid), (from as f64, (to - from) as f64), args));
    };
    let called = if rank == SLOW { 90_000 } else { 10_000 };
    match rank == SLOW && extra != "aten::mm" {
        true => {
            put("aten::mm", 1, 0, 10_000, &none);
            put(extra, 1, 10_000, called, &none);
        }
        false => put("aten::mm", 1, 0, called, &none),
    }
    for (place, thread) in [(0, 2), (1, 3)] {
        let at = called + place * 200;
        put("c10d::allreduce_", 1, at, at + 100, &none);
        put("gloo:all_reduce", thread, at + 50, 95_000 + place * 200, shapes);
    }
    put("aten::div", 1, 95_300, if rank == 0 { 100_000 } else { 99_000 }, &none);
    torch(&events, &json!({ "distributedInfo": { "backend": "gloo", "rank": rank, "world_size": 3 } }))
}

fn ranks(extra: &str, shapes: &Value) -> Study {
    let files: Vec<Vec<u8>> = (0..3).map(|own| rank(own, extra, shapes)).collect();
    study(open(&[("r0.json", &files[0]), ("r1.json", &files[1]), ("r2.json", &files[2])]))
}

fn made() -> Study {
    ranks("aten::normal_", &json!({ "Input Dims": [[1_000]], "Input type": ["float"] }))
}

fn of(study: &Study, rule: Rule) -> Finding {
    let found = Findings::found(study, &Replay::of(study), None);
    let own = found.rows.into_iter().find(|own| own.rule == rule);
    own.unwrap_or_else(|| panic!("no {}", rule.word()))
}

/// The sentence of `rule`.
fn said(study: &Study, rule: Rule) -> String {
    let list: Value = serde_json::from_str(&findings::json(study, &[], None)).expect("a finding");
    let rows = list["findings"].as_array().expect("a finding");
    let own = rows.iter().find(|own| own["rule"] == rule.word()).expect("a finding");
    own["what"].as_str().unwrap_or_else(|| panic!("{own}")).to_owned()
}

#[test]
fn the_path_goes_on_with_what_the_late_rank_did() {
    let study = made();
    let sums = study.causes().observed.by_kind();
    let of = |kind: SegmentKind| sums[kind as usize].0 / US;
    // In transit from the last arrival at 90.25 ms to the end at 95.2.
    assert_eq!(of(SegmentKind::Transit), 4_950);
    // 90 ms of rank 1, 4.7 of rank 0.
    assert_eq!(of(SegmentKind::Compute), 94_700);
    assert_eq!(of(SegmentKind::Launching), 150);
    assert_eq!((of(SegmentKind::HostBetweenOps), of(SegmentKind::Gap)), (200, 0));
    let trace = study.trace();
    let normal =
        study.causes().observed.segments.iter().filter(|own| trace.op_name(own.op) == "aten::normal_");
    assert_eq!(normal.map(|own| own.interval.length().0 / US).sum::<i64>(), 80_000);
}

#[test]
fn the_path_of_the_replay_is_the_observed_one() {
    let study = made();
    let replay = Replay::of(&study);
    let sums = Schedule::by_kind(&replay.unchanged().path(&study, &replay));
    let of = |kind: SegmentKind| sums[kind as usize].0 / US;
    assert_eq!((of(SegmentKind::Compute), of(SegmentKind::Transit)), (94_700, 4_950));
}

#[test]
fn a_moment_of_waiting_counts_once() {
    let own = of(&made(), Rule::CollectiveWait);
    // Ranks 0 and 2 wait from 10.05 to 90.25 ms, rank 1 never.
    assert_eq!((own.facts.time, own.facts.ranks), (Nanos(2 * 80_200 * US), 3));
    assert_eq!((own.basis, own.saving), (Basis::Measured, Some(Nanos(2 * 80_200 * US / 3))));
    let late: Vec<(u64, i64)> = own.facts.late.iter().map(|own| (own.count, own.waiting.0 / US)).collect();
    assert_eq!(late, [(2, 160_400)]);
}

#[test]
fn late_ranks_without_gpus_have_none() {
    let study = made();
    // Between the first arrival and theirs: computing until 90 ms, then calls and the first all-reduce.
    let parts = of(&study, Rule::CollectiveWait).facts.parts;
    assert_eq!(parts, [(FactPart::Computing, Nanos(79_950 * US)), (FactPart::Other, Nanos(250 * US))]);
    assert!(!said(&study, Rule::CollectiveWait).contains("GPU"));
}

#[test]
fn no_finding_advises_a_change_that_saves_nothing() {
    // No peer has the op that makes rank 1 late.
    assert_eq!(of(&made(), Rule::CollectiveWait).change, None);
    let longer = ranks("aten::mm", &json!({}));
    let own = of(&longer, Rule::CollectiveWait);
    assert_eq!((own.basis, own.saving), (Basis::Replay, Some(Nanos(80_000 * US))));
    assert!(own.change.is_some());
}

#[test]
fn who_is_late_in_collectives_is_the_straggler() {
    let study = made();
    let found = stragglers(&study, &StepOfOp::indexed(&study), &Makers::found(study.edges()));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    let trace = study.trace();
    assert!(only.in_collective && trace.text(only.ended[0].unit).contains("task:1"));
    assert_eq!((only.after_next, only.behind), (Nanos(80_000 * US), Nanos(80_000 * US)));
    let cause = only.cause.unwrap();
    assert_eq!((cause.kind, trace.op_name(cause.op)), (CauseKind::StartedLate, "c10d::allreduce_"));
    assert_eq!((cause.own, cause.usual), (Nanos(90_000 * US), Some(Nanos(10_000 * US))));
}

#[test]
fn collectives_of_hosts_have_the_bytes_of_their_inputs() {
    let study = made();
    assert!(study.collectives().rows.iter().all(|own| own.bytes == Some(Bytes(4_000))));
    assert_eq!(of(&study, Rule::ExposedTransfers).facts.bytes, Bytes(8_000));
    let unsized_ = ranks("aten::normal_", &json!({ "Input Dims": [[1_000]], "Input type": ["what"] }));
    assert!(unsized_.collectives().rows.iter().all(|own| own.bytes.is_none()));
    let said = said(&unsized_, Rule::ExposedTransfers);
    assert!(said.contains("unknown size") && !said.contains("0 B"), "{said}");
}
