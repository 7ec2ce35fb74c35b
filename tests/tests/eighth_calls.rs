//! What a stranger found wrong in the eighth reading of traces next to their data: first calls that were called a habit, operators of a GPU within one
//! another, copies on another GPU, a process that was held up, records that were lost. Each case is made here.

use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::{Nanos, OpId, Study};
use steplens_report::{doctor, findings, verdict};
use steplens_tests::opened::{HOST, event, on_host, open, study, torch};

fn of(events: &[Value]) -> Study {
    let said = json!({ "deviceProperties": [{ "id": 0 }, { "id": 2 }] });
    study(open(&[("made.json", &torch(events, &said))]))
}

/// A call and what it starts on a GPU: name, start and length in µs of both.
fn started(
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

fn list(study: &Study) -> Value {
    serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default()
}

fn row(study: &Study, rule: Rule) -> Option<Value> {
    list(study)["findings"].as_array()?.iter().find(|own| own["rule"] == rule.word()).cloned()
}

/// A program that calls `cudaFree` for these µs, one call in each tenth of 2 s, and runs a kernel at last.
fn frees(lengths: [f64; 10]) -> Study {
    let place = |place: usize| 1.0 + 200_000.0 * place as f64;
    let mut events: Vec<Value> = (0..10)
        .flat_map(|at| {
            let op = on_host("cpu_op", "aten::conv2d", place(at) - 1.0, lengths[at] + 2.0);
            [op, on_host("cuda_runtime", "cudaFree", place(at), lengths[at])]
        })
        .collect();
    events.extend(started(
        1,
        ("cudaLaunchKernel", 1_999_000.0, 5.0),
        ("kernel", "gemm", 0, 1_999_010.0, 900.0),
    ));
    of(&events)
}

#[test]
fn memory_that_three_unlike_calls_give_back_is_a_first_step() {
    let few = frees([80_000.0, 10.0, 10.0, 17_000.0, 10.0, 190_000.0, 10.0, 10.0, 10.0, 10.0]);
    assert_eq!(row(&few, Rule::Allocator), None);
    let many = frees([80_000.0; 10]);
    assert!(row(&many, Rule::Allocator).is_some());
}

#[test]
fn what_the_children_of_an_operator_do_not_cover_on_a_gpu_is_its_own() {
    let on = |pid: &str, name: &str, ts: i64, dur: i64| json!({ "ph": "X", "name": name, "ts": ts, "dur": dur, "pid": pid, "tid": 0, "args": {} });
    let events = [
        on("CPU functions", "aten::conv2d", 0, 30),
        on("CUDA functions", "model", 0, 400),
        on("CUDA functions", "aten::conv2d", 0, 200),
        on("CUDA functions", "aten::cudnn_convolution", 5, 190),
        on("CUDA functions", "aten::contiguous", 6, 3),
        on("CUDA functions", "aten::contiguous", 10, 2),
    ];
    let text = json!({ "traceEvents": events }).to_string();
    let own = study(open(&[("legacy.json", text.as_bytes())]));
    let trace = own.trace();
    let on_gpu = |op: &OpId| trace.devices().get(trace.device_of(*op)).is_accelerator;
    let of = |name: &str| {
        let all = trace.ops().ids().filter(on_gpu).filter(|&op| trace.op_name(op) == name);
        all.fold(Nanos(0), |sum, op| sum + own.self_time(op))
    };
    assert_eq!([of("aten::cudnn_convolution"), of("aten::contiguous")], [Nanos(185_000), Nanos(5_000)]);
    assert_eq!([of("aten::conv2d"), of("model")], [Nanos(10_000), Nanos(0)]);
    assert_eq!(own.step_split(trace.span()).compute, Nanos(200_000));
}

#[test]
fn a_copy_to_another_gpu_than_that_of_the_kernels_is_judged() {
    let mut events = vec![on_host("cpu_op", "aten::copy_", 0.0, 4_500.0)];
    // The clock of the GPU is ahead: the copy seems to end after its call.
    let copy = ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 2, 300.0, 4_300.0);
    events.extend(started(1, ("cudaMemcpyAsync", 10.0, 4_490.0), copy));
    events.push(on_host("cpu_op", "aten::mul", 4_600.0, 30.0));
    events.extend(started(2, ("cudaLaunchKernel", 4_605.0, 10.0), ("kernel", "mul", 0, 4_650.0, 200.0)));
    let own = of(&events);
    let found = row(&own, Rule::PageableCopies).expect("a finding");
    assert_eq!(found["saving_ns"], 4_300_000, "{found}");
    assert_eq!(list(&own)["findings"][0]["rule"], Rule::PageableCopies.word());
    let said = verdict::of(&own, false).sentence;
    assert!(said.contains("copying between host and device"), "{said}");
}

/// Ten calls with the same shapes, of which the eighth takes `length` µs and the others 8 ms.
fn calls(length: f64) -> Option<Value> {
    let args = json!({ "Input Dims": [[5, 3, 224, 224], [64, 3, 7, 7]] });
    let mut at = 0.0;
    let events: Vec<Value> = (0..10)
        .map(|place| {
            let length = if place == 7 { length } else { 8_000.0 };
            let own = event("cpu_op", "aten::mkldnn_convolution", HOST, (at, length), &args);
            at += length + 10.0;
            own
        })
        .collect();
    row(&of(&events), Rule::DominantWork)
}

#[test]
fn a_process_that_was_held_up_once_needs_no_smaller_op() {
    let own = calls(7_400_000.0).expect("a finding");
    let sentence = own["sentence"].as_str().unwrap_or_default();
    assert!(
        sentence.starts_with(
            "One call of aten::mkldnn_convolution takes 7.40 s; the median of 9 others with the same shapes takes 8.00 ms: the process was held up once."
        ),
        "{sentence}"
    );
    assert!(!own["advice"].as_str().unwrap_or_default().contains("smaller"), "{own}");
    // Name and type are one word: it is said once.
    let longer = calls(70_000.0).expect("a finding");
    let sentence = longer["sentence"].as_str().unwrap_or_default();
    assert!(
        sentence.starts_with("aten::mkldnn_convolution takes 70 ms; the median of 9 others"),
        "{sentence}"
    );
}

#[test]
fn kernels_for_which_the_program_waited_were_lost() {
    let waits = |name: &str| {
        let events = [
            on_host("cpu_op", "aten::mul", 0.0, 100.0),
            event("cuda_runtime", "cudaLaunchKernel", HOST, (10.0, 20.0), &json!({ "correlation": 5 })),
            event("cuda_runtime", name, HOST, (200.0, 20.0), &json!({ "correlation": 6 })),
        ];
        let study = of(&events);
        (
            doctor::json(study.trace(), &study),
            list(&study)["sentence"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let (doctor, sentence) = waits("cudaDeviceSynchronize");
    assert!(doctor.contains("was lost. Record once more"), "{doctor}");
    assert!(
        sentence.contains("there is no record of a GPU") && !sentence.contains("activities"),
        "{sentence}"
    );
    let (doctor, sentence) = waits("cudaGetDevice");
    assert!(doctor.contains("Record with the activities of the GPU"), "{doctor}");
    assert!(sentence.contains("activities"), "{sentence}");
}

#[test]
fn two_events_of_the_gpu_for_each_operator_are_the_profilers() {
    let events = |marks: i64| -> Vec<Value> {
        let all = (0..50).flat_map(|place| {
            let at = place as f64 * 100.0;
            let own = (0..marks).map(move |mark| {
                on_host("cuda_runtime", "cudaEventRecord", at + 60.0 + 10.0 * mark as f64, 5.0)
            });
            own.chain([on_host("cpu_op", "aten::mul", at, 50.0)])
        });
        all.collect()
    };
    let of_profiler = row(&of(&events(2)), Rule::Tracing).expect("a finding");
    assert!(
        of_profiler["what"].as_str().unwrap_or_default().contains("500 µs in 100 events"),
        "{of_profiler}"
    );
    assert_eq!(row(&of(&events(1)), Rule::Tracing), None);
}
