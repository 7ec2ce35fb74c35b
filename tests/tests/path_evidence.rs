//! What others say of the same traces: HTA's critical path, and steps recorded with a known number of threads.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use prost::Message;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::causality::sums::static_path;
use steplens_core::{Nanos, Study};
use steplens_tests::places::root;
use steplens_tests::proto::RunMetadata;
use steplens_tests::samples::sample_folder;
use steplens_tests::writer::open;

fn fixture_path(path: &str) -> PathBuf {
    root().join("tests/fixtures").join(path)
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(fs::read(path).unwrap().as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The events that HTA's analysis is about: calls and operators that start within the annotation, and what they launched.
fn within(trace: &mut Value, start_us: i64, length_us: i64) {
    let events = trace["traceEvents"].as_array_mut().unwrap();
    let cat = |event: &Value| event["cat"].as_str().unwrap_or_default().to_owned();
    let is_on_host = |event: &Value| {
        let start = event["ts"].as_f64().unwrap_or(0.0) as i64;
        ["cpu_op", "cuda_runtime", "cuda_driver"].contains(&cat(event).as_str())
            && (start_us..start_us + length_us).contains(&start)
    };
    let correlation = |event: &Value| event["args"]["correlation"].as_i64();
    let launched: BTreeSet<i64> =
        events.iter().filter(|event| is_on_host(event)).filter_map(correlation).collect();
    let is_on_gpu = |event: &Value| {
        ["kernel", "gpu_memcpy", "gpu_memset", "cuda_sync"].contains(&cat(event).as_str())
            && correlation(event).is_some_and(|own| launched.contains(&own))
    };
    events.retain(|event| event["ph"] == "M" || is_on_host(event) || is_on_gpu(event));
}

#[test]
fn the_static_path_of_two_gpus_is_as_long_as_htas() {
    let Some(folder) = sample_folder("real") else { return };
    let wanted: Value =
        serde_json::from_slice(&fs::read(fixture_path("hta/critical-path.json")).unwrap()).unwrap();
    for (file, most_off_us) in [("simple-add", 20), ("alexnet", 300)] {
        let hta = &wanted[file];
        let us = |field: &str| hta[field].as_i64().unwrap();
        let mut trace: Value =
            serde_json::from_slice(&unpacked(&folder.join(format!("pytorch/{file}.json.gz")))).unwrap();
        within(&mut trace, us("annotation_start_us"), us("annotation_us"));
        let study = Study::new(open(trace.to_string().as_bytes()).trace);
        let (causes, all) = (study.causes(), study.trace());
        let off_us = (causes.floor.length.0 / 1_000 - us("total_us")).abs();
        assert!(off_us <= most_off_us, "{file}: {:?} and {} us", causes.floor.length, us("total_us"));
        let sum = |is: &dyn Fn(steplens_core::OpId) -> bool| -> i64 {
            static_path(causes).filter(|(op, _)| is(*op)).map(|(_, own)| own.length().0 / 1_000).sum()
        };
        // Most of both paths is one kind of call.
        let malloc_us = sum(&|op| all.op_name(op) == "cudaMalloc");
        let share = |part_us: i64| part_us as f64 / us("total_us") as f64;
        assert!((share(malloc_us) - share(us("cuda_malloc_us"))).abs() < 0.04, "{file}: {malloc_us} us");
        // The rest are kernels. HTA leaves the host for them one call earlier, because its launches and the pauses of streams have lengths.
        let host_us = sum(&|op| all.devices().get(all.device_of(op)).nests);
        assert!((share(host_us) - share(us("cpu_us"))).abs() < 0.07, "{file}: {host_us} us on the host");
    }
}

/// A step that was recorded with so many threads between ops.
fn recorded(threads: u32) -> Vec<u8> {
    unpacked(&fixture_path(&format!("threads/inter-op-{threads}.pb.gz")))
}

#[test]
fn as_many_ops_are_at_work_as_there_are_threads() {
    for threads in [1, 2, 4] {
        let bytes = recorded(threads);
        let study = Study::new(open(&bytes).trace);
        let [own] = &study.scheduling().at_work[..] else { panic!("one device") };
        // The lower bound is the number itself, since there is always enough to do.
        assert_eq!(own.most(), threads);
        assert_eq!(own.starved(threads), own.starved(own.most()));
        assert!(own.starved(threads) > Nanos(0));
        assert_eq!(own.starved(threads + 1), Nanos(0));
        let [rule] = study.causes().graph.threads.rules[..] else { panic!("one device") };
        // Inferred are at least as many: gaps between ops let a row seem to move to another thread.
        assert!(rule.threads >= threads && rule.is_inferred(), "{} of {threads}", rule.threads);
        assert_eq!(rule.in_a_row, rule.neighbours, "batches ran in a row");
    }
}

#[test]
fn ops_at_work_with_known_threads_are_those_of_the_protobuf() {
    for threads in [1, 2, 4] {
        let read = RunMetadata::decode(recorded(threads).as_slice()).unwrap();
        let mut changes: Vec<(i64, i64)> = Vec::new();
        for own in read.step_stats.unwrap().dev_stats.into_iter().flat_map(|device| device.node_stats) {
            let (start, length) = (own.all_start_nanos, own.all_end_rel_nanos);
            if length > 0 {
                changes.extend([(start, 1), (start + length, -1)]);
            }
        }
        changes.sort_unstable();
        let mut lengths: BTreeMap<i64, i64> = BTreeMap::new();
        let (mut running, mut last) = (0, changes[0].0);
        for (at, change) in changes {
            *lengths.entry(running).or_default() += at - last;
            (running, last) = (running + change, at);
        }
        let study = Study::new(open(&recorded(threads)).trace);
        let [own] = &study.scheduling().at_work[..] else { panic!("one device") };
        for (count, length) in own.at_once.iter().enumerate().skip(1) {
            assert_eq!(length.0, lengths[&(count as i64)], "{count} of {threads} threads");
        }
    }
}

/// A timeline of `timeline.py`: of a CPU, and of a stream that its task feeds; (row, name, start, length) in µs.
fn timeline(ops: &[(i64, &str, i64, i64)]) -> Vec<u8> {
    let task = "/job:localhost/replica:0/task:0/device:";
    let names = [format!("{task}CPU:0 Compute"), format!("{task}GPU:0 Compute")];
    let names = names.into_iter().chain(["/device:GPU:0/stream:13 Compute".to_owned()]);
    let mut events: Vec<Value> = names
        .zip(1..)
        .map(|(name, pid)| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": name } }))
        .collect();
    events.extend(ops.iter().map(|&(pid, name, ts, dur)| {
        let args = json!({ "name": name, "op": "Mul" });
        json!({ "ph": "X", "cat": "Op", "name": "Mul", "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
    }));
    json!({ "traceEvents": events }).to_string().into_bytes()
}

#[test]
fn an_op_that_begins_as_the_gpu_ends_waited_for_it() {
    let gap = |kernels: &[(i64, &str, i64, i64)]| {
        let ops = [(1, "first", 0, 10), (2, "a", 10, 20), (1, "result", 5_000, 10)];
        let by_kind =
            Study::new(open(&timeline(&[&ops[..], kernels].concat())).trace).causes().observed.by_kind();
        by_kind[SegmentKind::Gap as usize].0 / 1_000
    };
    // Launched by `a`, done 40 µs before the result is there.
    assert!(gap(&[(3, "a", 20, 2_000), (3, "a", 2_020, 2_940)]) < 100);
    // The GPU did next to nothing meanwhile, or was done long before.
    assert!(gap(&[(3, "a", 4_900, 60)]) > 4_000);
    assert!(gap(&[(3, "a", 20, 3_000)]) > 1_000);
}
