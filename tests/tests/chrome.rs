//! Chrome traces: those of `timeline.py` against the RunMetadata that they were made from, and those of other writers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::MultiGzDecoder;
use prost::Message;
use serde_json::{Deserializer, Value};
use std::collections::BTreeMap;
use std::io::Read;
use steplens_core::model::output::dtype_name;
use steplens_core::{CategoryRules, Study, Trace};
use steplens_formats::{Limits, Opened, Opener, session};
use steplens_report as report;
use steplens_tests::everything::everything;
use steplens_tests::fixtures::{
    Fixture, chrome_trace, chrome_traces, fixtures_and_samples, gpu_chrome_traces,
};
use steplens_tests::proto::{NodeExecStats, RunMetadata};
use steplens_tests::writer::open;

fn all_traces() -> Vec<Fixture> {
    [chrome_traces(), gpu_chrome_traces()].concat()
}

fn unpacked(trace: &Fixture) -> Vec<u8> {
    let mut unpacked = Vec::new();
    match trace.file.ends_with(".gz") {
        true => _ = MultiGzDecoder::new(trace.bytes.as_slice()).read_to_end(&mut unpacked).unwrap(),
        false => unpacked.clone_from(&trace.bytes),
    }
    unpacked
}

/// The documents of a file, as another reader of JSON sees them.
fn documents(trace: &Fixture) -> Vec<Value> {
    let bytes = unpacked(trace);
    Deserializer::from_slice(&bytes).into_iter().map(Result::unwrap).collect()
}

fn codes(opened: &Opened) -> Vec<(&str, u64)> {
    opened.files[0].problems.iter().map(|problem| (&*problem.code, problem.count)).collect()
}

/// Each op as (device, name, start in ns, length in ns).
fn ops(trace: &Trace) -> Vec<(String, String, i64, i64)> {
    let row = |op| {
        let device = trace.text(trace.devices().get(trace.device_of(op)).name).to_owned();
        let interval = trace.ops().interval(op);
        (device, trace.op_name(op).to_owned(), interval.start.0 + trace.origin_unix_ns(), interval.length().0)
    };
    trace.ops().ids().map(row).collect()
}

#[test]
fn every_event_is_an_op_or_follows_from_them() {
    for file in all_traces() {
        let mut wanted = Vec::new();
        let (mut recv, mut described) = (0, 0);
        for document in documents(&file) {
            let events = document["traceEvents"].as_array().unwrap().clone();
            let is_name = |event: &&Value| event["ph"] == "M" && event["name"] == "process_name";
            let names: BTreeMap<u64, &str> = events
                .iter()
                .filter(is_name)
                .map(|event| (event["pid"].as_u64().unwrap(), event["args"]["name"].as_str().unwrap()))
                .collect();
            for event in &events {
                described += u64::from(event["ph"] == "O");
                if event["ph"] != "X" {
                    continue;
                }
                let device = names[&event["pid"].as_u64().unwrap()].strip_suffix(" Compute").unwrap();
                let (name, op) =
                    (event["args"]["name"].as_str().unwrap(), event["args"]["op"].as_str().unwrap());
                let is_stream = device.contains("/stream:") || device.contains("/memcpy");
                recv += u64::from(name == "RecvTensor" && !is_stream);
                let name = if is_stream { format!("{name}:{op}") } else { name.to_owned() };
                let ns = |key: &str| event[key].as_i64().unwrap() * 1_000;
                wanted.push((device.to_owned(), name, ns("ts"), ns("dur")));
            }
        }
        let opened = open(&file.bytes);
        let mut got = ops(&opened.trace);
        got.sort();
        wanted.sort();
        assert_eq!(got, wanted, "{}", file.name);
        let outputs: usize = opened.trace.ops().ids().map(|op| opened.trace.outputs().of(op).count()).sum();
        assert_eq!(outputs as u64, described, "{}", file.name);
        let mut lost = vec![("lost-in-chrome-json", 1)];
        lost.extend((recv > 0).then_some(("lost-transfers", 1)));
        lost.extend((described == 0).then_some(("lost-tensors", 1)));
        assert_eq!(codes(&opened), lost, "{}", file.name);
    }
}

/// What `timeline.py` writes of a step, and nothing else of it.
fn what_json_holds(metadata: &RunMetadata, with_tensors: bool) -> RunMetadata {
    let mut step = metadata.step_stats.clone();
    for device in step.iter_mut().flat_map(|step| &mut step.dev_stats) {
        device.thread_names.clear();
        for op in &mut device.node_stats {
            let label = match (op.timeline_label.split_once(" = "), op.node_name.as_str()) {
                (Some((_, call)), name) if name != "RecvTensor" => format!("{name} = {call}"),
                _ => String::new(),
            };
            let mut output = std::mem::take(&mut op.output);
            output.iter_mut().zip(0..).for_each(|(output, slot)| output.slot = slot);
            *op = NodeExecStats {
                node_name: std::mem::take(&mut op.node_name),
                timeline_label: label,
                all_start_micros: op.all_start_micros,
                all_end_rel_micros: op.all_end_rel_micros,
                op_end_rel_micros: op.all_end_rel_micros,
                output: if with_tensors { output } else { Vec::new() },
                ..NodeExecStats::default()
            };
        }
    }
    RunMetadata { step_stats: step, ..RunMetadata::default() }
}

/// Devices, ops, op types, inputs, times, tensors, and so every figure: all analyses say the same of both files.
#[test]
fn timeline_py_files_equal_the_run_metadata_they_came_from() {
    let mut compared = 0;
    for source in fixtures_and_samples() {
        let metadata = RunMetadata::decode(source.bytes.as_slice()).unwrap();
        for (suffix, with_tensors) in [(".ctf", false), (".memory.ctf", true)] {
            let name = format!("{}{suffix}", source.name);
            let Some(json) = all_traces().into_iter().find(|trace| trace.name == name) else { continue };
            let held = what_json_holds(&metadata, with_tensors).encode_to_vec();
            let said = |bytes: &[u8]| everything(&Study::new(open(bytes).trace));
            let (got, wanted) = (said(&json.bytes), said(&held));
            let differs = got.lines().zip(wanted.lines()).find(|(got, wanted)| got != wanted);
            assert!(got == wanted, "{name}: {differs:?}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn tensors_come_back_with_show_memory() {
    let opened = open(&chrome_trace("mnist-adam.memory.ctf").bytes);
    let trace = &opened.trace;
    let op = trace.ops().ids().find(|&op| trace.op_name(op) == "Adam/learning_rate").unwrap();
    let output = trace.outputs().of(op).next().unwrap();
    assert_eq!(
        (dtype_name(output.dtype).as_str(), output.shape, output.requested.0),
        ("float32", Some(&[][..]), 4)
    );
    assert_eq!(trace.text(output.allocator), "mklcpu");
}

#[test]
fn slices_of_any_size_are_as_good_as_the_whole() {
    let said = |bytes: &[u8], slice: usize| {
        let mut opener = Opener::new(CategoryRules::default(), Limits::default());
        opener.begin_file("file");
        bytes.chunks(slice).for_each(|slice| opener.push(slice));
        let opened = opener.finish().unwrap();
        let problems = format!("{:?}", opened.files[0].problems);
        problems + &everything(&Study::new(opened.trace))
    };
    for name in ["collective.memory.ctf", "multidev.ctf", "timeline-concat.ctf"] {
        let file = chrome_trace(name);
        let (whole, text) = (said(&file.bytes, usize::MAX), unpacked(&file));
        for slice in [1, 2, 3, 7, 64, 4_095] {
            assert!(said(&file.bytes, slice) == whole, "{name} in slices of {slice}");
            assert!(said(&text, slice) == whole, "{name}, unpacked, in slices of {slice}");
        }
    }
}

#[test]
fn every_form_of_a_document_is_the_same_trace() {
    let event = |name: &str, ts: i64| {
        format!(
            r#"{{"args": {{"op": "Mul", "name": "{name}"}}, "cat": "Op", "ph": "X", "pid": 1, "tid": 0, "ts": {ts}, "dur": 5}}"#
        )
    };
    let name = r#"{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "/device:CPU:0 Compute"}}"#;
    let events = [name.to_owned(), event("a", 10), event("b", 12)].join(", \n");
    let said = |file: &str| {
        let opened = open(file.as_bytes());
        assert!(
            codes(&opened).iter().all(|(code, _)| code.starts_with("lost-")),
            "{file}: {:?}",
            codes(&opened)
        );
        everything(&Study::new(opened.trace))
    };
    let wanted = said(&format!(r#"{{"traceEvents": [{events}]}}"#));
    for file in [
        format!("[{events}]"),
        format!("[{events}"),
        format!("[{events},\n"),
        format!("\u{feff}                        [{events}]\n\n"),
        format!(
            r#"{{"displayTimeUnit": "ms", "otherData": {{"x": [1, {{"y": "]}}"}}]}}, "traceEvents": [{events}], "z": null}}"#
        ),
        format!("{}\n{}\n{}", name, event("a", 10), event("b", 12)),
        format!(
            r#"{{"traceEvents":[{name},{}]}}{{"traceEvents":[{name},{}]}}"#,
            event("a", 10),
            event("b", 12)
        ),
    ] {
        assert_eq!(said(&file), wanted, "{file}");
    }
}

/// Processes of one name are separated, threads keep their names, times their nanoseconds.
#[test]
fn pytorch() {
    let file = r#"{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA"}], "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 42, "tid": 42, "ts": 1700000000000001.25, "dur": 3.501,
         "args": {"External id": 1, "Input Dims": [[2, 3], []], "Call stack": "a \"b\"\n"}},
        {"ph": "X", "cat": "kernel", "name": "void at::native::(anonymous namespace)::sum<4>(int*)", "pid": 0, "tid": 7,
         "ts": "1700000000000002.007", "dur": 1},
        {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 1.700000000000004e15, "dur": 1},
        {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 1700000000000000, "dur": 9},
        {"ph": "i", "name": "Iteration Start", "pid": "Traces", "tid": "x", "ts": 1700000000000000, "s": "g"},
        {"ph": "M", "name": "process_name", "pid": 42, "args": {"name": "python"}},
        {"ph": "M", "name": "process_labels", "pid": 42, "args": {"labels": "CPU"}},
        {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}},
        {"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 0"}},
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}}
    ], "traceName": "x.json"}"#;
    let opened = open(file.as_bytes());
    assert_eq!(codes(&opened), []);
    let study = Study::new(opened.trace);
    let trace = study.trace();
    let rows: Vec<_> = trace
        .ops()
        .ids()
        .zip(ops(trace))
        .map(|(op, (device, _, start, length))| {
            let thread =
                trace.thread_name(trace.device_of(op), trace.ops().thread(op)).unwrap_or_default().to_owned();
            let op_type = trace.text(trace.nodes().op_type(trace.ops().node(op))).to_owned();
            (device, op_type, start - 1_700_000_000_000_000_000, length, thread, trace.category(op).word())
        })
        .collect();
    let row = |device: &str, op_type: &str, start, length, thread: &str, category| {
        (device.to_owned(), op_type.to_owned(), start, length, thread.to_owned(), category)
    };
    assert_eq!(
        rows,
        [
            row("python GPU 0", "void at::native::sum<4>", 2_007, 1_000, "stream 7 ", "compute"),
            row("python GPU 0", "Memcpy HtoD", 4_000, 1_000, "stream 7 ", "copy"),
            row("python CPU", "aten::mm", 1_250, 3_501, "", "compute"),
            row("Spans", "PyTorch Profiler", 0, 9_000, "PyTorch Profiler", "range"),
        ]
    );
    everything(&study);
}

#[test]
fn beginnings_and_ends_are_joined_by_thread() {
    let event = |ph: &str, name: &str, pid: &str, tid: &str, ts: i64| {
        format!(r#"{{"ph":"{ph}","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts}}}"#)
    };
    let file = [
        event("B", "outer", "1", "5", 0),
        event("B", "other", "1", "140234234234234", 1),
        event("B", "inner.7", "1", "5", 2),
        event("B", "twin", "2", "5", 2),
        event("E", "", "1", "5", 3),
        event("E", "", "1", "140234234234234", 4),
        event("E", "", "1", "5", 9),
        event("E", "", "1", "5", 10),
        event("M", "process_name", "1", "0", 0).replace('}', r#","args":{"name":"p"}}"#),
        event("M", "process_name", "2", "0", 0).replace('}', r#","args":{"name":"p"}}"#),
        event("X", "whole", "2", "5", 20),
    ];
    let opened = open(format!("[{}]", file.join(",")).as_bytes());
    // One end too many, one beginning too many.
    assert_eq!(codes(&opened), [("unfinished-event", 2)]);
    let row = |device: &str, name: &str, start, length| (device.to_owned(), name.to_owned(), start, length);
    assert_eq!(
        ops(&opened.trace),
        [
            row("p (pid 1)", "outer", 0, 9_000),
            row("p (pid 1)", "other", 1_000, 3_000),
            row("p (pid 1)", "inner.7", 2_000, 1_000),
            row("p (pid 2)", "whole", 20_000, 0),
        ]
    );
}

#[test]
fn names_are_kept_whatever_they_hold() {
    let file =
        b"[{\"ph\":\"X\",\"name\":\"\\u0041 = \\\"b\\\"(\xff\\ud83d\\ude00\",\"pid\":1,\"ts\":1,\"dur\":1}]";
    let opened = open(file);
    let op = opened.trace.ops().ids().next().unwrap();
    assert_eq!(opened.trace.op_name(op), "A = \"b\"(\u{fffd}😀");
    assert_eq!(opened.trace.text(opened.trace.nodes().op_type(opened.trace.ops().node(op))), "A = \"b\"");
}

#[test]
fn a_trace_goes_through_a_session_unchanged() {
    let opened = open(&chrome_trace("timeline-hook").bytes);
    let study = Study::new(opened.trace);
    let packed = session::write(study.trace(), &opened.files);
    let again = open(&packed);
    assert_eq!(again.files[0].format, "chrome-trace");
    let again = Study::new(again.trace);
    assert!(everything(&again) == everything(&study));
    assert_eq!(report::transfers::json(&again), report::transfers::json(&study));
}
