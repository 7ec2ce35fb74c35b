//! Rows that are no threads of a program: those that repeat others, parts of a GPU as devices; and events that have no row at all.

use super::made::{complete, document, said, us};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::{Category, Nanos, Study};
use steplens_formats::Opened;
use steplens_tests::opened::{open, study};
use steplens_tests::tensorflow::named;

/// What an export of MindSpore has of one NPU: ops of a stream, and rows of text as `tid` that have them once more, with others of their own.
fn of_mindspore(others: &[(&str, i64, i64)]) -> Study {
    let row = |name: &str, tid: Value, (ts, dur): (i64, i64)| json!({ "ph": "X", "name": name, "pid": 0, "tid": tid, "ts": ts, "dur": dur });
    let ops = [("Conv2D-op8", 0, 100), ("MatMul-op9", 150, 50), ("Conv2D-op8", 300, 100)];
    let mut events: Vec<Value> = ops.iter().map(|&(name, ts, dur)| row(name, 7.into(), (ts, dur))).collect();
    let again = ops.iter().chain(others);
    events.extend(again.map(|&(name, ts, dur)| row(name, "stream_7_parallel".into(), (ts, dur))));
    // Names come last.
    events.push(json!({ "ph": "M", "name": "process_labels", "pid": 0, "args": { "labels": "AICORE OP" } }));
    events.push(named("thread_name", 0, 7, "Stream #7"));
    study(open(&[("ascend_timeline_display_0.json", Value::from(events).to_string().as_bytes())]))
}

/// How long ops of each name last, without ranges, in µs.
fn counted(study: &Study) -> BTreeMap<&str, i64> {
    let trace = study.trace();
    let mut found = BTreeMap::new();
    for op in trace.ops().ids().filter(|&op| trace.category(op) != Category::Range) {
        *found.entry(trace.op_name(op)).or_default() += trace.ops().interval(op).length().0 / 1_000;
    }
    found
}

#[test]
fn rows_that_repeat_a_stream_are_shown_and_count_once() {
    let own = of_mindspore(&[]);
    assert_eq!(own.trace().ops().len(), 6, "all are shown");
    assert_eq!(counted(&own), [("Conv2D-op8", 200), ("MatMul-op9", 50)].into());
    assert_eq!(own.step_split(own.trace().span()).compute, Nanos(250_000));
    assert_eq!(us(&own, SegmentKind::Compute), 250);
    // The program marked none of them.
    assert!(!said(&own).contains("marks"), "{}", said(&own));
    // What no other row has is no repetition.
    let more = of_mindspore(&[("AllReduce-op3", 500, 30)]);
    assert_eq!(counted(&more), [("Conv2D-op8", 400), ("MatMul-op9", 100), ("AllReduce-op3", 30)].into());
}

/// Warps of a kernel on rows of these names, with gaps of 60 µs.
fn of_rows(names: &[&str]) -> Study {
    let mut events = Vec::new();
    for (name, pid) in names.iter().zip(0..) {
        events.push(named("process_name", pid, 0, name));
        events.push(named("thread_name", pid, 1, "warp 0"));
        for place in 0..10 {
            let what = if place % 2 == 0 { "load" } else { "mma" };
            events.push(complete(what, (pid, 1), (place * 100 + pid, 40)));
        }
    }
    study(document(&events))
}

#[test]
fn parts_of_a_gpu_are_no_host() {
    for names in [["SM 0", "SM 1"], ["gemm Core0 CTA0", "gemm Core3 CTA1"]] {
        let own = of_rows(&names);
        let sentence = said(&own);
        assert!(sentence.contains("Its 2 rows are parts of a GPU"), "{sentence}");
        assert!(sentence.contains("no host and no launch was recorded"), "{sentence}");
        // Ten ops of 40 µs from 0 or 1 to 940 or 941: what the path is not in an op, nothing explains.
        assert_eq!(us(&own, SegmentKind::HostBetweenOps), 0, "{sentence}");
        assert!(us(&own, SegmentKind::Gap) >= 9 * 59, "{sentence}");
        assert!(!sentence.contains("between ops"), "{sentence}");
    }
    // A program next to them is a host, and one row alone may be anything.
    for names in [["SM 0", "python"], ["worker 0", "worker 1"]] {
        let own = of_rows(&names);
        assert!(!said(&own).contains("parts of a GPU"), "{}", said(&own));
        assert!(us(&own, SegmentKind::HostBetweenOps) > 0, "{}", said(&own));
    }
}

/// What is said of the events that are not shown.
fn left_out(opened: &Opened) -> String {
    let problems = opened.files.iter().flat_map(|file| &file.problems);
    let found: Vec<String> =
        problems.filter(|own| &*own.code == "events-not-shown").map(|own| own.detail.clone()).collect();
    found.join("; ")
}

#[test]
fn how_long_asynchronous_events_last_is_said() {
    let of = |phase: &str, id: &str, ts: i64| json!({ "ph": phase, "cat": "PROXY", "name": "SendWait", "id": id, "pid": 1, "tid": 1, "ts": ts, "args": {} });
    let op = || complete("step", (1, 1), (0, 1_000));
    // From 200 to 700, with another of the same id within; from 650 to 800; and one that never ends: 600 of 1,000 µs.
    let events = [
        op(),
        of("b", "1", 200),
        of("b", "1", 300),
        of("n", "1", 350),
        of("e", "1", 400),
        of("b", "2", 650),
        of("e", "1", 700),
        of("e", "2", 800),
        of("b", "3", 900),
        of("e", "9", 950),
    ];
    let said = left_out(&document(&events));
    assert!(said.starts_with("9 events") && said.contains("In 60 % of the time"), "{said}");
    // They may begin before what is shown, and end after it: 3,000 of 4,000 µs.
    let said = left_out(&document(&[
        of("b", "1", -2_000),
        complete("x", (1, 1), (0, 10)),
        of("e", "1", 1_000),
        complete("y", (1, 1), (1_990, 10)),
    ]));
    assert!(said.contains("In 75 % of the time"), "{said}");
    let arrow = json!({ "ph": "s", "cat": "c", "name": "a", "id": 1, "pid": 1, "tid": 1, "ts": 5 });
    let said = left_out(&document(&[op(), arrow]));
    assert!(said.starts_with("1 event") && !said.contains('%'), "{said}");
}
