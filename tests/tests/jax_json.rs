//! Chrome traces of TensorFlow's and JAX's profiler: their steps, and instructions of TPUs that are no computation.

use serde_json::{Value, json};
use steplens_core::steps::figures::step_figures;
use steplens_core::{Category, Study};
use steplens_tests::opened::{open, study};

const US: i64 = 1_000;

fn named(what: &str, pid: i64, tid: i64, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": { "name": name } })
}

fn event(name: &str, (pid, tid): (i64, i64), (ts, dur): (i64, i64), args: &Value) -> Value {
    json!({ "ph": "X", "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args })
}

fn of(events: &[Value]) -> Study {
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": events }).to_string();
    study(open(&[("trace.json", text.as_bytes())]))
}

/// Number, start, length and idle of each step, in µs from 1970.
fn steps(study: &Study) -> Vec<[i64; 4]> {
    let (trace, steps) = study.view().steps(study.trace());
    let figures = step_figures(&trace, &steps);
    let of =
        |(step, own): (&steplens_core::steps::rule::Step, &steplens_core::steps::figures::StepFigures)| {
            let number = trace.parts()[step.parts[0].index()].step.unwrap_or(-1);
            let start = trace.unix_ns(step.span.start) / US;
            [number, start, step.span.length().0 / US, own.split.idle.0 / US]
        };
    steps.rows().iter().zip(&figures).map(of).collect()
}

/// A GPU that works for 300 µs of each step, and a program that marks steps of 100 µs and launches the work in them.
fn gpu_runs_behind() -> Vec<Value> {
    let mut events = vec![
        named("process_name", 1, 0, "/device:GPU:0"),
        named("thread_name", 1, 13, "Stream #13(Compute)"),
        named("process_name", 7, 0, "/host:CPU"),
        named("thread_name", 7, 5, "python"),
    ];
    for step in 0..3 {
        let begin = 1_000 + 100 * step;
        events.push(event("train", (7, 5), (begin, 90), &json!({ "step_num": step.to_string() })));
        events.push(event(
            "cuLaunchKernel",
            (7, 5),
            (begin + 10, 5),
            &json!({ "correlation_id": (20 + step).to_string() }),
        ));
        let kernel = json!({ "correlation_id": (20 + step).to_string(), "hlo_op": "dot.1" });
        events.push(event("gemm", (1, 13), (1_020 + 300 * step, 300), &kernel));
    }
    events
}

#[test]
fn steps_of_a_program_are_periods() {
    let rows = steps(&of(&gpu_runs_behind()));
    assert_eq!(rows, [[0, 1_000, 320, 20], [1, 1_320, 300, 0], [2, 1_620, 300, 0]]);
}

#[test]
fn without_a_program_devices_mark_the_steps() {
    let mut events = vec![
        named("process_name", 3, 0, "/device:TPU:0"),
        named("thread_name", 3, 1, "Steps"),
        named("thread_name", 3, 2, "XLA Ops"),
        named("process_name", 4, 0, "/device:TPU:1"),
        named("thread_name", 4, 1, "Steps"),
        named("thread_name", 4, 2, "XLA Ops"),
    ];
    // The second TPU is 30 µs later: its first step has begun while the second of the first TPU runs.
    for (pid, late) in [(3, 0), (4, 30)] {
        for step in 0..2 {
            let begin = 1_000 + late + 100 * step;
            events.push(event(&step.to_string(), (pid, 1), (begin, 100), &json!({})));
            events.push(event("fusion.1", (pid, 2), (begin, 60), &json!({})));
            events.push(event("fusion.2", (pid, 2), (begin + 60, 30), &json!({})));
        }
    }
    let study = of(&events);
    let rows = steps(&study);
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), [0, 1]);
    // Each step has its own four instructions: from the first on one TPU to the last on the other.
    let (_, found) = study.view().steps(study.trace());
    let parts: Vec<u64> = found
        .rows()
        .iter()
        .map(|step| {
            let trace = study.trace();
            let own = trace.ops().ids().filter(|&op| step.parts.contains(&trace.ops().part(op)));
            own.filter(|&op| trace.op_name(op).starts_with("fusion")).count() as u64
        })
        .collect();
    assert_eq!(parts, [4, 4]);
}

#[test]
fn a_tpu_that_takes_its_next_batch_does_not_compute() {
    let mut events =
        vec![named("process_name", 3, 0, "/device:TPU:0"), named("thread_name", 3, 2, "XLA Ops")];
    for (place, name) in ["infeed.3", "fusion.1", "outfeed.2", "infeed-done"].iter().enumerate() {
        events.push(event(name, (3, 2), (1_000 + 100 * place as i64, 100), &json!({})));
    }
    let study = of(&events);
    let split = study.step_split(study.trace().span());
    assert_eq!(
        [split.compute, split.exposed_input, split.exposed_copy, split.idle].map(|own| own.0 / US),
        [100, 200, 100, 0]
    );
    let op = study.trace().ops().ids().next().unwrap();
    assert_eq!(study.trace().category(op), Category::Input);
}
