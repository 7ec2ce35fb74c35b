//! What a stranger found wrong in the tenth reading of traces next to their data: TensorFlow, JAX and Horovod. Each case is made here, and its
//! figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Rule;
use steplens_core::network::ready::ready;
use steplens_core::steps::figures::variation;
use steplens_core::{Category, CategoryRules, Study};
use steplens_report::{doctor, verdict};
use steplens_tests::opened::{horovod, open, study};
use steplens_tests::tensorflow::{named, profiled, row, text, timeline};
use steplens_tests::writer::{Scenario, op};

const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

fn ms(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000_000
}

#[test]
fn a_host_that_rests_until_its_gpu_is_done_waits_for_it() {
    // A call launches a kernel; the next one comes 0.15 ms after its end, and nothing says why.
    let of = |kernel: i64| {
        profiled(&[
            (1, "cuLaunchKernel", 0, 10, 1, ""),
            (13, "gemm", 20, kernel, 1, "a:MatMul"),
            (1, "cuLaunchKernel", 50_170, 10, 2, ""),
            (13, "gemm", 50_190, 1_000, 2, "a:MatMul"),
        ])
    };
    let own = of(50_000);
    assert!(ms(&own, SegmentKind::Compute) >= 50, "{:?}", own.causes().observed.by_kind());
    assert!(said(&own).contains("compute on the GPU"), "{}", said(&own));
    // A GPU that was done long before is no reason.
    assert_eq!(ms(&of(20_000), SegmentKind::HostBetweenOps), 50);
}

#[test]
fn a_call_that_waits_is_no_call_of_the_driver() {
    // The GPU is done after 1 ms; the program waits for 49 ms more.
    let own = profiled(&[
        (1, "cuLaunchKernel", 0, 10, 1, ""),
        (13, "gemm", 20, 1_000, 1, "a:MatMul"),
        (2, "$api.py:3154 block_until_ready", 30, 50_000, 0, ""),
        (2, "PjitFunction(f)", 50_040, 20, 0, ""),
        (1, "cuLaunchKernel", 50_050, 10, 2, ""),
        (13, "gemm", 50_070, 1_000, 2, "a:MatMul"),
    ]);
    let said = said(&own);
    assert!(!said.contains("calls of the driver"), "{said}");
    assert!(said.contains("waiting in $api.py:3154 block_until_ready for what was not recorded"), "{said}");
    for name in ["PjRtFuture::Await", "Stream::BlockHostUntilDone", "hipStreamSynchronize"] {
        let own = profiled(&[
            (1, "cuLaunchKernel", 0, 10, 1, ""),
            (13, "g", 20, 10, 1, ""),
            (2, name, 30, 500, 0, ""),
        ]);
        let trace = own.trace();
        let mut waits = trace.ops().ids().filter(|&op| trace.category(op) == Category::Waiting);
        assert!(waits.any(|op| trace.op_name(op) == name), "{name}");
    }
}

#[test]
fn convolutions_that_try_algorithms_are_first_even_without_the_names_of_kernels() {
    // One runs 40 kernels of 1 ms and one of 10 ms, and then the one that it chose; another one of its type runs one.
    let of = |tries: bool| {
        let mut ops = vec![
            (1, "Conv2D", "c1", 0, 90_000),
            (1, "Conv2D", "c2", 90_000, 2_000),
            (0, "Identity", "i", 92_000, 10),
        ];
        let mut at = 100;
        for place in 0..42 {
            let length = match place {
                40 if tries => 10_000,
                41 => 2_000,
                // Each algorithm takes its own time.
                _ if tries => 1_000 + place % 4 * 400,
                _ => 1_000,
            };
            ops.push((2, "Conv2D", "c1", at, length));
            at += length + 10;
        }
        ops.push((2, "Conv2D", "c2", 90_100, 1_800));
        timeline(&ops)
    };
    let found = row(&of(true), Rule::FirstStep).expect("a finding");
    assert!(
        text(&found, "sentence").contains("1 convolution tries the algorithms of its library"),
        "{found}"
    );
    // 90 ms of the op, but for the 2 ms of its last kernel.
    assert_eq!(found["saving_ns"], 88_000_000);
    // Parts of a batch take the same time.
    assert_eq!(row(&of(false), Rule::FirstStep), None);
}

#[test]
fn kernels_in_a_row_with_a_checker_are_trials_and_no_reason_for_larger_batches() {
    let mut events = Vec::new();
    let (mut at, mut id) = (0, 0);
    let mut run =
        |events: &mut Vec<_>, name: &'static str, length: i64, pause: i64, ran_for: &'static str| {
            id += 1;
            events.push((1, "cuLaunchKernel", at, 10, id, ""));
            events.push((13, name, at + 15, length, id, ran_for));
            at += 15 + length + pause;
        };
    for place in 0..12 {
        run(&mut events, ["fft", "winograd", "gemm"][place % 3], 8_000, 1_000, "net/c:Conv2D");
        run(&mut events, "redzone_checker", 200, 1_000, "net/c:Conv2D");
    }
    for _ in 0..4 {
        run(&mut events, "relu", 1_000, 10, "net/r:Relu");
    }
    let own = profiled(&events);
    let found = row(&own, Rule::FirstStep).expect("a finding");
    let saving = found["saving_ns"].as_i64().unwrap_or_default() / 1_000_000;
    // 12 trials of 10.2 ms.
    assert!((118..=124).contains(&saving), "{found}");
    assert_eq!(row(&own, Rule::HostBound), None);
}

#[test]
fn a_pipeline_that_prefetches_gets_no_advice_to_do_so() {
    let own = profiled(&[
        (2, "Iterator::Root::Prefetch", 0, 1_000, 0, ""),
        (1, "IteratorGetNextOp::DoCompute", 0, 90_000, 0, ""),
        (1, "EagerExecute: f", 0, 120_000, 0, ""),
        (1, "cuLaunchKernel", 90_010, 10, 1, ""),
        (13, "gemm", 90_030, 20_000, 1, "a:MatMul"),
        (1, "IteratorGetNextOp::DoCompute", 110_040, 100, 0, ""),
        (1, "cuLaunchKernel", 110_150, 10, 2, ""),
        (13, "gemm", 110_170, 5_000, 2, "a:MatMul"),
    ]);
    let found = row(&own, Rule::InputBound).expect("a finding");
    assert!(
        text(&found, "advice").contains("first batch")
            && !text(&found, "advice").contains("dataset.prefetch"),
        "{found}"
    );
}

#[test]
fn tracing_that_the_verdict_names_is_a_finding_too() {
    let own = profiled(&[
        (2, "Iterator::Root::Map", 0, 10, 0, ""),
        (1, "a/Mul:Mul", 0, 5_000, 0, ""),
        (1, "tf.function-graph_building", 10_000, 80_000, 0, ""),
        (1, "a/Mul:Mul", 100_000, 5_000, 0, ""),
    ]);
    let found = row(&own, Rule::FirstStep).expect("a finding");
    assert!(text(&found, "sentence").contains("tf.function-graph_building takes 80 ms"), "{found}");
    assert_eq!(found["saving_ns"], 80_000_000);
}

#[test]
fn the_first_range_of_its_name_that_takes_long_is_a_first_call() {
    let of = |second: i64| {
        let mut events = vec![
            (2, "PjitFunction(f)", 0, 48_000, 0, ""),
            (2, "Build buffer allocations", 500, 47_000, 0, ""),
            (1, "cuLaunchKernel", 48_000, 10, 1, ""),
            (13, "gemm", 48_020, 500, 1, "a:MatMul"),
            (1, "a/Mul:Mul", 0, 10, 0, ""),
        ];
        for call in 0..4 {
            let (start, id) = (50_000 + call * 10_000, call + 2);
            let length = if call == 1 { second } else { 200 };
            events.push((2, "PjitFunction(f)", start, length + 300, 0, ""));
            events.push((2, "Build buffer allocations", start + 10, length, 0, ""));
            events.push((1, "cuLaunchKernel", start + length + 400, 10, id, ""));
            events.push((13, "gemm", start + length + 420, 500, id, "a:MatMul"));
        }
        profiled(&events)
    };
    let found = row(&of(200), Rule::FirstStep).expect("a finding");
    assert!(text(&found, "sentence").contains("Build buffer allocations takes 47 ms"), "{found}");
    // What takes long later, too, is no first call.
    assert_eq!(row(&of(20_000), Rule::FirstStep), None);
}

#[test]
fn a_program_that_ends_before_it_was_launched_says_that_clocks_differ() {
    let of = |ahead: i64| {
        let mut all = vec![
            named("process_name", 1, 0, "/device:TPU:0"),
            named("thread_name", 1, 1, "XLA Modules"),
            named("thread_name", 1, 2, "XLA Ops"),
            named("process_name", 7, 0, "/host:CPU"),
            named("thread_name", 7, 1, "main"),
        ];
        for run in 0..3_i64 {
            let at = 1_000 + run * 300;
            let of_run = json!({ "run_id": (8 + run).to_string() });
            let event = |name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64), args: &Value| json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args });
            all.push(event("jit_f(123)", (1, 1), (at - ahead, 76), &of_run));
            all.push(event("dot.1", (1, 2), (at - ahead, 76), &json!({})));
            all.push(event("DoEnqueueProgram", (7, 1), (at, 20), &of_run));
        }
        let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
        study(open(&[("trace.json", text.as_bytes())]))
    };
    let own = of(390);
    let by = own.clock_doubt().map(|doubt| (doubt.by.0, doubt.tensors, doubt.of));
    assert_eq!(by, Some((390_000, 3, 3)));
    let told = serde_json::to_string(&doctor::of_figures(&own)).unwrap_or_default();
    assert!(told.contains("accelerator-clock"), "{told}");
    assert!(!said(&own).contains("critical path"), "{}", said(&own));
    // Three programs of 76 µs, each 300 µs after the other: 676 µs by the clock of the accelerator, whatever that of its host says.
    assert!(
        said(&own).contains("676.0 µs by its own clock: the accelerator did nothing for 66.3"),
        "{}",
        said(&own)
    );
    let found = row(&own, Rule::SkewedClocks).expect("a finding");
    assert!(text(&found, "sentence").contains("3 of 3 programs end before the host asked"), "{found}");
    // One that begins a little early has an inexact clock, and one that begins later is right.
    assert!(of(50).clock_doubt().is_none() && of(-100).clock_doubt().is_none());
}

#[test]
fn every_op_that_takes_the_next_batch_is_input() {
    let rules = CategoryRules::default();
    for op_type in [
        "IteratorGetNext",
        "IteratorGetNextAsOptional",
        "OptionalGetValue",
        "MultiDeviceIteratorGetNextFromShard",
        "FunctionBufferingResourceGetNext",
        "ExperimentalFunctionBufferingResourceGetNext",
        "ReaderReadV2",
        "ReaderReadUpToV2",
        "QueueDequeueUpToV2",
        "Unstage",
        "InfeedDequeueTuple",
        "RecordInput",
        "DatasetToSingleElement",
        "Iterator::Map::Prefetch",
        "IteratorGetNextOp::DoCompute",
    ] {
        assert_eq!(rules.category("n", op_type, ""), Category::Input, "{op_type}");
    }
    for op_type in [
        "IteratorToStringHandle",
        "IteratorV2",
        "OneShotIterator",
        "MakeIterator",
        "FunctionBufferingResource",
        "Stage",
        "ReaderSerializeState",
    ] {
        assert_eq!(rules.category("n", op_type, ""), Category::Compute, "{op_type}");
    }
    let own = timeline(&[
        (0, "FunctionBufferingResourceGetNext", "b", 0, 20_000),
        (0, "MatMul", "m", 20_000, 80_000),
    ]);
    assert!(row(&own, Rule::InputBound).is_some());
}

#[test]
fn what_tensors_wait_for_while_nccl_begins_is_that() {
    let mut phases = vec![
        (1, "NEGOTIATE_ALLREDUCE", 0, 900),
        (1, "ALLREDUCE", 1_000, 511_000),
        (1, "INIT_NCCL", 1_100, 500_000),
        (1, "NCCL_ALLREDUCE", 510_000, 510_900),
    ];
    let mut ticks = vec![(1, 0, 10), (1, 1, 900)];
    for row in 2..9 {
        phases.push((row, "NEGOTIATE_ALLREDUCE", 1_000 + row, 511_100 + row));
        phases.push((row, "ALLREDUCE", 511_200 + row, 600_000));
        phases.push((row, "NCCL_ALLREDUCE", 511_300 + row, 511_900));
        ticks.extend([(row, 0, 1_000 + row), (row, 1, 511_050 + row)]);
    }
    let own = horovod(&phases, &ticks);
    assert!(said(&own).contains("INIT_NCCL"), "{}", said(&own));
    // Rank 1 was last by 0.89 ms once; of the others nobody knows.
    let late = ready(&own).map(|own| own.ranks.iter().map(|rank| rank.late.0).max());
    assert_eq!(late, Some(Some(890_000)));
}

#[test]
fn much_communication_of_tensors_is_a_finding() {
    let mut phases = Vec::new();
    let mut ticks = Vec::new();
    for step in 0..10 {
        let at = step * 100_000;
        phases.extend([
            (1, "NEGOTIATE_ALLREDUCE", at, at + 30_000),
            (1, "ALLREDUCE", at + 30_000, at + 46_000),
        ]);
        phases.push((1, "MPI_ALLREDUCE", at + 30_000, at + 46_000));
        // No rank is last more often than the others.
        ticks.extend((0..3).map(|rank| (1, rank, if rank == step % 3 { at + 30_000 } else { at })));
    }
    let found = row(&horovod(&phases, &ticks), Rule::ExposedCommunication).expect("a finding");
    assert!(
        text(&found, "sentence").contains("160 ms") && text(&found, "sentence").contains("300 ms"),
        "{found}"
    );
    assert!(text(&found, "advice").contains("HOROVOD_FUSION_THRESHOLD"), "{found}");
    assert_eq!(found["saving_ns"], 460_000_000);
}

#[test]
fn a_timeline_that_only_broadcasts_says_so_first() {
    let broadcast = [
        (1, "NEGOTIATE_BROADCAST", 0, 5_000),
        (1, "BROADCAST", 6_000, 7_000),
        (2, "NEGOTIATE_BROADCAST", 0, 5_000),
        (2, "BROADCAST", 7_000, 8_000),
    ];
    let own = horovod(&broadcast, &[]);
    assert!(said(&own).contains("ms: no tensor was reduced, only 2 were broadcast"), "{}", said(&own));
    let reduced = [&broadcast[..], &[(3, "ALLREDUCE", 9_000, 9_500)]].concat();
    assert!(!said(&horovod(&reduced, &[])).contains("no tensor was reduced"));
}

#[test]
fn runs_of_another_graph_are_no_steps() {
    let builder = |pause: i64| {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        let mut at = 0;
        for run in 0..5 {
            let input = Scenario::new().device(
                CPU,
                [op("r = RandomUniform()", at, 5_000_000), op("x = Mul(r)", at + 5_000_000, 2_000_000)],
            );
            files.push((format!("{run}a.pb"), input.bytes()));
            at += 7_000_000 + if run == 0 { pause } else { 200_000 };
            let model = ["c = Conv2D(x)", "a = Relu(c)", "m = MatMul(a)", "s = Softmax(m)"];
            let ops = (0..).zip(model).map(|(place, label)| op(label, at + place * 85_000_000, 85_000_000));
            files.push((format!("{run}b.pb"), Scenario::new().device(CPU, ops).bytes()));
            at += 345_000_000;
        }
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        study(open(&files))
    };
    let own = builder(1_300_000_000);
    let (_, steps) = own.view().steps(own.trace());
    assert_eq!((steps.count(), steps.rows().len()), (5, 10));
    assert!(variation(&steps).is_some_and(|own| own.0 < 1_000_000));
    let found = row(&own, Rule::FirstStep).expect("a finding");
    assert!(text(&found, "sentence").contains("first run of a graph"), "{found}");
    assert_eq!(found["saving_ns"].as_i64().map(|own| own / 1_000_000), Some(1_299));
    assert_eq!(row(&builder(300_000), Rule::FirstStep), None);
}

#[test]
fn a_run_of_another_graph_is_not_what_was_launched_before() {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for run in 0..3 {
        let at = run * 540_000_000;
        let input = Scenario::new().device(CPU, [op("r = RandomUniform()", at, 200_000_000)]);
        let model = ["c = Conv2D(x)", "a = Relu(c)", "m = MatMul(a)", "s = Softmax(m)"];
        let ops = (0..)
            .zip(model)
            .map(|(place, label)| op(label, at + 200_000_000 + place * 85_000_000, 85_000_000));
        files.push((format!("{run}a.pb"), input.bytes()));
        files.push((format!("{run}b.pb"), Scenario::new().device(CPU, ops).bytes()));
    }
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let own = study(open(&files));
    let (_, steps) = own.view().steps(own.trace());
    assert_eq!((steps.count(), steps.rows().len()), (3, 6));
    // Each takes an eighth of the recording: enough to be said, if it had been launched before.
    assert!(!said(&own).contains("are no step"), "{}", said(&own));
}

#[test]
fn where_no_op_type_has_half_the_largest_are_named() {
    let own = Scenario::new()
        .device(
            CPU,
            [
                op("m = MatMul(a)", 0, 40_000_000),
                op("r = ResizeNearestNeighbor(m)", 40_000_000, 30_000_000),
                op("c = ConcatV2(r)", 70_000_000, 25_000_000),
                op("t = Relu(c)", 95_000_000, 5_000_000),
            ],
        )
        .study();
    let said = said(&own);
    let all = ["MatMul 40.0 %", "ResizeNearestNeighbor 30.0 %", "ConcatV2 25.0 %"];
    assert!(all.iter().all(|own| said.contains(own)), "{said}");
    assert!(!said.contains("Relu"), "{said}");
}
