//! What begins once, told from what recurs, and GPUs of which nothing was recorded: each planted in events of PyTorch's profiler.

use steplens_core::Study;
use steplens_core::findings::{Findings, Rule};
use steplens_core::gpu::unrecorded::is_gpu_unrecorded;
use steplens_core::replay::Replay;
use steplens_core::scheduling::host_idle::{HostPart, host_idle};
use steplens_report::verdict;
use steplens_tests::opened::{TorchEvent, torch_study};

fn found(study: &Study) -> Findings {
    Findings::found(study, &Replay::of(study), None)
}

/// Names and milliseconds of what only a first step does; nothing if no such finding is there.
fn first_step(study: &Study) -> Option<(u64, i64)> {
    let found = found(study);
    let own = found.rows.iter().find(|own| own.rule == Rule::FirstStep)?;
    Some((own.facts.count, own.facts.time.0 / 1_000_000))
}

/// `count` operators of 20 µs that launch a kernel of 40 µs each, one each 100 µs.
fn usual(from: i64, count: i64) -> Vec<TorchEvent<'static>> {
    let mut events = Vec::new();
    for place in 0..count {
        let (start, id) = (from + place * 100, from + place + 1);
        events.push(("cpu_op", "aten::mm", 1, start, 20, 0));
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, start + 10, 5, id));
        events.push(("kernel", "gemm", 7, start + 20, 40, id));
    }
    events
}

#[test]
fn a_call_that_launches_nothing_may_be_the_first_in_the_middle_of_others_like_it() {
    let mut events = usual(0, 300);
    for place in 0..200 {
        events.push(("cuda_runtime", "cudaEventCreateWithFlags", 1, place * 100 + 16, 1, 0));
    }
    events.push(("cuda_runtime", "cudaEventCreateWithFlags", 1, 30_000, 70_000, 0));
    events.extend(usual(100_000, 10));
    assert_eq!(first_step(&torch_study(&events)), Some((1, 70)));
}

#[test]
fn the_first_operator_that_takes_a_hundred_times_as_long_as_the_later_ones_began_something() {
    let mut events = vec![("cpu_op", "aten::mm", 1, 0, 60_000, 0)];
    events.extend(usual(60_000, 50));
    assert_eq!(first_step(&torch_study(&events)), Some((1, 60)));
    // One of the later ones did not begin anything.
    let mut events = usual(0, 50);
    events.push(("cpu_op", "aten::mm", 1, 5_000, 60_000, 0));
    events.extend(usual(65_000, 5));
    assert_eq!(first_step(&torch_study(&events)), None);
}

#[test]
fn memory_that_a_program_gives_back_by_itself_is_no_first_step() {
    let free = |is_within: bool| {
        let mut events = usual(0, 50);
        if is_within {
            events.push(("cpu_op", "aten::cudnn_convolution", 1, 5_000, 30_000, 0));
        }
        events.push(("cuda_runtime", "cudaFree", 1, 5_100, 29_000, 0));
        events.extend(usual(35_000, 5));
        first_step(&torch_study(&events))
    };
    assert_eq!((free(false), free(true)), (None, Some((1, 29))));
}

#[test]
fn a_gpu_without_recorded_kernels_is_not_said_to_be_idle_or_to_compute() {
    let mut events = usual(0, 50);
    assert!(!is_gpu_unrecorded(torch_study(&events).trace()));
    events.retain(|own| own.0 != "kernel");
    let study = torch_study(&events);
    assert!(is_gpu_unrecorded(study.trace()));
    let said = verdict::of(&study, true).sentence;
    assert!(said.ends_with("What its GPU did was not recorded.") && !said.contains("device"), "{said}");
}

#[test]
fn what_was_launched_before_the_recording_may_run_until_a_call_has_waited_for_it() {
    let mut events = vec![("cuda_runtime", "cudaDeviceSynchronize", 1, 0, 50_000, 0)];
    events.extend(usual(50_000, 100));
    let study = torch_study(&events);
    let own = &host_idle(study.edges(), study.kernels())[0];
    assert_eq!((own.unknown.0 / 1_000, own.part(HostPart::Waiting).0), (50_000, 0));
    assert_eq!(own.busy + own.idle + own.unknown, study.trace().span().length());
}

#[test]
fn a_wait_that_ends_at_once_found_an_idle_gpu() {
    // Python works for 50 ms, and then asks whether the GPU is done.
    let mut events = vec![
        ("cpu_op", "aten::normal_", 1, 0, 49_000, 0),
        ("cuda_runtime", "cudaDeviceSynchronize", 1, 49_000, 2, 0),
    ];
    events.extend(usual(50_000, 100));
    let study = torch_study(&events);
    let own = &host_idle(study.edges(), study.kernels())[0];
    assert_eq!((own.unknown.0, own.part(HostPart::Operators).0 / 1_000_000), (0, 50));
}

#[test]
fn three_of_many_calls_in_two_neighbouring_tenths_do_not_come_again_and_again() {
    let with = |places: [i64; 3]| {
        let mut events = Vec::new();
        for tenth in 0..10 {
            events.extend(usual(tenth * 100_000, 300));
            events.push(("cuda_runtime", "cudaFree", 1, tenth * 100_000 + 50, 20, 0));
        }
        for at in places {
            events.push(("cpu_op", "aten::cudnn_convolution", 1, at * 1_000, 30_000, 0));
            events.push(("cuda_runtime", "cudaFree", 1, at * 1_000 + 100, 29_000, 0));
        }
        let study = torch_study(&events);
        found(&study).rows.iter().any(|own| own.rule == Rule::Allocator)
    };
    assert_eq!((with([635, 667, 735]), with([135, 435, 735])), (false, true));
}

/// A step of 1 ms that is marked, one more mark as the loop ends, and the wait with which the profiler ends; `more` in the second.
fn stub(more: &[TorchEvent<'static>]) -> usize {
    let mut events = vec![("user_annotation", "ProfilerStep#3", 1, 0, 1_000, 0)];
    events.extend(usual(0, 9));
    events.push(("user_annotation", "ProfilerStep#4", 1, 1_010, 20, 0));
    events.push(("cuda_runtime", "cudaDeviceSynchronize", 1, 1_025, 100, 0));
    events.extend(more);
    torch_study(&events).steps()
}

#[test]
fn a_mark_after_which_only_the_profiler_waits_is_no_step() {
    assert_eq!(stub(&[]), 1);
    assert_eq!(stub(&[("cpu_op", "aten::mm", 1, 1_012, 5, 0)]), 2);
    assert_eq!(stub(&[("cuda_runtime", "cudaLaunchKernel", 1, 1_012, 5, 0)]), 2);
}

#[test]
fn an_operator_that_only_a_gpu_runs_says_that_its_kernels_are_missing() {
    let only = |name| torch_study(&[("cpu_op", name, 1, 0, 500, 0), ("cpu_op", "aten::mm", 1, 600, 500, 0)]);
    let is_said =
        |study: &Study| verdict::of(study, true).sentence.contains("What its GPU did was not recorded.");
    assert!(is_said(&only("aten::cudnn_convolution")) && !is_said(&only("aten::mkldnn_convolution")));
}

#[test]
fn an_operator_that_launches_does_not_compute_on_the_cpu() {
    let advice = |launches: bool| {
        let mut events = usual(0, 100);
        events.push(("cpu_op", "aten::stack", 1, 10_000, 60_000, 0));
        if launches {
            events.push(("cuda_runtime", "cudaLaunchKernel", 1, 69_000, 5, 7_777));
            events.push(("kernel", "cat", 7, 69_100, 40, 7_777));
        }
        events.extend(usual(70_000, 100));
        let study = torch_study(&events);
        let found = found(&study);
        let own = found.rows.iter().find(|own| own.rule == Rule::HostBound).expect("the host is late");
        own.facts.since.0 / 1_000_000
    };
    assert_eq!((advice(false), advice(true)), (60, 0));
}

#[test]
fn workers_start_before_the_first_batch_where_later_ones_come_sooner() {
    const NEXT: &str = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    let first = |lengths: &[i64], made: bool| {
        let (mut events, mut at) = (Vec::new(), 0);
        for &length in lengths {
            events.push(("user_annotation", NEXT, 1, at, length, 0));
            events.extend(usual(at + length, 3));
            at += length + 1_000;
        }
        if made {
            events.push(("python_function", "torch/utils/data/dataloader.py(1104): __init__", 1, at, 10, 0));
        }
        let study = torch_study(&events);
        let found = found(&study);
        let own = found.rows.iter().find(|own| own.rule == Rule::InputBound).expect("it waits for batches");
        own.facts.usual.0 / 1_000
    };
    assert_eq!((first(&[50_000, 1_000, 1_000], false), first(&[50_000, 40_000, 40_000], false)), (50_000, 0));
    // Of one batch alone nobody knows, unless the workers were made meanwhile.
    assert_eq!((first(&[50_000], false), first(&[50_000], true)), (0, 50_000));
}
