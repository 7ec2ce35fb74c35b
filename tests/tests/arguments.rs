//! What the selected op says of its event: the arguments as the file has them, read again by `serde_json` and `prost`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use prost::Message;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use steplens_core::redact::vocabulary::{OP_TYPES, Vocabulary};
use steplens_core::redact::{Included, Key, Kind, Redaction};
use steplens_core::{CategoryRules, OpId, Study, Trace};
use steplens_formats::{Limits, Opened, Opener, session};
use steplens_report as report;
use steplens_tests::samples::{sample, sample_folder};

fn open(bytes: &[u8], slice: usize) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("trace.json");
    bytes.chunks(slice).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish().unwrap()
}

/// Name and value of each argument; of two of one name the last.
type Said = BTreeMap<String, String>;

fn said(trace: &Trace, op: OpId) -> Said {
    let all = trace.arguments().of(op);
    all.map(|own| (own.name.to_owned(), canonical(&own.value.shown()))).collect()
}

/// JSON without its layout; a text as it is.
fn canonical(text: &str) -> String {
    match text.starts_with(['[', '{']).then(|| serde_json::from_str::<Value>(text)) {
        Some(Ok(value)) => value.to_string(),
        _ => text.to_owned(),
    }
}

/// How often each set of arguments is there, and with which start in ns.
fn all_said(trace: &Trace) -> BTreeMap<(i64, Said), usize> {
    let mut all = BTreeMap::new();
    for op in trace.ops().ids() {
        let own = said(trace, op);
        if !own.is_empty() {
            *all.entry((trace.unix_ns(trace.ops().start(op)), own)).or_default() += 1;
        }
    }
    all
}

/// The same without the times.
fn without_times(all: BTreeMap<(i64, Said), usize>) -> BTreeMap<Said, usize> {
    let mut sums = BTreeMap::new();
    all.into_iter().for_each(|((_, said), count)| *sums.entry(said).or_default() += count);
    sums
}

/// The arguments of whole events, as `serde_json` reads them. Numbers keep their text: it has them as `f64`, which is compared as such.
fn of_json(text: &str) -> BTreeMap<Said, usize> {
    let json: Value = serde_json::from_str(text).unwrap();
    let events = json.get("traceEvents").unwrap_or(&json).as_array().unwrap();
    let mut sums = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X" && event["ts"].is_number()) {
        let Some(arguments) = event["args"].as_object() else { continue };
        let text = |value: &Value| match value {
            Value::String(text) => number_or(canonical(text)),
            other => number_or(other.to_string()),
        };
        let own: Said = arguments.iter().map(|(name, value)| (name.clone(), text(value))).collect();
        if !own.is_empty() {
            *sums.entry(own).or_default() += 1;
        }
    }
    sums
}

/// A number in one form, whichever way it was written.
fn number_or(text: String) -> String {
    match text.parse::<f64>() {
        Ok(number) if text.contains(['.', 'e', 'E']) => number.to_string(),
        _ => text,
    }
}

fn numbers_alike(all: BTreeMap<Said, usize>) -> BTreeMap<Said, usize> {
    let mut sums = BTreeMap::new();
    for (said, count) in all {
        let alike = said.into_iter().map(|(name, value)| (name, number_or(value))).collect();
        *sums.entry(alike).or_default() += count;
    }
    sums
}

/// A step of PyTorch: a module, its ops, a call and the kernel that it launched.
const PYTORCH: &str = r#"{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "train.py(12): step", "pid": 7, "tid": 7, "ts": 90, "dur": 400,
 "args": {"Python id": 1, "Python parent id": null, "Ev Idx": 0}},
{"ph": "X", "cat": "python_function", "name": "nn.Module: AcmeNet_0", "pid": 7, "tid": 7, "ts": 95, "dur": 300,
 "args": {"Python id": 2, "Python parent id": 1, "Ev Idx": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 7, "tid": 7, "ts": 100, "dur": 200,
 "args": {"External id": 11, "Sequence number": 3, "Input Dims": [[64, 3, 224, 224], []], "Input type": ["float", "Scalar"], "Call stack": "acme.py(3): a <b>;\"x\\y\""}},
{"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 7, "tid": 7, "ts": 110, "dur": 10, "args": {"External id": 12}},
{"ph": "X", "cat": "cpu_op", "name": "aten::cudnn_convolution", "pid": 7, "tid": 7, "ts": 125, "dur": 100,
 "args": {"External id": 13, "Input Dims":[[64,3,224,224],[ ]], "remark": "", "paths": ["<a>"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7, "ts": 150, "dur": 20,
 "args": {"External id": 13, "cbid": 211, "correlation": 900}},
{"ph": "X", "cat": "kernel", "name": "void acme_conv<float>", "pid": 0, "tid": 20, "ts": 180, "dur": 263,
 "args": {"External id": 13, "device": 0, "stream": 20, "correlation": 900, "registers per thread": 128, "shared memory": 49152, "blocks per SM": 2.50, "grid": [32, 4, 1], "block": [256, 1, 1], "est. achieved occupancy %": 31, "tiny": 1e-05, "ok": true}}
]}"#;

fn op(study: &Study, name: &str) -> OpId {
    let trace = study.trace();
    trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap()
}

fn details(study: &Study, name: &str) -> Value {
    serde_json::from_str(&report::ops::details(study, op(study, name)).unwrap()).unwrap()
}

#[test]
fn arguments_are_what_serde_json_reads_and_survive() {
    let opened = open(PYTORCH.as_bytes(), usize::MAX);
    let own = all_said(&opened.trace);
    assert_eq!(numbers_alike(without_times(own.clone())), of_json(PYTORCH));
    for slice in [1, 7, 64] {
        assert_eq!(all_said(&open(PYTORCH.as_bytes(), slice).trace), own, "{slice}");
    }
    let stored = session::write(&opened.trace, &opened.files);
    assert_eq!(all_said(&open(&stored, usize::MAX).trace), own);
    let rebuilt = opened.trace.rebuilt(&mut opened.trace.places()).trace;
    assert_eq!(all_said(&rebuilt), own);
    let kernel = op(&Study::new(rebuilt), "void acme_conv<float>");
    let only = opened.trace.rebuilt(&mut std::iter::once(opened.trace.place(kernel))).trace;
    assert_eq!(said(&only, OpId::new(0))["grid"], "[32,4,1]");
    let mut chrome = Vec::new();
    steplens_export::chrome::write(&Study::new(opened.trace), &mut chrome).unwrap();
    assert!(serde_json::from_slice::<Value>(&chrome).is_ok());
    assert_eq!(all_said(&open(&chrome, usize::MAX).trace), own);
}

#[test]
fn of_two_files_each_keeps_its_own() {
    let opened = open(PYTORCH.as_bytes(), usize::MAX);
    let stored = session::write(&opened.trace, &opened.files);
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for bytes in [&stored[..], PYTORCH.as_bytes()] {
        opener.begin_file("x");
        opener.push(bytes);
        opener.end_file();
    }
    let both = without_times(all_said(&opener.finish().unwrap().trace));
    let once = without_times(all_said(&opened.trace));
    let twice: BTreeMap<_, _> = once.into_iter().map(|(said, count)| (said, count * 2)).collect();
    assert_eq!(both, twice);
}

#[test]
fn the_selected_op_says_what_was_recorded_and_nothing_else() {
    let study = Study::new(open(PYTORCH.as_bytes(), usize::MAX).trace);
    let convolution = details(&study, "aten::cudnn_convolution");
    assert_eq!((&convolution["label_recorded"], &convolution["has_stages"]), (&false.into(), &false.into()));
    assert_eq!(convolution["inside_of"]["name"], "aten::conv2d");
    assert_eq!(convolution["before"]["name"], "aten::empty");
    assert_eq!((&convolution["kernel_count"], &convolution["kernels_ns"]), (&1.into(), &263_000.into()));
    assert_eq!(convolution["modules"], serde_json::json!(["AcmeNet_0"]));
    assert_eq!(convolution["frames"][1]["name"], "train.py(12): step");
    let outer = details(&study, "aten::conv2d");
    let shown = |details: &Value| {
        let rows = details["arguments"].as_array().unwrap().iter();
        rows.map(|row| format!("{}={}", row["noun"].as_str().unwrap_or("-"), row["value"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shown(&outer),
        [
            "shapes=[[64, 3, 224, 224], []]",
            "types=[\"float\", \"Scalar\"]",
            "stack=acme.py(3): a <b>;\"x\\y\"",
            "-=11",
            "-=3",
        ]
    );
    assert_eq!((&outer["inside_of"], &outer["before"]), (&Value::Null, &Value::Null));
    let kernel = details(&study, "void acme_conv<float>");
    assert_eq!(
        shown(&kernel)[..7],
        [
            "grid=[32, 4, 1]",
            "block=[256, 1, 1]",
            "registers=128",
            "shared-memory=49152",
            "occupancy=31",
            "stream=20",
            "correlation=900",
        ]
    );
    assert!(shown(&kernel).contains(&"-=2.50".to_owned()) && shown(&kernel).contains(&"-=1e-05".to_owned()));
}

#[test]
fn beginnings_and_ends_say_both() {
    let text = r#"[{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "grad/a"}},
{"ph": "B", "name": "ALLREDUCE", "ts": 10, "pid": 1, "args": {"why": "because"}},
{"ph": "B", "name": "NEGOTIATE_X", "ts": 11, "pid": 1}, {"ph": "E", "ts": 12, "pid": 1},
{"ph": "E", "ts": 20, "pid": 1, "args": {"dtype": "float32", "shape": "[10, 4]"}}]"#;
    for slice in [1, usize::MAX] {
        let all = without_times(all_said(&open(text.as_bytes(), slice).trace));
        let pairs = [("why", "because"), ("dtype", "float32"), ("shape", "[10,4]")];
        let said = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        assert_eq!(all, BTreeMap::from([(said, 1)]));
    }
}

#[test]
fn what_is_too_much_is_counted() {
    let many: Vec<String> = (0..200).map(|number| format!("\"a{number}\": {number}")).collect();
    let long = "x".repeat(70_000);
    let text = format!(
        r#"[{{"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":1,"args":{{{}}}}},
{{"ph":"X","name":"b","ts":2,"dur":1,"pid":1,"tid":1,"args":{{"long":"{long}","list":["{long}"],"short":7}}}}]"#,
        many.join(", ")
    );
    for slice in [1_000, usize::MAX] {
        let opened = open(text.as_bytes(), slice);
        let problems = &opened.files[0].problems;
        let found = problems.iter().find(|problem| problem.code == "arguments-left-out").unwrap();
        assert_eq!(found.count, 200 - 128 + 2);
        let study = Study::new(opened.trace);
        assert_eq!(said(study.trace(), op(&study, "a")).len(), 128);
        let short = BTreeMap::from([("short".to_owned(), "7".to_owned())]);
        assert_eq!(said(study.trace(), op(&study, "b")), short);
    }
}

#[test]
fn redaction_keeps_numbers_and_hides_the_rest() {
    let opened = open(PYTORCH.as_bytes(), usize::MAX);
    let public = Vocabulary::of(OP_TYPES);
    let key = Key([1, 2]);
    let mut redaction = Redaction::of(&opened.trace, Included::default(), key, &public);
    let files = redaction.files(&opened.files);
    let stored = session::write(&redaction.trace(), &files);
    let texts = session::strings(&stored).unwrap();
    for hidden in ["acme", "224", "float", "Scalar", "remark", "tiny", "paths"] {
        let found = texts.iter().find(|text| text.contains(hidden));
        assert_eq!(found, None, "{hidden}");
    }
    let reopened = open(&stored, usize::MAX).trace;
    let kept = without_times(all_said(&reopened));
    assert!(kept.keys().any(|said| said.get("grid").is_some_and(|grid| grid == "[32,4,1]")));
    assert!(kept.keys().all(|said| !said.contains_key("Input Dims")));
    let shapes = Included::default().with(Kind::Shapes);
    let with_shapes = without_times(all_said(&Redaction::of(&opened.trace, shapes, key, &public).trace()));
    assert!(
        with_shapes.keys().any(|said| said.contains_key("Input Dims") && !said.contains_key("Input type"))
    );
    let everything = Redaction::of(&opened.trace, Included::ALL, key, &public).trace();
    assert_eq!(all_said(&everything), all_said(&opened.trace));
}

/// A name that profilers write themselves stands for what they write, whatever else a file says under it.
#[test]
fn a_known_name_lets_no_other_value_through() {
    let names = [
        "grid",
        "blocks per SM",
        "stream",
        "bytes",
        "Process Group Ranks",
        "dtype",
        "memcpy_details",
        "Input Dims",
    ];
    let values = [r#""acme""#, r#"["acme"]"#, r#"[1, "acme"]"#, r#"[[1], ["acme"]]"#, r#"{"acme": 1}"#];
    let pairs = names.iter().flat_map(|name| values.map(|value| format!(r#"{{"{name}": {value}}}"#)));
    let events: Vec<String> = (0..)
        .zip(pairs)
        .map(|(at, pair)| {
            format!(r#"{{"ph":"X","name":"a","ts":{at},"dur":1,"pid":1,"tid":1,"args":{pair}}}"#)
        })
        .collect();
    let opened = open(format!("[{}]", events.join(",")).as_bytes(), usize::MAX);
    let public = Vocabulary::of(OP_TYPES);
    for included in [Included::default(), Included::default().with(Kind::Shapes)] {
        let mut redaction = Redaction::of(&opened.trace, included, Key([1, 2]), &public);
        let files = redaction.files(&opened.files);
        let stored = session::write(&redaction.trace(), &files);
        let texts = session::strings(&stored).unwrap();
        assert_eq!(texts.iter().find(|text| text.contains("acme")), None);
    }
}

#[test]
fn recordings_of_pytorch_say_what_serde_json_reads() {
    let Some(folder) = sample_folder("real/pytorch") else { return };
    for name in ["v100-resnet50", "h100-bert-small", "mi300-bert-small", "simple-add", "sglang-decode"] {
        let mut text = String::new();
        let bytes = fs::read(folder.join(format!("{name}.json.gz"))).unwrap();
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        let own = numbers_alike(without_times(all_said(&open(text.as_bytes(), 100_000).trace)));
        let read = of_json(&text);
        assert_eq!(own.len(), read.len(), "{name}");
        for (said, count) in &read {
            assert_eq!(own.get(said), Some(count), "{name}: {said:?}");
        }
    }
}

#[derive(Clone, PartialEq, prost::Message)]
struct Space {
    #[prost(message, repeated, tag = "1")]
    planes: Vec<Plane>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Plane {
    #[prost(message, repeated, tag = "3")]
    lines: Vec<Line>,
    #[prost(btree_map = "int64, message", tag = "4")]
    events: BTreeMap<i64, EventName>,
    #[prost(btree_map = "int64, message", tag = "5")]
    stats: BTreeMap<i64, StatName>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Line {
    #[prost(message, repeated, tag = "4")]
    events: Vec<Event>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Event {
    #[prost(int64, tag = "1")]
    metadata: i64,
    #[prost(message, repeated, tag = "4")]
    stats: Vec<Stat>,
    #[prost(int64, optional, tag = "5")]
    occurrences: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct EventName {
    #[prost(message, repeated, tag = "5")]
    stats: Vec<Stat>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct StatName {
    #[prost(string, tag = "2")]
    name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Stat {
    #[prost(int64, tag = "1")]
    metadata: i64,
    #[prost(double, optional, tag = "2")]
    double: Option<f64>,
    #[prost(uint64, optional, tag = "3")]
    unsigned: Option<u64>,
    #[prost(int64, optional, tag = "4")]
    signed: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "5")]
    text: Option<Vec<u8>>,
    #[prost(uint64, optional, tag = "7")]
    reference: Option<u64>,
}

fn of_xspace(bytes: &[u8]) -> BTreeMap<Said, usize> {
    let mut sums = BTreeMap::new();
    for plane in Space::decode(bytes).unwrap().planes {
        let name = |id: i64| plane.stats.get(&id).map(|own| own.name.clone());
        for event in plane.lines.iter().flat_map(|line| &line.events).filter(|own| own.occurrences.is_none())
        {
            let common = plane.events.get(&event.metadata).map_or(&[][..], |own| &own.stats);
            let mut own = Said::new();
            for stat in event.stats.iter().chain(common) {
                let text = stat.text.as_ref().map(|text| canonical(&String::from_utf8_lossy(text)));
                let value = (stat.double.map(|value| value.to_string()))
                    .or(stat.unsigned.map(|value| value.to_string()))
                    .or(stat.signed.map(|value| value.to_string()))
                    .or(text)
                    .or(stat.reference.map(|id| canonical(&name(id as i64).unwrap_or_default())));
                let called = name(stat.metadata).unwrap_or_else(|| format!("stat {}", stat.metadata));
                own.extend(value.map(|value| (called, value)));
            }
            if !own.is_empty() {
                *sums.entry(own).or_default() += 1;
            }
        }
    }
    sums
}

#[test]
fn xspaces_say_what_prost_reads() {
    let names = ["jax-mi300-gemm", "tf2-gpu-20210617", "tpu-inference"];
    for name in names {
        let Some(bytes) = sample(&format!("real/xspace/{name}.xplane.pb")) else { continue };
        let opened = open(&bytes, 10_000);
        let own = without_times(all_said(&opened.trace));
        let read = of_xspace(&bytes);
        for (said, count) in &read {
            assert_eq!(own.get(said), Some(count), "{name}: {said:?}");
        }
        assert_eq!(own.len(), read.len(), "{name}");
        let stored = session::write(&opened.trace, &opened.files);
        assert_eq!(without_times(all_said(&open(&stored, usize::MAX).trace)), own, "{name}");
    }
}
