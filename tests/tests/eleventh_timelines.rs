//! What a stranger found wrong in the eleventh reading of traces next to their data: TensorFlow and JAX. Each case is made here, and its figures
//! follow from its numbers.

use steplens_core::findings::Rule;
use steplens_report::verdict;
use steplens_tests::opened::torch_study;
use steplens_tests::tensorflow::{list, profiled, row, text, timeline};

/// Kernels of `op`, one after the other from `at` on; when the last one ends.
fn kernels<'a>(
    ops: &mut Vec<(i64, &'a str, &'a str, i64, i64)>,
    op: &'a str,
    mut at: i64,
    lengths: impl Iterator<Item = i64>,
) -> i64 {
    for length in lengths {
        ops.push((2, "Conv2D", op, at, length));
        at += length + 5;
    }
    at
}

#[test]
fn an_algorithm_of_many_kernels_is_no_trial() {
    // Winograd's transforms filters and data, and multiplies 36 tiles. A convolution with a filter of one element runs two kernels.
    let winograd =
        |scale: i64| [12, 224, 14, 33].into_iter().chain([28; 36]).chain([171]).map(move |own| own * scale);
    let names = ["a/Conv2D", "b/Conv2D", "c/Conv2D", "d/Conv2D"];
    // Four layers of one shape, and one of another shape: three quarters of its kernels take the same time.
    for scales in [[1, 1, 1, 1], [2, 1, 1, 1], [3, 2, 1, 1]] {
        let (mut ops, mut at) = (Vec::new(), 0);
        for (name, scale) in names.into_iter().zip(scales) {
            let until = kernels(&mut ops, name, at + 5, winograd(scale));
            ops.push((1, "Conv2D", name, at, until - at));
            at = until;
        }
        ops.push((1, "Conv2D", "e/Conv2D", at, 300));
        kernels(&mut ops, "e/Conv2D", at + 5, [7, 122].into_iter());
        ops.push((0, "Identity", "i", at + 300, 10));
        assert_eq!(row(&timeline(&ops), Rule::FirstStep), None, "{scales:?}");
    }
}

#[test]
fn convolutions_that_run_alike_try_nothing_and_two_of_a_kind_may() {
    // Forty kernels that take unlike times.
    let unlike = || (0..40).map(|place| 100 + place % 5 * 300).chain([9_000]);
    let of = |count: usize| {
        let (mut ops, mut at) = (Vec::new(), 0);
        for name in ["a/Conv2D", "b/Conv2D", "c/Conv2D", "d/Conv2D"].into_iter().take(count) {
            let until = kernels(&mut ops, name, at + 5, unlike());
            ops.push((1, "Conv2D", name, at, until - at));
            at = until;
        }
        ops.push((1, "Conv2D", "e/Conv2D", at, 300));
        kernels(&mut ops, "e/Conv2D", at + 5, [7, 122].into_iter());
        ops.push((0, "Identity", "i", at + 300, 10));
        row(&timeline(&ops), Rule::FirstStep)
    };
    // The library tries once for each shape.
    assert_eq!(of(3), None);
    assert!(of(2).is_some());
}

#[test]
fn how_long_nothing_is_tried_is_said() {
    // The GPU is idle for 2 s of the op; then it tries.
    let of = |idle: i64| {
        let mut ops = Vec::new();
        let until = kernels(
            &mut ops,
            "a/Conv2D",
            idle,
            (0..60).map(|place| 5_000 + place % 5 * 9_000).chain([200_000]),
        );
        ops.push((1, "Conv2D", "a/Conv2D", 0, until));
        ops.push((1, "Conv2D", "b/Conv2D", until, 300));
        kernels(&mut ops, "b/Conv2D", until + 5, [122].into_iter());
        ops.push((0, "Identity", "i", until + 300, 10));
        row(&timeline(&ops), Rule::FirstStep).map(|own| text(&own, "sentence").to_owned()).unwrap_or_default()
    };
    let said = of(2_000_000);
    assert!(said.contains("While they are tried, the GPU is idle for 2.00 s"), "{said}");
    let said = of(100);
    assert!(said.contains("tries the algorithms") && !said.contains("idle"), "{said}");
}

#[test]
fn kernels_in_a_row_are_those_of_one_op() {
    // Each of three convolutions of one type runs ten kernels in a row, with a look at the memory around them: none has sixteen.
    let of = |each: i64| {
        let (mut events, mut at, mut id) = (Vec::new(), 0, 0);
        for op in ["net/a:Conv2D", "net/b:Conv2D", "net/c:Conv2D"] {
            for place in 0..each {
                id += 1;
                let name = if place % 2 == 1 { "redzone_checker" } else { "gemm" };
                events.push((1, "cuLaunchKernel", at, 10, id, ""));
                events.push((13, name, at + 15, 1_000, id, op));
                at += 1_016;
            }
        }
        row(&profiled(&events), Rule::FirstStep)
    };
    assert_eq!(of(10), None);
    let found = of(20).expect("a finding");
    assert!(text(&found, "sentence").contains("3 convolutions try"), "{found}");
}

#[test]
fn one_wait_does_not_say_that_a_pipeline_is_slow() {
    let of = |steps: i64| {
        let mut events =
            vec![(2, "Iterator::Root::Prefetch", 0, 1_000, 0, ""), (1, "EagerExecute: f", 0, 10, 0, "")];
        for step in 0..steps {
            let (at, id) = (step * 120_000, step + 1);
            events.push((1, "IteratorGetNextOp::DoCompute", at + 20, 90_000, 0, ""));
            events.push((1, "cuLaunchKernel", at + 90_030, 10, id, ""));
            events.push((13, "gemm", at + 90_050, 20_000, id, "a:MatMul"));
        }
        let found = row(&profiled(&events), Rule::InputBound).expect("a finding");
        text(&found, "advice").to_owned()
    };
    assert!(of(1).contains("one wait for a batch") && !of(1).contains("slower than the step"), "{}", of(1));
    assert!(of(3).contains("slower than the step"), "{}", of(3));
}

#[test]
fn a_mean_for_a_step_is_only_said_of_what_steps_have() {
    // Three marked steps of 10 ms, in which the GPU waits for its host; then 5 ms more.
    let of = |after: i64| {
        let mut events = Vec::new();
        for step in 0..3 {
            events.push((
                "user_annotation",
                ["ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3"][step as usize],
                1,
                step * 10_000,
                10_000,
                0,
            ));
        }
        for place in 0..30 + after {
            let (at, id) = (place * 1_000, place + 1);
            events.push(("cpu_op", "aten::mm", 1, at, 990, 0));
            events.push(("cuda_runtime", "cudaLaunchKernel", 1, at + 700, 10, id));
            events.push(("kernel", "gemm", 7, at + 720, 250, id));
        }
        let found = row(&torch_study(&events), Rule::HostBound).expect("a finding");
        text(&found, "sentence").to_owned()
    };
    assert!(of(0).contains("In the mean of 3 steps"), "{}", of(0));
    assert!(!of(5).contains("In the mean of"), "{}", of(5));
}

#[test]
fn half_of_what_a_gpu_waits_for_comes_before_all_of_it() {
    // Of 900 µs in which the GPU is idle, its host waits for an array for 500 µs: that stands first.
    let mut events = Vec::new();
    for step in 0..20 {
        let (at, id) = (step * 1_000, step + 1);
        events.push((2, "PjitFunction(f)", at, 380, 0, ""));
        events.push((1, "cuLaunchKernel", at + 390, 5, id, ""));
        events.push((13, "gemm", at + 400, 100, id, "a:MatMul"));
        events.push((2, "$api.py:3154 block_until_ready", at + 400, 590, 0, ""));
    }
    let own = profiled(&events);
    let rules: Vec<String> = list(&own)["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|own| text(own, "rule").to_owned())
        .collect();
    let place = |rule: Rule| rules.iter().position(|own| own == rule.word());
    if let (Some(all), Some(part)) = (place(Rule::HostBound), place(Rule::Synchronising)) {
        assert!(part < all, "{rules:?} {}", verdict::of(&own, false).sentence);
    } else {
        panic!("{rules:?}");
    }
}
