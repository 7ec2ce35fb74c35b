//! What a stranger found wrong or missing in the seventeenth reading of traces next to their data: GPUs that work behind their host, ops that read a
//! value back, memory, GPUs that are not used, optimizers of a program, tiny operators. Each case is made here.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Rule;
use steplens_formats::Opened;
use steplens_report::{findings, verdict};
use steplens_tests::opened::{HOST, event, found, on_host, open, row, rows, study, text, torch, with_gpu};
use steplens_tests::writer::{Scenario, op};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const MS: i64 = 1_000_000;
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";

/// An op of `timeline.py`: row, type, name, inputs, start and length in µs. Row 0 is the CPU's, 1 the executor's on the GPU, 2 the stream of the
/// kernels, 3 that of copies to the host.
type Op<'a> = (i64, &'a str, &'a str, &'a [&'a str], i64, i64);

fn timeline(ops: &[Op<'_>]) -> Study {
    let names = [CPU, GPU, "/device:GPU:0/stream:13", "/device:GPU:0/stream:15"];
    let named = |(pid, name): (i64, &str)| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": format!("{name} Compute") } });
    let ops = ops.iter().map(|&(pid, kind, name, inputs, ts, dur)| {
        let mut args = json!({ "name": name, "op": kind });
        for (place, input) in inputs.iter().enumerate() {
            args[format!("input{place}")] = (*input).into();
        }
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    });
    let all: Vec<Value> = (0..).zip(names).map(named).chain(ops).collect();
    study(open(&[("timeline.json", json!({ "traceEvents": all }).to_string().as_bytes())]))
}

fn ms(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000_000
}

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

/// Two ops that start kernels, of which the second is long, and an op whose value is copied after it, though its own is there at once. The host then
/// goes on with that value. `copied` is when the copy begins.
fn behind(copied: i64, second: i64) -> Study {
    timeline(&[
        (1, "MatMul", "a", &[], 0, 100),
        (2, "MatMul", "a", &[], 50, 950),
        (1, "Conv2D", "b", &["a"], 100, 100),
        (2, "Conv2D", "b", &[], 1_001, second),
        (1, "Identity", "i", &["a"], 200, 10),
        (3, "MEMCPYDtoH", "edge_7_i", &[], copied, 1),
        (0, "Mul", "m", &["i/_7"], copied + 20, 50),
    ])
}

#[test]
fn a_copy_waits_for_the_kernels_that_were_launched_before_it() {
    // The first op runs for 50 µs alone, kernels for 0.95 + 18.999 ms without a pause, and the copy begins 5 µs after them.
    let own = behind(20_005, 18_999);
    assert_eq!(ms(&own, SegmentKind::Compute), 20, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Gap) == 0, "{:?}", own.causes().observed.by_kind());
    // It begins long after them, or they ran for less than half of its wait: why is not known.
    for own in [behind(20_005, 15_000), behind(60_000, 18_999)] {
        assert!(ms(&own, SegmentKind::Compute) < 2, "{:?}", own.causes().observed.by_kind());
    }
}

#[test]
fn a_copy_is_not_said_to_wait_for_a_kernel_whose_op_is_not_known() {
    // The kernels of a program of XLA are called as its instructions are: a path that went to them would end there, without a cause.
    let own = timeline(&[
        (0, "Const", "weights", &[], 0, 20_000),
        (1, "XlaLaunch", "cluster", &["weights"], 20_000, 100),
        (2, "XLA op", "%fusion", &[], 20_010, 400),
        (2, "XLA op", "%dot", &[], 20_410, 500),
        (3, "MEMCPYDtoH", "edge_7_cluster", &[], 20_915, 1),
        (0, "Mul", "m", &["cluster/_7"], 20_930, 50),
    ]);
    assert_eq!(ms(&own, SegmentKind::Gap), 0, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Compute) >= 20, "{:?}", own.causes().observed.by_kind());
}

#[test]
fn an_op_with_one_copied_input_waits_for_the_copy_too() {
    // `n` has an input of its own device, and one that comes from the GPU.
    let own = timeline(&[
        (1, "Const", "c", &[], 0, 5),
        (1, "Cast", "x", &[], 10, 50),
        (2, "Conv2D", "k", &[], 20, 9_980),
        (2, "Cast", "x", &[], 10_001, 4),
        (3, "MEMCPYDtoH", "edge_1_x", &[], 10_010, 1),
        (1, "Sum", "n", &["x/_1", "c"], 10_040, 60),
    ]);
    assert_eq!(ms(&own, SegmentKind::Gap), 0, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Compute) >= 9, "{:?}", own.causes().observed.by_kind());
}

/// Rounds of a convolution and an op of `kind`, 0.5 ms long, whose kernel is called `function` and whose result is copied back within the op, or after
/// it.
fn reads_back(kind: &str, function: &str, is_within: bool) -> Study {
    let mut ops: Vec<Op<'_>> = Vec::new();
    let names: Vec<[String; 2]> = (0..20).map(|place| [format!("c{place}"), format!("n{place}")]).collect();
    for ([conv, check], place) in names.iter().zip(0..) {
        let at = place * 1_000;
        ops.extend([
            (1, "Conv2D", conv.as_str(), &[][..], at, 50),
            (2, "Conv2D", conv.as_str(), &[], at + 40, 400),
            (1, kind, check.as_str(), &[], at + 60, 500),
            (2, "unknown", function, &[], at + 450, 40),
            (2, "MEMCPYDtoH", "unknown", &[], at + if is_within { 495 } else { 561 }, 1),
        ]);
    }
    // What comes after each needs it: then a GPU that waits for an op of the host waits for this one.
    timeline(&ops)
}

#[test]
fn an_op_that_reads_its_result_back_runs_on_the_gpu_and_waits() {
    let function = "_ZN10tensorflow4_aux19CheckNumericsKernelIfEEvPKT_iPi";
    let own = reads_back("CheckNumerics", function, true);
    let list = rows(&own);
    let wait = row(&own, Rule::Synchronising).unwrap_or_else(|| panic!("{list:?}"));
    // Of 20 rounds, 19 have a next one: the GPU is idle from the end of the copy at 496 to the next convolution at 1,040. The ops take 0.5 ms.
    assert_eq!(wait["saving_ns"].as_i64(), Some(19 * 500_000), "{wait}");
    assert!(text(&wait, "what").starts_with("19 times the host waits for the GPU, longest in n0"), "{wait}");
    assert!(text(&wait, "what").contains("idle for 10.3 ms"), "{wait}");
    assert!(text(&wait, "advice").contains("CheckNumerics"), "{wait}");
    assert_eq!(row(&own, Rule::HostOpBetween), None, "{list:?}");
    // While the convolution runs, the time of the op is the GPU's.
    assert!(!said(&own).contains("the host is 9"), "{}", said(&own));
    // A copy after the op, and a kernel of something else: neither waits.
    let others = [
        reads_back("CheckNumerics", function, false),
        reads_back("CheckNumerics", "_ZN5Eigen8internal15EigenMetaKernelIfEEvT_", true),
        reads_back("Softmax", function, true),
    ];
    for own in others {
        assert_eq!(row(&own, Rule::Synchronising), None, "{:?}", rows(&own));
    }
}

#[test]
fn what_overlaps_is_said_where_parts_are_more_than_all() {
    // The GPU works for 12 of 20 ms, and the host starts its kernels one by one until the end.
    let mut ops: Vec<Op<'_>> = Vec::new();
    let names: Vec<String> = (0..100).map(|place| format!("m{place}")).collect();
    for (name, place) in names.iter().zip(0..) {
        ops.push((1, "MatMul", name, &[], place * 200, 199));
        ops.push((2, "MatMul", name, &[], place * 200 + 190, 130));
    }
    let own = timeline(&ops);
    let sentence = said(&own);
    assert!(sentence.contains("some of it at the same time"), "{sentence}");
}

/// A file of PyTorch that names a GPU: operators, and memory of this device type, in bytes.
fn names_gpu(device_type: i64, bytes: i64, others: &[Value]) -> Opened {
    let mut events: Vec<Value> = Vec::new();
    for place in 0..10 {
        events.push(on_host("cpu_op", "aten::clamp_min", 2_000.0 * f64::from(place), 900.0));
        events.push(on_host("cpu_op", "aten::addmm", 2_000.0 * f64::from(place) + 900.0, 800.0));
        let args = json!({ "Device Type": device_type, "Device Id": -1, "Addr": place, "Bytes": bytes, "Total Allocated": bytes });
        events.push(json!({ "ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": HOST.0, "tid": HOST.1, "ts": 2_000 * place + 10, "args": args }));
    }
    events.extend(others.iter().cloned());
    let named = json!({ "deviceProperties": [{ "id": 0, "name": "Tesla V100" }] });
    open(&[("made.json", &torch(&events, &named))])
}

#[test]
fn a_gpu_that_memory_says_is_not_used_is_said_first() {
    let list = |opened: Opened| {
        let files = opened.files.clone();
        let all = findings::json(&study(opened), &files, None);
        serde_json::from_str::<Value>(&all).unwrap_or_default()["findings"][0].clone()
    };
    let unused = list(names_gpu(0, 4 << 20, &[]));
    assert_eq!(unused["rule"], "gpu-unused", "{unused}");
    // Ten times 900 and 800 µs.
    assert_eq!(unused["saving_ns"].as_i64(), Some(17_000_000), "{unused}");
    assert!(text(&unused, "advice").contains("torch.cuda.is_available()"), "{unused}");
    // Memory of a GPU, little memory, a call of a driver: nothing is known.
    let call = on_host("cuda_runtime", "cudaLaunchKernel", 10.0, 5.0);
    for own in [names_gpu(1, 4 << 20, &[]), names_gpu(0, 1 << 10, &[]), names_gpu(0, 4 << 20, &[call])] {
        assert_ne!(list(own)["rule"], "gpu-unused");
    }
}

#[test]
fn a_kind_is_the_largest_part_only_if_no_other_type_has_more() {
    let of = |clamp: f64| {
        let operators = [("aten::clamp_min", clamp), ("aten::addmm", 3_400.0), ("aten::copy_", 2_800.0)];
        let mut at = 0.0;
        let mut events = Vec::new();
        for (name, length) in operators {
            events.push(on_host("cpu_op", name, at, length));
            at += length;
        }
        found(&study(open(&[("made.json", &torch(&events, &json!({})))])), "dominant-work")
    };
    let own = of(3_500.0);
    assert!(!text(&own, "what").contains("Products of matrices"), "{own}");
    assert!(text(&own, "what").contains("aten::clamp_min"), "{own}");
    assert!(text(&of(3_300.0), "what").contains("Products of matrices"));
}

/// One step of an optimizer of this class: the mark begins 0.5 ms before its first operator.
fn optimizer(class: &str) -> Value {
    let mut events = vec![on_host("user_annotation", &format!("Optimizer.step#{class}.step"), 0.0, 7_900.0)];
    for place in 0..70 {
        events.push(on_host("cpu_op", "aten::mul_", 500.0 + 100.0 * f64::from(place), 80.0));
    }
    let args = json!({ "correlation": 1, "stream": 7, "device": 0 });
    events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (600.0, 5.0), &args));
    events.push(event("kernel", "mul", (0, 7), (610.0, 20.0), &args));
    found(&with_gpu(&events), "optimizer-step")
}

#[test]
fn an_optimizer_of_the_program_has_no_arguments_of_torch() {
    let own = optimizer("CustomAdam");
    assert!(text(&own, "advice").contains("none of torch.optim"), "{own}");
    // The step is as long as its mark.
    assert!(text(&own, "what").contains("takes 7.90 ms"), "{own}");
    let known = optimizer("AdamW");
    assert!(text(&known, "advice").starts_with("Let it take many parameters at once: fused=True"), "{known}");
}

/// Operators on a CPU, each of this length in µs, and 0.4 µs after the one before.
fn operators(length: f64, count: u32) -> Value {
    let at = |place: u32| f64::from(place) * (length + 0.4);
    let all: Vec<Value> = (0..count).map(|place| on_host("cpu_op", "aten::mul", at(place), length)).collect();
    found(&study(open(&[("made.json", &torch(&all, &json!({})))])), "tiny-ops")
}

#[test]
fn operators_of_a_microsecond_are_overhead() {
    let own = operators(1.2, 1_000);
    // 1,000 times 1.2 µs, and 999 times 0.4 µs.
    assert!(text(&own, "what").contains("run for 1.20 ms, and the pauses before them take 400 µs"), "{own}");
    assert!(text(&own, "sentence").contains("It takes 1.60 ms"), "{own}");
    assert!(text(&own, "advice").contains("torch.compile"), "{own}");
    // Longer ones compute, and a few are no habit.
    assert_eq!([operators(30.0, 1_000), operators(1.2, 100)], [Value::Null, Value::Null]);
}

#[test]
fn idle_time_without_a_reason_comes_before_a_small_saving() {
    // Kernels begin 3 ms after their launch, though nothing runs before them.
    let of = |delay: f64| {
        let mut events = vec![on_host("cpu_op", "aten::mm", 0.0, 900.0)];
        for id in 0..10 {
            let at = 1_000.0 + 3_100.0 * f64::from(id);
            let args = json!({ "correlation": id + 1, "stream": 7, "device": 0 });
            events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 5.0), &args));
            events.push(event("kernel", "k", (0, 7), (at + delay, 20.0), &args));
            events.push(on_host("cuda_runtime", "cudaStreamSynchronize", at + 10.0, delay + 30.0));
        }
        rows(&with_gpu(&events))
    };
    let all = of(2_900.0);
    assert_eq!(all.first().map(|own| own["rule"].clone()), Some("idle-though-launched".into()), "{all:?}");
    assert!(of(100.0).first().is_none_or(|own| own["rule"] != "idle-though-launched"));
}

#[test]
fn memory_that_others_read_later_is_kept_by_none() {
    let big: i64 = 512 << 20;
    let of = |last: &str| {
        let ops = [
            op("a = MatMul(x)", 0, MS).scheduled(0).output(0, 1, &[], big).memory("cpu", &[(0, big)]),
            op("b = MatMul(x)", 2 * MS, MS)
                .scheduled(0)
                .output(0, 1, &[], big)
                .memory("cpu", &[(2_000, big), (4_000, -big)]),
            op("between = Relu(b)", 3 * MS, 5 * MS).scheduled(3 * MS),
            op("late = Add(a, between)", 8 * MS, MS).scheduled(8 * MS),
            op(last, 10 * MS, MS).scheduled(9 * MS).memory("cpu", &[(11_000, -big)]),
        ];
        found(&Scenario::new().device(CPU, ops).study(), "memory-peak")
    };
    // `late` reads `a`, and so does what comes after it: to run `late` earlier frees nothing.
    assert_eq!(of("end = Mul(a, late)"), Value::Null);
}

#[test]
fn a_worker_of_ray_that_is_idle_computes_nothing() {
    let event = |cat: &str, name: &str, ts: i64, dur: i64| json!({ "ph": "X", "cat": cat, "name": name, "pid": "", "tid": "worker:1", "ts": ts, "dur": dur, "args": {} });
    let events = [event("worker_idle", "worker_idle", 0, 900), event("task", "update", 1_000, 100)];
    let own = study(open(&[("ray.json", json!(events).to_string().as_bytes())]));
    // The task runs for 100 of 1,100 µs.
    let sentence = said(&own);
    assert!(!sentence.contains("mostly worker_idle") || sentence.contains("waiting"), "{sentence}");
    assert!(!sentence.contains("compute on the device takes 9"), "{sentence}");
}
