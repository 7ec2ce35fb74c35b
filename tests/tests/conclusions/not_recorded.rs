//! GPUs, TPUs and ends of files that were not recorded: the verdict says so, and does not call a host’s work compute. A GPU that is not used is another
//! finding.

use super::made::{
    CPU, GPU, findings_of, keras, number, of_host, of_torch, one_function, read, said_of_recording,
    tensorflow2, usual, with_gpus,
};
use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::gpu::unrecorded::is_gpu_unrecorded;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opened, Opener};
use steplens_report::{doctor, findings, verdict};
use steplens_tests::opened::{HOST, event, found, on_host, open, study, text, torch, torch_study, with_gpu};
use steplens_tests::tensorflow::{list, named};
use steplens_tests::wire::{put_bytes as put, put_varint};
use steplens_tests::writer::{Scenario, op};

#[test]
fn a_gpu_without_recorded_kernels_is_not_said_to_be_idle_or_to_compute() {
    let mut events = usual(0, 50);
    assert!(!is_gpu_unrecorded(torch_study(&events).trace()));
    events.retain(|own| own.0 != "kernel");
    let study = torch_study(&events);
    assert!(is_gpu_unrecorded(study.trace()));
    let said = verdict::of(&study, true).sentence;
    assert!(said.ends_with("What its GPU did was not recorded.") && !said.contains("device"), "{said}");
}

#[test]
fn an_operator_that_only_a_gpu_runs_says_that_its_kernels_are_missing() {
    let only = |name| torch_study(&[("cpu_op", name, 1, 0, 500, 0), ("cpu_op", "aten::mm", 1, 600, 500, 0)]);
    let is_said =
        |study: &Study| verdict::of(study, true).sentence.contains("What its GPU did was not recorded.");
    assert!(is_said(&only("aten::cudnn_convolution")) && !is_said(&only("aten::mkldnn_convolution")));
}

const UNRECORDED: &str = "What its GPU did was not recorded.";

#[test]
fn ops_of_a_host_whose_gpu_was_not_recorded_are_not_called_compute() {
    // The CPU sends a tensor to another device, which can only be the GPU that is named.
    let mut events = one_function();
    events.push(("x/_3:_Send", 2, 20_300, 10, json!({})));
    let (study, files) = tensorflow2(true, &events);
    let said = verdict::of_files(&study, &files).sentence;
    assert!(said.contains("ops ran on the host") && said.ends_with(UNRECORDED), "{said}");
    assert!(!said.contains("compute"), "{said}");
    let list: Value = serde_json::from_str(&findings::json(&study, &files, None)).unwrap_or_default();
    assert!(list["sentence"].as_str().is_some_and(|own| !own.contains("compute")), "{list}");
    // No GPU is named: the CPU computes.
    let (study, files) = tensorflow2(false, &one_function());
    let said = verdict::of_files(&study, &files).sentence;
    assert!(said.contains("compute on the CPU") && !said.contains(UNRECORDED), "{said}");
}

#[test]
fn an_executor_that_only_starts_ops_of_a_gpu_does_not_compute() {
    let started = Scenario::new()
        .device(CPU, [op("_arg_0 = _Arg()", 0, 10_000)])
        .device(GPU, [op("m = MatMul(_arg_0)", 10_000, 60_000), op("c = _XlaRun(m)", 70_000, 30_000)]);
    let said = verdict::of(&started.study(), false).sentence;
    assert!(said.ends_with(UNRECORDED) && !said.contains("compute"), "{said}");
    assert!(findings_of(&started.study()).rows.iter().all(|own| own.rule != Rule::FewThreads));
    // With its stream it is the GPU that computes.
    let whole = started.device("/device:GPU:0/stream:all", [op("m = MatMul(_arg_0)", 20_000, 60_000)]);
    let said = verdict::of(&whole.study(), false).sentence;
    assert!(said.contains("compute on the GPU") && !said.contains(UNRECORDED), "{said}");
}

#[test]
fn kernels_for_which_the_program_waited_were_lost() {
    let waits = |name: &str| {
        let events = [
            on_host("cpu_op", "aten::mul", 0.0, 100.0),
            event("cuda_runtime", "cudaLaunchKernel", HOST, (10.0, 20.0), &json!({ "correlation": 5 })),
            event("cuda_runtime", name, HOST, (200.0, 20.0), &json!({ "correlation": 6 })),
        ];
        let study = with_gpus(&events);
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
fn a_gpu_that_was_not_recorded_hides_no_cause() {
    let mut events = vec![on_host("cpu_op", "aten::empty", 0.0, 45_000.0)];
    events.push(on_host("cuda_runtime", "cudaMalloc", 100.0, 5_000.0));
    events.push(on_host("cuda_runtime", "cudaFree", 6_000.0, 34_000.0));
    events.push(on_host("cuda_runtime", "cudaMalloc", 40_100.0, 1_000.0));
    events.push(on_host("cuda_runtime", "cudaLaunchKernel", 46_000.0, 10.0));
    events.push(on_host("cuda_runtime", "cudaDeviceSynchronize", 46_100.0, 8_000.0));
    let own = found(&with_gpu(&events), "allocator");
    assert!(text(&own, "sentence").contains("3 calls for the driver’s memory take 40 ms"), "{own}");
    let mut events = vec![on_host("cpu_op", "aten::normal_", 0.0, 3_600_000.0)];
    events.push(on_host("cpu_op", "aten::copy_", 3_600_100.0, 900_000.0));
    events.push(on_host("cuda_runtime", "cudaMemcpyAsync", 3_600_200.0, 860_000.0));
    events.push(on_host("cuda_runtime", "cudaLaunchKernel", 4_600_000.0, 10.0));
    let own = found(&with_gpu(&events), "dominant-work");
    assert!(text(&own, "sentence").contains("Random numbers on the CPU"), "{own}");
}

#[test]
fn a_collective_of_nccl_runs_on_a_gpu_that_was_not_recorded() {
    let events = [
        on_host("cpu_op", "aten::mm", 0.0, 500.0),
        on_host("user_annotation", "nccl:all_to_all", 500.0, 100.0),
        on_host("cpu_op", "aten::relu", 510.0, 80.0),
    ];
    let said = verdict::of(&with_gpu(&events), true);
    assert!(said.is_unrecorded, "{}", said.sentence);
    assert!(!verdict::of(&with_gpu(&events[..1]), true).is_unrecorded);
}

#[test]
fn memory_on_a_gpu_says_that_ops_ran_for_it() {
    let of = |kind: u32| {
        let mut events: Vec<Value> =
            (0..9).map(|at| on_host("cpu_op", "aten::mul_", 100.0 * f64::from(at), 90.0)).collect();
        let args =
            json!({ "Device Type": kind, "Device Id": 0, "Bytes": 512, "Addr": 7, "Total Allocated": 512 });
        events.push(json!({ "ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 100, "tid": 100, "ts": 10.0, "args": args }));
        verdict::of(&of_torch(&events), true).sentence
    };
    assert!(of(0).contains("compute on the CPU"), "{}", of(0));
    assert!(of(1).contains("What its GPU did was not recorded"), "{}", of(1));
}

#[test]
fn a_tpu_that_a_program_used_is_missing() {
    let events: Vec<(&str, i64, i64)> = (0..20)
        .flat_map(|at| {
            [
                ("tpu::System::TransferToDevice", at * 100_000, 200),
                ("XlaLinearize", at * 100_000 + 300, 2_000),
            ]
        })
        .collect();
    let own = of_host(&events);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("What its TPU did was not recorded.") && !said.contains("compute"), "{said}");
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
fn gpus_that_ran_nothing_are_no_problem_where_one_was_recorded() {
    let of = |runs: bool| {
        let mut all = vec![
            named("process_name", 1, 0, "/device:GPU:0"),
            named("process_name", 2, 0, "/device:GPU:1"),
            named("process_name", 7, 0, "/host:CPU"),
            json!({ "ph": "X", "name": "a:MatMul", "pid": 7, "tid": 1, "ts": 0, "dur": 10 }),
            json!({ "ph": "X", "name": "b:_Send", "pid": 7, "tid": 1, "ts": 20, "dur": 10 }),
        ];
        if runs {
            all.push(json!({ "ph": "X", "name": "gemm", "pid": 1, "tid": 13, "ts": 5, "dur": 10 }));
        }
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        let opened = open(&[("host.trace.json", text.as_bytes())]);
        opened
            .files
            .iter()
            .flat_map(|file| &file.problems)
            .map(|own| own.code.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(true), [""; 0]);
    assert_eq!(of(false), ["gpu-without-events"]);
}

#[test]
fn a_gpu_that_nothing_shows_to_be_used_is_the_first_finding() {
    let of = |gpu: bool| {
        let mut all =
            vec![named("process_name", 49, 0, "/host:CPU"), named("thread_name", 49, 1, "tf_Compute/1")];
        if gpu {
            all.push(named("process_name", 1, 0, "/device:GPU:0"));
        }
        all.extend([("TraceContext", 0, 100), ("FunctionRun", 10, 80), ("a:MatMul", 20, 50)].map(
            |(name, ts, dur)| json!({ "ph": "X", "name": name, "pid": 49, "tid": 1, "ts": ts, "dur": dur, "args": {} }),
        ));
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        let opened = open(&[("host.trace.json", text.as_bytes())]);
        let files = opened.files.clone();
        let own = study(opened);
        serde_json::from_str::<Value>(&findings::json(&own, &files, None)).unwrap_or_default()
    };
    let found = of(true);
    let first = &found["findings"][0];
    assert_eq!(first["rule"], "gpu-unused", "{found}");
    assert!(number(first, "saving_ns") > 0, "{first}");
    assert!(
        text(first, "sentence").contains("At most")
            && text(first, "advice").contains("list_physical_devices")
    );
    let rows = of(false)["findings"].as_array().cloned().unwrap_or_default();
    assert!(rows.iter().all(|own| own["rule"] != "gpu-unused"), "{rows:?}");
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
    // PyTorch asks for its GPU, and its profiler waits for it at the end, whether or not anything runs there.
    let asks = ["cudaGetDeviceCount", "cudaDeviceGetStreamPriorityRange", "cudaStreamIsCapturing"]
        .map(|name| on_host("cuda_runtime", name, 10.0, 5.0));
    let waits = on_host("cuda_runtime", "cudaDeviceSynchronize", 30_000.0, 5.0);
    let own = names_gpu(0, 4 << 20, &[asks.to_vec(), vec![waits]].concat());
    assert_eq!(list(own)["rule"], "gpu-unused");
}

#[test]
fn a_file_that_is_cut_is_a_part_that_was_kept() {
    let whole = json!([
        { "ph": "M", "name": "process_name", "pid": 1, "args": { "name": format!("{CPU} Compute") } },
        { "ph": "X", "cat": "Op", "name": "MatMul", "pid": 1, "tid": 0, "ts": 0, "dur": 5_000, "args": { "name": "m", "op": "MatMul" } },
        { "ph": "X", "cat": "Op", "name": "MatMul", "pid": 1, "tid": 0, "ts": 5_000, "dur": 5_000, "args": { "name": "n", "op": "MatMul" } },
    ])
    .to_string();
    let of = |text: &str| {
        let mut opener = Opener::new(CategoryRules::default(), Limits::default());
        opener.begin_file("timeline.json");
        opener.push(text.as_bytes());
        opener.end_file();
        let opened = opener.finish().expect("a trace");
        let files = opened.files.clone();
        verdict::of_files(&study(opened), &files).sentence
    };
    let kept = of(&whole[..whole.len() - 60]);
    assert!(kept.contains("that was kept, 5.000 ms"), "{kept}");
    assert!(!of(&whole).contains("kept"), "{}", of(&whole));
}

#[test]
fn a_gpu_that_was_not_recorded_is_what_the_verdict_begins_with() {
    let (nothing, _) = read(keras(40, 50, &[(2, "ExecutorState::Process", 2_000, 10_000)]));
    let begins = "98.72 ms: what its GPU did was not recorded, so nothing says what this time was needed for. For 10.00 ms of it executors of TensorFlow";
    assert!(nothing.contains(begins), "{nothing}");
    assert!(!nothing.contains("between the recorded ops"), "{nothing}");
    // Executors of a pipeline start no op of the step.
    let loading = [(4, "ExecutorState::Process", 1_000, 60_000)];
    let (beside, _) = read(keras(40, 59_000, &loading));
    assert!(!beside.contains("executors of TensorFlow"), "{beside}");
    // What ran has shares.
    let (ran, _) = read(keras(40, 50, &[(2, "a:MatMul", 2_000, 80_000)]));
    assert!(ran.contains("ops ran on the host for") && ran.contains("(mostly MatMul)"), "{ran}");
    assert!(ran.contains("What its GPU did was not recorded."), "{ran}");
}

/// A program of PyTorch on a machine with a GPU: ten convolutions of this name and length in µs, one every ms.
fn convolutions(name: &str, length: f64) -> Opened {
    let ops: Vec<Value> =
        (0..10).map(|id| on_host("cpu_op", name, 1_000.0 * f64::from(id), length)).collect();
    let said = json!({ "deviceProperties": [{ "id": 0, "name": "NVIDIA GeForce RTX 3060" }] });
    open(&[("made.json", &torch(&ops, &said))])
}

#[test]
fn operators_that_only_a_cpu_runs_say_that_the_gpu_was_not_used() {
    for name in ["aten::mkldnn_convolution", "aten::_slow_conv2d_forward"] {
        let (sentence, first) = read(convolutions(name, 900.0));
        assert_eq!(first["rule"], "gpu-unused", "{first}");
        // Ten times 900 µs.
        assert_eq!(first["saving_ns"].as_i64(), Some(9_000_000), "{first}");
        assert!(sentence.contains("names a GPU, but nothing shows that it was used"), "{sentence}");
    }
    for own in [
        convolutions("aten::mkldnn_convolution", 300.0),
        convolutions("aten::cudnn_convolution", 900.0),
        convolutions("aten::addmm", 900.0),
    ] {
        assert_ne!(read(own).1["rule"], "gpu-unused");
    }
}

/// Events of one thread of process 1, each a category, a name, a start and a length in µs.
fn of_thread(events: &[(&str, &str, f64, f64)]) -> Study {
    let made =
        |&(cat, name, ts, dur): &(&str, &str, f64, f64)| event(cat, name, (1, 1), (ts, dur), &json!({}));
    let all: Vec<Value> = events.iter().map(made).collect();
    study(open(&[("trace.json", Value::from(all).to_string().as_bytes())]))
}

#[test]
fn a_thread_that_reads_a_file_computes_nothing() {
    // 900 of 10,000 µs.
    let calls = |cat: &'static str| {
        of_thread(&[
            (cat, "open", 0.0, 400.0),
            (cat, "read", 5_000.0, 300.0),
            ("STDIO", "fclose", 9_800.0, 200.0),
        ])
    };
    let own = calls("POSIX");
    let split = own.step_split(own.trace().span());
    assert_eq!((split.compute.0, split.exposed_waiting.0), (0, 900_000), "{split:?}");
    let sentence = said_of_recording(&own);
    assert!(sentence.contains("reading and writing files takes 9.0 %"), "{sentence}");
    assert!(!sentence.contains("device") && !sentence.contains("no recorded op"), "{sentence}");
    // Most of the time.
    let own = of_thread(&[("POSIX", "write", 0.0, 8_000.0), ("POSIX", "close", 9_000.0, 1_000.0)]);
    assert!(
        said_of_recording(&own).contains("reading and writing files takes 90.0 %"),
        "{}",
        said_of_recording(&own)
    );
    // Next to what waits for something else nobody says so.
    let own = of_thread(&[("POSIX", "write", 0.0, 4_000.0), ("ray.wait", "ray.wait", 4_000.0, 6_000.0)]);
    assert!(!said_of_recording(&own).contains("files takes"), "{}", said_of_recording(&own));
    // Another writer's calls of these names may be anything.
    let own = calls("app");
    assert_eq!(own.step_split(own.trace().span()).compute.0, 700_000);
}

#[test]
fn ranges_of_a_program_are_no_compute_of_a_device() {
    let marks = [
        ("batch,train", "event/batch", 0.0, 6_000.0),
        ("train", "event/forward", 500.0, 2_000.0),
        ("train", "callback/log", 3_000.0, 3_000.0),
        ("batch,train", "event/batch", 8_000.0, 2_000.0),
    ];
    let own = of_thread(&marks);
    let sentence = said_of_recording(&own);
    assert!(sentence.contains("recorded ranges take 80.0 % of the time"), "{sentence}");
    assert!(!sentence.contains("device"), "{sentence}");
    // Ranges behind one another may be rows of a device.
    let flat = said_of_recording(&of_thread(&[marks[1], marks[2], marks[3]]));
    assert!(flat.contains("compute on the device"), "{flat}");
    // An operator of a framework is known.
    let known = [marks.as_slice(), &[("cpu_op", "aten::mm", 600.0, 100.0)]].concat();
    assert!(
        !said_of_recording(&of_thread(&known)).contains("recorded ranges"),
        "{}",
        said_of_recording(&of_thread(&known))
    );
}
