//! Ranks and tasks that come late: who, for how long, why, and who waits for them.
//! Those of real recordings next to another reading of the same files; the others follow from the numbers of the case.

use super::made::US;
use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::{Basis, FactPart, Finding, Findings, Needs, Rule, Subject, Verdict};
use steplens_core::makers::Makers;
use steplens_core::network::stragglers::{CauseKind, stragglers};
use steplens_core::replay::Replay;
use steplens_core::replay::schedule::Schedule;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Bytes, Category, Nanos, Study};
use steplens_report::{findings, verdict};
use steplens_tests::opened::{HOST, event, found, on_host, open, process, study, text, torch};
use steplens_tests::samples::sample;

fn found_in(names: &[String]) -> Option<Findings> {
    let files: Option<Vec<(&str, Vec<u8>)>> =
        names.iter().map(|name| Some((name.as_str(), sample(name)?))).collect();
    let files = files?;
    let study = study(open(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>()));
    Some(Findings::found(&study, &Replay::of(&study), None))
}

fn row_of(found: &Findings, rule: Rule) -> Option<&Finding> {
    found.rows.iter().find(|own| own.rule == rule)
}

#[test]
fn every_rank_with_a_fifth_of_the_waiting_is_named() {
    let ranks: Vec<String> = (0..8).map(|rank| format!("real/megatron-tp8/rank-{rank}.json.gz")).collect();
    let Some(found) = found_in(&ranks) else { return };
    let own = row_of(&found, Rule::CollectiveWait).expect("a finding");
    let late: Vec<(u64, i64)> =
        own.facts.late.iter().map(|own| (own.count, (own.waiting.0 + 500_000) / 1_000_000)).collect();
    assert_eq!((late, own.facts.ranks), (vec![(32, 1_533), (28, 1_219)], 8));
}

#[test]
fn ranks_whose_ops_do_not_run_at_one_time_wait_for_nobody_known() {
    let ranks: Vec<String> = (0..2).map(|rank| format!("real/pytorch-ranks/rank-{rank}.json.gz")).collect();
    let Some(found) = found_in(&ranks) else { return };
    assert!(row_of(&found, Rule::CollectiveWait).is_none());
    assert!(found.not_judged.contains(&(Rule::CollectiveWait, Needs::Participants)));
}

#[test]
fn a_task_that_began_late_and_tasks_that_compete_are_told_apart() {
    if let Some(found) = found_in(&["releases/cluster-1.14.0.pb".to_owned()]) {
        let own = row_of(&found, Rule::Straggler).expect("a finding");
        assert_eq!(
            (own.facts.cause, (own.facts.since.0 + 5_000) / 10_000),
            (Some(CauseKind::StartedLate), 769)
        );
    }
    for file in ["own/ps4w.pb", "own/ps4w-later.pb"] {
        let Some(found) = found_in(&[file.to_owned()]) else { continue };
        let own = &found.rows[0];
        assert_eq!((own.rule, own.basis, own.saving), (Rule::Straggler, Basis::Path, None), "{file}");
        assert!(own.facts.threads.is_some_and(|own| own.tasks == 5 && own.most == 2), "{file}");
    }
    if let Some(found) = found_in(&["releases/cluster-2.2.3.pb".to_owned()]) {
        assert!(row_of(&found, Rule::Straggler).is_none());
    }
}

#[test]
fn no_host_that_waits_for_its_gpu_is_a_cause_and_no_kernel_is_later_than_it_started() {
    for (folder, count) in [("dlrm-8", 8), ("megatron-tp8", 8), ("pytorch-ranks", 2)] {
        let ranks: Vec<String> =
            (0..count).map(|rank| format!("real/{folder}/rank-{rank}.json.gz")).collect();
        let files: Option<Vec<(&str, Vec<u8>)>> =
            ranks.iter().map(|name| Some((name.as_str(), sample(name)?))).collect();
        let Some(files) = files else { continue };
        let study =
            study(open(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>()));
        // A batch that a GPU waits for in 0.4 % of the step is no word of the verdict.
        let verdict = Verdict::of(&Subject::of(&study)).expect("a verdict");
        assert!(verdict.waits.is_none_or(|(_, time)| time.0 * 20 >= verdict.length.0), "{folder}");
        let steps = StepOfOp::indexed(&study);
        let found = stragglers(&study, &steps, &Makers::found(study.edges()));
        assert!(!found.is_empty(), "{folder}");
        let trace = study.trace();
        for straggler in found {
            for ended in &straggler.ended {
                let category = trace.category(ended.op);
                assert!(!matches!(category, Category::Waiting | Category::Range), "{folder}: {category:?}");
            }
            let Some(cause) = straggler.cause.filter(|cause| cause.kind == CauseKind::StartedLate) else {
                continue;
            };
            if trace.devices().get(trace.device_of(cause.op)).is_accelerator && cause.input.is_none() {
                let began = steps.span(straggler.step).start;
                assert_eq!(cause.own, trace.ops().start(cause.op) - began, "{folder}");
            }
        }
    }
}

const SLOW: i64 = 1;

/// The file of `rank`, where rank 1 runs `extra` for 80 ms after its first 10 ms, or with them if `extra` is the same op. `shapes` are
/// the arguments of its all-reduces.
fn rank_of_gloo(rank: i64, extra: &str, shapes: &Value) -> Vec<u8> {
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
    let files: Vec<Vec<u8>> = (0..3).map(|own| rank_of_gloo(own, extra, shapes)).collect();
    study(open(&[("r0.json", &files[0]), ("r1.json", &files[1]), ("r2.json", &files[2])]))
}

fn made() -> Study {
    ranks("aten::normal_", &json!({ "Input Dims": [[1_000]], "Input type": ["float"] }))
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

fn of(study: &Study, rule: Rule) -> Finding {
    let found = Findings::found(study, &Replay::of(study), None);
    let own = found.rows.into_iter().find(|own| own.rule == rule);
    own.unwrap_or_else(|| panic!("no {}", rule.word()))
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

/// The sentence of `rule`.
fn sentence_of(study: &Study, rule: Rule) -> String {
    let list: Value = serde_json::from_str(&findings::json(study, &[], None)).expect("a finding");
    let rows = list["findings"].as_array().expect("a finding");
    let own = rows.iter().find(|own| own["rule"] == rule.word()).expect("a finding");
    own["what"].as_str().unwrap_or_else(|| panic!("{own}")).to_owned()
}

#[test]
fn late_ranks_without_gpus_have_none() {
    let study = made();
    // Between the first arrival and theirs: computing until 90 ms, then calls and the first all-reduce.
    let parts = of(&study, Rule::CollectiveWait).facts.parts;
    assert_eq!(parts, [(FactPart::Computing, Nanos(79_950 * US)), (FactPart::Other, Nanos(250 * US))]);
    assert!(!sentence_of(&study, Rule::CollectiveWait).contains("GPU"));
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
    let said = sentence_of(&unsized_, Rule::ExposedTransfers);
    assert!(said.contains("unknown size") && !said.contains("0 B"), "{said}");
}

/// A rank that begins at `begins` µs, and whose collective runs from 200 µs after that until `ends`.
fn rank_from(rank: i64, begins: f64, ends: f64) -> Vec<u8> {
    let mut events = process(rank, &format!("GPU {rank}")).to_vec();
    let args = json!({ "correlation": 9, "stream": 7, "device": rank });
    events.push(on_host("cpu_op", "aten::mm", begins, 100.0));
    events.push(on_host("cpu_op", "c10d::allreduce_", begins + 100.0, 100.0));
    events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (begins + 150.0, 10.0), &args));
    let kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
    events.push(event("kernel", kernel, (rank, 7), (begins + 200.0, ends - begins - 200.0), &args));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", begins + 200.0, ends - begins - 195.0));
    torch(&events, &json!({ "distributedInfo": { "rank": rank, "world_size": 2, "backend": "nccl" } }))
}

#[test]
fn before_a_rank_begins_its_host_does_nothing() {
    let (first, late) = (rank_from(0, 0.0, 5_300.0), rank_from(1, 5_000.0, 5_300.0));
    let both = study(open(&[("a", &first), ("b", &late)]));
    let said = verdict::of(&both, true).sentence;
    assert!(said.contains("The first op of rank 1 comes 5.000 ms (94.3 %) after that of rank 0"), "{said}");
    assert!(said.contains("each rank by itself takes 305.0 µs to 5.305 ms"), "{said}");
    assert!(said.contains("the time before the first op of a task"), "{said}");
    assert!(!said.contains("between ops"), "{said}");
    let waits = found(&both, "collective-wait");
    assert!(text(&waits, "sentence").contains("at the start: their first op"), "{waits}");
    assert!(text(&waits, "advice").contains("Record more than one step"), "{waits}");
    // Two ranks that begin together.
    let (first, late) = (rank_from(0, 0.0, 5_300.0), rank_from(1, 0.0, 5_300.0));
    let said = verdict::of(&study(open(&[("a", &first), ("b", &late)])), true).sentence;
    assert!(!said.contains("The first op of"), "{said}");
}
