//! Counters and instants: as serde_json reads them, and the same after every way through Steplens.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use proptest::prelude::*;
use prost::Message;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use steplens_core::model::counters::Extent;
use steplens_core::model::instants::Scope;
use steplens_core::model::owner::Owner;
use steplens_core::redact::vocabulary::{OP_TYPES, Vocabulary};
use steplens_core::redact::{Included, Key, Kind, Redaction};
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Selection, Study, Trace};
use steplens_formats::{Limits, Opened, Opener, session};
use steplens_tests::fixtures::bytes_of;
use steplens_tests::perfetto::Trace as Packets;
use steplens_tests::samples::sample_folder;

fn open(bytes: &[u8], slice: usize) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("a.json");
    bytes.chunks(slice).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish().unwrap()
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match GzDecoder::new(bytes).read_to_end(&mut text) {
        Ok(_) => text,
        Err(_) => bytes.to_vec(),
    }
}

fn owner(trace: &Trace, owner: Owner) -> String {
    match owner {
        Owner::Device(device) => format!("device {}", trace.text(trace.devices().get(device).name)),
        Owner::Process(name) => format!("process {}", trace.text(name)),
    }
}

/// All counters with all points, in ns from 1970, and all instants, with everything that is known of them.
fn said(trace: &Trace) -> Vec<String> {
    let counters = trace.counters();
    let of_counters = counters.ids().map(|id| {
        let own = counters.get(id);
        let points = counters.points(id).map(|(at, value)| (trace.unix_ns(at), value.get()));
        let [name, series] = [own.name, own.series].map(|id| trace.text(id));
        format!("{} {name} {series} {:?}", owner(trace, own.owner), points.collect::<Vec<_>>())
    });
    let of_instants = trace.instants().all().iter().map(|own| {
        let arguments = own.arguments.map(|id| trace.text(id));
        let (name, at) = (trace.text(own.name), trace.unix_ns(own.at));
        format!("{} {:?} {name} {at} {arguments:?}", owner(trace, own.owner), own.scope)
    });
    of_counters.chain(of_instants).collect()
}

fn without_threads(said: Vec<String>) -> Vec<String> {
    let mut said: Vec<String> = said
        .iter()
        .map(|own| {
            own.split("Thread(").map(|part| part.trim_start_matches(|byte: char| byte.is_ascii_digit()))
        })
        .map(|parts| parts.collect::<Vec<_>>().join("Thread("))
        .collect();
    said.sort_unstable();
    said
}

/// Number, lowest and highest value of each counter by name and series.
type Figures = BTreeMap<(String, String), (usize, f64, f64)>;

fn figures(trace: &Trace) -> Figures {
    let counters = trace.counters();
    let mut figures = Figures::new();
    for id in counters.ids() {
        let own = counters.get(id);
        let Extent { min, max } = counters.extent(own.points()).unwrap();
        let key = (trace.text(own.name).to_owned(), trace.text(own.series).to_owned());
        let (min, max) = (min.get(), max.get());
        let figure = figures.entry(key).or_insert((0, min, max));
        *figure = (figure.0 + own.points().len(), figure.1.min(min), figure.2.max(max));
    }
    figures
}

/// That both have the same counters with as many values, and the same values but for how serde_json rounds them.
fn assert_same(got: &Figures, wanted: &Figures, what: &str) {
    let names =
        |figures: &Figures| figures.iter().map(|(name, own)| (name.clone(), own.0)).collect::<Vec<_>>();
    assert_eq!(names(got), names(wanted), "{what}");
    for (one, other) in got.values().zip(wanted.values()) {
        let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs();
        assert!(is_near(one.1, other.1) && is_near(one.2, other.2), "{what}: {one:?} and not {other:?}");
    }
}

/// What a trace says by serde_json: its counters, and how many instants there are by name and scope.
fn read_plainly(bytes: &[u8]) -> (Figures, BTreeMap<(String, String), usize>) {
    let document: Json = serde_json::from_slice(bytes).unwrap();
    let events = document["traceEvents"].as_array().or(document.as_array()).unwrap();
    let (mut figures, mut instants) = (Figures::new(), BTreeMap::new());
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    for event in events {
        match event["ph"].as_str().unwrap_or_default() {
            "C" => {
                for (series, value) in event["args"].as_object().unwrap() {
                    let value = value.as_f64().unwrap();
                    let key = (text(&event["name"]), series.clone());
                    let figure = figures.entry(key).or_insert((0, value, value));
                    *figure = (figure.0 + 1, figure.1.min(value), figure.2.max(value));
                }
            }
            "i" | "I" | "R" if event["name"] != "[memory]" => {
                let scope = event["s"].as_str().unwrap_or("t").to_owned();
                *instants.entry((text(&event["name"]), scope)).or_default() += 1;
            }
            _ => {}
        }
    }
    (figures, instants)
}

fn instants(trace: &Trace) -> BTreeMap<(String, String), usize> {
    let mut instants = BTreeMap::new();
    for own in trace.instants().all() {
        let scope = match own.scope {
            Scope::Global => "g",
            Scope::Process => "p",
            Scope::Thread(_) => "t",
        };
        *instants.entry((trace.text(own.name).to_owned(), scope.to_owned())).or_default() += 1;
    }
    instants
}

fn recorded() -> Vec<u8> {
    unpacked(&bytes_of("counters/viztracer.json.gz"))
}

#[test]
fn a_recording_of_viztracer_says_what_serde_json_reads() {
    let bytes = recorded();
    let opened = open(&bytes, usize::MAX);
    let (wanted, wanted_instants) = read_plainly(&bytes);
    assert_same(&figures(&opened.trace), &wanted, "viztracer");
    assert_eq!(instants(&opened.trace), wanted_instants);
    assert_eq!(wanted.len(), 7, "host memory, queue, garbage collection");
    assert!(opened.files[0].problems.is_empty(), "{:?}", opened.files[0].problems);
    // The counters are of the device of the process, and the instants of its threads.
    assert!(opened.trace.counters().ids().all(|id| opened.trace.counters().get(id).owner.device().is_some()));
    let threads: Vec<u32> = opened.trace.ops().ids().map(|op| opened.trace.ops().thread(op)).collect();
    let of_thread = |own: &steplens_core::model::instants::Instant| match own.scope {
        Scope::Thread(thread) => threads.contains(&thread),
        _ => true,
    };
    assert!(opened.trace.instants().all().iter().all(of_thread));
}

/// Real recordings, each read by serde_json. They may not be copied into the project.
#[test]
fn real_recordings_say_what_serde_json_reads() {
    let Some(folder) = sample_folder("real") else { return };
    let mut files = Vec::new();
    collect(&folder, &mut files);
    let (mut traces, mut found) = (0, 0);
    for file in files {
        let name = file.display().to_string();
        let bytes = unpacked(&fs::read(&file).unwrap());
        let is_events = serde_json::from_slice::<Json>(&bytes)
            .is_ok_and(|json| json["traceEvents"].is_array() || json.is_array());
        let opener = Opener::open_bytes(&name, &bytes, CategoryRules::default());
        let (true, Ok(opened)) = (is_events, opener) else { continue };
        let (wanted, wanted_instants) = read_plainly(&bytes);
        let is_timeline =
            opened.files[0].problems.iter().any(|problem| problem.code == "lost-in-chrome-json");
        if !is_timeline {
            assert_same(&figures(&opened.trace), &wanted, &name);
        }
        assert_eq!(instants(&opened.trace), wanted_instants, "{name}");
        traces += 1;
        found += wanted_instants.values().sum::<usize>();
    }
    assert!(traces >= 10 && found >= 20);
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.to_string_lossy().contains(".json") {
            files.push(path);
        }
    }
    files.sort();
}

#[test]
fn slices_sessions_and_views_keep_them() {
    let bytes = recorded();
    let opened = open(&bytes, usize::MAX);
    let own = said(&opened.trace);
    assert!(own.len() > 15);
    for slice in [1, 13, 4096] {
        assert_eq!(said(&open(&bytes, slice).trace), own, "{slice}");
    }
    let stored = session::write(&opened.trace, &opened.files);
    let again = open(&stored, usize::MAX);
    assert_eq!(said(&again.trace), own);
    assert!(session::write(&again.trace, &again.files) == stored);
    let rebuilt = opened.trace.rebuilt(&mut opened.trace.places()).trace;
    assert_eq!(said(&rebuilt), own);
}

#[test]
fn a_session_next_to_another_file_keeps_them() {
    let opened = open(&recorded(), usize::MAX);
    let stored = session::write(&opened.trace, &opened.files);
    let other = r#"[{"ph": "X", "name": "a", "pid": 7, "tid": 1, "ts": 80861000000, "dur": 5}]"#;
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for bytes in [&stored[..], other.as_bytes()] {
        opener.begin_file("x");
        opener.push(bytes);
        opener.end_file();
    }
    assert_eq!(figures(&opener.finish().unwrap().trace), figures(&opened.trace));
}

#[test]
fn an_export_to_chrome_opens_as_the_same() {
    let opened = open(&recorded(), usize::MAX);
    let study = Study::new(opened.trace);
    let mut written = Vec::new();
    steplens_export::chrome::write(&study, &mut written).unwrap();
    let again = open(&written, usize::MAX);
    // The threads of that format are lanes.
    assert_eq!(without_threads(said(&again.trace)), without_threads(said(study.trace())));
    assert!(again.files[0].problems.is_empty());
}

#[test]
fn an_export_to_perfetto_has_each_value_and_each_instant() {
    let opened = open(&recorded(), usize::MAX);
    let study = Study::new(opened.trace);
    let mut written = Vec::new();
    steplens_export::perfetto::write(&study, &mut written).unwrap();
    let packets = Packets::decode(&written[..]).unwrap().packet;
    let mut names = BTreeMap::new();
    for track in packets.iter().filter_map(|packet| packet.track_descriptor.as_ref()) {
        names.insert(track.uuid(), track.name().to_owned());
    }
    let mut values: BTreeMap<String, (usize, f64, f64)> = BTreeMap::new();
    let mut found = 0;
    for event in packets.iter().filter_map(|packet| packet.track_event.as_ref()) {
        if let Some(value) = event.double_counter_value {
            let figure = values.entry(names[&event.track_uuid()].clone()).or_insert((0, value, value));
            *figure = (figure.0 + 1, figure.1.min(value), figure.2.max(value));
        }
        found += usize::from(event.r#type() == 3);
    }
    let wanted: BTreeMap<String, _> = figures(study.trace())
        .into_iter()
        .map(|((name, series), own)| (format!("{name} {series}"), own))
        .collect();
    assert_eq!(values, wanted);
    assert_eq!(found, study.trace().instants().len());
}

#[test]
fn a_window_and_devices_can_be_selected() {
    let bytes = recorded();
    let all = open(&bytes, usize::MAX).trace;
    let middle = all.unix_ns(all.span().start) + all.span().length().0 / 2;
    let end = all.unix_ns(all.span().end);
    let selected = |devices: Option<&str>, window| {
        let opener = Opener::new(CategoryRules::default(), Limits::default());
        let mut opener = opener.select(Selection::new(devices, window).unwrap());
        opener.begin_file("a.json");
        opener.push(&bytes);
        opener.end_file();
        opener.finish()
    };
    let some = selected(None, Some(middle..end)).unwrap().trace;
    for id in some.counters().ids() {
        let own = some.counters().get(id);
        let is_own = |other: &steplens_core::CounterId| {
            let other = all.counters().get(*other);
            (all.text(other.name), all.text(other.series)) == (some.text(own.name), some.text(own.series))
        };
        let whole = all.counters().ids().find(is_own).unwrap();
        let inside = all.counters().points(whole).map(|(at, value)| (all.unix_ns(at), value));
        let inside: Vec<_> = inside.filter(|(at, _)| (middle..end).contains(at)).collect();
        let before = all.counters().points(whole).map(|(at, value)| (all.unix_ns(at), value));
        let before = before.filter(|(at, _)| *at < middle).last();
        let wanted: Vec<_> = before.into_iter().chain(inside).collect();
        let got: Vec<_> = some.counters().points(id).map(|(at, value)| (some.unix_ns(at), value)).collect();
        assert_eq!(got, wanted);
    }
    let inside =
        all.instants().all().iter().filter(|own| (middle..end).contains(&all.unix_ns(own.at))).count();
    assert_eq!(some.instants().len(), inside);
    assert!(selected(Some("no such device"), None).is_err());
}

const HOSTILE: &str = r#"{"traceEvents": [
    {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 10, "dur": 5},
    {"ph": "C", "name": "c", "pid": 1, "ts": 30, "args": {"v": 3}},
    {"ph": "C", "name": "c", "pid": 1, "ts": 20, "args": {"v": 1}},
    {"ph": "C", "name": "c", "pid": 1, "ts": 20, "args": {"v": 2}},
    {"ph": "C", "name": "c", "pid": 1, "ts": 21, "args": {"v": NaN, "w": Infinity, "x": "high", "y": [1], "z": null, "n": 1e999}},
    {"ph": "C", "name": "c", "pid": 1, "ts": 22, "args": {"v": "7.5"}},
    {"ph": "C", "name": "c", "pid": 1, "ts": 22, "args": {}},
    {"ph": "C", "name": "c", "id": "gpu0", "pid": 1, "ts": 5, "args": {"v": -1e300}},
    {"ph": "C", "cat": "Memory", "name": "mine", "pid": 9, "ts": 5, "args": {"bytes": 4}},
    {"ph": "I", "name": "\u003cb>", "pid": 9, "tid": 3, "ts": 1, "args": {"x": NaN, "y": {"z": [1, 2]}}},
    {"ph": "R", "name": "mark", "ts": 2},
    {"ph": "i", "name": "far", "pid": 1, "s": "p", "ts": 1e30}
]}"#;

#[test]
fn what_is_no_number_is_counted_and_nothing_else_is_lost() {
    let opened = open(HOSTILE.as_bytes(), usize::MAX);
    let codes: Vec<_> = opened.files[0].problems.iter().map(|own| (&*own.code, own.count)).collect();
    assert_eq!(codes, [("time-out-of-range", 1), ("counter-value", 7)]);
    let wanted = [
        "device pid 1 c v [(20000, 1.0), (20000, 2.0), (22000, 7.5), (30000, 3.0)]",
        "device pid 1 c (gpu0) v [(5000, -1e300)]",
        "process pid 9 mine bytes [(5000, 4.0)]",
        r#"process pid 9 Thread(3) <b> 1000 Some("{\"x\": \"NaN\", \"y\": {\"z\": [1, 2]}}")"#,
        "process  Thread(4294967295) mark 2000 None",
    ];
    assert_eq!(said(&opened.trace), wanted);
    for slice in [1, 3] {
        assert_eq!(said(&open(HOSTILE.as_bytes(), slice).trace), wanted, "{slice}");
    }
    let stored = session::write(&opened.trace, &opened.files);
    assert_eq!(said(&open(&stored, usize::MAX).trace), wanted);
    let mut written = Vec::new();
    steplens_export::chrome::write(&Study::new(opened.trace), &mut written).unwrap();
    assert_eq!(
        without_threads(said(&open(&written, usize::MAX).trace)),
        without_threads(wanted.map(String::from).to_vec())
    );
}

/// Each of many counters has one value: the memory is that of a few words each.
#[test]
fn a_million_tracks_take_their_bytes() {
    let mut text = String::from(r#"[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 9}"#);
    let tracks = 100_000;
    for track in 0..tracks {
        text.push_str(&format!(r#",{{"ph":"C","name":"{track}","ts":{},"args":{{"":1}}}}"#, tracks - track));
    }
    text.push(']');
    let opened = open(text.as_bytes(), 1 << 16);
    assert_eq!(opened.trace.counters().len(), tracks);
    assert!(opened.trace.counters().heap_bytes() < tracks * 100);
    // Where the memory is full, what is left out is counted.
    let mut opener = Opener::new(CategoryRules::default(), Limits { memory_bytes: 4 << 20 });
    opener.begin_file("a.json");
    opener.push(text.as_bytes());
    opener.end_file();
    let opened = opener.finish().unwrap();
    let left_out = opened.files[0].problems.iter().find(|own| own.code == "samples-left-out").unwrap();
    assert_eq!(opened.trace.counters().len() + left_out.count as usize, tracks);
}

#[test]
fn a_step_alone_has_the_values_of_its_time_and_the_one_before() {
    let text = r#"{"traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 50},
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 100, "dur": 100},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 110, "dur": 50},
        {"ph": "C", "name": "c", "pid": 1, "ts": 50, "args": {"v": 1}},
        {"ph": "C", "name": "c", "pid": 1, "ts": 120, "args": {"v": 2}},
        {"ph": "C", "name": "c", "pid": 1, "ts": 250, "args": {"v": 3}},
        {"ph": "i", "name": "first", "pid": 1, "tid": 1, "ts": 20},
        {"ph": "i", "name": "second", "pid": 1, "tid": 1, "ts": 130}
    ]}"#;
    let trace = open(text.as_bytes(), usize::MAX).trace;
    let steps = Steps::divided(&trace, StepRule::default());
    assert_eq!(steps.rows().len(), 2);
    let second = steps.alone(&trace, 1).trace;
    let points: Vec<_> = second.counters().points(second.counters().ids().next().unwrap()).collect();
    let points: Vec<_> = points.iter().map(|(at, value)| (second.unix_ns(*at), value.get())).collect();
    assert_eq!(points, [(50_000, 1.0), (120_000, 2.0)]);
    let names: Vec<_> = second.instants().all().iter().map(|own| second.text(own.name)).collect();
    assert_eq!(names, ["second"]);
}

#[test]
fn redaction_hides_names_and_arguments_and_keeps_values() {
    let text = r#"[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 10, "dur": 5},
        {"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "zebrahost"}},
        {"ph": "C", "name": "unicorn load", "pid": 2, "ts": 30, "args": {"giraffe": 3}},
        {"ph": "i", "name": "llama came", "pid": 2, "ts": 30, "args": {"alpaca": "ostrich"}}]"#;
    let trace = open(text.as_bytes(), usize::MAX).trace;
    let key = Key::of_hex("00112233445566778899aabbccddeeff").unwrap();
    let redact = |included| Redaction::of(&trace, included, key, &Vocabulary::of(OP_TYPES)).trace();
    let hidden = said(&redact(Included::default())).join("\n");
    for word in ["zebrahost", "unicorn", "giraffe", "llama", "alpaca", "ostrich"] {
        assert!(!hidden.contains(word), "{word} in {hidden}");
    }
    assert!(hidden.contains("(30000, 3.0)") && hidden.contains(" 30000 None"), "{hidden}");
    assert_eq!(said(&redact(Included::ALL)), said(&trace));
    let names = said(&redact(Included::default().with(Kind::Names))).join("\n");
    assert!(names.contains("unicorn load") && names.contains("llama came") && !names.contains("ostrich"));
}

proptest! {
    #[test]
    fn any_values_survive_an_export(points in proptest::collection::vec((0..3_u8, 0..2_u8, -1_000_000..1_000_000_i64, proptest::num::f64::NORMAL), 1..80)) {
        let mut events = String::from(r#"[{"ph": "X", "name": "a", "pid": 0, "tid": 1, "ts": 0, "dur": 5}"#);
        for (process, name, at, value) in &points {
            events.push_str(&format!(
                r#", {{"ph": "C", "name": "c{name}", "pid": {process}, "ts": {at}, "args": {{"v": {value:?}}}}}"#
            ));
            events.push_str(&format!(r#", {{"ph": "i", "name": "i{name}", "pid": {process}, "s": "p", "ts": {at}}}"#));
        }
        events.push(']');
        let opened = open(events.as_bytes(), usize::MAX);
        prop_assert_eq!(opened.trace.counters().point_count(), points.len());
        let own = said(&opened.trace);
        let stored = session::write(&opened.trace, &opened.files);
        prop_assert_eq!(&said(&open(&stored, usize::MAX).trace), &own);
        let mut written = Vec::new();
        steplens_export::chrome::write(&Study::new(opened.trace), &mut written).unwrap();
        prop_assert_eq!(&said(&open(&written, usize::MAX).trace), &own);
    }
}
