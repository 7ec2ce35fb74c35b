//! Which GPUs have tensor cores: what their compute capability says, what names of kernels say without it, and the advice for each.

use super::made::{complete, launched_as};
use serde_json::{Value, json};
use steplens_core::findings::done::capability;
use steplens_core::model::capability::Capability;
use steplens_core::{Study, Trace};
use steplens_formats::session;
use steplens_report::findings;
use steplens_tests::opened::{found, on_host, open, study, text, torch};
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::named;

/// What the trace says of its GPUs.
fn said(trace: &Trace) -> Option<String> {
    capability(trace).map(|own| own.to_string())
}

/// What each real recording says of its GPUs, as a plain reading of its JSON or its planes has it. AMD writes other numbers in the same fields: `gfx`
/// numbers, where the GPU may also have no name and 64 threads in a warp.
const REAL: [(&str, Option<&str>); 11] = [
    ("pytorch/gpu-user-annotation.json.gz", Some("6.0")),
    ("pytorch/diff-test.json.gz", Some("7.0")),
    ("pytorch/t4-resnet50.json.gz", Some("7.5")),
    ("pytorch/run-ahead-gpu-bound.json.gz", Some("8.6")),
    // Behind all events.
    ("pytorch/h100-bert-small.json.gz", Some("9.0")),
    ("pytorch/b200-eager.json.gz", Some("10.0")),
    ("pytorch/mi210-gpu-only.json.gz", None),
    ("pytorch/vllm-decode-graph.json.gz", None),
    ("pytorch/v100-resnet50.json.gz", None),
    ("xspace/tf2-gpu-20210617.xplane.pb", Some("7.5")),
    ("xspace/jax-mi300-gemm.xplane.pb", None),
];

#[test]
fn real_recordings_say_the_compute_capability_of_their_gpus() {
    for (name, wanted) in REAL {
        let Some(bytes) = sample(&["real/", name].concat()) else { continue };
        let opened = open(&[(name, &bytes)]);
        assert_eq!(said(&opened.trace).as_deref(), wanted, "{name}");
        let stored = session::write(&opened.trace, &opened.files);
        let again = open(&[("again.steplens", &stored)]);
        assert_eq!(said(&again.trace).as_deref(), wanted, "a session of {name}");
        let steps = study(again);
        assert_eq!(said(steps.trace()).as_deref(), wanted, "what is shown of {name}");
    }
}

/// A GPU, described by `gpu`, that runs kernels called `name` and nothing else.
fn kernels(name: &str, gpu: &Value) -> Study {
    let mut events = Vec::new();
    for id in 0..5_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::mm", at, 20.0));
        events.extend(launched_as(id + 1, (at + 5.0, 5.0), (name, at + 10.0, at + 990.0)));
    }
    study(open(&[("made.json", &torch(&events, &json!({ "deviceProperties": [gpu] })))]))
}

fn gpu(name: &str, major: i64, minor: i64, warp: i64) -> Value {
    json!({ "id": 0, "name": name, "computeMajor": major, "computeMinor": minor, "warpSize": warp })
}

fn advice_for(name: &str, gpu: &Value) -> String {
    text(&found(&kernels(name, gpu), "tensor-cores"), "advice").to_owned()
}

#[test]
fn kernels_in_float32_are_found_where_the_gpu_has_tensor_cores() {
    let plain = "sgemm_128x64_nn";
    let named = "volta_sgemm_128x64_nn";
    // Nothing says what this GPU is: then names do.
    let unknown = json!({ "id": 0 });
    assert_eq!(advice_for(plain, &unknown), "");
    assert!(advice_for(named, &unknown).contains("autocast"));
    assert!(!advice_for(named, &unknown).contains("compute capability"));
    // A GTX 1080 has none, whatever its kernels are called.
    let pascal = gpu("NVIDIA GeForce GTX 1080", 6, 1, 32);
    assert_eq!(advice_for(plain, &pascal), "");
    assert_eq!(advice_for(named, &pascal), "");
    let volta = advice_for(plain, &gpu("Tesla V100-SXM2-16GB", 7, 0, 32));
    assert!(volta.contains("is 7.0: it has no TF32, and no tensor cores for bfloat16"), "{volta}");
    let ampere = advice_for(plain, &gpu("NVIDIA A100-SXM4-80GB", 8, 0, 32));
    assert!(ampere.contains("is 8.0: it is one from Ampere on"), "{ampere}");
    // Some GPUs of 7.5 have tensor cores, others have none: names decide, but no such GPU has TF32.
    let turing = gpu("Tesla T4", 7, 5, 32);
    assert_eq!(advice_for(plain, &turing), "");
    assert!(advice_for(named, &turing).contains("is 7.5: it has no TF32"));
    // Numbers of AMD are none of these.
    for other in [gpu("AMD Instinct MI210", 9, 0, 64), gpu("", 9, 4, 64), gpu("AMD Radeon RX 580", 8, 0, 64)]
    {
        assert_eq!(advice_for(plain, &other), "", "{other}");
    }
}

/// A GPU, described by `gpu`, that runs ten convolutions of TensorFlow 2 and nothing else.
fn convolutions(gpu: &Value) -> Study {
    let mut events = vec![
        named("process_name", 1, 0, "/device:GPU:0"),
        named("thread_name", 1, 13, "Stream #13(Compute)"),
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 2, "python3"),
        complete("EagerExecute: __inference_train_function_9", (7, 2), (0, 1_000)),
    ];
    for place in 0..10 {
        let mut kernel = complete("implicit_convolve", (1, 13), (place * 100, 99));
        kernel["args"] = json!({ "tf_op": format!("net/c{place}:Conv2D") });
        events.push(kernel);
    }
    let text =
        json!({ "displayTimeUnit": "ns", "deviceProperties": [gpu], "traceEvents": events }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

#[test]
fn convolutions_of_tensorflow_get_no_advice_for_tensor_cores_that_are_not_there() {
    let advice = |gpu: &Value| text(&found(&convolutions(gpu), "dominant-work"), "advice").to_owned();
    let unknown = advice(&json!({ "id": 0 }));
    assert!(unknown.contains("and the GPU has tensor cores (Volta or later)"), "{unknown}");
    let pascal = advice(&gpu("Tesla P4", 6, 1, 32));
    assert!(pascal.contains("The GPU has no tensor cores") && !pascal.contains("16 bits"), "{pascal}");
    let volta = advice(&gpu("Tesla V100", 7, 0, 32));
    assert!(volta.contains("mixed_precision") && volta.contains("is 7.0: it has tensor cores"), "{volta}");
}

#[test]
fn gpus_that_differ_say_nothing_of_all() {
    let two = |second: &Value| {
        let mut events = Vec::new();
        for id in 0..2_i64 {
            let mut own = launched_as(id + 1, (0.0, 5.0), ("sgemm", 10.0, 90.0));
            own[1]["pid"] = id.into();
            own[1]["args"]["device"] = id.into();
            events.extend(own);
        }
        let gpus = [gpu("Tesla V100", 7, 0, 32), second.clone()];
        let own = study(open(&[("made.json", &torch(&events, &json!({ "deviceProperties": gpus })))]));
        let devices = own.trace().devices();
        let each: Vec<Option<Capability>> = devices.ids().map(|id| devices.get(id).capability).collect();
        (said(own.trace()), each.into_iter().flatten().map(|own| own.to_string()).collect::<Vec<_>>())
    };
    let mut other = gpu("NVIDIA GeForce GTX 1080", 6, 1, 32);
    other["id"] = 1.into();
    assert_eq!(two(&other), (None, vec!["7.0".to_owned(), "6.1".to_owned()]));
    let mut same = gpu("Tesla V100", 7, 0, 32);
    same["id"] = 1.into();
    assert_eq!(two(&same), (Some("7.0".to_owned()), vec!["7.0".to_owned(), "7.0".to_owned()]));
}

#[test]
fn damaged_properties_of_gpus_say_nothing() {
    for raw in [
        r#"[{"id":0,"name":"Tesla V100","computeMajor":"seven","computeMinor":0}]"#,
        r#"[{"id":0,"name":"Tesla V100","computeMajor":7000000000000000000000,"computeMinor":0}]"#,
        r#"[{"id":0,"name":"Tesla V100","computeMajor":[7],"computeMinor":{"a":0}}]"#,
        r#"[[{"id":0,"name":"Tesla V100","computeMajor":7,"computeMinor":0}]]"#,
    ] {
        let kernel = json!({ "ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 0, "dur": 9, "args": { "device": 0, "stream": 7 } });
        let file = format!(r#"{{"schemaVersion": 1, "deviceProperties": {raw}, "traceEvents": [{kernel}]}}"#);
        let own = study(open(&[("made.json", file.as_bytes())]));
        assert_eq!(said(own.trace()), None, "{raw}");
        assert!(findings::json(&own, &[], None).contains("findings"));
    }
}
