//! Flames against plain readings: of PyTorch's JSON moment by moment, of name scopes op by op; and that bars lie within one another.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use steplens_core::base::units::Interval;
use steplens_core::questions::flame::Layers;
use steplens_core::questions::range::RangeQuery;
use steplens_core::{CategoryRules, Study, Timestamp};
use steplens_formats::{Limits, Opener};
use steplens_report::flame::{
    Detail, FlameAnswer, FlameName, FlameQuery, Focus, Measure, everything, write_folded,
};
use steplens_report::{kernels, ops};
use steplens_tests::fixtures::fixture;
use steplens_tests::samples::sample_folder;

fn study_of(name: &str, bytes: &[u8]) -> Study {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file(name);
    opener.push(bytes);
    opener.end_file();
    Study::new(opener.finish().unwrap().trace)
}

fn asked(study: &Study, layers: Layers, measure: Measure, focus: Focus, detail: Detail) -> FlameAnswer<'_> {
    let query =
        FlameQuery { range: kernels::everything(study), layers: Some(layers), measure, focus, detail };
    FlameAnswer::of(study, &query)
}

/// The time of each name: of its own, and with what ran in it.
type Times = BTreeMap<String, (i64, i64)>;

/// Microseconds as they are written, in nanoseconds: a double has no room for those of a date.
fn nanos(micros: &Value) -> i64 {
    let text = micros.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{part:0<3.3}").parse().unwrap()
}

/// Of each moment of each thread: it is of the event that started last among those that run, and is in every name that runs.
fn times_of(text: &str) -> Times {
    let json: Value = serde_json::from_str(text).unwrap();
    let mut threads: BTreeMap<String, Vec<(i64, i64, &str)>> = BTreeMap::new();
    for event in json["traceEvents"].as_array().unwrap() {
        let of_host = ["cpu_op", "user_annotation", "cuda_runtime", "cuda_driver"];
        if event["ph"] == "X" && of_host.iter().any(|cat| event["cat"] == *cat) {
            let start = nanos(&event["ts"]);
            let of_thread = threads.entry(format!("{} {}", event["pid"], event["tid"])).or_default();
            of_thread.push((start, start + nanos(&event["dur"]), event["name"].as_str().unwrap()));
        }
    }
    let mut times = Times::new();
    for events in threads.values() {
        let moments: BTreeSet<i64> = events.iter().flat_map(|&(start, end, _)| [start, end]).collect();
        let moments: Vec<i64> = moments.into_iter().collect();
        for between in moments.windows(2) {
            let [from, to] = [between[0], between[1]];
            let running: Vec<_> = events.iter().filter(|own| own.0 <= from && to <= own.1).collect();
            // Of two that start together, the shorter one is inside.
            let Some(inner) = running.iter().max_by_key(|own| (own.0, -own.1)) else { continue };
            times.entry(without_number(inner.2)).or_default().0 += to - from;
            let names: BTreeSet<&str> = running.iter().map(|own| own.2).collect();
            names.into_iter().for_each(|name| times.entry(without_number(name)).or_default().1 += to - from);
        }
    }
    times
}

/// How many events of the host have each name.
fn calls_of(text: &str) -> BTreeMap<String, usize> {
    let json: Value = serde_json::from_str(text).unwrap();
    let of_host = ["cpu_op", "user_annotation", "cuda_runtime", "cuda_driver"];
    let mut calls = BTreeMap::new();
    for event in json["traceEvents"].as_array().unwrap() {
        if event["ph"] == "X" && of_host.iter().any(|cat| event["cat"] == *cat) {
            *calls.entry(without_number(event["name"].as_str().unwrap())).or_default() += 1;
        }
    }
    calls
}

fn without_number(name: &str) -> String {
    name.split_once("ProfilerStep#").map_or_else(|| name.to_owned(), |_| "ProfilerStep".to_owned())
}

#[test]
fn times_of_real_traces_are_those_of_every_moment() {
    let Some(folder) = sample_folder("real/pytorch") else { return };
    let mut compared = 0;
    for name in ["h100-bert-small", "simple-add", "alexnet", "mi300-bert-small"] {
        let mut text = String::new();
        let file = fs::File::open(folder.join(format!("{name}.json.gz"))).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let study = study_of("trace.json", text.as_bytes());
        // Ranges may begin before the first op and end after the last one.
        let always = Interval { start: Timestamp(i64::MIN / 4), end: Timestamp(i64::MAX / 4) };
        let query = FlameQuery {
            range: RangeQuery::of(always),
            layers: Some(Layers::Ops),
            measure: Measure::Time,
            focus: Focus::All,
            detail: Detail::All,
        };
        let flame = FlameAnswer::of(&study, &query);
        let wanted = times_of(&text);
        // Of one marked step the calls after its end are not shown.
        let calls = calls_of(&text);
        let is_shown = |row: &FlameName<'_>| calls.get(row.name) == Some(&(row.count as usize));
        for row in flame.names.iter().filter(|row| row.total_ns > 0 && is_shown(row)) {
            let (own, total) = wanted.get(row.name).copied().unwrap_or_default();
            // The reader cuts a start and an end to nanoseconds, not a length.
            let near = |a: i64, b: i64| a.abs_diff(b) <= 4 * row.count.max(4);
            assert!(near(own, row.self_ns), "{name}: {} has {} of its own, not {own}", row.name, row.self_ns);
            assert!(near(total, row.total_ns), "{name}: {} has {}, not {total}", row.name, row.total_ns);
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

/// A module with an operator that calls itself and launches two kernels, one of them in the inner call; and a frame of Python.
fn small() -> Value {
    let event = |cat: &str, name: &str, tid: u32, ts: u32, dur: u32, args: Value| {
        let pid = if tid == 7 { 0 } else { 10 };
        json!({ "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
    };
    let of = |correlation: u32| json!({ "correlation": correlation });
    json!({ "schemaVersion": 1, "traceEvents": [
        event("python_function", "train.py(3): step", 1, 90, 200, json!({})),
        event("python_function", "nn.Module: Linear_0", 1, 100, 100, json!({})),
        event("cpu_op", "aten::mm", 1, 110, 80, json!({})),
        event("cpu_op", "aten::mm", 1, 120, 50, json!({})),
        event("cuda_runtime", "cudaLaunchKernel", 1, 130, 10, of(1)),
        event("cuda_runtime", "cudaLaunchKernel", 1, 175, 5, of(2)),
        event("cpu_op", "aten::add", 2, 100, 7, json!({})),
        event("kernel", "gemm", 7, 200, 30, json!({ "correlation": 1, "device": 0, "stream": 7 })),
        event("kernel", "gemm", 7, 240, 12, json!({ "correlation": 2, "device": 0, "stream": 7 })),
    ]})
}

fn bars(flame: &FlameAnswer<'_>) -> Vec<(u32, String, i64, i64, i64)> {
    let micros = |ns: i64| ns / 1000;
    let own = |bar: &steplens_report::flame::FlameBar<'_>| {
        (bar.depth, bar.name.to_owned(), micros(bar.total_ns), micros(bar.self_ns), micros(bar.gpu_ns))
    };
    flame.bars.iter().map(own).collect()
}

#[test]
fn bars_stand_on_what_they_ran_in() {
    let study = study_of("trace.json", small().to_string().as_bytes());
    let flame = everything(&study, None);
    assert_eq!(
        (flame.layers, flame.choices.as_slice()),
        (Some("modules"), ["modules", "ops", "python"].as_slice())
    );
    let row = |depth, name: &str, total, own, gpu| (depth, name.to_owned(), total, own, gpu);
    let wanted = [
        row(0, "nn.Module: Linear_0", 100, 20, 42),
        row(1, "aten::mm", 80, 25, 42),
        row(2, "aten::mm", 50, 40, 30),
        row(3, "cudaLaunchKernel", 10, 10, 30),
        row(2, "cudaLaunchKernel", 5, 5, 12),
        row(0, "aten::add", 7, 7, 0),
    ];
    assert_eq!(bars(&flame), wanted);
    // The step ends with its last kernel, and begins with its first op.
    let python = asked(&study, Layers::Python, Measure::Time, Focus::All, Detail::All);
    assert_eq!(bars(&python)[0], row(0, "train.py(3): step", 152, 52, 42));
    let ops = asked(&study, Layers::Ops, Measure::Time, Focus::All, Detail::All);
    assert_eq!(bars(&ops), {
        let mut without: Vec<_> = wanted[1..].to_vec();
        without.iter_mut().take(4).for_each(|own| own.0 -= 1);
        without
    });
    // What is in itself counts once.
    let mm = flame.names.iter().find(|own| own.name == "aten::mm").unwrap();
    assert_eq!((mm.count, mm.self_ns, mm.total_ns, mm.gpu_ns), (2, 65_000, 80_000, 42_000));
}

#[test]
fn one_name_has_what_is_in_it_and_what_is_around_it() {
    let study = study_of("trace.json", small().to_string().as_bytes());
    let row = |depth, name: &str, total, own, gpu| (depth, name.to_owned(), total, own, gpu);
    let of = |name: &str| Focus::Name(name.to_owned());
    let launch = asked(&study, Layers::Modules, Measure::Gpu, of("cudaLaunchKernel"), Detail::All);
    assert_eq!(bars(&launch), [row(0, "cudaLaunchKernel", 15, 15, 42)]);
    let around: Vec<_> = launch
        .outside
        .iter()
        .map(|bar| (bar.depth, bar.name, bar.total_ns / 1000, bar.gpu_ns / 1000))
        .collect();
    let wanted = [
        (0, "cudaLaunchKernel", 15, 42),
        (1, "aten::mm", 15, 42),
        // Of the inner one, within the outer one.
        (2, "aten::mm", 10, 30),
        (3, "nn.Module: Linear_0", 10, 30),
        (2, "nn.Module: Linear_0", 5, 12),
    ];
    assert_eq!(around, wanted);
    let path = Focus::Path(["nn.Module: Linear_0", "aten::mm", "gone"].map(str::to_owned).to_vec());
    let part = asked(&study, Layers::Modules, Measure::Time, path, Detail::All);
    assert_eq!(part.path, ["nn.Module: Linear_0", "aten::mm"]);
    assert_eq!(bars(&part)[0], row(0, "aten::mm", 80, 25, 42));
    let nothing = asked(&study, Layers::Modules, Measure::Time, of("gone"), Detail::All);
    assert!(nothing.bars.is_empty() && nothing.outside.is_empty());
}

#[test]
fn folded_stacks_add_up() {
    let study = study_of("trace.json", small().to_string().as_bytes());
    let mut text = Vec::new();
    write_folded(&everything(&study, None), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("nn.Module: Linear_0;aten::mm;aten::mm;cudaLaunchKernel 10000\n"), "{text}");
    let sum: i64 = text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap()).sum();
    assert_eq!(sum, 107_000);
}

#[test]
fn scopes_have_the_time_of_the_ops_whose_names_begin_so() {
    for name in ["ps4w", "mnist-adam", "lstm-while"] {
        let opened = fixture(name);
        let study = study_of("trace.pb", &opened.bytes);
        let flame = asked(&study, Layers::Scopes, Measure::Time, Focus::All, Detail::All);
        let mut text = Vec::new();
        ops::write_json(&study, &mut text).unwrap();
        let listed: Value = serde_json::from_slice(&text).unwrap();
        let mut wanted: BTreeMap<String, (i64, u64)> = BTreeMap::new();
        let mut transfers = 0;
        for op in listed["ops"].as_array().unwrap() {
            if op["op_type"] == "RecvTensor" {
                transfers += 1;
                continue;
            }
            let parts: Vec<&str> = op["name"].as_str().unwrap().split('/').collect();
            let length = op["end_ns"].as_i64().unwrap() - op["start_ns"].as_i64().unwrap();
            for depth in 1..=parts.len() {
                let sum = wanted.entry(parts[..depth].join("/")).or_default();
                sum.0 += length;
                sum.1 += u64::from(depth == parts.len());
            }
        }
        assert_eq!(flame.transfers_left_out, transfers, "{name}");
        let mut path: Vec<&str> = Vec::new();
        for bar in &flame.bars {
            path.truncate(bar.depth as usize);
            path.push(bar.name);
            assert_eq!(wanted.remove(&path.join("/")), Some((bar.total_ns, bar.count)), "{name}: {path:?}");
        }
        assert!(wanted.is_empty(), "{name}: {wanted:?}");
    }
}

/// Bars of `flame` lie next to one another within the one around them, and their own time and that of the bars on them adds up.
fn is_sound(flame: &FlameAnswer<'_>, width: fn(&steplens_report::flame::FlameBar<'_>) -> i64) {
    let mut open: Vec<(i64, i64)> = Vec::new();
    let mut end_at_depth: Vec<i64> = Vec::new();
    for bar in &flame.bars {
        let depth = bar.depth as usize;
        open.truncate(depth);
        end_at_depth.truncate(depth + 1);
        let end = bar.at_ns + width(bar);
        if let Some(&(from, to)) = open.last() {
            assert!(from <= bar.at_ns && end <= to, "a bar is not within the one around it");
        }
        match end_at_depth.get_mut(depth) {
            Some(before) => {
                assert!(*before <= bar.at_ns, "bars overlap");
                *before = end;
            }
            None => end_at_depth.push(end),
        }
        open.push((bar.at_ns, end));
    }
    let own: i64 = flame.bars.iter().map(|bar| bar.self_ns).sum();
    let bottom: i64 = flame.bars.iter().filter(|bar| bar.depth == 0).map(|bar| bar.total_ns).sum();
    assert_eq!((own, bottom), (flame.total_ns, flame.total_ns));
}

#[test]
fn bars_never_overlap_and_add_up_to_the_whole() {
    for name in ["ps4w", "multidev", "gpu/kernels"] {
        let study = study_of("trace.pb", &fixture(name).bytes);
        for layers in Layers::of(study.trace()) {
            let all = |measure| asked(&study, layers, measure, Focus::All, Detail::All);
            is_sound(&all(Measure::Time), |bar| bar.total_ns);
            is_sound(&all(Measure::Gpu), |bar| bar.gpu_ns);
            let seen = asked(&study, layers, Measure::Time, Focus::All, Detail::Seen);
            assert_eq!(seen.bars.len() + seen.left_out, all(Measure::Time).bars.len(), "{name}");
        }
    }
}

#[test]
fn what_ends_after_what_it_began_in_is_cut_and_said() {
    let event = |name: &str, ts: u32, dur: u32| json!({ "ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur });
    let json = json!({ "schemaVersion": 1, "traceEvents": [event("a", 0, 10), event("b", 5, 9)] });
    let study = study_of("trace.json", json.to_string().as_bytes());
    let flame = everything(&study, None);
    assert_eq!((flame.total_ns, flame.cut_ns), (10_000, 4_000));
}

/// A chain of a hundred thousand events, each in the one before, and a leaf in each of them: paths of a square of that.
#[test]
fn hostile_depth_costs_no_square() {
    let depth = 100_000_u64;
    let mut events = Vec::new();
    for level in 0..depth {
        let (ts, dur) = (level * 3, (depth - level) * 6);
        events.push(format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"{level}","pid":1,"tid":1,"ts":{ts},"dur":{dur}}},{{"ph":"X","cat":"cpu_op","name":"leaf","pid":1,"tid":1,"ts":{},"dur":1}}"#,
            ts + 1
        ));
    }
    let json = format!(r#"{{"schemaVersion":1,"traceEvents":[{}]}}"#, events.join(","));
    let study = study_of("trace.json", json.as_bytes());
    let flame = asked(&study, Layers::Ops, Measure::Time, Focus::Name("leaf".to_owned()), Detail::Seen);
    assert!(flame.shortened > 90_000, "{}", flame.shortened);
    let all = asked(&study, Layers::Ops, Measure::Time, Focus::All, Detail::All);
    assert_eq!(all.bars.len() as u64, 2 * depth);
    is_sound(&all, |bar| bar.total_ns);
}
