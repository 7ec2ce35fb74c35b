//! What a stranger found wrong in the nineteenth reading of traces next to their data: batches that a pipeline makes beside the step, GPUs that were not
//! recorded or not used, what executors end with, events without a category, calls recorded twice, logs of compiling, NPUs of MindSpore. Each case is
//! made here.

use serde_json::{Value, json};
use steplens_core::{Category, Study};
use steplens_formats::Opened;
use steplens_report::{findings, verdict};
use steplens_tests::opened::{found, on_host, open, study, torch};

fn document(events: &[Value]) -> Opened {
    let all = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    open(&[("trace.json", all.as_bytes())])
}

/// The verdict, and the first finding.
fn read(opened: Opened) -> (String, Value) {
    let files = opened.files.clone();
    let own = study(opened);
    let list: Value = serde_json::from_str(&findings::json(&own, &files, None)).unwrap_or_default();
    (verdict::of_files(&own, &files).sentence, list["findings"][0].clone())
}

fn named(what: &str, pid: i64, tid: i64, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } })
}

fn complete(name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64)) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {} })
}

/// A step of Keras of 100 ms on a machine whose GPU was not recorded: how long it waits for its batch, how long the pipeline works in threads of its
/// own, and other events: thread, name, start and length in µs.
fn keras(waits: i64, pipeline: i64, others: &[(i64, &str, i64, i64)]) -> Opened {
    let mut all = vec![
        named("process_name", 7, 0, "/host:CPU"),
        named("process_name", 8, 0, "/device:GPU:0"),
        named("thread_name", 7, 3, "tf_data_iterator_get_next"),
        named("thread_name", 7, 4, "tf_data_iterator_resource"),
        complete("train_function", (7, 1), (0, 100_000)),
        complete("EagerExecute: __inference_train_function_7", (7, 1), (100, 99_800)),
        complete("IteratorGetNextOp::DoCompute", (7, 3), (1_000, waits)),
        complete("IteratorGetNext/_3:_Send", (7, 2), (1_000 + waits, 10)),
        complete("Iterator::Prefetch::Generator", (7, 4), (1_000, pipeline)),
    ];
    all.extend(others.iter().map(|&(tid, name, ts, dur)| complete(name, (7, tid), (ts, dur))));
    document(&all)
}

#[test]
fn a_batch_that_is_made_beside_the_step_is_not_waited_for() {
    let (beside, _) = read(keras(40, 70_000, &[]));
    assert!(!beside.contains("loading the next batch"), "{beside}");
    // The step waits for 60 of its 100 ms.
    let (waits, first) = read(keras(60_000, 70_000, &[]));
    assert!(waits.contains("loading the next batch"), "{waits}");
    assert_eq!(first["rule"], "input-bound", "{first}");
    // A wait of 0.5 ms is less than a fiftieth of the step, though no op was recorded after it.
    let (_, none) = read(keras(500, 600, &[]));
    assert_eq!(none, Value::Null);
}

#[test]
fn a_gpu_that_was_not_recorded_is_what_the_verdict_begins_with() {
    let (nothing, _) = read(keras(40, 50, &[(2, "ExecutorState::Process", 2_000, 10_000)]));
    let begins = "100.0 ms: what its GPU did was not recorded, so nothing says what this time was needed for. For 10.00 ms of it executors of TensorFlow";
    assert!(nothing.contains(begins), "{nothing}");
    assert!(!nothing.contains("between the recorded ops"), "{nothing}");
    // Executors of a pipeline start no op of the step.
    let loading = [(4, "ExecutorState::Process", 1_000, 60_000)];
    let (beside, _) = read(keras(40, 59_000, &loading));
    assert!(!beside.contains("executors of TensorFlow"), "{beside}");
    // What ran has shares.
    let (ran, _) = read(keras(40, 50, &[(2, "a:MatMul", 2_000, 80_000)]));
    assert!(ran.contains("ops ran on the host for") && ran.contains("(mostly MatMul)"), "{ran}");
    assert!(ran.contains("What its GPU did was not recorded."), "{ran}");
}

/// A program of PyTorch on a machine with a GPU: ten convolutions of this name and length in µs, one every ms.
fn convolutions(name: &str, length: f64) -> Opened {
    let ops: Vec<Value> =
        (0..10).map(|id| on_host("cpu_op", name, 1_000.0 * f64::from(id), length)).collect();
    let said = json!({ "deviceProperties": [{ "id": 0, "name": "NVIDIA GeForce RTX 3060" }] });
    open(&[("made.json", &torch(&ops, &said))])
}

#[test]
fn operators_that_only_a_cpu_runs_say_that_the_gpu_was_not_used() {
    for name in ["aten::mkldnn_convolution", "aten::_slow_conv2d_forward"] {
        let (sentence, first) = read(convolutions(name, 900.0));
        assert_eq!(first["rule"], "gpu-unused", "{first}");
        // Ten times 900 µs.
        assert_eq!(first["saving_ns"].as_i64(), Some(9_000_000), "{first}");
        assert!(sentence.contains("names a GPU, but nothing shows that it was used"), "{sentence}");
    }
    for own in [
        convolutions("aten::mkldnn_convolution", 300.0),
        convolutions("aten::cudnn_convolution", 900.0),
        convolutions("aten::addmm", 900.0),
    ] {
        assert_ne!(read(own).1["rule"], "gpu-unused");
    }
}

/// `timeline.py`: process, op type, name, start and length in µs. Process 1 is the CPU, 2 the GPU as the executor sees it, 3 a stream.
fn timeline(ops: &[(i64, &str, &str, i64, i64)]) -> Study {
    let task = "/job:localhost/replica:0/task:0/device";
    let mut all = vec![
        named("process_name", 1, 0, &format!("{task}:CPU:0 Compute")),
        named("process_name", 2, 0, &format!("{task}:GPU:0 Compute")),
        named("process_name", 3, 0, "/device:GPU:0/stream:13 Compute"),
    ];
    all.extend(ops.iter().map(|&(pid, op, name, ts, dur)| {
        let args = json!({ "name": name, "op": op });
        json!({ "ph": "X", "cat": "Op", "name": op, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    }));
    study(document(&all))
}

#[test]
fn what_an_executor_ends_with_is_no_operator() {
    let of = |name: &str| {
        let ops = [
            (1, "MatMul", "a", 0, 400),
            (1, "Conv2D", "b", 400, 300),
            (1, "Relu", "c", 700, 120),
            (1, "NoOp", name, 820, 180),
        ];
        verdict::of(&timeline(&ops), false).sentence
    };
    assert!(of("group_deps").contains("NoOp 18.0 %"), "{}", of("group_deps"));
    assert!(!of("_SINK").contains("NoOp"), "{}", of("_SINK"));
}

#[test]
fn what_an_executor_begins_with_is_a_part_of_a_first_step() {
    // An op of 100 ms whose kernel takes 0.1 ms, next to ten others of 0.2 ms, after a beginning.
    let of = |beginning: i64| {
        let mut ops = vec![
            (1, "NoOp", "_SOURCE", 0, beginning),
            (2, "RandomStandardNormal", "r", beginning, 100_000),
            (3, "RandomStandardNormal", "r:RandomStandardNormal", beginning + 99_800, 100),
        ];
        for place in 0..10 {
            let at = beginning + 100_000 + place * 200;
            ops.push((2, "MatMul", ["m0", "m1"][(place % 2) as usize], at, 200));
            ops.push((3, "MatMul", ["m0:MatMul", "m1:MatMul"][(place % 2) as usize], at + 50, 100));
        }
        found(&timeline(&ops), "first-step")["saving_ns"].as_i64().unwrap_or_default()
    };
    // A beginning of 5 ms is no long one.
    assert_eq!(of(20_000) - of(5_000), 20_000_000);
}

#[test]
fn an_event_without_a_category_has_its_name_for_a_type() {
    let all = [
        complete("(dispatch) send 1", (0, 1), (0, 60)),
        complete("(dispatch) send 2", (0, 1), (60, 60)),
        complete("(combine) recv", (0, 1), (120, 40)),
        complete("(expert) gemm", (0, 1), (160, 40)),
        complete("sender", (0, 1), (200, 40)),
    ];
    let own = study(document(&all));
    let trace = own.trace();
    let types: Vec<&str> = trace.ops().ids().map(|op| trace.op_type(op)).collect();
    assert_eq!(types, ["dispatch send", "dispatch send", "combine recv", "expert gemm", "sender"]);
    let split = own.step_split(trace.span());
    // 160 of 240 µs.
    assert_eq!(split.exposed_communication.0, 160_000, "{split:?}");
}

#[test]
fn a_call_that_two_nested_events_record_is_one() {
    let of = |second: (i64, i64)| {
        let all = [
            named("process_name", 7, 0, "/host:CPU"),
            complete("EagerExecute: __inference_f_7", (7, 1), (0, 4_000)),
            complete("EagerExecute: __inference_f_7", (7, 1), second),
            complete("EagerKernelExecute", (7, 1), (30, 3_900)),
            complete("a:MatMul", (7, 2), (40, 3_000)),
            complete("b:MatMul", (7, 1), (12_000, 10)),
        ];
        read(document(&all)).0
    };
    assert!(!of((10, 3_980)).contains("2 calls"), "{}", of((10, 3_980)));
    assert!(of((4_100, 3_980)).contains("2 calls"), "{}", of((4_100, 3_980)));
}

/// What `torch.compile` writes of itself: name, compilation, start and end in µs.
fn log(spans: &[(&str, &str, i64, i64)], category: &str) -> Opened {
    let mut all: Vec<(i64, i64, Value)> = Vec::new();
    for &(name, id, from, to) in spans {
        let of = |phase: &str, ts: i64| json!({ "ph": phase, "cat": category, "name": name, "pid": 0, "tid": 0, "ts": ts, "args": { "compile_id": id } });
        all.push((from, from - to, of("B", from)));
        all.push((to, to - from, of("E", to)));
    }
    all.sort_by_key(|&(at, order, _)| (at, order));
    let all: Vec<Value> = all.into_iter().map(|(.., event)| event).collect();
    open(&[("chromium_events.json", json!(all).to_string().as_bytes())])
}

#[test]
fn a_log_of_compiling_is_no_work_of_a_device() {
    let spans = [
        ("dynamo", "0/0", 0, 1_000),
        ("compile_file", "0/0", 100, 900),
        ("dynamo", "1/0", 1_000, 1_300),
        ("dynamo", "1/1", 1_300, 1_500),
    ];
    let (sentence, first) = read(log(&spans, "dynamo_timed"));
    assert!(
        sentence.contains("torch.compile compiles for 1.500 ms of it, on the host (3 graphs)"),
        "{sentence}"
    );
    // 800 of 1,500 µs.
    assert!(sentence.contains("compile_file takes most of that, 53.3 %"), "{sentence}");
    assert!(sentence.contains("Frame 1 was compiled 2 times"), "{sentence}");
    assert!(!sentence.contains("device") && first.is_null(), "{sentence} {first}");
    let (other, _) = read(log(&spans, "mine"));
    assert!(!other.contains("torch.compile"), "{other}");
}

/// An export of MindSpore: an NPU with a stream that computes, one that carries out a collective, and its steps; and a call that waits for all.
fn of_mindspore(copies_on: i64) -> Study {
    let (cann, npu, hccl, overlap) = (1_002, 3, 1_011, 1_012);
    let mut all = Vec::new();
    // It names a process as often as it has rows of it.
    for (pid, name, label) in [
        (npu, "Ascend Hardware", "NPU"),
        (cann, "CANN", "CPU"),
        (npu, "Ascend Hardware", "NPU"),
        (hccl, "HCCL", "NPU"),
        (overlap, "Overlap Analysis", "NPU"),
    ] {
        all.push(named("process_name", pid, 0, name));
        all.push(
            json!({ "ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": { "labels": label } }),
        );
    }
    all.push(named("thread_name", npu, 10, "Step Trace(Model ID:2)"));
    all.push(named("thread_name", npu, 2, "Stream 2"));
    all.push(named("thread_name", npu, 4, "Stream 4"));
    all.push(named("thread_name", hccl, 0, "Plane 0"));
    all.push(named("thread_name", hccl, 7, "Communication Kernel"));
    for (pid, tid, name, from, length) in [
        (cann, 1, "GE@Infer", 0, 1_000),
        (npu, 10, "Iteration 1", 0, 1_000),
        (npu, 10, "Iteration Refresh 1", 100, 900),
        (npu, 2, "Default/Conv2D-op8", 0, 150),
        (npu, 4, "NOTIFY_WAIT", 150, 700),
        (npu, copies_on, "MEMCPY_ASYNC", 850, 100),
        (npu, 4, "REDUCE_ASYNC_V2", 950, 50),
        (hccl, 0, "Notify_Wait", 150, 700),
        (hccl, 0, "Memcpy", 850, 100),
        (hccl, 7, "Default/AllReduce-op534_0", 150, 850),
        (overlap, 0, "Computing", 0, 150),
    ] {
        all.push(complete(name, (pid, tid), (from, length)));
    }
    study(document(&all))
}

#[test]
fn an_npu_of_mindspore_is_one_and_its_collectives_communicate() {
    let own = of_mindspore(4);
    let sentence = verdict::of(&own, false).sentence;
    let split = own.step_split(own.trace().span());
    // 150 µs compute, and then 850 of communication.
    let figures = (split.compute.0, split.exposed_communication.0, split.exposed_copy.0);
    assert_eq!(figures, (150_000, 850_000, 0), "{split:?} {sentence}");
    assert!(sentence.contains("85.0 %") && !sentence.contains("accelerators"), "{sentence}");
    assert!(!sentence.contains("GE@Infer"), "{sentence}");
    let trace = own.trace();
    let of = |name: &str| {
        trace.ops().ids().filter(|&op| trace.op_name(op) == name).map(|op| trace.category(op)).next()
    };
    assert_eq!(of("GE@Infer"), Some(Category::Waiting));
    assert_eq!(of("Iteration 1"), Some(Category::Range));
    // A copy of a stream that tells nobody anything is one between host and NPU.
    let other = of_mindspore(2);
    assert_eq!(other.step_split(other.trace().span()).exposed_copy.0, 100_000);
}
