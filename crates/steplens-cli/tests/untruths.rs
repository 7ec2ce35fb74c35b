//! Several places report the same thing in the same way, and no figure is shown where nothing was recorded.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::{fixture, folder, output};
use crate::places::root;
use serde_json::Value;
use std::fs;
use std::io::Write;

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap()
}

#[test]
fn the_peak_of_bandwidth_is_over_one_window() {
    let peaks = &json(&["network", "--json", "ps4w.pb"])["peaks"];
    assert_eq!(peaks["window_ns"], 1_000_000);
    let rate = peaks["bytes_per_second"].as_f64().unwrap() / 1e6;
    let text = output(&["network", "ps4w.pb"]);
    assert!(text.contains(&format!("max over 1.000 ms: {rate:.0} MB/s at ")), "{text}");
}

#[test]
fn steps_are_counted_from_one() {
    let network = json(&["network", "--json", "ps4w.pb", "ps4w-later.pb"]);
    let steps = |rows: &Value| -> Vec<u64> {
        rows.as_array().unwrap().iter().map(|row| row["step"].as_u64().unwrap()).collect()
    };
    assert_eq!(steps(&network["stragglers"]["rows"]), [1, 2]);
    assert!(steps(&network["waits"]["rows"]).iter().all(|step| (1..=2).contains(step)));
    for step in ["1", "2"] {
        let network = json(&["network", "--json", "--step", step, "ps4w.pb", "ps4w-later.pb"]);
        assert_eq!(steps(&network["stragglers"]["rows"]), [step.parse::<u64>().unwrap()]);
    }
}

#[test]
fn a_first_cause_keeps_its_op() {
    let text = output(&["network", "ps4w.pb", "ps4w-later.pb"]);
    let rows: Vec<&str> = text.lines().skip_while(|line| !line.contains("root cause")).collect();
    let row = rows.iter().find(|line| line.trim_start().starts_with("1 ")).unwrap();
    assert!(row.contains("started late") && row.contains("net/tower_0/Relu"), "{row}");
}

#[test]
fn tasks_that_are_called_alike_are_told_apart() {
    let [ps, worker] = ["/job:ps/replica:0/task:0", "/job:worker/replica:0/task:0"];
    let text = output(&["clocks", "ps4w.pb"]);
    assert!(
        text.contains("ps 0") && text.contains("worker 0") && !text.contains(ps) && !text.contains(worker),
        "{text}"
    );
}

#[test]
fn a_repair_that_changes_nothing_does_not_say_that_it_repaired() {
    let plain = output(&["summary", "multidev.pb"]);
    let text = output(&["summary", "multidev.pb", "--repair", "far-ops", "--repair", "time-bases"]);
    assert!(text.contains("nothing to repair: far-ops, time-bases"), "{text}");
    assert!(!text.contains("repaired:"), "{text}");
    // Every figure is as it was.
    let rest: Vec<&str> = text.lines().filter(|line| !line.contains("nothing to repair")).collect();
    assert_eq!(rest, plain.lines().collect::<Vec<_>>());
    let both = output(&["summary", "ps4w.pb", "ps4w.pb", "--repair", "repeated-ops", "--repair", "far-ops"]);
    assert!(both.contains("nothing to repair: far-ops") && both.contains("repaired: repeated-ops"), "{both}");
}

#[test]
fn no_clocks_are_compared_where_there_is_one() {
    let text = output(&["clocks", "multidev.pb"]);
    assert!(
        text.contains("There is one task, and so one clock.") && !text.contains("before they are sent"),
        "{text}"
    );
}

#[test]
fn sizes_that_nothing_recorded_are_no_sizes() {
    let file = root().join("../shared/samples/gpu/gpu-mnist.pb");
    let Ok(bytes) = fs::read(&file) else {
        let said = format!("\nNOT TESTED: {} is not there\n", file.display());
        std::io::stderr().write_all(said.as_bytes()).unwrap();
        return;
    };
    let path = folder("unknown-sizes").join("gpu-mnist.pb");
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    let text = output(&["transfers", path]);
    assert!(text.contains("4 transfers of unknown size") && !text.contains("0 B"), "{text}");
    let rows = &json(&["transfers", "--json", path])["transfers"];
    assert!(rows.as_array().unwrap().iter().all(|row| row["bytes"].is_null()), "{rows}");
    assert!(fixture("multidev.pb").len() > 1_000);
    assert!(output(&["transfers", "multidev.pb"]).contains("6 transfers, 1.50 MiB"));
}

#[test]
fn figures_of_tensorflow_tracer_are_of_tensorflow() {
    assert!(output(&["network", "ps4w.pb"]).contains("in the terms of tensorflow-tracer"));
    let text = output(&["network", "collective.pb"]);
    assert!(!text.contains("in the terms of tensorflow-tracer"), "{text}");
}

#[test]
fn what_ran_before_the_first_step_is_not_usual() {
    let op = |name: &str, ts: u32, dur: u32| {
        format!(r#"{{"ph":"X","cat":"cpu_op","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":{dur}}}"#)
    };
    let step = |number: u32, ts: u32| {
        op(&format!("ProfilerStep#{number}"), ts, 100).replace("cpu_op", "user_annotation")
    };
    let events = [
        op("aten::zeros", 100, 900),
        step(4, 1_000),
        op("aten::add", 1_010, 50),
        step(5, 1_200),
        op("aten::add", 1_210, 60),
    ];
    let path = folder("before-the-first-step").join("trace.json");
    fs::write(&path, format!(r#"{{"schemaVersion":1,"traceEvents":[{}]}}"#, events.join(","))).unwrap();
    let steps = json(&["steps", "--json", path.to_str().unwrap()]);
    let numbers: Vec<_> =
        steps["steps"].as_array().unwrap().iter().map(|step| step["number"].as_u64()).collect();
    assert_eq!(numbers, [None, Some(4), Some(5)]);
    assert_eq!(steps["usual"]["ops"]["mean"], 2.0);
    assert_eq!(
        (&steps["usual"]["window_ns"]["min"], &steps["usual"]["window_ns"]["max"]),
        // From mark to mark: a step lasts as long as its mark, although only one op of it was recorded.
        (&100_000.into(), &100_000.into())
    );
    // It is listed, and counted nowhere.
    let before: Vec<_> = steps["steps"].as_array().unwrap().iter().map(|step| &step["is_before"]).collect();
    assert_eq!(before, [&Value::Bool(true), &Value::Null, &Value::Null]);
    let path = path.to_str().unwrap();
    assert_eq!(json(&["summary", "--json", path])["view"]["steps"], 2);
    assert!(output(&["summary", path]).lines().next().is_some_and(|line| line.contains(" with 2 steps: ")));
    assert!(output(&["steps", path]).contains("\n2 steps, and what ran before the first"));
    let shown = |place: &str| output(&["summary", "--step", place, path]);
    // Steps have the numbers of their file.
    assert!(shown("3").contains("\nstep 5 alone, one of 2"));
    assert!(shown("1").contains("\nwhat ran before the first step alone"));
}

#[test]
fn a_device_of_ranges_alone_is_not_called_idle() {
    let event = |cat: &str, name: &str, ts: u32, dur: u32| {
        format!(r#"{{"ph":"X","cat":"{cat}","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":{dur}}}"#)
    };
    let events =
        [event("python_function", "train.py(3): step", 100, 90), event("cpu_op", "aten::add", 110, 50)];
    let path = folder("ranges-alone").join("trace.json");
    fs::write(&path, format!(r#"{{"schemaVersion":1,"traceEvents":[{}]}}"#, events.join(","))).unwrap();
    let text = output(&["summary", path.to_str().unwrap()]);
    let row = text.lines().find(|line| line.contains("(Python frames)")).unwrap();
    assert!(row.contains("no work") && !row.contains("µs"), "{text}");
}
