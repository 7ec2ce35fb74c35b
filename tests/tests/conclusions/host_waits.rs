//! A host that waits for its GPU: which calls and operators wait, for how long, for what, and what to do.
//! What a host does by itself is no wait.

use super::made::{
    Executed, US, executed, launched, launched_as, launched_for, ms, of_torch, said, said_of_recording,
    spent, usual,
};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Read;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::findings::Rule;
use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_core::scheduling::host_idle::{HostIdle, HostPart, host_idle};
use steplens_core::{Category, Nanos, Study};
use steplens_report::verdict;
use steplens_tests::opened::{
    HOST, event, found, on_host, open, row, rows, study, text, torch_study, with_gpu,
};
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::{list, profiled};

fn idle_of(study: &Study) -> HostIdle {
    host_idle(study.edges(), study.kernels()).remove(0)
}

/// By the events of a Chrome trace of TensorFlow alone: how long nothing of the GPU ran, from `begin` on, until the call that launched what
/// came next had returned, and how much of that was within this call; in ns.
fn idle_for_host(events: &[Value], begin: i64) -> (i64, i64) {
    let ns = |event: &Value, key: &str| (event[key].as_f64().unwrap_or(0.0) * 1_000.0).round() as i64;
    let name_of = |event: &Value, what: &str| {
        (event["name"] == what).then(|| event["args"]["name"].as_str().unwrap_or_default().to_owned())
    };
    let gpu =
        events.iter().find(|event| name_of(event, "process_name").is_some_and(|own| own.contains("GPU")));
    let gpu = gpu.expect("a GPU")["pid"].as_i64();
    let streams: Vec<i64> = events
        .iter()
        .filter(|event| event["pid"].as_i64() == gpu)
        .filter(|event| name_of(event, "thread_name").is_some_and(|own| own.starts_with("Stream")))
        .filter_map(|event| event["tid"].as_i64())
        .collect();
    let spans = || events.iter().filter(|event| event["ph"] == "X");
    let correlation = |event: &Value| {
        event["args"]["correlation_id"]
            .as_i64()
            .or_else(|| event["args"]["correlation_id"].as_str()?.parse().ok())
    };
    let mut calls: HashMap<i64, (i64, i64)> = HashMap::new();
    for call in spans().filter(|event| event["pid"].as_i64() != gpu) {
        let Some(id) = correlation(call) else { continue };
        calls.entry(id).or_insert((ns(call, "ts"), ns(call, "ts") + ns(call, "dur")));
    }
    let is_work = |event: &&Value| {
        event["pid"].as_i64() == gpu && event["tid"].as_i64().is_some_and(|tid| streams.contains(&tid))
    };
    let mut work: Vec<(i64, i64, Option<i64>)> = spans()
        .filter(is_work)
        .map(|event| (ns(event, "ts"), ns(event, "ts") + ns(event, "dur"), correlation(event)))
        .collect();
    work.sort_unstable();
    let (mut now, mut host, mut within) = (begin, 0, 0);
    for (start, end, id) in work {
        if start > now
            && let Some(&(called, returned)) = id.and_then(|id| calls.get(&id))
        {
            let until = returned.clamp(now, start);
            host += until - now;
            within += (until - called.max(now)).max(0);
        }
        now = now.max(end);
    }
    (host, within)
}

#[test]
fn a_stream_waits_for_its_host_until_the_call_has_returned() {
    let files = ["real/xspace/tf2-gpu-20210617.xplane.pb", "real/tf2-json/tf2-gpu-20210617.trace.json.gz"];
    let (Some(xspace), Some(json)) = (sample(files[0]), sample(files[1])) else { return };
    let mut text = Vec::new();
    GzDecoder::new(json.as_slice()).read_to_end(&mut text).expect("a gzip file");
    let document: Value = serde_json::from_slice(&text).expect("JSON");
    let [xspace, json] =
        [(files[0], &xspace), (files[1], &json)].map(|(name, bytes)| study(open(&[(name, bytes)])));
    let (of_xspace, of_json) = (idle_of(&xspace), idle_of(&json));
    assert_eq!((of_xspace.host, of_xspace.parts), (of_json.host, of_json.parts));
    assert_eq!(of_xspace.launched, of_json.launched);
    let events = document["traceEvents"].as_array().expect("events");
    // Until a call has waited for it, the GPU may run what was launched before the recording.
    let (host, within) = idle_for_host(events, json.trace().origin_unix_ns() + of_json.unknown.0);
    assert_eq!(of_json.host.0, host);
    // At least the call that launches what comes next; others of the thread, too.
    let calls = of_json.part(HostPart::Launching) + of_json.part(HostPart::Copying);
    assert!(calls.0 >= within && within > 3_000_000, "{within}");
}

/// Of ten `block_until_ready` in the file (`$api.py:2743`), by a reading of its events alone, all lie one after the other, 5,206 µs long.
#[test]
fn python_waits_for_arrays() {
    let file = "real/xspace/jax-mi300-conv-legacy.xplane.pb";
    let Some(bytes) = sample(file) else { return };
    let study = study(open(&[(file, &bytes)]));
    let trace = study.trace();
    let waits = trace.ops().ids().filter(|&op| trace.category(op) == Category::Waiting);
    // PJRT waits for its turn, too.
    let waits: Vec<_> = waits.filter(|&op| trace.op_name(op) != "ComputeSemaphoreAcquire").collect();
    assert!(waits.iter().all(|&op| trace.op_name(op) == "$api.py:2743 block_until_ready"));
    let time: i64 = waits.iter().map(|&op| trace.ops().interval(op).length().0).sum();
    assert_eq!((waits.len(), time / 1_000), (10, 5_206));
    // Its frames of Python are where they were.
    let frames = trace
        .devices()
        .ids()
        .filter(|&id| trace.text(trace.devices().get(id).name).ends_with("(Python frames)"));
    assert_eq!(frames.map(|id| trace.ops_of(id).len()).sum::<usize>(), 2_638);
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
fn a_call_that_waits_for_a_gpu_waits_for_no_tensor() {
    let own = torch_study(&[
        ("cuda_runtime", "cudaGetDeviceCount", 1, 0, 10, 0),
        ("cuda_runtime", "cudaDeviceSynchronize", 1, 10, 990, 0),
    ]);
    assert_eq!(spent(&own, US).first(), Some(&("waiting for the GPU", 990)));
    assert_eq!(bounds(own.trace(), own.causes()).first(), Some(&(Bound::Waiting, Nanos(990_000))));
}

#[test]
fn a_pause_that_ends_with_a_kernel_waits_for_the_gpu() {
    let path = |delay: f64| {
        let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 50.0)];
        events.extend(launched_for(1, 10.0, 40.0, 20_000.0));
        let next = 20_040.0 + delay;
        events.push(on_host("cuda_runtime", "cudaEventElapsedTime", next, 5.0));
        events.push(on_host("cpu_op", "aten::mm", next + 10.0, 50.0));
        events.extend(launched_for(2, next + 20.0, next + 60.0, 100.0));
        let own = with_gpu(&events);
        let kernels =
            own.causes().observed.segments.iter().filter(|one| own.trace().op_name(one.op) == "gemm");
        kernels.fold(Nanos(0), |sum, one| sum + one.interval.length()).0 / 1_000
    };
    assert!(path(50.0) >= 20_000, "{}", path(50.0));
    assert!(path(5_000.0) < 1_000, "{}", path(5_000.0));
}

#[test]
fn a_host_that_rests_until_its_gpu_is_done_waits_for_it() {
    // A call launches a kernel; the next one comes 0.15 ms after its end, and nothing says why.
    let of = |kernel: i64| {
        profiled(&[
            (1, "cuLaunchKernel", 0, 10, 1, ""),
            (13, "gemm", 20, kernel, 1, "a:MatMul"),
            (1, "cuLaunchKernel", 50_170, 10, 2, ""),
            (13, "gemm", 50_190, 1_000, 2, "a:MatMul"),
        ])
    };
    let own = of(50_000);
    assert!(ms(&own, SegmentKind::Compute) >= 50, "{:?}", own.causes().observed.by_kind());
    assert!(said(&own).contains("compute on the GPU"), "{}", said(&own));
    // A GPU that was done long before is no reason.
    assert_eq!(ms(&of(20_000), SegmentKind::HostBetweenOps), 50);
}

#[test]
fn a_call_that_waits_is_no_call_of_the_driver() {
    // The GPU is done after 1 ms; the program waits for 49 ms more.
    let own = profiled(&[
        (1, "cuLaunchKernel", 0, 10, 1, ""),
        (13, "gemm", 20, 1_000, 1, "a:MatMul"),
        (2, "$api.py:3154 block_until_ready", 30, 50_000, 0, ""),
        (2, "PjitFunction(f)", 50_040, 20, 0, ""),
        (1, "cuLaunchKernel", 50_050, 10, 2, ""),
        (13, "gemm", 50_070, 1_000, 2, "a:MatMul"),
    ]);
    let said = said(&own);
    assert!(!said.contains("calls of the driver"), "{said}");
    assert!(said.contains("waiting in $api.py:3154 block_until_ready for what was not recorded"), "{said}");
    for name in ["PjRtFuture::Await", "Stream::BlockHostUntilDone", "hipStreamSynchronize"] {
        let own = profiled(&[
            (1, "cuLaunchKernel", 0, 10, 1, ""),
            (13, "g", 20, 10, 1, ""),
            (2, name, 30, 500, 0, ""),
        ]);
        let trace = own.trace();
        let mut waits = trace.ops().ids().filter(|&op| trace.category(op) == Category::Waiting);
        assert!(waits.any(|op| trace.op_name(op) == name), "{name}");
    }
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

/// A call `name` of 10 µs or `length` at `at`, and what it starts, of category `cat`, from `start` to `end`.
fn joined(
    id: i64,
    (name, at, length): (&str, f64, f64),
    (cat, what, start, end): (&str, &str, f64, f64),
) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", name, HOST, (at, length), &args);
    [call, event(cat, what, (0, 7), (start, end - start), &args)]
}

#[test]
fn waits_for_copies_to_the_gpu_get_advice_about_these() {
    let waits = |name: &str, sync: bool| {
        let mut events = Vec::new();
        for id in 0..10_i64 {
            let at = 3_000.0 * id as f64;
            events.push(on_host("cpu_op", "aten::to", at, 1_050.0));
            let length = if sync { 10.0 } else { 1_000.0 };
            events.extend(joined(
                2 * id + 1,
                ("cudaMemcpyAsync", at + 10.0, length),
                ("gpu_memcpy", name, at + 15.0, at + 1_005.0),
            ));
            if sync {
                events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 25.0, 990.0));
            }
            events.push(on_host("cpu_op", "aten::mm", at + 1_100.0, 900.0));
            events.extend(launched(2 * id + 2, (at + 1_900.0, 10.0), (at + 1_950.0, at + 2_500.0)));
        }
        found(&with_gpu(&events), "synchronising")
    };
    for sync in [false, true] {
        let own = waits("Memcpy HtoD (Pageable -> Device)", sync);
        assert!(text(&own, "sentence").contains("10 times the host waits for a copy to the GPU"), "{own}");
        assert!(text(&own, "advice").contains("non_blocking=True"), "{own}");
        assert!(!text(&own, "advice").contains(".item()"), "{own}");
        let own = waits("Memcpy DtoH (Device -> Pageable)", sync);
        assert!(text(&own, "advice").contains(".item()"), "{own}");
    }
}

/// Calls that launch and return when their kernels have ended, or sooner.
fn blocking(returns: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 10_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::linear", at, 9_500.0));
        let call = (at + 50.0, returns);
        events.extend(launched_as(id + 1, call, ("sgemm", at + 200.0, at + 9_000.0)));
    }
    with_gpu(&events)
}

#[test]
fn a_call_that_launches_and_waits_is_compute() {
    let said = verdict::of(&blocking(9_200.0), true).sentence;
    assert!(
        said.starts_with("Recording 99.50 ms: compute on the GPU takes 88.4 % of the time (mostly sgemm)"),
        "{said}"
    );
    assert!(!said.contains("the host"), "{said}");
}

/// Operators that launch, and then `name`, in which nothing was recorded, and which returns `late` µs after the kernels.
fn reading(name: &str, late: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 100.0 * id as f64;
        events.push(on_host("cpu_op", "aten::linear", at, 60.0));
        let start = if id == 0 { 50.0 } else { 4_000.0 * id as f64 };
        let call = (at + 20.0, 10.0);
        events.extend(launched_as(id + 1, call, ("gemm", start, 4_000.0 * (id as f64 + 1.0))));
    }
    events.push(on_host("cpu_op", name, 1_000.0, 39_000.0 + late));
    with_gpu(&events)
}

#[test]
fn an_operator_that_ends_with_the_gpu_waited_for_it() {
    for name in ["aten::_local_scalar_dense", "aten::nonzero"] {
        let own = reading(name, 150.0);
        let said = verdict::of(&own, true).sentence;
        assert!(!said.contains("the host is"), "{said}");
        assert!(found(&own, "dominant-work").is_null());
    }
    // One that goes on for longer computes.
    assert!(!found(&reading("aten::nonzero", 30_000.0), "dominant-work").is_null());
}

/// `count` waits for kernels of 1 ms, and then `pause` µs in which nothing was recorded.
fn syncing(count: i64, pause: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..count {
        let at = (1_200.0 + pause) * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 50.0));
        let call = (at + 20.0, 10.0);
        events.extend(launched_as(id + 1, call, ("gemm", at + 40.0, at + 1_040.0)));
        events.push(on_host("cpu_op", "aten::item", at + 60.0, 1_000.0));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 70.0, 980.0));
    }
    with_gpu(&events)
}

#[test]
fn long_pauses_after_a_wait_are_the_programs() {
    let own = syncing(20, 3_000.0);
    assert!(found(&own, "synchronising").is_null());
    let host = found(&own, "host-bound");
    let said = text(&host, "sentence");
    assert!(
        said.contains(
            "is 19 pauses of 1 ms or more between recorded ops, the longest 3.14 ms, before aten::mm"
        ),
        "{said}"
    );
    assert!(text(&host, "advice").contains("with_stack=True"), "{host}");
    // Where the next launch comes soon, the wait is the reason.
    let own = syncing(20, 400.0);
    assert!(!found(&own, "synchronising").is_null());
    assert!(!text(&found(&own, "host-bound"), "sentence").contains("pauses of 1 ms"));
}

#[test]
fn a_call_of_another_process_is_waiting() {
    let own = of_torch(&[
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
    let own = of_torch(&events);
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

/// Five times: a call that copies for 2 ms, on the GPU from 0.1 ms on, and the launch of a kernel, 1 ms after the copy has ended.
fn copied_by(call: &'static str, copy: &'static str) -> Study {
    let of = |at: i64| {
        let (start, number) = (at * 4_000, at * 2 + 1);
        [
            (2, call, start, 2_000, number, ""),
            (13, copy, start + 100, 1_800, number, ""),
            (2, "cuLaunchKernel", start + 2_000, 900, number + 1, ""),
            (13, "gemm", start + 2_900, 1_100, number + 1, "a:MatMul"),
        ]
    };
    profiled(&(0..5).flat_map(of).collect::<Vec<_>>())
}

#[test]
fn a_copy_to_the_gpu_is_no_wait_for_a_result() {
    assert!(row(&copied_by("cuMemcpyDtoHAsync_v2", "MemcpyD2H"), Rule::Synchronising).is_some());
    assert_eq!(row(&copied_by("cuMemcpyHtoDAsync_v2", "MemcpyH2D"), Rule::Synchronising), None);
}

/// Rounds of a convolution and an op of `kind`, 0.5 ms long, whose kernel is called `function` and whose result is copied back within the op, or after
/// it.
fn reads_back(kind: &str, function: &str, is_within: bool) -> Study {
    let mut ops: Vec<Executed<'_>> = Vec::new();
    let names: Vec<[String; 2]> = (0..20).map(|place| [format!("c{place}"), format!("n{place}")]).collect();
    for ([conv, check], place) in names.iter().zip(0..) {
        let at = place * 1_000;
        ops.extend([
            (1, "Conv2D", conv.as_str(), &[][..], at, 50),
            (2, "Conv2D", conv.as_str(), &[], at + 40, 400),
            (1, kind, check.as_str(), &[], at + 60, 500),
            (2, "unknown", function, &[], at + 450, 40),
            (2, "MEMCPYDtoH", "unknown", &[], at + if is_within { 495 } else { 561 }, 1),
        ]);
    }
    // What comes after each needs it: then a GPU that waits for an op of the host waits for this one.
    executed(&ops)
}

#[test]
fn an_op_that_reads_its_result_back_runs_on_the_gpu_and_waits() {
    let function = "_ZN10tensorflow4_aux19CheckNumericsKernelIfEEvPKT_iPi";
    let own = reads_back("CheckNumerics", function, true);
    let list = rows(&own);
    let wait = row(&own, Rule::Synchronising).unwrap_or_else(|| panic!("{list:?}"));
    // Of 20 rounds, 19 have a next one: the GPU is idle from the end of the copy at 496 to the next convolution at 1,040. The ops take 0.5 ms.
    assert_eq!(wait["saving_ns"].as_i64(), Some(19 * 500_000), "{wait}");
    assert!(text(&wait, "what").starts_with("19 times the host waits for the GPU, longest in n0"), "{wait}");
    assert!(text(&wait, "what").contains("idle for 10.3 ms"), "{wait}");
    assert!(text(&wait, "advice").contains("CheckNumerics"), "{wait}");
    assert_eq!(row(&own, Rule::HostOpBetween), None, "{list:?}");
    // While the convolution runs, the time of the op is the GPU's.
    assert!(!said(&own).contains("the host is 9"), "{}", said(&own));
    // A copy after the op, and a kernel of something else: neither waits.
    let others = [
        reads_back("CheckNumerics", function, false),
        reads_back("CheckNumerics", "_ZN5Eigen8internal15EigenMetaKernelIfEEvT_", true),
        reads_back("Softmax", function, true),
    ];
    for own in others {
        assert_eq!(row(&own, Rule::Synchronising), None, "{:?}", rows(&own));
    }
}

/// Launches of kernels that were not recorded, 20 of them, and a read of a value after each: an operator with the same one within it.
fn reads(length: f64) -> Vec<Value> {
    let launched = (0..20).flat_map(|id| {
        let at = f64::from(id) * (length + 60.0);
        [
            on_host("cpu_op", "aten::mm", at, 50.0),
            on_host("cuda_runtime", "cudaLaunchKernel", at + 10.0, 5.0),
            on_host("cpu_op", "aten::item", at + 52.0, length),
            on_host("cpu_op", "aten::_local_scalar_dense", at + 52.5, length - 1.0),
        ]
    });
    launched.collect()
}

#[test]
fn an_operator_and_the_one_within_it_wait_once() {
    let own = of_torch(&reads(1_000.0));
    let waits = found(&own, "synchronising");
    let sentence = text(&waits, "sentence");
    assert!(sentence.contains("which was not recorded, 20 times, for 20 ms together"), "{waits}");
    // 20 ms of 21.19 ms.
    let verdict = said_of_recording(&own);
    assert!(verdict.contains("for 94.4 % of the time it probably waits there for its GPU"), "{verdict}");
    // What is ready already is no wait.
    let own = of_torch(&reads(50.0));
    assert!(row(&own, Rule::Synchronising).is_none(), "{}", found(&own, "synchronising"));
    assert!(!said_of_recording(&own).contains("probably waits"), "{}", said_of_recording(&own));
}
