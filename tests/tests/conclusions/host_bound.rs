//! A GPU that waits for its host: launches, operators and calls on the host, and ops so small that to start them takes the time.
//! The sentence names what the host did, and no advice is about anything else.

use super::made::{
    CPU, Executed, GPU, US, executed, findings_of, launched, launched_as, of_pool, of_torch, on_thread, said,
    said_of_recording, spent, usual,
};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_report::verdict;
use steplens_tests::opened::{
    TorchEvent, found, on_host, open, row, study, text, torch, torch_study, with_gpu,
};
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::{list, timeline};
use steplens_tests::writer::{Scenario, op};

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
        let found = findings_of(&study);
        let own = found.rows.iter().find(|own| own.rule == Rule::HostBound).expect("the host is late");
        own.facts.since.0 / 1_000_000
    };
    assert_eq!((advice(false), advice(true)), (60, 0));
}

#[test]
fn ops_of_a_gpus_host_and_calls_of_its_driver_are_not_called_compute() {
    let own = torch_study(&[
        ("cpu_op", "aten::normal_", 1, 0, 6_000, 0),
        ("cuda_runtime", "cudaStreamCreateWithFlags", 1, 6_000, 2_000, 0),
        ("cuda_runtime", "cudaLaunchKernel", 1, 8_000, 100, 4),
        ("kernel", "gemm", 7, 8_100, 1_000, 4),
    ]);
    let parts = spent(&own, US);
    assert_eq!(parts.first(), Some(&("operators on the host", 6_000)), "{parts:?}");
    assert!(parts.contains(&("calls of the driver", 2_000)), "{parts:?}");
    assert!(parts.contains(&("compute", 1_000)), "{parts:?}");
}

#[test]
fn calls_of_a_driver_alone_compute_nothing() {
    let own = torch_study(&[("cuda_runtime", "cudaMemGetInfo", 1, 0, 10_000, 0)]);
    assert!(said(&own).contains("calls of the driver take 100.0"), "{}", said(&own));
    assert_eq!(spent(&own, US), [("calls of the driver", 10_000)]);
    let sentence = list(&own)["sentence"].to_string();
    assert!(sentence.contains("calls of the driver (100.0") && !sentence.contains("compute"), "{sentence}");
}

/// A GPU that waits for `kind`, an op of 40 µs that is placed on it and runs no kernel.
fn waits_for(kind: &str) -> Option<Value> {
    let own = op(&format!("u = {kind}(a)"), 1_000, 40_000);
    let study = Scenario::new()
        .device(CPU, [op("a = _Arg()", 0, 1_000)])
        .device(GPU, [own, op("m = MatMul(u)", 41_000, 5_000)])
        .device("/device:GPU:0/stream:13", [op("m = MatMul(u)", 42_000, 60_000)])
        .study();
    row(&study, Rule::HostOpBetween)
}

#[test]
fn tf_device_is_no_advice_for_what_is_placed_on_the_gpu_already() {
    let said = |own: &Value, key: &str| own[key].as_str().unwrap_or_default().to_owned();
    let on_gpu = waits_for("Unique").expect("a finding");
    assert!(
        said(&on_gpu, "sentence").contains("Placed on the GPU, but run on the host: 1 of them."),
        "{on_gpu}"
    );
    assert!(said(&on_gpu, "advice").contains("tf.device does not help"), "{on_gpu}");
    // It hands its input on: what took long was something else.
    assert_eq!(waits_for("Identity"), None);
    // Two `Unique` of the GPU, and two lookups of the CPU.
    let Some(bytes) = sample("gpu/gpu-feeddict.pb") else { return };
    let study = Study::new(open(&[("gpu-feeddict.pb", &bytes)]).trace);
    let both = row(&study, Rule::HostOpBetween).expect("a finding");
    assert!(said(&both, "sentence").contains("Placed on the GPU, but run on the host: 2 of them."), "{both}");
    assert!(said(&both, "advice").contains("Place them on the GPU (tf.device)"), "{both}");
}

#[test]
fn a_gpu_waits_for_its_host_until_its_first_work_is_launched() {
    let kernels = |launched_at: f64| {
        let mut events = vec![on_host("cpu_op", "aten::conv2d", 0.0, 5_200.0)];
        for id in 0..10_i64 {
            let start = 5_100.0 + 4_000.0 * id as f64;
            let at = if id == 0 { launched_at } else { 5_200.0 + 20.0 * id as f64 };
            events.extend(launched_as(id + 1, (at, 10.0), ("gemm", start, start + 3_995.0)));
        }
        verdict::of(&with_gpu(&events), true).sentence
    };
    let late = kernels(5_080.0);
    assert!(!late.contains("before its first work"), "{late}");
    let early = kernels(10.0);
    assert!(early.contains("For 5.080 ms before its first work the GPU does nothing"), "{early}");
}

#[test]
fn what_only_gets_memory_for_a_tensor_computes_nothing_on_the_host() {
    let host_op = |name: &str| {
        let mut events = vec![on_host("cpu_op", name, 100.0, 6_000.0)];
        for (id, start) in [(1, 50.0), (2, 6_200.0)] {
            events.push(on_host("cpu_op", "aten::mm", start - 20.0, 30.0));
            events.extend(launched_as(id, (start - 15.0, 10.0), ("gemm", start, start + 40.0)));
        }
        found(&with_gpu(&events), "host-bound")
    };
    let random = host_op("aten::randn");
    assert!(text(&random, "sentence").contains("aten::randn, which runs on the CPU"), "{random}");
    let empty = host_op("aten::empty");
    assert!(!text(&empty, "sentence").contains("runs on the CPU"), "{empty}");
    assert!(!text(&empty, "advice").contains("DataLoader"), "{empty}");
}

/// A program that launches 120 times, and waits at its end; kernels were not recorded.
fn without_kernels(waits: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..120 {
        let at = 500.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::mm", at, 400.0));
        events.push(on_host("cuda_runtime", "cudaLaunchKernel", at + 100.0, 10.0));
    }
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 60_000.0, waits));
    with_gpu(&events)
}

#[test]
fn a_gpu_that_is_done_when_its_host_is_was_never_behind() {
    let own = found(&without_kernels(500.0), "host-bound");
    assert!(text(&own, "sentence").contains("The GPU keeps up with its host, which takes the time: 120 calls launch, and calls that wait or copy take 500 µs in all"), "{own}");
    assert!(text(&own, "advice").contains("CUDA graphs"), "{own}");
    // It was behind: how much of the time it works, nobody knows.
    assert!(found(&without_kernels(40_000.0), "host-bound").is_null());
}

#[test]
fn one_op_with_most_of_the_time_is_named_and_gets_no_advice_about_launches() {
    let idle = |longest: f64| {
        let mut events = Vec::new();
        for id in 0..6_i64 {
            let at = if id == 0 { 0.0 } else { longest + 100.0 * id as f64 };
            let empty = if id == 0 { longest } else { 8.0 };
            events.push(on_host("cpu_op", "aten::empty", at, empty));
            events.extend(launched(id + 1, (at + empty + 5.0, 10.0), (at + empty + 20.0, at + empty + 60.0)));
        }
        found(&with_gpu(&events), "host-bound")
    };
    let one = idle(1_500.0);
    assert!(
        text(&one, "sentence").contains("is one aten::empty; the others of that name take 8.00 µs"),
        "{one}"
    );
    assert!(text(&one, "advice").contains("fewer launches do not help much"), "{one}");
    let none = idle(60.0);
    assert!(!text(&none, "sentence").contains("is one aten::empty"), "{none}");
}

#[test]
fn calls_of_one_op_on_a_cpu_count_together_and_are_found_once() {
    let mut events = Vec::new();
    for id in 0..2_i64 {
        let at = 700_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::normal_", at, 600_000.0));
        events.push(on_host("cpu_op", "aten::mm", at + 600_100.0, 100.0));
        let end = at + 601_000.0;
        events.extend(launched(id + 1, (at + 600_110.0, 20.0), (at + 600_150.0, end)));
    }
    let own = with_gpu(&events);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("2 calls of aten::normal_, on the CPU, take 92.2 %"), "{said}");
    assert!(text(&found(&own, "host-bound"), "sentence").contains("1.20 s is aten::normal_"));
    assert!(found(&own, "dominant-work").is_null());
}

/// Operators that `torch.compile` traced, each with one kernel of this name.
fn traced(kernel: &str) -> Study {
    let mut events = Vec::new();
    for id in 0..50_i64 {
        let at = 200.0 * id as f64;
        events.push(on_host("cpu_op", "CompiledFunction", at, 150.0));
        events.push(on_host("cpu_op", "aten::mm", at + 5.0, 140.0));
        events.extend(launched_as(id + 1, (at + 120.0, 10.0), (kernel, at + 140.0, at + 150.0)));
    }
    with_gpu(&events)
}

#[test]
fn code_is_compiled_if_a_compiler_made_its_kernels() {
    let own = found(&traced("volta_sgemm_128x64_nn"), "host-bound");
    assert!(text(&own, "advice").contains("only traced the code"), "{own}");
    let own = found(&traced("triton_poi_fused_add_0"), "host-bound");
    assert!(text(&own, "advice").contains("compiled already"), "{own}");
}

#[test]
fn what_a_step_does_after_its_last_kernel_launches_none() {
    let step = |tail: f64| {
        let mut events = vec![on_host("user_annotation", "ProfilerStep#3", 0.0, 2_100.0 + tail)];
        for id in 0..10_i64 {
            let at = 200.0 * id as f64;
            events.push(on_host("cpu_op", "aten::mm", at, 90.0));
            events.extend(launched_as(id + 1, (at + 5.0, 10.0), ("gemm", at + 20.0, at + 180.0)));
        }
        events.push(on_host("cpu_op", "aten::copy", 2_050.0, 10.0));
        events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 2_110.0 + tail.max(0.0), 10.0));
        found(&with_gpu(&events), "host-bound")
    };
    let own = step(1_000.0);
    // From 1,980 µs to 3,100 µs.
    assert!(text(&own, "sentence").contains("1.12 ms of it comes after the last work of the GPU"), "{own}");
    let own = step(-50.0);
    assert!(!own.is_null() && !text(&own, "sentence").contains("after the last work"), "{own}");
}

#[test]
fn what_an_operator_does_in_calls_is_its_time() {
    let mut events = Vec::new();
    for id in 0..20 {
        let at = 120.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::mm", at, 100.0));
        events.push(on_host("cuda_runtime", "cudaLaunchKernel", at + 10.0, 40.0));
    }
    // 20 operators of 100 µs, of 2,380 µs.
    let verdict = said_of_recording(&of_torch(&events));
    assert!(verdict.contains("ops ran on the host for 84.0 % of the time"), "{verdict}");
}

#[test]
fn an_op_of_tensorflow_that_keeps_a_gpu_waiting_has_its_own_advice() {
    let own = timeline(&[
        (0, "Dequantize", "fc8/weights", 0, 15_000),
        (1, "_XlaRun", "cluster", 15_100, 200),
        (2, "_XlaRun", "cluster", 15_200, 5_000),
        (1, "MatMul", "m", 20_300, 100),
        (2, "MatMul", "m", 20_310, 5_000),
    ]);
    let own = row(&own, steplens_core::findings::Rule::HostBound).expect("a finding");
    assert!(text(&own, "sentence").contains("fc8/weights, which runs on the CPU"), "{own}");
    assert!(text(&own, "advice").starts_with("Let the GPU do it: tf.device"), "{own}");
}

#[test]
fn what_overlaps_is_said_where_parts_are_more_than_all() {
    // The GPU works for 12 of 20 ms, and the host starts its kernels one by one until the end.
    let mut ops: Vec<Executed<'_>> = Vec::new();
    let names: Vec<String> = (0..100).map(|place| format!("m{place}")).collect();
    for (name, place) in names.iter().zip(0..) {
        ops.push((1, "MatMul", name, &[], place * 200, 199));
        ops.push((2, "MatMul", name, &[], place * 200 + 190, 130));
    }
    let own = executed(&ops);
    let sentence = said(&own);
    assert!(sentence.contains("some of it at the same time"), "{sentence}");
}

#[test]
fn running_and_starting_ops_is_both() {
    // Of each 200 µs an operator runs for 110 µs, and its call that launches has 40 µs of these.
    let events = |launches: &str| {
        let ops = (0..100).flat_map(|id| {
            let at = 200.0 * f64::from(id);
            [on_host("cpu_op", "aten::mm", at, 110.0), on_host("cuda_runtime", launches, at + 20.0, 40.0)]
        });
        ops.collect::<Vec<Value>>()
    };
    let verdict = said_of_recording(&of_torch(&events("cudaLaunchKernel")));
    // 11.00 ms of 19.91 ms.
    assert!(
        verdict.contains("running and starting ops on the host is 55.2 % of its critical path"),
        "{verdict}"
    );
}

#[test]
fn tiny_ops_of_tensorflow_2_are_found_by_how_long_they_take() {
    let of = |length: i64, pause: i64| {
        let mut events =
            vec![on_thread(1, "EagerExecute: __inference_train_function_1", 0, 600 * (length + pause), "")];
        events.extend(
            (0..600).map(|place| {
                on_thread(2, &format!("op{place}:Mul"), 10 + place * (length + pause), length, "")
            }),
        );
        row(&of_pool(&events), Rule::TinyOps)
    };
    let found = of(4, 5).expect("a finding");
    let sentence = text(&found, "sentence");
    assert!(sentence.starts_with("600 of 600 ops run for less than 10"), "{sentence}");
    assert!(
        sentence.contains("together they run for 2.40") && sentence.contains("before them take 3.00"),
        "{sentence}"
    );
    assert!(found["saving_ns"].is_null(), "{found}");
    // Neither are larger ops, nor those between which other things take the time.
    assert!(of(40, 5).is_none() && of(4, 500).is_none());
}

/// Operators on a CPU, each of this length in µs, and 0.4 µs after the one before.
fn operators(length: f64, count: u32) -> Value {
    let at = |place: u32| f64::from(place) * (length + 0.4);
    let all: Vec<Value> = (0..count).map(|place| on_host("cpu_op", "aten::mul", at(place), length)).collect();
    found(&study(open(&[("made.json", &torch(&all, &json!({})))])), "tiny-ops")
}

#[test]
fn operators_of_a_microsecond_are_overhead() {
    let own = operators(1.2, 1_000);
    // 1,000 times 1.2 µs, and 999 times 0.4 µs.
    assert!(text(&own, "what").contains("run for 1.20 ms, and the pauses before them take 400 µs"), "{own}");
    assert!(text(&own, "sentence").contains("It takes 1.60 ms"), "{own}");
    assert!(text(&own, "advice").contains("torch.compile"), "{own}");
    // Longer ones compute, and a few are no habit.
    assert_eq!([operators(30.0, 1_000), operators(1.2, 100)], [Value::Null, Value::Null]);
}

/// 100 launches of 5 µs, one every 100 µs, whose kernels of 10 µs begin this long after their call.
fn launches(latency: i64) -> Value {
    let of = |id: i64| -> [TorchEvent<'_>; 3] {
        let at = 100 * id;
        [
            ("cpu_op", "aten::mm", 100, at, 90, 0),
            ("cuda_runtime", "cudaLaunchKernel", 100, at, 5, id + 1),
            ("kernel", "gemm", 7, at + 5 + latency, 10, id + 1),
        ]
    };
    let events: Vec<TorchEvent<'_>> = (0..100).flat_map(of).collect();
    found(&torch_study(&events), "host-bound")
}

#[test]
fn the_time_from_a_call_to_its_kernel_is_said_to_be_left_out() {
    // From the end of a kernel to the return of the next call it is 99 × 72 µs; from that to its kernel 100 × 18 µs.
    let own = launches(18);
    assert!(text(&own, "sentence").contains("another 1.80 ms from the return of a call"), "{own}");
    let own = launches(1);
    assert!(own != Value::Null && !text(&own, "sentence").contains("from the return of a call"), "{own}");
}
