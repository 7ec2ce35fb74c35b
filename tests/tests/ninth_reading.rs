//! What a stranger found wrong in the ninth reading of traces next to their data: calls whose clock differs by some µs, threads that only poll, waits
//! that nobody recorded, a memory that was full, layers that are no passes. Each case is made here.

use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::findings::passes::passes;
use steplens_core::{Nanos, Study};
use steplens_report::{findings, verdict};
use steplens_tests::opened::{HOST, event, on_host, with_gpu};

const WATCHDOG: (i64, i64) = (100, 200);

/// A launch of 5 µs at `at`, and its kernel.
fn launched(id: i64, at: f64, start: f64, length: f64) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    [
        event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 5.0), &args),
        event("kernel", "gemm", (0, 7), (start, length), &args),
    ]
}

/// The self times of all ops called `name`, in µs.
fn own_time(study: &Study, name: &str) -> i64 {
    let trace = study.trace();
    let all = trace.ops().ids().filter(|&op| trace.op_name(op) == name);
    all.fold(Nanos(0), |sum, op| sum + study.self_time(op)).0 / 1_000
}

#[test]
fn a_call_that_crosses_the_edge_of_an_operator_hides_nothing() {
    let mut events = vec![
        on_host("cpu_op", "aten::_to_copy", 0.0, 10_000.0),
        on_host("cpu_op", "aten::empty_strided", 2.0, 25.0),
        on_host("cuda_runtime", "cudaMemcpyAsync", 8.0, 23.0),
        on_host("cpu_op", "aten::copy_", 29.0, 9_960.0),
        on_host("cuda_runtime", "cudaStreamSynchronize", 33.0, 9_900.0),
        // Its clock is 20 µs early.
        on_host("cuda_runtime", "cudaMalloc", 10_080.0, 900.0),
        on_host("cpu_op", "aten::bmm", 10_100.0, 1_000.0),
    ];
    events.extend(launched(1, 11_000.0, 11_010.0, 100.0));
    let own = with_gpu(&events);
    assert_eq!(own_time(&own, "cudaStreamSynchronize"), 9_900);
    // 33 - 29 before it, 9,989 - 9,933 after it.
    assert_eq!(own_time(&own, "aten::copy_"), 60);
    assert_eq!(own_time(&own, "aten::_to_copy"), 2 + 2 - 2 + 11);
    assert_eq!([own_time(&own, "cudaMalloc"), own_time(&own, "aten::bmm")], [880, 115]);
}

/// Three steps of 100 ms. In each, the program records nothing for 80 ms while another thread polls.
fn pauses() -> Study {
    let mut events = Vec::new();
    for step in 0..3_i64 {
        let at = step as f64 * 100_000.0;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{step}"), at, 100_000.0));
        events.push(on_host("user_annotation", "sparse arch", at + 5.0, 90_000.0));
        events.push(on_host("cpu_op", "aten::mul", at + 10.0, 9_000.0));
        events.push(on_host("cpu_op", "exchange", at + 89_010.0, 500.0));
        events.push(on_host("cpu_op", "aten::add", at + 89_600.0, 10_000.0));
        events.extend(launched(step + 1, at + 89_100.0, at + 89_200.0, 9_000.0));
        for poll in 0..10 {
            events.push(event(
                "cuda_runtime",
                "cudaEventQuery",
                WATCHDOG,
                (at + 10_000.0 * f64::from(poll) + 2_500.0, 3.0),
                &json!({}),
            ));
        }
    }
    with_gpu(&events)
}

#[test]
fn pauses_of_one_length_are_one_sentence_and_no_thread_that_polls_cuts_them() {
    let own = pauses();
    let said = verdict::of(&own, false).sentence;
    assert!(said.contains("3 pauses, one in each step, of 80.00 ms"), "{said}");
    assert!(said.contains("before exchange") && said.contains("in sparse arch"), "{said}");
    let path = &own.causes().observed.segments;
    assert!(path.iter().all(|own_segment| own.trace().op_name(own_segment.op) != "cudaEventQuery"));
}

#[test]
fn a_pause_that_ends_with_a_kernel_waits_for_the_gpu() {
    let path = |delay: f64| {
        let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 50.0)];
        events.extend(launched(1, 10.0, 40.0, 20_000.0));
        let next = 20_040.0 + delay;
        events.push(on_host("cuda_runtime", "cudaEventElapsedTime", next, 5.0));
        events.push(on_host("cpu_op", "aten::mm", next + 10.0, 50.0));
        events.extend(launched(2, next + 20.0, next + 60.0, 100.0));
        let own = with_gpu(&events);
        let kernels =
            own.causes().observed.segments.iter().filter(|one| own.trace().op_name(one.op) == "gemm");
        kernels.fold(Nanos(0), |sum, one| sum + one.interval.length()).0 / 1_000
    };
    assert!(path(50.0) >= 20_000, "{}", path(50.0));
    assert!(path(5_000.0) < 1_000, "{}", path(5_000.0));
}

#[test]
fn memory_that_was_full_is_no_first_step() {
    let full = |operator: &str| {
        let mut events = Vec::new();
        events.extend(launched(1, 5.0, 20.0, 500.0));
        events.push(on_host("cpu_op", operator, 1_000.0, 50_000.0));
        for call in 0..5 {
            events.push(on_host("cuda_runtime", "cudaFree", 1_010.0 + 6_000.0 * f64::from(call), 5_900.0));
        }
        events.push(on_host("cuda_runtime", "cudaMalloc", 32_000.0, 15_000.0));
        events.extend(launched(2, 60_000.0, 60_010.0, 9_000.0));
        let found = findings::json(&with_gpu(&events), &[], None);
        let found: Value = serde_json::from_str(&found).unwrap_or_default();
        found["findings"].as_array().cloned().unwrap_or_default()
    };
    let rows = full("aten::empty");
    let own = rows.iter().find(|own| own["rule"] == Rule::Allocator.word()).expect("a finding");
    assert_eq!(own["saving_ns"], 44_500_000, "{own}");
    assert!(
        own["sentence"].as_str().unwrap_or_default().starts_with("The memory of the GPU was full"),
        "{own}"
    );
    assert!(own["advice"].as_str().unwrap_or_default().contains("expandable_segments"), "{own}");
    assert!(rows.iter().all(|own| own["rule"] != Rule::FirstStep.word()), "{rows:?}");
    // A convolution that has tried its algorithms empties the cache.
    let rows = full("aten::cudnn_convolution");
    let is_full = |own: &Value| own["sentence"].as_str().unwrap_or_default().contains("was full");
    assert!(!rows.iter().any(is_full), "{rows:?}");
}

#[test]
fn layers_of_one_pass_are_no_passes() {
    let layer = ["aten::conv2d", "aten::add_", "aten::batch_norm", "aten::relu_", "aten::max_pool2d"];
    let passes_of = |head: &[&str], times: usize| {
        let names = (0..times).flat_map(|_| layer.iter().chain(head)).copied();
        let ends =
            if head.is_empty() { vec!["aten::view", "aten::dropout", "aten::linear"] } else { Vec::new() };
        let all: Vec<&str> = names.chain(ends).collect();
        let place = |at: usize| on_host("cpu_op", all[at], 100.0 * at as f64, 90.0);
        passes(with_gpu(&(0..all.len()).map(place).collect::<Vec<_>>()).trace())
    };
    assert_eq!(passes_of(&[], 3), None);
    assert_eq!(passes_of(&["aten::linear"], 3), Some(3));
}
