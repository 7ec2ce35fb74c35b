//! Paddle profiles: exact counts against an independent reading, and every kind of record in small ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use steplens_core::questions::op_types::op_types;
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::{CategoryRules, OpId, Study, Trace};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::everything::everything;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::paddle::{Event, Memory, profile};

const NAMES: [&str; 3] = ["paddle-pserver0", "paddle-trainer0", "paddle-trainer1"];

fn sample(name: &str) -> Vec<u8> {
    bytes_of(&format!("containers/{name}.profile"))
}

/// Opens files, each with the name of its process, if it has one.
fn open<'a>(files: impl IntoIterator<Item = (Option<&'a str>, &'a [u8])>, slice: usize) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for (process, bytes) in files {
        opener.begin_file(process.unwrap_or("file"));
        process.into_iter().for_each(|process| opener.name_process(process));
        bytes.chunks(slice).for_each(|slice| opener.push(slice));
        opener.end_file();
    }
    opener.finish().unwrap()
}

fn open_one(bytes: &[u8]) -> Opened {
    open([(None, bytes)], usize::MAX)
}

fn devices(trace: &Trace) -> Vec<&str> {
    trace.devices().ids().map(|id| trace.text(trace.devices().get(id).name)).collect()
}

fn codes(opened: &Opened) -> Vec<(&str, u64)> {
    let problems = opened.files.iter().flat_map(|file| &file.problems);
    problems.map(|problem| (&*problem.code, problem.count)).collect()
}

fn op(trace: &Trace, name: &str) -> OpId {
    trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap()
}

/// How many ops have each name, and how long they are together.
fn by_name(trace: &Trace, ops: impl Iterator<Item = OpId>) -> BTreeMap<String, (u64, i64)> {
    let mut by_name: BTreeMap<String, (u64, i64)> = BTreeMap::new();
    for op in ops {
        let row = by_name.entry(trace.op_name(op).to_owned()).or_default();
        row.0 += 1;
        row.1 += trace.ops().interval(op).length().0;
    }
    by_name
}

/// What Python's protobuf says about the same.
fn counted(name: &str) -> Value {
    serde_json::from_slice::<Value>(&bytes_of("containers/paddle.json")).unwrap()[name].take()
}

fn counted_by_name(names: &[&str]) -> BTreeMap<String, (u64, i64)> {
    let mut all: BTreeMap<String, (u64, i64)> = BTreeMap::new();
    for name in names {
        for (event, figures) in counted(name)["by_name"].as_object().unwrap() {
            let row = all.entry(event.clone()).or_default();
            row.0 += figures["count"].as_u64().unwrap();
            row.1 += figures["total_ns"].as_i64().unwrap();
        }
    }
    all
}

#[test]
fn every_event_of_each_sample() {
    for name in NAMES {
        let (opened, counted) = (open_one(&sample(name)), counted(name));
        let trace = &opened.trace;
        let ops = trace.ops();
        assert_eq!((&*opened.files[0].format, codes(&opened)), ("paddle-profile", vec![]));
        assert_eq!(ops.len() as u64, counted["events"].as_u64().unwrap());
        assert_eq!(by_name(trace, ops.ids()), counted_by_name(&[name]));
        // Executors and the like are ranges: they may start before the step and end after it.
        let start = ops.ids().map(|op| ops.start(op)).min().unwrap();
        let end = ops.ids().map(|op| ops.end(op)).max().unwrap();
        assert_eq!(trace.unix_ns(start).to_string(), counted["first_start_ns"]);
        assert_eq!(trace.unix_ns(end).to_string(), counted["last_end_ns"]);
        assert_eq!(devices(trace), ["/device:CPU:0"]);
        let mut by_place: BTreeMap<String, u64> = BTreeMap::new();
        ops.ids().for_each(|op| *by_place.entry(format!("CPU 0 {}", ops.thread(op))).or_default() += 1);
        assert_eq!(serde_json::to_value(by_place).unwrap(), counted["by_place"]);
    }
}

#[test]
fn three_processes_are_three_devices() {
    let files = NAMES.map(sample);
    let processes = ["pserver0", "trainer0", "trainer1"];
    let named = open(processes.into_iter().map(Some).zip(files.iter().map(Vec::as_slice)), 1000);
    let task = |task: &str| format!("/job:{task}/device:CPU:0");
    let wanted =
        ["pserver/replica:0/task:0", "trainer/replica:0/task:0", "trainer/replica:0/task:1"].map(task);
    assert_eq!(devices(&named.trace), wanted);
    assert_eq!(codes(&named), []);
    assert_eq!(by_name(&named.trace, named.trace.ops().ids()), counted_by_name(&NAMES));
    for (device, name) in named.trace.devices().ids().zip(NAMES) {
        assert_eq!(by_name(&named.trace, named.trace.ops_of(device)), counted_by_name(&[name]));
    }

    let unnamed = open(files.iter().map(|file| (None, file.as_slice())), 1000);
    let wanted = [0, 1, 2].map(|number| task(&format!("process/replica:0/task:{number}")));
    assert_eq!(devices(&unnamed.trace), wanted);
    assert_eq!(codes(&unnamed), [("process-unnamed", 1); 3]);
    // One of them alone needs no name.
    let mixed = open([(Some("t0"), files[0].as_slice()), (None, files[1].as_slice())], 1000);
    assert_eq!(devices(&mixed.trace), ["/job:t/replica:0/task:0/device:CPU:0", "/device:CPU:0"]);
    assert_eq!(codes(&mixed), []);
}

#[test]
fn any_slices_and_packing_give_the_same_trace() {
    let file = sample(NAMES[0]);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&file).unwrap();
    let packed = encoder.finish().unwrap();
    let whole = everything(&Study::new(open_one(&file).trace));
    for slice in [1, 2, 47, 1000] {
        for (bytes, format) in [(&file, "paddle-profile"), (&packed, "paddle-profile.gz")] {
            let opened = open([(None, bytes.as_slice())], slice);
            assert_eq!(&*opened.files[0].format, format);
            assert!(whole == everything(&Study::new(opened.trace)), "slices of {slice} bytes of a {format}");
        }
    }
}

#[test]
fn nested_ranges_count_once() {
    for name in NAMES {
        let study = Study::new(open_one(&sample(name)).trace);
        let split = study.split(None, study.trace().span());
        assert_eq!(Some(split.busy.0), counted(name)["busy_ns"].as_i64());
        let query = RangeQuery::of(study.trace().span());
        let types = op_types(&study, &Range::of(&study, &query));
        let of_table: BTreeMap<String, (u64, i64)> = types
            .iter()
            .map(|row| (study.trace().text(row.op_type).to_owned(), (row.count, row.total.0)))
            .collect();
        // Neither phases nor the executor, which hold the same time again.
        let mut wanted = counted_by_name(&[name]);
        wanted.retain(|event, _| !event.contains(['/', ':']));
        assert_eq!(of_table, wanted);
    }
}

#[test]
fn the_phase_compute_is_the_kernel_of_its_op() {
    let opened = open_one(&sample(NAMES[0]));
    let (trace, ops) = (&opened.trace, opened.trace.ops());
    let phases: Vec<_> = ops.ids().filter(|&op| trace.op_name(op) == "adam/compute").collect();
    let mut kernels: Vec<_> =
        ops.ids().filter(|&op| trace.op_name(op) == "adam").map(|op| ops.kernel(op)).collect();
    kernels.sort_by_key(|kernel| kernel.start);
    assert_eq!(kernels, phases.iter().map(|&op| ops.interval(op)).collect::<Vec<_>>());
    assert_eq!(kernels.len(), 24);
}

/// A step with everything that the samples, recorded without a GPU, lack.
fn rich() -> Vec<u8> {
    let cpu = Event { device: 0, sub_device: 1, ..Event::default() };
    let gpu = Event { kind: 1, device: 2, sub_device: 7, ..Event::default() };
    profile(
        &[
            Event { name: "while", start_ns: 1_000, end_ns: 9_000, ..cpu },
            Event { name: "while/mul", start_ns: 2_000, end_ns: 4_000, device: 1, ..cpu },
            Event { name: "while/mul/compute", start_ns: 2_100, end_ns: 3_900, device: 1, ..cpu },
            Event {
                name: "c_allreduce_sum",
                start_ns: 5_000,
                end_ns: 8_000,
                device: 1,
                detail: "ring 0 (a) ] b",
                ..cpu
            },
            Event {
                name: "cudaLaunchKernel",
                start_ns: 2_200,
                end_ns: 2_300,
                device: -1,
                sub_device: 1 << 40,
                ..cpu
            },
            Event { name: "while/mul/compute", start_ns: 2_500, end_ns: 3_500, ..gpu },
            Event { name: "void gemm<float>(int)", start_ns: 3_500, end_ns: 3_600, ..gpu },
            Event {
                name: "MEMCPY_HtoD",
                start_ns: 1_500,
                end_ns: 1_900,
                copied: Some(4_096),
                sub_device: 8,
                ..gpu
            },
        ],
        &[
            Memory {
                start_ns: 2_150,
                end_ns: 7_000,
                bytes: 64,
                place: 0,
                device: 2,
                made_in: "while/mul/compute",
            },
            Memory {
                start_ns: 2_160,
                end_ns: 2_170,
                bytes: 100,
                place: 0,
                device: 2,
                made_in: "while/mul/compute",
            },
            Memory { start_ns: 2_180, end_ns: 0, bytes: 8, place: 1, device: 0, made_in: "while/mul" },
            Memory { start_ns: 1_200, end_ns: 1_300, bytes: 1, place: 2, device: 0, made_in: "while" },
            Memory { start_ns: 2_180, end_ns: 2_190, bytes: 8, place: 1, device: 0, made_in: "not recorded" },
            Memory { start_ns: 500, end_ns: 600, bytes: 8, place: 1, device: 0, made_in: "while/mul" },
        ],
    )
}

#[test]
fn blocks_streams_and_calls_are_devices() {
    let opened = open_one(&rich());
    let trace = &opened.trace;
    let wanted = [
        "/device:CPU:0",
        "/device:CPU:0/block:1",
        "/device:CPU:0/cuda_api",
        "/device:GPU:2/stream:7",
        "/device:GPU:2/stream:8",
    ];
    assert_eq!(devices(trace), wanted);
    let summary =
        serde_json::to_value(steplens_report::summary::of(&Study::new(open_one(&rich()).trace), &[]))
            .unwrap();
    let figures = |device: usize| {
        let device = &summary["devices"][device];
        ["kind", "ops", "compute_ns", "exposed_copy_ns", "exposed_communication_ns"]
            .map(|figure| device[figure].to_string())
    };
    // A loop only runs what its block holds, and calls are part of the ops that make them.
    assert_eq!(figures(0), ["\"cpu\"", "1", "0", "0", "0"]);
    assert_eq!(figures(1), ["\"cpu\"", "3", "2000", "0", "3000"]);
    assert_eq!(figures(2), ["\"cpu\"", "1", "0", "0", "0"]);
    assert_eq!(figures(3), ["\"stream\"", "2", "1100", "0", "0"]);
    assert_eq!(figures(4), ["\"stream\"", "1", "0", "400", "0"]);

    let op_type = |name: &str| trace.text(trace.nodes().op_type(trace.ops().node(op(trace, name))));
    assert_eq!([op_type("while/mul"), op_type("while/mul/compute")], ["mul", "mul/compute"]);
    let streams = trace.ops_of(trace.devices().ids().nth(3).unwrap());
    let kernels: Vec<_> = streams.map(|op| trace.text(trace.nodes().op_type(trace.ops().node(op)))).collect();
    assert_eq!(kernels, ["mul", "void gemm<float>"]);
    let reduce = op(trace, "c_allreduce_sum");
    assert_eq!(
        trace.text(trace.nodes().label(trace.ops().node(reduce))),
        "= c_allreduce_sum() ring 0 (a) ] b"
    );
    assert_eq!(op_type("c_allreduce_sum"), "c_allreduce_sum");
    let call = op(trace, "cudaLaunchKernel");
    let thread = trace.ops().thread(call);
    assert_eq!(trace.thread_name(trace.device_of(call), thread), Some("1099511627776"));
    let copy = op(trace, "MEMCPY_HtoD");
    assert_eq!(trace.outputs().requested_bytes(copy).0, 4_096);
}

#[test]
fn memory_belongs_to_the_op_that_made_it() {
    let opened = open_one(&rich());
    let trace = &opened.trace;
    // One was made in an event that was not recorded, one before its event began.
    assert_eq!(codes(&opened), [("unjoined-allocation", 2)]);
    /// Allocator; total, peak and live bytes; when how much was taken or given back.
    type Told = (String, [u64; 3], Vec<(i64, i64)>);
    let of = |name: &str| -> Vec<Told> {
        let op = op(trace, name);
        let start = trace.ops().start(op).0 + trace.origin_unix_ns();
        trace
            .memory()
            .of(op)
            .map(|(used, records)| {
                let records = records.map(|record| (start + record.after_start.0, record.bytes)).collect();
                let figures = [used.total, used.peak, used.live].map(|bytes| bytes.0);
                (trace.text(used.allocator).to_owned(), figures, records)
            })
            .collect()
    };
    let gpu = vec![(2_150, 64), (2_160, 100), (2_170, -100), (7_000, -64)];
    let wanted = [
        ("CUDAPlace(2)".to_owned(), [164, 164, 64], gpu),
        ("CPUPlace".to_owned(), [8, 8, 8], vec![(2_180, 8)]),
    ];
    assert_eq!(of("while/mul"), wanted);
    assert_eq!(of("while/mul/compute"), []);
    assert_eq!(of("while"), [("CUDAPinnedPlace".to_owned(), [1, 1, 0], vec![(1_200, 1), (1_300, -1)])]);
}

#[test]
fn clocks_without_a_date_are_set_beside_each_other() {
    const DAY: u64 = 86_400_000_000_000;
    let file = |start_ns: u64| {
        let first = Event { name: "mul", start_ns, end_ns: start_ns + 50, ..Event::default() };
        profile(&[first, Event { start_ns: start_ns + 70, end_ns: start_ns + 90, ..first }], &[])
    };
    let starts = |opened: &Opened| -> Vec<i64> {
        let trace = &opened.trace;
        trace.ops().ids().map(|op| trace.ops().start(op).0).collect()
    };
    let (a, b, c) = (file(40 * DAY), file(3 * DAY), file(3 * DAY + 20));
    let relative = open([(Some("a0"), &*a), (Some("b0"), &*b), (Some("b1"), &*c)], usize::MAX);
    assert_eq!(starts(&relative), [0, 70, 0, 70, 20, 90]);
    assert_eq!(codes(&relative), [("clock-is-relative", 1); 2]);
    assert_eq!(relative.files.iter().map(|file| file.problems.len()).collect::<Vec<_>>(), [0, 1, 1]);
    // Beside a file with a date, and what one machine recorded stays together.
    let dated = file(1_700_000_000_000_000_000);
    let mixed = open([(Some("b0"), &*b), (Some("d0"), &*dated), (Some("b1"), &*c)], usize::MAX);
    assert_eq!(starts(&mixed), [0, 70, 20, 90, 0, 70]);
    assert_eq!(mixed.trace.origin_unix_ns(), 1_700_000_000_000_000_000);
    let one_machine = open([(Some("b0"), &*b), (Some("b1"), &*c)], usize::MAX);
    assert_eq!((starts(&one_machine), codes(&one_machine)), (vec![0, 70, 20, 90], vec![]));
}

#[test]
fn files_without_ops_say_why() {
    let whole = profile(&[], &[]);
    let only_memory = profile(&[], &[Memory { start_ns: 1, end_ns: 2, bytes: 3, ..Memory::default() }]);
    for (file, code) in [(&whole, "no-ops"), (&only_memory, "no-ops")] {
        let error = Opener::open_bytes("p", file, CategoryRules::default()).err().unwrap();
        assert_eq!(error.kind.code(), code, "{error}");
        assert!(error.to_string().contains("Paddle"), "{error}");
    }
    let late = profile(&[Event { name: "a", start_ns: 1 << 63, end_ns: 1 << 63, ..Event::default() }], &[]);
    let error = Opener::open_bytes("p", &late, CategoryRules::default()).err().unwrap();
    assert_eq!(error.kind.code(), "no-ops-readable", "{error}");
}
