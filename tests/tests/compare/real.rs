//! Two steps of one run, and two PyTorch traces of which HTA's `TraceDiff` says what differs.

use super::laws::hold;
use super::{Opened, compared};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use steplens_core::CategoryRules;
use steplens_core::compare::joined::Which;
use steplens_core::compare::matching::Pass;
use steplens_formats::Opener;
use steplens_tests::fixtures::{fixture, fixtures};
use steplens_tests::samples::sample;
use steplens_tests::writer::open;

fn of(name: &str) -> Opened {
    Opened::of(open(&fixture(name).bytes).trace)
}

#[test]
fn two_steps_of_one_run() {
    let (a, b) = (of("ps4w"), of("ps4w-later"));
    let own = compared(&a, &b);
    hold(&own);
    assert!(own.reasons.is_empty(), "{:?}", own.reasons);
    assert!(own.matching.count(Pass::Exact) * 1000 >= own.matching.pairs() * 999, "{:?}", own.matching.count(Pass::Exact));
    assert!(!own.steps.lengths.is_significant && own.steps.lengths.probability.is_none());
    assert!(own.steps.op_types.iter().all(|(_, own)| !own.is_significant));
}

#[test]
fn a_trace_with_itself_differs_in_nothing() {
    for trace in fixtures() {
        let a = Opened::of(open(&trace.bytes).trace);
        let own = compared(&a, &a);
        hold(&own);
        assert!(own.waterfall.bars.is_empty(), "{}", trace.name);
        assert_eq!(own.matching.count(Pass::Exact), own.matching.ops(Which::A), "{}", trace.name);
        assert!(own.tables.op_types.iter().all(|row| row.own[0] == row.own[1]), "{}", trace.name);
    }
}

fn pytorch(name: &str) -> Option<(Opened, Value)> {
    let file = format!("real/pytorch/{name}.json.gz");
    let bytes = sample(&file)?;
    let opened = Opener::open_bytes(&file, &bytes, CategoryRules::default()).unwrap();
    let document = serde_json::from_reader(GzDecoder::new(bytes.as_slice())).unwrap();
    Some((Opened::of(opened.trace), document))
}

/// How many complete events of each name a document has.
fn counts(document: &Value) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for event in document["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X") {
        *counts.entry(event["name"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn the_counts_of_trace_diff() {
    let (Some((a, control)), Some((b, test))) = (pytorch("diff-control"), pytorch("diff-test")) else { return };
    let own = compared(&a, &b);
    hold(&own);
    println!("{:?} {:?} pairs {}", PASSES.map(|pass| own.matching.count(pass)), Which::BOTH.map(|side| own.matching.ops(side)), own.matching.pairs());
    println!("{:?}", own.reasons);
    let show = |side: usize, op: Option<steplens_core::OpId>| op.map(|op| own.sides[side].study.title(op).to_owned());
    for bar in &own.waterfall.bars { println!("{:?} {:?} {:?} hid {:?} {}", bar.cause, bar.difference, bar.lengths, bar.hidden, bar.ops.len());
        for (a, b, adds) in bar.ops.iter().take(3) { println!("    {:?} {:?} {adds:?}", show(0, *a), show(1, *b)); } }
    for id in a.study.trace().devices().ids() {
        let name = |own: &Opened, id: steplens_core::DeviceId| own.study.trace().text(own.study.trace().devices().get(id).name).to_owned();
        println!("{} {:?}", name(&a, id), own.devices.of_a(id).map(|id| name(&b, id)));
    }
    println!("rest {:?} of {:?}", own.waterfall.rest, own.difference());
    let plain = [counts(&control), counts(&test)];
    println!("{} {}", plain[0].len(), plain[1].len());
}

const PASSES: [Pass; 4] = [Pass::Exact, Pass::Renumbered, Pass::Structural, Pass::Edited];
