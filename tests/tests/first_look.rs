//! What the first picture calls what it shows: a step where something says so, else a recording; which step it opens; and sums over ops.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use serde_json::Value;
use std::sync::Arc;
use steplens_core::model::file::FileReport;
use steplens_core::questions::range::RangeQuery;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Study, Trace, View};
use steplens_formats::Opener;
use steplens_report as report;
use steplens_tests::fixtures::fixture;
use steplens_tests::proto::RunMetadata;
use steplens_tests::samples::sample;
use steplens_tests::writer::{Scenario, op};

fn open(name: &str, bytes: &[u8]) -> (Arc<Trace>, Vec<FileReport>) {
    let opened = Opener::open_bytes(name, bytes, CategoryRules::default()).unwrap();
    (Arc::new(opened.trace), opened.files)
}

fn is_recording(name: &str, bytes: &[u8], step: Option<usize>) -> bool {
    let (trace, files) = open(name, bytes);
    let study = Study::of_view(&trace, View { step, ..View::default() });
    let summary: Value = serde_json::from_str(&report::summary::of(&study, &files).to_text()).unwrap();
    summary["view"].get("is_recording").is_some_and(|said| said == true)
}

#[test]
fn a_step_is_called_so_where_something_says_so() {
    for (name, wanted) in [
        ("own/mnist-adam.pb", false),
        ("own/mnist-adam.pbtxt", false),
        ("own/mnist-adam.p2.pickle", false),
        ("own/timeline-hook.json", false),
        ("own/paddle-trainer0.profile", true),
        ("real/horovod/resnet-horovod-timeline.json", true),
        ("real/pytorch/alexnet.json.gz", true),
        ("real/pytorch/h100-bert-small.json.gz", false),
        ("real/pytorch/mi210-gpu-only.json.gz", true),
        ("real/pytorch/vllm-decode-graph.json.gz", true),
        ("real/rocprof/hip-trace.json", true),
        ("real/run-metadata/step99.pbtxt", false),
        ("real/timeline-py/five-pids-of-one-name.json", false),
        ("real/timeline-py/gpu-pytq.json", false),
        ("real/timeline-py/pendulum.ctf.json", false),
        ("real/xspace/jax-mi300-gemm.xplane.pb", true),
        ("real/xspace/tpu-inference.xplane.pb", true),
    ] {
        let Some(bytes) = sample(name) else { continue };
        assert_eq!(is_recording(name, &bytes, None), wanted, "{name}");
    }
    // Of several steps that are marked, all on one axis are no recording, and one is a step.
    if let Some(bytes) = sample("real/pytorch/v100-resnet50.json.gz") {
        assert_eq!([None, Some(2)].map(|step| is_recording("a.json.gz", &bytes, step)), [false, false]);
    }
}

fn first(trace: &Trace, files: &[FileReport]) -> Value {
    let steps = Steps::divided(trace, StepRule::Content);
    let text = report::steps::json(trace, &steps, StepRule::Content, files);
    serde_json::from_str::<Value>(&text).unwrap()["first"].clone()
}

/// A step that repeats four times; before it one that initialises, and one that spans a gap.
#[test]
fn a_trace_with_a_gap_opens_at_a_usual_step() {
    let step = |at: i64, ops: i64, gap: i64| {
        let each = |row: i64| {
            op(
                &format!("op{row} = Mul(a, b)"),
                at + row * 10_000 + if row > ops / 2 { gap } else { 0 },
                9_000,
            )
        };
        Scenario::new()
            .device("/job:localhost/replica:0/task:0/device:CPU:0", (0..ops).map(each).collect::<Vec<_>>())
            .bytes()
    };
    const MS: i64 = 1_000_000;
    let mut file = Vec::new();
    for (at, ops, gap) in
        [(0, 3, 0), (10, 40, 300), (1_000, 40, 0), (1_010, 40, 0), (1_020, 41, 0), (1_030, 40, 0)]
    {
        file.extend(step(at * MS, ops, gap * MS));
    }
    let (trace, files) = open("gap.pb", &file);
    let steps = Steps::divided(&trace, StepRule::Content);
    assert_eq!(steps.rows().len(), 6);
    assert!(steps.apart(&trace).is_some());
    assert_eq!(first(&trace, &files), 2);
}

/// The union by another way: a moment counts where more have started than ended.
fn any_by_events(intervals: &[(i64, i64)]) -> i64 {
    let mut events: Vec<(i64, i64)> =
        intervals.iter().flat_map(|&(start, end)| [(start, 1), (end, -1)]).collect();
    events.sort_unstable();
    let (mut running, mut since, mut sum) = (0, 0, 0);
    for (at, change) in events {
        sum += if running > 0 { at - since } else { 0 };
        running += change;
        since = at;
    }
    sum
}

#[test]
fn next_to_a_sum_longer_than_the_step_stands_for_how_long_any_ran() {
    let bytes = &fixture("ps4w").bytes;
    let metadata = RunMetadata::decode(&bytes[..]).unwrap();
    let transfers = metadata.ops().filter(|(_, op)| op.node_name == "RecvTensor");
    let ns = |micros: i64, nanos: i64| if nanos > 0 { nanos } else { micros * 1_000 };
    let ran: Vec<(i64, i64)> = transfers
        .map(|(_, op)| {
            let start = ns(op.all_start_micros, op.all_start_nanos);
            (start, start + ns(op.all_end_rel_micros, op.all_end_rel_nanos))
        })
        .collect();
    let (trace, _) = open("a.pb", bytes);
    let study = Study::new(Arc::clone(&trace));
    let rows: Value =
        serde_json::from_str(&report::ops::types(&study, &RangeQuery::of(trace.span()))).unwrap();
    let rows = rows.as_array().unwrap();
    let received = rows.iter().find(|row| row["op_type"] == "RecvTensor").unwrap();
    let sum: i64 = ran.iter().map(|(start, end)| end - start).sum();
    assert_eq!(received["total_ns"], sum);
    assert!(sum > trace.span().length().0, "the sum needs its union");
    assert_eq!(received["any_ns"], any_by_events(&ran));
    for row in rows {
        let is_long = row["total_ns"].as_i64() > Some(trace.span().length().0);
        assert_eq!(row["any_ns"].is_i64(), is_long, "{row}");
    }
}
