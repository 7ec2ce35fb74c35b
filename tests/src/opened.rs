//! Cases and made events of PyTorch, opened as a study.

use crate::samples::case;
use serde_json::{Value, json};
use steplens_core::findings::Rule;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opened, Opener};
use steplens_report::findings;

/// These cases, opened together; `None`, said aloud, if one is not there.
pub fn cases(names: &[&str]) -> Option<Opened> {
    let files: Option<Vec<(&str, Vec<u8>)>> = names.iter().map(|&name| Some((name, case(name)?))).collect();
    let files = files?;
    Some(open(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>()))
}

/// These files, opened together.
pub fn open(files: &[(&str, &[u8])]) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.unpack_here();
    for (name, bytes) in files {
        opener.begin_file(name);
        opener.push(bytes);
        opener.end_file();
    }
    opener.finish().unwrap_or_else(|error| panic!("{error:?}"))
}

/// The trace of an opened file as a study.
pub fn study(opened: Opened) -> Study {
    Study::new(opened.trace)
}

/// These files, such as one for each rank, opened together as a study.
pub fn study_of(files: impl Iterator<Item = (String, Vec<u8>)>) -> Study {
    let files: Vec<(String, Vec<u8>)> = files.collect();
    study(open(&files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect::<Vec<_>>()))
}

/// A document of PyTorch's profiler with these events, and what else it says.
pub fn torch(events: &[Value], said: &Value) -> Vec<u8> {
    let mut document = json!({ "schemaVersion": 1, "traceEvents": events });
    if let (Some(document), Some(said)) = (document.as_object_mut(), said.as_object()) {
        document.extend(said.clone());
    }
    document.to_string().into_bytes()
}

/// The name of a process, and its label.
pub fn process(pid: i64, label: &str) -> [Value; 2] {
    let of = |what: &str, key: &str, value: &str| json!({ "ph": "M", "name": what, "pid": pid, "tid": 0, "ts": 0, "args": { key: value } });
    [of("process_name", "name", "python"), of("process_labels", "labels", label)]
}

/// A complete event: category, name, process and thread, start and length in microseconds, arguments.
pub fn event(cat: &str, name: &str, (pid, tid): (i64, i64), (ts, dur): (f64, f64), args: &Value) -> Value {
    json!({ "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
}

/// The process and thread of a program.
pub const HOST: (i64, i64) = (100, 100);

/// An event of the program's thread: category, name, start and length in microseconds.
pub fn on_host(cat: &str, name: &str, start: f64, length: f64) -> Value {
    event(cat, name, HOST, (start, length), &json!({}))
}

/// A study of one GPU, of which PyTorch's profiler recorded these events.
pub fn with_gpu(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({ "deviceProperties": [{ "id": 0 }] })))]))
}

/// All findings as JSON, the first one first.
pub fn rows(study: &Study) -> Vec<Value> {
    let list: Value = serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default();
    list["findings"].as_array().cloned().unwrap_or_default()
}

/// The first finding of `rule`.
pub fn row(study: &Study, rule: Rule) -> Option<Value> {
    rows(study).into_iter().find(|own| own["rule"] == rule.word())
}

/// The first finding of the rule with this word, or null.
pub fn found(study: &Study, rule: &str) -> Value {
    rows(study).into_iter().find(|own| own["rule"] == rule).unwrap_or_default()
}

/// A field of a finding.
pub fn text<'a>(found: &'a Value, field: &str) -> &'a str {
    found[field].as_str().unwrap_or_default()
}

/// What PyTorch's profiler recorded, of these events: category, name, thread, start and length in µs, correlation (0 for none).
pub type TorchEvent<'a> = (&'a str, &'a str, i64, i64, i64, i64);

/// A study of one GPU and one program, in which PyTorch's profiler recorded these events.
pub fn torch_study(events: &[TorchEvent<'_>]) -> Study {
    let made = |&(cat, name, thread, start, length, correlation): &TorchEvent<'_>| {
        let pid = if matches!(cat, "kernel" | "gpu_memcpy") { 0 } else { 100 };
        let args = match correlation {
            0 => json!({}),
            id => json!({ "correlation": id, "stream": 7, "device": 0 }),
        };
        event(cat, name, (pid, thread), (start as f64, length as f64), &args)
    };
    let all: Vec<Value> = events.iter().map(made).collect();
    study(open(&[("made.json", &torch(&all, &json!({ "deviceProperties": [{ "id": 0 }] })))]))
}

/// A timeline of Horovod: (tensor, phase, from, to) in µs, and ticks (tensor, rank, at).
pub fn horovod(phases: &[(i64, &str, i64, i64)], ticks: &[(i64, i64, i64)]) -> Study {
    let mut marks: Vec<(i64, i64, Value)> = Vec::new();
    for &(row, name, from, to) in phases {
        marks.push((from, from - to, json!({ "ph": "B", "name": name, "ts": from, "pid": row })));
        marks.push((to, from - to, json!({ "ph": "E", "ts": to, "pid": row })));
    }
    for &(row, rank, at) in ticks {
        let tick = json!({ "ph": "X", "name": rank.to_string(), "ts": at, "pid": row, "dur": 0 });
        marks.push((at, 0, tick));
    }
    marks.sort_by_key(|(at, order, _)| (*at, *order));
    let text = json!(marks.into_iter().map(|(.., event)| event).collect::<Vec<_>>()).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}
