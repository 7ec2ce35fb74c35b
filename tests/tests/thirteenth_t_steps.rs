//! What a stranger found wrong in the thirteenth reading of TensorFlow's traces next to their data: the step that was recorded and not found, GPUs of
//! which nothing was recorded, names of TensorFlow 2.0 and 2.1. Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::findings::{OnceKind, Rule, Subject, Verdict};
use steplens_core::{Category, CategoryRules, Study};
use steplens_formats::{Opened, Opener};
use steplens_report::{findings, verdict};
use steplens_tests::opened::{open, study};
use steplens_tests::tensorflow::{list, named, row, text};
use steplens_tests::wire::{put_bytes as put, put_varint};

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

/// An XSpace of a host that runs `names` one after the other, and of a GPU without an event.
fn space(names: &[&str], said: &str, has_gpu: bool) -> Opened {
    let varint = |field: u64, value: u64| {
        let mut out = Vec::new();
        put_varint(&mut out, field << 3);
        put_varint(&mut out, value);
        out
    };
    let (mut plane, mut line) = (Vec::new(), Vec::new());
    put(&mut plane, 2, b"/host:CPU");
    put(&mut line, 2, b"tf_Compute/1");
    line.extend(varint(3, 1_700_000_000_000_000_000));
    for (number, name) in (1..).zip(names) {
        let event = [varint(1, number), varint(2, number * 2_000_000), varint(3, 1_000_000)].concat();
        put(&mut line, 4, &event);
        let (mut entry, mut metadata) = (varint(1, number), varint(1, number));
        put(&mut metadata, 2, name.as_bytes());
        put(&mut entry, 2, &metadata);
        put(&mut plane, 4, &entry);
    }
    put(&mut plane, 3, &line);
    let mut file = Vec::new();
    put(&mut file, 1, &plane);
    if has_gpu {
        let mut gpu = Vec::new();
        put(&mut gpu, 2, b"/device:GPU:0");
        put(&mut file, 1, &gpu);
    }
    if !said.is_empty() {
        put(&mut file, 2, said.as_bytes());
    }
    Opener::open_bytes("host.xplane.pb", &file, CategoryRules::default()).expect("a profile")
}

#[test]
fn a_gpu_without_an_event_is_said_of_an_xspace_too() {
    let codes = |opened: &Opened| {
        let all = opened.files.iter().flat_map(|file| &file.problems);
        all.map(|own| own.code.to_string()).collect::<Vec<_>>()
    };
    let used = ["ExecutorState::Process", "a:MatMul", "EagerExecute: f", "b/_3:_Send"];
    let lacks = "host: Failed to load libcupti (is it installed and accessible?)";
    let opened = space(&used, lacks, true);
    assert!(codes(&opened).contains(&"gpu-without-events".to_owned()), "{:?}", codes(&opened));
    let files = opened.files.clone();
    let own = Study::new(opened.trace);
    let said = verdict::of_files(&own, &files).sentence;
    assert!(said.contains("What its GPU did was not recorded.") && !said.contains("compute"), "{said}");
    let found: Value = serde_json::from_str(&findings::json(&own, &files, None)).expect("JSON");
    let more = found["sentence"].as_str().expect("a sentence");
    assert!(more.contains("record this, too: what the GPU does (CUPTI"), "{more}");
    // The profiler says so without a plane.
    assert!(codes(&space(&used, lacks, false)).contains(&"gpu-without-events".to_owned()));
    assert_eq!(codes(&space(&used[..2], "", true)), ["gpu-unused"]);
    assert_eq!(codes(&space(&used, "", false)), [""; 0]);
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
