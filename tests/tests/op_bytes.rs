//! Bytes of copies, next to a reading of the same files by their events.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use steplens_core::model::input_bytes::input_bytes;
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::transfers::copies::copies;
use steplens_core::{Category, Study};
use steplens_tests::opened::{cases, open, study};
use steplens_tests::samples::sample;

fn events(file: &[u8]) -> Vec<Value> {
    let mut text = Vec::new();
    match file.starts_with(b"\x1f\x8b") {
        true => _ = GzDecoder::new(file).read_to_end(&mut text).expect("a gzip file"),
        false => text = file.to_vec(),
    }
    let document: Value = serde_json::from_slice(&text).expect("JSON");
    document["traceEvents"].as_array().expect("events").clone()
}

/// The bytes of all copies, and of what sets memory, in order of size.
fn of_copies(study: &Study) -> Vec<u64> {
    let trace = study.trace();
    let copies = trace.ops().ids().filter(|&op| trace.category(op) == Category::Copy);
    sorted(copies.map(|op| op_bytes(trace, op).0).collect())
}

fn sorted(mut bytes: Vec<u64>) -> Vec<u64> {
    bytes.sort_unstable();
    bytes
}

#[test]
fn copies_of_pytorch_have_the_bytes_of_their_events() {
    let files =
        ["alexnet", "diff-control", "diff-test", "v100-resnet50", "vllm-decode-graph", "h100-bert-small"];
    for file in files {
        let Some(bytes) = sample(&format!("real/pytorch/{file}.json.gz")) else { continue };
        let is_copy = |event: &&Value| {
            matches!(event["cat"].as_str(), Some("gpu_memcpy" | "gpu_memset" | "Memcpy" | "Memset"))
        };
        let said: Vec<u64> = events(&bytes)
            .iter()
            .filter(is_copy)
            .map(|event| event["args"]["bytes"].as_u64().expect("a size"))
            .collect();
        assert!(!said.is_empty(), "{file}");
        assert_eq!(of_copies(&study(open(&[(file, &bytes)]))), sorted(said), "{file}");
    }
}

#[test]
fn calls_that_copy_say_how_much() {
    // Older ROCm says the size of a copy only of the call, as `size`; newer as `bytes`, of both.
    for (file, key) in [("mi250-minitoy", "size"), ("vllm-decode-graph", "bytes")] {
        let Some(bytes) = sample(&format!("real/pytorch/{file}.json.gz")) else { continue };
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let said: Vec<u64> = events(&bytes)
            .iter()
            .filter(|event| event["cat"] == "cuda_runtime")
            .filter_map(|event| number(&event["args"][key]))
            .collect();
        let study = study(open(&[(file, &bytes)]));
        let trace = study.trace();
        let calls = trace.ops().ids().filter(|&op| trace.category(op) == Category::Launch);
        let shown = calls.map(|op| op_bytes(trace, op).0).filter(|&bytes| bytes > 0);
        assert_eq!(sorted(shown.collect()), sorted(said), "{file}");
    }
}

#[test]
fn one_run_of_tensorflow_has_the_same_bytes_in_two_formats() {
    let files = ["real/xspace/tf2-gpu-20210617.xplane.pb", "real/tf2-json/tf2-gpu-20210617.trace.json.gz"];
    let (Some(xspace), Some(json)) = (sample(files[0]), sample(files[1])) else { return };
    // Each copy is on its stream, and once more on a line that is named after its op.
    let size = |event: &Value| {
        let details = event["args"]["memcpy_details"].as_str()?;
        details.split(' ').find_map(|word| word.strip_prefix("size:"))?.parse().ok()
    };
    let said: Vec<u64> = events(&json).iter().filter_map(size).collect();
    let twice: Vec<u64> =
        of_copies(&study(open(&[(files[1], &json)]))).into_iter().flat_map(|own| [own; 2]).collect();
    assert_eq!(twice, sorted(said));
    assert_eq!(
        of_copies(&study(open(&[(files[0], &xspace)]))),
        of_copies(&study(open(&[(files[1], &json)])))
    );
}

#[test]
fn copies_of_rocprof_have_the_bytes_of_their_calls() {
    let file = "real/rocprof/hip-trace.json";
    let Some(bytes) = sample(file) else { return };
    let said = |event: &Value| {
        let text = event["args"]["args"].as_str()?;
        text.split_once("sizeBytes(")?.1.split_once(')')?.0.parse().ok()
    };
    let is_copy = |event: &&Value| event["name"].as_str().is_some_and(|name| name.starts_with("hipMemcpy"));
    let sizes: Vec<u64> = events(&bytes).iter().filter(is_copy).filter_map(said).collect();
    assert_eq!(sizes.len(), 6);
    let study = study(open(&[(file, &bytes)]));
    assert_eq!(of_copies(&study), sorted(sizes));
    // The first copy takes 8 µs on the GPU, and its call 275 ms.
    let trace = study.trace();
    let first = trace.ops().ids().filter(|&op| trace.category(op) == Category::Copy);
    let first = first.min_by_key(|&op| trace.ops().start(op)).expect("a copy");
    let call = trace.call_of(first).expect("its call");
    let length = |op| trace.ops().interval(op).length().0 / 1_000;
    assert_eq!((trace.op_name(call), length(first), length(call)), ("hipMemcpyWithStream", 8, 275_059));
    // The kernel's call is known, too.
    let kernel = trace.ops().ids().find(|&op| trace.op_name(op) == "elementwise_kernel").expect("a kernel");
    assert_eq!(trace.call_of(kernel).map(|call| trace.op_name(call)), Some("hipLaunchKernel"));
}

#[test]
fn copies_of_tensorflow_1_have_the_bytes_of_their_labels() {
    let Some(opened) = cases(&["tf114_gpu.pb"]) else { return };
    let study = study(opened);
    assert!(of_copies(&study).iter().all(|&bytes| bytes == 8_000_000), "{:?}", of_copies(&study));
    let links = copies(study.trace());
    let sizes: Vec<u64> = links.links.iter().map(|own| own.load.bytes.0).collect();
    assert_eq!(sizes, [8_000_000; 2]);
}

/// The bytes of the inputs of an event, by a reading of its shapes and types that knows the types of these files alone.
fn inputs_read(args: &Value) -> Option<u64> {
    let types = args["Input type"].as_array()?;
    let mut sum = None;
    for (shape, kind) in args["Input Dims"].as_array()?.iter().zip(types) {
        let size = match kind.as_str()? {
            "" | "Scalar" | "ScalarList" => continue,
            "float" | "int" => 4,
            "double" | "long int" | "long" => 8,
            "c10::BFloat16" => 2,
            "bool" | "unsigned char" => 1,
            _ => return None,
        };
        let elements: Option<u64> = shape.as_array()?.iter().map(Value::as_u64).product();
        sum = Some(sum.unwrap_or(0) + elements? * size);
    }
    sum
}

#[test]
fn inputs_of_pytorch_have_the_bytes_of_their_shapes_and_types() {
    for file in ["h100-bert-small", "run-ahead-gpu-bound", "cpu-only"] {
        let Some(bytes) = sample(&format!("real/pytorch/{file}.json.gz")) else { continue };
        let read: Vec<u64> = events(&bytes).iter().filter_map(|event| inputs_read(&event["args"])).collect();
        let study = study(open(&[(file, &bytes)]));
        let found = study.trace().ops().ids().filter_map(|op| input_bytes(study.trace(), op));
        assert!(read.len() > 100, "{file}");
        assert_eq!(sorted(found.map(|bytes| bytes.0).collect()), sorted(read), "{file}");
    }
}
