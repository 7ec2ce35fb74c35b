//! Allocations that profilers record as events: curves against the sums that the profiler itself wrote with each event.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use prost::Message;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Read;
use steplens_core::memory::{Account, Reading};
use steplens_core::{Bytes, CategoryRules, Study, Timestamp};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::fixtures::bytes_of;
use steplens_tests::samples::sample_folder;

fn open(name: &str, bytes: &[u8]) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file(name);
    opener.push(bytes);
    opener.end_file();
    opener.finish().unwrap()
}

/// One event as the file has it: time in ns from 1970, bytes, what is in use after it, address.
#[derive(Clone, Copy)]
struct Event {
    at: i64,
    bytes: i64,
    in_use: i64,
    address: i64,
}

type ByAllocator = BTreeMap<String, Vec<Event>>;

/// The `[memory]` events of PyTorch's JSON, read by serde.
fn of_torch(bytes: &[u8]) -> ByAllocator {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let base = document["baseTimeNanoseconds"].as_i64().unwrap_or(0);
    let mut found = ByAllocator::new();
    for event in
        document["traceEvents"].as_array().unwrap().iter().filter(|event| event["name"] == "[memory]")
    {
        let number = |key: &str| event["args"][key].as_i64().unwrap();
        let kind = ["cpu", "cuda", "", "", "", "", "hip"][number("Device Type") as usize];
        let index = number("Device Id");
        let allocator = if index < 0 { kind.to_owned() } else { format!("{kind}:{index}") };
        // Micros with three digits at most after the point.
        let at = (event["ts"].as_f64().unwrap() * 1_000.0).round() as i64 + base;
        let (bytes, in_use, address) = (number("Bytes"), number("Total Allocated"), number("Addr"));
        found.entry(allocator).or_default().push(Event { at, bytes, in_use, address });
    }
    found
}

#[derive(Message)]
struct XSpace {
    #[prost(message, repeated, tag = "1")]
    planes: Vec<XPlane>,
}

#[derive(Message)]
struct XPlane {
    #[prost(message, repeated, tag = "3")]
    lines: Vec<XLine>,
    #[prost(map = "int64, message", tag = "4")]
    event_metadata: HashMap<i64, Metadata>,
    #[prost(map = "int64, message", tag = "5")]
    stat_metadata: HashMap<i64, Metadata>,
    #[prost(message, repeated, tag = "6")]
    stats: Vec<XStat>,
}

#[derive(Message)]
struct XLine {
    #[prost(int64, tag = "3")]
    timestamp_ns: i64,
    #[prost(message, repeated, tag = "4")]
    events: Vec<XEvent>,
}

#[derive(Message)]
struct XEvent {
    #[prost(int64, tag = "1")]
    metadata_id: i64,
    #[prost(int64, tag = "2")]
    offset_ps: i64,
    #[prost(message, repeated, tag = "4")]
    stats: Vec<XStat>,
}

#[derive(Message)]
struct XStat {
    #[prost(int64, tag = "1")]
    metadata_id: i64,
    #[prost(uint64, optional, tag = "3")]
    uint64: Option<u64>,
    #[prost(int64, optional, tag = "4")]
    int64: Option<i64>,
    #[prost(uint64, optional, tag = "7")]
    reference: Option<u64>,
}

#[derive(Message, PartialEq)]
struct Metadata {
    #[prost(string, tag = "2")]
    name: String,
}

/// The memory events of an XSpace, read by prost.
fn of_xspace(bytes: &[u8]) -> ByAllocator {
    let mut found = ByAllocator::new();
    let space = XSpace::decode(bytes).unwrap();
    let start = space.planes.iter().find_map(|plane| {
        let own = plane
            .stats
            .iter()
            .find(|stat| plane.stat_metadata[&stat.metadata_id].name == "profile_start_time");
        own.and_then(|stat| stat.uint64.map(|start| start as i64).or(stat.int64))
    });
    let start = start.unwrap_or(0);
    for (plane, line) in
        space.planes.iter().flat_map(|plane| plane.lines.iter().map(move |line| (plane, line)))
    {
        for event in &line.events {
            let name = plane.event_metadata.get(&event.metadata_id).map_or("", |metadata| &metadata.name);
            let sign = match name {
                "MemoryAllocation" => 1,
                "MemoryDeallocation" => -1,
                _ => continue,
            };
            let stat = |name: &str| {
                event.stats.iter().find(|stat| plane.stat_metadata[&stat.metadata_id].name == name)
            };
            let number =
                |name: &str| stat(name).and_then(|stat| stat.int64.or(stat.uint64.map(|value| value as i64)));
            let named = stat("allocator_name").and_then(|stat| stat.reference);
            let allocator = match named {
                Some(id) => plane.stat_metadata[&(id as i64)].name.clone(),
                None => format!("device:{}", number("index_on_host").unwrap()),
            };
            let base = if line.timestamp_ns < start { start } else { 0 };
            found.entry(allocator).or_default().push(Event {
                at: base + line.timestamp_ns + event.offset_ps.div_euclid(1_000),
                bytes: sign * number("allocation_bytes").unwrap_or(0),
                in_use: number("bytes_allocated").unwrap(),
                address: number("addr").unwrap(),
            });
        }
    }
    found.values_mut().for_each(|events| events.sort_by_key(|event| event.at));
    found
}

/// The events of `recorded`, whose frees may lack their sizes, as the sum of bytes since the first of them; by time.
fn sums(recorded: &[Event]) -> BTreeMap<i64, i64> {
    let (mut sizes, mut sum, mut sums) = (HashMap::new(), 0, BTreeMap::new());
    for event in recorded {
        let bytes = match event.bytes {
            0 => -sizes.remove(&event.address).unwrap_or(0),
            bytes => bytes,
        };
        sizes.insert(event.address, bytes.abs());
        sum += bytes;
        sums.insert(event.at, sum);
    }
    sums
}

fn account<'a>(study: &'a Study, allocator: &str) -> &'a Account {
    let accounts = &study.memory(Reading::Records).accounts;
    let mut own = accounts.iter().filter(|account| study.trace().text(account.allocator) == allocator);
    let found = own.next().unwrap_or_else(|| panic!("no account {allocator}"));
    assert!(own.next().is_none(), "{allocator} has two accounts");
    found
}

/// Compares every account with the events. Returns how many moments agreed with what the profiler says is in use, and how many did not.
fn compare(study: &Study, recorded: &ByAllocator, name: &str) -> (usize, usize) {
    let (mut equal, mut other) = (0, 0);
    assert_eq!(study.memory(Reading::Records).accounts.len(), recorded.len(), "{name}");
    for (allocator, events) in recorded {
        let account = account(study, allocator);
        let at = |unix_ns: i64| Timestamp(unix_ns - study.trace().unix_ns(Timestamp(0)));
        let sums = sums(events);
        let before = account.before.0 as i64;
        for (&time, &sum) in &sums {
            assert_eq!(
                account.curve.at(at(time)),
                Bytes((before + sum) as u64),
                "{name} {allocator} at {time}"
            );
        }
        // What is in use that no event tells is the same at every moment, if the profiler saw all of them.
        let last: BTreeMap<i64, i64> = events.iter().map(|event| (event.at, event.in_use)).collect();
        let beyond: Vec<i64> = last.iter().map(|(time, in_use)| in_use - sums[time]).collect();
        let most = beyond.iter().filter(|own| **own == beyond[0]).count();
        equal += most;
        other += beyond.len() - most;
    }
    (equal, other)
}

#[test]
fn curves_are_the_sums_that_pytorch_wrote() {
    let Some(folder) = sample_folder("real/pytorch") else { return };
    for (name, allocator, device) in
        [("h100-bert-small", "cuda:0", "python3 GPU 0"), ("mi300-bert-small", "hip:0", "python3 GPU 2")]
    {
        let bytes = fs::read(folder.join(format!("{name}.json.gz"))).unwrap();
        let opened = open("trace.json.gz", &bytes);
        let recorded = of_torch(&bytes);
        assert_eq!(recorded.values().map(Vec::len).sum::<usize>(), 236, "{name}");
        let study = Study::new(opened.trace);
        let (equal, other) = compare(&study, &recorded, name);
        assert_eq!(other, 0, "{name}: {equal} moments agree");
        let account = account(&study, allocator);
        let trace = study.trace();
        let owner = trace.text(trace.devices().get(account.device.unwrap()).name);
        assert_eq!(owner, device, "{name}");
        // Memory from before the trace: PyTorch's figure for memory in use, minus the events of the trace.
        let first = recorded[allocator][0];
        let beyond = first.in_use - first.bytes - account.before.0 as i64;
        assert_eq!(account.beyond, Some(Bytes(beyond as u64)), "{name}");
    }
}

#[test]
fn curves_are_the_sums_of_xspace_events() {
    let own = bytes_of("containers/tf2.xplane.pb");
    let mut files = vec![("tf2".to_owned(), own)];
    if let Some(folder) = sample_folder("real/xspace") {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
        names.sort();
        files.extend(
            names.into_iter().map(|path| {
                (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
            }),
        );
    }
    for (name, bytes) in files {
        let opened = open("profile.xplane.pb", &bytes);
        let study = Study::new(opened.trace);
        let (equal, other) = compare(&study, &of_xspace(&bytes), &name);
        assert!(equal > 0 && other == 0, "{name}: {equal} moments agree, {other} do not");
    }
}

/// A document of PyTorch's with one thread: `outer` from 100 to 200 µs with `inner` from 120 to 150 in it, and then `later`.
fn document(memory: &str) -> String {
    let op = |name: &str, ts: u32, dur: u32| {
        format!(r#"{{"ph":"X","cat":"cpu_op","name":"{name}","pid":7,"tid":1,"ts":{ts},"dur":{dur}}}"#)
    };
    let gpu = r#"{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":130,"dur":9}"#;
    let named = |pid: u32, label: &str| {
        format!(
            r#"{{"ph":"M","name":"process_name","pid":{pid},"ts":0,"args":{{"name":"python"}}}},{{"ph":"M","name":"process_labels","pid":{pid},"ts":0,"args":{{"labels":"{label}"}}}}"#
        )
    };
    let ops = [op("outer", 100, 100), op("inner", 120, 30), op("later", 300, 50)].join(",");
    format!("{{\"traceEvents\":[{},{},{ops},{gpu},{memory}]}}", named(7, "CPU"), named(0, "GPU 0"))
}

fn memory(tid: u32, ts: u32, bytes: i64, address: u32, total: u32) -> String {
    format!(
        r#"{{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":7,"tid":{tid},"ts":{ts},"args":{{"Bytes":{bytes},"Addr":{address},"Device Id":0,"Device Type":1,"Total Allocated":{total}}}}}"#
    )
}

#[test]
fn an_allocation_is_of_the_innermost_op_and_is_freed_by_its_address() {
    let events = [
        // Of inner; freed during later, after another of the same size that outer made.
        memory(1, 130, 64, 0x10, 1_064),
        memory(1, 160, 64, 0x20, 1_128),
        memory(1, 170, -64, 0x20, 1_064),
        memory(1, 310, -64, 0x10, 1_000),
        // The address again, and never freed.
        memory(1, 320, 32, 0x10, 1_032),
        // There before.
        memory(1, 330, -500, 0x30, 532),
        // Between two ops, and on a thread without any.
        memory(1, 250, 8, 0x40, 540),
        memory(9, 330, 16, 0x50, 556),
    ];
    let opened = open("trace.json", document(&events.join(",")).as_bytes());
    let notes: Vec<_> =
        opened.files.iter().flat_map(|file| &file.problems).map(|problem| &*problem.code).collect();
    assert_eq!(notes, ["allocations-without-op", "allocations-between-ops"]);
    let study = Study::new(opened.trace);
    let (trace, account) = (study.trace(), account(&study, "cuda:0"));
    assert_eq!(trace.text(trace.devices().get(account.device.unwrap()).name), "python GPU 0");
    let mut lives: Vec<_> = account
        .lives
        .iter()
        .map(|life| {
            let time = |at: Option<Timestamp>| at.map(|at| at.0 / 1_000 + 100);
            (trace.op_name(life.op), life.bytes.0, time(life.allocated), time(life.freed))
        })
        .collect();
    lives.sort();
    assert_eq!(
        lives,
        [
            ("inner", 8, Some(250), None),
            ("inner", 64, Some(130), Some(310)),
            ("later", 32, Some(320), None),
            ("later", 500, None, Some(330)),
            ("outer", 64, Some(160), Some(170)),
        ]
    );
    assert_eq!(account.before, Bytes(500));
    assert_eq!(account.peak().0, Bytes(628));
}

#[test]
fn reserved_bytes_and_graphs_are_left_out_and_counted() {
    let reserved = |at: u32| memory(1, at, 64, at, 64).replace("}}", ",\"Total Reserved\":2097152}}");
    let launch = r#"{"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":7,"tid":1,"ts":305,"dur":3,"args":{"correlation":5}}"#;
    let notes = |events: &[String]| -> Vec<(String, String)> {
        let opened = open("trace.json", document(&events.join(",")).as_bytes());
        let problems = opened.files.iter().flat_map(|file| &file.problems);
        assert!(problems.clone().all(|problem| problem.is_note()));
        let said = problems
            .map(|problem| (problem.code.to_string(), problem.detail.split(' ').next().unwrap().to_owned()));
        said.collect()
    };
    assert_eq!(notes(&[memory(1, 130, 64, 0x10, 64)]), []);
    let both = notes(&[reserved(130), reserved(140), memory(1, 145, 8, 0x90, 200), launch.to_owned()]);
    let counted = |code: &str, count: &str| (code.to_owned(), count.to_owned());
    assert_eq!(both, [counted("reserved-not-shown", "2"), counted("graphs-launched", "1")]);
    // Nothing is missing where no memory was recorded.
    assert_eq!(notes(&[launch.to_owned()]), []);
}
