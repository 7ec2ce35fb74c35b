//! Every recorded step against what TensorFlow's protobuf and tensorflow-tracer's arithmetic say about it.
//!
//! The reference counts in microseconds, whereas the trace prefers nanoseconds where they were recorded. So each file
//! is read twice: with its nanos taken out, where every figure must be the reference's; and as it is, where every figure must be
//! what the same arithmetic makes of prost's nanos. RecvTensors have micros only.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use steplens_core::timeline::coverage::Coverage;
use steplens_core::{Category, DeviceId, Interval, OpId, Study, Timestamp, Trace};
use steplens_tests::fixtures::{Fixture, fixture, fixtures_and_samples, metrics};
use steplens_tests::proto::{NodeExecStats, RunMetadata, TensorDescription};
use steplens_tests::writer::open;

const US: i64 = 1_000;

#[test]
fn figures_from_micros_are_equal() {
    for (fixture, mut metadata, reference) in recorded() {
        for op in metadata.ops_mut() {
            (op.all_start_nanos, op.op_start_rel_nanos, op.op_end_rel_nanos) = (0, 0, 0);
            (op.all_end_rel_nanos, op.scheduled_nanos) = (0, 0);
        }
        let study = Study::new(open(&metadata.encode_to_vec()).trace);
        check(&study, &reference, &fixture.name, US);
    }
}

#[test]
fn figures_from_nanos_are_equal() {
    for (fixture, metadata, _) in recorded() {
        let study = Study::new(open(&fixture.bytes).trace);
        check(&study, &count(&metadata, 1, nanos), &fixture.name, 1);
    }
}

#[test]
fn the_main_example_holds_what_the_documents_say() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    assert_eq!((study.trace().ops().len(), study.transfers().rows().len()), (4_175, 991));
    assert_eq!(study.trace().devices().len(), 5);
}

/// Every recorded file, as prost reads it, and its figures. `ps4w-skewed` was made after the reference: its figures
/// are counted here, in the same way, which the other files prove to be the reference's.
fn recorded() -> Vec<(Fixture, RunMetadata, Value)> {
    let metrics: Value = serde_json::from_str(&metrics()).unwrap();
    let with_figures = |fixture: Fixture| {
        let metadata = RunMetadata::decode(fixture.bytes.as_slice()).unwrap();
        let counted = count(&metadata, US, micros);
        match metrics.get(&fixture.name) {
            Some(reference) => assert_eq!(*reference, counted, "{}", fixture.name),
            None => assert_eq!(fixture.name, "ps4w-skewed", "the reference lacks a file"),
        }
        (fixture, metadata, counted)
    };
    fixtures_and_samples().into_iter().map(with_figures).collect()
}

/// When an op ran by its micros, in ns.
fn micros(op: &NodeExecStats) -> Interval {
    let start = op.all_start_micros * US;
    Interval::new(Timestamp(start), Timestamp(start + op.all_end_rel_micros * US))
}

/// The same by its nanos, where it has them.
fn nanos(op: &NodeExecStats) -> Interval {
    let or = |nanos: i64, micros: i64| if nanos > 0 { nanos } else { micros * US };
    let start = or(op.all_start_nanos, op.all_start_micros);
    Interval::new(Timestamp(start), Timestamp(start + or(op.all_end_rel_nanos, op.all_end_rel_micros)))
}

/// The figures of the reference in units of so many ns, by prost and when `interval` says that ops ran.
fn count(metadata: &RunMetadata, unit: i64, interval: fn(&NodeExecStats) -> Interval) -> Value {
    let union = |ops: &[&NodeExecStats]| union(ops.iter().map(|op| interval(op)).collect()) / unit;
    let span = |ops: &[&NodeExecStats]| {
        let first = ops.iter().map(|op| interval(op).start).min().unwrap_or_default();
        (ops.iter().map(|op| interval(op).end).max().unwrap_or_default() - first).0 / unit
    };
    let bytes = |op: &NodeExecStats| {
        let tensors = op.output.iter().filter_map(|output| output.tensor_description.as_ref());
        let requested =
            |tensor: &TensorDescription| Some(tensor.allocation_description.as_ref()?.requested_bytes);
        tensors.filter_map(requested).sum::<i64>()
    };
    let mut by_device: BTreeMap<&str, Vec<&NodeExecStats>> = BTreeMap::new();
    metadata.ops().for_each(|(device, op)| by_device.entry(device).or_default().push(op));
    let device = |(device, ops): (&&str, &Vec<&NodeExecStats>)| {
        let received = recv_of(ops);
        let row = json!({
            "ops": ops.len(),
            "busy_us": union(ops),
            "recvtensor_us": union(&received),
            "recvtensor_count": received.len(),
            "recvtensor_bytes": received.iter().map(|op| bytes(op)).sum::<i64>(),
        });
        ((*device).to_owned(), row)
    };
    let all: Vec<_> = metadata.ops().map(|(_, op)| op).collect();
    let all_received = recv_of(&all);
    json!({
        "ops": all.len(),
        "step_us": span(&all),
        "busy_us": union(&all),
        "recvtensor_us": union(&all_received),
        "recvtensor_count": all_received.len(),
        "recvtensor_elapsed_us": span(&all_received),
        "devices": by_device.iter().map(device).collect::<serde_json::Map<_, _>>(),
    })
}

fn recv_of<'a>(ops: &[&'a NodeExecStats]) -> Vec<&'a NodeExecStats> {
    let is_recv = |op: &&&NodeExecStats| op.node_name == "RecvTensor";
    ops.iter().filter(is_recv).copied().collect()
}

/// `wanted` counts in units of so many ns.
fn check(study: &Study, wanted: &Value, name: &str, unit: i64) {
    let trace = study.trace();
    let figure = |row: &Value, key: &str| row[key].as_i64().unwrap_or_else(|| panic!("{name} has no {key}"));
    let equal = |got_ns: i64, row: &Value, key: &str| {
        assert_eq!(got_ns, figure(row, key) * unit, "{name} {key}");
    };
    assert_eq!(trace.ops().len() as i64, figure(wanted, "ops"), "{name}");
    equal(trace.span().length().0, wanted, "step_us");
    equal(study.split(None, trace.span()).busy.0, wanted, "busy_us");
    let all: Vec<OpId> = trace.ops().ids().collect();
    check_recv(trace, &all, wanted, name, unit);
    let received = received(trace, &all);
    let first = received.iter().map(|interval| interval.start).min().unwrap_or_default();
    let last = received.iter().map(|interval| interval.end).max().unwrap_or_default();
    equal((last - first).0, wanted, "recvtensor_elapsed_us");

    let devices = wanted["devices"].as_object().unwrap();
    assert_eq!(trace.devices().len(), devices.len(), "{name}");
    for id in trace.devices().ids() {
        let device = trace.text(trace.devices().get(id).name);
        let (row, ops) = (&devices[device], trace.ops_of(id).collect::<Vec<_>>());
        assert_eq!(ops.len() as i64, figure(row, "ops"), "{name} {device}");
        equal(busy(trace, id), row, "busy_us");
        assert_eq!(study.split(Some(id), trace.span()).busy.0, busy(trace, id));
        check_recv(trace, &ops, row, name, unit);
        let bytes: u64 = ops
            .iter()
            .filter(|&&op| is_recv(trace, op))
            .map(|&op| trace.outputs().requested_bytes(op).0)
            .sum();
        assert_eq!(bytes as i64, figure(row, "recvtensor_bytes"), "{name} {device}");
        let rows = study.transfers().rows().iter();
        let rows = rows.filter(|transfer| transfer.op.is_some_and(|op| trace.device_of(op) == id));
        assert_eq!(rows.map(|transfer| transfer.bytes.0).sum::<u64>(), bytes, "{name} {device}");
    }
}

/// How many RecvTensors there are and when at least one was under way.
fn check_recv(trace: &Trace, ops: &[OpId], wanted: &Value, name: &str, unit: i64) {
    let received = received(trace, ops);
    assert_eq!(received.len() as u64, wanted["recvtensor_count"], "{name}");
    assert_eq!(union(received), wanted["recvtensor_us"].as_i64().unwrap() * unit, "{name}");
}

fn is_recv(trace: &Trace, op: OpId) -> bool {
    trace.op_name(op) == "RecvTensor"
}

fn received(trace: &Trace, ops: &[OpId]) -> Vec<Interval> {
    let received = ops.iter().filter(|&&op| is_recv(trace, op));
    received.map(|&op| trace.ops().interval(op)).collect()
}

/// The length of a union, as tensorflow-tracer counts it.
fn union(mut intervals: Vec<Interval>) -> i64 {
    intervals.sort_by_key(|interval| (interval.start, interval.end));
    let mut total = 0;
    let mut last = None;
    for Interval { start, end } in intervals {
        let from = last.map_or(start, |last| start.max(last));
        total += (end - from).0.max(0);
        last = last.max(Some(end));
    }
    total
}

/// Busy time by the columns alone, to compare with the split's.
fn busy(trace: &Trace, device: DeviceId) -> i64 {
    let coverage = Coverage::of_device(trace, device);
    let all = Category::ALL.into_iter().flat_map(|category| coverage.union(category).iter());
    let all: Vec<_> = all.collect();
    assert!(
        Category::ALL
            .into_iter()
            .all(|category| coverage.union(category).length().0 <= trace.span().length().0)
    );
    union(all)
}
