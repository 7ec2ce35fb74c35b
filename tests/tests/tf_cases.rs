//! Recordings of TensorFlow that were read wrongly: GPUs of 1.14 to 2.0, merged runs, copies, GPUs without kernels. The figures
//! are from the files, by another reading.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use std::sync::Arc;
use steplens_core::doctor::Repair;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Study, View};
use steplens_formats::{Limits, Opened, Opener};
use steplens_report::{doctor, network, summary};
use steplens_tests::samples::sample;

/// The file `name` of the cases or samples, opened.
fn open(name: &str) -> Option<Opened> {
    let bytes = sample(name)?;
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file(name);
    opener.push(&bytes);
    opener.end_file();
    Some(opener.finish().unwrap())
}

fn study(name: &str) -> Option<Study> {
    open(name).map(|opened| Study::new(opened.trace))
}

fn summary_of(study: &Study) -> Value {
    serde_json::to_value(summary::of(study, &[])).unwrap()
}

/// The figures of the accelerators: name, streams, compute, exposed copy and idle in µs.
fn gpus(study: &Study) -> Vec<Value> {
    let summary = summary_of(study);
    let us = |own: &Value, figure: &str| own[figure].as_i64().unwrap() / 1_000;
    let of = |own: &Value| {
        json!([
            own["name"],
            own["streams"],
            us(own, "compute_ns"),
            us(own, "exposed_copy_ns"),
            us(own, "idle_ns")
        ])
    };
    summary["accelerators"].as_array().unwrap().iter().map(of).collect()
}

fn op_types(study: &Study) -> Vec<&str> {
    let trace = study.trace();
    let mut types: Vec<&str> =
        trace.ops().ids().map(|op| trace.text(trace.nodes().op_type(trace.ops().node(op)))).collect();
    types.sort_unstable();
    types.dedup();
    types
}

/// (count, bytes) of the copies between the GPU and its host.
fn copies(study: &Study) -> Vec<(u64, u64)> {
    let answer = serde_json::to_value(network::Network::of(study)).unwrap();
    let of = |own: &Value| (own["count"].as_u64().unwrap_or(0), own["bytes"].as_u64().unwrap_or(0));
    answer["copies"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn gpus_of_tensorflow_1_14_to_2_0_are_accelerators() {
    let Some(study) = study("../cases/tf114_gpu.pb") else { return };
    assert_eq!(gpus(&study), [json!(["/device:GPU:0", 3, 7_000, 2_060, 260])]);
    assert_eq!(op_types(&study), ["Conv2D", "MatMul", "MemcpyDtoH", "MemcpyHtoD", "NoOp", "_Arg", "_Retval"]);
    assert_eq!(copies(&study), [(1, 8_000_000), (1, 8_000_000)]);
}

#[test]
fn a_real_gpu_of_tensorflow_1_15_has_its_kernels_and_its_copy() {
    for file in ["run-metadata/tf115-gpu-matmul-1.pb", "timeline-py/tf115-gpu-matmul-1.ctf.json"] {
        let Some(study) = study(&["real/", file].concat()) else { return };
        let [gpu] = &gpus(&study)[..] else { panic!("one GPU in {file}") };
        assert_eq!(
            (&gpu[0], &gpu[1], &gpu[2], &gpu[3]),
            (&json!("/device:GPU:0"), &json!(2), &json!(4_955_172), &json!(60_626)),
            "{file}"
        );
    }
    let Some(study) = study("real/run-metadata/tf115-gpu-matmul-1.pb") else { return };
    assert_eq!(copies(&study), [(1, 800_000_000)]);
}

#[test]
fn copies_on_a_device_are_copies_in_json_too() {
    for file in ["dtod.json", "dtod.pb"] {
        let Some(study) = study(&["../cases/", file].concat()) else { return };
        let [gpu] = &gpus(&study)[..] else { panic!("one GPU in {file}") };
        assert_eq!((&gpu[2], &gpu[3]), (&json!(3_000), &json!(6_000)), "{file}");
    }
}

#[test]
fn several_runs_in_one_document_are_several_steps() {
    for (file, count) in [
        ("../cases/merged_runs.json", 5),
        ("../cases/mergefrom.pb", 3),
        ("real/timeline-py/merged-5-runs-cpu.json", 5),
        ("../cases/client_fetches.json", 1),
    ] {
        let Some(opened) = open(file) else { return };
        let study = Study::new(opened.trace);
        let steps = Steps::divided(study.trace(), StepRule::Content);
        let ops: u64 = steps.rows().iter().map(|step| step.ops).sum();
        assert_eq!((steps.rows().len(), ops), (count, study.trace().ops().len() as u64), "{file}");
    }
}

#[test]
fn steps_and_summary_count_the_same_ops() {
    let Some(study) = study("../cases/host_profile_count.pb") else { return };
    let steps = Steps::divided(study.trace(), StepRule::Content);
    assert_eq!((steps.rows()[0].ops, &summary_of(&study)["ops"]), (2, &json!(2)));
}

#[test]
fn a_gpu_without_kernels_is_what_was_dispatched() {
    let Some(study) = study("../cases/gpu_no_streams.pb") else { return };
    let summary = summary_of(&study);
    let flags: Vec<bool> =
        summary["devices"].as_array().unwrap().iter().map(|own| own["without_kernels"] == true).collect();
    assert_eq!((flags, &summary["doctor"][0]["code"]), (vec![false, true], &json!("kernels-not-recorded")));
}

#[test]
fn gpus_under_one_name_are_said_to_be_several() {
    let Some(study) = study("../cases/two_gpus_one_name.pb") else { return };
    let codes: Vec<&str> = doctor::of_figures(&study).iter().map(|own| own.code).collect();
    assert_eq!(codes, ["one-name-of-gpus"]);
}

#[test]
fn what_the_doctor_finds_is_in_the_summary_until_it_is_repaired() {
    for (file, code, repair) in [
        ("relative_gpu.pb", "time-bases", Repair::TimeBases),
        ("far_memcpy_day.json", "far-ops", Repair::FarOps),
    ] {
        let Some(opened) = open(&["../cases/", file].concat()) else { return };
        let whole = Arc::new(opened.trace);
        let codes = |view: View| -> Vec<&'static str> {
            doctor::of_figures(&Study::of_view(&whole, view)).iter().map(|own| own.code).collect()
        };
        assert_eq!(codes(View::default()), [code], "{file}");
        assert_eq!(codes(View { repairs: vec![repair], ..View::default() }), [""; 0], "{file}");
    }
}

/// On the way to the end of a step lie the copy that was fetched, the kernel that made the tensor, and that kernel's launch.
#[test]
fn a_fetched_copy_waits_for_the_kernel_that_made_its_tensor() {
    let Some(study) = study("../cases/fetch_copy.pb") else { return };
    let trace = study.trace();
    let observed = &study.causes().observed;
    let us = |name: &str| -> i64 {
        let own = observed.segments.iter().filter(|own| trace.op_name(own.op) == name);
        own.map(|own| own.interval.length().0).sum::<i64>() / 1_000
    };
    // The launch is 48,990 µs until the kernel begins, of which the executor's op may be a part.
    let (copy, kernel) = (us("edge_22_MatMul:MEMCPYDtoH"), us("MatMul:MatMul"));
    assert!((1_000..1_100).contains(&copy) && kernel >= 40_000, "{copy} {kernel}");
    assert!(observed.unexplained().0 < 100_000, "{}", observed.unexplained().0);
}
