//! Kernels by name against a plain reading of the JSON: how many, how long, how occupied, and which operator launched them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opener};
use steplens_report::kernels::json as kernels_json;
use steplens_report::names::{kernel_label, kernel_labels_json};
use steplens_tests::samples::sample_folder;

fn kernels_of(text: &[u8]) -> Value {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("trace.json");
    opener.push(text);
    opener.end_file();
    let study = Study::new(opener.finish().unwrap().trace);
    serde_json::from_str(&kernels_json(&study)).unwrap()
}

/// The kernels of one name, as this test sums them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sum {
    count: u64,
    total_ns: i64,
    /// Occupancy in percent times nanoseconds, and these nanoseconds.
    occupied: (f64, f64),
    /// How many kernels of each operator.
    launched_by: BTreeMap<String, u64>,
}

fn nanos(microseconds: &Value) -> i64 {
    (microseconds.as_f64().unwrap() * 1e3).round() as i64
}

/// PyTorch gives a kernel the `External id` of the operator that launched it.
fn sums_of(text: &str) -> BTreeMap<String, Sum> {
    let json: Value = serde_json::from_str(text).unwrap();
    let events: Vec<&Value> =
        json["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X").collect();
    let of_category = |names: [&str; 2]| {
        let is = move |event: &&&Value| names.iter().any(|name| event["cat"] == *name);
        events.iter().filter(is).copied().collect::<Vec<&Value>>()
    };
    let operators: BTreeMap<u64, String> = of_category(["cpu_op", "Operator"])
        .into_iter()
        .filter_map(|op| Some((op["args"]["External id"].as_u64()?, op["name"].as_str()?.to_owned())))
        .collect();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for kernel in of_category(["kernel", "Kernel"]) {
        let sum = sums.entry(kernel["name"].as_str().unwrap().to_owned()).or_default();
        let length = nanos(&kernel["dur"]);
        sum.count += 1;
        sum.total_ns += length;
        if let Some(percent) = kernel["args"]["est. achieved occupancy %"].as_f64() {
            sum.occupied.0 += percent * length as f64;
            sum.occupied.1 += length as f64;
        }
        if let Some(by) = kernel["args"]["External id"].as_u64().and_then(|id| operators.get(&id)) {
            *sum.launched_by.entry(by.clone()).or_default() += 1;
        }
    }
    sums
}

#[test]
fn kernels_of_real_traces_are_those_of_a_plain_reading() {
    let Some(folder) = sample_folder("real/pytorch") else { return };
    let mut compared = 0;
    let (mut same, mut all) = (0, 0);
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let mut text = String::new();
        GzDecoder::new(fs::File::open(entry.path()).unwrap()).read_to_string(&mut text).unwrap();
        let (wanted, found) = (sums_of(&text), kernels_of(text.as_bytes()));
        let file = entry.file_name();
        let rows = found["kernels"].as_array().unwrap();
        if wanted.is_empty() {
            continue;
        }
        assert_eq!(rows.len(), wanted.len(), "{file:?}");
        for row in rows {
            // A name that the profiler left mangled is another one here: its kernel has that count and time.
            let is_it = |(name, sum): &(&String, &Sum)| {
                name.starts_with("_Z")
                    && row["count"] == sum.count
                    && row["total_ns"].as_i64().unwrap().abs_diff(sum.total_ns) <= sum.count
            };
            let mangled = || wanted.iter().find(is_it).map(|(_, sum)| sum);
            let sum = wanted.get(row["name"].as_str().unwrap()).or_else(mangled).unwrap();
            assert_eq!(row["count"], sum.count, "{file:?}: {}", row["name"]);
            // The reader cuts a start and an end to nanoseconds, not a length.
            let total = row["total_ns"].as_i64().unwrap();
            assert!(total.abs_diff(sum.total_ns) <= sum.count, "{file:?}: {} {total} {sum:?}", row["name"]);
            let occupancy = (sum.occupied.1 > 0.0).then(|| sum.occupied.0 / sum.occupied.1);
            match (row["occupancy_percent"].as_f64(), occupancy) {
                (Some(own), Some(wanted)) => assert!((own - wanted).abs() < 0.06, "{own} {wanted}"),
                (own, wanted) => assert_eq!(own, wanted, "{file:?}: {}", row["name"]),
            }
            let by: BTreeMap<&str, u64> = row["launched_by"]
                .as_array()
                .unwrap()
                .iter()
                .map(|own| (own["op_type"].as_str().unwrap(), own["count"].as_u64().unwrap()))
                .collect();
            for (name, count) in &sum.launched_by {
                all += count;
                same += by.get(name.as_str()).copied().unwrap_or(0).min(*count);
            }
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared}");
    assert!(same * 100 >= all * 99, "{same} of {all}");
}

/// Two launches of one kernel by one operator, one of another kind by a graph, and a copy.
fn small() -> Value {
    let event = |cat: &str, name: &str, tid: u32, ts: u32, dur: u32, args: Value| {
        let pid = if tid == 7 { 0 } else { 10 };
        json!({ "ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
    };
    let launched = |correlation: u32, blocks: u32, occupancy: u32| {
        json!({ "correlation": correlation, "device": 0, "stream": 7, "grid": [blocks, 2, 1], "block": [128, 1, 1],
            "registers per thread": 32, "shared memory": 1024, "est. achieved occupancy %": occupancy })
    };
    let call = |correlation: u32| json!({ "correlation": correlation });
    json!({ "schemaVersion": 1, "traceEvents": [
        event("cpu_op", "aten::add", 1, 100, 50, json!({})),
        event("cuda_runtime", "cudaLaunchKernel", 1, 110, 5, call(1)),
        event("cuda_runtime", "cudaLaunchKernel", 1, 120, 5, call(2)),
        event("cuda_runtime", "cudaGraphLaunch", 1, 200, 5, call(3)),
        event("cuda_runtime", "cudaMemcpyAsync", 1, 210, 5, call(4)),
        event("kernel", "void a::add<4, float>(int)", 7, 130, 10, launched(1, 8, 50)),
        event("kernel", "void a::add<4, float>(int)", 7, 150, 30, launched(2, 16, 90)),
        event("kernel", "mul", 7, 210, 39, json!({ "correlation": 3, "device": 0, "stream": 7 })),
        event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, 260, 10, call(4)),
    ]})
}

#[test]
fn a_row_says_how_its_kernels_were_launched_and_by_which_ops() {
    let found = kernels_of(small().to_string().as_bytes());
    let [add, mul] = found["kernels"].as_array().unwrap().as_slice() else { panic!("two names: {found}") };
    assert_eq!([&found["count"], &found["total_ns"]], [&json!(3), &json!(79_000)]);
    assert_eq!(
        [
            &add["name"],
            &add["short_name"],
            &add["count"],
            &add["total_ns"],
            &add["mean_ns"],
            &add["min_ns"],
            &add["max_ns"]
        ],
        [
            &json!("void a::add<4, float>(int)"),
            &json!("add<float>"),
            &json!(2),
            &json!(40_000),
            &json!(20_000),
            &json!(10_000),
            &json!(30_000)
        ]
    );
    // A quarter of the time at 50 %, the rest at 90 %.
    assert_eq!(add["occupancy_percent"], json!(80.0));
    assert_eq!(
        [&add["grid"], &add["block"], &add["registers"], &add["shared_bytes"], &add["launch_count"]],
        [&json!([16, 2, 1]), &json!([128, 1, 1]), &json!(32), &json!(1_024), &json!(2)]
    );
    assert_eq!(add["launches"][1]["grid"], json!([8, 2, 1]));
    assert_eq!(add["launched_by"], json!([{ "op_type": "aten::add", "count": 2, "total_ns": 40_000 }]));
    assert_eq!(mul["launched_by"], json!([{ "op_type": "cudaGraphLaunch", "count": 1, "total_ns": 39_000 }]));
    for unknown in ["occupancy_percent", "grid", "block", "registers", "shared_bytes"] {
        assert_eq!(mul[unknown], Value::Null, "{unknown}");
    }
}

#[test]
fn signatures_have_short_names() {
    let examples: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../golden/kernel_names.json")).unwrap();
    assert!(examples.len() > 30);
    for (name, short) in examples {
        assert_eq!(kernel_label(&name), short, "{name}");
    }
}

/// The page gets short names once, with what was opened, and none that is the name itself.
#[test]
fn the_page_gets_the_names_that_have_a_short_form() {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("trace.json");
    let event = |name: &str, ts: u32| json!({ "ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": ts, "dur": 1 });
    let names = [
        "void a::add<float>(int*)",
        "ampere_sgemm_64x64_nn",
        "jit(f)/add",
        "void a::add<float>(int*)",
        "copy",
    ];
    let events: Vec<Value> = names.iter().zip(1..).map(|(name, ts)| event(name, ts)).collect();
    opener.push(json!({ "schemaVersion": 1, "traceEvents": events }).to_string().as_bytes());
    opener.end_file();
    let labels: Vec<(String, String)> =
        serde_json::from_str(&kernel_labels_json(&opener.finish().unwrap().trace)).unwrap();
    // The name of the op, and its op type.
    let names = ["void a::add<float>(int*)", "void a::add<float>"];
    assert_eq!(labels, names.map(|name| (name.to_owned(), "add<float>".to_owned())));
}

#[test]
fn a_trace_without_a_gpu_says_so() {
    let found = kernels_of(
        br#"{"traceEvents":[{"ph":"X","name":"a","cat":"cpu_op","pid":1,"tid":1,"ts":1,"dur":1}]}"#,
    );
    assert_eq!((&found["count"], &found["kernels"]), (&json!(0), &json!([])));
    assert_eq!(found["sentence"], "No kernel of a GPU was recorded.");
}
