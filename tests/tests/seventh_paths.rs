//! What strangers found wrong in the seventh reading of traces next to their data: where the path of XLA on a CPU stops, and what paths and verdicts
//! call compute that is none. Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::findings::{Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::{Category, Nanos, Study};
use steplens_report::causality::{CriticalPath, spent_words};
use steplens_report::{doctor, findings, verdict};
use steplens_tests::opened::{TorchEvent, open, study, torch_study};
use steplens_tests::writer::{Scenario, op};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";

/// A program of XLA on a CPU: its threads with names, and their events as (thread, name, start, length) in µs. Those called `dot` are ops.
fn xla(threads: &[(i64, &str)], events: &[(i64, &str, i64, i64)]) -> Study {
    let named = |what: &str, tid: i64, name: &str| json!({ "ph": "M", "name": what, "pid": 7, "tid": tid, "args": { "name": name } });
    let mut all = vec![named("process_name", 0, "/host:CPU")];
    all.extend(threads.iter().map(|&(tid, name)| named("thread_name", tid, name)));
    all.extend(events.iter().map(|&(tid, name, ts, dur)| {
        let args = match name.starts_with("dot") {
            true => json!({ "hlo_op": name, "hlo_module": "jit_f" }),
            false => json!({}),
        };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

fn us(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000
}

/// What the time of the path was spent on, in words, with its µs.
fn spent(study: &Study) -> Vec<(&'static str, i64)> {
    let path = CriticalPath::of(study);
    path.by_spent.iter().map(|(spent, part)| (spent_words(*spent), part.length_ns / 1_000)).collect()
}

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

fn list(study: &Study) -> Value {
    serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default()
}

const WAIT: &str = "ThunkExecutor::Execute (wait for completion)";

#[test]
fn the_path_of_a_thread_that_waits_for_its_program_goes_on_through_its_pool() {
    let events = [
        (5, "dot.0", 0, 100),
        (5, WAIT, 100, 900),
        (6, "dot.1", 110, 390),
        (8, "dot.2", 505, 445),
        (5, "dot.3", 1_000, 100),
    ];
    let pool = [(5, "tf_XLAPjRtCpuClient/-5"), (6, "tf_XLAEigen/6"), (8, "tf_XLAEigen/8")];
    let own = xla(&pool, &events);
    // 50 µs after the last op; 10 and 5 µs until the next one began.
    assert_eq!(us(&own, SegmentKind::Launching) + us(&own, SegmentKind::Producer), 50);
    assert_eq!(us(&own, SegmentKind::Compute), 100 + 390 + 445 + 100);
    assert_eq!(us(&own, SegmentKind::HostBetweenOps), 15);
    // Nobody knows whether other threads work for the one that waits.
    let others = xla(&[(5, "runner"), (6, "first"), (8, "second")], &events);
    assert_eq!(us(&others, SegmentKind::Producer), 900);
    assert_eq!(bounds(others.trace(), others.causes()).first(), Some(&(Bound::Waiting, Nanos(900_000))));
}

#[test]
fn many_small_ops_are_said_with_what_to_do() {
    let of = |count: i64| {
        let events: Vec<_> = (0..count).map(|place| (6, "dot.1", place * 100, 5)).collect();
        said(&xla(&[(6, "tf_XLAEigen/6")], &events))
    };
    let many = of(400);
    assert!(many.contains("400 ops, which take 5.000 µs each"), "{many}");
    assert!(!of(50).contains("many small calls"));
}

#[test]
fn ops_of_a_gpus_host_and_calls_of_its_driver_are_not_called_compute() {
    let own = torch_study(&[
        ("cpu_op", "aten::normal_", 1, 0, 6_000, 0),
        ("cuda_runtime", "cudaStreamCreateWithFlags", 1, 6_000, 2_000, 0),
        ("cuda_runtime", "cudaLaunchKernel", 1, 8_000, 100, 4),
        ("kernel", "gemm", 7, 8_100, 1_000, 4),
    ]);
    let parts = spent(&own);
    assert_eq!(parts.first(), Some(&("operators on the host", 6_000)), "{parts:?}");
    assert!(parts.contains(&("calls of the driver", 2_000)), "{parts:?}");
    assert!(parts.contains(&("compute", 1_000)), "{parts:?}");
}

#[test]
fn calls_of_a_driver_alone_compute_nothing() {
    let own = torch_study(&[("cuda_runtime", "cudaMemGetInfo", 1, 0, 10_000, 0)]);
    assert!(said(&own).contains("calls of the driver take 100.0"), "{}", said(&own));
    assert_eq!(spent(&own), [("calls of the driver", 10_000)]);
    let sentence = list(&own)["sentence"].to_string();
    assert!(sentence.contains("calls of the driver (100.0") && !sentence.contains("compute"), "{sentence}");
}

#[test]
fn a_call_that_waits_for_a_gpu_waits_for_no_tensor() {
    let own = torch_study(&[
        ("cuda_runtime", "cudaGetDeviceCount", 1, 0, 10, 0),
        ("cuda_runtime", "cudaDeviceSynchronize", 1, 10, 990, 0),
    ]);
    assert_eq!(spent(&own).first(), Some(&("waiting for the GPU", 990)));
    assert_eq!(bounds(own.trace(), own.causes()).first(), Some(&(Bound::Waiting, Nanos(990_000))));
}

#[test]
fn what_an_executor_begins_with_is_taken_from_the_figure_of_compute() {
    let of = |source: i64| {
        let ops = [op("_SOURCE = NoOp()", 0, source), op("m = MatMul(a)", source, 34_100)];
        let end = op("e = NoOp()", 99_990, 10);
        said(&Scenario::new().device(CPU, ops.into_iter().chain([end])).study())
    };
    let own = of(57_000);
    assert!(own.contains("compute on the CPU takes 34.1") && own.contains("for 57.0"), "{own}");
    assert!(!own.contains("91.1"), "{own}");
    // Too little to be said is not taken away, either.
    assert!(of(9_000).contains("43.1"), "{}", of(9_000));
}

/// Four marked steps: the first has an operator of 12 ms that takes 20 µs later, and each lasts as long as given.
fn steps(lengths: [i64; 4]) -> Study {
    let names = ["ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3", "ProfilerStep#4"];
    let (mut events, mut at): (Vec<TorchEvent<'_>>, i64) = (Vec::new(), 0);
    for (name, length) in names.into_iter().zip(lengths) {
        let first = if at == 0 { 12_000 } else { 20 };
        events.push(("user_annotation", name, 1, at, length, 0));
        events.push(("cpu_op", "aten::mm", 1, at, first, 0));
        events.extend((1..8).map(|place| ("cpu_op", "aten::mm", 1, at + 12_000 + place * 30, 20, 0)));
        events.push(("cpu_op", "aten::add", 1, at + 13_000, length - 13_000, 0));
        at += length;
    }
    torch_study(&events)
}

#[test]
fn later_steps_that_are_as_long_refute_a_first_step() {
    let found = |study: &Study| {
        let rows = Findings::found(study, &Replay::of(study), None).rows;
        rows.iter().any(|own| own.rule == Rule::FirstStep)
    };
    assert!(found(&steps([22_000, 14_000, 14_000, 14_000])));
    assert!(!found(&steps([16_000, 16_000, 16_500, 15_000])));
}

#[test]
fn functions_of_python_alone_are_no_devices_that_did_nothing() {
    let own = torch_study(&[("python_function", "train.py(3): main", 1, 0, 200, 0)]);
    assert!(said(&own).contains("no op was recorded"), "{}", said(&own));
    assert!(!said(&own).contains("0 devices"));
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
fn of_unlike_devices_the_one_that_does_most_is_named() {
    let of = |cpu: i64| {
        let end = op("e = MatMul(b)", 99_000, 1_000);
        let on_gpu = [op("b = MatMul(a)", 0, 60_000), end];
        said(&Scenario::new().device(CPU, [op("a = MatMul()", 0, cpu)]).device(GPU, on_gpu).study())
    };
    // Of 100 µs 61 and 1: 31 in the mean.
    let own = of(1_000);
    assert!(own.contains("31.0") && own.contains("(61.0"), "{own}");
    assert!(!of(55_000).contains("(61.0"), "{}", of(55_000));
}

/// What PyTorch's first profiler writes of a GPU: each operator within the one that called it.
#[test]
fn on_the_row_of_a_gpu_the_innermost_operator_is_work() {
    let on = |pid: &str, tid: i64, name: &str, ts: i64, dur: i64| json!({ "ph": "X", "name": name, "ts": ts, "dur": dur, "pid": pid, "tid": tid, "args": {} });
    let mut events = vec![on("CUDA functions", 0, "single_conv", 0, 1_000)];
    for place in 0..10 {
        let at = place * 100;
        events.push(on("CPU functions", 1, "aten::conv2d", at, 30));
        events.push(on("CUDA functions", 0, "aten::conv2d", at, 100));
        events.push(on("CUDA functions", 0, "aten::cudnn_convolution", at + 5, 90));
    }
    let text = json!({ "traceEvents": events }).to_string();
    let own = study(open(&[("legacy.json", text.as_bytes())]));
    let trace = own.trace();
    let on_gpu = |name: &str| {
        let ops = trace.ops().ids().filter(|&op| trace.devices().get(trace.device_of(op)).is_accelerator);
        let ops = ops.filter(|&op| trace.op_name(op) == name && trace.category(op) != Category::Range);
        ops.fold(Nanos(0), |sum, op| sum + own.self_time(op))
    };
    assert_eq!(on_gpu("aten::cudnn_convolution"), Nanos(900_000));
    // What it does not cover of the one that calls it is that one's.
    assert_eq!([on_gpu("aten::conv2d"), on_gpu("single_conv")], [Nanos(100_000), Nanos(0)]);
    assert!(said(&own).contains("mostly aten::cudnn_convolution"), "{}", said(&own));
}

#[test]
fn one_of_anything_is_said_in_the_singular() {
    let ops = [op("a = NoOp()", 0, 0), op("m = MatMul(a)", 0, 5_000)];
    let study = Scenario::new().device(CPU, ops).study();
    let text = doctor::json(study.trace(), &study);
    assert!(text.contains("1 op has no length") && !text.contains("1 ops"), "{text}");
}
