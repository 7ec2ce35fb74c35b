//! What a name or a row stands for: kernels, labels of programs, containers, ops of vendors, rows that repeat a device; and whose the time is of
//! operators within one another.

use super::made::{
    complete, document, findings_of, launched, launched_for, of_torch, one_function, read, said, tensorflow2,
};
use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::questions::range::RangeQuery;
use steplens_core::{Category, Nanos, OpId, Study};
use steplens_report::kernels::Kernels;
use steplens_report::{findings, verdict};
use steplens_tests::opened::{TorchEvent, event, on_host, open, study, torch, torch_study, with_gpu};
use steplens_tests::tensorflow::{named, profiled};

/// A recording in which a GPU runs these kernels one after the other, each for so many ms.
fn running(kernels: &[(&str, f64)]) -> Study {
    let (mut events, mut at) = (Vec::new(), 100.0);
    for (id, &(name, length)) in (1..).zip(kernels) {
        let args = json!({ "correlation": id, "stream": 7, "device": 0 });
        events.push(event("cuda_runtime", "cudaLaunchKernel", (100, 100), (5.0 * f64::from(id), 4.0), &args));
        events.push(event("kernel", name, (0, 7), (at, 1_000.0 * length), &args));
        at += 1_000.0 * length;
    }
    study(open(&[("made.json", &torch(&events, &json!({ "deviceProperties": [{ "id": 0 }] })))]))
}

/// Names and short names of the kernels, the longest first.
fn names(study: &Study) -> Vec<(String, String)> {
    let mut window = study.trace().span();
    window.end.0 += 1;
    let found: Value =
        serde_json::from_str(&Kernels::of(study, &RangeQuery::of(window)).to_text()).unwrap_or_default();
    let rows = found["kernels"].as_array().cloned().unwrap_or_default();
    let text = |own: &Value, field: &str| own[field].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|own| (text(own, "name"), text(own, "short_name"))).collect()
}

#[test]
fn mangled_names_are_read_as_cpp_writes_them() {
    let norm = |size: u32| format!("_ZN3net4normIffLi{size}ELb1EEEvPKT_");
    let (small, large) = (norm(32), norm(128));
    let own = running(&[(&large, 3.0), (&small, 2.0), ("_Znonsense", 1.0)]);
    assert_eq!(
        names(&own),
        [
            ("void net::norm<float, float, 128, true>(float const*)", "norm<float, float, 128>"),
            ("void net::norm<float, float, 32, true>(float const*)", "norm<float, float, 32>"),
            ("_Znonsense", "_Znonsense"),
        ]
        .map(|(name, short)| (name.to_owned(), short.to_owned()))
    );
}

#[test]
fn kernels_of_one_list_differ_in_their_short_names() {
    let gemm = |space: &str| {
        format!("void cutlass::device_kernel<grouped::{space}::Gemm>(grouped::{space}::Gemm::Params)")
    };
    let (one, two) = (gemm("fp8_acc"), gemm("fp8"));
    let own = running(&[(&one, 30.0), (&two, 20.0), ("void at::add<float>(float*)", 15.0)]);
    let short: Vec<String> = names(&own).into_iter().map(|(_, short)| short).collect();
    assert_eq!(short, ["device_kernel<fp8_acc::Gemm>", "device_kernel<fp8::Gemm>", "add<float>"]);
    let own = verdict::of(&own, true).sentence;
    for name in ["device_kernel<fp8_acc::Gemm>", "device_kernel<fp8::Gemm>"] {
        assert!(own.contains(name), "{own}");
    }
}

#[test]
fn an_op_that_contains_a_whole_function_is_no_first_operator_and_is_named_nowhere() {
    let (study, files) = tensorflow2(false, &one_function());
    assert!(findings_of(&study).rows.iter().all(|own| own.rule != Rule::FirstStep));
    let said = findings::json(&study, &files, None);
    assert!(!said.contains("mostly EagerKernelExecute"), "{said}");
    // The same lengths of an operator that works by itself are a first call of it.
    let mut events: Vec<TorchEvent<'_>> = vec![("cpu_op", "aten::mm", 1, 0, 50_000, 0)];
    events.extend([50_100, 50_200, 50_300].map(|at| ("cpu_op", "aten::mm", 1, at, 40, 0)));
    assert!(findings_of(&torch_study(&events)).rows.iter().any(|own| own.rule == Rule::FirstStep));
}

#[test]
fn a_row_that_is_called_a_thread_is_named_nowhere() {
    let (study, files) =
        tensorflow2(false, &[("THREAD", 1, 0, 900, json!({})), ("x", 2, 900, 10, json!({}))]);
    let said = verdict::of_files(&study, &files).sentence;
    assert!(said.contains("compute") && !said.contains("mostly"), "{said}");
}

#[test]
fn operators_of_kineto_are_those_of_pytorch_whatever_they_are_called() {
    let mut events: Vec<TorchEvent<'_>> = Vec::new();
    for place in 0..10 {
        let at = place * 100;
        events.push(("cpu_op", "op1", 1, at, 90, 0));
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, at + 5, 80, place + 1));
        events.push(("kernel", "Kernel", 7, at + 86, 5, place + 1));
    }
    let study = torch_study(&events);
    let said = findings::json(&study, &[], None);
    assert!(said.contains("\"framework\":\"pytorch\"") && !said.contains("tf.function"), "{said}");
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
fn ops_that_no_tensorflow_knows_are_ops() {
    // An executor's thread: an op of a vendor, between two of TensorFlow.
    let mut all = vec![named("process_name", 7, 0, "/host:CPU"), named("thread_name", 7, 1, "tf_Compute/1")];
    let mut add = |name: &str, ts: i64, dur: i64, args: Value| {
        all.push(json!({ "ph": "X", "name": name, "pid": 7, "tid": 1, "ts": ts, "dur": dur, "args": args }));
    };
    add("ExecutorState::Process", 0, 1_000, json!({}));
    add("MatMul", 0, 100, json!({ "long_name": "a:MatMul" }));
    add("DLS-SN-BiasAdd_2:_DLSSuperNode", 100, 800, json!({ "group_id": "0", "shape": "(float[13])" }));
    add("MatMul", 900, 100, json!({ "long_name": "b:MatMul" }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    let own = study(open(&[("host.trace.json", text.as_bytes())]));
    let split = own.step_split(own.trace().span());
    assert_eq!((split.compute.0, split.idle.0), (1_000_000, 0));
    let types: Vec<&str> = own.trace().ops().ids().map(|op| own.trace().op_type(op)).collect();
    assert!(types.contains(&"_DLSSuperNode"), "{types:?}");
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("100.0") && said.contains("_DLSSuperNode"), "{said}");
}

#[test]
fn rows_that_repeat_a_gpu_are_no_gpu() {
    let own = profiled(&[(13, "gemm", 0, 100, 0, "a:MatMul")]);
    assert_eq!(accelerators(own.trace()).len(), 1);
}

#[test]
fn rows_that_say_that_the_host_waits_are_no_device() {
    let mut events = Vec::new();
    for id in 0..10_i64 {
        events.extend(launched(
            id + 1,
            (100.0 * id as f64, 10.0),
            (100.0 * id as f64 + 20.0, 100.0 * id as f64 + 90.0),
        ));
    }
    let mut wait = on_host("synchronization", "synchronization(STREAM_SYNCHRONIZE)", 0.0, 990.0);
    wait.as_object_mut().into_iter().for_each(|own| {
        own.remove("pid");
        own.remove("tid");
    });
    let alone = of_torch(&events);
    events.push(wait);
    let both = of_torch(&events);
    assert_eq!(verdict::of(&both, true).sentence, verdict::of(&alone, true).sentence);
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

/// The self times of all ops called `name`, in µs.
fn own_time(study: &Study, name: &str) -> i64 {
    let trace = study.trace();
    let all = trace.ops().ids().filter(|&op| trace.op_name(op) == name);
    all.fold(Nanos(0), |sum, op| sum + study.self_time(op)).0 / 1_000
}

#[test]
fn a_call_that_crosses_the_edge_of_an_operator_hides_nothing() {
    let mut events = vec![
        on_host("cpu_op", "aten::_to_copy", 0.0, 10_000.0),
        on_host("cpu_op", "aten::empty_strided", 2.0, 25.0),
        on_host("cuda_runtime", "cudaMemcpyAsync", 8.0, 23.0),
        on_host("cpu_op", "aten::copy_", 29.0, 9_960.0),
        on_host("cuda_runtime", "cudaStreamSynchronize", 33.0, 9_900.0),
        // Its clock is 20 µs early.
        on_host("cuda_runtime", "cudaMalloc", 10_080.0, 900.0),
        on_host("cpu_op", "aten::bmm", 10_100.0, 1_000.0),
    ];
    events.extend(launched_for(1, 11_000.0, 11_010.0, 100.0));
    let own = with_gpu(&events);
    assert_eq!(own_time(&own, "cudaStreamSynchronize"), 9_900);
    // 33 - 29 before it, 9,989 - 9,933 after it.
    assert_eq!(own_time(&own, "aten::copy_"), 60);
    assert_eq!(own_time(&own, "aten::_to_copy"), 2 + 2 - 2 + 11);
    assert_eq!([own_time(&own, "cudaMalloc"), own_time(&own, "aten::bmm")], [880, 115]);
}

#[test]
fn an_event_without_a_category_has_its_name_for_a_type() {
    let all = [
        complete("(dispatch) send 1", (0, 1), (0, 60)),
        complete("(dispatch) send 2", (0, 1), (60, 60)),
        complete("(combine) recv", (0, 1), (120, 40)),
        complete("(expert) gemm", (0, 1), (160, 40)),
        complete("sender", (0, 1), (200, 40)),
    ];
    let own = study(document(&all));
    let trace = own.trace();
    let types: Vec<&str> = trace.ops().ids().map(|op| trace.op_type(op)).collect();
    assert_eq!(types, ["dispatch send", "dispatch send", "combine recv", "expert gemm", "sender"]);
    let split = own.step_split(trace.span());
    // 160 of 240 µs.
    assert_eq!(split.exposed_communication.0, 160_000, "{split:?}");
}

#[test]
fn a_call_that_two_nested_events_record_is_one() {
    let of = |second: (i64, i64)| {
        let all = [
            named("process_name", 7, 0, "/host:CPU"),
            complete("EagerExecute: __inference_f_7", (7, 1), (0, 4_000)),
            complete("EagerExecute: __inference_f_7", (7, 1), second),
            complete("EagerKernelExecute", (7, 1), (30, 3_900)),
            complete("a:MatMul", (7, 2), (40, 3_000)),
            complete("b:MatMul", (7, 1), (12_000, 10)),
        ];
        read(document(&all)).0
    };
    assert!(!of((10, 3_980)).contains("2 calls"), "{}", of((10, 3_980)));
    assert!(of((4_100, 3_980)).contains("2 calls"), "{}", of((4_100, 3_980)));
}
