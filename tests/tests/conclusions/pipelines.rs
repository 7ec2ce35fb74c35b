//! Input of TensorFlow: `tf.data`, iterators and queues. What is made ahead is no wait of the step, and advice knows what the pipeline has already.

use super::made::{CPU, keras, ms, of_host, of_pool, on_thread, plain_events, read};
use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Rule;
use steplens_core::{Category, CategoryRules, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, row, study, text};
use steplens_tests::tensorflow::{named, profiled, timeline};
use steplens_tests::writer::{Scenario, op};

/// TensorFlow 2 on a CPU: its threads with names, and events (thread, name, start, length, run) in µs.
fn tensorflow2(threads: &[(i64, &str)], events: &[(i64, &str, i64, i64, &str)]) -> Study {
    let named = |what: &str, tid: i64, name: &str| json!({ "ph": "M", "name": what, "pid": 7, "tid": tid, "args": { "name": name } });
    let mut all = vec![named("process_name", 0, "/host:CPU")];
    all.extend(threads.iter().map(|&(tid, name)| named("thread_name", tid, name)));
    all.extend(events.iter().map(|&(tid, name, ts, dur, run)| {
        let args = if run.is_empty() { json!({}) } else { json!({ "id": run, "group_id": "0" }) };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

#[test]
fn functions_of_the_pipeline_are_loading_while_a_step_waits_for_its_batch() {
    let of = |run: &str| {
        tensorflow2(
            &[(1, "python3"), (2, "tf_Compute"), (3, "tf_data_iterator_get_next")],
            &[
                (1, "EagerExecute: __inference_train_function_1", 0, 100_000, ""),
                (1, "EagerKernelExecute", 1_000, 98_000, ""),
                (3, "IteratorGetNextOp::DoCompute", 2_000, 60_000, "-1"),
                (2, "ExecutorState::Process", 3_000, 58_000, run),
                (2, "Relu:Relu", 3_100, 57_000, ""),
                (2, "ExecutorState::Process", 63_000, 30_000, "-1"),
                (2, "MatMul:MatMul", 63_100, 29_000, ""),
            ],
        )
    };
    let own = of("-2");
    assert_eq!(ms(&own, SegmentKind::Input), 60);
    let found = row(&own, Rule::InputBound).expect("a finding");
    assert!(found["sentence"].as_str().is_some_and(|own| own.contains("60 ms (66.6 %)")), "{found}");
    assert!(!found["advice"].to_string().contains("feed_dict"), "{found}");
}

#[test]
fn what_a_pipeline_makes_ahead_is_no_wait_of_the_step() {
    let own = tensorflow2(
        &[
            (1, "python3"),
            (2, "tf_Compute"),
            (3, "tf_data_iterator_get_next"),
            (4, "tf_data_iterator_resource"),
        ],
        &[
            (1, "EagerExecute: Mul", 0, 500, ""),
            (3, "IteratorGetNextOp::DoCompute", 1_000, 10_000, "-1"),
            (4, "Iterator::PaddedBatchV2", 1_500, 38_000, ""),
            (2, "ExecutorState::Process", 12_000, 20_000, "-1"),
            (2, "MatMul:MatMul", 12_100, 19_000, ""),
            (2, "ExecutorState::Process", 39_600, 20_000, "-1"),
            (2, "MatMul:MatMul", 39_700, 19_000, ""),
        ],
    );
    // 10 ms of its batch, not 38 of the next one's.
    assert_eq!(ms(&own, SegmentKind::Input), 10);
}

#[test]
fn what_a_pipeline_makes_ahead_is_not_on_the_path() {
    // The step's two ops, and on the same thread and after them images of the next batch.
    let of = |run: &'static str| {
        of_pool(&[
            on_thread(1, "EagerExecute: __inference_train_function_1", 0, 60_000, ""),
            on_thread(1, "EagerKernelExecute", 100, 59_000, "1"),
            on_thread(4, "InstantiatedCapturedFunction::Run", 500, 90_000, "2"),
            on_thread(2, "ExecutorState::Process", 1_000, 20_000, "1"),
            on_thread(2, "a:MatMul", 1_000, 20_000, ""),
            on_thread(2, "ExecutorState::Process", 21_100, 10_000, run),
            on_thread(2, "i:DecodeImage", 21_100, 10_000, ""),
            on_thread(2, "ExecutorState::Process", 31_200, 20_000, "1"),
            on_thread(2, "b:MatMul", 31_200, 20_000, ""),
            on_thread(2, "ExecutorState::Process", 51_300, 30_000, run),
            on_thread(2, "j:DecodeImage", 51_300, 30_000, ""),
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
        let study = of_pool(&[
            on_thread(1, "EagerExecute: __inference_train_function_1", 0, 100_000, ""),
            on_thread(3, "IteratorGetNextOp::DoCompute", 1_000, 40_000, "1"),
            on_thread(3, "Iterator::Model::Map::Prefetch", 1_100, 100, ""),
            on_thread(thread, "InstantiatedCapturedFunction::Run", 1_200, 39_000, "2"),
            on_thread(2, "ExecutorState::Process", 42_000, 50_000, "1"),
            on_thread(2, "a:MatMul", 42_000, 50_000, ""),
        ]);
        text(&row(&study, Rule::InputBound).expect("a finding"), "advice").to_owned()
    };
    assert!(of(3).contains("put dataset.prefetch(…) at the end"), "{}", of(3));
    assert!(!of(4).contains("at the end"), "{}", of(4));
}

#[test]
fn making_an_iterator_loads_no_batch() {
    let own = Scenario::new()
        .device(CPU, [op("i = MakeIterator(d, r)", 0, 5_000_000), op("m = MatMul(a)", 5_000_000, 5_000_000)])
        .study();
    assert!(row(&own, Rule::InputBound).is_none());
}

#[test]
fn a_pipeline_that_prefetches_gets_no_advice_to_do_so() {
    let own = profiled(&[
        (2, "Iterator::Root::Prefetch", 0, 1_000, 0, ""),
        (1, "IteratorGetNextOp::DoCompute", 0, 90_000, 0, ""),
        (1, "EagerExecute: f", 0, 120_000, 0, ""),
        (1, "cuLaunchKernel", 90_010, 10, 1, ""),
        (13, "gemm", 90_030, 20_000, 1, "a:MatMul"),
        (1, "IteratorGetNextOp::DoCompute", 110_040, 100, 0, ""),
        (1, "cuLaunchKernel", 110_150, 10, 2, ""),
        (13, "gemm", 110_170, 5_000, 2, "a:MatMul"),
    ]);
    let found = row(&own, Rule::InputBound).expect("a finding");
    assert!(
        text(&found, "advice").contains("first batch")
            && !text(&found, "advice").contains("dataset.prefetch"),
        "{found}"
    );
}

#[test]
fn every_op_that_takes_the_next_batch_is_input() {
    let rules = CategoryRules::default();
    for op_type in [
        "IteratorGetNext",
        "IteratorGetNextAsOptional",
        "OptionalGetValue",
        "MultiDeviceIteratorGetNextFromShard",
        "FunctionBufferingResourceGetNext",
        "ExperimentalFunctionBufferingResourceGetNext",
        "ReaderReadV2",
        "ReaderReadUpToV2",
        "QueueDequeueUpToV2",
        "Unstage",
        "InfeedDequeueTuple",
        "RecordInput",
        "DatasetToSingleElement",
        "Iterator::Map::Prefetch",
        "IteratorGetNextOp::DoCompute",
    ] {
        assert_eq!(rules.category("n", op_type, ""), Category::Input, "{op_type}");
    }
    for op_type in [
        "IteratorToStringHandle",
        "IteratorV2",
        "OneShotIterator",
        "MakeIterator",
        "FunctionBufferingResource",
        "Stage",
        "ReaderSerializeState",
    ] {
        assert_eq!(rules.category("n", op_type, ""), Category::Compute, "{op_type}");
    }
    let own = timeline(&[
        (0, "FunctionBufferingResourceGetNext", "b", 0, 20_000),
        (0, "MatMul", "m", 20_000, 80_000),
    ]);
    assert!(row(&own, Rule::InputBound).is_some());
}

#[test]
fn one_wait_does_not_say_that_a_pipeline_is_slow() {
    let of = |steps: i64| {
        let mut events =
            vec![(2, "Iterator::Root::Prefetch", 0, 1_000, 0, ""), (1, "EagerExecute: f", 0, 10, 0, "")];
        for step in 0..steps {
            let (at, id) = (step * 120_000, step + 1);
            events.push((1, "IteratorGetNextOp::DoCompute", at + 20, 90_000, 0, ""));
            events.push((1, "cuLaunchKernel", at + 90_030, 10, id, ""));
            events.push((13, "gemm", at + 90_050, 20_000, id, "a:MatMul"));
        }
        let found = row(&profiled(&events), Rule::InputBound).expect("a finding");
        text(&found, "advice").to_owned()
    };
    assert!(of(1).contains("one wait for a batch") && !of(1).contains("slower than the step"), "{}", of(1));
    assert!(of(3).contains("slower than the step"), "{}", of(3));
}

#[test]
fn a_batch_that_is_handed_over_is_not_waited_for() {
    let own = profiled(&[
        (1, "IteratorGetNext:IteratorGetNext", 0, 10, 0, ""),
        (1, "IteratorGetNext/_3:_Send", 20, 500, 0, ""),
    ]);
    let of = |op_type: &str| {
        let trace = own.trace();
        trace.ops().ids().find(|&op| trace.op_type(op) == op_type).map(|op| trace.category(op))
    };
    assert_eq!(of("IteratorGetNext"), Some(Category::Input));
    assert_ne!(of("_Send"), Some(Category::Input));
}

#[test]
fn taking_a_batch_that_is_there_is_no_wait() {
    let of = |length: i64| {
        let events: Vec<(&str, i64, i64)> = (0..4)
            .flat_map(|at| {
                [
                    ("IteratorGetNext:IteratorGetNext", at * 1_000, length),
                    ("a:MatMul", at * 1_000 + length, 400),
                ]
            })
            .collect();
        row(&of_host(&events), Rule::InputBound)
    };
    assert!(of(300).is_some());
    assert_eq!(of(60), None);
}

#[test]
fn a_pipeline_is_input_in_the_files_of_other_profilers_too() {
    let events: Vec<Value> = (0..3)
        .map(|at| {
            json!({ "ph": "X", "name": "dataset::GetNext", "pid": 1, "tid": 1, "ts": at * 1_000, "dur": 900 })
        })
        .collect();
    let own = study(open(&[("made.json", json!(events).to_string().as_bytes())]));
    assert!(own.trace().ops().ids().all(|op| own.trace().category(op) == Category::Input));
}

#[test]
fn a_recording_of_the_input_alone_promises_nothing() {
    let loads = [("dataset::GetNext", 0, 800_000), ("dataset::GetNext", 700_000, 900_000)];
    let own = plain_events(&loads);
    let said = verdict::of(&own, true).main;
    assert!(said.contains("only the loading of batches was recorded"), "{said}");
    assert_eq!(row(&own, Rule::InputBound), None);
    let own = plain_events(&[loads.as_slice(), &[("train", 1_600_000, 900_000)]].concat());
    assert!(!verdict::of(&own, true).main.contains("only the loading"));
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
