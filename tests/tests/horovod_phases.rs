//! Phases of Horovod's and Bluefog's timelines: what moves data, what waits, and what is neither.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::{Category, Study};
use steplens_formats::{Limits, Opener};
use steplens_report::summary;
use steplens_tests::samples::sample;

fn study(bytes: &[u8]) -> Study {
    let mut opener = Opener::new(steplens_core::CategoryRules::default(), Limits::default());
    opener.begin_file("timeline.json");
    opener.push(bytes);
    opener.end_file();
    Study::new(opener.finish().unwrap().trace)
}

/// The only device: its name, compute, communication and only waiting in ns.
fn device(study: &Study) -> Value {
    let summary = serde_json::to_value(summary::of(study, &[])).unwrap();
    let [own] = &summary["devices"].as_array().unwrap()[..] else { panic!("{}", summary["devices"]) };
    json!([own["name"], own["compute_ns"], own["communication_ns"], own["exposed_waiting_ns"]])
}

/// A timeline of one tensor: (name, begin, end) in µs, each within the one before that has not ended.
fn tensor(phases: &[(&str, i64, i64)], thread: Option<i64>) -> Vec<u8> {
    let mut marks: Vec<(i64, usize, Value)> = Vec::new();
    for (place, &(name, begin, end)) in phases.iter().enumerate() {
        let mut own = [
            json!({ "ph": "B", "name": name, "ts": begin, "pid": 1 }),
            json!({ "ph": "E", "ts": end, "pid": 1 }),
        ];
        if let Some(thread) = thread {
            own.iter_mut().for_each(|event| event["tid"] = json!(thread));
        }
        let [first, last] = own;
        marks.push((begin, place + 100, first));
        marks.push((end, 99 - place, last));
    }
    marks.sort_by_key(|(at, order, _)| (*at, *order));
    let events: Vec<Value> = marks.into_iter().map(|(.., event)| event).collect();
    serde_json::to_vec(&events).unwrap()
}

#[test]
fn an_operation_is_what_its_phases_are() {
    // 10 of 40 µs move data. The rest scales, schedules and calls back.
    let fused = [
        ("NEGOTIATE_ALLREDUCE", 0, 20),
        ("ALLREDUCE", 20, 60),
        ("INIT_FUSION_BUFFER", 21, 22),
        ("MEMCPY_IN_FUSION_BUFFER", 24, 26),
        ("MPI_ALLREDUCE", 30, 37),
        ("MEMCPY_OUT_FUSION_BUFFER", 45, 46),
    ];
    assert_eq!(device(&study(&tensor(&fused, None))), json!(["Horovod", 0, 10_000, 21_000]));
}

#[test]
fn every_phase_of_an_operation_waits_moves_or_does_neither() {
    // (communication, waiting) in µs of 100.
    let phases = [
        ("WAIT_FOR_DATA", [0, 100]),
        ("WAIT_FOR_OTHER_TENSOR_DATA", [0, 100]),
        ("QUEUE", [0, 100]),
        ("INIT_NCCL", [0, 100]),
        ("JOIN", [0, 100]),
        ("MEMCPY_IN_HOST_BUFFER", [100, 0]),
        ("COPY_ALLGATHER_OUTPUT", [100, 0]),
        ("NCCL_REDUCESCATTER", [100, 0]),
        ("MPI_CROSS_ALLREDUCE", [100, 0]),
        ("GLOO_ALLREDUCE", [100, 0]),
        ("CCL_ALLREDUCE", [100, 0]),
        ("MLSL_ALLREDUCE", [100, 0]),
        ("DDL_ALLREDUCE", [100, 0]),
        ("ALLOCATE_OUTPUT", [0, 0]),
        ("COMPUTE_AVERAGE", [0, 0]),
    ];
    for (name, [moves, waits]) in phases {
        // One that surely moves makes the operation a frame of its phases.
        let timeline = [
            ("NEGOTIATE_ALLREDUCE", 0, 7),
            ("ALLREDUCE", 7, 200),
            (name, 10, 110),
            ("NCCL_ALLREDUCE", 110, 111),
        ];
        let wanted = json!(["Horovod", 0, (moves + 1) * 1_000, (waits + 7) * 1_000]);
        assert_eq!(device(&study(&tensor(&timeline, None))), wanted, "{name}");
    }
}

#[test]
fn an_operation_without_phases_that_move_is_communication_itself() {
    let waits = [("NEGOTIATE_ALLGATHER", 0, 5), ("ALLGATHER", 5, 45), ("WAIT_FOR_DATA", 6, 16)];
    assert_eq!(device(&study(&tensor(&waits, None))), json!(["Horovod", 0, 30_000, 15_000]));
}

#[test]
fn an_operation_whose_phases_move_within_others_is_what_they_are() {
    let nested = [("ALLREDUCE", 0, 40), ("COMPUTE_AVERAGE", 5, 30), ("MPI_ALLREDUCE", 10, 20)];
    assert_eq!(device(&study(&tensor(&nested, None))), json!(["Horovod", 0, 10_000, 0]));
}

#[test]
fn a_broadcast_does_nothing_but_send() {
    let sent = [("NEGOTIATE_BROADCAST", 0, 3), ("BROADCAST", 10, 15), ("MPI_BCAST", 12, 13)];
    assert_eq!(device(&study(&tensor(&sent, None))), json!(["Horovod", 0, 5_000, 3_000]));
}

#[test]
fn a_slice_knows_phases_whose_operation_it_lacks() {
    let cut = [("ALLOCATE_OUTPUT", 0, 5), ("GLOO_ALLGATHER", 5, 9)];
    assert_eq!(device(&study(&tensor(&cut, None))), json!(["Horovod", 0, 4_000, 0]));
}

#[test]
fn real_phases_are_what_another_reading_finds() {
    let Some(bytes) = sample("real/horovod/resnet-horovod-timeline.json") else { return };
    // The union of what moves data, and of broadcasts.
    let mut text = String::from_utf8(bytes.clone()).unwrap().trim_end().trim_end_matches(',').to_owned();
    if !text.ends_with(']') {
        text.push(']');
    }
    let events: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut open: std::collections::HashMap<i64, Vec<(String, i64)>> = Default::default();
    let mut moving: Vec<(i64, i64)> = Vec::new();
    for event in &events {
        let pid = event["pid"].as_i64().unwrap_or(0);
        match event["ph"].as_str() {
            Some("B") => {
                let begun = (event["name"].as_str().unwrap().to_owned(), event["ts"].as_i64().unwrap());
                open.entry(pid).or_default().push(begun);
            }
            Some("E") => {
                let Some((name, begin)) = open.entry(pid).or_default().pop() else { continue };
                if name.starts_with("MPI_") || name.starts_with("MEMCPY_") || name == "BROADCAST" {
                    moving.push((begin, event["ts"].as_i64().unwrap()));
                }
            }
            _ => {}
        }
    }
    moving.sort_unstable();
    let (mut union, mut reached) = (0, i64::MIN);
    for (begin, end) in moving {
        union += (end - begin.max(reached)).max(0);
        reached = reached.max(end);
    }
    let own = device(&study(&bytes));
    assert_eq!(own[2].as_i64(), Some(union * 1_000));
}

#[test]
fn timelines_of_bluefog_are_phases_of_tensors_too() {
    let phases = [
        ("ENQUEUE_NEIGHBOR_ALLREDUCE", 0, 4),
        ("NEGOTIATION", 4, 14),
        ("MEMCPY_IN_FUSION_BUFFER", 14, 16),
        ("COMMUNICATE", 16, 36),
        ("COMPUTE_AVERAGE", 36, 40),
        ("CALLBACK", 40, 41),
    ];
    let study = study(&tensor(&phases, Some(3)));
    assert_eq!(device(&study), json!(["Bluefog", 0, 22_000, 14_000]));
    let trace = study.trace();
    let op = trace.ops().ids().find(|&op| trace.op_name(op) == "CALLBACK").unwrap();
    assert_eq!(trace.category(op), Category::Range);
}

#[test]
fn tensors_that_wait_at_the_same_time_wait_once_for_a_late_rank() {
    // Rank 0 is ready at 1 µs, rank 1 at 11 µs; the second tensor begins and ends 4 µs later.
    let negotiated = |pid: i64, late: i64| {
        let tick =
            |rank: &str, ts: i64| json!({ "ph": "X", "name": rank, "ts": ts + late, "dur": 0, "pid": pid });
        [
            json!({ "ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": late, "pid": pid }),
            tick("0", 1),
            tick("1", 11),
            json!({ "ph": "E", "ts": 12 + late, "pid": pid }),
        ]
    };
    let events = [negotiated(1, 0), negotiated(2, 4)].concat();
    let study = study(&serde_json::to_vec(&events).unwrap());
    let found = steplens_core::network::ready::ready(&study).unwrap();
    let [own] = found.ranks[..] else { panic!("{found:?}") };
    assert_eq!((own.rank, own.times), (1, 2));
    assert_eq!((own.late.0, own.together.0), (20_000, 14_000));
}

#[test]
fn of_ranks_that_were_last_equally_often_the_lower_one_is_named() {
    let mark =
        |name: &str, ph: &str, ts: i64| json!({ "ph": ph, "name": name, "ts": ts, "dur": 0, "pid": 1 });
    let negotiated = |at: i64, first: &str, last: &str| {
        let name = "NEGOTIATE_ALLREDUCE";
        [mark(name, "B", at), mark(first, "X", at + 1), mark(last, "X", at + 9), mark(name, "E", at + 10)]
    };
    for order in [[("0", "1"), ("1", "0")], [("1", "0"), ("0", "1")]] {
        let [first, second] = order;
        let events = [negotiated(0, first.0, first.1), negotiated(100, second.0, second.1)].concat();
        let found =
            steplens_core::network::ready::ready(&study(&serde_json::to_vec(&events).unwrap())).unwrap();
        let [tensor] = found.tensors[..] else { panic!("{found:?}") };
        assert_eq!((tensor.negotiations, tensor.last), (2, (0, 1)));
    }
}

#[test]
fn what_a_model_computes_for_bluefog_is_no_communication() {
    let phases = [
        ("GRADIENT COMPT.", 0, 50),
        ("FORWARD", 50, 80),
        ("ENQUEUE_NEIGHBOR_ALLREDUCE", 80, 84),
        ("COMMUNICATE", 84, 99),
    ];
    assert_eq!(device(&study(&tensor(&phases, Some(3)))), json!(["Bluefog", 80_000, 15_000, 4_000]));
}

#[test]
fn nothing_waits_between_two_phases_of_a_tensor() {
    // One thread of a program computes for two tensors by turns; nothing at all runs for 10 µs.
    let phases = [(1, "FORWARD", 0, 30), (2, "FORWARD", 30, 60), (1, "GRADIENT COMPT.", 60, 90)];
    let phases = phases.into_iter().chain([(1, "ENQUEUE_ALLREDUCE", 100, 104)]);
    let events = phases.flat_map(|(pid, name, begin, end)| {
        let begun = json!({ "ph": "B", "name": name, "ts": begin, "pid": pid, "tid": 5 });
        [begun, json!({ "ph": "E", "ts": end, "pid": pid, "tid": 5 })]
    });
    let study = study(&serde_json::to_vec(&events.collect::<Vec<_>>()).unwrap());
    let by_kind = study.causes().observed.by_kind();
    let time = |kind: SegmentKind| by_kind[kind as usize].0;
    let wanted = [SegmentKind::Compute, SegmentKind::Gap, SegmentKind::Producer, SegmentKind::HostBetweenOps];
    assert_eq!(wanted.map(time), [90_000, 10_000, 4_000, 0]);
    let said = steplens_report::verdict::of(&study, true).sentence;
    assert!(!said.contains("CPU") && !said.contains("thread"), "{said}");
}

#[test]
fn begun_events_of_other_writers_are_no_tensors() {
    let events = tensor(&[("COMMUNICATE", 0, 10), ("JOIN", 2, 4)], Some(1));
    let study = study(&events);
    let name =
        study.trace().devices().ids().map(|id| study.trace().text(study.trace().devices().get(id).name));
    assert_eq!(name.collect::<Vec<_>>(), ["pid 1"]);
}
