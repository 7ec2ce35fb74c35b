//! JAX on the CPU, in three versions that record what runs in three ways: one function that runs all (0.4.30), ops that end later than their
//! events while a function waits for them (0.5.3), and ops (0.12). `fixtures/jax/record.py` has the program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use steplens_core::steps::figures::step_figures;
use steplens_core::{CategoryRules, Study};
use steplens_formats::Opener;
use steplens_report::verdict;
use steplens_tests::fixtures::bytes_of;

const VERSIONS: [&str; 3] = ["0.4.30", "0.5.3", "0.12.0.1"];
/// The version whose ops cover what the function that waits for them takes, so that it is a wait.
const ALL_OPS: &str = "0.12.0.1";

fn open(file: &str) -> Study {
    Study::new(Opener::open_bytes(file, &bytes_of(file), CategoryRules::default()).unwrap().trace)
}

/// Number, start after that of step 1, length and compute of each step, in µs.
fn steps(study: &Study) -> Vec<[f64; 4]> {
    let (trace, steps) = study.view().steps(study.trace());
    let figures = step_figures(&trace, &steps);
    let number = |part: steplens_core::PartId| trace.parts()[part.index()].step;
    let mut rows: Vec<[f64; 4]> = Vec::new();
    for (step, own) in steps.rows().iter().zip(&figures) {
        let Some(number) = step.parts.iter().find_map(|&part| number(part)) else { continue };
        let compute = own.split.compute;
        rows.push([number as f64, step.span.start.0 as f64, own.split.window.0 as f64, compute.0 as f64]);
    }
    let first = rows[1][1];
    rows.into_iter()
        .map(|[number, start, length, compute]| [number, (start - first) / 1e3, length / 1e3, compute / 1e3])
        .collect()
}

/// The same by the events of the JSON alone.
fn steps_of_json(file: &str) -> Vec<[f64; 4]> {
    let mut text = String::new();
    GzDecoder::new(bytes_of(file).as_slice()).read_to_string(&mut text).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let events: Vec<&Value> =
        document["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X").collect();
    let times = |event: &Value| {
        let start = event["ts"].as_f64().unwrap();
        (start, start + event["dur"].as_f64().unwrap_or(0.0))
    };
    let is_work = |event: &&&Value| {
        let name = event["name"].as_str().unwrap();
        let is_program = name == "TfrtCpuExecutable::ExecuteHelper"
            || (name == "ThunkExecutor::Execute (wait for completion)" && !file.contains(ALL_OPS));
        is_program || event["args"]["hlo_op"].is_string()
    };
    let mut work: Vec<(f64, f64)> = events.iter().filter(is_work).map(|event| times(event)).collect();
    work.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps: Vec<[f64; 4]> = Vec::new();
    for event in events.iter().filter(|event| event["name"] == "train") {
        let (start, end) = times(event);
        let (mut busy, mut until) = (0.0, start);
        for &(from, to) in &work {
            let from = from.max(until);
            let to = to.min(end);
            if to > from {
                busy += to - from;
                until = to;
            }
        }
        let number: f64 = event["args"]["step_num"].as_str().unwrap().parse().unwrap();
        steps.push([number, start, end - start, busy]);
    }
    steps.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let first = steps[1][1];
    steps.iter_mut().for_each(|step| step[1] -= first);
    steps
}

#[test]
fn steps_are_what_was_marked_and_compute_is_what_ran() {
    for version in VERSIONS {
        let json = format!("jax/{version}.trace.json.gz");
        let wanted = steps_of_json(&json);
        assert_eq!(wanted.len(), 5);
        for file in [json, format!("jax/{version}.xplane.pb")] {
            let shown = steps(&open(&file));
            assert_eq!(shown.len(), 5, "{file}");
            for (shown, wanted) in shown.iter().zip(&wanted) {
                for (shown, wanted) in shown.iter().zip(wanted) {
                    assert!((shown - wanted).abs() < 0.2, "{file}: {shown} instead of {wanted} µs");
                }
            }
        }
    }
}

#[test]
fn loading_data_is_no_compute_and_marked_steps_are_not_asked_for() {
    for version in VERSIONS {
        let study = open(&format!("jax/{version}.xplane.pb"));
        let sentence = verdict::of(&study, false).sentence;
        assert!(sentence.contains(" with 5 steps: "), "{sentence}");
        let trace = study.trace();
        let compute = trace
            .nodes()
            .ids()
            .filter(|&node| trace.nodes().category(node) == steplens_core::Category::Compute);
        let names: Vec<&str> = compute.map(|node| trace.text(trace.nodes().name(node))).collect();
        assert!(
            !names.is_empty() && names.iter().all(|name| !["load data", "train"].contains(name)),
            "{names:?}"
        );
    }
}
