//! The queues of streams and what their copies moved, moment by moment, next to the events of the same files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use steplens_core::Study;
use steplens_report::counters::json;
use steplens_tests::opened::{open, study};
use steplens_tests::samples::sample;

/// A queue, or where copies go, of a stream.
type Key = (String, u64);

/// Time and value.
type Points = Vec<(i64, f64)>;

/// What the answer has of streams, by name, or for copies by where they go.
fn answered(study: &Study) -> (BTreeMap<Key, Points>, Value) {
    let answer: Value = serde_json::from_str(&json(study)).unwrap();
    let own = answer["counters"].as_array().unwrap().iter().filter(|own| own["is_recorded"] == false);
    let points = |own: &Value| {
        let (at, values) = (own["at_ns"].as_array().unwrap(), own["values"].as_array().unwrap());
        at.iter().zip(values).map(|(at, value)| (at.as_i64().unwrap(), value.as_f64().unwrap())).collect()
    };
    let key = |own: &Value| {
        let what = if own["name"] == "queue" { &own["name"] } else { &own["series"] };
        (what.as_str().unwrap().to_owned(), own["stream"].as_u64().unwrap())
    };
    (own.map(|own| (key(own), points(own))).collect(), answer)
}

/// The value at a moment: that of the last point at it or before.
fn at(points: &[(i64, f64)], moment: i64) -> f64 {
    points.iter().rev().find(|&&(at, _)| at <= moment).map_or(0.0, |&(_, value)| value)
}

/// A piece of work of a stream, in ns from 1970 or whenever the file counts from.
struct Work {
    stream: u64,
    name: String,
    start: i64,
    end: i64,
    bytes: f64,
    returned: Option<i64>,
}

fn nanos(number: &Value) -> i64 {
    // A double has no room for the nanoseconds of a date.
    number.as_i64().map_or_else(|| (number.as_f64().unwrap() * 1e3).round() as i64, |whole| whole * 1_000)
}

/// The work of streams as a plain reading of PyTorch's JSON has it.
fn work_of(file: &[u8]) -> Vec<Work> {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let events: Vec<&Value> =
        document["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X").collect();
    let end = |event: &Value| nanos(&event["ts"]) + nanos(&event["dur"]);
    let is = |event: &&&Value, words: [&str; 2]| words.iter().any(|&word| event["cat"] == word);
    let calls = events.iter().filter(|event| is(event, ["cuda_runtime", "cuda_driver"]));
    let returned: BTreeMap<u64, i64> =
        calls.filter_map(|call| Some((call["args"]["correlation"].as_u64()?, end(call)))).collect();
    let work =
        events.iter().filter(|event| is(event, ["kernel", "gpu_memcpy"]) || event["cat"] == "gpu_memset");
    let made = work.map(|event| Work {
        stream: event["args"]["stream"].as_u64().unwrap(),
        name: event["name"].as_str().unwrap().to_owned(),
        start: nanos(&event["ts"]),
        end: end(event),
        bytes: event["args"]["bytes"].as_f64().unwrap_or_default(),
        returned: event["args"]["correlation"].as_u64().and_then(|id| returned.get(&id).copied()),
    });
    made.collect()
}

/// The first part of what PyTorch calls a copy, and where it goes.
const WAYS: [(&str, &str); 4] = [
    ("Memcpy HtoD", "host-to-device"),
    ("Memcpy DtoH", "device-to-host"),
    ("Memcpy DtoD", "within-device"),
    ("Memcpy PtoP", "other-device"),
];

#[test]
fn at_every_change_the_levels_are_what_a_plain_count_of_the_events_says() {
    for file in ["alexnet", "h100-bert-small"] {
        let Some(bytes) = sample(&format!("real/pytorch/{file}.json.gz")) else { continue };
        let study = study(open(&[(file, &bytes)]));
        let (found, _) = answered(&study);
        let mut work = work_of(&bytes);
        // Where the trace's time begins, by an event that both have: the first work of any stream.
        let trace = study.trace();
        let on_gpu = trace.ops().ids().filter(|&op| trace.devices().get(trace.device_of(op)).is_accelerator);
        let origin = work.iter().map(|own| own.start).min().unwrap()
            - on_gpu
                .filter(|&op| !trace.nodes().is_range(trace.ops().node(op)))
                .map(|op| trace.ops().start(op).0)
                .min()
                .unwrap();
        for own in &mut work {
            (own.start, own.end) = (own.start - origin, own.end - origin);
            own.returned = own.returned.map(|at| (at - origin).min(own.start));
        }
        let mut compared = 0;
        for ((what, stream), points) in &found {
            let of_stream: Vec<&Work> = work.iter().filter(|own| own.stream == *stream).collect();
            // Enough of them, and spread over all: a plain count looks at every event each time.
            for &(moment, value) in points.iter().step_by(points.len() / 200 + 1) {
                let wanted = if what == "queue" {
                    let is_waiting =
                        |own: &&&Work| own.returned.is_some_and(|at| at <= moment) && own.start > moment;
                    of_stream.iter().filter(is_waiting).count() as f64
                } else {
                    let (name, _) = WAYS.iter().find(|(_, way)| way == what).unwrap();
                    let moving = of_stream
                        .iter()
                        .filter(|own| own.name.starts_with(name) && own.start <= moment && own.end > moment);
                    moving.map(|own| own.bytes / (own.end - own.start) as f64 * 1e9).sum()
                };
                assert!(
                    (value - wanted).abs() <= wanted * 1e-9,
                    "{file} {what} {stream} at {moment}: {value}, want {wanted}"
                );
                compared += 1;
            }
        }
        assert!(compared > 50, "{file}: {compared}");
        let queues = found.keys().filter(|(what, _)| what == "queue").count();
        assert!(queues > 0, "{file}: {:?}", found.keys());
    }
}

/// A Chrome trace of one stream: `count` kernels that are launched one a microsecond, and all start when the last is launched.
fn launched_ahead(count: i64) -> Study {
    let mut events = Vec::new();
    for row in 0..count {
        let args = format!(r#""args":{{"correlation":{},"device":0,"stream":7}}"#, row + 1);
        events.push(format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{row},"dur":1,{args}}}"#
        ));
        events.push(format!(
            r#"{{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":{},"dur":1,{args}}}"#,
            count + 10 + row
        ));
    }
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    study(open(&[("made.json", text.as_bytes())]))
}

#[test]
fn a_queue_is_full_from_1022_on() {
    // Of 1,030: the 1,022nd call returns at 1,022 µs, and the 9th kernel starts at 1,048.
    for (count, full_us) in [(1_021, 0), (1_022, 10), (1_030, 26)] {
        let (found, answer) = answered(&launched_ahead(count));
        let points = &found[&("queue".to_owned(), 7)];
        assert_eq!(at(points, count * 1_000), count as f64);
        assert_eq!(points.last().unwrap().1, 0.0);
        assert_eq!(answer["counters"][0]["full_ns"], full_us * 1_000, "{count}");
        assert_eq!(answer["counters"][0]["max"], count as f64);
    }
}
