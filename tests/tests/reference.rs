//! Every recorded step against what TensorFlow's protobuf and tensorflow-tracer's arithmetic say about it.
//!
//! The reference counts in microseconds, whereas the trace prefers nanoseconds where they were recorded. So each file
//! is read twice: with its nanos taken out, where every figure must be equal exactly; and as it is, where RecvTensors,
//! which have micros only, must still be equal exactly, and the rest within the rounding. Nanos cut off a start by
//! less than 1 us and, with those of the length, an end by less than 2 us: a union of n intervals differs by less
//! than 3n us, and the step by less than 2 us. That nanos are read as they stand is checked in differential.rs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use steplens_core::analysis::coverage::Coverage;
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
        let study = Study::of(open(&metadata.encode_to_vec()).trace);
        check(&study, &reference, &fixture.name, 0);
    }
}

#[test]
fn figures_from_nanos_are_equal_within_rounding() {
    for (fixture, _, reference) in recorded() {
        let study = Study::of(open(&fixture.bytes).trace);
        check(&study, &reference, &fixture.name, 1);
    }
}

#[test]
fn the_main_example_holds_what_the_documents_say() {
    let study = Study::of(open(&fixture("ps4w").bytes).trace);
    assert_eq!((study.trace().ops().len(), study.transfers().rows().len()), (4_175, 991));
    assert_eq!(study.trace().devices().len(), 5);
}

/// Every recorded file, as prost reads it, and its figures. `ps4w-skewed` was made after the reference: its figures
/// are counted here, in the same way, which the other files prove to be the reference's.
fn recorded() -> Vec<(Fixture, RunMetadata, Value)> {
    let metrics: Value = serde_json::from_str(&metrics()).unwrap();
    let with_figures = |fixture: Fixture| {
        let metadata = RunMetadata::decode(fixture.bytes.as_slice()).unwrap();
        let counted = count(&metadata);
        match metrics.get(&fixture.name) {
            Some(reference) => assert_eq!(*reference, counted, "{}", fixture.name),
            None => assert_eq!(fixture.name, "ps4w-skewed", "the reference lacks a file"),
        }
        (fixture, metadata, counted)
    };
    fixtures_and_samples().into_iter().map(with_figures).collect()
}

/// The figures of the reference, from prost's micros.
fn count(metadata: &RunMetadata) -> Value {
    let interval = |op: &NodeExecStats| {
        let start = op.all_start_micros;
        Interval::new(Timestamp(start), Timestamp(start + op.all_end_rel_micros))
    };
    let union = |ops: &[&NodeExecStats]| union(ops.iter().map(|op| interval(op)).collect());
    let span = |ops: &[&NodeExecStats]| {
        let first = ops.iter().map(|op| interval(op).start).min().unwrap_or_default();
        (ops.iter().map(|op| interval(op).end).max().unwrap_or_default() - first).0
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

/// `rounding` is 1 if the trace has nanos that the reference has not, else 0.
fn check(study: &Study, wanted: &Value, name: &str, rounding: i64) {
    let trace = study.trace();
    let figure = |row: &Value, key: &str| row[key].as_i64().unwrap_or_else(|| panic!("{name} has no {key}"));
    let near = |got_ns: i64, row: &Value, key: &str, within_us: i64| {
        let difference = got_ns - figure(row, key) * US;
        let within = within_us * US * rounding;
        assert!(difference.abs() <= within, "{name} {key}: off by {difference} ns, want {within} at most");
    };
    assert_eq!(trace.ops().len() as i64, figure(wanted, "ops"), "{name}");
    near(trace.span().length().0, wanted, "step_us", 2);
    near(study.split(None, trace.span()).busy.0, wanted, "busy_us", 3 * trace.ops().len() as i64);
    let all: Vec<OpId> = trace.ops().ids().collect();
    check_recv(trace, &all, wanted, name);
    let received = received(trace, &all);
    let first = received.iter().map(|interval| interval.start).min().unwrap_or_default();
    let last = received.iter().map(|interval| interval.end).max().unwrap_or_default();
    assert_eq!((last - first).0, figure(wanted, "recvtensor_elapsed_us") * US, "{name}");

    let devices = wanted["devices"].as_object().unwrap();
    assert_eq!(trace.devices().len(), devices.len(), "{name}");
    for id in trace.devices().ids() {
        let device = trace.text(trace.devices().get(id).name);
        let (row, ops) = (&devices[device], trace.ops_of(id).collect::<Vec<_>>());
        assert_eq!(ops.len() as i64, figure(row, "ops"), "{name} {device}");
        near(busy(trace, id), row, "busy_us", 3 * ops.len() as i64);
        assert_eq!(study.split(Some(id), trace.span()).busy.0, busy(trace, id));
        check_recv(trace, &ops, row, name);
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

/// How many RecvTensors there are and when at least one was under way: in micros, so exact.
fn check_recv(trace: &Trace, ops: &[OpId], wanted: &Value, name: &str) {
    let received = received(trace, ops);
    assert_eq!(received.len() as u64, wanted["recvtensor_count"], "{name}");
    assert_eq!(union(received), wanted["recvtensor_us"].as_i64().unwrap() * US, "{name}");
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

/// Busy time by the columns alone, beside the split's.
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
