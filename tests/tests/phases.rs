//! Phases of a training step, next to a reading of the same files that knows only a few words: by calls for PyTorch's kernels, by scopes for
//! TensorFlow's ops.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use steplens_core::model::phase::Phase;
use steplens_core::questions::coloring::colors;
use steplens_core::questions::phases::{Part, are_recorded, parts};
use steplens_core::timeline::colors::{ColorBy, REST};
use steplens_core::{Category, Study};
use steplens_tests::fixtures::fixture;
use steplens_tests::opened::open;
use steplens_tests::samples::sample;

/// How many kernels, and for how many ns.
type Sum = (usize, i64);

fn word(part: Part) -> &'static str {
    match part {
        Part::Of(Phase::Forward) => "forward",
        Part::Of(Phase::Backward) => "backward",
        Part::Of(Phase::Optimizer) => "optimizer",
        Part::Input => "input",
        Part::Communication => "communication",
        Part::Unsaid => "",
    }
}

fn ns(event: &Value, field: &str) -> i64 {
    (event[field].as_f64().unwrap() * 1e3).round() as i64
}

/// The events of one thread that were going on at `at`, the shortest first.
fn around<'a>(of_thread: &[&'a Value], at: i64) -> Vec<&'a Value> {
    let is_around = |event: &&Value| ns(event, "ts") <= at && at < ns(event, "ts") + ns(event, "dur");
    let mut found: Vec<&Value> = of_thread.iter().copied().filter(is_around).collect();
    found.sort_by_key(|event| ns(event, "dur"));
    found
}

fn read_word(name: &str) -> Option<&'static str> {
    match () {
        () if name.starts_with("nccl") => Some("communication"),
        () if name.contains("Backward") || name.contains("autograd::") || name == "## backward ##" => {
            Some("backward")
        }
        () if name.starts_with("Optimizer.") || name == "## optimizer ##" => Some("optimizer"),
        () if name == "DistributedDataParallel.forward" || name == "## forward ##" => Some("forward"),
        () => None,
    }
}

/// The kernels of a file of PyTorch by the phase of the call that launched each.
fn kernels_read(text: &[u8]) -> BTreeMap<&'static str, Sum> {
    let document: Value = serde_json::from_reader(GzDecoder::new(text)).unwrap();
    let events = document["traceEvents"].as_array().unwrap();
    let of = |kinds: &[&str]| -> Vec<&Value> {
        events
            .iter()
            .filter(|event| event["ph"] == "X" && kinds.iter().any(|&kind| event["cat"] == kind))
            .collect()
    };
    let mut threads: HashMap<String, Vec<&Value>> = HashMap::new();
    for event in of(&["cpu_op", "user_annotation"]) {
        threads.entry(event["tid"].to_string()).or_default().push(event);
    }
    let calls: HashMap<i64, &Value> = of(&["cuda_runtime"])
        .into_iter()
        .filter_map(|call| Some((call["args"]["correlation"].as_i64()?, call)))
        .collect();
    let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for kernel in of(&["kernel"]) {
        let name = kernel["name"].as_str().unwrap();
        let said = read_word(name).filter(|&word| word == "communication").or_else(|| {
            let call = calls.get(&kernel["args"]["correlation"].as_i64()?)?;
            let around = around(threads.get(&call["tid"].to_string())?, ns(call, "ts"));
            around.into_iter().find_map(|event| read_word(event["name"].as_str()?))
        });
        let sum = sums.entry(said.unwrap_or_default()).or_default();
        *sum = (sum.0 + 1, sum.1 + ns(kernel, "dur"));
    }
    sums
}

/// The same, as the core has it.
fn kernels_found(study: &Study) -> BTreeMap<&'static str, Sum> {
    let (trace, parts) = (study.trace(), parts(study));
    let is_kernel = |category| matches!(category, Category::Compute | Category::Communication);
    let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for op in trace.ops().ids() {
        let device = trace.devices().get(trace.device_of(op));
        if device.is_accelerator && is_kernel(trace.category(op)) {
            let sum = sums.entry(word(parts[op.index()])).or_default();
            *sum = (sum.0 + 1, sum.1 + trace.ops().interval(op).length().0);
        }
    }
    sums
}

#[test]
fn kernels_are_of_the_phase_that_launched_them() {
    let mut seen = BTreeMap::new();
    for file in ["pytorch/ddp-nccl", "pytorch/h100-bert-small", "dlrm-8/rank-0", "pytorch-ranks/rank-0"] {
        let file = format!("real/{file}.json.gz");
        let Some(bytes) = sample(&file) else { continue };
        let study = Study::new(open(&[(&file, bytes.as_slice())]).trace);
        let (found, read) = (kernels_found(&study), kernels_read(&bytes));
        assert_eq!(found.keys().collect::<Vec<_>>(), read.keys().collect::<Vec<_>>(), "{file}");
        for (phase, (count, length)) in read {
            let own = found[phase];
            assert_eq!(own.0, count, "{file}: {phase}");
            // Times of PyTorch have three digits behind the microsecond, which a start and a length round apart.
            assert!((own.1 - length).abs() <= 2 * count as i64, "{file}: {phase}: {own:?}, {length}");
            *seen.entry(phase).or_insert(0) += count;
        }
    }
    if !seen.is_empty() {
        for phase in ["forward", "backward", "optimizer", "communication"] {
            assert!(seen[phase] > 30, "{phase}: {seen:?}");
        }
    }
}

#[test]
fn kernels_of_tensorflow_2_are_of_the_phase_that_they_say() {
    let file = "real/tf2-json/tf2-gpu-20210617.trace.json.gz";
    let Some(bytes) = sample(file) else { return };
    let document: Value = serde_json::from_reader(GzDecoder::new(bytes.as_slice())).unwrap();
    let said = |event: &Value| event["args"]["annotation"].as_str().map(str::to_owned);
    let mut read: BTreeMap<&str, Sum> = BTreeMap::new();
    for event in document["traceEvents"].as_array().unwrap() {
        let Some(said) = said(event).filter(|_| event["args"]["memcpy_details"].is_null()) else { continue };
        let phase = match () {
            () if said.starts_with("gradient_tape/") => "backward",
            () if said.starts_with("Adam/") => "optimizer",
            () => continue,
        };
        let sum = read.entry(phase).or_default();
        *sum = (sum.0 + 1, sum.1 + ns(event, "dur"));
    }
    let found = kernels_found(&Study::new(open(&[(file, bytes.as_slice())]).trace));
    assert!(read["backward"].0 > 50 && read["optimizer"].0 > 10, "{read:?}");
    for (phase, (count, length)) in read {
        let own = found[phase];
        assert_eq!(own.0, count, "{phase}");
        assert!((own.1 - length).abs() <= 2 * count as i64, "{phase}: {own:?}, {length}");
    }
}

#[test]
fn ops_of_tensorflow_are_of_the_phase_of_their_scope() {
    let fixture = fixture("mnist-adam");
    let mut study = Study::new(open(&[("mnist-adam.pb", &fixture.bytes)]).trace);
    let own = parts(&study);
    let mut counts = BTreeMap::new();
    for op in study.trace().ops().ids() {
        let name = study.trace().op_name(op);
        let wanted = match () {
            () if study.trace().category(op) == Category::Communication => "communication",
            () if name.starts_with("gradients/") => "backward",
            () if name.starts_with("Adam/") => "optimizer",
            () => "",
        };
        assert_eq!(word(own[op.index()]), wanted, "{name}");
        *counts.entry(wanted).or_insert(0) += 1;
    }
    assert!(counts["backward"] > 5 && counts["optimizer"] > 5 && counts[""] > 5, "{counts:?}");
    let colors = colors(&study, ColorBy::Phase);
    let named: Vec<&str> =
        colors.names().iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    assert_eq!(named, ["backward", "optimizer", "forward and the rest"]);
    study.color(colors);
    let grey = study.trace().ops().ids().filter(|&op| study.colors().of(study.trace(), op) == REST).count();
    assert_eq!(grey, counts[""]);
}

#[test]
fn phases_are_offered_where_names_record_them() {
    let study = |name: &str, bytes: &[u8]| Study::new(open(&[(name, bytes)]).trace);
    assert!(are_recorded(&study("mnist-adam.pb", &fixture("mnist-adam").bytes)));
    assert!(!are_recorded(&study("collective.pb", &fixture("collective").bytes)));
    for (file, wanted) in [
        ("real/pytorch/ddp-nccl.json.gz", true),
        ("real/pytorch/v100-resnet50.json.gz", true),
        ("gpu/gpu-mnist.pb", true),
        // Inference, or matrix products alone.
        ("real/pytorch/vllm-decode-graph.json.gz", false),
        ("real/pytorch/simple-add.json.gz", false),
        ("real/run-metadata/tf115-gpu-matmul-1.pb", false),
    ] {
        let Some(bytes) = sample(file) else { continue };
        assert_eq!(are_recorded(&study(file, &bytes)), wanted, "{file}");
    }
}
