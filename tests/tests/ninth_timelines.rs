//! What a stranger found wrong in the ninth reading of traces next to their data: TensorFlow and JAX. Each case is made here, and its figures
//! follow from its numbers.

use serde_json::{Value, json};
use steplens_core::causality::observed::SegmentKind;
use steplens_core::findings::Rule;
use steplens_core::{Category, Study};
use steplens_report::{causality, verdict};
use steplens_tests::opened::{open, row, study};
use steplens_tests::writer::{Scenario, op};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const STREAM: &str = "/device:GPU:0/stream:13";

fn said(study: &Study) -> String {
    verdict::of(study, false).sentence
}

fn ms(study: &Study, kind: SegmentKind) -> i64 {
    study.causes().observed.by_kind()[kind as usize].0 / 1_000_000
}

/// A program on a CPU: its threads with names, and events (thread, name, start, length) in µs.
fn program(threads: &[(i64, &str)], events: &[(i64, &str, i64, i64)]) -> Study {
    let named = |what: &str, tid: i64, name: &str| json!({ "ph": "M", "name": what, "pid": 7, "tid": tid, "args": { "name": name } });
    let mut all = vec![named("process_name", 0, "/host:CPU")];
    all.extend(threads.iter().map(|&(tid, name)| named("thread_name", tid, name)));
    all.extend(events.iter().map(|&(tid, name, ts, dur)| {
        let args = if name.contains("Mul:") { json!({ "long_name": "net/Mul:Mul" }) } else { json!({}) };
        json!({ "ph": "X", "name": name, "pid": 7, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    study(open(&[("host.trace.json", text.as_bytes())]))
}

#[test]
fn one_op_on_the_cpu_is_named_where_a_gpu_was_recorded() {
    let of = |label: &str| {
        Scenario::new()
            .device(GPU, [op("m = MatMul(a)", 0, 1_000_000)])
            .device(STREAM, [op("m = MatMul(a)", 500_000, 1_500_000)])
            .device(CPU, [op(label, 1_000_000, 19_000_000)])
            .study()
    };
    let own = of("h = HistogramSummary(tag, m)");
    assert!(said(&own).contains("h (HistogramSummary), on the CPU"), "{}", said(&own));
    let found = row(&own, Rule::DominantWork).expect("a finding");
    assert!(
        found["sentence"].as_str().is_some_and(|own| own.contains("runs on the CPU for 19 ms")),
        "{found}"
    );
    assert!(found["advice"].as_str().is_some_and(|own| own.contains("every N steps")), "{found}");
    // The step takes 20 ms. The GPU works for 1.5 ms of it.
    let saving = found["saving_ns"].as_i64().unwrap_or_default();
    assert!((17_000_000..=18_500_000).contains(&saving), "{found}");
    // Another op has to be quicker.
    let found = row(&of("u = Unique(m)"), Rule::DominantWork).expect("a finding");
    assert!(found["advice"].as_str().is_some_and(|own| !own.contains("every N steps")), "{found}");
}

#[test]
fn the_path_goes_on_along_the_gpu_that_an_op_waited_for() {
    // Without stamps, as `timeline.py` writes it; (row, op, name, inputs, from, length) in µs.
    let of = |kernel: i64| {
        let rows = [CPU, GPU, STREAM].into_iter().zip(0..).map(
            |(name, pid)| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": format!("{name} Compute") } }),
        );
        let ops = [
            (0, "Identity", "s", json!({}), 0, 1),
            (1, "MatMul", "m", json!({ "input0": "s" }), 1, 1_000),
            (2, "MatMul", "m", json!({}), 1_000, kernel),
            (0, "Identity", "u/_169", json!({ "input0": "u/_168" }), 30_000, 10),
        ];
        let ops = ops.into_iter().map(|(pid, kind, name, mut args, ts, dur)| {
            args["name"] = json!(name);
            args["op"] = json!(kind);
            json!({ "ph": "X", "cat": "Op", "name": kind, "pid": pid, "tid": 0, "ts": ts, "dur": dur, "args": args })
        });
        let text = json!({ "traceEvents": rows.chain(ops).collect::<Vec<Value>>() }).to_string();
        study(open(&[("timeline.json", text.as_bytes())]))
    };
    // 0.35 ms after the GPU's end.
    let own = of(28_650);
    assert!(ms(&own, SegmentKind::Compute) >= 28, "{:?}", own.causes().observed.by_kind());
    assert!(ms(&own, SegmentKind::Gap) < 2, "{:?}", own.causes().observed.by_kind());
    // A GPU that rested for most of that time is no reason.
    assert!(ms(&of(4_000), SegmentKind::Gap) >= 20);
}

const WAIT: &str = "ThunkExecutor::Execute (wait for completion)";
const PART: &str = "ThunkExecutor::Execute";

#[test]
fn parts_of_a_program_compute_and_the_thread_that_called_waits() {
    let threads = [(1, "tf_XLATfrtCpuClient/1"), (2, "tf_XLAEigen/2"), (3, "tf_XLAEigen/3")];
    let own = program(&threads, &[(1, WAIT, 0, 100_000), (2, PART, 0, 99_000), (3, PART, 40_000, 26_000)]);
    let trace = own.trace();
    let of = |name: &str| {
        let mut found = trace.ops().ids().filter(move |&op| trace.op_name(op) == name);
        found.next().map(|op| (trace.category(op), trace.op_type(op)))
    };
    assert_eq!(of(WAIT), Some((Category::Waiting, "ThunkExecutor::Execute wait for completion")));
    assert_eq!(of(PART), Some((Category::Compute, PART)));
    // (99 + 26) ms of work in 100 ms.
    assert!(said(&own).contains("In the mean 1.2 of the 2 threads"), "{}", said(&own));
    // Where nothing says what ran, the wait is all that does.
    let alone = program(&threads, &[(1, WAIT, 0, 100_000), (2, PART, 0, 9_000)]);
    assert!(!said(&alone).contains("In the mean"), "{}", said(&alone));
}

#[test]
fn a_pause_in_which_a_function_is_traced_looks_like_a_first_call() {
    let own = |mark: &str| {
        program(
            &[(1, "python3")],
            &[(1, "Mul:Mul", 0, 5_000), (1, mark, 10_000, 80_000), (1, "Mul:Mul", 100_000, 5_000)],
        )
    };
    let found = said(&own("tf.function-graph_building"));
    assert!(found.contains("80.00 ms of it are tracing or compiling"), "{found}");
    assert!(!said(&own("something")).contains("compiling"));
}

#[test]
fn making_an_iterator_loads_no_batch() {
    let own = Scenario::new()
        .device(CPU, [op("i = MakeIterator(d, r)", 0, 5_000_000), op("m = MatMul(a)", 5_000_000, 5_000_000)])
        .study();
    assert!(row(&own, Rule::InputBound).is_none());
}

#[test]
fn an_op_of_other_shapes_than_its_peers_promises_no_saving() {
    let mut at = 0;
    let ops = (0..9).map(|place| {
        let length = if place == 4 { 50_000_000 } else { 1_000_000 };
        at += length;
        op(&format!("c{place} = Conv2D(a)"), at - length, length)
    });
    let found = row(&Scenario::new().device(CPU, ops).study(), Rule::DominantWork).expect("a finding");
    assert!(found["saving_ns"].is_null(), "{found}");
    assert!(found["sentence"].as_str().is_some_and(|own| own.contains("is the longest op")), "{found}");
}

#[test]
fn one_gpu_communicates_with_no_other() {
    let own = Scenario::new()
        .device(GPU, [op("m = MatMul(a)", 0, 1_000_000), op("r = NcclAllReduce(m)", 1_000_000, 9_000_000)])
        .device(STREAM, [op("m = MatMul(a)", 500_000, 1_000_000)])
        .study();
    assert!(row(&own, Rule::ExposedCommunication).is_none());
}

#[test]
fn dependencies_that_are_not_all_there_give_a_least_length() {
    let of = |input: &str| {
        let last = op(&format!("b = MatMul({input})"), 2_000_000, 1_000_000);
        Scenario::new().device(CPU, [op("a = Const()", 0, 1_000_000), last]).study()
    };
    assert!(causality::sentence(&of("a")).contains("Dependencies alone allow"));
    assert!(causality::sentence(&of("x")).contains("at least"));
}
