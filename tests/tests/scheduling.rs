//! Scheduling against second readings: of the protobuf, of the JSON of a GPU's trace, by brute force at every moment, and planted delays.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use prost::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use steplens_core::scheduling::RunBy;
use steplens_core::scheduling::late::{Late, Where};
use steplens_core::scheduling::moments::{Moments, Part};
use steplens_core::scheduling::tiny::{TINY, tiny};
use steplens_core::{Interval, Nanos, OpId, Study, Timestamp};
use steplens_report::scheduling::{Choice, json};
use steplens_tests::fixtures::{chrome_trace, fixture, fixtures_and_samples};
use steplens_tests::proto::RunMetadata;
use steplens_tests::samples::sample_folder;
use steplens_tests::writer::{PS, Scenario, WORKER, op, open, recv};

const US: i64 = 1_000;

/// An op of the protobuf: scheduled, start, kernel's start and end, end; in ns.
type Stamps = [i64; 5];

/// By device, the ops of a RunMetadata that an executor ran.
fn stamps(file: &str) -> BTreeMap<String, Vec<Stamps>> {
    let recorded = RunMetadata::decode(fixture(file).bytes.as_slice()).unwrap();
    let mut found: BTreeMap<String, Vec<Stamps>> = BTreeMap::new();
    for device in recorded.step_stats.unwrap().dev_stats {
        for own in device.node_stats.iter().filter(|own| own.node_name != "RecvTensor") {
            let start = own.all_start_nanos;
            found.entry(device.device.clone()).or_default().push([
                own.scheduled_nanos,
                start,
                start + own.op_start_rel_nanos,
                start + own.op_end_rel_nanos,
                start + own.all_end_rel_nanos,
            ]);
        }
    }
    found
}

#[test]
fn parts_are_what_the_protobuf_has() {
    for file in ["ps4w", "mnist-adam", "lstm-while"] {
        let study = Study::new(open(&fixture(file).bytes).trace);
        let (trace, wanted) = (study.trace(), stamps(file));
        let rows = &study.scheduling().sums.by_device;
        assert_eq!(rows.len(), wanted.len(), "{file}");
        for row in rows {
            let device = trace.text(trace.devices().get(row.key).name);
            let own = &wanted[device];
            assert_eq!(row.ops, own.len() as u64, "{file} {device}");
            for (part, sum) in Part::ALL.into_iter().zip(&row.parts).skip(1) {
                let at = part as usize;
                let mut lengths: Vec<i64> = own.iter().map(|stamps| stamps[at] - stamps[at - 1]).collect();
                lengths.sort_unstable();
                let of_hundred = |percent: usize| lengths[(lengths.len() * percent).div_ceil(100) - 1];
                let got = (sum.known, sum.sum.0, sum.p50.0, sum.p99.0, sum.most.unwrap().1.0);
                let wanted = (
                    own.len() as u64,
                    lengths.iter().sum(),
                    of_hundred(50),
                    of_hundred(99),
                    *lengths.last().unwrap(),
                );
                assert_eq!(got, wanted, "{file} {device} {}", part.word());
            }
        }
    }
}

/// The ops of the executor as intervals, each with when it was scheduled.
fn executed(study: &Study, devices: &[&str]) -> Vec<(i64, i64, i64)> {
    let trace = study.trace();
    let is_own = |op: &OpId| {
        let device = trace.text(trace.devices().get(trace.device_of(*op)).name);
        devices.contains(&device) && RunBy::of(trace, study.transfers(), *op) == RunBy::Executor
    };
    let row = |op: OpId| {
        let Interval { start, end } = trace.ops().interval(op);
        (trace.ops().scheduled(op).unwrap_or(start).0, start.0, end.0)
    };
    trace.ops().ids().filter(is_own).map(row).collect()
}

#[test]
fn ops_at_work_are_those_that_a_count_at_every_moment_finds() {
    for file in ["ps4w", "mnist-adam", "multidev"] {
        let study = Study::new(open(&fixture(file).bytes).trace);
        let devices = study.trace().devices();
        for own in &study.scheduling().at_work {
            let names: Vec<&str> =
                own.devices.iter().map(|&id| study.trace().text(devices.get(id).name)).collect();
            let ops = executed(&study, &names);
            let moments: BTreeSet<i64> = ops.iter().flat_map(|&(at, start, end)| [at, start, end]).collect();
            let moments: Vec<i64> = moments.into_iter().collect();
            let mut at_once: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
            for pair in moments.windows(2) {
                let running = ops.iter().filter(|own| own.1 <= pair[0] && pair[0] < own.2).count();
                let is_queued = ops.iter().any(|own| own.0 <= pair[0] && pair[0] < own.1);
                let row = at_once.entry(running).or_default();
                row.0 += pair[1] - pair[0];
                row.1 += if is_queued { pair[1] - pair[0] } else { 0 };
            }
            let got = own.at_once.iter().zip(&own.queued).map(|(length, queued)| (length.0, queued.0));
            let got: BTreeMap<usize, (i64, i64)> = (0..).zip(got).filter(|&(_, row)| row != (0, 0)).collect();
            at_once.retain(|_, row| *row != (0, 0));
            assert_eq!(got, at_once, "{file} {names:?}");
        }
    }
}

#[test]
fn ops_at_work_over_time_are_those_of_each_slice() {
    for file in ["ps4w", "mnist-adam", "multidev"] {
        let study = Study::new(open(&fixture(file).bytes).trace);
        let devices = study.trace().devices();
        let span = study.trace().span();
        for own in &study.scheduling().at_work {
            let names: Vec<&str> =
                own.devices.iter().map(|&id| study.trace().text(devices.get(id).name)).collect();
            let ops = executed(&study, &names);
            let over = &own.over_time;
            let (at_work, waited, peak) = (over.work(), over.queued(), over.most());
            let slices = at_work.len();
            assert!(slices > 100 && waited.len() == slices && peak.len() == slices);
            for slice in 0..slices {
                // The slice as its definition has it, rounded down to the nanosecond.
                let edge = |at: usize| span.start.0 + span.length().0 * at as i64 / slices as i64;
                let (from, until) = (edge(slice), edge(slice + 1));
                let within = |start: i64, end: i64| (end.min(until) - start.max(from)).max(0);
                let work: i64 = ops.iter().map(|own| within(own.1, own.2)).sum();
                let queued: i64 = ops.iter().map(|own| within(own.0, own.1)).sum();
                let moments = ops.iter().flat_map(|own| [own.1, own.2]).chain([from]);
                let running = |at: i64| ops.iter().filter(|own| own.1 <= at && at < own.2).count() as u32;
                let most = moments.filter(|at| (from..until).contains(at)).map(running).max();
                let got = (at_work[slice].0, waited[slice].0, Some(peak[slice]));
                assert_eq!(got, (work, queued, most), "{file} {names:?} slice {slice}");
            }
            assert_eq!(at_work.iter().map(|own| own.0).sum::<i64>(), own.work().0);
            assert_eq!(peak.iter().max(), Some(&own.most()));
        }
    }
}

#[test]
fn planted_moments_come_out_as_the_five_parts() {
    let mut late = op("b = Neg(a)", 100 * US, 50 * US).scheduled(30 * US);
    (late.op_start_rel_nanos, late.op_start_rel_micros) = (7 * US, 7);
    (late.op_end_rel_nanos, late.op_end_rel_micros) = (47 * US, 47);
    let ops = [op("a = Const()", 0, 25 * US), late];
    let study = Scenario::new().device(PS, ops).study();
    let of = |name: &str| {
        let op = study.trace().ops().ids().find(|&op| study.trace().op_name(op) == name).unwrap();
        Moments::of(study.edges(), study.causes(), op)
    };
    assert_eq!(of("b").parts(), [5, 70, 7, 40, 3].map(|us| Some(Nanos(us * US))));
    assert_eq!(of("a").ready, None);
    assert_eq!(of("a").parts()[0], None, "what depends on nothing waits for nothing");
}

#[test]
fn an_input_that_ended_after_the_scheduling_is_a_contradiction_and_no_wait() {
    let ops = [op("a = Const()", 0, 25 * US), op("b = Neg(a)", 60 * US, 5 * US).scheduled(20 * US)];
    let study = Scenario::new().device(PS, ops).study();
    let moments = Moments::of(study.edges(), study.causes(), OpId::new(1));
    assert_eq!((moments.contradiction(), moments.parts()[0]), (Some(Nanos(5 * US)), None));
    assert_eq!(study.scheduling().sums.by_device[0].contradicted, 1);
}

#[test]
fn what_was_not_recorded_is_null_and_never_0() {
    let study = Study::new(open(&chrome_trace("mnist-adam.ctf").bytes).trace);
    let said: serde_json::Value = serde_json::from_str(&json(&study, Choice::default())).unwrap();
    assert_eq!(said["not_recorded"], serde_json::json!(["wait", "queue", "set-up", "kernel", "tear-down"]));
    for row in said["ops"].as_array().unwrap() {
        let parts = ["scheduled_ns", "wait_ns", "queue_ns", "set_up_ns", "kernel_ns", "tear_down_ns"];
        assert!(parts.iter().all(|&part| row[part].is_null()), "{row}");
    }
    assert!(said["at_work"][0]["queued_ns"].is_null());
}

#[test]
fn only_a_number_of_threads_from_the_user_makes_ops_starved() {
    // Two at work from 10 to 30; c waits from 12 to 30, and d from 40 to 50 while one is at work.
    let ops = [
        op("a = Const()", 10 * US, 20 * US).scheduled(10 * US),
        op("b = Const()", 10 * US, 20 * US).scheduled(10 * US),
        op("c = Neg(a)", 30 * US, 20 * US).scheduled(12 * US),
        op("d = Neg(b)", 50 * US, 10 * US).scheduled(40 * US),
    ];
    let study = Scenario::new().device(PS, ops).study();
    let [own] = &study.scheduling().at_work[..] else { panic!("one device") };
    assert_eq!((own.most(), own.any_queued(), own.most_queued), (2, Nanos(28 * US), 1));
    assert_eq!([1, 2, 3].map(|threads| own.starved(threads)), [28, 18, 0].map(|us| Nanos(us * US)));
    let said = |threads| -> serde_json::Value {
        let choice = Choice { threads, ..Choice::default() };
        serde_json::from_str(&json(&study, choice)).unwrap()
    };
    assert!(said(None)["at_work"][0]["starved_ns"].is_null());
    assert!(!said(None)["sentence"].as_str().unwrap().contains("starved"));
    assert_eq!(said(Some(2))["at_work"][0]["starved_ns"], 18 * US);
    assert!(
        said(Some(1))["sentence"]
            .as_str()
            .unwrap()
            .contains("There must be more than 1 thread: 2 ops ran at once")
    );
}

#[test]
fn tiny_ops_cost_their_length_and_the_time_between() {
    let ops = [
        op("a = Const()", 0, 20 * US),
        op("b = Neg(a)", 25 * US, 4 * US),
        op("c = Neg(b)", 30 * US, 3 * US),
        // After a long pause: nothing between.
        op("d = Neg(c)", 500 * US, 9 * US),
        op("e = Neg(d)", 520 * US, 10 * US),
    ];
    let study = Scenario::new().device(PS, ops).study();
    let [own] = tiny(study.edges(), study.causes(), TINY)[..] else { panic!("one device") };
    assert_eq!((own.ops, own.tiny, own.in_a_row), (5, 3, 2));
    assert_eq!((own.length, own.tiny_length), (Nanos(46 * US), Nanos(16 * US)));
    assert_eq!(own.between, Nanos((5 + 1) * US));
}

#[test]
fn a_pause_of_one_thread_costs_nothing_while_another_works() {
    let ops = [
        op("a = Const()", 0, 20 * US),
        op("work = MatMul(a)", 20 * US, 60 * US),
        op("b = Neg(a)", 50 * US, 4 * US),
        // Its thread paused for 6 µs, in which the other one worked. The next op is on the other thread, after 10 µs in which nothing ran.
        op("c = Neg(b)", 60 * US, 3 * US),
        op("d = Neg(c)", 90 * US, 5 * US),
    ];
    let study = Scenario::new().device(PS, ops).study();
    let [own] = tiny(study.edges(), study.causes(), TINY)[..] else { panic!("one device") };
    assert_eq!((own.ops, own.tiny), (5, 3));
    assert_eq!(own.between, Nanos(10 * US));
}

#[test]
fn why_late_names_what_ran_on_the_thread_and_on_what_shares_it() {
    let other = "/job:worker/replica:0/task:1/device:CPU:0";
    let ops = [
        op("a = Const()", 0, 10 * US).scheduled(0),
        op("b = Neg(a)", 11 * US, 200 * US).scheduled(10 * US),
        op("c = Exp(a)", 212 * US, 300 * US).scheduled(10 * US),
    ];
    let elsewhere = [op("x = Const()", 0, 600 * US).scheduled(0)];
    let idle = [op("y = Const()", 700 * US, 5 * US).scheduled(700 * US)];
    // Three devices, and never more than two ops at once: they are taken to share threads.
    let study = Scenario::new().device(PS, ops).device(WORKER, elsewhere).device(other, idle).study();
    let trace = study.trace();
    let c = trace.ops().ids().find(|&op| trace.op_name(op) == "c").unwrap();
    let late = Late::found(study.edges(), study.causes(), c).unwrap();
    let named: Vec<_> =
        late.instead.iter().map(|own| (trace.op_name(own.op), own.place, own.length.0 / US)).collect();
    assert_eq!(named, [("b", Where::Thread, 200), ("x", Where::Shared, 202)]);
    assert_eq!(late.queue.length(), Nanos(202 * US));
    assert_eq!(late.own_busy, Nanos(200 * US));
}

#[test]
fn why_late_finds_every_op_that_a_plain_search_finds() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let (trace, pools) = (study.trace(), &study.causes().graph.threads.pools);
    assert!(pools.sharing().next().is_some(), "servers in one process");
    let executes = |op: &OpId| RunBy::of(trace, study.transfers(), *op) == RunBy::Executor;
    for late_op in trace.ops().ids().filter(executes).step_by(97) {
        let queue = Interval::new(trace.ops().scheduled(late_op).unwrap(), trace.ops().start(late_op));
        let ran = |op: &OpId| {
            *op != late_op && trace.ops().interval(*op).clamp_to(queue).length() > Nanos(0) && executes(op)
        };
        let mut wanted: Vec<OpId> = trace.ops().ids().filter(ran).collect();
        let late = Late::found(study.edges(), study.causes(), late_op).unwrap_or_default();
        let mut got: Vec<OpId> = late.instead.iter().map(|own| own.op).collect();
        wanted.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, wanted, "{}", trace.op_name(late_op));
    }
}

#[test]
fn a_tensor_that_came_last_makes_its_consumer_ready() {
    let server = [op("v/read = Identity(v)", 0, 20 * US)];
    let worker = [
        recv("edge_1_v/read", PS, WORKER, 64, 25, 40),
        op("batch = Const()", 0, 10 * US),
        op("mul = Mul(v/read/_1, batch)", 90 * US, 10 * US).scheduled(70 * US),
    ];
    let study = Scenario::new().device(PS, server).device(WORKER, worker).study();
    let trace = study.trace();
    let mul = trace.ops().ids().find(|&op| trace.op_name(op) == "mul").unwrap();
    let moments = Moments::of(study.edges(), study.causes(), mul);
    assert_eq!(moments.ready, Some(Timestamp(65 * US)));
    assert_eq!(moments.parts()[..2], [Some(Nanos(5 * US)), Some(Nanos(20 * US))]);
    // What brings tensors is the network's.
    assert_eq!(study.scheduling().sums.others[0], 1);
}

/// A Chrome trace of one GPU: kernels as (stream, launched, returned, start, end), in µs.
fn gpu(kernels: &[(u32, i64, i64, i64, i64)]) -> Study {
    let mut events = Vec::new();
    for (row, &(stream, launch, returned, start, end)) in kernels.iter().enumerate() {
        let args = format!(r#""args":{{"correlation":{},"device":0,"stream":{stream}}}"#, row + 1);
        events.push(format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{launch},"dur":{},{args}}}"#,
            returned - launch
        ));
        events.push(format!(
            r#"{{"ph":"X","cat":"kernel","name":"k{row}","pid":0,"tid":{stream},"ts":{start},"dur":{},{args}}}"#,
            end - start
        ));
    }
    Study::new(open(format!(r#"{{"traceEvents":[{}]}}"#, events.join(",")).as_bytes()).trace)
}

#[test]
fn gaps_of_streams_divide_into_host_other_stream_starting_and_no_cause() {
    let study = gpu(&[
        (7, 0, 5, 6, 100),
        // Not launched before 150, and 3 later it starts: 50 for the host, 3 starting.
        (7, 140, 150, 153, 200),
        // Launched long before; stream 9 ends 4 before it starts.
        (7, 160, 165, 304, 310),
        (9, 170, 175, 180, 300),
        // Launched long before, and nothing says why it starts so late.
        (7, 176, 178, 510, 520),
    ]);
    let streams = &study.scheduling().streams;
    let [main, other] = &streams[..] else { panic!("{streams:?}") };
    assert_eq!((main.thread, other.thread), (7, 9));
    let gaps = main.gaps;
    assert_eq!((gaps.count, gaps.length), (3, Nanos((53 + 104 + 200) * US)));
    assert_eq!((gaps.idle.host(), gaps.waited_for_host), (Nanos(50 * US), 1));
    assert_eq!(gaps.idle.host_between_ops, Nanos(40 * US), "the call itself took 10");
    assert_eq!((gaps.idle.other_stream, gaps.idle.other_rank), (Nanos(100 * US), Nanos(0)));
    assert_eq!(gaps.idle.starting, Nanos((3 + 4) * US));
    assert_eq!(gaps.idle.unexplained, Nanos(200 * US));
    assert_eq!((main.kernels, main.launched, main.most_queued), (4, 4, 2));
    assert_eq!(main.queue, Nanos((1 + 3 + 139 + 332) * US));
    assert_eq!(main.busy, Nanos((94 + 47 + 6 + 10) * US));
    assert_eq!((other.gaps.count, other.queue), (0, Nanos(5 * US)));
}

#[test]
fn the_gaps_of_every_stream_divide_exactly() {
    let mut streams = 0;
    for one in fixtures_and_samples() {
        let study = Study::new(open(&one.bytes).trace);
        for own in &study.scheduling().streams {
            let gaps = own.gaps;
            let idle = gaps.idle;
            let parts = [idle.host(), idle.other(), idle.starting, idle.unexplained];
            assert_eq!(parts.iter().map(|part| part.0).sum::<i64>(), gaps.length.0, "{}", one.name);
            streams += 1;
        }
    }
    assert!(streams > 0);
}

#[test]
fn the_queue_of_a_real_gpu_is_what_its_json_says() {
    let Some(folder) = sample_folder("real") else { return };
    for file in ["pytorch/h100-bert-small.json.gz", "pytorch/v100-resnet50.json.gz"] {
        let packed = fs::read(folder.join(file)).unwrap();
        let mut text = String::new();
        GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        let ns = |value: &serde_json::Value| (value.as_f64().unwrap() * 1e3).round() as i64;
        let mut returned: BTreeMap<i64, i64> = BTreeMap::new();
        let events = || read["traceEvents"].as_array().unwrap().iter();
        let correlation = |event: &serde_json::Value| event["args"]["correlation"].as_i64();
        let of = |event: &&serde_json::Value, words: &[&str]| {
            words.iter().any(|word| event["cat"].as_str() == Some(word))
        };
        for call in events().filter(|event| of(event, &["cuda_runtime", "cuda_driver", "Runtime"])) {
            let end = ns(&call["ts"]) + ns(&call["dur"]);
            returned.extend(correlation(call).map(|own| (own, end)));
        }
        let (mut kernels, mut queue) = (0, 0);
        for kernel in events()
            .filter(|event| of(event, &["kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset"]))
        {
            let Some(&end) = correlation(kernel).and_then(|own| returned.get(&own)) else { continue };
            kernels += 1;
            queue += (ns(&kernel["ts"]) - end).max(0);
        }
        let study = Study::new(open(&packed).trace);
        let streams = &study.scheduling().streams;
        assert_eq!(streams.iter().map(|own| own.launched).sum::<u64>(), kernels, "{file}");
        let got: i64 = streams.iter().map(|own| own.queue.0).sum();
        // Doubles of microseconds are good to a fraction of a nanosecond.
        assert!((got - queue).abs() <= 2 * kernels as i64, "{file}: {got} and {queue}");
        assert!(kernels > 50, "{file}");
    }
}
