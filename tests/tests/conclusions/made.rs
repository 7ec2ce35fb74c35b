//! Made recordings that several subjects use, and what is said of them.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Findings;
use steplens_core::model::file::FileReport;
use steplens_core::replay::Replay;
use steplens_formats::Opened;
use steplens_report::causality::{CriticalPath, spent_words};
use steplens_report::{findings, verdict};
use steplens_tests::opened::{HOST, TorchEvent, event, found, on_host, open, study, text, torch, with_gpu};
use steplens_tests::tensorflow::named;

pub(super) const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
pub(super) const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
pub(super) const STREAM: &str = "/device:GPU:0/stream:all";
pub(super) const STREAM_13: &str = "/device:GPU:0/stream:13";
/// In nanoseconds.
pub(super) const US: i64 = 1_000;
pub(super) const MS: i64 = 1_000_000;

/// The verdict on a step.
pub(super) fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

/// The verdict on a recording, of which nothing tells how many steps it is.
pub(super) fn said_of_recording(study: &Study) -> String {
    verdict::of(study, true).sentence
}

pub(super) fn findings_of(study: &Study) -> Findings {
    Findings::found(study, &Replay::of(study), None)
}

/// The advice of the first finding of the rule with this word.
pub(super) fn advice(study: &Study, rule: &str) -> String {
    text(&found(study, rule), "advice").to_owned()
}

/// A number of a finding.
pub(super) fn number(found: &Value, field: &str) -> i64 {
    found[field].as_i64().unwrap_or_default()
}

/// How much of the path is of this kind, in µs.
pub(super) fn us(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / US
}

/// How much of the path is of this kind, in ms.
pub(super) fn ms(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / MS
}

/// What the time of the path was spent on, in words, with its time in this unit.
pub(super) fn spent(study: &Study, unit: i64) -> Vec<(&'static str, i64)> {
    let path = CriticalPath::of(study);
    path.by_spent.iter().map(|(spent, part)| (spent_words(*spent), part.length_ns / unit)).collect()
}

/// These events of PyTorch's profiler, in a file that names no GPU.
pub(super) fn of_torch(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({})))]))
}

/// These events of PyTorch's profiler, in a file that names two GPUs, 0 and 2.
pub(super) fn with_gpus(events: &[Value]) -> Study {
    let said = json!({ "deviceProperties": [{ "id": 0 }, { "id": 2 }] });
    study(open(&[("made.json", &torch(events, &said))]))
}

/// A call and what it starts on a GPU: name, start and length in µs of both.
pub(super) fn started(
    id: i64,
    (call, at, takes): (&str, f64, f64),
    (cat, name, gpu, start, length): (&str, &str, i64, f64, f64),
) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": gpu, "bytes": 20_971_520 });
    [
        event("cuda_runtime", call, HOST, (at, takes), &args),
        event(cat, name, (gpu, 7), (start, length), &args),
    ]
}

/// A launch of 5 µs at `at`, and its kernel of `length`.
pub(super) fn launched_for(id: i64, at: f64, start: f64, length: f64) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    [
        event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 5.0), &args),
        event("kernel", "gemm", (0, 7), (start, length), &args),
    ]
}

/// A launch at `at` of `length`, and its kernel, which runs from `start` to `end`, in µs.
pub(super) fn launched(id: i64, call: (f64, f64), (start, end): (f64, f64)) -> [Value; 2] {
    launched_as(id, call, ("gemm", start, end))
}

/// A launch, and its kernel of this name.
pub(super) fn launched_as(id: i64, call: (f64, f64), kernel: (&str, f64, f64)) -> [Value; 2] {
    launched_with(id, call, kernel, &json!({}))
}

/// A launch, and its kernel of this name, of which the file says `more`.
pub(super) fn launched_with(
    id: i64,
    call: (f64, f64),
    (name, start, end): (&str, f64, f64),
    more: &Value,
) -> [Value; 2] {
    let mut args = json!({ "correlation": id, "stream": 7, "device": 0 });
    let call = event("cuda_runtime", "cudaLaunchKernel", HOST, call, &args);
    if let (Some(args), Some(more)) = (args.as_object_mut(), more.as_object()) {
        args.extend(more.clone());
    }
    [call, event("kernel", name, (0, 7), (start, end - start), &args)]
}

/// `count` operators of 20 µs that launch a kernel of 40 µs each, one each 100 µs.
pub(super) fn usual(from: i64, count: i64) -> Vec<TorchEvent<'static>> {
    let mut events = Vec::new();
    for place in 0..count {
        let (start, id) = (from + place * 100, from + place + 1);
        events.push(("cpu_op", "aten::mm", 1, start, 20, 0));
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, start + 10, 5, id));
        events.push(("kernel", "gemm", 7, start + 20, 40, id));
    }
    events
}

/// Operators one after the other, each a name and a length in µs, with 2 µs between them.
pub(super) fn in_turn(ops: &[(&str, f64)]) -> Vec<Value> {
    let mut at = 0.0;
    let placed = ops.iter().map(|&(name, length)| {
        at += length + 2.0;
        on_host("cpu_op", name, at - length, length)
    });
    placed.collect()
}

/// Ten copies of 200 µs on `stream`, each after the call that makes it, and kernels of 100 µs on stream 7.
pub(super) fn copies_on(stream: i64) -> Study {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        let at = 400.0 * id as f64;
        let args = json!({ "correlation": 2 * id + 1, "stream": stream, "device": 0 });
        events.push(event("cuda_runtime", "cudaMemcpyAsync", HOST, (at, 5.0), &args));
        let copy = "Memcpy HtoD (Pinned -> Device)";
        events.push(event("gpu_memcpy", copy, (0, stream), (at + 10.0, 200.0), &args));
        events.push(on_host("cpu_op", "aten::mm", at + 20.0, 20.0));
        events.extend(launched(2 * id + 2, (at + 30.0, 5.0), (at + 210.0, at + 310.0)));
    }
    with_gpu(&events)
}

/// An event of TensorFlow 2's profiler on a thread of its host: name, thread, start and length in µs, arguments.
pub(super) type HostEvent<'a> = (&'a str, i64, i64, i64, Value);

/// What TensorFlow 2's profiler wrote; with the name of a GPU that has no event.
pub(super) fn tensorflow2(has_gpu: bool, events: &[HostEvent<'_>]) -> (Study, Vec<FileReport>) {
    let named = |pid: i64, name: &str| named("process_name", pid, 0, name);
    let mut all = vec![named(49, "/host:CPU")];
    all.extend(has_gpu.then(|| named(0, "/device:GPU:0")));
    all.extend(events.iter().map(|(name, tid, ts, dur, args)| {
        json!({ "ph": "X", "name": name, "pid": 49, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    let opened = open(&[("host.trace.json", text.as_bytes())]);
    (Study::new(opened.trace), opened.files)
}

/// One step of a `tf.function` of 50 ms, whose ops run on another thread, and three small ops after it.
pub(super) fn one_function() -> Vec<HostEvent<'static>> {
    let mut events = Vec::new();
    for (place, length) in [50_000, 40, 30, 40].into_iter().enumerate() {
        let at = [0, 50_100, 50_200, 50_300][place];
        events.push(("EagerExecute: __inference_train_function_9", 1, at, length, json!({})));
        events.push(("EagerKernelExecute", 1, at, length, json!({})));
    }
    events.push(("ExecutorState::Process", 2, 100, 30_000, json!({})));
    events.push(("Adam/update/Unique:Unique", 2, 200, 20_000, json!({})));
    events
}

/// These events of TensorFlow's or JAX's profiler.
pub(super) fn of_events(events: &[Value]) -> Study {
    let all = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    study(open(&[("host.trace.json", all.as_bytes())]))
}

/// What TensorFlow 2.1 writes of a CPU, of the thread that calls alone.
pub(super) fn of_host(events: &[(&str, i64, i64)]) -> Study {
    let mut all = vec![named("process_name", 7, 0, "/host:CPU"), named("thread_name", 7, 1, "python3")];
    all.extend(events.iter().map(|&(name, ts, dur)| {
        json!({ "ph": "X", "name": name, "pid": 7, "tid": 1, "ts": ts, "dur": dur, "args": {} })
    }));
    of_events(&all)
}

/// A program on a CPU: its threads with names, and events (thread, name, start, length) in µs.
pub(super) fn program(threads: &[(i64, &str)], events: &[(i64, &str, i64, i64)]) -> Study {
    let mut all = vec![named("process_name", 7, 0, "/host:CPU")];
    all.extend(threads.iter().map(|&(tid, name)| named("thread_name", 7, tid, name)));
    all.extend(events.iter().map(|&(tid, name, ts, dur)| {
        let args = if name.contains("Mul:") { json!({ "long_name": "net/Mul:Mul" }) } else { json!({}) };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    of_events(&all)
}

/// An event of a host: (thread, name, start, length, number of the run), in µs.
type OfThread = (i64, String, i64, i64, &'static str);

/// What TensorFlow 2's profiler writes of a CPU whose pool runs steps and functions of a pipeline.
pub(super) fn of_pool(events: &[OfThread]) -> Study {
    let mut all = vec![
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 1, "python3"),
        named("thread_name", 7, 2, "tf_Compute/2"),
        named("thread_name", 7, 3, "tf_data_iterator_get_next/3"),
        named("thread_name", 7, 4, "tf_data_iterator_resource/4"),
    ];
    all.extend(events.iter().map(|(tid, name, ts, dur, run)| {
        let args = if run.is_empty() { json!({}) } else { json!({ "id": run }) };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    of_events(&all)
}

pub(super) fn on_thread(tid: i64, name: &str, ts: i64, dur: i64, run: &'static str) -> OfThread {
    (tid, name.to_owned(), ts, dur, run)
}

/// An op: device, type, name, start and length in µs, and inputs.
pub(super) type Ran<'a> = (i64, &'a str, &'a str, i64, i64, &'a [&'a str]);

/// What `timeline.py` writes of devices of these names.
pub(super) fn of_devices(devices: &[&str], ops: &[Ran<'_>]) -> Study {
    let rows =
        devices.iter().zip(0..).map(|(name, pid)| named("process_name", pid, 0, &format!("{name} Compute")));
    let ops = ops.iter().map(|&(pid, kind, name, ts, dur, inputs)| {
        let mut args = json!({ "name": name, "op": kind });
        for (own, place) in inputs.iter().zip(0..) {
            args[format!("input{place}")] = (*own).into();
        }
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    });
    let text = json!({ "traceEvents": rows.chain(ops).collect::<Vec<Value>>() }).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}

/// An op of `timeline.py`: row, type, name, inputs, start and length in µs. Row 0 is the CPU's, 1 the executor's on the GPU, 2 the stream of the
/// kernels, 3 that of copies to the host.
pub(super) type Executed<'a> = (i64, &'a str, &'a str, &'a [&'a str], i64, i64);

pub(super) fn executed(ops: &[Executed<'_>]) -> Study {
    let ops: Vec<Ran<'_>> =
        ops.iter().map(|&(row, kind, name, inputs, ts, dur)| (row, kind, name, ts, dur, inputs)).collect();
    of_devices(&[CPU, GPU, STREAM_13, "/device:GPU:0/stream:15"], &ops)
}

/// Events of a writer that says nothing of them: (name, start, length) in µs.
pub(super) fn plain_events(all: &[(&str, i64, i64)]) -> Study {
    let all = all.iter().zip(0..).map(|(&(name, ts, dur), tid)| json!({ "ph": "X", "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur }));
    let text = json!({ "traceEvents": all.collect::<Vec<Value>>() }).to_string();
    study(open(&[("trace.json", text.as_bytes())]))
}

pub(super) fn document(events: &[Value]) -> Opened {
    let all = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    open(&[("trace.json", all.as_bytes())])
}

/// The verdict, and the first finding.
pub(super) fn read(opened: Opened) -> (String, Value) {
    let files = opened.files.clone();
    let own = study(opened);
    let list: Value = serde_json::from_str(&findings::json(&own, &files, None)).unwrap_or_default();
    (verdict::of_files(&own, &files).sentence, list["findings"][0].clone())
}

pub(super) fn complete(name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64)) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {} })
}

/// A step of Keras of 100 ms on a machine whose GPU was not recorded: how long it waits for its batch, how long the pipeline works in threads of its
/// own, and other events: thread, name, start and length in µs.
pub(super) fn keras(waits: i64, pipeline: i64, others: &[(i64, &str, i64, i64)]) -> Opened {
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
        complete("Cast_9:Cast", (7, 2), (99_700, 20)),
    ];
    all.extend(others.iter().map(|&(tid, name, ts, dur)| complete(name, (7, tid), (ts, dur))));
    document(&all)
}
