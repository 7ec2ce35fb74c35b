//! Copies: by where they go and who asked for them, once each, with their own advice; and ops that wait for them.

use super::made::{CPU, GPU, advice, copies_on, executed, ms, of_torch, started, with_gpus};
use serde_json::json;
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::{CopiedBy, Direction, Facts, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::steps::figures::step_figures;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_report::verdict;
use steplens_tests::opened::{event, found, on_host, open, process, row, study, text, torch, torch_study};
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::list;
use steplens_tests::writer::{Scenario, op};

fn opened(file: &str) -> Option<Study> {
    let bytes = sample(file)?;
    Some(study(open(&[(file, bytes.as_slice())])))
}

fn copies(study: &Study) -> Option<Facts> {
    let found = Findings::found(study, &Replay::of(study), None);
    found.rows.into_iter().find(|own| own.rule == Rule::Copies).map(|own| own.facts)
}

/// (direction, how many, their time in ms).
fn directions(facts: &Facts) -> Vec<(Direction, u64, i64)> {
    facts.copies.iter().map(|own| (own.direction, own.count, own.time.0 / 1_000_000)).collect()
}

#[test]
fn each_direction_has_its_own_figures_and_setting_memory_is_no_copy() {
    if let Some(study) = opened("real/pytorch/diff-test.json.gz") {
        let facts = copies(&study).expect("a finding");
        let wanted = [
            (Direction::OnDevice, 4_645, 92),
            (Direction::ToDevice, 151, 66),
            (Direction::FromDevice, 60, 0),
        ];
        assert_eq!((directions(&facts), facts.copied_by), (wanted.to_vec(), None));
    }
    // A GPU of which only memory was set, and one without any copy, lack nothing and have no finding.
    for file in ["real/pytorch/run-ahead-gpu-bound.json.gz", "real/pytorch/t4-resnet50.json.gz"] {
        let Some(study) = opened(file) else { continue };
        let found = Findings::found(&study, &Replay::of(&study), None);
        assert!(!found.rows.iter().any(|own| own.rule == Rule::Copies), "{file}");
        assert!(!found.not_judged.iter().any(|&(rule, _)| rule == Rule::Copies), "{file}");
    }
}

#[test]
fn who_asked_for_copies_is_said() {
    if let Some(study) = opened("real/xspace/tpu-inference.xplane.pb") {
        assert_eq!(copies(&study).expect("a finding").copied_by, Some(CopiedBy::HostMemory));
    }
    if let Some(study) = opened("real/timeline-py/memory-swapping.json.gz") {
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

#[test]
fn a_copy_counts_once_and_not_with_the_op_that_asks_for_it() {
    let Some(bytes) = sample("real/timeline-py/memory-swapping.json.gz") else { return };
    let study = Study::new(open(&[("timeline.json.gz", &bytes)]).trace);
    let found = Findings::found(&study, &Replay::of(&study), None);
    let facts = &found.rows.iter().find(|own| own.rule == Rule::Copies).expect("a finding").facts;
    // The rows of /memcpy by a script: five to the device, 147.5 ms, four from it, 131.1 ms, and three of 1 µs. Six ops ask for them.
    let rows: Vec<(u64, i64)> = facts.copies.iter().map(|own| (own.count, own.time.0 / 100_000)).collect();
    assert_eq!(rows, [(5, 1_474), (4, 1_310), (3, 0)]);
    assert_eq!(facts.of, 6);
    // Any copy at all was under way for 278.6 ms, so the step was not copying for longer.
    let figures = verdict::of(&study, false).figures.expect("figures");
    assert!(figures.path_part != Some("copy") || figures.path_ns <= Some(278_700_000), "{figures:?}");
}

#[test]
fn a_copy_to_another_gpu_than_that_of_the_kernels_is_judged() {
    let mut events = vec![on_host("cpu_op", "aten::copy_", 0.0, 4_500.0)];
    // The clock of the GPU is ahead: the copy seems to end after its call.
    let copy = ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 2, 300.0, 4_300.0);
    events.extend(started(1, ("cudaMemcpyAsync", 10.0, 4_490.0), copy));
    events.push(on_host("cpu_op", "aten::mul", 4_600.0, 30.0));
    events.extend(started(2, ("cudaLaunchKernel", 4_605.0, 10.0), ("kernel", "mul", 0, 4_650.0, 200.0)));
    let own = with_gpus(&events);
    let found = row(&own, Rule::PageableCopies).expect("a finding");
    assert_eq!(found["saving_ns"], 4_300_000, "{found}");
    assert_eq!(list(&own)["findings"][0]["rule"], Rule::PageableCopies.word());
    let said = verdict::of(&own, false).sentence;
    assert!(said.contains("copying between host and device"), "{said}");
}

#[test]
fn advice_on_copies_of_weights_is_no_advice_on_input() {
    let of = |maker: &str| {
        let copy = format!("edge_39_{maker}:MEMCPYHtoD");
        let own = Scenario::new()
            .device(CPU, [op(&format!("{maker} = Identity(w)"), 0, 1_000_000)])
            .device(GPU, [op("m = MatMul(a)", 31_000_000, 2_000_000)])
            .device("/device:GPU:0/stream:19", [op(&copy, 1_000_000, 30_000_000)])
            .device("/device:GPU:0/stream:18", [op("m = MatMul(a)", 32_000_000, 1_000_000)])
            .study();
        row(&own, Rule::Copies).or_else(|| row(&own, Rule::PageableCopies)).expect("a finding")["advice"]
            .to_string()
    };
    assert!(of("fc6/weights/read").contains("Keep weights"), "{}", of("fc6/weights/read"));
    assert!(of("batch").contains("tf.data"), "{}", of("batch"));
}

#[test]
fn copies_of_an_accelerator_say_where_they_go() {
    let mut events = Vec::new();
    for number in 0..20 {
        let at = 1_000.0 * f64::from(number);
        let direction = if number % 2 == 0 { "HOST_TO_DEVICE" } else { "DEVICE_TO_HOST" };
        let args = json!({ "direction": direction, "stream": 1 });
        events.push(event("mtia_ccp_events", "dma_request", (9, 801), (at, 400.0), &args));
        events.push(event("mtia_ccp_events", "fc-dtype_Float", (9, 801), (at + 400.0, 590.0), &args));
        events.push(on_host("cpu_op", "aten::linear", at, 900.0));
    }
    let said = text(&found(&of_torch(&events), "copies"), "sentence").to_owned();
    assert!(said.contains("10 from host to device (4.00 ms), 10 from device to host (4.00 ms)"), "{said}");
}

#[test]
fn advice_for_copies_looks_at_their_stream() {
    let own = advice(&copies_on(7), "copies");
    assert!(own.contains("on a stream of its own"), "{own}");
    let own = advice(&copies_on(20), "copies");
    assert!(own.contains("have a stream of their own already"), "{own}");
}

/// Two ops that start kernels, of which the second is long, and an op whose value is copied after it, though its own is there at once. The host then
/// goes on with that value. `copied` is when the copy begins.
fn behind(copied: i64, second: i64) -> Study {
    executed(&[
        (1, "MatMul", "a", &[], 0, 100),
        (2, "MatMul", "a", &[], 50, 950),
        (1, "Conv2D", "b", &["a"], 100, 100),
        (2, "Conv2D", "b", &[], 1_001, second),
        (1, "Identity", "i", &["a"], 200, 10),
        (3, "MEMCPYDtoH", "edge_7_i", &[], copied, 1),
        (0, "Mul", "m", &["i/_7"], copied + 20, 50),
    ])
}

#[test]
fn a_copy_waits_for_the_kernels_that_were_launched_before_it() {
    // The first op runs for 50 µs alone, kernels for 0.95 + 18.999 ms without a pause, and the copy begins 5 µs after them.
    let own = behind(20_005, 18_999);
    assert_eq!(ms(&own, SegmentKind::Compute), 20, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Gap) == 0, "{:?}", own.causes().observed.by_kind());
    // It begins long after them, or they ran for less than half of its wait: why is not known.
    for own in [behind(20_005, 15_000), behind(60_000, 18_999)] {
        assert!(ms(&own, SegmentKind::Compute) < 2, "{:?}", own.causes().observed.by_kind());
    }
}

#[test]
fn a_copy_is_not_said_to_wait_for_a_kernel_whose_op_is_not_known() {
    // The kernels of a program of XLA are called as its instructions are: a path that went to them would end there, without a cause.
    let own = executed(&[
        (0, "Const", "weights", &[], 0, 20_000),
        (1, "XlaLaunch", "cluster", &["weights"], 20_000, 100),
        (2, "XLA op", "%fusion", &[], 20_010, 400),
        (2, "XLA op", "%dot", &[], 20_410, 500),
        (3, "MEMCPYDtoH", "edge_7_cluster", &[], 20_915, 1),
        (0, "Mul", "m", &["cluster/_7"], 20_930, 50),
    ]);
    assert_eq!(ms(&own, SegmentKind::Gap), 0, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Compute) >= 20, "{:?}", own.causes().observed.by_kind());
}

#[test]
fn an_op_with_one_copied_input_waits_for_the_copy_too() {
    // `n` has an input of its own device, and one that comes from the GPU.
    let own = executed(&[
        (1, "Const", "c", &[], 0, 5),
        (1, "Cast", "x", &[], 10, 50),
        (2, "Conv2D", "k", &[], 20, 9_980),
        (2, "Cast", "x", &[], 10_001, 4),
        (3, "MEMCPYDtoH", "edge_1_x", &[], 10_010, 1),
        (1, "Sum", "n", &["x/_1", "c"], 10_040, 60),
    ]);
    assert_eq!(ms(&own, SegmentKind::Gap), 0, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Compute) >= 9, "{:?}", own.causes().observed.by_kind());
}
