//! Steps that a program, a device or a run marks: which marks are steps, how long they are, and what is said of one, of the mean, and of steps far apart.

use super::made::{CPU, HostEvent, launched_as, launched_for, of_torch, said, tensorflow2, usual};
use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::steps::figures::{step_figures, variation};
use steplens_core::{Nanos, Study};
use steplens_report::verdict;
use steplens_tests::opened::{
    HOST, TorchEvent, event, found, on_host, open, process, row, study, text, torch, torch_study, with_gpu,
};
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::{list, named};
use steplens_tests::writer::{Scenario, op};

/// A step of 1 ms that is marked, one more mark as the loop ends, and the wait with which the profiler ends; `more` in the second.
fn stub(more: &[TorchEvent<'static>]) -> usize {
    let mut events = vec![("user_annotation", "ProfilerStep#3", 1, 0, 1_000, 0)];
    events.extend(usual(0, 9));
    events.push(("user_annotation", "ProfilerStep#4", 1, 1_010, 20, 0));
    events.push(("cuda_runtime", "cudaDeviceSynchronize", 1, 1_025, 100, 0));
    events.extend(more);
    torch_study(&events).steps()
}

#[test]
fn a_mark_after_which_only_the_profiler_waits_is_no_step() {
    assert_eq!(stub(&[]), 1);
    assert_eq!(stub(&[("cpu_op", "aten::mm", 1, 1_012, 5, 0)]), 2);
    assert_eq!(stub(&[("cuda_runtime", "cudaLaunchKernel", 1, 1_012, 5, 0)]), 2);
}

/// Steps of these lengths in µs, one after the other, marked as Keras does, which counts from 0.
fn steps(lengths: &[i64]) -> String {
    let (mut events, mut at): (Vec<HostEvent<'_>>, i64) = (Vec::new(), 0);
    for (place, &length) in lengths.iter().enumerate() {
        let number = place.to_string();
        events.push(("TraceContext", 1, at, length, json!({ "step_num": number, "group_id": number })));
        events.push(("x:MatMul", 1, at, length, json!({ "group_id": number })));
        at += length;
    }
    let (study, files) = tensorflow2(false, &events);
    verdict::of_files(&study, &files).sentence
}

#[test]
fn a_step_that_is_most_of_a_recording_is_said() {
    let said = steps(&[100, 120, 600, 80, 100]);
    assert!(
        said.contains("Step 2 alone takes 60.0") && said.contains("no other step more than 120"),
        "{said}"
    );
    assert!(!steps(&[100, 120, 400, 80, 300]).contains("alone"));
    // Of two steps one always has half.
    assert!(!steps(&[400, 600]).contains("alone"));
}

#[test]
fn marks_that_hold_nearly_nothing_are_no_steps() {
    let of = |length: i64| {
        let names = ["ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3"];
        let mut events: Vec<TorchEvent<'_>> = Vec::new();
        for (name, at) in names.into_iter().zip([0, 20_000, 40_000]) {
            events.push(("user_annotation", name, 1, at, length, 0));
            events.push(("cpu_op", "aten::mm", 1, at, length - 10, 0));
            events.push(("cpu_op", "aten::mm", 1, at + length, 18_000, 0));
        }
        said(&torch_study(&events))
    };
    let own = of(50);
    assert!(own.contains("they are no steps") && !own.contains("with 3 steps"), "{own}");
    assert!(!of(1_900).contains("they are no steps"), "{}", of(1_900));
}

#[test]
fn a_saving_of_several_steps_is_that_of_the_recording_with_its_mean_for_a_step() {
    let Some(bytes) = sample("real/pytorch/v100-resnet50.json.gz") else { return };
    let study = Study::new(open(&[("v100.json.gz", &bytes)]).trace);
    let list = list(&study);
    let rows = list["findings"].as_array().expect("findings");
    let steps = study.steps() as i64;
    assert_eq!(steps, 6);
    for own in rows.iter().filter(|own| own["saving_ns"].is_i64()) {
        let sentence = own["sentence"].as_str().unwrap_or_default();
        assert!(sentence.contains("the recording") && !sentence.contains("the step would"), "{sentence}");
        assert!(sentence.contains("In the mean of 6 steps, that is "), "{sentence}");
    }
    // One step of it is a step.
    let first = rows[0]["saving_ns"].as_i64().unwrap_or_default();
    assert!(first / steps > 30_000_000 && first / steps < 32_000_000, "{first}");
}

#[test]
fn the_only_step_ends_with_its_mark_and_its_work() {
    let mut events = vec![
        on_host("user_annotation", "ProfilerStep#3", 0.0, 3_766.0),
        on_host("cpu_op", "aten::mm", 100.0, 50.0),
        on_host("user_annotation", "ProfilerStep#4", 3_800.0, 30.0),
        on_host("cuda_runtime", "cudaDeviceSynchronize", 3_908.0, 11.0),
    ];
    events.extend(launched_for(1, 110.0, 120.0, 1_500.0));
    let study = with_gpu(&events);
    assert!(said(&study).starts_with("Step 3.766 ms:"), "{}", said(&study));
    let (trace, steps) = study.view().steps(study.trace());
    assert_eq!(step_figures(&trace, &steps)[0].split.window, Nanos(3_766_000));
    // Work outside of the mark is shown.
    events.push(on_host("cpu_op", "aten::add", 3_850.0, 10.0));
    assert!(!said(&with_gpu(&events)).contains("3.766 ms"));
}

#[test]
fn work_that_was_launched_before_the_recording_is_of_no_step() {
    let mut events = Vec::new();
    let nccl = |at: f64, id: i64| {
        let args = json!({ "correlation": id, "stream": 7, "device": 0 });
        event("kernel", "ncclDevKernel_Generic", (0, 7), (at, 5_000.0), &args)
    };
    // Three collectives of a step before the recording.
    events.extend((0..3_i64).map(|number| nccl(6_000.0 * number as f64, 900 + number)));
    for step in 0..3_i64 {
        let at = 1_000.0 + 1_000.0 * step as f64;
        events.push(on_host("user_annotation", &format!("ProfilerStep#{}", 15 + step), at, 1_000.0));
        events.push(on_host("cpu_op", "aten::mm", at + 10.0, 100.0));
        let ends = 18_000.0 + 6_000.0 * step as f64;
        events.push(event(
            "cuda_runtime",
            "cudaLaunchKernel",
            HOST,
            (at + 20.0, 5.0),
            &json!({ "correlation": step + 1 }),
        ));
        events.push(nccl(ends, step + 1));
    }
    let own = with_gpu(&events);
    assert!(own.has_before() && own.steps() == 3);
    let (whole, steps) = own.view().steps(own.trace());
    let before: Vec<_> = steps.rows().iter().filter(|row| row.is_before).collect();
    assert_eq!(before.len(), 1);
    assert_eq!((before[0].ops, before[0].span.length().0), (3, 17_000_000), "{:?}", whole.span());
    let communication = found(&own, "exposed-communication");
    assert_eq!(communication["saving_ns"], 15_000_000, "{communication}");
    assert!(text(&communication, "sentence").contains("5.00 ms for each"), "{communication}");
    let said = verdict::of(&own, false).sentence;
    assert!(said.contains("Its first 17.00 ms are no step"), "{said}");
}

#[test]
fn runs_of_another_graph_are_no_steps() {
    let builder = |first: &str, pause: i64| {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        let mut at = 0;
        for run in 0..5 {
            let input = Scenario::new().device(
                CPU,
                [op("r = RandomUniform()", at, 5_000_000), op("x = Mul(r)", at + 5_000_000, 2_000_000)],
            );
            files.push((format!("{run}a.pb"), input.bytes()));
            at += 7_000_000 + if run == 0 { pause } else { 200_000 };
            let model = [first, "a = Relu(c)", "m = MatMul(a)", "s = Softmax(m)"];
            let ops = (0..).zip(model).map(|(place, label)| op(label, at + place * 85_000_000, 85_000_000));
            files.push((format!("{run}b.pb"), Scenario::new().device(CPU, ops).bytes()));
            at += 345_000_000;
        }
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        study(open(&files))
    };
    let own = builder("c = Conv2D(x)", 1_300_000_000);
    let (_, steps) = own.view().steps(own.trace());
    assert_eq!((steps.count(), steps.rows().len()), (5, 10));
    assert!(variation(&steps).is_some_and(|own| own.0 < 1_000_000));
    let found = row(&own, Rule::FirstStep).expect("a finding");
    assert!(text(&found, "sentence").contains("first run of a graph"), "{found}");
    assert_eq!(found["saving_ns"].as_i64().map(|own| own / 1_000_000), Some(1_299));
    assert_eq!(row(&builder("c = Conv2D(x)", 300_000), Rule::FirstStep), None);
    // What an executor begins with is not left out where nothing else has a name.
    let found = row(&builder("_SOURCE = NoOp(x)", 1_300_000_000), Rule::FirstStep).expect("a finding");
    assert!(text(&found, "sentence").contains("first run of a graph"), "{found}");
}

#[test]
fn a_run_of_another_graph_is_not_what_was_launched_before() {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for run in 0..3 {
        let at = run * 540_000_000;
        let input = Scenario::new().device(CPU, [op("r = RandomUniform()", at, 200_000_000)]);
        let model = ["c = Conv2D(x)", "a = Relu(c)", "m = MatMul(a)", "s = Softmax(m)"];
        let ops = (0..)
            .zip(model)
            .map(|(place, label)| op(label, at + 200_000_000 + place * 85_000_000, 85_000_000));
        files.push((format!("{run}a.pb"), input.bytes()));
        files.push((format!("{run}b.pb"), Scenario::new().device(CPU, ops).bytes()));
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let own = study(open(&files));
    let (_, steps) = own.view().steps(own.trace());
    assert_eq!((steps.count(), steps.rows().len()), (3, 6));
    // Each takes an eighth of the recording: enough to be said, if it had been launched before.
    assert!(!said(&own).contains("are no step"), "{}", said(&own));
}

#[test]
fn a_mean_for_a_step_is_only_said_of_what_steps_have() {
    // Three marked steps of 10 ms, in which the GPU waits for its host; then 5 ms more.
    let of = |after: i64| {
        let mut events = Vec::new();
        for step in 0..3 {
            events.push((
                "user_annotation",
                ["ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3"][step as usize],
                1,
                step * 10_000,
                10_000,
                0,
            ));
        }
        for place in 0..30 + after {
            let (at, id) = (place * 1_000, place + 1);
            events.push(("cpu_op", "aten::mm", 1, at, 990, 0));
            events.push(("cuda_runtime", "cudaLaunchKernel", 1, at + 700, 10, id));
            events.push(("kernel", "gemm", 7, at + 720, 250, id));
        }
        let found = row(&torch_study(&events), Rule::HostBound).expect("a finding");
        text(&found, "sentence").to_owned()
    };
    assert!(of(0).contains("In the mean of 3 steps"), "{}", of(0));
    assert!(!of(5).contains("In the mean of"), "{}", of(5));
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

#[test]
fn a_step_is_called_by_the_number_of_its_file() {
    let step = |number: u32, at: f64, length: f64| {
        let mark = on_host("user_annotation", &format!("ProfilerStep#{number}"), at, length);
        [mark, on_host("cpu_op", "aten::mm", at + 1.0, length - 2.0)]
    };
    let steps = [step(4, 1_000.0, 1_000.0), step(5, 2_000.0, 5_000.0), step(6, 7_000.0, 500.0)];
    let mut events = vec![on_host("cpu_op", "aten::zeros", 900.0, 50.0)];
    events.extend(steps.into_iter().flatten());
    let own = of_torch(&events);
    assert_eq!([0, 1, 2, 3, 4].map(|row| own.step_called(row)), [None, Some(4), Some(5), Some(6), None]);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("Step 5 alone takes"), "{said}");
}

/// Steps of PyTorch's profiler, each 20 ms: a launch after 2 ms, and its kernel for 15 ms.
fn steps_at(starts: &[i64]) -> Study {
    let mut all: Vec<Value> = [process(1, "CPU"), process(0, "GPU 0")].concat();
    for (number, &at) in (1..).zip(starts) {
        let event = |cat: &str, name: &str, pid: i64, ts: i64, dur: i64, args: Value| json!({ "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": 7, "ts": ts, "dur": dur, "args": args });
        all.extend([
            event("user_annotation", &format!("ProfilerStep#{number}"), 1, at, 20_000, json!({})),
            event("cuda_runtime", "cudaLaunchKernel", 1, at + 2_000, 20, json!({ "correlation": number })),
            event(
                "kernel",
                "gemm",
                0,
                at + 2_100,
                15_000,
                json!({ "correlation": number, "device": 0, "stream": 7 }),
            ),
        ]);
    }
    study(open(&[("trace.json", &torch(&all, &json!({})))]))
}

#[test]
fn steps_far_apart_are_as_long_as_they_are_together() {
    let far = steps_at(&[0, 600_000]);
    let said = verdict::of(&far, false).main;
    assert!(said.starts_with("2 steps, far apart: together they take 40.00 ms of 617.1 ms."), "{said}");
    // Only 4 ms of the time between is a host's, before the launches of the steps: less than 2 %.
    assert_eq!(row(&far, Rule::HostBound), None, "{}", list(&far));
    assert!(row(&steps_at(&[0, 20_000, 40_000]), Rule::HostBound).is_some());
}

#[test]
fn of_steps_far_apart_nothing_is_said_to_help_nothing() {
    let far = |gap: f64| {
        let mut events = Vec::new();
        for step in 0..2_i64 {
            let at = gap * step as f64;
            events.push(on_host("user_annotation", &format!("ProfilerStep#{}", step + 1), at, 1_000.0));
            events.push(on_host("cpu_op", "aten::mm", at, 20.0));
            events.extend(launched_as(step + 1, (at + 5.0, 5.0), ("gemm", at + 30.0, at + 950.0)));
        }
        text(&steplens_tests::tensorflow::list(&with_gpu(&events)), "sentence").to_owned()
    };
    assert!(far(400_000.0).starts_with("The steps are far apart"), "{}", far(400_000.0));
    assert!(far(400_000.0).contains("--step 1"), "{}", far(400_000.0));
    assert!(!far(1_000.0).contains("far apart"), "{}", far(1_000.0));
}

/// A step that the program marks for 10 ms, in which an operator runs from 2 to 8 ms, and what else was recorded.
fn marked(others: &[TorchEvent<'_>]) -> Study {
    let own = [
        ("user_annotation", "ProfilerStep#3", 100, 5_000, 10_000, 0),
        ("cpu_op", "aten::mm", 100, 7_000, 6_000, 0),
    ];
    torch_study(&[own.as_slice(), others].concat())
}

#[test]
fn a_step_is_as_long_as_its_mark() {
    let own = marked(&[]);
    let sentence = verdict::of(&own, false).sentence;
    assert!(sentence.contains("Step 10.00 ms: compute on the CPU takes 60.0 %"), "{sentence}");
    assert_eq!(own.trace().span().length().0, 10_000_000);
    // What ran before the mark is shown, too.
    let own = marked(&[("cpu_op", "aten::add", 100, 1_000, 1_000, 0)]);
    assert_eq!(own.trace().span().length().0, 12_000_000);
    // Where a GPU was recorded the step ends with the work.
    let own = marked(&[
        ("cuda_runtime", "cudaLaunchKernel", 100, 8_000, 10, 1),
        ("kernel", "gemm", 7, 8_020, 100, 1),
    ]);
    assert_eq!(own.trace().span().length().0, 8_000_000);
}
