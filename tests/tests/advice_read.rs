//! First findings of real recordings, next to what their files say when they are read as plain JSON.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use steplens_core::Nanos;
use steplens_core::Study;
use steplens_core::findings::{Findings, Rule};
use steplens_core::replay::Replay;
use steplens_tests::opened::{open, study};
use steplens_tests::samples::sample;

/// The recording `name`, and the events of its file.
fn recording(name: &str) -> Option<(Study, Vec<Value>)> {
    let file = format!("real/pytorch/{name}.json.gz");
    let bytes = sample(&file)?;
    let mut text = Vec::new();
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).expect("a gzip file");
    let document: Value = serde_json::from_slice(&text).expect("JSON");
    let events = document["traceEvents"].as_array().expect("events").clone();
    Some((study(open(&[(&file, &bytes)])), events))
}

fn found(study: &Study) -> Findings {
    Findings::found(study, &Replay::of(study), None)
}

/// When each of the events ran for which `is_it` holds, sorted: start and length, in nanoseconds.
fn times(events: &[Value], is_it: impl Fn(&str, &str) -> bool) -> Vec<(i64, i64)> {
    let ns = |value: &Value| (value.as_f64().unwrap_or(0.0) * 1e3).round() as i64;
    let text = |value: &'_ Value| value.as_str().unwrap_or("").to_owned();
    let rows = events.iter().filter(|event| is_it(&text(&event["cat"]), &text(&event["name"])));
    let mut rows: Vec<(i64, i64)> = rows.map(|event| (ns(&event["ts"]), ns(&event["dur"]))).collect();
    rows.sort_unstable();
    rows
}

fn sum(times: &[(i64, i64)]) -> Nanos {
    Nanos(times.iter().map(|own| own.1).sum())
}

/// How long at least one of them ran.
fn together(times: &[(i64, i64)]) -> Nanos {
    let (mut now, mut sum) = (i64::MIN, 0);
    for &(start, length) in times {
        sum += (start + length - now.max(start)).max(0);
        now = now.max(start + length);
    }
    Nanos(sum)
}

/// Whether `a` and `b` differ by a hundredth at most.
fn is_near(a: Nanos, b: Nanos) -> bool {
    (a - b).0.abs() * 100 <= b.0
}

#[test]
fn a_collective_of_gloo_is_what_ranks_without_a_gpu_wait_for() {
    let Some((study, events)) = recording("cpu-only") else { return };
    let found = found(&study);
    let first = &found.rows[0];
    assert_eq!((first.rule, first.facts.name.as_str()), (Rule::ExposedCommunication, "gloo:all_reduce"));
    let all = together(&times(&events, |_, name| name == "gloo:all_reduce"));
    // Operators of other threads hide some of it.
    assert!(
        first.facts.time <= all && first.facts.time.0 * 100 >= all.0 * 95,
        "{:?} of {all:?}",
        first.facts
    );
    assert_eq!(first.saving, Some(first.facts.time));
}

#[test]
fn calls_for_memory_that_come_once_are_of_the_first_step() {
    for name in ["alexnet", "simple-add"] {
        let Some((study, events)) = recording(name) else { return };
        let found = found(&study);
        let first = &found.rows[0];
        let slow = |call: &str| times(&events, |_, name| name == call).iter().map(|own| Nanos(own.1)).max();
        let (asked, freed) = (slow("cudaDeviceGetStreamPriorityRange"), slow("cudaFree"));
        assert_eq!(first.rule, Rule::FirstStep, "{name}");
        assert!(first.facts.time >= asked.unwrap() + freed.unwrap(), "{name}: {:?}", first.facts);
        assert!(first.facts.time <= study.trace().span().length(), "{name}");
        assert_eq!(Some(first.facts.usual), asked, "{name}: the longest call");
    }
}

#[test]
fn kernels_in_float32_are_found_where_the_gpu_has_tensor_cores() {
    for name in ["ns-resolution", "run-ahead-gpu-bound"] {
        let Some((study, events)) = recording(name) else { return };
        let found = found(&study);
        let first = &found.rows[0];
        assert_eq!(first.rule, Rule::TensorCores, "{name}");
        let is_float32 = |cat: &str, name: &str| {
            cat == "kernel"
                && (["sgemm", "scudnn", "engine<float"].iter().any(|part| name.contains(part))
                    || name.contains("winogradForward") && name.contains("<float"))
                && !name.contains("tf32")
        };
        let rows = times(&events, is_float32);
        assert_eq!(first.facts.count, rows.len() as u64, "{name}");
        assert!(is_near(first.facts.time, sum(&rows)), "{name}: {:?}", first.facts);
        assert!(first.on_path <= study.trace().span().length(), "{name}");
    }
}

#[test]
fn kernels_of_fewer_bits_are_no_kernels_in_float32() {
    for name in ["h100-bert-small", "mi300-bert-small", "b200-eager", "vllm-decode-graph"] {
        let Some((study, _)) = recording(name) else { return };
        assert!(found(&study).rows.iter().all(|own| own.rule != Rule::TensorCores), "{name}");
    }
}

/// A GPU that runs for 10 ms without a gap: 40 kernels, of which `converted` only change the order of dimensions.
fn convolutions(converted: usize) -> Study {
    let kernel = |place: usize| {
        let name = match place < converted {
            true => "void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>",
            false => "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x3_nn",
        };
        serde_json::json!({ "ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": place * 250, "dur": 250,
            "args": { "device": 0, "stream": 7 } })
    };
    let events: Vec<Value> = (0..40).map(kernel).collect();
    let text = serde_json::json!({ "schemaVersion": 1, "traceEvents": events }).to_string();
    study(open(&[("convolutions.json", text.as_bytes())]))
}

#[test]
fn kernels_that_change_the_order_of_dimensions_are_a_finding_from_a_twentieth_on() {
    let layout =
        |study: &Study| found(study).rows.into_iter().find(|own| own.rule == Rule::LayoutConversions);
    let own = layout(&convolutions(4)).expect("a tenth is enough");
    assert_eq!((own.facts.count, own.facts.time), (4, Nanos(1_000_000)));
    assert_eq!(own.saving, Some(Nanos(1_000_000)));
    assert!(layout(&convolutions(1)).is_none());
    // 0.2 % of the kernels, and none at all.
    for name in ["ns-resolution", "v100-resnet50"] {
        let Some((study, _)) = recording(name) else { return };
        assert!(layout(&study).is_none(), "{name}");
    }
}

#[test]
fn kernels_that_change_the_order_of_dimensions_are_no_finding_where_the_gpu_waits_for_its_host() {
    let Some((study, events)) = recording("ddp-nccl") else { return };
    let converts = |name: &str| name.contains("nchwToNhwc") || name.contains("nhwcToNchw");
    let rows = times(&events, |cat, name| cat == "kernel" && converts(name));
    let kernels = sum(&times(&events, |cat, _| cat == "kernel"));
    // They are enough of the kernels: 15 of 162 ms. Without them the GPU waits longer.
    assert!(sum(&rows).0 * 20 >= kernels.0, "{rows:?}");
    assert!(found(&study).rows.iter().all(|own| own.rule != Rule::LayoutConversions));
}

#[test]
fn a_gpu_that_is_idle_between_the_kernels_of_a_graph_does_not_wait_for_its_host_alone() {
    let Some((study, events)) = recording("vllm-decode-graph") else { return };
    let found = found(&study);
    let own = found.rows.iter().find(|own| own.rule == Rule::IdleThoughLaunched).expect("it is said");
    let work = together(&times(&events, |cat, _| ["kernel", "gpu_memcpy", "gpu_memset"].contains(&cat)));
    let idle = study.trace().span().length() - work;
    assert!(is_near(own.facts.usual, idle), "{:?}, {idle:?}", own.facts);
    assert!(
        own.saving.is_none() && own.facts.time < idle && own.facts.time.0 * 10 > idle.0 * 9,
        "{:?}",
        own.facts
    );
    let Some((study, _)) = recording("ns-resolution") else { return };
    assert!(self::found(&study).rows.iter().all(|own| own.rule != Rule::IdleThoughLaunched));
}
