//! The better Chrome trace JSON: opened again it is the same ops, nothing overlaps on a thread, and arrows point forwards.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use steplens_core::{CategoryRules, Study};
use steplens_export::{ArrowCounts, chrome};
use steplens_formats::Opener;
use steplens_tests::fixtures::fixtures_and_samples;
use steplens_tests::writer::{PS, Scenario, WORKER, op, recv};

fn written(study: &Study) -> (Vec<u8>, ArrowCounts) {
    let mut out = Vec::new();
    let counts = chrome::write(study, &mut out).unwrap();
    (out, counts)
}

fn study(bytes: &[u8]) -> Study {
    Study::new(Opener::open_bytes("a", bytes, CategoryRules::default()).unwrap().trace)
}

/// Every op with everything that the format keeps, device by device.
fn ops(study: &Study) -> String {
    let (trace, mut text) = (study.trace(), String::new());
    for device in trace.devices().ids().filter(|&device| trace.devices().get(device).op_count > 0) {
        writeln!(text, "{}", trace.text(trace.devices().get(device).name)).unwrap();
        let mut rows: Vec<_> = trace
            .ops_of(device)
            .map(|op| {
                let (own, node) = (trace.ops().interval(op), trace.ops().node(op));
                let (name, label) = (trace.op_name(op), trace.text(trace.nodes().label(node)));
                let (op_type, reason) =
                    (trace.text(trace.nodes().op_type(node)), trace.text(trace.nodes().reason(node)));
                let (start, end) = (trace.unix_ns(own.start), trace.unix_ns(own.end));
                format!("{start} {end} {name} {op_type} {} {reason} {label}", trace.category(op).word())
            })
            .collect();
        // Those of one time have no order of their own.
        rows.sort_unstable();
        rows.iter().for_each(|row| writeln!(text, "{row}").unwrap());
    }
    text
}

#[test]
fn opened_again_it_is_the_same_ops() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let again = Opener::open_bytes("a", &written(&study).0, CategoryRules::default()).unwrap();
        let problems: Vec<_> = again.files[0].problems.iter().map(|problem| problem.code.clone()).collect();
        assert!(problems.is_empty(), "{}: {problems:?}", fixture.name);
        let again = Study::new(again.trace);
        assert_eq!(ops(&again), ops(&study), "{}", fixture.name);
        let recorded = |study: &Study| study.transfers().all().filter(|(_, own)| own.op.is_some()).count();
        assert_eq!(recorded(&again), recorded(&study), "{}", fixture.name);
    }
}

#[test]
fn nothing_overlaps_and_arrows_lie_within_ops_and_point_forwards() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let (json, counts) = written(&study);
        let document: Value = serde_json::from_slice(&json).unwrap();
        let events = document["traceEvents"].as_array().unwrap();
        let ns = |event: &Value, key: &str| (event[key].as_f64().unwrap() * 1_000.0).round() as i64;
        let thread = |event: &Value| (event["pid"].as_i64().unwrap(), event["tid"].as_i64().unwrap());
        let mut threads: BTreeMap<_, Vec<(i64, i64)>> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let start = ns(event, "ts");
            threads.entry(thread(event)).or_default().push((start, start + ns(event, "dur")));
        }
        for (at, thread) in &mut threads {
            thread.sort_unstable();
            let overlap = thread.windows(2).find(|pair| pair[1].0 < pair[0].1);
            assert_eq!(overlap, None, "{} {at:?}", fixture.name);
        }
        let mut arrows: BTreeMap<i64, [Option<i64>; 2]> = BTreeMap::new();
        for event in events {
            let Some(end) = ["s", "f"].iter().position(|phase| event["ph"] == **phase) else { continue };
            let at = ns(event, "ts");
            let is_within =
                threads[&thread(event)].iter().any(|&(start, end)| start <= at && (at < end || start == end));
            assert!(is_within, "{}: {event}", fixture.name);
            let arrow = arrows.entry(event["id"].as_i64().unwrap()).or_default();
            assert_eq!(arrow[end].replace(at), None, "{}: {event}", fixture.name);
        }
        assert_eq!(arrows.len() as u64, counts.drawn, "{}", fixture.name);
        assert!(arrows.values().all(|arrow| arrow[0].unwrap() < arrow[1].unwrap()), "{}", fixture.name);
    }
}

/// Every transfer of the main example has its arrow.
#[test]
fn the_main_example_has_an_arrow_for_each_transfer_with_two_ends() {
    let study = Study::new(
        Opener::open_bytes("a", &steplens_tests::fixtures::fixture("ps4w").bytes, CategoryRules::default())
            .unwrap()
            .trace,
    );
    let with_ends =
        study.transfers().all().filter(|(_, own)| own.op.is_some() && own.producer.is_ok()).count();
    assert_eq!(written(&study).1, ArrowCounts { drawn: with_ends as u64, backwards: 0 });
}

#[test]
fn an_arrow_that_would_point_backwards_is_counted_and_left_out() {
    let scenario = |received, length| {
        let made = op("w = Const()", 1_000_000, length);
        Scenario::new().device(PS, [made]).device(WORKER, [recv("edge_1_w", PS, WORKER, 8, received, 2_000)])
    };
    // An op that took no time has a moment all the same, its start.
    assert_eq!(written(&scenario(2_000, 0).study()).1, ArrowCounts { drawn: 1, backwards: 0 });
    let counts = |received| written(&scenario(received, 5_000).study()).1;
    assert_eq!(counts(2_000), ArrowCounts { drawn: 1, backwards: 0 });
    assert_eq!(counts(1_002), ArrowCounts { drawn: 1, backwards: 0 });
    assert_eq!(counts(900), ArrowCounts { drawn: 0, backwards: 1 });
}

#[test]
fn hostile_names_stay_names() {
    let name = "</script>\"\\\u{1}\u{2028}é = A(b)";
    let study = Scenario::new().device(WORKER, [op(name, 0, 10)]).study();
    let (json, _) = written(&study);
    assert!(!json.windows(8).any(|part| part == b"</script"));
    assert_eq!(ops(&self::study(&json)), ops(&study));
}
