//! Two steps of one run, and two PyTorch traces of which HTA's `TraceDiff` says what differs.

use super::laws::hold;
use super::{Opened, compared};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use steplens_core::compare::joined::Which;
use steplens_core::compare::matching::Pass;
use steplens_core::compare::reasons::Reason;
use steplens_core::{CategoryRules, DeviceId};
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
    // Of worker 1 the later step has no transfer: 148 ops of A have no partner.
    let [Reason::Transfers { only_a, only_b }] = own.reasons.as_slice() else { panic!("{:?}", own.reasons) };
    let name = |id: &DeviceId| a.whole.text(a.whole.devices().get(*id).name);
    assert_eq!(only_a.iter().map(name).collect::<Vec<_>>(), ["/job:worker/replica:0/task:1/device:CPU:0"]);
    assert!(only_b.is_empty());
    assert_eq!(own.matching.alone(Which::A).count(), 148);
    assert!(
        own.matching.count(Pass::Exact) * 1000 >= own.matching.pairs() * 999,
        "{:?}",
        own.matching.count(Pass::Exact)
    );
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
        let rows = &own.tables.op_types;
        assert!(!rows.is_empty() && rows.iter().all(|row| row.own[0] == row.own[1]), "{}", trace.name);
    }
}

fn pytorch(name: &str) -> Option<(Opened, Value)> {
    let file = format!("real/pytorch/{name}.json.gz");
    let bytes = sample(&file)?;
    let opened = Opener::open_bytes(&file, &bytes, CategoryRules::default()).unwrap();
    let mut text = Vec::new();
    // All of it first: serde_json asks a reader byte by byte.
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).unwrap();
    let document = serde_json::from_slice(&text).unwrap();
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
    let (Some((a, control)), Some((b, test))) = (pytorch("diff-control"), pytorch("diff-test")) else {
        return;
    };
    let own = compared(&a, &b);
    hold(&own);
    // HTA's TraceDiff divides names by how often they occur: added, deleted, and the others by which count is larger.
    let plain = [counts(&control), counts(&test)];
    let mut ours: BTreeMap<String, [i64; 2]> = BTreeMap::new();
    let mut add = |side: Which, op, times: [i64; 2]| {
        let name = own.sides[side as usize].study.title(op).to_owned();
        let row = ours.entry(name).or_default();
        (0..2).for_each(|at: usize| row[at] += times[at]);
    };
    own.matching.all().for_each(|(op, _)| add(Which::A, op, [1, 1]));
    own.matching.alone(Which::A).for_each(|op| add(Which::A, op, [1, 0]));
    own.matching.alone(Which::B).for_each(|op| add(Which::B, op, [0, 1]));
    let names: BTreeSet<&String> = plain.iter().flat_map(BTreeMap::keys).chain(ours.keys()).collect();
    for name in names {
        let of = |own: &BTreeMap<String, i64>| own.get(name).copied().unwrap_or(0);
        let found = ours.get(name).copied().unwrap_or_default();
        assert_eq!(found, [of(&plain[0]), of(&plain[1])], "{name}");
    }
    // No name has an op without a partner on both sides of one device.
    let least: i64 = plain[0].iter().map(|(name, count)| *count.min(plain[1].get(name).unwrap_or(&0))).sum();
    assert_eq!(own.matching.pairs() as i64, least);
    // Each has names that the other one has not.
    let only = |own: usize| plain[own].keys().filter(|&name| !plain[1 - own].contains_key(name)).count();
    assert!(only(0) > 0 && only(1) > 0);
    assert!(own.reasons.iter().any(|reason| reason.word() == "graph"), "{:?}", own.reasons);
    assert!(!own.waterfall.bars.is_empty());
}
