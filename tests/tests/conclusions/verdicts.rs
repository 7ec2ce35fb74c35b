//! What a verdict names: the device that does most, the op type or the part with most of the time, and words for devices of which little is known.

use super::made::{CPU, GPU, of_torch, said, said_of_recording};
use serde_json::json;
use steplens_core::Study;
use steplens_report::{doctor, verdict};
use steplens_tests::opened::{on_host, open, study, torch_study};
use steplens_tests::writer::{Scenario, op};

#[test]
fn of_unlike_devices_the_one_that_does_most_is_named() {
    let of = |cpu: i64| {
        let end = op("e = MatMul(b)", 99_000, 1_000);
        let on_gpu = [op("b = MatMul(a)", 0, 60_000), end];
        said(&Scenario::new().device(CPU, [op("a = MatMul()", 0, cpu)]).device(GPU, on_gpu).study())
    };
    // Of 100 µs 61 and 1: 31 in the mean.
    let own = of(1_000);
    assert!(own.contains("31.0") && own.contains("(61.0"), "{own}");
    assert!(!of(55_000).contains("(61.0"), "{}", of(55_000));
}

#[test]
fn functions_of_python_alone_are_no_devices_that_did_nothing() {
    let own = torch_study(&[("python_function", "train.py(3): main", 1, 0, 200, 0)]);
    assert!(said(&own).contains("no op was recorded"), "{}", said(&own));
    assert!(!said(&own).contains("0 devices"));
}

#[test]
fn one_of_anything_is_said_in_the_singular() {
    let ops = [op("a = NoOp()", 0, 0), op("m = MatMul(a)", 0, 5_000)];
    let study = Scenario::new().device(CPU, ops).study();
    let text = doctor::json(study.trace(), &study);
    assert!(text.contains("1 op has no length") && !text.contains("1 ops"), "{text}");
}

#[test]
fn a_program_on_a_cpu_is_called_that_and_lines_of_an_unknown_program_are_not() {
    let study = torch_study(&[
        ("user_annotation", "model_inference", 1, 0, 100, 0),
        ("cpu_op", "aten::mkldnn_convolution", 1, 2, 96, 0),
    ]);
    let said = verdict::of(&study, false).sentence;
    assert!(said.contains("compute on the CPU"), "{said}");
    let line =
        json!({ "name": "Line 21", "cat": "Line 21", "ph": "X", "ts": 0, "dur": 50, "pid": 0, "tid": 0 });
    let text = json!({ "traceEvents": [line] }).to_string();
    let said = verdict::of(&Study::new(open(&[("lines.json", text.as_bytes())]).trace), false).sentence;
    assert!(said.contains("compute on the device"), "{said}");
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

#[test]
fn the_part_of_a_program_with_most_of_the_time_is_named() {
    let mut events = vec![
        on_host("user_annotation", "main", 0.0, 10_000.0),
        on_host("user_annotation", "load", 0.0, 3_000.0),
        on_host("user_annotation", "solve", 3_000.0, 6_500.0),
    ];
    events.extend((0..100).map(|id| on_host("cpu_op", "aten::mul", 100.0 * f64::from(id), 90.0)));
    let said = said_of_recording(&of_torch(&events));
    assert!(said.contains("Of the parts that the program marks, solve takes 65.1 %"), "{said}");
}

#[test]
fn mostly_is_more_than_half_of_the_time_that_the_figure_is_of() {
    // On the path MatMul has 50 of 95 ms.
    let of = |first: &str, beside: i64| {
        let name = json!({ "name": "/job:localhost/replica:0/task:0/device:CPU:0 Compute" });
        let mut all = vec![json!({ "ph": "M", "name": "process_name", "pid": 0, "args": name })];
        let ops = [
            (0, first, "a", 0, 45_000),
            (0, "MatMul", "b", 45_000, 50_000),
            (1, "Conv2D", "c", 46_000, beside),
        ];
        all.extend(ops.map(|(tid, kind, name, ts, dur)| {
            json!({ "ph": "X", "cat": "Op", "name": kind, "pid": 0, "tid": tid, "ts": ts, "dur": dur, "args": { "name": name, "op": kind } })
        }));
        let text = json!({ "traceEvents": all }).to_string();
        study(open(&[("timeline.json", text.as_bytes())]))
    };
    let said = |own: &Study| verdict::of(own, false).main;
    let own = said(&of("Conv2D", 1_000));
    assert!(own.contains("(mostly MatMul)"), "{own}");
    // Conv2D runs for 93 ms, MatMul for 50.
    let own = said(&of("Conv2D", 48_000));
    assert!(!own.contains("mostly"), "{own}");
    // Both run for more than half, MatMul for all of it, which the path names, too.
    let own = said(&of("MatMul", 48_000));
    assert!(own.contains("(mostly MatMul)"), "{own}");
}
