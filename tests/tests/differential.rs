//! Our reader against prost: both read the same of every file, op by op and node by node.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use prost::Message;
use std::collections::BTreeMap;
use steplens_core::model::graph::End;
use steplens_core::{OpId, Trace};
use steplens_formats::Opened;
use steplens_tests::fixtures::fixtures_and_samples;
use steplens_tests::proto::{self, NodeDef, NodeExecStats, NodeOutput, RunMetadata};
use steplens_tests::writer::open;

/// The widest time that a trace takes, in ns from 1970.
const MAX_UNIX_NS: i64 = 1 << 62;

#[test]
fn every_fixture_reads_the_same() {
    for fixture in fixtures_and_samples() {
        let metadata = RunMetadata::decode(fixture.bytes.as_slice()).unwrap();
        let opened = open(&fixture.bytes);
        check(&metadata, &opened);
        assert_eq!(opened.files[0].problems, [], "{}", fixture.name);
        assert_eq!(
            metadata.ops().filter(|(_, op)| is_taken(op)).count(),
            metadata.ops().count(),
            "{}",
            fixture.name
        );
    }
}

proptest! {
    #![proptest_config(steplens_tests::cases::cases(400))]

    #[test]
    fn random_messages_read_the_same(metadata in crate::strategy::run_metadata()) {
        let opened = steplens_formats::Opener::open_bytes("random.pb", &metadata.encode_to_vec(), Default::default());
        match opened {
            Ok(opened) => check(&metadata, &opened),
            Err(_) => prop_assert_eq!(metadata.ops().filter(|(_, op)| is_taken(op)).count(), 0),
        }
    }
}

/// Whether a trace takes the op: its times fit.
fn is_taken(op: &NodeExecStats) -> bool {
    let end = || op.start_ns()?.checked_add(op.length_ns()?.max(0));
    let fits = |time: Option<i64>| time.is_some_and(|time| (-MAX_UNIX_NS..MAX_UNIX_NS).contains(&time));
    fits(op.start_ns()) && fits(end())
}

/// Everything of `metadata` is in `opened`, and nothing else.
fn check(metadata: &RunMetadata, opened: &Opened) {
    let trace = &opened.trace;
    let mut by_device: BTreeMap<&str, Vec<&NodeExecStats>> = BTreeMap::new();
    for (device, op) in metadata.ops().filter(|(_, op)| is_taken(op)) {
        by_device.entry(device).or_default().push(op);
    }
    let origin = by_device.values().flatten().filter_map(|op| op.start_ns()).min().unwrap();
    assert_eq!(trace.origin_unix_ns(), origin);
    let total: usize = by_device.values().map(Vec::len).sum();
    assert_eq!(trace.ops().len(), total);
    assert_eq!(opened.files[0].ops, total);

    let refused = metadata.ops().count() - total;
    let problems = &opened.files[0].problems;
    let count = |code| {
        problems.iter().filter(|problem| problem.code == code).map(|problem| problem.count).sum::<u64>()
    };
    assert_eq!(count("time-out-of-range"), refused as u64);
    let negative =
        by_device.values().flatten().filter(|op| op.length_ns().is_some_and(|length| length < 0)).count();
    assert_eq!(count("negative-duration"), negative as u64);

    for id in trace.devices().ids() {
        let name = trace.text(trace.devices().get(id).name);
        // What comes without a name is shown under one that says so.
        let mut wanted =
            by_device.remove(if name == "(unnamed device)" { "" } else { name }).unwrap_or_default();
        wanted.sort_by_key(|op| (op.start_ns(), op.length_ns().map(|length| length.max(0))));
        let ops = trace.ops_of(id);
        assert_eq!(ops.len(), wanted.len(), "{name}");
        for (op, wanted) in ops.zip(wanted) {
            assert_eq!(trace.device_of(op), id);
            check_op(trace, op, wanted, origin);
        }
    }
    assert!(by_device.is_empty(), "{:?} is missing", by_device.keys());
    check_threads(metadata, trace);
    check_graphs(metadata, trace);
}

fn check_op(trace: &Trace, op: OpId, wanted: &NodeExecStats, origin: i64) {
    let ops = trace.ops();
    assert_eq!(trace.op_name(op), wanted.node_name);
    assert_eq!(trace.text(trace.nodes().label(ops.node(op))), wanted.timeline_label);
    let start = wanted.start_ns().unwrap();
    assert_eq!(ops.start(op).0 + origin, start);
    assert_eq!(ops.interval(op).length().0, wanted.length_ns().unwrap().max(0));
    assert_eq!(ops.thread(op), wanted.thread_id);
    let scheduled = proto::ns(wanted.scheduled_micros, wanted.scheduled_nanos)
        .filter(|&scheduled| scheduled != 0)
        .and_then(|scheduled| start.checked_sub(undone(scheduled, start)));
    assert_eq!(ops.queued(op).map(|queued| queued.0), scheduled);
    let kernel = |micros, nanos| ops.start(op).0.saturating_add(proto::ns(micros, nanos).unwrap_or(0));
    let from = kernel(wanted.op_start_rel_micros, wanted.op_start_rel_nanos);
    let to = kernel(wanted.op_end_rel_micros, wanted.op_end_rel_nanos);
    assert_eq!((ops.kernel(op).start.0, ops.kernel(op).end.0), (from, to.max(from)));

    let outputs: Vec<_> = trace.outputs().of(op).collect();
    assert_eq!(outputs.len(), wanted.output.len());
    for (output, wanted) in outputs.iter().zip(&wanted.output) {
        let (dtype, shape, allocation) = description(wanted);
        assert_eq!((output.slot, output.dtype as i32), (wanted.slot, dtype));
        assert_eq!(output.shape.map(<[i64]>::to_vec), shape);
        assert_eq!(output.requested.0, allocation.requested_bytes.max(0) as u64);
        assert_eq!(output.allocated.0, allocation.allocated_bytes.max(0) as u64);
        assert_eq!(output.allocation_id, allocation.allocation_id);
        assert_eq!(trace.text(output.allocator), allocation.allocator_name);
    }

    let uses: Vec<_> =
        trace.memory().of(op).map(|(used, records)| (used, records.collect::<Vec<_>>())).collect();
    assert_eq!(uses.len(), wanted.memory.len());
    for ((used, records), wanted) in uses.iter().zip(&wanted.memory) {
        assert_eq!(trace.text(used.allocator), wanted.allocator_name);
        let sizes =
            [wanted.total_bytes, wanted.peak_bytes, wanted.live_bytes].map(|bytes| bytes.max(0) as u64);
        assert_eq!([used.total.0, used.peak.0, used.live.0], sizes);
        let wanted: Vec<_> = wanted
            .allocation_records
            .iter()
            .map(|record| {
                (record.alloc_micros.saturating_mul(1_000).saturating_sub(start), record.alloc_bytes)
            })
            .collect();
        assert_eq!(
            records.iter().map(|record| (record.after_start.0, record.bytes)).collect::<Vec<_>>(),
            wanted
        );
    }
}

/// dtype, shape (`None` for an unknown rank) and allocation; the defaults of what is not there.
fn description(output: &NodeOutput) -> (i32, Option<Vec<i64>>, proto::AllocationDescription) {
    let tensor = output.tensor_description.clone().unwrap_or_default();
    let shape = tensor.shape.unwrap_or_default();
    let sizes = (!shape.unknown_rank).then(|| shape.dim.iter().map(|dim| dim.size).collect());
    (tensor.dtype, sizes, tensor.allocation_description.unwrap_or_default())
}

fn check_threads(metadata: &RunMetadata, trace: &Trace) {
    let mut wanted: BTreeMap<(&str, u32), Vec<&str>> = BTreeMap::new();
    for device in metadata.step_stats.iter().flat_map(|step| &step.dev_stats) {
        for (&thread, name) in &device.thread_names {
            wanted.entry((&device.device, thread)).or_default().push(name);
        }
    }
    for ((device, thread), names) in wanted {
        let device = if device.is_empty() { "(unnamed device)" } else { device };
        let id = trace.strings().find(device).and_then(|name| trace.devices().by_name(name)).unwrap();
        // Two entries of one device may name a thread twice; one of the names is kept.
        assert!(names.contains(&trace.thread_name(id, thread).unwrap()));
    }
}

fn check_graphs(metadata: &RunMetadata, trace: &Trace) {
    let functions = metadata.function_graphs.iter().flat_map(|function| &function.partition_graphs);
    let wanted: Vec<&NodeDef> =
        metadata.partition_graphs.iter().chain(functions).flat_map(|graph| &graph.node).collect();
    let graph = trace.graph();
    assert_eq!(graph.len(), wanted.len());
    let mut ends = graph.rendezvous().iter();
    for (node, wanted) in graph.ids().zip(wanted) {
        let text = |id| trace.text(id);
        assert_eq!(
            [text(graph.name(node)), text(graph.op(node)), text(graph.device(node))],
            [&wanted.name, &wanted.op, &wanted.device]
        );
        assert_eq!(graph.inputs(node).iter().map(|&input| text(input)).collect::<Vec<_>>(), wanted.input);
        let keys = ["tensor_name", "send_device", "recv_device"];
        let end = match wanted.op.as_str() {
            "_Send" | "_HostSend" => End::Send,
            "_Recv" | "_HostRecv" => End::Recv,
            _ => continue,
        };
        if keys.iter().all(|key| wanted.has_text(key)) {
            let found = ends.next().unwrap();
            assert_eq!((found.node, found.end), (node, end));
            let found = [found.tensor, found.source, found.destination].map(text);
            assert_eq!(found.map(str::to_owned), keys.map(|key| wanted.text(key)));
        }
    }
    assert_eq!(ends.next(), None);
}

/// When an op that started then was scheduled. TensorFlow 1.11 to 2.19 write a thousand times as much, of which the lowest 64 bits are left: of
/// all numbers with these bits it is the one nearest to a thousand times the start, if that is a thousand times a moment of that day.
fn undone(recorded: i64, start: i64) -> i64 {
    const DAY_NS: i128 = 86_400_000_000_000;
    let (recorded_ns, start_ns) = (i128::from(recorded), i128::from(start));
    if (recorded_ns - start_ns).abs() <= DAY_NS {
        return recorded;
    }
    let turns = (start_ns * 1_000 - recorded_ns + (1 << 63)).div_euclid(1 << 64);
    let whole = recorded_ns + turns * (1 << 64);
    let is_moment = whole % 1_000 == 0 && (whole / 1_000 - start_ns).abs() <= DAY_NS;
    if is_moment { (whole / 1_000) as i64 } else { recorded }
}
