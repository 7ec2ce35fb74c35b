//! Calls that get memory from the driver and give it back: how often, why, and what to do. And who keeps the memory of a peak.

use super::made::{
    CPU, MS, findings_of, launched, launched_as, launched_for, said_of_recording, started, usual, with_gpus,
};
use serde_json::Value;
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_report::findings;
use steplens_tests::opened::{found, on_host, row, text, torch_study, with_gpu};
use steplens_tests::writer::{Scenario, op};

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
        findings_of(&study).rows.iter().any(|own| own.rule == Rule::Allocator)
    };
    assert_eq!((with([635, 667, 735]), with([135, 435, 735])), (false, true));
}

/// A program that calls `cudaFree` for these µs, one call in each tenth of 2 s, and runs a kernel at last.
fn frees(lengths: [f64; 10]) -> Study {
    let place = |place: usize| 1.0 + 200_000.0 * place as f64;
    let mut events: Vec<Value> = (0..10)
        .flat_map(|at| {
            let op = on_host("cpu_op", "aten::conv2d", place(at) - 1.0, lengths[at] + 2.0);
            [op, on_host("cuda_runtime", "cudaFree", place(at), lengths[at])]
        })
        .collect();
    events.extend(started(
        1,
        ("cudaLaunchKernel", 1_999_000.0, 5.0),
        ("kernel", "gemm", 0, 1_999_010.0, 900.0),
    ));
    with_gpus(&events)
}

#[test]
fn memory_that_three_unlike_calls_give_back_is_a_first_step() {
    let few = frees([80_000.0, 10.0, 10.0, 17_000.0, 10.0, 190_000.0, 10.0, 10.0, 10.0, 10.0]);
    assert_eq!(row(&few, Rule::Allocator), None);
    let many = frees([80_000.0; 10]);
    assert!(row(&many, Rule::Allocator).is_some());
}

#[test]
fn memory_that_was_full_is_no_first_step() {
    let full = |operator: &str| {
        let mut events = Vec::new();
        events.extend(launched_for(1, 5.0, 20.0, 500.0));
        events.push(on_host("cpu_op", operator, 1_000.0, 50_000.0));
        for call in 0..5 {
            events.push(on_host("cuda_runtime", "cudaFree", 1_010.0 + 6_000.0 * f64::from(call), 5_900.0));
        }
        events.push(on_host("cuda_runtime", "cudaMalloc", 32_000.0, 15_000.0));
        events.extend(launched_for(2, 60_000.0, 60_010.0, 9_000.0));
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

/// An operator that gives the cache of memory back, and gets memory again, as later ones do, after others that only get memory.
fn full() -> Study {
    let mut events = launched(1, (5.0, 10.0), (20.0, 100.0)).to_vec();
    let mut get = |at: f64, length: f64, operator: &str| {
        events.push(on_host("cpu_op", operator, at, length + 20.0));
        events.push(on_host("cuda_runtime", "cudaMalloc", at + 10.0, length));
    };
    get(1_000.0, 10_000.0, "aten::empty");
    get(120_000.0, 60_000.0, "aten::bmm");
    get(190_000.0, 40_000.0, "aten::cat");
    events.push(on_host("cpu_op", "aten::new_empty", 20_000.0, 60_000.0));
    for call in 0..5 {
        let at = 20_010.0 + 6_000.0 * f64::from(call);
        events.push(on_host("cuda_runtime", "cudaFree", at, 5_900.0));
    }
    events.push(on_host("cuda_runtime", "cudaMalloc", 70_000.0, 4_000.0));
    events.extend(launched(2, (240_000.0, 10.0), (240_020.0, 250_000.0)));
    with_gpu(&events)
}

#[test]
fn memory_that_was_full_comes_with_what_is_got_again_and_with_its_own_advice() {
    let own = full();
    let memory = found(&own, "allocator");
    assert!(text(&memory, "sentence").starts_with("The memory of the GPU was full"), "{memory}");
    assert!(text(&memory, "sentence").contains("8 calls such as cudaMalloc take 134 ms"), "{memory}");
    let host = found(&own, "host-bound");
    assert!(text(&host, "advice").contains("num_alloc_retries"), "{host}");
    assert!(!text(&host, "advice").contains("larger batches"), "{host}");
}

#[test]
fn a_program_that_empties_its_cache_does_not_run_out_of_memory() {
    let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 50.0)];
    events.push(on_host("cuda_runtime", "cudaLaunchKernel", 10.0, 10.0));
    events.push(on_host("cpu_op", "aten::empty", 60.0, 5_050.0));
    events.push(on_host("cuda_runtime", "cudaMalloc", 100.0, 5_000.0));
    events.push(on_host("cuda_runtime", "cudaFree", 6_000.0, 34_000.0));
    events.push(on_host("cpu_op", "aten::mm", 40_100.0, 8_000.0));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 48_200.0, 8_000.0));
    let own = found(&with_gpu(&events), "allocator");
    assert!(text(&own, "sentence").contains("The program itself gives memory back to the driver, outside of all operators: 1 call such as cudaFree (34 ms)"), "{own}");
    assert!(text(&own, "advice").contains("torch.cuda.empty_cache()"), "{own}");
    assert!(!text(&own, "advice").contains("num_alloc_retries"), "{own}");
}

#[test]
fn memory_that_has_most_of_the_host_is_named() {
    let mut events = Vec::new();
    for id in 0..30_i64 {
        let at = 2_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 1_990.0));
        events.push(on_host("cuda_runtime", "hipMalloc", at + 2.0, 900.0));
        events.extend(launched_as(id + 1, (at + 910.0, 5.0), ("gemm", at + 920.0, at + 1_000.0)));
        events.push(on_host("cuda_runtime", "hipFree", at + 1_001.0, 980.0));
    }
    let own = with_gpu(&events);
    let verdict = said_of_recording(&own);
    assert!(verdict.contains("the host (mostly getting and freeing memory)"), "{verdict}");
    let advice = |rule: &str| text(&found(&own, rule), "advice").to_owned();
    assert!(advice("allocator").contains("PYTORCH_NO_CUDA_MEMORY_CACHING"), "{}", advice("allocator"));
    assert_eq!(advice("host-bound"), advice("allocator"));
}

#[test]
fn memory_that_others_read_later_is_kept_by_none() {
    let big: i64 = 512 << 20;
    let of = |last: &str| {
        let ops = [
            op("a = MatMul(x)", 0, MS).scheduled(0).output(0, 1, &[], big).memory("cpu", &[(0, big)]),
            op("b = MatMul(x)", 2 * MS, MS)
                .scheduled(0)
                .output(0, 1, &[], big)
                .memory("cpu", &[(2_000, big), (4_000, -big)]),
            op("between = Relu(b)", 3 * MS, 5 * MS).scheduled(3 * MS),
            op("late = Add(a, between)", 8 * MS, MS).scheduled(8 * MS),
            op(last, 10 * MS, MS).scheduled(9 * MS).memory("cpu", &[(11_000, -big)]),
        ];
        found(&Scenario::new().device(CPU, ops).study(), "memory-peak")
    };
    // `late` reads `a`, and so does what comes after it: to run `late` earlier frees nothing.
    assert_eq!(of("end = Mul(a, late)"), Value::Null);
}
