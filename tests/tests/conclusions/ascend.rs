//! Traces of Ascend’s profiler: which calls launched which tasks, whose calls those of CANN are, what the host did while the NPU was idle, and for
//! which rank a collective waits.

use serde_json::{Value, json};
use steplens_core::{Category, Study};
use steplens_report::findings;
use steplens_tests::opened::{event, found, open, study, text};

fn of(events: &[Value]) -> Study {
    study(open(&[("trace_view.json", json!(events).to_string().as_bytes())]))
}

/// The program, and the processes that Ascend's profiler numbers after it.
const PROGRAM: i64 = 3_000;

const CANN: i64 = PROGRAM << 10 | 7 << 5;

/// Its thread, and the one that takes tasks from its queue.
const MAIN: (i64, i64) = (PROGRAM, 3_000);

const QUEUE: i64 = 3_007;

const NPU: i64 = PROGRAM << 10 | 13 << 5;

const STREAM: (i64, i64) = (NPU, 2);

fn row(name: &str, (pid, tid): (i64, i64), start: f64, length: f64) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": start, "dur": length, "args": {} })
}

fn arrow(kind: &str, id: u64, (from, at): ((i64, i64), f64), (to, then): ((i64, i64), f64)) -> [Value; 2] {
    let end = |phase: &str, (pid, tid): (i64, i64), ts: f64| json!({ "ph": phase, "bp": "e", "cat": kind, "name": kind, "id": id.to_string(), "pid": pid, "tid": tid, "ts": ts });
    [end("s", from, at), end("f", to, then)]
}

fn names() -> Vec<Value> {
    let meta = |pid: i64, what: &str, key: &str, value: &str| json!({ "ph": "M", "name": what, "pid": pid, "tid": 0, "args": { key: value } });
    let process = |pid: i64, name: &str, label: &str| {
        [meta(pid, "process_name", "name", name), meta(pid, "process_labels", "labels", label)]
    };
    [process(PROGRAM, "Python", "CPU"), process(NPU, "Ascend Hardware", "NPU"), process(CANN, "CANN", "CPU")]
        .concat()
}

/// Operators of 1 ms each on the program's thread. Each hands a task of 100 µs to the NPU by way of a queue, and the last one waits for it.
fn queued(kinds: &[&str]) -> Vec<Value> {
    const COUNT: u64 = 40;
    let mut program = Vec::new();
    let (mut rest, mut arrows) = (names(), Vec::new());
    for number in 0..COUNT {
        let at = 1_000.0 * number as f64;
        let task = json!({ "correlation_id": 500 + number });
        program.push(event("cpu_op", "aten::mm", MAIN, (at, 950.0), &json!({})));
        program.push(event("enqueue", "Enqueue", MAIN, (at + 850.0, 10.0), &task));
        program.push(event("dequeue", "Dequeue@aclnnMm", (PROGRAM, QUEUE), (at + 870.0, 60.0), &task));
        rest.push(row("AscendCL@aclnnMm", (CANN, QUEUE), at + 880.0, 40.0));
        rest.push(row("Node@launch", (CANN, QUEUE), at + 890.0, 20.0));
        rest.push(row("aclnnMm_MatMulV2", STREAM, at + 915.0, 100.0));
        let call = ((CANN, QUEUE), at + 895.0);
        arrows.extend(arrow("HostToDevice", 10 + number, call, (STREAM, at + 915.0)));
        arrows.extend(arrow("async_npu", 9_000 + number, (MAIN, at), (STREAM, at + 915.0)));
    }
    let end = 1_000.0 * COUNT as f64;
    program.push(event("cpu_op", "aten::item", MAIN, (end, 50_050.0), &json!({})));
    rest.push(row("AscendCL@aclrtSynchronizeStreamWithTimeout", (CANN, MAIN.1), end + 10.0, 50_000.0));
    rest.push(row("Node@launch", (CANN, MAIN.1), end + 2.0, 6.0));
    rest.push(row("aclnnLong", STREAM, end + 10.0, 49_950.0));
    arrows.extend(arrow("HostToDevice", 8, ((CANN, MAIN.1), end + 4.0), (STREAM, end + 10.0)));
    arrows.extend(arrow("async_npu", 8_999, (MAIN, end), (STREAM, end + 10.0)));
    arrows.retain(|own| kinds.iter().any(|kind| own["cat"] == *kind));
    [program, rest, arrows].concat()
}

/// The names of the tasks, and what launched each.
fn calls(study: &Study) -> Vec<(&str, &str)> {
    let trace = study.trace();
    trace.calls().iter().map(|&(task, call)| (trace.op_name(task), trace.op_name(call))).collect()
}

#[test]
fn tasks_of_an_npu_have_the_calls_that_launched_them() {
    let own = of(&queued(&["HostToDevice", "async_npu"]));
    let calls = calls(&own);
    assert_eq!(calls.len(), 41);
    assert!(calls[..40].iter().all(|&pair| pair == ("aclnnMm_MatMulV2", "Node@launch")), "{calls:?}");
    assert_eq!(calls[40], ("aclnnLong", "Node@launch"));
    let trace = own.trace();
    let devices: Vec<&str> =
        trace.devices().ids().map(|id| trace.text(trace.devices().get(id).name)).collect();
    assert!(devices.iter().all(|name| !name.contains("CANN")), "{devices:?}");
    // What took it from the queue is not what it ran for.
    let (task, _) = trace.calls()[0];
    let operator = own.kernels().op_of(task);
    assert_eq!(operator.map(|op| trace.op_name(op)), Some("aten::mm"));
    let mm = trace.ops().ids().filter(|&op| trace.op_name(op) == "aten::mm");
    assert!(mm.into_iter().all(|op| own.kernels().of_op(trace, op).len() == 1));
}

#[test]
fn without_calls_of_cann_operators_launch_tasks() {
    let own = of(&queued(&["async_npu"]));
    let calls = calls(&own);
    assert_eq!(
        (calls.len(), calls[0], calls[40]),
        (41, ("aclnnMm_MatMulV2", "aten::mm"), ("aclnnLong", "aten::item"))
    );
    let (task, _) = own.trace().calls()[0];
    assert_eq!(own.kernels().op_of(task).map(|op| own.trace().op_name(op)), Some("aten::mm"));
}

#[test]
fn a_call_of_cann_that_waits_is_within_its_operator() {
    let own = of(&queued(&["HostToDevice", "async_npu"]));
    let trace = own.trace();
    let wait = trace
        .ops()
        .ids()
        .find(|&op| trace.op_name(op).contains("aclrtSynchronize"))
        .expect("it was recorded");
    assert_eq!((trace.category(wait), trace.is_call(wait)), (Category::Waiting, true));
    let item = trace.ops().ids().find(|&op| trace.op_name(op) == "aten::item").expect("it was recorded");
    assert_eq!(trace.device_of(wait), trace.device_of(item));
    assert!(own.self_time(item).0 <= 60_000, "{:?}", own.self_time(item));
    // So the step waits for the NPU then.
    let on_path = |name: &str| {
        let segments = own.causes().observed.segments.iter();
        segments.filter(|own| trace.op_name(own.op) == name).map(|own| own.interval.length().0).sum::<i64>()
    };
    let path = ["aclnnLong", "aten::item", "aten::mm"].map(on_path);
    assert!(path[0] >= 49_000_000 && path[1] < 1_000_000 && path[2] >= 30_000_000, "{path:?}");
}

#[test]
fn while_an_npu_is_idle_its_host_runs_operators() {
    for kinds in [&["HostToDevice", "async_npu"][..], &["async_npu"]] {
        let own = found(&of(&queued(kinds)), "host-bound");
        let sentence = own["sentence"].as_str().unwrap_or_default();
        assert!(
            sentence.contains("operators") && !sentence.contains("between recorded ops"),
            "{kinds:?}: {own}"
        );
    }
}

#[test]
fn without_launches_nothing_is_said_of_the_host() {
    let own = of(&queued(&[]));
    assert!(own.trace().calls().is_empty());
    assert_eq!(found(&own, "host-bound"), Value::Null);
    let all: Value = serde_json::from_str(&findings::json(&own, &[], None)).unwrap_or_default();
    let lacks = all["not_judged"]
        .as_array()
        .and_then(|rows| rows.iter().find(|own| own["rule"] == "host-bound").cloned());
    assert_eq!(lacks.unwrap_or_default()["needs"], "launches", "{}", all["not_judged"]);
}

#[test]
fn arrows_that_lead_nowhere_launch_nothing() {
    let mut events = queued(&["HostToDevice"]);
    // A number that is larger than any of 64 bits, an end without a beginning, a beginning between two calls.
    let text = "40004068119343529983";
    for (place, own) in events.iter_mut().filter(|own| own["cat"] == "HostToDevice").enumerate() {
        match place {
            0 | 1 => own["id"] = json!(text),
            2 => own["ph"] = json!("t"),
            4 => own["ts"] = json!(0.5),
            _ => {}
        }
    }
    assert_eq!(calls(&of(&events)).len(), 39);
}

/// A file of Ascend's profiler: a collective of 16 MB that waits 86 ms for rank 5, and two larger ones that do not.
fn rank_that_waits(rank: u64) -> Vec<u8> {
    let meta = |pid: i64, what: &str, key: &str, value: &str| json!({ "ph": "M", "name": what, "pid": pid, "tid": 0, "args": { key: value } });
    let row = |name: &str, (pid, tid): (i64, i64), start: f64, length: f64, args: Value| json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": start, "dur": length, "args": args });
    let (npu, hccl) = (1_000, 1_001);
    let of = |count: u64| json!({ "data_type": "FP32", "count": count, "connection_id": 1 });
    let wait = |to: u64| json!({ "src rank": rank, "dst rank": to, "task type": "Notify_Wait" });
    let mut events = vec![
        meta(10, "process_name", "name", "Python"),
        meta(npu, "process_name", "name", "Ascend Hardware"),
        meta(npu, "process_labels", "labels", "NPU"),
        meta(hccl, "process_name", "name", "HCCL"),
        meta(hccl, "process_labels", "labels", "NPU"),
        json!({ "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 10, "tid": 10, "ts": 0.0, "dur": 500.0, "args": {} }),
        row("PROFILING_ENABLE", (npu, 0), -20_000.0, 0.02, json!({ "Task Type": "PLACE_HOLDER_SQE" })),
        row("aclnnMm_MatMulV2", (npu, 2), 100.0, 9_000.0, json!({ "Task Type": "AI_CORE" })),
        row("hcom_allReduce__271_0_1", (hccl, 0), 10_000.0, 86_500.0, of(4_097_000)),
        row("hcom_allReduce__271_1_1", (hccl, 0), 97_000.0, 2_200.0, of(16_781_312)),
        row("hcom_allReduce__271_2_1", (hccl, 0), 99_500.0, 2_500.0, of(37_752_832)),
        row("PROFILING_DISABLE", (npu, 0), 140_000.0, 0.02, json!({ "Task Type": "PLACE_HOLDER_SQE" })),
    ];
    for to in (0..8).filter(|&to| to != rank) {
        let length = if to == 5 { 86_100.0 } else { 1_100.0 + 100.0 * to as f64 };
        events.push(row("Notify_Wait", (hccl, 1 + to as i64), 10_010.0, length, wait(to)));
    }
    json!(events).to_string().into_bytes()
}

#[test]
fn ascend_names_the_rank_for_which_it_waits() {
    for ranks in [&[0][..], &[0, 1]] {
        let files: Vec<(String, Vec<u8>)> =
            ranks.iter().map(|&rank| (format!("rank{rank}.json"), rank_that_waits(rank))).collect();
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let own = study(open(&files));
        // The marks of the profiler are no ends of the recording.
        assert!(own.trace().span().length().0 < 103_000_000, "{:?}", own.trace().span());
        let own = found(&own, "exposed-communication");
        let (sentence, advice) = (text(&own, "sentence"), text(&own, "advice"));
        assert!(
            sentence.contains("ranks that were not opened takes 86 ms of that time: rank 5 in 1 (86 ms)"),
            "{sentence}"
        );
        assert!(!sentence.contains("on its way"), "{sentence}");
        assert!(
            advice.contains("a rank that is late") && !advice.contains("bucket_cap_mb: smaller"),
            "{advice}"
        );
    }
}

/// One rank of Ascend's: two all-reduces of equal ranks, of which the first waits, as the NPU says, until `ends` µs.
fn rank_until(rank: i64, ends: f64, says: bool) -> Vec<u8> {
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
        let (a, b) = (rank_until(0, ends, says), rank_until(1, ends, says));
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
