//! What a host did while its GPU was idle, where formats say it differently: one run of TensorFlow in two formats, and JAX's waits.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read;
use steplens_core::scheduling::host_idle::{HostIdle, HostPart, host_idle};
use steplens_core::{Category, Study};
use steplens_tests::opened::{open, study};
use steplens_tests::samples::sample;

fn of(study: &Study) -> HostIdle {
    host_idle(study.edges(), study.kernels()).remove(0)
}

/// By the events of a Chrome trace of TensorFlow alone: how long nothing of the GPU ran, from `begin` on, until the call that launched what
/// came next had returned, and how much of that was within this call; in ns.
fn idle_for_host(events: &[Value], begin: i64) -> (i64, i64) {
    let ns = |event: &Value, key: &str| (event[key].as_f64().unwrap_or(0.0) * 1_000.0).round() as i64;
    let name_of = |event: &Value, what: &str| {
        (event["name"] == what).then(|| event["args"]["name"].as_str().unwrap_or_default().to_owned())
    };
    let gpu =
        events.iter().find(|event| name_of(event, "process_name").is_some_and(|own| own.contains("GPU")));
    let gpu = gpu.expect("a GPU")["pid"].as_i64();
    let streams: Vec<i64> = events
        .iter()
        .filter(|event| event["pid"].as_i64() == gpu)
        .filter(|event| name_of(event, "thread_name").is_some_and(|own| own.starts_with("Stream")))
        .filter_map(|event| event["tid"].as_i64())
        .collect();
    let spans = || events.iter().filter(|event| event["ph"] == "X");
    let correlation = |event: &Value| {
        event["args"]["correlation_id"]
            .as_i64()
            .or_else(|| event["args"]["correlation_id"].as_str()?.parse().ok())
    };
    let mut calls: HashMap<i64, (i64, i64)> = HashMap::new();
    for call in spans().filter(|event| event["pid"].as_i64() != gpu) {
        let Some(id) = correlation(call) else { continue };
        calls.entry(id).or_insert((ns(call, "ts"), ns(call, "ts") + ns(call, "dur")));
    }
    let is_work = |event: &&Value| {
        event["pid"].as_i64() == gpu && event["tid"].as_i64().is_some_and(|tid| streams.contains(&tid))
    };
    let mut work: Vec<(i64, i64, Option<i64>)> = spans()
        .filter(is_work)
        .map(|event| (ns(event, "ts"), ns(event, "ts") + ns(event, "dur"), correlation(event)))
        .collect();
    work.sort_unstable();
    let (mut now, mut host, mut within) = (begin, 0, 0);
    for (start, end, id) in work {
        if start > now
            && let Some(&(called, returned)) = id.and_then(|id| calls.get(&id))
        {
            let until = returned.clamp(now, start);
            host += until - now;
            within += (until - called.max(now)).max(0);
        }
        now = now.max(end);
    }
    (host, within)
}

#[test]
fn a_stream_waits_for_its_host_until_the_call_has_returned() {
    let files = ["real/xspace/tf2-gpu-20210617.xplane.pb", "real/tf2-json/tf2-gpu-20210617.trace.json.gz"];
    let (Some(xspace), Some(json)) = (sample(files[0]), sample(files[1])) else { return };
    let mut text = Vec::new();
    GzDecoder::new(json.as_slice()).read_to_end(&mut text).expect("a gzip file");
    let document: Value = serde_json::from_slice(&text).expect("JSON");
    let [xspace, json] =
        [(files[0], &xspace), (files[1], &json)].map(|(name, bytes)| study(open(&[(name, bytes)])));
    let (of_xspace, of_json) = (of(&xspace), of(&json));
    assert_eq!((of_xspace.host, of_xspace.parts), (of_json.host, of_json.parts));
    assert_eq!(of_xspace.launched, of_json.launched);
    let events = document["traceEvents"].as_array().expect("events");
    // Until a call has waited for it, the GPU may run what was launched before the recording.
    let (host, within) = idle_for_host(events, json.trace().origin_unix_ns() + of_json.unknown.0);
    assert_eq!(of_json.host.0, host);
    // At least the call that launches what comes next; others of the thread, too.
    let calls = of_json.part(HostPart::Launching) + of_json.part(HostPart::Copying);
    assert!(calls.0 >= within && within > 3_000_000, "{within}");
}

/// Of ten `block_until_ready` in the file (`$api.py:2743`), by a reading of its events alone, all lie one after the other, 5,206 µs long.
#[test]
fn python_waits_for_arrays() {
    let file = "real/xspace/jax-mi300-conv-legacy.xplane.pb";
    let Some(bytes) = sample(file) else { return };
    let study = study(open(&[(file, &bytes)]));
    let trace = study.trace();
    let waits = trace.ops().ids().filter(|&op| trace.category(op) == Category::Waiting);
    // PJRT waits for its turn, too.
    let waits: Vec<_> = waits.filter(|&op| trace.op_name(op) != "ComputeSemaphoreAcquire").collect();
    assert!(waits.iter().all(|&op| trace.op_name(op) == "$api.py:2743 block_until_ready"));
    let time: i64 = waits.iter().map(|&op| trace.ops().interval(op).length().0).sum();
    assert_eq!((waits.len(), time / 1_000), (10, 5_206));
    // Its frames of Python are where they were.
    let frames = trace
        .devices()
        .ids()
        .filter(|&id| trace.text(trace.devices().get(id).name).ends_with("(Python frames)"));
    assert_eq!(frames.map(|id| trace.ops_of(id).len()).sum::<usize>(), 2_638);
}
