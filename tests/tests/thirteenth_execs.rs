//! What is said of TensorFlow's executors where senders, names of tensors, or ops were not recorded. Each case is made here, or cut from a recording.

use prost::Message;
use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::{Nanos, Study};
use steplens_report::verdict;
use steplens_tests::opened::{open, study};
use steplens_tests::proto::RunMetadata;
use steplens_tests::samples::sample;
use steplens_tests::tensorflow::{named, profiled};
use steplens_tests::writer::{PS, Scenario, WORKER, op, recv};

const OTHER: &str = "/job:worker/replica:0/task:1/device:CPU:0";

/// An op: device, name, type, inputs, start and length in µs.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str], i64, i64);

/// What `timeline.py` writes of these ops.
fn timeline(ops: &[Row<'_>]) -> Study {
    let devices = [PS, WORKER, OTHER];
    let names = (0..).zip(devices).filter(|(_, device)| ops.iter().any(|own| own.0 == *device));
    let mut all: Vec<Value> =
        names.map(|(pid, device)| named("process_name", pid, 0, &format!("{device} Compute"))).collect();
    for &(device, name, kind, inputs, ts, dur) in ops {
        let pid = devices.iter().position(|own| *own == device);
        let mut args = json!({ "name": name, "op": kind });
        for (place, input) in inputs.iter().enumerate() {
            args[format!("input{place}")] = json!(input);
        }
        all.push(json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args }));
    }
    let text = json!({ "traceEvents": all }).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}

/// How much of the path is of this kind, in µs.
fn us(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000
}

#[test]
fn the_path_goes_through_tensors_without_a_name_to_what_made_them() {
    let own = timeline(&[
        (PS, "w/read", "Identity", &[], 0, 100),
        (WORKER, "RecvTensor", "RecvTensor", &[], 150, 50),
        (WORKER, "MatMul", "MatMul", &["x", "w/read_S1"], 210, 1_000),
        (PS, "RecvTensor", "RecvTensor", &[], 1_220, 300),
        // It came before what this path waits for.
        (PS, "RecvTensor", "RecvTensor", &[], 120, 10),
        (PS, "concat", "ConcatV2", &["axis", "MatMul_S3", "w/read"], 1_530, 20),
        // What was fetched.
        (OTHER, "RecvTensor", "RecvTensor", &[], 1_555, 45),
    ]);
    let parts =
        [SegmentKind::Compute, SegmentKind::Transit, SegmentKind::SenderQueue, SegmentKind::Launching];
    assert_eq!(parts.map(|kind| us(&own, kind)), [1_120, 395, 65, 20]);
    assert_eq!(own.causes().observed.unexplained(), Nanos(0));
    let edges: Vec<bool> =
        own.causes().observed.segments.iter().filter_map(|own| own.edge).map(|own| own.1).collect();
    assert!(edges.iter().all(|is_inferred| *is_inferred), "no file says which tensor it was: {edges:?}");
}

#[test]
fn a_tensor_without_a_name_whose_maker_is_not_there_is_waited_for() {
    let own = timeline(&[
        (WORKER, "x", "Const", &[], 0, 10),
        (WORKER, "RecvTensor", "RecvTensor", &[], 800, 50),
        (WORKER, "MatMul", "MatMul", &["x", "w/read_S1"], 860, 140),
    ]);
    assert_eq!((us(&own, SegmentKind::Producer), us(&own, SegmentKind::Transit)), (800, 50));
    let said = verdict::of(&own, false).main;
    assert!(said.contains("waiting for tensors whose sender was not recorded is 80.0 %"), "{said}");
    // Nothing says that this one came from another task.
    let own = timeline(&[
        (WORKER, "x", "Const", &[], 0, 10),
        (WORKER, "RecvTensor", "RecvTensor", &[], 800, 50),
        (WORKER, "MatMul", "MatMul", &["x"], 860, 140),
    ]);
    assert_eq!(us(&own, SegmentKind::Transit), 0);
}

#[test]
fn a_server_that_was_not_traced_is_named() {
    let of = |is_traced: bool| {
        let read = [op("w/read = Identity(w)", 0, 700_000)];
        let worker = [
            recv("edge_1_w/read", PS, WORKER, 100, 800, 50),
            op("MatMul = MatMul(x, w/read_S1)", 860_000, 140_000),
            op("x = Const()", 0, 10_000),
        ];
        let study = Scenario::new().device(WORKER, worker);
        verdict::of(&if is_traced { study.device(PS, read) } else { study }.study(), false).main
    };
    let said = of(false);
    assert!(
        said.contains("waiting for tensors of ps 0 CPU:0, of which nothing was recorded, is 80.0 %"),
        "{said}"
    );
    assert!(!of(true).contains("of which nothing was recorded"), "{}", of(true));
}

/// The path of a cluster is the same whether its tensors have names, as in `RunMetadata`, or none, as `timeline.py` writes it.
#[test]
fn a_cluster_without_names_of_tensors_has_the_path_of_the_one_with_names() {
    let Some(bytes) = sample("releases/cluster-1.14.0.pb") else { return };
    let run = RunMetadata::decode(bytes.as_slice()).expect("a RunMetadata");
    let mut all = Vec::new();
    for (pid, device) in (0..).zip(run.step_stats.iter().flat_map(|own| &own.dev_stats)) {
        if device.device.contains("/host:CPU") {
            continue;
        }
        all.push(named("process_name", pid, 0, &format!("{} Compute", device.device)));
        for own in &device.node_stats {
            let label = own.timeline_label.split_once(" = ").filter(|_| own.node_name != "RecvTensor");
            let (name, (kind, inputs)) = match label {
                Some((name, rest)) => (name, rest.split_once('(').unwrap_or((rest, ")"))),
                None => (own.node_name.as_str(), (own.node_name.as_str(), ")")),
            };
            let mut args = json!({ "name": name, "op": kind });
            let inputs = inputs.trim_end_matches(')').split(", ").filter(|own| !own.is_empty());
            inputs.enumerate().for_each(|(place, input)| args[format!("input{place}")] = json!(input));
            let (ts, dur) = (own.all_start_micros, own.all_end_rel_micros.max(1));
            all.push(json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args }));
        }
    }
    let text = json!({ "traceEvents": all }).to_string();
    let without = study(open(&[("timeline.json", text.as_bytes())]));
    let with = study(open(&[("cluster.pb", &bytes)]));
    let network = |own: &Study| us(own, SegmentKind::SenderQueue) + us(own, SegmentKind::Transit);
    let length = with.trace().span().length().0 / 1_000;
    for sum in [network, |own: &Study| us(own, SegmentKind::Compute)] {
        let (with, without) = (sum(&with), sum(&without));
        assert!((with - without).abs() * 50 <= length, "{with} {without} of {length}");
    }
}

/// What an executor did between calls that launch, whose ops the profiler leaves out.
#[test]
fn the_time_of_executors_between_calls_is_said_and_none_before_ops() {
    let of = |has_op: bool| {
        let mut events = vec![(1, "ExecutorState::Process", 0, 1_000, 0, "")];
        for place in 0..9 {
            let at = 50 + 100 * place;
            events.extend(has_op.then_some((1, "MatMul:MatMul", at - 40, 60, 0, "")));
            events.push((1, "cuLaunchKernel", at, 10, place + 1, ""));
            events.push((13, "gemm", at + 12, 2, place + 1, "MatMul:MatMul"));
        }
        verdict::of(&profiled(&events), true).sentence
    };
    let says = "executors of TensorFlow are at work between two calls";
    assert!(of(false).contains(says), "{}", of(false));
    assert!(!of(true).contains(says), "{}", of(true));
    let Some(bytes) = sample("real/xspace/tf2-gpu-20210617.xplane.pb") else { return };
    let own = study(open(&[("gpu.xplane.pb", &bytes)]));
    let said = verdict::of(&own, true).sentence;
    let Some((_, said)) = said.split_once(says) else {
        panic!("{said}");
    };
    // Each pause ends with a call that a run of an executor contains.
    let trace = own.trace();
    let ops = trace.ops();
    let runs: Vec<_> = ops.ids().filter(|&op| trace.op_name(op) == "ExecutorState::Process").collect();
    let is_pause =
        |kind: SegmentKind| matches!(kind, SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps);
    let pauses =
        own.causes().observed.segments.iter().filter(|own| is_pause(own.kind) && trace.is_call(own.op));
    let mut times: Vec<i64> = pauses
        .map(|pause| {
            let around = runs.iter().filter(|&&run| {
                trace.device_of(run) == trace.device_of(pause.op) && ops.thread(run) == ops.thread(pause.op)
            });
            around.map(|&run| ops.interval(run).clamp_to(pause.interval).length().0.max(0)).sum()
        })
        .filter(|&time: &i64| time > 0)
        .collect();
    times.sort_unstable();
    let median = steplens_report::figures::duration(times[times.len() / 2]);
    assert!(
        said.contains(&format!("({} pauses, half of them shorter than {median})", times.len())),
        "{said}"
    );
}
