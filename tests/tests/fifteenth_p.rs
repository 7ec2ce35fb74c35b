//! What a stranger found wrong or missing in the fifteenth reading of traces of PyTorch next to their data. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{
    HOST, event, found, on_host, open, rows, study, study_of, text, torch, with_gpu,
};

/// A call at `at` of `length` on a process, and the kernel that it starts, from `start` to `end`.
fn launched_in(
    pid: i64,
    id: i64,
    (at, length): (f64, f64),
    (name, start, end): (&str, f64, f64),
    said: &Value,
) -> [Value; 2] {
    let mut args = json!({ "correlation": id, "stream": 7, "device": 0 });
    if let (Some(args), Some(said)) = (args.as_object_mut(), said.as_object()) {
        args.extend(said.clone());
    }
    let call = event("cuda_runtime", "cudaLaunchKernel", (pid, pid), (at, length), &args);
    [call, event("kernel", name, (0, 7), (start, end - start), &args)]
}

fn launched(id: i64, call: (f64, f64), (start, end): (f64, f64)) -> [Value; 2] {
    launched_in(100, id, call, ("gemm", start, end), &json!({}))
}

fn on_cpu(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({})))]))
}

fn said(study: &Study) -> String {
    verdict::of(study, true).sentence
}

#[test]
fn what_has_a_few_bytes_waits_for_all_that_is_longer_than_a_start() {
    let gather = json!({ "Collective name": "_allgather_base", "In msg nelems": 8, "dtype": "Long", "Group size": 2,
        "Process Group Name": "0", "Process Group Ranks": "[0, 1]" });
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 1_000.0 * id as f64;
        let kernel = ("ncclDevKernel_AllGather_RING_LL", at + 30.0, at + 430.0);
        events.extend(launched_in(100, id + 1, (at, 10.0), kernel, &gather));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 15.0, 416.0));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    assert!(text(&own, "sentence").contains("Probably 3.50 ms of it is waiting for ranks"), "{own}");
}

#[test]
fn a_finding_says_what_the_replay_says_where_that_is_less_than_half() {
    // The host is busy all the time: without communication the step is as long.
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 990.0));
        let kernel = ("ncclDevKernel_AllReduce_Sum_f32", at + 30.0, at + 930.0);
        events.extend(launched_in(100, id + 1, (at + 10.0, 10.0), kernel, &json!({})));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    assert!(own["saving_ns"].as_i64().is_some_and(|saving| saving < 2_000_000), "{own}");
    assert!(own["change"].is_null() && text(&own, "sentence").contains("A replay without it"), "{own}");
    assert!(!text(&own, "sentence").contains("can be saved"), "{own}");
}

#[test]
fn the_first_of_three_launches_may_be_a_first_call() {
    let mut events = launched_in(100, 1, (0.0, 1_101.0), ("fill", 1_110.0, 1_580.0), &json!({})).to_vec();
    events.extend(launched_in(100, 2, (1_140.0, 14.0), ("scale", 1_580.0, 1_900.0), &json!({})));
    events.extend(launched_in(100, 3, (1_200.0, 12.0), ("sum", 1_900.0, 2_080.0), &json!({})));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 1_250.0, 840.0));
    let own = with_gpu(&events);
    let first = found(&own, "first-step");
    assert_eq!(first["saving_ns"], 1_101_000, "{first}");
    assert_eq!(rows(&own).first().map(|own| own["rule"].clone()), Some(json!("first-step")));
}

#[test]
fn a_kernel_that_another_rank_has_launched_is_new_to_a_process() {
    let rank = |rank: i64, first: f64| {
        let mut events = Vec::new();
        let mut at = 1_000.0 * rank as f64;
        for id in 0..30_i64 {
            let length = if id == 3 { first } else { 20.0 };
            events.push(event("cpu_op", "aten::mm", HOST, (at, length + 30.0), &json!({})));
            let name = format!("gemm{id}");
            let kernel = (name.as_str(), at + length + 15.0, at + length + 25.0);
            events.extend(launched_in(100, id + 1, (at + 5.0, length), kernel, &json!({})));
            at += length + 40.0;
        }
        torch(
            &events,
            &json!({ "deviceProperties": [{ "id": 0 }], "distributedInfo": { "rank": rank, "world_size": 2 } }),
        )
    };
    // The other rank has launched it already, quickly.
    let (r0, r1) = (rank(0, 20.0), rank(1, 12_000.0));
    let own = study(open(&[("r0.json", &r0), ("r1.json", &r1)]));
    let first = found(&own, "first-step");
    assert!(text(&first, "sentence").contains("cudaLaunchKernel"), "{first}");
    assert!(first["saving_ns"].as_i64().is_some_and(|time| time > 11_000_000), "{first}");
}

/// Operators of a first step: one begins cuDNN, and one in the middle gets memory for `memory` µs.
fn beginning(memory: f64) -> Study {
    let mut events = vec![on_host("cpu_op", "aten::cudnn_convolution", 0.0, 300_000.0)];
    let mut at = 300_010.0;
    for id in 0..200 {
        let length = if id == 120 { memory } else { 5.0 };
        events.push(on_host("cpu_op", "aten::empty", at, length));
        events.push(on_host("cpu_op", "aten::cudnn_convolution", at + length + 1.0, 60.0));
        at += length + 70.0;
    }
    on_cpu(&events)
}

#[test]
fn one_call_unlike_all_others_of_its_name_is_of_a_first_step_that_is_known() {
    let first = found(&beginning(200_000.0), "first-step");
    let time = first["saving_ns"].as_i64().unwrap_or_default();
    assert!((495_000_000..501_000_000).contains(&time), "{first}");
}

#[test]
fn a_first_step_with_a_fifth_of_the_time_is_in_the_verdict() {
    let mut events = launched(1, (0.0, 30_000.0), (30_010.0, 30_100.0)).to_vec();
    for id in 0..70_i64 {
        let at = 30_200.0 + 1_000.0 * id as f64;
        events.extend(launched(id + 2, (at, 10.0), (at + 20.0, at + 990.0)));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 12.0, 980.0));
    }
    let said = said(&with_gpu(&events));
    assert!(
        said.contains("What happens once: 29.9 % of it, 30.00 ms, is what only a first step does"),
        "{said}"
    );
    assert!(!said.contains("As a whole"), "{said}");
}

/// Where modules are loaded, an operator that loads them begins a library, and a long call that launches what nobody knows is a first one.
#[test]
fn modules_that_are_loaded_prove_a_first_call() {
    let call = |name: &str, at: f64, length: f64| on_host("cuda_runtime", name, at, length);
    let mut events = vec![
        call("hipLaunchKernel", 0.0, 30.0),
        on_host("cpu_op", "aten::mse_loss_backward", 1_000.0, 19_000.0),
        call("hipLaunchKernel", 1_010.0, 18_900.0),
        on_host("cpu_op", "aten::convolution_backward", 20_000.0, 16_000.0),
        call("hipModuleLoadData", 22_000.0, 800.0),
        call("hipModuleLoadData", 26_000.0, 2_600.0),
        call("hipExtModuleLaunchKernel", 35_000.0, 10.0),
        event("kernel", "igemm", (0, 0), (35_020.0, 10.0), &json!({ "device": 0, "stream": 0 })),
        call("hipDeviceSynchronize", 36_100.0, 100.0),
    ];
    events.extend((0..20).map(|ask| call("hipDeviceGetAttribute", 20_100.0 + 10.0 * f64::from(ask), 1.0)));
    let first = found(&with_gpu(&events), "first-step");
    let time = first["saving_ns"].as_i64().unwrap_or_default();
    assert!((34_000_000..35_500_000).contains(&time), "{first}");
}

/// Programs whose threads stand still in operators that do nothing, in turn.
fn crowded(ranks: i64, names: [&str; 3]) -> Study {
    let files = (0..ranks).map(|rank| {
        let mut events = Vec::new();
        let mut at = 0.0;
        for id in 0..120_i64 {
            let name = names[(id % 3) as usize];
            let length = if (id + rank * 5) % 10 < 2 && id > 10 { 10_000.0 } else { 8.0 };
            events.push(on_host("cpu_op", name, at, length));
            events.extend(launched(id + 1, (at + length + 1.0, 8.0), (at + length + 15.0, at + length + 25.0)));
            at += length + 30.0;
        }
        let said = json!({ "deviceProperties": [{ "id": 0 }], "distributedInfo": { "rank": rank, "world_size": ranks } });
        (format!("r{rank}.json"), torch(&events, &said))
    });
    study_of(files)
}

#[test]
fn a_thread_that_stood_still_ran_no_operator_for_long() {
    let own = crowded(1, ["aten::view", "aten::expand", "aten::empty"]);
    let verdict = said(&own);
    assert!(
        verdict.contains("The thread of the program stands still 21 times, for 210.0 ms in all"),
        "{verdict}"
    );
    let host = found(&own, "host-bound");
    assert!(text(&host, "advice").contains("cores of its own"), "{host}");
    assert!(!text(&host, "advice").contains("torch.compile"), "{host}");
    // Operators that compute may take longer than others.
    let verdict = said(&crowded(1, ["aten::mm", "aten::sort", "aten::unique"]));
    assert!(!verdict.contains("stands still"), "{verdict}");
}

#[test]
fn programs_that_stand_still_in_turn_share_cores() {
    let verdict = said(&crowded(4, ["aten::view", "aten::expand", "aten::empty"]));
    assert!(verdict.contains("The threads of 4 programs stand still"), "{verdict}");
}

#[test]
fn only_the_first_kernel_waits_for_what_was_launched_before_the_recording() {
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 3_000.0 * id as f64;
        let late = if id % 4 == 2 { 2_300.0 } else { 10.0 };
        events.extend(launched(id + 1, (at, 10.0), (at + 10.0 + late, at + 60.0 + late)));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 20.0, late + 45.0));
    }
    let own = with_gpu(&events);
    let idle = found(&own, "idle-though-launched");
    assert!(!text(&idle, "advice").contains("before the recording begins"), "{idle}");
    assert!(text(&idle, "advice").contains("another process or the desktop"), "{idle}");
    let verdict = said(&own);
    assert!(!verdict.contains("calls of the driver 1"), "{verdict}");
}

#[test]
fn operators_whose_recording_takes_the_time_compute_for_none_of_it() {
    let mut events = Vec::new();
    let mut at = 0.0;
    for id in 0..200 {
        let length = 120.0 + f64::from(id % 7);
        events.push(on_host("cpu_op", "aten::matmul", at, 2.0 * length + 60.0));
        events.push(on_host("cpu_op", "aten::mm", at + length, 60.0));
        at += 2.0 * length + 70.0;
    }
    let own = on_cpu(&events);
    assert!(found(&own, "dominant-work").is_null());
    let cost = found(&own, "tracing");
    assert!(text(&cost, "sentence").contains("each of 200 operators begins 123 µs after"), "{cost}");
    assert!(said(&own).contains("is the recording itself"), "{}", said(&own));
}

#[test]
fn what_contains_a_product_of_matrices_is_none() {
    let mut events = Vec::new();
    for id in 0..20 {
        let at = 1_000.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::linear", at, 990.0));
        events.push(on_host("cpu_op", "aten::addmm", at + 10.0 + f64::from(id), 500.0));
    }
    let own = found(&on_cpu(&events), "dominant-work");
    let sentence = text(&own, "sentence");
    assert!(sentence.contains("aten::addmm 10 ms") && !sentence.contains("aten::linear"), "{own}");
}

#[test]
fn dropout_that_draws_without_a_backward_pass_is_found_alone() {
    let mut events = Vec::new();
    for id in 0..10 {
        let at = 1_000.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::dropout", at, 600.0));
        events.push(on_host("cpu_op", "aten::bernoulli_", at + 10.0, 500.0));
        events.push(on_host("cpu_op", "aten::mm", at + 610.0, 300.0));
    }
    let own = found(&on_cpu(&events), "training-mode");
    assert!(text(&own, "sentence").starts_with("Dropout runs as in training"), "{own}");
    assert!(text(&own, "advice").contains("model.eval()"), "{own}");
}

#[test]
fn the_part_of_a_program_with_most_of_the_time_is_named() {
    let mut events = vec![
        on_host("user_annotation", "main", 0.0, 10_000.0),
        on_host("user_annotation", "load", 0.0, 3_000.0),
        on_host("user_annotation", "solve", 3_000.0, 6_500.0),
    ];
    events.extend((0..100).map(|id| on_host("cpu_op", "aten::mul", 100.0 * f64::from(id), 90.0)));
    let said = said(&on_cpu(&events));
    assert!(said.contains("Of the parts that the program marks, solve takes 65.1 %"), "{said}");
}

#[test]
fn where_only_calls_were_recorded_the_work_is_to_be_recorded() {
    let own = on_cpu(&[
        on_host("cuda_runtime", "cudaGetDeviceProperties_v2", 0.0, 2_000.0),
        on_host("cuda_runtime", "cudaDeviceSynchronize", 5_000.0, 185_000.0),
        event("overhead", "Resource", (-1, 0), (1_000.0, 15_000.0), &json!({})),
    ]);
    let cost = found(&own, "tracing");
    assert!(!text(&cost, "advice").contains("Record less"), "{cost}");
}
