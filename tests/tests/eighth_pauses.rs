//! What a stranger found wrong in the eighth reading of traces next to their data: long pauses that were called many small calls, or a habit of the
//! program, and what of a recording is no step. Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::findings::passes::passes;
use steplens_core::findings::{Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::steps::figures::step_figures;
use steplens_core::{Category, Nanos, Study};
use steplens_report::causality::CriticalPath;
use steplens_report::{findings, verdict};
use steplens_tests::opened::{HOST, event, on_host, row, with_gpu};

const LOAD: &str = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

/// A call of the program's thread at `start` that takes 5 µs, and the kernel that it launches, from 10 µs later on, of `length` µs.
fn launched(id: i64, start: f64, length: f64) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    [
        event("cuda_runtime", "cudaLaunchKernel", HOST, (start, 5.0), &args),
        event("kernel", "gemm", (0, 7), (start + 10.0, length), &args),
    ]
}

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

/// 200 operators of 5 µs, 95 µs apart, and 100 ms after half of them; what else ran.
fn with_a_pause(others: &[Value]) -> Study {
    let at = |place: i32| f64::from(place) * 100.0 + if place < 100 { 0.0 } else { 100_000.0 };
    let mut events: Vec<Value> =
        (0..200).map(|place| on_host("cpu_op", "aten::add", at(place), 5.0)).collect();
    events.extend_from_slice(others);
    with_gpu(&events)
}

#[test]
fn a_long_pause_is_not_many_small_calls() {
    let own = said(&with_a_pause(&[]));
    assert!(!own.contains("many small calls"), "{own}");
    // The last op before it ended at 9,905 µs, the next began at 110,000.
    assert!(
        own.contains("The longest pause between its ops takes 100.1 ms (83.5 %), before aten::add."),
        "{own}"
    );
}

#[test]
fn a_pause_in_the_profiler_is_the_profilers() {
    let frame = |name: &str| on_host("python_function", name, 9_950.0, 100_000.0);
    let of_program = said(&with_a_pause(&[frame("train.py(3): save")]));
    assert!(of_program.contains("before aten::add: train.py(3): save ran."), "{of_program}");
    let study = with_a_pause(&[frame("torch/profiler/profiler.py(797): step"), frame("<built-in method>")]);
    let own = said(&study);
    assert!(
        own.contains("is the profiler’s, not the program’s: torch/profiler/profiler.py(797): step ran."),
        "{own}"
    );
    let tracing = row(&study, Rule::Tracing).expect("a finding");
    assert!(tracing["what"].as_str().unwrap_or_default().contains("100 ms"), "{tracing}");
}

#[test]
fn a_time_between_ops_is_no_time_of_the_next_one() {
    let study = with_a_pause(&[]);
    let path = CriticalPath::of(&study);
    let of = |key: &str| path.by_op_type.iter().find(|own| own.key == key).map(|own| own.length_ns / 1_000);
    assert_eq!(of("aten::add"), Some(1_000));
    assert_eq!(of("between ops"), Some(119_905 - 1_000));
}

/// A program that starts workers for 30 ms, goes through 20 batches, waits for 20 ms and launches one kernel more.
fn with_a_loader() -> Study {
    let mut events = vec![on_host("cpu_op", "aten::random_", 0.0, 10.0)];
    for place in 0..20_i64 {
        let at = 30_010.0 + 500.0 * place as f64;
        events.push(on_host("user_annotation", LOAD, at, 20.0));
        events.push(on_host("cpu_op", "aten::mm", at + 100.0, 30.0));
        events.extend(launched(place + 1, at + 110.0, 200.0));
    }
    events.push(on_host("cpu_op", "aten::item", 60_010.0, 30.0));
    events.extend(launched(99, 60_020.0, 1.0));
    with_gpu(&events)
}

#[test]
fn the_start_of_workers_and_what_follows_the_work_are_no_part_of_a_loop() {
    let study = with_a_loader();
    let own = said(&study);
    assert!(
        own.contains(
            "A pause of 30.00 ms (50.0 %) comes before the first batch: the workers of the DataLoader start."
        ),
        "{own}"
    );
    assert!(own.contains(", before aten::item, comes when nearly all work is done."), "{own}");
    // 20 times some 300 µs between two kernels.
    let host = row(&study, Rule::HostBound).expect("a finding");
    let saving = host["saving_ns"].as_i64().unwrap_or_default();
    assert!((4_000_000..7_000_000).contains(&saving), "{host}");
    assert_ne!(host["where"][0]["op"], "aten::item", "{host}");
}

#[test]
fn the_only_step_ends_with_its_mark_and_its_work() {
    let mut events = vec![
        on_host("user_annotation", "ProfilerStep#3", 0.0, 3_766.0),
        on_host("cpu_op", "aten::mm", 100.0, 50.0),
        on_host("user_annotation", "ProfilerStep#4", 3_800.0, 30.0),
        on_host("cuda_runtime", "cudaDeviceSynchronize", 3_908.0, 11.0),
    ];
    events.extend(launched(1, 110.0, 1_500.0));
    let study = with_gpu(&events);
    assert!(said(&study).starts_with("Step 3.766 ms:"), "{}", said(&study));
    let (trace, steps) = study.view().steps(study.trace());
    assert_eq!(step_figures(&trace, &steps)[0].split.window, Nanos(3_766_000));
    // Work outside of the mark is shown.
    events.push(on_host("cpu_op", "aten::add", 3_850.0, 10.0));
    assert!(!said(&with_gpu(&events)).contains("3.766 ms"));
}

#[test]
fn a_label_of_the_program_is_no_operator() {
    let events = [
        on_host("cpu_op", "model_inference", 0.0, 1_000.0),
        on_host("cpu_op", "aten::mm", 100.0, 700.0),
        on_host("cpu_op", "AddmmBackward", 850.0, 100.0),
        on_host("cpu_op", "aten::t", 860.0, 10.0),
    ];
    let category = |events: &[Value], name: &str| {
        let study = with_gpu(events);
        let trace = study.trace();
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == name);
        op.map(|op| trace.category(op))
    };
    assert_eq!(category(&events, "model_inference"), Some(Category::Range));
    assert_eq!(category(&events, "AddmmBackward"), Some(Category::Compute));
    // Where labels have a field of their own, this is what the program calls an operator.
    let mut later = events.to_vec();
    later.push(on_host("user_annotation", "forward", 0.0, 900.0));
    assert_eq!(category(&later, "model_inference"), Some(Category::Compute));
    let figures = with_gpu(&events);
    let split = figures.step_split(figures.trace().span());
    assert_eq!(split.compute, Nanos(800_000));
}

#[test]
fn passes_without_marks_are_counted_and_are_no_step() {
    let names = ["aten::conv2d", "aten::relu_", "aten::conv2d", "aten::add_", "aten::linear"];
    let events = |passes: i32| -> Vec<Value> {
        let all =
            (0..passes).flat_map(|pass| (0..).zip(names).map(move |(place, name)| (pass * 5 + place, name)));
        all.map(|(place, name)| on_host("cpu_op", name, f64::from(place) * 100.0, 90.0)).collect()
    };
    assert_eq!(passes(with_gpu(&events(10)).trace()), Some(10));
    assert_eq!(passes(with_gpu(&events(2)).trace()), None);
    let list: Value =
        serde_json::from_str(&findings::json(&with_gpu(&events(10)), &[], None)).unwrap_or_default();
    let sentence = list["sentence"].as_str().unwrap_or_default();
    assert!(
        sentence.contains("each of about 10 passes") && !sentence.contains("several steps"),
        "{sentence}"
    );
    // A replay has nothing to save here.
    let study = with_gpu(&events(10));
    assert!(Findings::found(&study, &Replay::of(&study), None).rows.iter().all(|own| own.saving.is_none()));
}
