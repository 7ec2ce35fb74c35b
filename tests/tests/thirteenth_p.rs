//! What a stranger found wrong or missing in the thirteenth reading of traces of PyTorch next to their data: what a host waits for. Each case is made
//! here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, open, study, text, with_gpu as of};

/// A call `name` of `length` at `at`, and what it starts, from `start` to `end`.
fn joined(id: i64, (name, at, length): (&str, f64, f64), (what, start, end): (&str, f64, f64)) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let cat = if what.starts_with("Memcpy") { "gpu_memcpy" } else { "kernel" };
    let call = event("cuda_runtime", name, HOST, (at, length), &args);
    [call, event(cat, what, (0, 7), (start, end - start), &args)]
}

/// Calls that launch and return when their kernels have ended, or sooner.
fn blocking(returns: f64) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 10_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::linear", at, 9_500.0));
        let call = ("cudaLaunchKernel", at + 50.0, returns);
        events.extend(joined(id + 1, call, ("sgemm", at + 200.0, at + 9_000.0)));
    }
    of(&events)
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
        let call = ("cudaLaunchKernel", at + 20.0, 10.0);
        events.extend(joined(id + 1, call, ("gemm", start, 4_000.0 * (id as f64 + 1.0))));
    }
    events.push(on_host("cpu_op", name, 1_000.0, 39_000.0 + late));
    of(&events)
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
        let call = ("cudaLaunchKernel", at + 20.0, 10.0);
        events.extend(joined(id + 1, call, ("gemm", at + 40.0, at + 1_040.0)));
        events.push(on_host("cpu_op", "aten::item", at + 60.0, 1_000.0));
        events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 70.0, 980.0));
    }
    of(&events)
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

/// One rank of Ascend's: two all-reduces of equal ranks, of which the first waits, as the NPU says, until `ends` µs.
fn ascend(rank: i64, ends: f64, says: bool) -> Vec<u8> {
    let (program, npu, hccl) = (3_000 + rank, (3_000 + rank) << 10 | 13 << 5, (3_000 + rank) << 10 | 14 << 5);
    let meta = |pid: i64, what: &str, key: &str, value: &str| json!({ "ph": "M", "name": what, "pid": pid, "tid": 0, "args": { key: value } });
    let row = |name: &str, pid: i64, start: f64, end: f64, args: Value| json!({ "ph": "X", "name": name, "pid": pid, "tid": 2, "ts": start, "dur": end - start, "args": args });
    let mut events = Vec::new();
    for (pid, name, label) in
        [(program, "Python", "CPU"), (npu, "Ascend Hardware", "NPU"), (hccl, "HCCL", "NPU")]
    {
        events
            .extend([meta(pid, "process_name", "name", name), meta(pid, "process_labels", "labels", label)]);
    }
    events.push(json!({ "ph": "M", "name": "thread_name", "pid": hccl, "tid": 2, "args": { "name": "Group 0 Communication" } }));
    events.push(event("cpu_op", "c10d::allreduce_", (program, program), (10.0, 100.0), &json!({})));
    let begins = 100.0 + 500.0 * rank as f64;
    let of = |count: u64| json!({ "data_type": "FP32", "count": count });
    events.push(row("hcom_allReduce__1_0_1", hccl, begins, ends, of(4_000_000)));
    events.push(row("hcom_allReduce__1_1_1", hccl, ends + 10.0, ends + 1_510.0, of(16_000_000)));
    events.push(row("aclnnMm_MatMulV2", npu, 0.0, 90.0, json!({})));
    if says {
        events.push(row("Notify Wait", npu, begins + 5.0, ends - 100.0, json!({})));
    }
    json!(events).to_string().into_bytes()
}

#[test]
fn a_collective_that_goes_on_after_the_last_opened_rank_waits_for_another() {
    let opened = |ends: f64, says: bool| {
        let (a, b) = (ascend(0, ends, says), ascend(1, ends, says));
        study(open(&[("a/trace_view.json", &a), ("b/trace_view.json", &b)]))
    };
    let own = opened(60_000.0, true);
    let said = text(&found(&own, "exposed-communication"), "sentence").to_owned();
    assert!(!said.contains("data on its way"), "{said}");
    assert!(found(&own, "collective-wait").is_null());
    // Nothing says that anyone waited; or all came at once.
    for (ends, says) in [(60_000.0, false), (2_500.0, true)] {
        let own = opened(ends, says);
        let said = text(&found(&own, "exposed-communication"), "sentence").to_owned();
        assert!(said.contains("data on its way"), "{said}");
        let waits = text(&found(&own, "collective-wait"), "sentence").to_owned();
        assert!(waits.is_empty() || waits.contains("In collectives 2 ranks wait"), "{waits}");
    }
}
