//! Redacted traces: none of the hidden texts is in the bytes, and every figure is that of the original.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting, Clocks};
use steplens_core::doctor::findings;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::questions::range::RangeQuery;
use steplens_core::redact::search::Originals;
use steplens_core::redact::vocabulary::{OP_TYPES, Vocabulary};
use steplens_core::redact::{Included, Key, Kind, Redaction};
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Nanos, Study, Trace, View};
use steplens_formats::{Limits, Opened, Opener, session};
use steplens_report as report;
use steplens_tests::cases::either;
use steplens_tests::fixtures::fixtures_and_samples;
use steplens_tests::recordings::{Recording, recordings};
use steplens_tests::session_proto::{Column, Session};

/// Of how many ops every figure is compared: each is listed, and rows are brought into an order that no name decides.
fn many() -> usize {
    either(2_500, 30_000)
}
const KEY: Key = Key([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]);

fn open(name: &str, bytes: &[u8]) -> Option<Opened> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file(name);
    opener.push(bytes);
    opener.end_file();
    opener.finish().ok().filter(|opened| !opened.trace.ops().is_empty())
}

/// `opened` as the session of its redaction.
fn redacted(opened: &Opened, included: Included, key: Key) -> Vec<u8> {
    let public = Vocabulary::of(OP_TYPES);
    let mut redaction = Redaction::of(&opened.trace, included, key, &public);
    let files = redaction.files(&opened.files);
    session::write(&redaction.trace(), &files)
}

/// The strings of a session, by its documented layout, prost, and no code of ours.
fn strings_of(session: &[u8]) -> Vec<String> {
    // The magic and the version byte are in front of the message.
    let message = Session::decode(&session[9..]).unwrap();
    let strings = message.strings.unwrap();
    let numbers = |column: Option<Column>| -> Vec<usize> {
        let Column { width, data, .. } = column.unwrap();
        let rows = data.len() / width as usize;
        let byte = |row: usize, plane: u32| usize::from(data[plane as usize * rows + row]) << (8 * plane);
        (0..rows).map(|row| (0..width).map(|plane| byte(row, plane)).sum()).collect()
    };
    let (shared, lengths) = (numbers(strings.shared), numbers(strings.length));
    let rest = strings.rest.unwrap().data;
    let (mut rest, mut previous) = (rest.as_slice(), Vec::new());
    let texts = shared.into_iter().zip(lengths).map(|(shared, length)| {
        previous.truncate(shared);
        let (own, after) = rest.split_at(length);
        previous.extend_from_slice(own);
        rest = after;
        String::from_utf8(previous.clone()).unwrap()
    });
    let texts: Vec<String> = texts.collect();
    assert_eq!((texts.len() as u64, rest.len()), (strings.rows, 0));
    // What was shown is text, too.
    texts.into_iter().chain(message.communication).chain([message.view]).collect()
}

/// Names, devices, machines, tags and files of `opened`.
fn originals(opened: &Opened) -> BTreeSet<String> {
    let trace = &opened.trace;
    let (nodes, graph) = (trace.nodes(), trace.graph());
    let mut ids: Vec<_> = nodes.ids().map(|node| nodes.name(node)).collect();
    ids.extend(graph.ids().flat_map(|node| [graph.name(node), graph.device(node)]));
    ids.extend(graph.rendezvous().iter().flat_map(|end| [end.tensor, end.source, end.destination]));
    for device in trace.devices().ids() {
        ids.push(trace.devices().get(device).name);
        ids.extend(trace.devices().get(device).task);
    }
    ids.extend(trace.threads().iter().map(|&(.., name)| name));
    for part in trace.parts() {
        ids.push(part.name);
        ids.extend(part.facts.iter().map(|&(_, value)| value));
    }
    let mut texts: BTreeSet<String> = ids.into_iter().map(|id| trace.text(id).to_owned()).collect();
    texts.extend(opened.files.iter().map(|file| file.name.clone()));
    texts
}

/// What everybody's traces say, as `docs/redaction.md` lists it: op types, what figures read in names, words of devices.
fn is_everybodys(text: &str, public: &BTreeSet<&str>) -> bool {
    let known = [
        "ExecutorState",
        "gradients",
        "read",
        "Read",
        "ReadVariableOp",
        "replica",
        "device",
        "cpu",
        "gpu",
        "tpu",
        "host",
        "stream",
        "memcpy",
        "job",
        "task",
        "all",
        "ops",
        "steps",
        "xla",
        "modules",
        "thread",
        "process",
        "python",
        "frames",
        "framework",
        "name",
        "scope",
        "launch",
        "line",
        "cuda",
        "threads",
        "core",
        "tensorcore",
        "sparsecore",
        "hlo",
        "hip",
        "rocm",
        "memset",
        "SOURCE",
        "SINK",
        "aten",
        "c10d",
        // Part of the reason that is stored with a category: `Horovod*`.
        "Horovod",
        // Functions of TensorFlow 2, and Keras' steps.
        "EagerExecute",
        "inference",
        "FunctionRun",
        "InstantiatedCapturedFunction",
        "Run",
        "RunAsync",
        "RunInstantiated",
        "RunWithBorrowedArgs",
        "train_function",
        "test_function",
        "predict_function",
    ];
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').all(|word| {
        let word = word.trim_matches('_');
        let stem = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
        // Pools of TensorFlow's threads: `tf_data_iterator_get_next`, `tf_numa_0_Compute`.
        if word == "tf_Compute" || word.starts_with("tf_data_") || word.starts_with("tf_numa_") {
            return true;
        }
        let is_known =
            |text: &str| known.iter().any(|known| known.eq_ignore_ascii_case(text)) || public.contains(text);
        stem.is_empty() || is_known(stem) || is_known(word) || public.contains(text)
    })
}

/// Shorter texts are words of others by chance: they are looked for as whole words.
const GRAM: usize = 8;

#[test]
fn no_hidden_text_is_in_the_bytes() {
    let public: BTreeSet<&str> = OP_TYPES.lines().collect();
    let vocabulary = Vocabulary::of(OP_TYPES);
    let (mut checked, mut searched) = (0, 0);
    for Recording { name, bytes } in recordings() {
        let most = either(10_000, usize::MAX);
        let Some(opened) = open(&name, &bytes).filter(|own| own.trace.ops().len() <= most) else { continue };
        let session = redacted(&opened, Included::default(), KEY);
        let strings = strings_of(&session);
        // Op types that are public may hold a name: `ApplyMomentum`, `net/w:ApplyMomentum`, `aten::detach`.
        let unknown = |text: &String| {
            if vocabulary.has(text) {
                return String::new();
            }
            let parts = text.split(':').map(|part| if vocabulary.has(part) { "" } else { part });
            parts.collect::<Vec<_>>().join(":")
        };
        let all = strings.iter().map(unknown).collect::<Vec<_>>().join("\n");
        let words: BTreeSet<&str> =
            all.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
        // What begins nowhere is not looked for: each of 10,000 texts was, in a megabyte of others.
        let grams: HashSet<[u8; GRAM]> =
            all.as_bytes().windows(GRAM).filter_map(|gram| gram.try_into().ok()).collect();
        for text in originals(&opened) {
            if text.len() < 4 || is_everybodys(&text, &public) || vocabulary.has(&text) {
                continue;
            }
            let is_there = match text.as_bytes().first_chunk::<GRAM>() {
                None => words.contains(&*text),
                Some(gram) => grams.contains(gram) && all.contains(&text),
            };
            assert!(!is_there, "{name}: {text}");
            searched += 1;
        }
        let wanted = Originals::of(&opened.trace, &opened.files, &[], Included::default(), &vocabulary);
        for string in &strings {
            assert_eq!(wanted.find_in(string), None, "{name}: {string}");
        }
        checked += 1;
    }
    assert!(checked > 30 && searched > 10_000, "{checked} files, {searched} texts");
}

/// Every figure of `trace`: what all commands say as JSON, without the texts, rows in any order.
fn figures(trace: Trace) -> Vec<(&'static str, Value)> {
    let study = Study::of_view(&Arc::new(trace), View::default());
    let trace = study.trace();
    let mut ops = Vec::new();
    report::ops::write_json(&study, &mut ops).unwrap();
    let mut ops: Value = serde_json::from_slice(&ops).unwrap();
    for row in ops["ops"].as_array_mut().unwrap() {
        // The place of an op among those that start when it does goes by its name.
        row.as_object_mut().unwrap().remove("op").unwrap();
    }
    let steps = Steps::divided(trace, StepRule::default());
    let clocks = Clocks::estimated(trace, study.transfers());
    let said = [
        ("clocks", report::clocks::json(trace, &clocks)),
        ("summary", report::summary::of(&study, &[]).to_text()),
        ("ops", ops.to_string()),
        ("op types", report::ops::types(&study, &RangeQuery::of(trace.span()))),
        ("transfers", report::transfers::json(&study)),
        ("network", report::network::Network::of(&study).to_text()),
        ("memory", report::memory::json(&study, &[])),
        ("path", report::causality::json(&study)),
        ("scheduling", report::scheduling::json(&study, Default::default())),
        ("steps", report::steps::json(trace, &steps, StepRule::default(), &[])),
        ("doctor", report::doctor::json(trace, &study)),
        ("lanes", report::lanes::json(&study)),
        ("findings", report::findings::json(&study, &[], None)),
    ];
    let mut figures =
        said.map(|(what, text)| (what, without_texts(serde_json::from_str(&text).unwrap()))).to_vec();
    let setting = ClockSetting { choice: ClockChoice::estimated(), clocks: Arc::new(clocks) };
    let view = View { clocks: Some(setting), ..View::default() };
    let aligned = Study::of_view(&Arc::new(again(&study)), view);
    let mut of_view =
        |what, text: &str| figures.push((what, without_texts(serde_json::from_str(text).unwrap())));
    of_view("aligned", &report::summary::of(&aligned, &[]).to_text());
    let whole = Arc::new(again(&study));
    let path = report::causality::PathOverSteps::of(&whole, &View::default(), 0..usize::MAX);
    of_view("path over steps", &path.to_text());
    // Kernels are joined to their ops by names where the file has no calls.
    for op_time in [OpTime::Gpu, OpTime::All] {
        let other = Study::of_view(&whole, View { op_time, ..View::default() });
        of_view("durations of kernels", &report::summary::of(&other, &[]).to_text());
    }
    for rule in StepRule::ALL {
        let steps = Steps::divided(&whole, rule);
        of_view("steps by a rule", &report::steps::json(&whole, &steps, rule, &[]));
        of_view("check", &report::check::of(&whole, &steps, NO_LIMITS).to_text());
    }
    for repair in findings(&whole).iter().filter_map(|finding| finding.kind.repair()) {
        let other = Study::of_view(&whole, View { repairs: vec![repair], ..View::default() });
        of_view("repaired", &report::summary::of(&other, &[]).to_text());
    }
    figures
}

/// Limits that nothing keeps: so that every step is named.
const NO_LIMITS: report::check::Limits =
    report::check::Limits { step: Some(Nanos(0)), exposed_communication: Some(0.0) };

fn again(study: &Study) -> Trace {
    open("again.steplens", &session::write(study.trace(), &[])).map(|opened| opened.trace).unwrap_or_default()
}

/// What ops calculate and move is known by the shapes of their tensors, which are hidden.
const BY_SHAPES: [&str; 6] = [
    "flops",
    "flops_per_second",
    "flops_of_peak_ppm",
    "moved_bytes",
    "moved_bytes_per_second",
    "work_known_ppm",
];

fn without_texts(value: Value) -> Value {
    match value {
        Value::String(_) => Value::String(String::new()),
        Value::Array(rows) => {
            let mut rows: Vec<Value> = rows.into_iter().map(without_texts).collect();
            rows.sort_by_cached_key(Value::to_string);
            Value::Array(rows)
        }
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(name, _)| !BY_SHAPES.contains(&name.as_str()));
            Value::Object(fields.map(|(name, value)| (name, without_texts(value))).collect())
        }
        other => other,
    }
}

fn differences(place: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
    match (a, b) {
        _ if a == b => {}
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter()
                .zip(y)
                .enumerate()
                .for_each(|(at, (a, b))| differences(&format!("{place}[{at}]"), a, b, found));
        }
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().for_each(|(key, a)| differences(&format!("{place}.{key}"), a, &y[key], found));
        }
        _ => {
            let short = |value: &Value| value.to_string().chars().take(160).collect::<String>();
            found.push(format!("{place}: {} became {}", short(a), short(b)));
        }
    }
}

#[test]
fn every_figure_stays() {
    let mut faults = Vec::new();
    for Recording { name, bytes } in recordings() {
        let Some(opened) = open(&name, &bytes).filter(|own| own.trace.ops().len() <= many()) else {
            continue;
        };
        let session = redacted(&opened, Included::default(), KEY);
        let after = figures(open("r.steplens", &session).unwrap().trace);
        for ((what, a), (_, b)) in figures(opened.trace).into_iter().zip(after) {
            let mut found = Vec::new();
            differences(what, &a, &b, &mut found);
            faults.extend(found.into_iter().take(2).map(|fault| format!("{name}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{} differences\n{}", faults.len(), faults[..faults.len().min(60)].join("\n"));
}

#[test]
fn stages_of_tensorflows_own_datasets_stay() {
    let stages = [
        "Iterator::Root::Prefetch::FlatMap[0]::AcmeLoader::BatchV2",
        "Iterator::AcmeLoader",
        "Iterator::Model",
    ];
    let rows = stages.iter().zip(0..).map(|(name, at)| {
        format!(r#"{{"ph":"X","name":"{name}","pid":7,"tid":1,"ts":{},"dur":5,"args":{{}}}}"#, at * 10)
    });
    let named = r#"{"ph":"M","name":"process_name","pid":7,"args":{"name":"/host:CPU"}}"#.to_owned();
    let events: Vec<String> = [named].into_iter().chain(rows).collect();
    let file = format!(r#"{{"displayTimeUnit":"ns","traceEvents":[{}]}}"#, events.join(","));
    let opened = open("host.trace.json", file.as_bytes()).unwrap();
    let session = redacted(&opened, Included::default(), KEY);
    let after = open("r.steplens", &session).unwrap().trace;
    let names: Vec<&str> = after.ops().ids().map(|op| after.op_name(op)).collect();
    let hidden = names[1].strip_prefix("Iterator::").unwrap();
    assert_eq!(names[0], format!("Iterator::Root::Prefetch::FlatMap[0]::{hidden}::BatchV2"));
    assert_eq!(names[2], "Iterator::Model");
    assert!(!String::from_utf8_lossy(&session).contains("Acme"), "{names:?}");
}

#[test]
fn with_everything_included_nothing_changes() {
    for fixture in fixtures_and_samples() {
        let opened = open(&fixture.file, &fixture.bytes).unwrap();
        let session = session::write(&opened.trace, &opened.files);
        assert!(redacted(&opened, Included::ALL, KEY) == session, "{}", fixture.name);
    }
}

#[test]
fn two_redactions_have_different_hashes() {
    let fixture = fixtures_and_samples().into_iter().find(|own| own.name == "ps4w").unwrap();
    let opened = open(&fixture.file, &fixture.bytes).unwrap();
    let hashes = |key| -> BTreeSet<String> {
        let session = redacted(&opened, Included::default(), key);
        let trace = open("r.steplens", &session).unwrap().trace;
        trace.nodes().ids().map(|node| trace.text(trace.nodes().name(node)).to_owned()).collect()
    };
    let (first, second) = (hashes(KEY), hashes(Key([1, 2])));
    assert_eq!(hashes(KEY), first);
    assert_eq!(first.len(), second.len());
    let same: Vec<_> = first.intersection(&second).collect();
    assert!(same.len() < 10, "{same:?}");
}

#[test]
fn what_is_included_stays_and_what_was_forgotten_is_found() {
    let fixture = fixtures_and_samples().into_iter().find(|own| own.name == "ps4w").unwrap();
    let opened = open("secret-project.pb", &fixture.bytes).unwrap();
    let public = Vocabulary::of(OP_TYPES);
    for kind in Kind::ALL {
        let included = Included::default().with(kind);
        let session = redacted(&opened, included, KEY);
        let wanted =
            Originals::of(&opened.trace, &opened.files, &["secret mark".to_owned()], included, &public);
        for string in strings_of(&session) {
            assert_eq!(wanted.find_in(&string), None, "{kind:?}: {string}");
        }
        // The original has what is hidden.
        let strings = strings_of(&session::write(&opened.trace, &opened.files));
        assert!(strings.iter().any(|string| wanted.find_in(string).is_some()), "{kind:?}");
        assert_eq!(wanted.find_in("q=secret%20mark").is_some(), kind != Kind::Notes && kind != Kind::Files);
    }
}
