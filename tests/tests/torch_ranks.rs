//! Ranks with clocks of their own, ranks without names, times that were never set, and kernels that were not recorded.

use serde_json::{Value, json};
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting, Why};
use steplens_core::doctor::{FindingKind, findings};
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::questions::clock_finding;
use steplens_core::{Nanos, Study, View};
use steplens_tests::opened::{cases, event, open, process, study, torch};

const US: i64 = 1_000;

fn codes(study: &Study) -> Vec<&'static str> {
    findings(study.trace()).iter().map(|finding| finding.kind.code()).collect()
}

#[test]
fn a_collective_cannot_end_before_it_starts_elsewhere() {
    let Some(opened) = cases(&["skew-r0.json", "skew-r1.json", "skew-r2.json"]) else { return };
    let study = study(opened);
    let doubt = study.clock_doubt().unwrap();
    // By the ends of the collectives, which are the same on all ranks, rank 2 is 2 ms ahead.
    assert_eq!((doubt.why, doubt.by), (Why::Differ, Nanos(2_000 * US)));
    let [found] = &clock_finding::clocks(&study)[..] else { panic!() };
    // Its start on rank 2 is 1.3 ms after its end on the others.
    assert_eq!(found.kind, FindingKind::RankClocksDiffer(18, Nanos(1_300 * US)));
    let clocks = Arc::new(study.view().clocks_of(study.trace()));
    let choice = ClockChoice { is_estimated: true, ..ClockChoice::default() };
    let view = View { clocks: Some(ClockSetting { choice, clocks }), ..View::default() };
    let aligned = Study::of_view(study.trace(), view);
    assert_eq!(aligned.clock_doubt(), None);
    let (_, steps) = aligned.view().steps(study.trace());
    let lengths: Vec<i64> = steps.rows().iter().map(|step| step.span.length().0 / US).collect();
    assert_eq!(lengths, [4_900; 3]);
}

/// A rank whose clock is ahead by `ahead` µs: two steps with a kernel each.
fn rank(rank: i64, ahead: f64) -> Vec<u8> {
    let mut events = process(rank, &format!("GPU {rank}")).to_vec();
    for (step, ts) in [(1, 1_000.0), (2, 2_000.0)] {
        let mark = format!("ProfilerStep#{step}");
        events.push(event("user_annotation", &mark, (100, 1), (ts + ahead, 900.0), &json!({})));
        events.push(event("kernel", "gemm", (rank, 7), (ts + ahead + 50.0, 500.0), &json!({})));
    }
    torch(&events, &json!({ "distributedInfo": { "rank": rank, "world_size": 2 } }))
}

#[test]
fn steps_of_ranks_are_joined_by_their_numbers() {
    // The clocks are a whole minute apart.
    let (first, second) = (rank(0, 0.0), rank(1, 60_000_000.0));
    let study = study(open(&[("a", &first), ("b", &second)]));
    let (_, steps) = study.view().steps(study.trace());
    assert_eq!(steps.rows().iter().map(|step| step.parts.len()).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn two_files_on_one_gpu_at_one_time_are_two_ranks() {
    let Some(opened) = cases(&["norank-r0.json", "norank-r1.json"]) else { return };
    let study = study(opened);
    let found = accelerators(study.trace());
    assert_eq!(found.len(), 2);
    let (trace, steps) = study.view().steps(study.trace());
    let figures = steplens_core::steps::figures::step_figures(&trace, &steps);
    // 300 and 500 µs of compute: the mean is 400.
    assert!(figures.iter().all(|own| own.split.compute == Nanos(400 * US)), "{figures:?}");
    assert!(codes(&study).contains(&"rank-unnamed"));
}

#[test]
fn files_that_follow_one_another_or_are_one_file_twice_stay_one_device() {
    let (first, later) = (kernels(1_000.0), kernels(9_000.0));
    for files in [[("a", &first), ("b", &later)], [("a", &first), ("b", &first)]] {
        let files: Vec<(&str, &[u8])> =
            files.into_iter().map(|(name, bytes)| (name, bytes.as_slice())).collect();
        let study = study(open(&files));
        assert_eq!(accelerators(study.trace()).len(), 1);
        assert!(!codes(&study).contains(&"rank-unnamed"));
    }
}

fn kernels(at: f64) -> Vec<u8> {
    let mut events = process(0, "GPU 0").to_vec();
    let each = |place: f64| event("kernel", "gemm", (0, 7), (at + 100.0 * place, 90.0), &json!({}));
    events.extend([0.0, 1.0, 2.0].map(each));
    torch(&events, &json!({}))
}

#[test]
fn unset_times_are_no_times_however_many() {
    if let Some(opened) = cases(&["ts-zero.json"]) {
        let problems: Vec<(String, u64)> =
            opened.files[0].problems.iter().map(|own| (own.code.to_string(), own.count)).collect();
        assert!(problems.contains(&("time-unset".to_owned(), 8)), "{problems:?}");
        assert_eq!(opened.trace.span().length().0, 7_980 * US);
    }
    let date = 1_615_207_264_505_000.0;
    let of = |count: usize, base: f64, said: &Value| {
        let mut events = process(0, "GPU 0").to_vec();
        for place in 0..10_usize {
            let ts = if place < count { -base } else { date - base + 100.0 * place as f64 };
            events.push(event(
                "kernel",
                "gemm",
                (0, 7),
                (ts, if place < count { 0.0 } else { 50.0 }),
                &json!({}),
            ));
        }
        open(&[("trace.json", &torch(&events, said))])
    };
    // Most of them; and where times count from a date, which an unset one is that long before.
    let base = json!({ "baseTimeNanoseconds": 1_615_207_264_000_000_000_i64 });
    for opened in [of(7, 0.0, &json!({})), of(3, 1_615_207_264_000_000.0, &base)] {
        let counted = opened.files[0].problems.iter().find(|own| own.code == "time-unset").unwrap().count;
        assert_eq!(opened.trace.ops().len() as u64, 10 - counted);
        assert!(opened.trace.span().length().0 < 1_000 * US);
    }
    // Times that count from the beginning of the recording begin at 0.
    let mut events = process(0, "GPU 0").to_vec();
    events.extend([0.0, 100.0].map(|ts| event("kernel", "gemm", (0, 7), (ts, 50.0), &json!({}))));
    let opened = open(&[("trace.json", &torch(&events, &json!({})))]);
    assert_eq!((opened.trace.ops().len(), opened.files[0].problems.len()), (2, 0));
}

/// Ten calls that launch kernels, of which the first `recorded` have one.
fn launched(recorded: i64) -> Study {
    let mut events = [process(100, "CPU"), process(0, "GPU 0")].concat();
    for call in 1..=10_i64 {
        let (ts, args) = (1_000.0 + 100.0 * call as f64, json!({ "correlation": call }));
        events.push(event("cuda_runtime", "cudaLaunchKernel", (100, 1), (ts, 5.0), &args));
        if call <= recorded {
            events.push(event("kernel", "gemm", (0, 7), (ts + 10.0, 50.0), &args));
        }
    }
    study(open(&[("trace.json", &torch(&events, &json!({})))]))
}

#[test]
fn kernels_that_were_not_recorded_are_said() {
    for (recorded, is_said) in [(0, true), (3, true), (9, false), (10, false)] {
        assert_eq!(codes(&launched(recorded)).contains(&"kernels-not-recorded"), is_said, "{recorded}");
    }
}

#[test]
fn a_kernel_that_covers_later_ones_of_its_stream_is_not_believed() {
    let of = |dur: f64| {
        let mut events = [process(100, "CPU"), process(0, "GPU 0")].concat();
        for call in 1..=5_i64 {
            let (ts, args) = (1_000.0 + 100.0 * call as f64, json!({ "correlation": call }));
            events.push(event("cuda_runtime", "cudaLaunchKernel", (100, 1), (ts, 5.0), &args));
            let dur = if call == 1 { dur } else { 50.0 };
            events.push(event("kernel", &format!("kernel{call}"), (0, 7), (ts + 10.0, dur), &args));
        }
        study(open(&[("trace.json", &torch(&events, &json!({})))]))
    };
    let long = of(2_000.0);
    let found =
        findings(long.trace()).into_iter().find(|own| own.kind == FindingKind::CoveringKernels).unwrap();
    assert_eq!((found.count, long.trace().op_name(found.ops[0])), (1, "kernel1"));
    assert!(!codes(&of(90.0)).contains(&"covering-kernels"));
}
