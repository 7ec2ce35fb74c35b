//! Steps of TensorFlow 2 that nothing marks: calls of Keras and of functions. The verdict and the findings are about the call, and what comes
//! after it is no part of it.

use super::made::of_host;
use serde_json::{Value, json};
use steplens_core::findings::{OnceKind, Rule, Subject, Verdict};
use steplens_core::{Category, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, row, study, text};
use steplens_tests::tensorflow::{list, named, profiled};

/// An event of a host: (thread, name, start, length, number of the run), in µs.
type Event<'a> = (i64, &'a str, i64, i64, i64);

/// What TensorFlow 2's profiler writes of a CPU.
fn document(events: &[Event<'_>], more: &[Value]) -> String {
    let mut all = vec![
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 1, "python3"),
        named("thread_name", 7, 2, "tf_Compute/2"),
        named("thread_name", 7, 3, "tf_Compute/3"),
        named("thread_name", 7, 4, "tf_data_iterator_resource/4"),
    ];
    all.extend(more.iter().cloned());
    all.extend(events.iter().map(|&(tid, name, ts, dur, run)| {
        let args = if run == 0 { json!({}) } else { json!({ "id": run.to_string() }) };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string()
}

fn of_cpu(events: &[Event<'_>]) -> Study {
    study(open(&[("host.trace.json", document(events, &[]).as_bytes())]))
}

/// A step of 10 ms, of which ops run for 8 ms, at 1 ms; then Python for 80 ms, which writes its summaries for 5 ms.
const ONE_STEP: [Event<'_>; 7] = [
    (1, "train_function", 1_000, 10_000, 0),
    (1, "EagerExecute: __inference_train_function_7", 1_100, 9_800, 0),
    (1, "EagerKernelExecute", 1_200, 9_700, 0),
    (2, "a:MatMul", 2_000, 5_000, 0),
    (2, "b:MatMul", 7_000, 3_000, 0),
    (1, "LogicalAnd:LogicalAnd", 80_000, 10, 0),
    (1, "FlushSummaryWriter:FlushSummaryWriter", 86_000, 5_000, 0),
];

#[test]
fn a_call_of_keras_is_the_step_where_nothing_marks_one() {
    let study = of_cpu(&ONE_STEP);
    let said = verdict::of(&study, true);
    assert!(
        said.main.starts_with(
            "The step (train_function), 10.00 ms of a recording of 90.00 ms: compute on the CPU takes 80.0"
        ),
        "{}",
        said.main
    );
    let outside = "The other 80.00 ms are before or after that, in Python";
    assert!(said.sentence.contains(outside), "{}", said.sentence);
    assert!(
        said.sentence.contains("The longest op there is FlushSummaryWriter (5.000 ms)."),
        "{}",
        said.sentence
    );
    assert!(
        !said.sentence.contains("80.00 ms (") && !said.sentence.contains("LogicalAnd"),
        "{}",
        said.sentence
    );
    let found = list(&study);
    assert!(text(&found, "sentence").contains("profile_batch=(10, 20)"), "{found}");
}

#[test]
fn a_call_whose_first_op_begins_late_is_said() {
    let mut own = ONE_STEP.to_vec();
    own[3] = (2, "a:MatMul", 6_500, 500, 0);
    let said = verdict::of(&of_cpu(&own), true).sentence;
    assert!(said.contains("Its first op begins 5.500 ms after the call"), "{said}");
    assert!(!verdict::of(&of_cpu(&ONE_STEP), true).sentence.contains("after the call"));
}

#[test]
fn a_function_of_tensorflow_is_the_step_of_other_programs() {
    let own: Vec<Event<'_>> = ONE_STEP.into_iter().filter(|own| own.1 != "train_function").collect();
    let said = verdict::of(&of_cpu(&own), true);
    assert!(said.main.starts_with("The step (train_function), 9.800 ms of a recording of"), "{}", said.main);
    // Two calls, with 20 ms between them: from the first to the last.
    let mut two = own;
    two.insert(5, (1, "EagerExecute: __inference_eval_3", 30_000, 2_000, 0));
    let said = verdict::of(&of_cpu(&two), true);
    assert!(
        said.main.starts_with("2 calls of a function (the first is train_function), 30.90 ms"),
        "{}",
        said.main
    );
}

#[test]
fn a_recording_whose_work_is_outside_of_calls_is_no_step() {
    let mut own = ONE_STEP.to_vec();
    own.push((1, "Conv2D:Conv2D", 40_000, 30_000, 0));
    assert_eq!(Verdict::of(&Subject::of(&of_cpu(&own))).map(|own| own.in_steps), Some(None));
    // A short rest is no other part.
    assert_eq!(Verdict::of(&Subject::of(&of_cpu(&ONE_STEP[..5]))).map(|own| own.in_steps), Some(None));
}

#[test]
fn writing_summaries_for_long_is_a_finding() {
    let mut own = ONE_STEP.to_vec();
    own[6] = (1, "FlushSummaryWriter:FlushSummaryWriter", 20_000, 60_010, 0);
    own.remove(5);
    // After a step that is known it would be no part of one.
    own.drain(..2);
    let study = of_cpu(&own);
    let found = row(&study, Rule::DominantWork).expect("a finding");
    assert!(text(&found, "sentence").starts_with("FlushSummaryWriter"), "{found}");
    assert!(text(&found, "advice").contains("every N steps"), "{found}");
}

#[test]
fn the_first_call_of_a_function_that_is_called_again_is_one() {
    let call = |at: i64, prepared: i64| {
        [
            (1, "EagerExecute: __inference_test_function_8", at, prepared + 2_000, 0),
            (1, "EagerKernelExecute", at + prepared, 1_900, 0),
            (2, "a:MatMul", at + prepared + 100, 1_500, 0),
        ]
    };
    let of = |prepared: i64| {
        let first = [(1, "Range:Range", 0, 100, 0)];
        let later = call(136_000, 20);
        of_cpu(&[&first[..], &call(115_100, prepared), &later].concat())
    };
    let once = Verdict::of(&Subject::of(&of(18_000))).and_then(|own| own.once).expect("it happens once");
    // 115 ms before the call, 18 ms until its kernel.
    assert_eq!((once.kind, once.time.0), (OnceKind::FirstFunction, 133_000_000));
    assert_eq!(Verdict::of(&Subject::of(&of(150))).and_then(|own| own.once), None);
}

#[test]
fn what_follows_the_last_step_of_keras_is_no_part_of_it() {
    // A step of 50 ms, whose first op comes after 1 ms, and in which the GPU works for 40 ms; then callbacks for 150 ms, with a kernel of 5 µs.
    let of = |after: i64, late: i64| {
        let mut events =
            vec![(2, "train_function", 0, 30_000, 0, ""), (2, "EagerExecute: f", 10, 29_000, 0, "")];
        for place in 0..40 {
            events.push((1, "cuLaunchKernel", 1_000 + place * 500, 10, place + 1, ""));
            events.push((13, "gemm", 10_000 + place * 1_000, 1_000, place + 1, "a:MatMul"));
        }
        events.push((2, "cuStreamSynchronize", 30_100, 19_950, 99, ""));
        events.push((2, "LogicalAnd", 50_050 + after - 200, 50, 0, ""));
        events.push((1, "cuLaunchKernel", 50_050 + after - 190, 10, 77, ""));
        events.push((13, "and", 50_050 + after - 100, late, 77, "b:LogicalAnd"));
        profiled(&events)
    };
    let study = of(150_000, 5);
    let said = verdict::of(&study, true);
    let call =
        "The step (train_function), 50.05 ms of a recording of 200.0 ms: compute on the GPU takes 79.9";
    assert!(said.main.starts_with(call), "{}", said.main);
    assert!(said.sentence.contains("no part of a step"), "{}", said.sentence);
    // A short rest is no other part.
    assert!(Verdict::of(&Subject::of(&of(1_000, 5))).is_some_and(|own| own.in_steps.is_none()));
}

#[test]
fn what_loads_batches_after_a_call_of_keras_is_no_part_of_its_step() {
    let of = |more: (i64, &str, i64, i64)| {
        let mut all = vec![
            named("process_name", 7, 0, "/host:CPU"),
            named("thread_name", 7, 1, "python3"),
            named("thread_name", 7, 2, "tf_Compute/2"),
        ];
        let events = [
            (1, "train_function", 0, 10_000),
            (1, "EagerExecute: __inference_train_function_7", 10, 9_900),
            (2, "a:MatMul", 100, 9_000),
            more,
            (1, "FlushSummaryWriter:FlushSummaryWriter", 30_000, 10),
        ];
        all.extend(events.map(|(tid, name, ts, dur)| {
            json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": {} })
        }));
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        let own = study(open(&[("host.trace.json", text.as_bytes())]));
        Verdict::of(&Subject::of(&own)).and_then(|own| own.in_steps).map(|own| own.span.length().0)
    };
    assert_eq!(of((2, "b:DecodeImage", 12_000, 15_000)), Some(10_000_000));
    // The program itself may compute.
    assert_eq!(of((1, "b:MatMul", 12_000, 15_000)), None);
}

/// A step of Keras of 20 ms: an upload of 5 ms, then kernels for 6 ms; and callbacks until 7 s, which write for 160 ms.
const STEP_WITH_COPIES: [(i64, &str, i64, i64, i64, &str); 7] = [
    (2, "train_function", 0, 20_000, 0, ""),
    (2, "cuMemcpyHtoDAsync", 1_000, 6_000, 1, ""),
    (13, "MemcpyH2D", 1_500, 5_000, 1, ""),
    (2, "cuLaunchKernel", 12_000, 100, 2, ""),
    (13, "gemm", 12_200, 6_000, 2, "a"),
    (2, "LogicalAnd:LogicalAnd", 2_000_000, 10, 0, ""),
    (2, "FlushSummaryWriter:FlushSummaryWriter", 6_840_000, 160_000, 0, ""),
];

#[test]
fn findings_are_about_the_step_that_the_verdict_is_about() {
    let own = profiled(&STEP_WITH_COPIES);
    let said = verdict::of(&own, true);
    assert!(
        said.main.starts_with("The step (train_function), 20.00 ms of a recording of 7.000 s"),
        "{}",
        said.main
    );
    assert!(
        said.sentence.contains("The longest op there is FlushSummaryWriter (160.0 ms)."),
        "{}",
        said.sentence
    );
    let found = list(&own);
    assert_eq!(found["step_ns"], 20_000_000, "{found}");
    // Two percent of the step, and not of the recording.
    let copies = row(&own, Rule::Copies).expect("a finding");
    let number = |field: &str| copies[field].as_i64().expect("a number");
    assert_eq!(number("share_ppm"), number("saving_ns") / 20, "{copies}");
    assert!(text(&copies, "sentence").contains("of the step can be saved"), "{copies}");
    // What to look at is in the step, by its row in the whole.
    let rows = found["findings"].as_array().expect("findings");
    let places: Vec<&Value> =
        rows.iter().flat_map(|row| row["where"].as_array().into_iter().flatten()).collect();
    assert!(
        !places.is_empty() && places.iter().all(|own| own["end_ns"].as_i64() <= Some(20_000_000)),
        "{found}"
    );
    for place in places {
        let op =
            own.trace().ops().ids().nth(place["op_row"].as_u64().expect("a row") as usize).expect("an op");
        assert_eq!(own.trace().op_name(op), text(place, "op"));
        assert_eq!(own.trace().ops().start(op).0, place["start_ns"].as_i64().expect("a time"));
    }
}

#[test]
fn copies_that_nothing_hides_are_said_and_get_the_advice_for_copies() {
    let own = profiled(&STEP_WITH_COPIES);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("Copies that no compute hides take 25.0 % of the time."), "{said}");
    let mut held = STEP_WITH_COPIES;
    (held[1].2, held[1].3, held[3].2, held[4].2) = (100, 11_000, 11_200, 11_400);
    (held[2].2, held[2].3) = (10_000, 1_000);
    let waits = row(&profiled(&held), Rule::HostBound);
    assert!(waits.is_none_or(|own| !text(&own, "advice").contains("larger batches")));
}

#[test]
fn a_function_whose_ops_were_not_recorded_runs_in_other_threads() {
    let own = of_host(&[
        ("EagerExecute: __inference_distributed_function_7", 0, 9_000),
        ("FunctionRun", 100, 8_800),
        ("LogicalAnd:LogicalAnd", 9_500, 100),
        ("WriteSummary:WriteSummary", 10_000, 9_000),
    ]);
    let said = verdict::of(&own, true);
    let main = "The step (distributed_function), 9.000 ms of a recording of 19.00 ms: for 8.800 ms of it the function runs (FunctionRun)";
    assert!(said.main.starts_with(main), "{}", said.main);
    assert!(!said.sentence.contains('%') && !said.sentence.contains("prepares"), "{}", said.sentence);
    assert!(!text(&list(&own), "sentence").contains('%'), "{}", list(&own));
}

#[test]
fn names_of_tensorflow_2_1_are_those_of_later_releases() {
    let event = |name: &str, long: &str, label: &str, ts: i64, dur: i64| {
        let mut args = json!({});
        if !long.is_empty() {
            args["long name"] = long.into();
        }
        args["label"] = label.into();
        json!({ "ph": "X", "name": name, "pid": 7, "tid": 1, "ts": ts, "dur": dur, "args": args })
    };
    let of = |long: bool| {
        let or = |own: &'static str| if long { own } else { "" };
        let all = [
            event(" __inference_f_7", or("EagerExecute: __inference_f_7"), "", 0, 1_000),
            event("EagerKernelExecute", "", "", 100, 900),
            event("Process", or("ExecutorState::Process"), "id=5", 200, 700),
            event(
                "MatMul",
                or("net/a:MatMul"),
                "id=5,device=/job:localhost/replica:0/task:0/device:CPU:0,async=false",
                300,
                200,
            ),
            event(
                "MatMul",
                or("net/b:MatMul"),
                "id=5,device=/job:localhost/replica:0/task:0/device:CPU:0,async=false",
                600,
                100,
            ),
        ];
        study(open(&[("local.trace.json", document(&[], &all).as_bytes())]))
    };
    for long in [true, false] {
        let own = of(long);
        let trace = own.trace();
        let ops = trace.ops().ids().filter(|&op| trace.category(op) != Category::Range);
        let ops: Vec<&str> = ops.map(|op| trace.op_name(op)).collect();
        assert_eq!(ops, if long { ["net/a", "net/b"] } else { ["MatMul", "MatMul"] });
        let names: Vec<&str> = trace.ops().ids().map(|op| trace.op_name(op)).collect();
        assert!(names.contains(&"EagerExecute: __inference_f_7"), "{names:?}");
    }
}
