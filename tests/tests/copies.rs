//! Copies by where they go, next to a reading of the same files by name.

use serde_json::json;
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::{CopiedBy, Direction, Facts, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::steps::figures::step_figures;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_tests::opened::{event, open, process, study, torch, torch_study};
use steplens_tests::samples::sample;

fn of(file: &str) -> Option<Study> {
    let bytes = sample(file)?;
    Some(study(open(&[(file, bytes.as_slice())])))
}

fn copies(study: &Study) -> Option<Facts> {
    let found = Findings::found(study, &Replay::of(study), None);
    found.rows.into_iter().find(|own| own.rule == Rule::Copies).map(|own| own.facts)
}

/// (direction, how many, their time in ms).
fn rows(facts: &Facts) -> Vec<(Direction, u64, i64)> {
    facts.copies.iter().map(|own| (own.direction, own.count, own.time.0 / 1_000_000)).collect()
}

#[test]
fn each_direction_has_its_own_figures_and_setting_memory_is_no_copy() {
    if let Some(study) = of("real/pytorch/diff-test.json.gz") {
        let facts = copies(&study).expect("a finding");
        let wanted = [
            (Direction::OnDevice, 4_645, 92),
            (Direction::ToDevice, 151, 66),
            (Direction::FromDevice, 60, 0),
        ];
        assert_eq!((rows(&facts), facts.copied_by), (wanted.to_vec(), None));
    }
    // A GPU of which only memory was set, and one without any copy, lack nothing and have no finding.
    for file in ["real/pytorch/run-ahead-gpu-bound.json.gz", "real/pytorch/t4-resnet50.json.gz"] {
        let Some(study) = of(file) else { continue };
        let found = Findings::found(&study, &Replay::of(&study), None);
        assert!(!found.rows.iter().any(|own| own.rule == Rule::Copies), "{file}");
        assert!(!found.not_judged.iter().any(|&(rule, _)| rule == Rule::Copies), "{file}");
    }
}

#[test]
fn who_asked_for_copies_is_said() {
    if let Some(study) = of("real/xspace/tpu-inference.xplane.pb") {
        assert_eq!(copies(&study).expect("a finding").copied_by, Some(CopiedBy::HostMemory));
    }
    if let Some(study) = of("real/timeline-py/memory-swapping.json.gz") {
        let facts = copies(&study).expect("a finding");
        assert_eq!(facts.copied_by, Some(CopiedBy::MemoryOptimizer));
        // The rows of /memcpy, 278.6 ms, and the ops that ask for them.
        assert_eq!(facts.time.0 / 100_000, 7_727);
    }
}

/// The time of the observed path in µs: copying, and starting ops.
fn copying(study: &Study) -> [i64; 2] {
    let by_kind = study.causes().observed.by_kind();
    [SegmentKind::Copy, SegmentKind::Launching].map(|kind| by_kind[kind as usize].0 / 1_000)
}

#[test]
fn a_call_that_returns_after_its_copy_copies() {
    let host = |copies: i64| {
        [
            ("cpu_op", "aten::copy_", 100, 0, 1_100, 0),
            ("cuda_runtime", "cudaMemcpyAsync", 100, 50, 20, 7),
            ("cuda_runtime", "cudaMemcpyAsync", 100, 100, copies, 8),
        ]
    };
    // Nothing of the GPU was recorded: the call of 20 µs may have handed its copy over, the long one cannot.
    assert_eq!(copying(&torch_study(&host(850))), [850, 20]);
    // Its copy was recorded: it ran for 400 µs, and the call returned 50 µs later.
    let device = ("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7, 500, 400, 8);
    assert_eq!(copying(&torch_study(&[&host(850)[..], &[device]].concat())), [400, 20 + 400 + 50]);
    // It returned before its copy ended: it was for the stream.
    let all = torch_study(&[&host(100)[..], &[device]].concat());
    assert_eq!(copying(&all)[1], 20 + 100);
}

#[test]
fn a_gpu_that_only_copies_is_no_part_of_the_mean() {
    let mut events = Vec::new();
    for gpu in 0..3 {
        events.extend(process(gpu, &format!("GPU {gpu}")));
    }
    let mut ran = |cat: &str, name: &str, gpu: i64, (start, length): (f64, f64)| {
        events.push(event(cat, name, (gpu, 7), (start, length), &json!({ "stream": 7, "device": gpu })));
    };
    ran("kernel", "gemm", 0, (0.0, 400.0));
    ran("kernel", "gemm", 2, (200.0, 800.0));
    ran("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 1, (0.0, 10.0));
    let devices: Vec<_> = (0..3).map(|id| json!({ "id": id })).collect();
    let study = study(open(&[("made.json", &torch(&events, &json!({ "deviceProperties": devices })))]));
    let split = study.step_split(study.trace().span());
    assert_eq!((split.compute.0, split.exposed_copy.0, study.counted().count()), (600_000, 0, 2));
    let said = steplens_report::verdict::of(&study, true).sentence;
    assert!(said.contains("2 of 3 recorded GPUs"), "{said}");
    let steps = step_figures(study.trace(), &Steps::divided(study.trace(), StepRule::Content));
    assert_eq!(steps.iter().map(|step| step.split.compute.0).collect::<Vec<_>>(), [600_000]);
}
