//! What ops calculate and move, against figures that this test has by hand, and of real recordings against a plain reading of their JSON.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;
use steplens_core::questions::range::RangeQuery;
use steplens_core::{Flops, Study};
use steplens_formats::session;
use steplens_report::{kernels, ops};
use steplens_tests::opened::{HOST, event, found, on_host, open, study, text, torch, with_gpu};
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::timeline;
use steplens_tests::writer::{Scenario, op};

const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const STREAM: &str = "/device:GPU:0/stream:13";

/// The row of kernels, or of op types, with this name.
fn kernel_row(study: &Study, name: &str) -> Value {
    let all: Value = serde_json::from_str(&kernels::json(study)).unwrap();
    all["kernels"].as_array().unwrap().iter().find(|own| own["name"] == name).cloned().unwrap_or_default()
}

fn type_rows(study: &Study) -> Vec<Value> {
    let all: Value = serde_json::from_str(&ops::types(study, &kernels::everything(study))).unwrap();
    all.as_array().unwrap().clone()
}

fn type_row(study: &Study, name: &str) -> Value {
    type_rows(study).into_iter().find(|own| own["op_type"] == name).unwrap_or_default()
}

fn details(study: &Study, name: &str) -> Value {
    let trace = study.trace();
    let op = trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap();
    serde_json::from_str(&ops::details(study, op).unwrap()).unwrap()
}

/// FLOPs, FLOP/s, bytes, bytes/s and the known part.
fn figures(row: &Value) -> [Option<i64>; 5] {
    ["flops", "flops_per_second", "moved_bytes", "moved_bytes_per_second", "work_known_ppm"]
        .map(|field| row[field].as_i64())
}

fn operator(name: &str, at: f64, length: f64, args: &Value) -> Value {
    event("cpu_op", name, HOST, (at, length), args)
}

/// A call at `at`, and its kernel.
fn launched(id: i64, at: f64, name: &str, start: f64, length: f64) -> [Value; 2] {
    let args = json!({ "correlation": id, "stream": 7, "device": 0 });
    [
        event("cuda_runtime", "cudaLaunchKernel", HOST, (at, 1.0), &args),
        event("kernel", name, (0, 7), (start, length), &args),
    ]
}

fn floats(shapes: &Value) -> Value {
    let types: Vec<&str> = shapes.as_array().unwrap().iter().map(|_| "float").collect();
    json!({ "Input Dims": shapes, "Input type": types })
}

#[test]
fn kernels_share_the_work_of_the_operator_that_launched_them() {
    // `aten::linear` has shapes, too, and only calls `aten::addmm`: 2 · 40 · 50 · 60 operations; 40 · 50 + 50 · 60 + 40 · 60 numbers.
    let shapes = json!([[60], [40, 50], [50, 60]]);
    let mut events = vec![
        operator("aten::linear", 0.0, 30.0, &floats(&json!([[40, 50], [60, 50], [60]]))),
        operator("aten::addmm", 5.0, 20.0, &floats(&shapes)),
        operator("aten::relu", 40.0, 10.0, &floats(&json!([[40, 60]]))),
    ];
    events.extend(launched(1, 6.0, "gemm", 50.0, 30.0));
    events.extend(launched(2, 8.0, "splitK", 80.0, 10.0));
    events.extend(launched(3, 42.0, "relu", 90.0, 40.0));
    let study = with_gpu(&events);
    let (flops, bytes) = (240_000, 4 * 7_400);
    // Three quarters of 40 µs.
    let per_second = |amount: i64| Some(amount * 25_000);
    let rates = [per_second(flops), per_second(bytes)];
    let gemm = [Some(flops * 3 / 4), rates[0], Some(bytes * 3 / 4), rates[1], Some(1_000_000)];
    assert_eq!(figures(&kernel_row(&study, "gemm")), gemm);
    let rest = [Some(flops / 4), rates[0], Some(bytes / 4), rates[1], Some(1_000_000)];
    assert_eq!(figures(&kernel_row(&study, "splitK")), rest);
    assert_eq!(figures(&kernel_row(&study, "relu")), [None; 5]);
    let whole = [Some(flops), rates[0], Some(bytes), rates[1], Some(1_000_000)];
    assert_eq!(figures(&type_row(&study, "aten::addmm")), whole, "as fast as its kernels");
    assert_eq!(figures(&type_row(&study, "aten::linear")), [None; 5], "it only calls");
    let own = details(&study, "aten::addmm");
    assert_eq!((figures(&own), &own["work_recorded"]), (whole, &json!(false)));
    assert_eq!(details(&study, "relu")["work_recorded"], Value::Null);
}

#[test]
fn operators_of_a_cpu_are_as_fast_as_they_last_and_those_without_kernels_have_no_speed() {
    let products = |name: &str, at: f64| operator(name, at, 10.0, &floats(&json!([[4, 8], [8, 2]])));
    let mm =
        [products("aten::mm", 0.0), products("aten::mm", 20.0), on_host("cpu_op", "aten::mm", 40.0, 20.0)];
    let alone = study(open(&[("cpu.json", &torch(&mm, &json!({})))]));
    // 128 operations in 10 µs, twice; nothing is known of half of the time.
    let row = figures(&type_row(&alone, "aten::mm"));
    assert_eq!(row, [Some(256), Some(12_800_000), Some(448), Some(22_400_000), Some(500_000)]);
    let mut events = mm.to_vec();
    events.extend(launched(1, 70.0, "other", 80.0, 10.0));
    let next_to_gpu = figures(&type_row(&with_gpu(&events), "aten::mm"));
    assert_eq!(next_to_gpu, [Some(256), None, Some(448), None, Some(500_000)]);
}

#[test]
fn convolutions_and_attention_are_read_from_arguments() {
    let given = |shapes: Value, types: &[&str], values: &[&str]| json!({ "Input Dims": shapes, "Input type": types, "Concrete Inputs": values });
    let float = "c10::Half";
    let list = "ScalarList";
    let forward = given(
        json!([[2, 3, 8, 8], [4, 3, 3, 3], [], [], [], []]),
        &[float, float, list, list, list, "Scalar"],
        &["", "", "[1, 1]", "[2, 2]", "[1, 1]", "1"],
    );
    let backward = given(
        json!([[2, 4, 4, 4], [2, 3, 8, 8], [4, 3, 3, 3], [], [], [], [], [], [], [], []]),
        &[float, float, float, list, list, list, list, "Scalar", list, "Scalar", list],
        &["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[True, True, False]"],
    );
    let first = given(
        json!([[2, 4, 4, 4], [2, 3, 8, 8], [4, 3, 3, 3], [], [], [], [], [], [], [], []]),
        &[float, float, float, list, list, list, list, "Scalar", list, "Scalar", list],
        &["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[False, True, False]"],
    );
    let attention = |causal: &str| {
        given(
            json!([[1, 16, 2, 8], [1, 16, 2, 8], [1, 16, 2, 8], [], [], [], [], [], [], []]),
            &[float, float, float, "", "", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar"],
            &["", "", "", "", "", "16", "16", "0.", causal, "False"],
        )
    };
    // Each of 2 · 4 · 4 · 4 elements meets a window of 3 · 3 · 3; of attention 16 · 16 pairs of 8 numbers meet twice in 2 heads.
    let once = 2 * 2 * 4 * 4 * 4 * 27;
    for (name, args, flops) in [
        ("aten::cudnn_convolution", &forward, Some(once)),
        ("aten::convolution_backward", &backward, Some(2 * once)),
        ("aten::convolution_backward", &first, Some(once)),
        ("aten::_flash_attention_forward", &attention("False"), Some(2 * 2 * 16 * 16 * 16)),
        ("aten::_flash_attention_forward", &attention("True"), None),
    ] {
        let mut events = vec![operator(name, 0.0, 30.0, args)];
        events.extend(launched(1, 6.0, "kernel", 50.0, 10.0));
        let row = kernel_row(&with_gpu(&events), "kernel");
        assert_eq!(row["flops"].as_i64(), flops, "{name} {args}");
        assert_eq!(row["flops_per_second"].as_i64(), flops.map(|own| own * 100_000), "{name}");
    }
}

#[test]
fn hostile_shapes_have_no_work() {
    let huge: u64 = 1 << 63;
    for shapes in [
        json!([[-4, 8], [8, 2]]),
        json!([[huge, huge], [huge, huge]]),
        json!([[4_294_967_296_u64, 4_294_967_296_u64], [4_294_967_296_u64, 2]]),
        json!([[4, 8]]),
        json!([[], []]),
        json!([[[4, 8]], [8, 2]]),
        json!([[4, 0], [0, 2]]),
        json!("[[4, 8], [8, 2"),
        json!(7),
    ] {
        for types in [json!(["float", "float"]), json!(["c10::complex<float>", "float"]), json!([]), json!(3)]
        {
            let args = json!({ "Input Dims": shapes, "Input type": types, "Concrete Inputs": ["[", "[-1]"] });
            let names = [
                "aten::mm",
                "aten::cudnn_convolution",
                "aten::convolution_backward",
                "aten::_flash_attention_forward",
            ];
            let mut events: Vec<Value> =
                (0..).zip(names).map(|(at, name)| operator(name, f64::from(at) * 20.0, 0.0, &args)).collect();
            events.extend(launched(1, 6.0, "kernel", 100.0, 0.0));
            let study = with_gpu(&events);
            for row in type_rows(&study) {
                assert_eq!(figures(&row)[..2], [None, None], "{row}");
            }
        }
    }
}

#[test]
fn convolutions_of_tensorflow_need_the_shapes_of_filters_and_results() {
    const FLOAT: i32 = 1;
    let of_cpu = [
        op("x = Pad()", 0, 1_000).output(0, FLOAT, &[2, 8, 8, 3], 1),
        op("w = VariableV2()", 1_000, 1_000).output(0, 100 + FLOAT, &[3, 3, 3, 4], 1),
        op("b/y = FusedBatchNorm()", 2_000, 1_000).output(0, FLOAT, &[1], 1).output(
            1,
            FLOAT,
            &[2, 4, 4, 4],
            1,
        ),
        op("c = Conv2D(x, w)", 10_000, 2_000).output(0, FLOAT, &[2, 4, 4, 4], 1),
        op("ci = Conv2DBackpropInput(x, w, b/y:1)", 20_000, 2_000).output(0, FLOAT, &[2, 8, 8, 3], 1),
        op("cf = Conv2DBackpropFilter(x, w, b/y:1)", 30_000, 2_000).output(0, FLOAT, &[3, 3, 3, 4], 1),
        op("m = MatMul(c2, t)", 50_000, 1_000).output(0, FLOAT, &[5, 7], 1),
        op("c2 = Relu()", 40_000, 1_000).output(0, FLOAT, &[11, 5], 1),
        op("t = Relu()", 42_000, 1_000).output(0, FLOAT, &[7, 11], 1),
        op("other = MatMul(c2, w)", 60_000, 1_000).output(0, FLOAT, &[5, 7], 1),
        op("whole = Conv2D(x, t)", 70_000, 1_000).output(0, FLOAT, &[-1, 4, 4, 4], 1),
        op("ints = Conv2D(x, w)", 80_000, 1_000).output(0, 3, &[2, 4, 4, 4], 1),
    ];
    let study = Scenario::new().device(CPU, of_cpu).study();
    let once = 2 * 2 * 4 * 4 * 4 * 27;
    let bytes = 4 * (2 * 8 * 8 * 3 + 3 * 3 * 3 * 4 + 2 * 4 * 4 * 4);
    for name in ["c", "ci", "cf"] {
        let own = figures(&details(&study, name));
        assert_eq!(
            own,
            [Some(once), Some(once * 500_000), Some(bytes), Some(bytes * 500_000), Some(1_000_000)],
            "{name}"
        );
    }
    let product = figures(&details(&study, "m"));
    assert_eq!(product[0], Some(2 * 5 * 7 * 11), "whichever of its factors is transposed");
    for name in ["x", "other", "whole", "ints"] {
        assert_eq!(figures(&details(&study, name)), [None; 5], "{name}");
    }
}

/// A step of TensorFlow whose GPU has convolutions for most of it, of as many µs as `lengths` says.
fn convolving(lengths: &[i64], dtype: i32) -> Study {
    let us = 1_000;
    let mut on_gpu = vec![
        op("w = VariableV2()", 0, us).output(0, dtype, &[1, 1, 100, 100], 1),
        op("x = Relu()", 0, us).output(0, dtype, &[10, 100, 50, 10], 1),
    ];
    let mut on_stream = Vec::new();
    let mut at = 2 * us;
    for (place, length) in lengths.iter().enumerate() {
        let name = format!("net/c{place}");
        let label = format!("{name} = Conv2D(x, w)");
        on_gpu.push(op(&label, 2 * us + place as i64 * 100, 50).output(0, dtype, &[10, 100, 50, 10], 1));
        on_stream.push(op(&format!("{name}:Conv2D"), at, length * us));
        at += length * us;
    }
    Scenario::new().device(GPU, on_gpu).device(STREAM, on_stream).study()
}

#[test]
fn a_step_of_convolutions_says_how_fast_they_are_and_which_is_slow() {
    // 2 · 10 · 50 · 10 · 100 · 100 operations each, nine of them in 100 µs and one in 250 µs.
    let mut lengths = [100; 10];
    lengths[4] = 250;
    let own = found(&convolving(&lengths, 1), "dominant-work");
    let what = text(&own, "what");
    assert!(what.contains("Conv2D 1.15 ms"), "{own}");
    assert!(what.contains("They calculate 1.00 GFLOP at 870 GFLOP/s."), "{what}");
    assert!(
        what.contains("c4 is slow for its work: 400 GFLOP/s; the median of its type is 1.00 TFLOP/s."),
        "{what}"
    );
    assert!(text(&own, "advice").contains("mixed_precision"), "{own}");
    // One that takes three times the median of its peers is a finding of its own.
    lengths[4] = 1_000;
    let one = found(&convolving(&lengths, 1), "dominant-work");
    assert!(text(&one, "what").contains("It is slow for its work: 100 MFLOP at 100 GFLOP/s;"), "{one}");
    let alike = found(&convolving(&[100; 10], 1), "dominant-work");
    assert!(!text(&alike, "what").contains("slow"), "{alike}");
    // With 16 bits nobody needs fewer.
    let short = found(&convolving(&[100; 10], 19), "dominant-work");
    assert!(
        text(&short, "advice").contains("16 bits already") && !text(&short, "advice").contains("mixed"),
        "{short}"
    );
}

#[test]
fn a_timeline_without_shapes_names_what_its_gpu_does_and_no_speed() {
    let turning = "conv1-0-0-TransposeNCHWToNHWC-LayoutOptimizer";
    let on_stream = format!("{turning}:Transpose");
    let mut ops = vec![(1, "LRN", "norm1", 0, 10), (1, "Conv2D", "conv1", 20, 10)];
    ops.extend([(2, "LRN", "norm1:LRN", 40, 400), (2, "Conv2D", "conv1:Conv2D", 440, 300)]);
    ops.extend([(1, "Transpose", turning, 35, 2), (2, "Transpose", &on_stream, 740, 100)]);
    let own = found(&timeline(&ops), "dominant-work");
    let (what, advice) = (text(&own, "what"), text(&own, "advice"));
    assert!(what.contains("LRN 400 µs") && what.contains("Conv2D 300 µs") && !what.contains("FLOP"), "{own}");
    assert!(advice.contains("LRN need not be") && advice.contains("LayoutOptimizer"), "{advice}");
    // Where most of the time is something else, nothing is said.
    let others =
        [(1, "Conv2D", "c", 0, 10), (2, "Conv2D", "c:Conv2D", 10, 100), (2, "Mul", "m:Mul", 110, 500)];
    assert_eq!(found(&timeline(&others), "dominant-work"), Value::Null);
}

/// The operations of products by the JSON of a document, by operator.
fn plain(json: &Value) -> Vec<(String, u64)> {
    let mut sums: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for event in json["traceEvents"].as_array().unwrap() {
        let name = event["name"].as_str().unwrap_or_default();
        let first = match name {
            "aten::mm" | "aten::bmm" => 0,
            "aten::addmm" | "aten::baddbmm" => 1,
            _ => continue,
        };
        let dims = |place: usize| -> Option<Vec<u64>> {
            event["args"]["Input Dims"][first + place].as_array()?.iter().map(Value::as_u64).collect()
        };
        let (Some(a), Some(b)) = (dims(0), dims(1)) else { continue };
        *sums.entry(name.to_owned()).or_default() += 2 * a.iter().product::<u64>() * b.last().unwrap();
    }
    sums.into_iter().collect()
}

#[test]
fn products_of_real_recordings_are_those_of_a_plain_reading() {
    let files = [
        "real/megatron-tp8/rank-0.json.gz",
        "real/dlrm-8/rank-0.json.gz",
        "real/pytorch/cpu-only.json.gz",
        "real/pytorch/b200-eager.json.gz",
    ];
    for file in files {
        let Some(bytes) = sample(file) else { continue };
        let mut document = String::new();
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut document).unwrap();
        let wanted = plain(&serde_json::from_str(&document).unwrap());
        let study = study(open(&[("trace.json", document.as_bytes())]));
        assert!(!wanted.is_empty(), "{file}");
        for (name, flops) in wanted {
            assert_eq!(type_row(&study, &name)["flops"].as_u64(), Some(flops), "{file} {name}");
        }
        let rows = type_rows(&study);
        let of = |place: &str| -> u64 {
            rows.iter().filter(|own| own["place"] == place).filter_map(|own| own["flops"].as_u64()).sum()
        };
        assert!(of("accelerator") <= of("host"), "{file}: kernels have no more than their operators");
    }
}

#[test]
fn a_tpu_has_what_its_profiler_recorded() {
    let Some(bytes) = sample("real/xspace/tpu-inference.xplane.pb") else { return };
    let study = study(open(&[("tpu.xplane.pb", &bytes)]));
    // 400 runs of each of three instructions, on four TPUs, each with 1,342,177,280 operations and 10,737,418,240 bytes by its metadata.
    let row = kernel_row(&study, "broadcast_add_fusion");
    assert_eq!(row["count"], 1200);
    assert_eq!(row["flops"], 1200 * 1_342_177_280_u64);
    assert_eq!(row["moved_bytes"], 1200 * 10_737_418_240_u64);
    let per_second = row["moved_bytes_per_second"].as_f64().unwrap();
    assert!((per_second / 1.3707e12 - 1.0).abs() < 0.001, "{per_second}: 9.400 s of all");
}

#[test]
fn what_a_tpu_calculates_is_a_part_of_the_most_that_its_profiler_says() {
    let Some(bytes) = sample("real/xspace/tpu-inference.xplane.pb") else { return };
    let opened = open(&[("tpu.xplane.pb", &bytes)]);
    let stored = session::write(&opened.trace, &opened.files);
    for own in [study(opened), study(open(&[("again.steplens", &stored)]))] {
        // By a plain reading of its planes: TPU v6 Lite, `peak_teraflops_per_second` 918 of each of four.
        assert_eq!(own.trace().peak_flops(), Some(Flops(918_000_000_000_000)));
        let rows = serde_json::from_str::<Value>(&kernels::json(&own)).unwrap();
        let rows: Vec<&Value> =
            rows["kernels"].as_array().unwrap().iter().filter(|row| !row["flops"].is_null()).collect();
        assert!(!rows.is_empty());
        for row in rows {
            let part = row["flops_per_second"].as_f64().unwrap() / 918e12 * 1e6;
            assert!((row["flops_of_peak_ppm"].as_f64().unwrap() - part).abs() <= 1.0, "{row}");
        }
    }
}

#[test]
fn of_what_no_profiler_says_nothing_is_a_part() {
    let own = convolving(&[100; 4], 1);
    assert!(kernel_row(&own, "Conv2D")["flops_of_peak_ppm"].is_null());
}

#[test]
fn figures_of_a_range_are_those_of_its_ops() {
    let study = convolving(&[100; 4], 1);
    let all = kernel_row(&study, "Conv2D");
    let mut window = study.trace().span();
    // The first two kernels: from 2 µs to 202 µs.
    (window.start.0, window.end.0) = (2_000, 202_000);
    let part: Value = serde_json::from_str(&ops::types(&study, &RangeQuery::of(window))).unwrap();
    let part = part.as_array().unwrap().iter().find(|own| own["place"] == "accelerator").cloned().unwrap();
    assert_eq!(
        (all["flops"].as_u64(), part["flops"].as_u64()),
        (Some(400_000_000), Some(200_000_000)),
        "{part}"
    );
    assert_eq!(all["flops_per_second"], part["flops_per_second"]);
}
