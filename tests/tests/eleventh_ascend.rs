//! What a stranger found wrong in a trace of Ascend's profiler next to its data: which calls launched which tasks, whose calls those of CANN are,
//! and what the host did while the NPU was idle. Each case is made here.

use serde_json::{Value, json};
use steplens_core::{Category, Study};
use steplens_report::findings;
use steplens_tests::opened::{event, open, study};

/// The program, and the processes that Ascend's profiler numbers after it.
const PROGRAM: i64 = 3_000;
const CANN: i64 = PROGRAM << 10 | 7 << 5;
const NPU: i64 = PROGRAM << 10 | 13 << 5;
/// Its thread, and the one that takes tasks from its queue.
const MAIN: (i64, i64) = (PROGRAM, 3_000);
const QUEUE: i64 = 3_007;
const STREAM: (i64, i64) = (NPU, 2);

fn of(events: &[Value]) -> Study {
    study(open(&[("trace_view.json", json!(events).to_string().as_bytes())]))
}

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

fn found(study: &Study, rule: &str) -> Value {
    let all: Value = serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default();
    let rows = all["findings"].as_array().cloned().unwrap_or_default();
    rows.into_iter().find(|own| own["rule"] == rule).unwrap_or_default()
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
