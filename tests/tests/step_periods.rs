//! A step that a program marks is a period: programs run ahead of their GPUs, and no GPU is idle while it works on an earlier step.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;
use std::sync::Arc;
use steplens_core::model::file::FileReport;
use steplens_core::steps::figures::step_figures;
use steplens_core::{Category, CategoryRules, Nanos, Study, Trace, View};
use steplens_formats::session::write;
use steplens_formats::{Limits, Opener};
use steplens_report::verdict;
use steplens_tests::places::root;
use steplens_tests::samples::{case, sample};

const US: i64 = 1_000;

/// An event of PyTorch's profiler: category, name, thread, start and length in µs, correlation.
type Event<'a> = (&'a str, &'a str, i64, (i64, i64), i64);

fn torch(events: &[Event<'_>]) -> Study {
    let named = |pid: i64, labels: &str| json!({ "ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "ts": 0, "args": { "labels": labels } });
    let event = |&(cat, name, tid, (ts, dur), correlation): &Event<'_>| {
        let is_of_gpu = ["kernel", "gpu_memcpy", "gpu_user_annotation"].contains(&cat);
        let pid = if is_of_gpu { 0 } else { 100 };
        json!({ "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
            "args": { "correlation": correlation } })
    };
    let all: Vec<Value> =
        [named(100, "CPU"), named(0, "GPU 0")].into_iter().chain(events.iter().map(event)).collect();
    study(json!({ "schemaVersion": 1, "traceEvents": all }).to_string().as_bytes())
}

fn study(bytes: &[u8]) -> Study {
    Study::new(Opener::open_bytes("trace.json", bytes, CategoryRules::default()).unwrap().trace)
}

/// Start, length, idle and pause before of each step, in µs.
fn steps(study: &Study) -> Vec<[i64; 4]> {
    let (trace, steps) = study.view().steps(study.trace());
    let figures = step_figures(&trace, &steps);
    let row =
        |(step, own): (&steplens_core::steps::rule::Step, &steplens_core::steps::figures::StepFigures)| {
            assert_eq!(step.span.length(), own.split.window);
            [step.span.start.0, own.split.window.0, own.split.idle.0, step.pause_before.0].map(|ns| ns / US)
        };
    steps.rows().iter().zip(&figures).map(row).collect()
}

#[test]
fn the_mark_of_a_step_in_which_nothing_ran_is_no_step() {
    let mut events = run_ahead();
    let ran = steps(&torch(&events));
    events.push(("user_annotation", "ProfilerStep#4", 1, (2_900, 50), 0));
    assert_eq!(steps(&torch(&events)).len(), ran.len());
}

/// Two steps of 100 µs on the host each launch 300 µs of work.
fn run_ahead() -> Vec<Event<'static>> {
    vec![
        ("user_annotation", "ProfilerStep#1", 1, (1_000, 100), 0),
        ("cuda_runtime", "cudaLaunchKernel", 1, (1_010, 5), 11),
        ("kernel", "k", 7, (1_020, 300), 11),
        ("user_annotation", "ProfilerStep#2", 1, (1_100, 100), 0),
        ("cuda_runtime", "cudaLaunchKernel", 1, (1_110, 5), 12),
        ("kernel", "k", 7, (1_320, 300), 12),
        ("user_annotation", "ProfilerStep#3", 1, (1_900, 50), 0),
        ("cpu_op", "aten::add", 1, (1_905, 20), 0),
    ]
}

#[test]
fn steps_end_with_their_work_and_do_not_overlap() {
    let study = torch(&run_ahead());
    // Time 0 is the first mark, 10 µs before the first call.
    assert_eq!(steps(&study), [[0, 320, 20, 0], [320, 300, 0, 0], [900, 50, 50 - 20, 280]]);
}

#[test]
fn what_is_launched_between_two_steps_ends_neither() {
    let mut events = run_ahead();
    events.push(("cuda_runtime", "cudaLaunchKernel", 1, (1_300, 5), 13));
    events.push(("kernel", "evaluation", 7, (1_700, 900), 13));
    let [_, second, third] = steps(&torch(&events))[..] else { panic!() };
    // The third step launched nothing, and the GPU was busy all the time.
    assert_eq!((second, third), ([320, 300, 0, 0], [900, 50, 0, 280]));
}

#[test]
fn of_several_devices_the_latest_end_counts() {
    let mut events = run_ahead();
    events.push(("cuda_runtime", "cudaLaunchKernel", 1, (1_050, 5), 14));
    events.push(("kernel", "other stream", 9, (1_060, 440), 14));
    let [first, second, _] = steps(&torch(&events))[..] else { panic!() };
    assert_eq!((first, second), ([0, 500, 20, 0], [500, 120, 0, 0]));
}

/// The trace of a session of `trace`.
fn reopened(trace: &Trace) -> Trace {
    let (name, format, problems) = ("trace.json".to_owned(), "chrome-trace".into(), Vec::new());
    let file = FileReport { name, format, bytes: 1, ops: trace.ops().len(), problems };
    Opener::open_bytes("s", &write(trace, &[file]), CategoryRules::default()).unwrap().trace
}

#[test]
fn one_step_alone_is_its_period() {
    let study = torch(&run_ahead());
    let alone = Study::of_view(study.trace(), View { step: Some(1), ..View::default() });
    let span = alone.trace().span();
    assert_eq!((alone.trace().unix_ns(span.start), span.length()), (1_320 * US, Nanos(300 * US)));
    let split = alone.step_split(span);
    assert_eq!((split.compute, split.idle), (Nanos(300 * US), Nanos(0)));
    // Its call, before the period, is still its own.
    let call = alone.trace().calls()[0].1;
    assert_eq!(alone.trace().unix_ns(alone.trace().ops().start(call)), 1_110 * US);
    let causes = alone.causes();
    assert_eq!((causes.observed.length(), causes.observed.unexplained()), (Nanos(300 * US), Nanos(0)));
    // A session keeps what is shown, and which parts are steps.
    let again = reopened(alone.trace());
    assert_eq!((again.span(), again.origin_unix_ns()), (span, alone.trace().origin_unix_ns()));
    let whole = reopened(study.trace());
    assert_eq!(steps(&Study::new(whole)), steps(&study));
}

#[test]
fn the_path_of_a_step_does_not_go_to_what_another_step_launched() {
    let study = torch(&[
        ("user_annotation", "ProfilerStep#1", 1, (1_000, 100), 0),
        ("cuda_runtime", "cudaLaunchKernel", 1, (1_000, 5), 11),
        ("kernel", "first", 7, (1_010, 210), 11),
        ("cuda_runtime", "cudaLaunchKernel", 1, (1_050, 5), 12),
        ("kernel", "last", 7, (1_250, 100), 12),
        ("user_annotation", "ProfilerStep#2", 1, (1_100, 400), 0),
        ("cuda_runtime", "cudaLaunchKernel", 1, (1_225, 5), 13),
        // It ends 5 µs before the last kernel of the first step starts.
        ("kernel", "of the next step", 25, (1_231, 14), 13),
    ]);
    let alone = Study::of_view(study.trace(), View { step: Some(0), ..View::default() });
    let (trace, path) = (alone.trace(), &alone.causes().observed);
    let names: Vec<_> = path.segments.iter().map(|segment| trace.op_name(segment.op)).collect();
    assert!(names.contains(&"first") && !names.contains(&"of the next step"), "{names:?}");
    // Between the two kernels, and until the first one started.
    assert!(path.unexplained() <= Nanos(40 * US), "{:?}", path.unexplained());
}

#[test]
fn what_other_steps_do_in_a_period_is_shown_with_it() {
    // The second GPU is still at work on step 1 while step 2 has begun on the first.
    let mut events = run_ahead();
    events[1] = ("cuda_runtime", "cudaLaunchKernel", 1, (1_150, 5), 11);
    events[2] = ("kernel", "launched in step 2", 7, (1_160, 10), 11);
    events.push(("cuda_runtime", "cudaLaunchKernel", 1, (1_020, 5), 15));
    events.push(("kernel", "launched in step 1", 9, (1_030, 200), 15));
    let study = torch(&events);
    let (trace, all) = study.view().steps(study.trace());
    // Step 1 lasts until 1,230 µs, and has a kernel of step 2 in it.
    assert_eq!(all.rows()[0].span.end.0 - all.rows()[0].span.start.0, 230 * US);
    let alone = all.alone(&trace, 0).trace;
    let names: Vec<_> = alone.ops().ids().map(|op| alone.op_name(op)).collect();
    assert!(names.contains(&"launched in step 1") && names.contains(&"launched in step 2"), "{names:?}");
    assert_eq!(all.rows()[0].ops, alone.ops().len() as u64);
}

#[test]
fn steps_of_an_xspace_are_periods_too() {
    // Its program marks steps of 1 ms from 0 on; their last kernels end at 1,100, 2,100 and 3,100 µs.
    let file = root().join("tests/fixtures/containers/gpu.xplane.pb");
    let rows = steps(&study(&std::fs::read(file).unwrap()));
    let spans: Vec<[i64; 3]> = rows.iter().map(|row| [row[0], row[1], row[3]]).collect();
    assert_eq!(spans, [[0, 1_100, 0], [1_100, 1_000, 0], [2_100, 1_000, 0]]);
}

#[test]
fn cases_of_gpus_that_are_the_limit() {
    let (Some(ahead), Some(synced)) = (case("run-ahead.json"), case("sync-each-step.json")) else { return };
    // 50 kernels of 1 ms, and 50 us until the first.
    let rows = steps(&study(&ahead));
    let lengths: Vec<i64> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(lengths, [10_050, 10_000, 10_000, 10_000, 10_000]);
    assert!(rows.iter().all(|row| row[2] * 1_000 <= row[1] * 5 && row[3] == 0), "{rows:?}");
    let lengths: Vec<i64> = steps(&study(&synced)).iter().map(|row| row[1]).collect();
    assert!(lengths.iter().all(|length| (10_150..=10_200).contains(length)), "{lengths:?}");
}

#[test]
fn a_real_run_ahead_of_its_gpu() {
    let Some(packed) = sample("real/pytorch/run-ahead-gpu-bound.json.gz") else { return };
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("trace.json");
    opener.push(&bytes);
    opener.end_file();
    let study = Study::new(Arc::new(opener.finish().unwrap().trace));
    let expected = by_the_rule(&serde_json::from_slice(&bytes).unwrap());
    // The first row is what was launched before the recording.
    let actual: Vec<[i64; 2]> = steps(&study).iter().skip(1).map(|row| [row[1], row[2]]).collect();
    assert_eq!(actual.len(), expected.len());
    for (row, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        let differs = [0, 1].map(|place| (actual[place] - expected[place]).abs());
        assert!(differs.iter().all(|&us| us <= 2), "step {row}: {actual:?}, not {expected:?}");
        let least = if row > 0 { 22_700 } else { 22_300 };
        assert!((least..=22_950).contains(&actual[0]) && actual[1] * 100 <= actual[0] * 3, "{actual:?}");
    }
}

/// Length and idle of each step in µs, read from the events by the rule alone.
fn by_the_rule(file: &Value) -> Vec<[i64; 2]> {
    let events = file["traceEvents"].as_array().unwrap();
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok()).unwrap();
    let of = |event: &Value| (number(&event["ts"]), number(&event["ts"]) + number(&event["dur"]));
    let is = |event: &&Value, cats: &[&str]| {
        event["ph"] == "X" && cats.contains(&event["cat"].as_str().unwrap_or(""))
    };
    let mut marks: Vec<(f64, f64)> = events
        .iter()
        .filter(|event| is(event, &["user_annotation", "cpu_op"]))
        .filter(|event| event["name"].as_str().unwrap().starts_with("ProfilerStep#"))
        .map(of)
        .collect();
    marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let calls = events.iter().filter(|event| is(event, &["cuda_runtime", "cuda_driver"]));
    let calls: std::collections::HashMap<String, f64> =
        calls.map(|call| (call["args"]["correlation"].to_string(), of(call).0)).collect();
    let work: Vec<(f64, (f64, f64))> = events
        .iter()
        .filter(|event| is(event, &["kernel", "gpu_memcpy", "gpu_memset"]))
        .map(|event| {
            let launched = calls.get(&event["args"]["correlation"].to_string());
            (launched.copied().unwrap_or(of(event).0), of(event))
        })
        .collect();
    // What was launched before the recording began runs on into its first step.
    let is_called = |event: &&Value| calls.contains_key(&event["args"]["correlation"].to_string());
    let of_gpu = events.iter().filter(|event| is(event, &["kernel", "gpu_memcpy", "gpu_memset"]));
    let first_called = of_gpu.clone().filter(is_called).map(|event| of(event).0).fold(f64::MAX, f64::min);
    let left = of_gpu.filter(|event| !is_called(event)).map(of).filter(|own| own.0 < first_called);
    let mut found = Vec::new();
    let mut before = left.map(|own| own.1).fold(f64::MIN, f64::max);
    for &(start, end) in &marks {
        let launched = work.iter().filter(|(at, _)| (start..end).contains(at)).map(|(_, (_, end))| *end);
        let (start, end) = (start.max(before), launched.fold(end, f64::max));
        let mut inside: Vec<(f64, f64)> = work
            .iter()
            .map(|(_, own)| (own.0.max(start), own.1.min(end)))
            .filter(|own| own.0 < own.1)
            .collect();
        inside.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut busy, mut reached) = (0.0, start);
        for (from, to) in inside {
            busy += (to - from.max(reached)).max(0.0);
            reached = reached.max(to);
        }
        found.push([(end - start) as i64, (end - start - busy) as i64]);
        before = end;
    }
    found
}

/// Two steps in which the host runs for a while before its first op and after its last.
fn host_around() -> Study {
    torch(&[
        ("user_annotation", "ProfilerStep#1", 1, (1_000, 300), 0),
        ("cpu_op", "aten::add", 1, (1_090, 100), 0),
        ("user_annotation", "ProfilerStep#2", 1, (1_300, 200), 0),
        ("cpu_op", "aten::mul", 1, (1_310, 150), 0),
    ])
}

#[test]
fn a_recording_begins_with_the_first_step_that_its_program_marked() {
    let study = host_around();
    // The last op ends 40 µs before its step.
    assert_eq!(study.trace().span().length(), Nanos(460 * US));
    assert_eq!(steps(&study), [[0, 300, 200, 0], [300, 200, 50, 0]]);
    // A session says the same.
    let again = reopened(study.trace());
    assert_eq!(again.span(), study.trace().span());
    assert_eq!(again.origin_unix_ns(), study.trace().origin_unix_ns());
}

#[test]
fn the_program_of_a_marked_step_runs_before_its_first_op_and_after_its_last() {
    let whole = host_around();
    let kinds = |study: &Study| {
        let path = &study.causes().observed;
        let named = path.segments.iter().map(|own| (own.kind.word(), own.interval.length().0 / US));
        named.collect::<Vec<_>>()
    };
    let between = "host-between-ops";
    assert_eq!(kinds(&whole), [(between, 90), ("compute", 100), (between, 120), ("compute", 150)]);
    let alone = Study::of_view(whole.trace(), View { step: Some(1), ..View::default() });
    assert_eq!(kinds(&alone), [(between, 10), ("compute", 150), (between, 40)]);
}

#[test]
fn a_reason_that_is_not_known_for_longer_than_a_device_is_idle_is_no_verdict() {
    let Some(bytes) = case("ascend.json") else { return };
    let study = study(&bytes);
    let unexplained = study.causes().observed.unexplained();
    assert!(unexplained > study.step_split(study.trace().span()).idle, "{unexplained:?}");
    let said = steplens_report::verdict::of(&study, false).sentence;
    assert!(said.contains("compute on the accelerator") && !said.contains("says why"), "{said}");
}

#[test]
fn what_ran_before_the_first_step_of_any_rank_is_no_step() {
    let rank = |number: i64| {
        let event = |cat: &str, name: &str, ts: i64, dur: i64| json!({ "ph": "X", "cat": cat, "name": name, "pid": 100 + number, "tid": 1, "ts": ts, "dur": dur });
        let events = [
            event("cpu_op", "aten::zeros", 10 + number, 5),
            event("user_annotation", "ProfilerStep#3", 100, 50),
            event("cpu_op", "aten::add", 110, 30),
            event("user_annotation", "ProfilerStep#4", 150, 50),
            event("cpu_op", "aten::add", 160, 30),
        ];
        json!({ "schemaVersion": 1, "distributedInfo": { "backend": "nccl", "rank": number, "world_size": 3 },
            "traceEvents": events })
        .to_string()
    };
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for number in 0..3 {
        opener.begin_file(&format!("rank{number}.json"));
        opener.push(rank(number).as_bytes());
        opener.end_file();
    }
    let study = Study::new(opener.finish().unwrap().trace);
    let (_, steps) = study.view().steps(study.trace());
    assert_eq!(steps.count(), 2);
    assert!(steps.rows().len() > 2);
}

#[test]
fn what_tensorflow_puts_around_a_function_is_no_work_and_a_silent_gpu_is_said() {
    let named = |pid: i64, name: &str| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": name } });
    let event = |name: &str, (ts, dur): (i64, i64)| json!({ "ph": "X", "name": name, "pid": 49, "tid": 7, "ts": ts, "dur": dur, "args": {} });
    let document = |gpu: Vec<Value>| {
        let own = [
            named(49, "/host:CPU"),
            event("TraceContext", (0, 100)),
            event("FunctionRun", (10, 80)),
            event("MatMul", (20, 30)),
        ];
        let events = [gpu, own.to_vec()].concat();
        json!({ "traceEvents": events }).to_string()
    };
    let open =
        |text: &str| Opener::open_bytes("t.trace.json", text.as_bytes(), CategoryRules::default()).unwrap();
    let opened = open(&document(vec![named(0, "/device:GPU:0")]));
    let codes = |files: &[FileReport]| {
        files.iter().flat_map(|file| &file.problems).map(|own| own.code.to_string()).collect::<Vec<_>>()
    };
    // Nothing was sent to it: what ran, ran on the CPU.
    assert_eq!(codes(&opened.files), ["gpu-unused"]);
    let said = verdict::of_files(&Study::new(opened.trace.clone()), &opened.files).sentence;
    assert!(said.contains("nothing shows that it was used") && !said.contains("not recorded"), "{said}");
    for sent in ["_Send", "_HostRecv", "cuMemcpyHtoDAsync_v2"] {
        let gpu = vec![named(0, "/device:GPU:0"), event(sent, (15, 2))];
        let opened = open(&document(gpu));
        assert_eq!(codes(&opened.files), ["gpu-without-events"], "{sent}");
        let said = verdict::of_files(&Study::new(opened.trace), &opened.files).sentence;
        assert!(said.contains("What its GPU did was not recorded."), "{said}");
    }
    let study = Study::new(opened.trace);
    assert_eq!(study.trace().span().length(), Nanos(30 * US));
    assert_eq!(codes(&open(&document(Vec::new())).files), [""; 0]);
}

#[test]
fn gaps_of_a_stream_are_those_in_the_period_of_the_step() {
    let file = "real/pytorch/run-ahead-gpu-bound.json.gz";
    let Some(bytes) = sample(file) else { return };
    let whole = study(&bytes);
    let (_, rows) = whole.view().steps(whole.trace());
    let kernels = |study: &Study, thread: u32| -> Vec<(i64, i64)> {
        let trace = study.trace();
        let gpu = trace.devices().ids().find(|&id| trace.devices().get(id).is_accelerator).unwrap();
        let own = trace.ops_of(gpu).filter(|&op| {
            trace.ops().thread(op) == thread
                && !matches!(trace.category(op), Category::Range | Category::Waiting)
        });
        own.map(|op| (trace.ops().start(op).0, trace.ops().end(op).0)).collect()
    };
    let mut seen = 0;
    for (row, step) in rows.rows().iter().enumerate() {
        let shown = Study::of_view(whole.trace(), View { step: Some(row), ..View::default() });
        for stream in &shown.scheduling().streams {
            let own = kernels(&shown, stream.thread);
            let window = step.span.length().0;
            let from = own.iter().map(|&(start, _)| start).min().unwrap().clamp(0, window);
            let until = own.iter().map(|&(start, _)| start).max().unwrap().clamp(0, window);
            // What the stream ran, whichever step it was of.
            let mut ran: Vec<(i64, i64)> = kernels(&whole, stream.thread)
                .iter()
                .map(|&(start, end)| (start - step.span.start.0, end - step.span.start.0))
                .collect();
            ran.sort_unstable();
            let (mut now, mut empty) = (from, 0);
            for (start, end) in ran {
                empty += (start.min(until) - now).max(0);
                now = now.max(end);
            }
            assert_eq!(stream.gaps.length.0, empty, "step {row}, stream {}", stream.thread);
            seen += stream.gaps.count;
        }
    }
    assert!(seen > 100, "{seen}");
}
