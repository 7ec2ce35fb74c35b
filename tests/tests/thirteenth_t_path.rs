//! What a stranger found wrong in the thirteenth reading of TensorFlow's traces next to their data: what pipelines do ahead, queues, pauses of a host
//! while its GPU works, tiny ops, and advice. Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::{Rule, Subject, Verdict};
use steplens_core::{Category, Nanos, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, study};
use steplens_tests::tensorflow::{named, profiled, row, text, timeline};

/// An event of a host: (thread, name, start, length, number of the run), in µs.
type Event = (i64, String, i64, i64, &'static str);

/// What TensorFlow 2's profiler writes of a CPU whose pool runs steps and functions of a pipeline.
fn of_cpu(events: &[Event]) -> Study {
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
    let document = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", document.as_bytes())]))
}

fn event(tid: i64, name: &str, ts: i64, dur: i64, run: &'static str) -> Event {
    (tid, name.to_owned(), ts, dur, run)
}

fn ms(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000_000
}

#[test]
fn what_a_pipeline_makes_ahead_is_not_on_the_path() {
    // The step's two ops, and on the same thread and after them images of the next batch.
    let of = |run: &'static str| {
        of_cpu(&[
            event(1, "EagerExecute: __inference_train_function_1", 0, 60_000, ""),
            event(1, "EagerKernelExecute", 100, 59_000, "1"),
            event(4, "InstantiatedCapturedFunction::Run", 500, 90_000, "2"),
            event(2, "ExecutorState::Process", 1_000, 20_000, "1"),
            event(2, "a:MatMul", 1_000, 20_000, ""),
            event(2, "ExecutorState::Process", 21_100, 10_000, run),
            event(2, "i:DecodeImage", 21_100, 10_000, ""),
            event(2, "ExecutorState::Process", 31_200, 20_000, "1"),
            event(2, "b:MatMul", 31_200, 20_000, ""),
            event(2, "ExecutorState::Process", 51_300, 30_000, run),
            event(2, "j:DecodeImage", 51_300, 30_000, ""),
        ])
    };
    let (ahead, own) = (of("2"), of("1"));
    assert_eq!((ms(&ahead, SegmentKind::Compute), ms(&own, SegmentKind::Compute)), (40, 80));
    let on_path = |study: &Study| {
        let segments = &study.causes().observed.segments;
        segments.iter().any(|own| study.trace().op_type(own.op) == "DecodeImage")
    };
    assert!(!on_path(&ahead) && on_path(&own));
}

#[test]
fn the_last_map_of_a_pipeline_runs_in_the_step() {
    let of = |thread: i64| {
        let study = of_cpu(&[
            event(1, "EagerExecute: __inference_train_function_1", 0, 100_000, ""),
            event(3, "IteratorGetNextOp::DoCompute", 1_000, 40_000, "1"),
            event(3, "Iterator::Model::Map::Prefetch", 1_100, 100, ""),
            event(thread, "InstantiatedCapturedFunction::Run", 1_200, 39_000, "2"),
            event(2, "ExecutorState::Process", 42_000, 50_000, "1"),
            event(2, "a:MatMul", 42_000, 50_000, ""),
        ]);
        text(&row(&study, Rule::InputBound).expect("a finding"), "advice").to_owned()
    };
    assert!(of(3).contains("put dataset.prefetch(…) at the end"), "{}", of(3));
    assert!(!of(4).contains("at the end"), "{}", of(4));
}

#[test]
fn tiny_ops_of_tensorflow_2_are_found_by_how_long_they_take() {
    let of = |length: i64, pause: i64| {
        let mut events =
            vec![event(1, "EagerExecute: __inference_train_function_1", 0, 600 * (length + pause), "")];
        events.extend(
            (0..600)
                .map(|place| event(2, &format!("op{place}:Mul"), 10 + place * (length + pause), length, "")),
        );
        row(&of_cpu(&events), Rule::TinyOps)
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

#[test]
fn a_host_that_rests_while_its_gpu_works_makes_no_pause() {
    let of = |work: i64| {
        let mut events = Vec::new();
        for place in 0..10 {
            let at = 1_000 + place * 100;
            events.push((1, "cuLaunchKernel", at, 10, place + 1, ""));
            events.push((13, "gemm", 1_050 + place * work, work, place + 1, "a:MatMul"));
        }
        // It launches again 80 ms later.
        events.push((1, "cuLaunchKernel", 82_000, 10, 20, ""));
        events.push((13, "add", 82_100, 5, 20, "b:Add"));
        profiled(&events)
    };
    let pauses = |study: &Study| Verdict::of(&Subject::of(study)).map(|own| own.pauses.len());
    assert_eq!(pauses(&of(8_000)), Some(0));
    assert_eq!(pauses(&of(100)), Some(1));
}

/// What `timeline.py` writes of a CPU: (op type, name, start, length) in µs.
fn of_executor(ops: &[(&str, &str, i64, i64)]) -> Study {
    let mut all = vec![named("process_name", 0, 0, "/job:localhost/replica:0/task:0/device:CPU:0 Compute")];
    all.extend(ops.iter().map(|&(kind, name, ts, dur)| {
        let args = json!({ "name": name, "op": kind });
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": 0, "tid": 0, "ts": ts, "dur": dur, "args": args })
    }));
    let document = json!({ "traceEvents": all }).to_string();
    study(open(&[("timeline.json", document.as_bytes())]))
}

#[test]
fn advice_for_a_queue_is_about_its_threads_and_its_device() {
    let advice = |study: &Study| text(&row(study, Rule::InputBound).expect("a finding"), "advice").to_owned();
    let own = advice(&of_executor(&[
        ("QueueDequeueManyV2", "input/batch", 0, 9_000),
        ("MatMul", "net/a", 9_010, 2_000),
    ]));
    assert!(own.contains("num_threads") && !own.contains("feed_dict") && !own.contains("cpu:0"), "{own}");
    // Its items are made on the GPU.
    let own = advice(&timeline(&[
        (0, "QueueDequeueManyV2", "input/batch", 0, 9_000),
        (1, "Cast", "input/Cast", 100, 10),
        (2, "Cast", "input/Cast", 105, 3),
        (1, "MatMul", "net/a", 9_010, 10),
        (2, "MatMul", "net/a", 9_015, 2_000),
    ]));
    assert!(own.contains("tf.device('/cpu:0')"), "{own}");
}

#[test]
fn a_graph_that_only_loads_has_nothing_to_load_meanwhile() {
    let of = |trains: i64| {
        of_executor(&[
            ("QueueDequeueManyV2", "batch", 0, 1_000),
            ("ParseExample", "parse", 1_010, 1_200),
            ("MatMul", "net/a", 2_220, trains),
        ])
    };
    assert!(row(&of(50), Rule::InputBound).is_none());
    assert!(row(&of(3_000), Rule::InputBound).is_some());
}

#[test]
fn an_op_that_fills_a_queue_is_input() {
    let study = of_executor(&[("QueueEnqueueManyV2", "fifo_queue_EnqueueMany", 0, 2_000_000)]);
    let trace = study.trace();
    assert!(trace.ops().ids().all(|op| trace.category(op) == Category::Input));
    let said = verdict::of(&study, false).main;
    assert!(said.contains("only the loading of batches was recorded"), "{said}");
    assert!(row(&study, Rule::InputBound).is_none());
}

#[test]
fn a_long_kernel_gets_no_advice_about_threads() {
    let mut ops: Vec<(i64, &str, &str, i64, i64)> =
        vec![(1, "MatMul", "long", 0, 10), (2, "MatMul", "long", 20, 5_000)];
    for (place, name) in (0..).zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
        ops.push((1, "MatMul", name, 20 + place * 10, 5));
        ops.push((2, "MatMul", name, 5_100 + place * 100, 90));
    }
    let found = row(&timeline(&ops), Rule::DominantWork).expect("a finding");
    let advice = text(&found, "advice");
    assert!(advice.contains("half precision") && !advice.contains("threads"), "{advice}");
}

#[test]
fn what_only_devices_mark_as_a_step_has_all_of_their_work() {
    // The copy is launched before the step that the GPU marks, which begins with it.
    let args = |correlation: i64| json!({ "correlation_id": correlation.to_string() });
    let at = |pid: i64, tid: i64, name: &str, ts: i64, dur: i64, args: Value| json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args });
    let all = json!({ "displayTimeUnit": "ns", "traceEvents": [
        named("process_name", 1, 0, "/device:GPU:0"),
        named("thread_name", 1, 13, "Stream #13(Compute,MemcpyH2D)"),
        named("thread_name", 1, 99, "Steps"),
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 1, "tf_Compute/1"),
        at(7, 1, "cuMemcpyHtoDAsync_v2", 0, 50, args(1)),
        at(1, 13, "MemcpyH2D", 500, 40_000, args(1)),
        at(7, 1, "cuLaunchKernel", 40_600, 10, args(2)),
        at(1, 13, "gemm", 41_000, 60_000, args(2)),
        at(1, 99, "0", 500, 100_500, json!({})),
    ]})
    .to_string();
    let own = study(open(&[("host.trace.json", all.as_bytes())]));
    let said = verdict::of(&own, false).sentence;
    assert!(!said.contains("are no step"), "{said}");
    let (_, steps) = own.view().steps(own.trace());
    let step = steps.rows().iter().find(|row| !row.is_before).expect("a step");
    assert_eq!(step.span.length(), Nanos(100_500_000));
}
