//! What PyTorch's host did: allocation, input with all that runs inside it, processes that have a GPU's number, op types by place, and
//! memory whose events say no addresses.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;
use steplens_core::gpu::accelerators::accelerators;
use steplens_core::memory::{Basis, Reading};
use steplens_core::questions::op_types::{Place, op_types};
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::timeline::nesting::pieces;
use steplens_core::{Bytes, Category, CategoryRules, OpId, Study, Timestamp, Trace};
use steplens_formats::{Limits, Opened, Opener};
use steplens_tests::samples::sample;

fn open(bytes: &[u8]) -> Opened {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("trace.json");
    opener.push(bytes);
    opener.end_file();
    opener.finish().unwrap()
}

/// A trace of PyTorch's profiler with these events.
fn torch(events: &[Value]) -> Opened {
    open(json!({ "schemaVersion": 1, "traceEvents": events }).to_string().as_bytes())
}

fn event(category: &str, name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64)) -> Value {
    json!({ "ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {} })
}

fn named(name: &str, pid: i64, given: &str) -> Value {
    let key = if name == "process_name" { "name" } else { "labels" };
    json!({ "ph": "M", "name": name, "pid": pid, "tid": 0, "ts": 0, "args": { key: given } })
}

fn op(trace: &Trace, name: &str) -> OpId {
    trace.ops().ids().find(|&op| trace.op_name(op) == name).unwrap()
}

fn device_name(trace: &Trace, op: OpId) -> &str {
    trace.text(trace.devices().get(trace.device_of(op)).name)
}

#[test]
fn calls_that_get_or_give_back_memory_are_allocation() {
    let of = |name: &str| {
        let opened = torch(&[event("cuda_runtime", name, (7, 7), (0, 10))]);
        opened.trace.category(op(&opened.trace, name))
    };
    for name in [
        "hipFree",
        "hipMalloc",
        "hipHostMalloc",
        "cudaMalloc",
        "cudaFree",
        "cudaMallocAsync",
        "cudaFreeAsync",
        "cudaHostAlloc",
        "cudaFreeHost",
        "cuMemAlloc_v2",
        "cuMemFree_v2",
        "cuMemCreate",
        "cuMemAddressReserve",
        "cuMemUnmap",
        "cudaHostRegister",
    ] {
        assert_eq!(of(name), Category::Allocation, "{name}");
    }
    for name in ["cudaLaunchKernel", "hipMemcpyAsync", "cudaMemsetAsync"] {
        assert_eq!(of(name), Category::Launch, "{name}");
    }
    // They hand nothing to a GPU, and get no memory.
    for name in ["cudaGraphAddMemAllocNode", "cudaMemGetInfo"] {
        assert_eq!(of(name), Category::Compute, "{name}");
    }
    assert_eq!(of("cudaStreamSynchronize"), Category::Waiting);
    // It is a part of the whole, between launches and waiting.
    let opened = torch(&[
        event("cuda_runtime", "cudaLaunchKernel", (7, 1), (0, 10)),
        event("cuda_runtime", "hipFree", (7, 2), (5, 20)),
        event("cuda_runtime", "cudaStreamSynchronize", (7, 3), (20, 20)),
    ]);
    let study = Study::new(opened.trace);
    let split = study.split(None, study.trace().span());
    assert_eq!(
        [split.exposed_launch.0, split.exposed_allocation.0, split.exposed_waiting.0, split.idle.0],
        [10_000, 15_000, 15_000, 0]
    );
}

#[test]
fn what_runs_inside_a_data_loader_is_input() {
    let loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    let host = (7, 7);
    let opened = torch(&[
        event("user_annotation", loader, host, (0, 100)),
        event("cpu_op", "aten::stack", host, (0, 40)),
        event("cpu_op", "aten::cat", host, (10, 20)),
        event("cuda_runtime", "cudaHostAlloc", host, (60, 40)),
        event("user_annotation", "a mark", host, (20, 5)),
        event("cpu_op", "aten::cat", host, (110, 30)),
        event("cpu_op", "aten::cat", (7, 8), (10, 20)),
    ]);
    let trace = &opened.trace;
    let categories = |name: &str| -> Vec<(Category, &str)> {
        let own = trace.ops().ids().filter(|&op| trace.op_name(op) == name);
        own.map(|op| (trace.category(op), trace.text(trace.nodes().reason(trace.ops().node(op))))).collect()
    };
    let inside = (Category::Input, "runs inside a DataLoader");
    assert_eq!(categories("aten::stack"), [inside]);
    assert_eq!(categories("cudaHostAlloc"), [inside]);
    assert_eq!(categories("a mark"), [(Category::Range, "cat=user_annotation")]);
    // Another thread, and what comes later, are no part of it.
    let own = (Category::Compute, "cat=cpu_op");
    let mut cats = categories("aten::cat");
    cats.sort_by_key(|(category, _)| *category);
    assert_eq!(cats, [own, own, inside]);
    let study = Study::new(opened.trace);
    let input: i64 = own_time(study.trace(), Category::Input);
    assert_eq!(input, 100_000, "the loader's event with all that is in it");
}

/// The own time of all ops of a category, on devices whose ops nest.
fn own_time(trace: &Trace, category: Category) -> i64 {
    let nests = trace.devices().ids().filter(|&device| trace.devices().get(device).nests);
    let pieces = nests.flat_map(|device| pieces(trace, device));
    pieces.filter(|piece| trace.category(piece.op) == category).map(|piece| piece.interval.length().0).sum()
}

/// A user's pattern counts more, whether it is there from the start or comes later.
#[test]
fn a_pattern_counts_more_than_where_an_op_runs() {
    let rules = CategoryRules::new(&["DataLoader".to_owned()]).unwrap();
    let text = json!({ "schemaVersion": 1, "traceEvents": [
        event("user_annotation", "enumerate(DataLoader)#x.__next__", (7, 7), (0, 100)),
        event("cpu_op", "aten::cat", (7, 7), (10, 20)),
    ] });
    let read = |rules: CategoryRules| {
        let mut opener = Opener::new(rules, Limits::default());
        opener.begin_file("trace.json");
        opener.push(text.to_string().as_bytes());
        opener.end_file();
        opener.finish().unwrap().trace
    };
    let later = std::sync::Arc::new(read(CategoryRules::default())).with_patterns(&rules);
    let of = |trace: &Trace| -> Vec<Category> { trace.ops().ids().map(|op| trace.category(op)).collect() };
    assert_eq!(of(&read(rules)), of(&later));
    assert_eq!(of(&later), [Category::Communication, Category::Input]);
}

/// The figure of the sample, and what it was: the union of the loader's events on their threads, read by serde.
#[test]
fn the_loader_of_a_real_trace_has_all_of_its_time() {
    let Some(bytes) = sample("real/pytorch/v100-resnet50.json.gz") else { return };
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let is_loader = |event: &&Value| {
        event["ph"] == "X"
            && event["name"].as_str().is_some_and(|name| name.starts_with("enumerate(DataLoader)"))
    };
    let mut spans: Vec<(i64, i64)> = (document["traceEvents"].as_array().unwrap().iter().filter(is_loader))
        .map(|event| {
            let us = |key: &str| (event[key].as_f64().unwrap() * 1_000.0).round() as i64;
            (us("ts"), us("ts") + us("dur"))
        })
        .collect();
    spans.sort_unstable();
    let (mut union, mut reached) = (0, i64::MIN);
    for (start, end) in spans {
        union += (end - start.max(reached)).max(0);
        reached = reached.max(end);
    }
    let opened = open(&bytes);
    assert!(union > 0);
    assert_eq!(own_time(&opened.trace, Category::Input), union);
}

#[test]
fn a_host_whose_number_a_gpu_has_is_no_gpu() {
    let meta = [
        named("process_name", 1, "python"),
        named("process_labels", 1, "CPU"),
        named("process_name", 0, "python"),
        named("process_labels", 0, "GPU 0"),
        named("process_name", 1, "python"),
        named("process_labels", 1, "GPU 1"),
    ];
    let host = event("cpu_op", "aten::mm", (1, 1), (0, 10));
    let kernel = |pid| event("kernel", "gemm", (pid, 7), (5, 10));
    let names = |events: &[Value]| {
        let opened = torch(events);
        let trace = &opened.trace;
        let found: Vec<String> = accelerators(trace).iter().map(|one| one.name.to_owned()).collect();
        (device_name(trace, op(trace, "aten::mm")).to_owned(), found)
    };
    let with = |more: &[Value]| [&meta[..], more].concat();
    let wanted =
        |gpus: &[&str]| ("python CPU".to_owned(), gpus.iter().map(|&gpu| gpu.to_owned()).collect::<Vec<_>>());
    assert_eq!(names(&with(&[host.clone(), kernel(0)])), wanted(&["python GPU 0"]));
    // The GPU of that number worked, too: they are two devices, whichever comes first.
    assert_eq!(names(&with(&[host.clone(), kernel(1)])), wanted(&["python GPU 1"]));
    assert_eq!(names(&with(&[kernel(1), host])), wanted(&["python GPU 1"]));
}

#[test]
fn op_types_begin_with_the_kernels_of_gpus() {
    let opened = torch(&[
        event("cpu_op", "Torch-Compiled Region", (7, 7), (0, 100)),
        event("cuda_runtime", "cudaLaunchKernel", (7, 7), (10, 20)),
        event("kernel", "gemm", (0, 7), (50, 30)),
        event("gpu_memcpy", "Memcpy HtoD", (0, 7), (90, 10)),
    ]);
    let study = Study::new(opened.trace);
    let rows = op_types(&study, &Range::of(&study, &RangeQuery::of(study.trace().span())));
    let found: Vec<_> =
        rows.iter().map(|row| (study.trace().text(row.op_type), row.place, row.own.0)).collect();
    assert_eq!(
        found,
        [
            ("gemm", Place::Accelerator, 30_000),
            ("Memcpy HtoD", Place::Accelerator, 10_000),
            ("Torch-Compiled Region", Place::Host, 80_000),
            ("cudaLaunchKernel", Place::Host, 20_000),
        ]
    );
    let text = steplens_report::ops::types(&study, &RangeQuery::of(study.trace().span()));
    let said: Value = serde_json::from_str(&text).unwrap();
    let shares: Vec<_> =
        said.as_array().unwrap().iter().map(|row| row["share_ppm"].as_i64().unwrap()).collect();
    assert_eq!(shares, [750_000, 250_000, 800_000, 200_000], "of each place");
}

fn memory(ts: i64, args: Value) -> Value {
    json!({ "ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 7, "tid": 7, "ts": ts, "args": args })
}

/// The only account of records, and the curve after each moment in µs.
fn curve(events: &[Value], moments: &[i64]) -> (Basis, usize, Vec<u64>, u64, Option<u64>) {
    let ops = [event("cpu_op", "aten::a", (7, 7), (0, 50)), event("cpu_op", "aten::b", (7, 7), (50, 50))];
    let opened = torch(&[&ops[..], events].concat());
    let study = Study::new(opened.trace);
    let memory = study.memory(Reading::Records);
    let [account] = memory.accounts.as_slice() else { panic!("one account") };
    let name = study.trace().text(account.allocator);
    assert!(name.starts_with("cuda:0"), "{name}");
    let levels = moments.iter().map(|&at| account.curve.at(Timestamp(at * 1_000)).0).collect();
    (account.basis, account.lives.len(), levels, account.before.0, account.beyond.map(|Bytes(bytes)| bytes))
}

#[test]
fn memory_without_addresses_has_a_curve_and_no_lives() {
    let own = |ts: i64, bytes: i64| memory(ts, json!({ "Device Type": 1, "Device Id": 0, "Bytes": bytes }));
    let events = [own(10, 100), own(20, 50), own(30, -120), own(60, 10), own(70, -60)];
    // The sum of all bytes up to each moment, above what must have been there before: 20.
    let found = curve(&events, &[5, 10, 20, 30, 60, 70]);
    assert_eq!(found, (Basis::Sums, 0, vec![20, 120, 170, 50, 60, 0], 20, None));
    // With addresses lives are known.
    let known = |ts: i64, bytes: i64| {
        memory(ts, json!({ "Device Type": 1, "Device Id": 0, "Bytes": bytes, "Addr": 1 }))
    };
    assert_eq!(
        curve(&[known(10, 100), known(20, -100)], &[10, 20]),
        (Basis::Lives, 1, vec![100, 0], 0, None)
    );
}

#[test]
fn memory_of_totals_alone_has_a_curve() {
    let own = |ts: i64, total: i64| {
        memory(
            ts,
            json!({ "Device Type": 1, "Device Id": 0, "Total Allocated": total, "Total Reserved": 500 }),
        )
    };
    let events = [own(10, 100), own(20, 300), own(30, 50), own(60, 300)];
    let (basis, lives, levels, before, beyond) = curve(&events, &[5, 20, 30, 60]);
    // What the first one says was there before it; the least of it is known by what was freed.
    assert_eq!((basis, lives, before), (Basis::Sums, 0, 50));
    assert_eq!(levels, [50, 250, 0, 250]);
    assert_eq!(beyond, Some(50), "curve and total differ by one constant");
}

#[test]
fn the_report_says_that_lives_are_not_known() {
    let own = |ts: i64, bytes: i64| memory(ts, json!({ "Device Type": 1, "Device Id": 0, "Bytes": bytes }));
    let opened = torch(&[event("cpu_op", "aten::a", (7, 7), (0, 50)), own(10, 100), own(20, -100)]);
    let study = Study::new(opened.trace);
    let said: Value = serde_json::from_str(&steplens_report::memory::json(&study, &[])).unwrap();
    assert_eq!(said["recorded_by"], Value::Null);
    assert_eq!(said["accounts"][0]["basis"], "sums");
    assert_eq!(said["accounts"][0]["peak_bytes"], 100);
    assert_eq!(said["accounts"][0]["live_at_peak"], json!([]));
    assert!(said["readings"][0]["lacks"].as_str().unwrap().contains("without addresses"));
}
