//! RunMetadata and pickles of it: what is written opens as the same trace, has the fields of the file that was read, and is the same to `timeline.py`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use prost::Message;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::Arc;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Study, Trace, View};
use steplens_export::pickle::{Run, write_session, write_tfvis};
use steplens_export::run_metadata::{Lost, RunMetadata};
use steplens_export::timeline;
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::everything::{everything, everything_of_parts};
use steplens_tests::fixtures::{bytes_of, chrome_traces, fixture, fixtures, fixtures_and_samples};
use steplens_tests::proto;
use steplens_tests::samples::{sample, sample_folder};

fn open(name: &str, bytes: &[u8]) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default()).keep_file_order();
    opener.begin_file(name);
    opener.push(bytes);
    opener.end_file();
    opener.finish().unwrap()
}

fn trace(bytes: &[u8]) -> Trace {
    open("a", bytes).trace
}

fn written(trace: &Trace) -> Vec<u8> {
    let (own, mut out) = (RunMetadata::of(trace), Vec::new());
    own.write(&mut out).unwrap();
    assert_eq!(own.bytes(), out.len() as u64, "what was counted is what was written");
    out
}

/// All that is ever said of a trace, and what nobody says.
fn said(trace: Trace) -> String {
    let parts = everything_of_parts(&trace);
    let threads: Vec<_> =
        trace.threads().iter().map(|&(device, thread, name)| (device, thread, trace.text(name))).collect();
    let of_op = |op| {
        let (ops, memory) = (trace.ops(), trace.memory());
        let records: Vec<Vec<_>> = memory.of(op).map(|(_, records)| records.collect()).collect();
        let outputs: Vec<_> =
            trace.outputs().of(op).map(|output| (output.slot, output.is_replaced)).collect();
        let reports: Vec<_> =
            memory.reports_of(op).map(|(own, used)| (own.total, own.peak, own.live, used)).collect();
        let times = (ops.interval(op), ops.scheduled(op), ops.kernel(op), ops.thread(op));
        format!("{} {times:?} {outputs:?} {reports:?} {records:?}", ops.node(op).get())
    };
    let ops: Vec<_> = trace.ops().ids().map(of_op).collect();
    let collectives: Vec<_> = trace.graph().ids().map(|node| trace.graph().collective(node)).collect();
    let said = format!("{threads:?} {collectives:?}\n{}\n{parts}\n", ops.join("\n"));
    said + &everything(&Study::new(trace))
}

/// Where two texts differ first.
fn assert_same(one: &str, other: &str, of: &str) {
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert_eq!(differs, None, "{of}");
    assert_eq!(one.lines().count(), other.lines().count(), "{of}");
}

#[test]
fn every_fixture_opens_as_the_same_trace() {
    let mut files = 0;
    for fixture in fixtures_and_samples() {
        let first = trace(&fixture.bytes);
        assert_eq!(RunMetadata::of(&first).lost(), Lost::default(), "{}", fixture.name);
        let file = written(&first);
        let second = trace(&file);
        assert!(written(&second) == file, "{}: the second file is the first", fixture.name);
        assert_same(&said(second), &said(first), &fixture.name);
        files += 1;
    }
    assert!(files >= 6, "{files} files");
}

/// What the trace does not keep is what `docs/export.md` lists; everything else is compared field by field.
fn kept(file: &[u8]) -> proto::RunMetadata {
    let mut own = proto::RunMetadata::decode(file).unwrap();
    for op in own.ops_mut() {
        let nanos = |micros: i64, nanos: i64| proto::ns(micros, nanos).unwrap();
        op.all_start_nanos = nanos(op.all_start_micros, op.all_start_nanos);
        op.op_start_rel_nanos = nanos(op.op_start_rel_micros, op.op_start_rel_nanos);
        op.op_end_rel_nanos = nanos(op.op_end_rel_micros, op.op_end_rel_nanos);
        op.all_end_rel_nanos = nanos(op.all_end_rel_micros, op.all_end_rel_nanos);
        op.scheduled_nanos = nanos(op.scheduled_micros, op.scheduled_nanos);
        (op.memory_stats, op.referenced_tensor) = Default::default();
        // One report of 16 keeps it.
        op.memory.iter_mut().for_each(|report| report.allocator_bytes_in_use = 0);
        let tensors = op.output.iter_mut().filter_map(|output| output.tensor_description.as_mut());
        let dims = tensors.filter_map(|tensor| tensor.shape.as_mut()).flat_map(|shape| &mut shape.dim);
        dims.for_each(|dim| dim.name.clear());
    }
    own
}

/// The nodes of all graphs, without the attributes that nobody keeps.
fn graph_nodes(own: &proto::RunMetadata) -> Vec<proto::NodeDef> {
    let of_functions = own.function_graphs.iter().flat_map(|graphs| &graphs.partition_graphs);
    let nodes = own.partition_graphs.iter().chain(of_functions).flat_map(|graph| &graph.node);
    let kept = |node: &proto::NodeDef| {
        let mut node = node.clone();
        let (is_end, is_collective) = (
            ["_Send", "_Recv", "_HostSend", "_HostRecv"].contains(&&*node.op),
            node.op.starts_with("Collective") || node.op.starts_with("Nccl"),
        );
        let of_end: &[&str] = match &*node.op {
            "_Send" | "_HostSend" => &["tensor_name", "send_device", "recv_device", "T"],
            _ => &["tensor_name", "send_device", "recv_device", "tensor_type"],
        };
        node.attr.retain(|key, value| {
            is_end && of_end.contains(&&**key)
                || is_collective
                    && ["group_key", "instance_key", "shared_name"].contains(&&**key)
                    && !matches!(&value.value, Some(proto::attr_value::Value::S(text)) if text.is_empty())
        });
        node
    };
    nodes.map(kept).collect()
}

#[test]
fn every_kept_field_is_as_it_was_read() {
    let (mut ops, mut nodes) = (0, 0);
    for fixture in fixtures() {
        let (read, own) = (kept(&fixture.bytes), kept(&written(&trace(&fixture.bytes))));
        let blocks = |own: &proto::RunMetadata| own.step_stats.clone().unwrap_or_default().dev_stats;
        let (read_blocks, own_blocks) = (blocks(&read), blocks(&own));
        assert_eq!(read_blocks.len(), own_blocks.len(), "{}", fixture.name);
        for (read, own) in read_blocks.iter().zip(&own_blocks) {
            assert_eq!(read.device, own.device);
            assert_eq!(read.node_stats.len(), own.node_stats.len(), "{}", read.device);
            for (read, own) in read.node_stats.iter().zip(&own.node_stats) {
                // The difference of cut times, where a writer of whole microseconds has that of the others.
                let near = (read.all_end_rel_micros - own.all_end_rel_micros).abs() <= 1;
                assert!(near, "{} {read:?}", fixture.name);
                let own = proto::NodeExecStats {
                    all_end_rel_micros: read.all_end_rel_micros,
                    op_start_rel_micros: read.op_start_rel_micros,
                    op_end_rel_micros: read.op_end_rel_micros,
                    ..own.clone()
                };
                assert_eq!(*read, own, "{}", fixture.name);
                ops += 1;
            }
        }
        let (read, own) = (graph_nodes(&read), graph_nodes(&own));
        assert_eq!(read.len(), own.len(), "{}", fixture.name);
        for (read, own) in read.iter().zip(&own) {
            assert_eq!(read, own, "{}", fixture.name);
            nodes += 1;
        }
    }
    assert!(ops > 10_000 && nodes > 5_000, "{ops} ops, {nodes} nodes");
}

/// Every event as text, in the order of texts.
fn events(json: &[u8]) -> Vec<String> {
    let document: Value = serde_json::from_slice(json).unwrap();
    let mut events: Vec<_> =
        document["traceEvents"].as_array().unwrap().iter().map(ToString::to_string).collect();
    events.sort_unstable();
    events
}

/// What TensorFlow's `timeline.py` wrote of the recordings, tensors and their counters included, is what our own writer makes of the exports.
#[test]
fn timeline_py_says_the_same_of_it() {
    let Some(folder) = sample_folder("reference") else { return };
    let mut files = 0;
    for name in
        ["collective", "lstm-while", "mnist-adam", "multidev", "multidev-nograph", "ps4w", "ps4w-later"]
    {
        let mut reference = Vec::new();
        let path = folder.join(format!("{name}.memory.ctf.json.gz"));
        GzDecoder::new(fs::File::open(&path).unwrap()).read_to_end(&mut reference).unwrap();
        let exported = trace(&written(&trace(&sample(&format!("own/{name}.pb")).unwrap())));
        let options = timeline::Options { show_dataflow: true, show_memory: true };
        let mut own = Vec::new();
        timeline::write(&exported, options, &mut own).unwrap();
        let (own, reference) = (events(&own), events(&reference));
        let differs = own.iter().zip(&reference).find(|(own, reference)| own != reference);
        assert_eq!(differs, None, "{name}");
        assert_eq!(own.len(), reference.len(), "{name}");
        files += 1;
    }
    assert_eq!(files, 7);
}

/// Steps stay steps, and one of them alone has the graphs that the first recorded.
#[test]
fn steps_and_views_are_written() {
    let first = fixture("ps4w").bytes;
    let later = fixture("ps4w-later").bytes;
    let both = trace(&[&first[..], &later].concat());
    let file = written(&both);
    assert_same(&said(trace(&file)), &said(trace(&[&first[..], &later].concat())), "two steps");
    let whole = Arc::new(both);
    for step in [0, 1] {
        let view = View { step: Some(step), ..View::default() };
        let study = Study::of_view(&whole, view);
        let own = trace(&written(study.trace()));
        assert_eq!((own.parts().len(), own.graph().len()), (1, study.trace().graph().len()));
        // Alone it is the first of one.
        let said = |study: &Study| {
            let number = format!(r#""step":{}"#, step + 1);
            let summary =
                everything(study).replace(&format!(r#"{number},"steps":2"#), r#""step":null,"steps":1"#);
            summary.replace(&number, r#""step":1"#)
        };
        assert_same(&said(&Study::new(own)), &said(&study), "a step");
    }
}

/// Name, start, length and thread of each op, sorted.
fn ops(trace: &Trace) -> Vec<(String, i64, i64, u32)> {
    let op = |op| {
        let own = trace.ops().interval(op);
        (trace.op_name(op).to_owned(), trace.unix_ns(own.start), own.length().0, trace.ops().thread(op))
    };
    let mut ops: Vec<_> = trace.ops().ids().map(op).collect();
    ops.sort_unstable();
    ops
}

#[test]
fn other_formats_keep_their_ops_and_say_what_is_lost() {
    let files = ["containers/gpu.xplane.pb", "containers/tpu.xplane.pb", "containers/tf2.xplane.pb"];
    let others = files.map(|file| (file.to_owned(), bytes_of(file)));
    let chrome = chrome_traces().into_iter().map(|fixture| (fixture.name, fixture.bytes));
    let mut lost = Lost::default();
    for (name, bytes) in others.into_iter().chain(chrome) {
        let first = trace(&bytes);
        let own = RunMetadata::of(&first).lost();
        lost.categories += own.categories;
        lost.calls += own.calls;
        lost.devices += own.devices;
        let file = written(&first);
        proto::RunMetadata::decode(&*file).unwrap();
        let second = trace(&file);
        assert_eq!(ops(&second), ops(&first), "{name}");
        let categories = |trace: &Trace| {
            let mut counts = BTreeMap::<&str, usize>::new();
            trace.ops().ids().for_each(|op| *counts.entry(trace.category(op).word()).or_default() += 1);
            counts
        };
        if own.categories == 0 {
            assert_eq!(categories(&second), categories(&first), "{name}");
        }
    }
    assert!(lost.categories > 10 && lost.calls > 3 && lost.devices > 3, "{lost:?}");
    let of_container = trace(&bytes_of("containers/tracing-session.pickle.gz"));
    assert_eq!(RunMetadata::of(&of_container).lost(), Lost { runs: 6, ..Lost::default() });
}

#[test]
fn a_pickle_for_tfvis_is_the_same_trace() {
    for name in ["mnist-adam", "ps4w", "collective"] {
        let first = trace(&fixture(name).bytes);
        let mut pickle = Vec::new();
        write_tfvis(&RunMetadata::of(&first), &mut pickle).unwrap();
        let opened = open("step.pickle", &pickle);
        assert_eq!((&*opened.files[0].format, opened.files[0].problems.len()), ("pickle", 0));
        assert_same(&said(opened.trace), &said(first), name);
    }
}

#[test]
fn a_session_for_tensorflow_tracer_has_a_run_for_each_step() {
    let whole = [fixture("mnist-adam").bytes, fixture("multidev").bytes].concat();
    for bytes in [whole, bytes_of("containers/tracing-session.pickle.gz")] {
        let first = trace(&bytes);
        let steps = Steps::divided(&first, StepRule::Content);
        let with_ops = || steps.rows().iter().filter(|step| step.ops > 0);
        let name = |place: usize| format!("Adam {place}, 损失");
        let runs = with_ops().enumerate();
        let runs: Vec<Run> = runs
            .map(|(place, step)| Run { name: name(place), parts: step.parts.clone(), span: step.span })
            .collect();
        let mut pickle = Vec::new();
        write_session(&first, &RunMetadata::of(&first), &runs, &mut pickle).unwrap();
        let opened = open("session.pickle", &pickle);
        assert_eq!((&*opened.files[0].format, opened.files[0].problems.len()), ("tracing-session", 0));
        let second = opened.trace;
        assert_eq!(ops(&second), ops(&first));
        let names: Vec<_> = second.parts().iter().map(|part| second.text(part.name).to_owned()).collect();
        let wanted: Vec<_> = (0..runs.len()).map(|place| format!("{} (run {place})", name(place))).collect();
        assert_eq!(names, wanted);
        for (part, step) in second.parts().iter().zip(with_ops()) {
            assert_eq!((u64::from(part.ops), part.span), (step.ops, step.span));
            let end = first.unix_ns(step.span.end);
            assert_eq!(part.recorded_unix_ns, Some(end - end.rem_euclid(1_000)));
        }
    }
}

/// A sink that is full after so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_sink_is_said() {
    let first = trace(&fixture("ps4w").bytes);
    let own = RunMetadata::of(&first);
    for room in [0, 1, 70_000, own.bytes() as usize - 1] {
        assert!(own.write(&mut Full(room)).is_err(), "{room}");
        assert!(write_tfvis(&own, &mut Full(room)).is_err(), "{room}");
    }
    assert!(own.write(&mut Full(own.bytes() as usize)).is_ok());
}
