//! What a stranger found wrong in the eighth reading of traces next to their data: TensorFlow, Horovod and BytePS. Each case is made here, and its
//! figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Rule;
use steplens_core::network::ready::ready;
use steplens_core::scheduling::host_idle::{HostPart, host_idle};
use steplens_core::{CategoryRules, Nanos};
use steplens_formats::{Limits, Opener};
use steplens_report::causality::{CriticalPath, spent_words};
use steplens_report::verdict;
use steplens_tests::opened::{open, row, study};
use steplens_tests::writer::{Scenario, op};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const STREAM: &str = "/device:GPU:0/stream:all";

fn of_json(events: &[Value]) -> Study {
    let text = json!(events).to_string();
    study(open(&[("timeline.json", text.as_bytes())]))
}

fn ms(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000_000
}

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

/// What the time of the path was spent on, in words, with its ms.
fn spent(study: &Study) -> Vec<(&'static str, i64)> {
    let path = CriticalPath::of(study);
    path.by_spent.iter().map(|(spent, part)| (spent_words(*spent), part.length_ns / 1_000_000)).collect()
}

/// A phase of a row, in µs.
fn phase(row: i64, name: &str, from: i64, to: i64) -> [Value; 2] {
    [json!({ "ph": "B", "name": name, "ts": from, "pid": row }), json!({ "ph": "E", "ts": to, "pid": row })]
}

/// Eight tensors that two ranks negotiate: rank 0 is ready at 0, rank 1 at `last`. Rank 0's first tensor is reduced from 1 ms on, for as long as
/// `busy`, in `phases` (name, begin, end) in µs.
fn horovod(last: i64, phases: &[(&str, i64, i64)]) -> Study {
    let mut marks: Vec<(i64, i64, Value)> = Vec::new();
    let mut put = |row: i64, name: &str, from: i64, to: i64| {
        let [begin, end] = phase(row, name, from, to);
        marks.push((from, from - to, begin));
        marks.push((to, from - to, end));
    };
    for &(name, from, to) in phases {
        put(0, name, from, to);
    }
    for row in 1..9 {
        put(row, "NEGOTIATE_ALLREDUCE", row, last + row + 1);
    }
    for row in 1..9 {
        for (rank, at) in [("0", row), ("1", last + row)] {
            marks.push((at, 0, json!({ "ph": "X", "name": rank, "ts": at, "pid": row, "dur": 0 })));
        }
    }
    marks.sort_by_key(|(at, order, _)| (*at, *order));
    of_json(&marks.into_iter().map(|(.., event)| event).collect::<Vec<_>>())
}

#[test]
fn while_a_response_runs_nobody_knows_when_a_rank_was_ready() {
    let reduced = [
        ("ALLREDUCE", 1_000, 500_000),
        ("INIT_NCCL", 200_000, 499_000),
        ("NCCL_ALLREDUCE", 499_100, 499_900),
    ];
    // The messages of rank 1 were read when INIT_NCCL had ended.
    let blocked = horovod(499_200, &reduced);
    assert_eq!(ready(&blocked), None);
    assert!(row(&blocked, Rule::LastRank).is_none());
    assert!(row(&blocked, Rule::FirstStep).is_some());
    // Read long after it: rank 1 was late by itself.
    let late = horovod(900_000, &reduced);
    let found = ready(&late).expect("negotiations");
    assert_eq!((found.negotiations, found.ranks[0].rank, found.ranks[0].times), (8, 1, 8));
    assert!(row(&late, Rule::LastRank).is_some());
    // What NCCL does alone keeps nobody from reading.
    let alone = horovod(499_200, &[("ALLREDUCE", 1_000, 500_000), ("NCCL_ALLREDUCE", 1_100, 499_900)]);
    assert_eq!(ready(&alone).map(|own| own.negotiations), Some(8));
    // With MPI the thread does all of it.
    let of_mpi = horovod(499_200, &[("ALLREDUCE", 1_000, 499_000), ("MPI_ALLREDUCE", 1_100, 498_900)]);
    assert_eq!(ready(&of_mpi), None);
}

#[test]
fn an_executor_that_ends_waits_for_its_gpu() {
    let of = |kernel: i64| {
        Scenario::new()
            .device(GPU, [op("m = MatMul(a)", 0, 1_000_000), op("_SINK = NoOp()", 1_000_000, 9_000_000)])
            .device(STREAM, [op("m = MatMul(a)", 1_000_000, kernel)])
            .study()
    };
    let busy = of(8_950_000);
    let figures = verdict::of(&busy, false).figures.expect("figures");
    assert_eq!((figures.decided_by, figures.split_part), ("split", "compute"), "{figures:?}");
    assert!(!verdict::of(&busy, false).sentence.contains("host"), "{}", verdict::of(&busy, false).sentence);
    // A GPU that did little of it is no reason.
    let idle = of(1_000_000);
    assert_eq!(verdict::of(&idle, false).figures.and_then(|own| own.path_part), Some("host"));
}

#[test]
fn the_beginning_of_an_executor_has_one_name_everywhere() {
    let own = Scenario::new()
        .device(CPU, [op("_SOURCE = NoOp()", 0, 12_000_000), op("a = _Arg()", 12_000_000, 2_000_000)])
        .device(GPU, [op("m = MatMul(a)", 14_000_000, 3_000_000)])
        .device(STREAM, [op("m = MatMul(a)", 16_000_000, 1_000_000)])
        .study();
    let hosts = host_idle(own.edges(), own.kernels());
    assert_eq!(hosts[0].part(HostPart::Beginning), Nanos(12_000_000));
    assert!(said(&own).contains("the executor’s beginning"), "{}", said(&own));
    let found = row(&own, Rule::HostBound).expect("a finding");
    let sentence = found["sentence"].as_str().unwrap_or_default();
    assert!(sentence.contains("12 ms in the executor’s beginning"), "{sentence}");
    assert!(!found["evidence"].to_string().contains("_SOURCE"), "{found}");
    assert!(found["advice"].as_str().is_some_and(|own| own.contains("later step")), "{found}");
    assert!(spent(&own).contains(&("the executor’s beginning (_SOURCE)", 12)), "{:?}", spent(&own));
}

/// TensorFlow 2 on a CPU: its threads with names, and events (thread, name, start, length, run) in µs.
fn tensorflow2(threads: &[(i64, &str)], events: &[(i64, &str, i64, i64, &str)]) -> Study {
    let named = |what: &str, tid: i64, name: &str| json!({ "ph": "M", "name": what, "pid": 7, "tid": tid, "args": { "name": name } });
    let mut all = vec![named("process_name", 0, "/host:CPU")];
    all.extend(threads.iter().map(|&(tid, name)| named("thread_name", tid, name)));
    all.extend(events.iter().map(|&(tid, name, ts, dur, run)| {
        let args = if run.is_empty() { json!({}) } else { json!({ "id": run, "group_id": "0" }) };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

#[test]
fn functions_of_the_pipeline_are_loading_while_a_step_waits_for_its_batch() {
    let of = |run: &str| {
        tensorflow2(
            &[(1, "python3"), (2, "tf_Compute"), (3, "tf_data_iterator_get_next")],
            &[
                (1, "EagerExecute: __inference_train_function_1", 0, 100_000, ""),
                (1, "EagerKernelExecute", 1_000, 98_000, ""),
                (3, "IteratorGetNextOp::DoCompute", 2_000, 60_000, "-1"),
                (2, "ExecutorState::Process", 3_000, 58_000, run),
                (2, "Relu:Relu", 3_100, 57_000, ""),
                (2, "ExecutorState::Process", 63_000, 30_000, "-1"),
                (2, "MatMul:MatMul", 63_100, 29_000, ""),
            ],
        )
    };
    let own = of("-2");
    assert_eq!(ms(&own, SegmentKind::Input), 60);
    let found = row(&own, Rule::InputBound).expect("a finding");
    assert!(found["sentence"].as_str().is_some_and(|own| own.contains("60 ms (66.6 %)")), "{found}");
    assert!(!found["advice"].to_string().contains("feed_dict"), "{found}");
}

#[test]
fn what_a_pipeline_makes_ahead_is_no_wait_of_the_step() {
    let own = tensorflow2(
        &[
            (1, "python3"),
            (2, "tf_Compute"),
            (3, "tf_data_iterator_get_next"),
            (4, "tf_data_iterator_resource"),
        ],
        &[
            (1, "EagerExecute: Mul", 0, 500, ""),
            (3, "IteratorGetNextOp::DoCompute", 1_000, 10_000, "-1"),
            (4, "Iterator::PaddedBatchV2", 1_500, 38_000, ""),
            (2, "ExecutorState::Process", 12_000, 20_000, "-1"),
            (2, "MatMul:MatMul", 12_100, 19_000, ""),
            (2, "ExecutorState::Process", 39_600, 20_000, "-1"),
            (2, "MatMul:MatMul", 39_700, 19_000, ""),
        ],
    );
    // 10 ms of its batch, not 38 of the next one's.
    assert_eq!(ms(&own, SegmentKind::Input), 10);
}

#[test]
fn a_tensor_of_byteps_that_waits_for_its_turn_waits_for_the_one_that_is_sent() {
    let rows: i64 = 5;
    let events = (0..rows).flat_map(|row| {
        let name = json!({ "ph": "M", "args": { "name": format!("conv{row}_weight") }, "pid": row, "name": "process_name" });
        let sent = (row * 100_000 + 100_000, row * 100_000 + 200_000);
        let own = [phase(row, "PUSH_PULLQUEUE", 0, sent.0), phase(row, "PUSH_PULLCOMMUNICATION", sent.0, sent.1)];
        std::iter::once(name).chain(own.into_iter().flatten()).collect::<Vec<_>>()
    });
    let own = of_json(&events.collect::<Vec<_>>());
    // Nothing was sent for 100 ms, then one tensor after the other.
    assert_eq!((ms(&own, SegmentKind::Transit), ms(&own, SegmentKind::Producer)), (500, 100));
    assert!(spent(&own).iter().all(|&(what, _)| !what.contains("producer")), "{:?}", spent(&own));
}

#[test]
fn stages_of_byteps_are_what_they_do() {
    let tensor = "Comm.byteps.gradient_0";
    let event = |stage: &str, tid: &str, ts: i64, dur: i64| {
        let name = if stage.is_empty() { tensor.to_owned() } else { format!("{tensor}.{stage}") };
        json!({ "ph": "X", "args": { "name": tensor }, "pid": tensor, "name": name, "ts": ts, "dur": dur, "tid": tid, "cat": "Comm" })
    };
    let events = [
        event("", "total", 0, 100_000),
        event("COORDINATE_REDUCE", "1", 10_000, 1_000),
        event("REDUCE", "1", 20_000, 10_000),
        event("COMPRESS", "1", 40_000, 5_000),
        event("PUSH", "1", 50_000, 20_000),
    ];
    let text = json!({ "traceEvents": events }).to_string();
    let own = study(open(&[("comm.json", text.as_bytes())]));
    let split = own.step_split(own.trace().span());
    let parts = [split.compute, split.exposed_communication, split.exposed_waiting, split.idle];
    assert_eq!(parts.map(|own| own.0 / 1_000_000), [5, 30, 65, 0]);
    assert_eq!(spent(&own).first().map(|own| own.1), Some(65), "{:?}", spent(&own));
}

#[test]
fn a_copy_comes_after_what_its_executor_ran_before_it() {
    let ops = (0..30).map(|place| op(&format!("n{place} = Neg(c)"), 100_000 + place * 40_000, 38_000));
    let own = Scenario::new()
        .device(
            GPU,
            [op("c = Const()", 0, 100_000)].into_iter().chain(ops).chain([op(
                "x = Cast(c)",
                1_320_000,
                50_000,
            )]),
        )
        .device("/device:GPU:0/stream:19", [op("edge_168_c:MEMCPYHtoD", 1_302_000, 2_000)])
        .device("/device:GPU:0/stream:18", [op("x = Cast(c)", 1_340_000, 3_000)])
        .study();
    let observed = &own.causes().observed;
    assert!(observed.by_kind()[SegmentKind::Launching as usize] < Nanos(200_000), "{:?}", observed.by_kind());
    assert!(observed.by_kind()[SegmentKind::Compute as usize] > Nanos(1_100_000), "{:?}", observed.by_kind());
}

#[test]
fn advice_on_copies_of_weights_is_no_advice_on_input() {
    let of = |maker: &str| {
        let copy = format!("edge_39_{maker}:MEMCPYHtoD");
        let own = Scenario::new()
            .device(CPU, [op(&format!("{maker} = Identity(w)"), 0, 1_000_000)])
            .device(GPU, [op("m = MatMul(a)", 31_000_000, 2_000_000)])
            .device("/device:GPU:0/stream:19", [op(&copy, 1_000_000, 30_000_000)])
            .device("/device:GPU:0/stream:18", [op("m = MatMul(a)", 32_000_000, 1_000_000)])
            .study();
        row(&own, Rule::Copies).or_else(|| row(&own, Rule::PageableCopies)).expect("a finding")["advice"]
            .to_string()
    };
    assert!(of("fc6/weights/read").contains("Keep weights"), "{}", of("fc6/weights/read"));
    assert!(of("batch").contains("tf.data"), "{}", of("batch"));
}

#[test]
fn a_file_that_is_cut_is_a_part_that_was_kept() {
    let whole = json!([
        { "ph": "M", "name": "process_name", "pid": 1, "args": { "name": format!("{CPU} Compute") } },
        { "ph": "X", "cat": "Op", "name": "MatMul", "pid": 1, "tid": 0, "ts": 0, "dur": 5_000, "args": { "name": "m", "op": "MatMul" } },
        { "ph": "X", "cat": "Op", "name": "MatMul", "pid": 1, "tid": 0, "ts": 5_000, "dur": 5_000, "args": { "name": "n", "op": "MatMul" } },
    ])
    .to_string();
    let of = |text: &str| {
        let mut opener = Opener::new(CategoryRules::default(), Limits::default());
        opener.begin_file("timeline.json");
        opener.push(text.as_bytes());
        opener.end_file();
        let opened = opener.finish().expect("a trace");
        let files = opened.files.clone();
        verdict::of_files(&study(opened), &files).sentence
    };
    let kept = of(&whole[..whole.len() - 60]);
    assert!(kept.contains("that was kept, 5.000 ms"), "{kept}");
    assert!(!of(&whole).contains("kept"), "{}", of(&whole));
}

#[test]
fn marks_outside_of_the_ops_are_no_part_of_the_verdict() {
    let mut events = phase(1, "NEGOTIATE_ALLREDUCE", 1_000, 2_000).to_vec();
    events.extend(phase(1, "ALLREDUCE", 2_000, 9_000));
    let within = verdict::of(&of_json(&events), true).sentence;
    events.push(json!({ "ph": "i", "name": "CYCLE_START", "ts": 90_000, "s": "g" }));
    assert!(within.starts_with("Recording 8.000 ms"), "{within}");
    assert_eq!(verdict::of(&of_json(&events), true).sentence, within);
}
