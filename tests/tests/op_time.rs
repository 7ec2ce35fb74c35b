//! `op_time` and kernels: against TensorFlow's `timeline.py`, whose figures for a small step of ours are committed, and
//! against the same arithmetic done here on the raw messages of recorded GPU steps.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use serde_json::Value;
use std::collections::BTreeMap;
use steplens_core::gpu::op_time::{OpTime, with_op_time};
use steplens_core::model::device::DeviceKind;
use steplens_core::model::label;
use steplens_core::questions::flow::Flow;
use steplens_core::questions::op_types::op_types;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::{Category, OpId, Study, Trace, View};
use steplens_tests::fixtures::{Fixture, bytes_of, fixtures_and_samples};
use steplens_tests::proto::{NodeExecStats, RunMetadata};
use steplens_tests::writer::open;

/// An op: its device, its name without what else a stream says, its start and its length in microseconds.
type OpRow = (String, String, i64, i64);

fn kernels() -> Vec<u8> {
    bytes_of("gpu/kernels.pb")
}

/// Our small step, and the GPU samples where they lie next to the repository.
fn gpu_steps() -> Vec<Fixture> {
    let samples = fixtures_and_samples().into_iter().filter(|fixture| fixture.name.starts_with("gpu-"));
    let own = Fixture { name: "kernels".to_owned(), file: "kernels.pb".to_owned(), bytes: kernels() };
    [own].into_iter().chain(samples).collect()
}

fn is_stream(device: &str) -> bool {
    device.contains("/stream:") || device.contains("/memcpy")
}

fn op_rows(trace: &Trace) -> Vec<OpRow> {
    let mut op_rows: Vec<OpRow> = trace
        .ops()
        .ids()
        .map(|op| {
            let device = trace.text(trace.devices().get(trace.device_of(op)).name).to_owned();
            let node_label = trace.text(trace.nodes().label(trace.ops().node(op)));
            let name = trace.op_name(op);
            let name = if is_stream(&device) { label::op_of_kernel(name, node_label) } else { name };
            let interval = trace.ops().interval(op);
            (device, name.to_owned(), trace.unix_ns(interval.start) / 1_000, interval.length().0 / 1_000)
        })
        .collect();
    op_rows.sort();
    op_rows
}

fn lasting(trace: &Trace, how: OpTime) -> Vec<OpRow> {
    with_op_time(trace, how).map_or_else(|| op_rows(trace), |other| op_rows(&other.trace))
}

/// `timeline.py`'s arithmetic on the messages themselves.
fn counted(metadata: &RunMetadata, how: OpTime) -> Vec<OpRow> {
    let devices = &metadata.step_stats.as_ref().unwrap().dev_stats;
    let kernel_of = |op: &NodeExecStats| {
        let text = match (op.timeline_label.find("@@"), op.timeline_label.find('#')) {
            (Some(start), Some(end)) if start + 2 < end => &op.timeline_label[start + 2..end],
            _ => &op.node_name,
        };
        text.split(':').next().unwrap().to_owned()
    };
    let mut spans: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for kernel in
        devices.iter().filter(|device| device.device.contains("/stream:all")).flat_map(|d| &d.node_stats)
    {
        let (start, end) = (kernel.all_start_micros, kernel.all_start_micros + kernel.all_end_rel_micros);
        let span = spans.entry(kernel_of(kernel)).or_insert((start, end));
        *span = (span.0.min(start), span.1.max(end));
    }
    let mut op_rows = Vec::new();
    for device in devices {
        for op in &device.node_stats {
            let (mut start, mut end) = (op.all_start_micros, op.all_start_micros + op.all_end_rel_micros);
            let name = if is_stream(&device.device) { kernel_of(op) } else { op.node_name.clone() };
            if let Some(span) =
                spans.get(&name).filter(|_| how != OpTime::Schedule && device.device.contains("/job"))
            {
                end = end.max(span.1);
                start = if how == OpTime::Gpu { span.0 } else { start };
            }
            op_rows.push((device.device.clone(), name, start, end - start));
        }
    }
    op_rows.sort();
    op_rows
}

#[test]
fn ops_last_as_timeline_py_says() {
    let figures: Value = serde_json::from_slice(&bytes_of("gpu/kernels.json")).unwrap();
    let trace = open(&kernels()).trace;
    for how in OpTime::ALL {
        let row = |row: &Value| {
            let text = |place: usize| row[place].as_str().unwrap().to_owned();
            (text(0), text(1), row[2].as_i64().unwrap(), row[3].as_i64().unwrap())
        };
        let mut expected: Vec<OpRow> = figures[how.word()].as_array().unwrap().iter().map(row).collect();
        expected.sort();
        assert_eq!(lasting(&trace, how), expected, "{}", how.word());
    }
}

#[test]
fn ops_last_as_counted_from_the_messages() {
    for step in gpu_steps() {
        let metadata = RunMetadata::decode(step.bytes.as_slice()).unwrap();
        let trace = open(&step.bytes).trace;
        for how in OpTime::ALL {
            assert_eq!(lasting(&trace, how), counted(&metadata, how), "{} {}", step.name, how.word());
        }
        assert_ne!(lasting(&trace, OpTime::Gpu), lasting(&trace, OpTime::Schedule));
    }
}

#[test]
fn without_kernels_nothing_changes() {
    for step in fixtures_and_samples().iter().filter(|step| !step.name.starts_with("gpu-")) {
        let trace = open(&step.bytes).trace;
        assert!(OpTime::ALL.into_iter().all(|how| with_op_time(&trace, how).is_none()), "{}", step.name);
        let study = Study::new(trace);
        assert!(study.trace().ops().ids().all(|op| study.kernels().op_of(op).is_none()));
    }
}

#[test]
fn kernels_and_their_ops_know_each_other() {
    for step in gpu_steps() {
        let study = Study::new(open(&step.bytes).trace);
        let trace = study.trace();
        let kind = |op: OpId| trace.devices().get(trace.device_of(op)).kind;
        let mut joined = 0;
        for kernel in trace.ops().ids() {
            let Some(op) = study.kernels().op_of(kernel) else { continue };
            let label = trace.text(trace.nodes().label(trace.ops().node(kernel)));
            assert_eq!(label::op_of_kernel(trace.op_name(kernel), label), trace.op_name(op));
            assert!(is_stream(trace.text(trace.devices().get(trace.device_of(kernel)).name)));
            // What repeats a numbered stream is of the op all the same, and is not among its kernels twice.
            let is_own = study.kernels().of_op(study.trace(), op).contains(&kernel);
            assert_eq!(is_own, kind(kernel) == DeviceKind::Stream);
            assert!(Flow::around(&study, op, 1).edges.iter().any(|edge| edge.to == kernel) == is_own);
            assert!(Flow::around(&study, kernel, 1).edges.iter().any(|edge| edge.from == op));
            joined += usize::from(is_own);
        }
        // All kernels of the samples are of ops that are there; copies of edges and unknown ones are not.
        let ops_of_streams = trace.ops().ids().filter(|&op| kind(op) == DeviceKind::Stream);
        let missing: Vec<_> = ops_of_streams
            .filter(|&op| study.kernels().op_of(op).is_none())
            .map(|op| trace.op_name(op).split(':').next().unwrap())
            .collect();
        assert!(
            missing.iter().all(|name| name.starts_with("edge_") || *name == "unknown" || *name == "net/gone"),
            "{missing:?}"
        );
        assert!(joined > 5, "{}: {joined}", step.name);
    }
}

/// What a stream repeats counts once: in the step's division, and among the op types.
#[test]
fn streams_count_once() {
    for step in gpu_steps() {
        let study = Study::new(open(&step.bytes).trace);
        let metadata = RunMetadata::decode(step.bytes.as_slice()).unwrap();
        let mut without = metadata.clone();
        let repeats = |device: &str| device.ends_with("/stream:all") || device.ends_with("/memcpy");
        without.step_stats.as_mut().unwrap().dev_stats.retain(|device| !repeats(&device.device));
        let plain = Study::new(open(&without.encode_to_vec()).trace);
        assert_eq!(plain.trace().span(), study.trace().span(), "{}", step.name);
        // Without `memcpy` and `stream:all` nothing says that an op is a copy whose name says it not.
        for category in
            Category::ALL.into_iter().filter(|own| !matches!(own, Category::Compute | Category::Copy))
        {
            assert_eq!(plain.together().union(category), study.together().union(category), "{}", step.name);
        }
        let span = study.trace().span();
        assert_eq!(plain.split(None, span).busy, study.split(None, span).busy, "{}", step.name);
        let rows = |study: &Study| {
            let query = RangeQuery::of(study.trace().span());
            let mut sums: BTreeMap<String, (u64, i64, i64)> = BTreeMap::new();
            for row in op_types(study, &Range::of(study, &query)) {
                let own = sums.entry(study.trace().text(row.op_type).to_owned()).or_default();
                *own = (own.0 + row.count, own.1 + row.total.0, own.2 + row.whole.0);
            }
            sums
        };
        assert_eq!(rows(&plain), rows(&study), "{}", step.name);
    }
}

/// The sums over everything hold each kernel once: in its op where that lasts as long, or else by itself.
#[test]
fn no_kernel_is_summed_in_its_op_and_by_itself() {
    for step in gpu_steps() {
        let whole = std::sync::Arc::new(open(&step.bytes).trace);
        for how in [OpTime::Gpu, OpTime::All] {
            let study = Study::of_view(&whole, View { op_time: how, ..View::default() });
            let (trace, ops) = (study.trace(), study.trace().ops());
            let device = |op: OpId| trace.text(trace.devices().get(trace.device_of(op)).name);
            let name = |op: OpId| {
                let label = trace.text(trace.nodes().label(ops.node(op)));
                if is_stream(device(op)) {
                    label::op_of_kernel(trace.op_name(op), label)
                } else {
                    trace.op_name(op)
                }
            };
            let launchers: std::collections::BTreeSet<&str> =
                ops.ids().filter(|&op| !is_stream(device(op))).map(name).collect();
            let is_again = |op: OpId| {
                is_stream(device(op)) && trace.category(op) != Category::Copy && launchers.contains(name(op))
            };
            let repeats = |op: OpId| trace.devices().repeats_streams(trace.device_of(op));
            let is_range = |op: OpId| trace.nodes().is_range(ops.node(op));
            let counted: Vec<OpId> =
                ops.ids().filter(|&op| !repeats(op) && !is_again(op) && !is_range(op)).collect();
            let rows = op_types(&study, &Range::of(&study, &RangeQuery::of(whole_of(trace))));
            let sum = |ops: &mut dyn Iterator<Item = i64>| ops.sum::<i64>();
            assert_eq!(rows.iter().map(|row| row.count).sum::<u64>(), counted.len() as u64, "{}", step.name);
            assert_eq!(
                sum(&mut rows.iter().map(|row| row.total.0)),
                sum(&mut counted.iter().map(|&op| ops.interval(op).length().0)),
                "{}",
                step.name
            );
            assert!(ops.ids().any(is_again), "{}: no kernel has its op", step.name);
            // A choice of the stream shows its kernels all the same.
            let stream = ops.ids().find(|&op| is_again(op) && !repeats(op)).map(|op| trace.device_of(op));
            let query = RangeQuery { device: stream, ..RangeQuery::of(whole_of(trace)) };
            assert!(stream.is_none() || !op_types(&study, &Range::of(&study, &query)).is_empty());
        }
    }
}

fn whole_of(trace: &Trace) -> steplens_core::Interval {
    let steplens_core::Interval { start, end } = trace.span();
    steplens_core::Interval { start, end: steplens_core::Timestamp(end.0 + 1) }
}

#[test]
fn a_view_lasts_as_it_is_asked_to() {
    let whole = std::sync::Arc::new(open(&kernels()).trace);
    for how in OpTime::ALL {
        let study = Study::of_view(&whole, View { op_time: how, ..View::default() });
        assert_eq!(op_rows(study.trace()), lasting(&whole, how));
        // Kernels stay where they are, and are joined as before.
        let joined = |study: &Study| {
            study.trace().ops().ids().filter(|&op| study.kernels().op_of(op).is_some()).count()
        };
        assert_eq!(joined(&study), joined(&Study::new(std::sync::Arc::clone(&whole))));
    }
}
