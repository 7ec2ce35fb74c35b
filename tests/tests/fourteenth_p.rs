//! What a stranger found wrong or missing in the fourteenth reading of traces of PyTorch next to their data. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, rows, study, text, torch, with_gpu};

/// A call at `at` of `length`, and the kernel that it starts, from `start` to `end`.
fn launched(id: i64, (at, length): (f64, f64), (start, end): (f64, f64)) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, (at, length), &args);
    [call, event("kernel", "gemm", (0, 7), (start, end - start), &args)]
}

/// A study without a GPU.
fn on_cpu(events: &[Value]) -> Study {
    study(steplens_tests::opened::open(&[("made.json", &torch(events, &json!({})))]))
}

#[test]
fn a_step_is_called_by_the_number_of_its_file() {
    let step = |number: u32, at: f64, length: f64| {
        let mark = on_host("user_annotation", &format!("ProfilerStep#{number}"), at, length);
        [mark, on_host("cpu_op", "aten::mm", at + 1.0, length - 2.0)]
    };
    let steps = [step(4, 1_000.0, 1_000.0), step(5, 2_000.0, 5_000.0), step(6, 7_000.0, 500.0)];
    let mut events = vec![on_host("cpu_op", "aten::zeros", 900.0, 50.0)];
    events.extend(steps.into_iter().flatten());
    let own = on_cpu(&events);
    assert_eq!([0, 1, 2, 3, 4].map(|row| own.step_called(row)), [None, Some(4), Some(5), Some(6), None]);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("Step 5 alone takes"), "{said}");
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

#[test]
fn a_part_of_idle_time_has_nothing_that_only_a_first_step_does() {
    let mut events = Vec::new();
    for id in 0..40_i64 {
        let at = if id == 0 { 0.0 } else { 50_000.0 + 400.0 * id as f64 };
        let own = if id == 0 { 50_000.0 } else { 60.0 };
        events.push(on_host("cpu_op", "aten::addmm", at, own + 20.0));
        events.extend(launched(id + 1, (at + own, 10.0), (at + own + 20.0, at + own + 50.0)));
        events.push(on_host("cpu_op", "aten::view", at + own + 30.0, 250.0));
    }
    let own = with_gpu(&events);
    assert!(!found(&own, "first-step").is_null());
    let host = found(&own, "host-bound");
    assert!(!text(&host, "sentence").contains("is one aten::addmm"), "{host}");
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

/// Several steps. The first one takes longer: a call loads a module, and an operator takes `more` µs longer than in later steps.
fn cold(more: f64) -> Study {
    let (mut events, mut at) = (Vec::new(), 0.0);
    for id in 0..6_i64 {
        let (load, more) = if id == 0 { (300_000.0, more) } else { (10.0, 10.0) };
        let length = load + more + 20_000.0;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{id}"), at, length));
        events.push(on_host("cpu_op", "aten::mm", at + 10.0, load + 100.0));
        let start = at + load + 60.0;
        events.extend(launched(id + 1, (at + 20.0, load), (start, start + 10_000.0)));
        let part = more / 40.0;
        let sort = |place: i32| {
            on_host("cpu_op", "aten::sort", at + load + 11_000.0 + part * f64::from(place), part)
        };
        events.extend((0..40).map(sort));
        events.push(on_host("cuda_runtime", "cudaEventSynchronize", at + load + 60.0, 9_990.0));
        at += length + 10.0;
    }
    with_gpu(&events)
}

#[test]
fn a_first_step_is_as_much_longer_as_it_is() {
    let own = cold(100_000.0);
    let first = found(&own, "first-step");
    let saved = first["saving_ns"].as_i64().unwrap_or_default();
    assert!((399_000_000..401_000_000).contains(&saved), "{first}");
    assert!(text(&first, "sentence").contains("the first step is 400 ms longer than the median"), "{first}");
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("400.0 ms, is what only a first step does"), "{said}");
    // What is not known to be of a first step alone has most of it.
    let first = found(&cold(2_000_000.0), "first-step");
    assert!(first["saving_ns"].as_i64().is_none_or(|saved| saved < 1_000_000_000), "{first}");
}

#[test]
fn a_call_of_another_process_is_waiting() {
    let own = on_cpu(&[
        on_host("cpu_op", "aten::addmm", 0.0, 3_000_000.0),
        on_host("cpu_op", "rpc_async#_get_value(worker0 -> worker13)", 3_000_010.0, 12_000_000.0),
        on_host("cpu_op", "aten::mm", 15_000_020.0, 2_000_000.0),
    ]);
    let said = verdict::of(&own, true).sentence;
    assert!(!said.contains("compute on the CPU takes") && said.contains("70.6 %"), "{said}");
    assert!(rows(&own).iter().all(|own| !text(own, "sentence").contains("rpc_async")));
}

#[test]
fn without_its_gpu_a_long_operator_most_likely_waited_for_it() {
    let mut events = vec![on_host("cpu_op", "aten::mps_convolution", 0.0, 100.0)];
    for id in 0..50 {
        let at = 200.0 + 100.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::addcdiv_", at, 30.0));
    }
    events.push(on_host("cpu_op", "aten::addcdiv_", 6_000.0, 48_000.0));
    events.push(on_host("cpu_op", "aten::_local_scalar_dense", 55_000.0, 20_000.0));
    let own = on_cpu(&events);
    let waits = found(&own, "synchronising");
    assert!(
        text(&waits, "sentence")
            .contains("Probably the host waits for its GPU, which was not recorded, 2 times, for 68 ms"),
        "{waits}"
    );
    assert!(text(&waits, "advice").contains("torch.mps.profiler"), "{waits}");
    assert!(found(&own, "dominant-work").is_null());
}

#[test]
fn a_wait_ends_with_what_it_waits_for_though_a_watchdog_looked_meanwhile() {
    let mut events = Vec::new();
    events.push(on_host("cpu_op", "aten::mm", 0.0, 100.0));
    events.extend(launched(1, (20.0, 10.0), (40.0, 1_000.0)));
    let args = json!({ "correlation": 2, "stream": 20, "device": 0 });
    events.push(event("cuda_runtime", "cudaLaunchKernelExC", HOST, (200.0, 10.0), &args));
    events.push(event("kernel", "ncclDevKernel_AllGather_RING_LL", (0, 20), (1_010.0, 450_000.0), &args));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 300.0, 450_800.0));
    for look in 1..5 {
        let at = 100_000.0 * f64::from(look);
        events.push(event("cuda_runtime", "cudaEventQuery", (100, 900), (at, 5.0), &json!({})));
    }
    let own = with_gpu(&events);
    let replay = Replay::of(&own);
    assert_eq!(replay.error().difference().0, 0);
    let hidden = Change::parse("category=communication=0").or_else(|_| Change::parse("op=nccl=0"));
    let scenario = replay.scenario(&own, &[hidden.unwrap_or_else(|error| panic!("{error:?}"))]);
    let left = replay.run(&scenario.unwrap_or_else(|error| panic!("{error:?}"))).length().0;
    assert!(left < 3_000_000, "{left}");
}

#[test]
fn what_the_replay_does_not_confirm_is_not_to_be_tried() {
    // The host is busy all the time: without communication the step is as long.
    let mut events = Vec::new();
    for id in 0..20_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 990.0));
        let args = json!({ "correlation": id + 1, "stream": 20, "device": 0 });
        events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (at + 10.0, 10.0), &args));
        events.push(event("kernel", "ncclDevKernel_AllReduce_Sum_f32", (0, 20), (at + 30.0, 900.0), &args));
    }
    let own = with_gpu(&events);
    for own in rows(&own).iter().filter(|own| own["rule"] == "exposed-communication") {
        assert!(own["change"].is_null(), "{own}");
    }
}

#[test]
fn a_few_collectives_that_take_very_long_send_more_or_wait_for_a_rank_that_was_not_opened() {
    let mut events = Vec::new();
    for id in 0..13_i64 {
        let at = 1_100_000.0 * id as f64;
        let length = if id % 4 == 1 { 1_000_000.0 } else { 5_000.0 };
        events.push(on_host("cpu_op", "aten::mm", at, 50.0));
        let args = json!({ "correlation": id + 1, "stream": 20, "device": 0 });
        events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (at + 10.0, 10.0), &args));
        let sent =
            json!({ "correlation": id + 1, "stream": 20, "device": 0, "Collective name": "all_to_all" });
        events.push(event("kernel", "ncclDevKernel_SendRecv", (0, 20), (at + 30.0, length), &sent));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 60.0, length));
    }
    let own = found(&with_gpu(&events), "exposed-communication");
    let sentence = text(&own, "sentence");
    assert!(!sentence.contains("Probably") && sentence.contains("take 2.98 s longer than is usual"), "{own}");
    assert!(text(&own, "advice").to_lowercase().contains("rank"), "{own}");
}

#[test]
fn memory_on_a_gpu_says_that_ops_ran_for_it() {
    let of = |kind: u32| {
        let mut events: Vec<Value> =
            (0..9).map(|at| on_host("cpu_op", "aten::mul_", 100.0 * f64::from(at), 90.0)).collect();
        let args =
            json!({ "Device Type": kind, "Device Id": 0, "Bytes": 512, "Addr": 7, "Total Allocated": 512 });
        events.push(json!({ "ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 100, "tid": 100, "ts": 10.0, "args": args }));
        verdict::of(&on_cpu(&events), true).sentence
    };
    assert!(of(0).contains("compute on the CPU"), "{}", of(0));
    assert!(of(1).contains("What its GPU did was not recorded"), "{}", of(1));
}

#[test]
fn an_optimizer_that_goes_one_by_one_is_found_where_its_gpu_has_little_to_do() {
    let of = |kernel: f64| {
        let mut events = vec![on_host("user_annotation", "Optimizer.step#CustomAdam.step", 0.0, 20_000.0)];
        for id in 0..200_i64 {
            let at = 100.0 * id as f64;
            events.push(on_host("cpu_op", "aten::mul_", at, 90.0));
            events.extend(launched(id + 1, (at + 20.0, 10.0), (at + 40.0, at + 40.0 + kernel)));
        }
        found(&with_gpu(&events), "optimizer-step")
    };
    assert!(text(&of(2.0), "sentence").contains("with 200 operators"), "{}", of(2.0));
    assert!(of(60.0).is_null());
}

#[test]
fn dropout_goes_with_batch_norm_that_runs_as_in_training() {
    let of = |draws: &str| {
        let mut events = Vec::new();
        for id in 0..10 {
            let at = 1_000.0 * f64::from(id);
            let inputs = json!({ "Concrete Inputs": ["", "", "", "", "", "True", "0.1", "1e-05", "True"] });
            events.push(event("cpu_op", "aten::batch_norm", HOST, (at, 200.0), &inputs));
            events.push(on_host("cpu_op", "aten::dropout", at + 300.0, 600.0));
            events.push(on_host("cpu_op", draws, at + 310.0, 500.0));
        }
        found(&on_cpu(&events), "training-mode")
    };
    let own = of("aten::bernoulli_");
    assert_eq!(own["saving_ns"], 8_000_000, "{own}");
    assert!(text(&own, "sentence").contains("10 ops, 2.00 ms. Dropout does, too: 6.00 ms."), "{own}");
    assert_eq!(of("aten::mul")["saving_ns"], 2_000_000);
}
