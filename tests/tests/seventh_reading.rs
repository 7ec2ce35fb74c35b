//! What strangers found wrong in the seventh reading of traces next to their data: ops that were called ready though an input of theirs was not
//! recorded, what runs on the host though it is placed on a GPU, copies that were counted with the ops that ask for them, words for a CPU.
//! Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::causality::sums::{Bound, bounds};
use steplens_core::findings::framework::steps_one_by_one;
use steplens_core::findings::{Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::scheduling::host_idle::{HostPart, host_idle};
use steplens_core::{Nanos, Study};
use steplens_report::{findings, verdict};
use steplens_tests::opened::{TorchEvent, event, open, torch, torch_study};
use steplens_tests::samples::sample;
use steplens_tests::writer::{Scenario, op};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const STREAM: &str = "/device:GPU:0/stream:all";

/// The findings of `study`, as JSON.
fn list(study: &Study) -> Value {
    serde_json::from_str(&findings::json(study, &[], None)).unwrap_or_default()
}

/// The row of `rule`.
fn row(list: &Value, rule: Rule) -> Option<Value> {
    let rows = list["findings"].as_array()?;
    rows.iter().find(|own| own["rule"] == rule.word()).cloned()
}

/// What `timeline.py` writes of one thread of a CPU: name, type, start and length in µs, input.
fn timeline_py(ops: &[(&str, &str, i64, i64, &str)]) -> Study {
    let name = format!("{CPU} Compute");
    let mut events = vec![json!({ "ph": "M", "name": "process_name", "pid": 1, "args": { "name": name } })];
    events.extend(ops.iter().map(|&(name, kind, ts, dur, input)| {
        let mut args = json!({ "name": name, "op": kind });
        if !input.is_empty() {
            args["input0"] = input.into();
        }
        json!({ "ph": "X", "cat": "Op", "name": kind, "pid": 1, "tid": 0, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "traceEvents": events }).to_string();
    Study::new(open(&[("timeline.json", text.as_bytes())]).trace)
}

#[test]
fn an_op_whose_input_was_not_recorded_is_not_known_to_have_been_ready() {
    let threads = |input: &str| {
        let study = timeline_py(&[
            ("c", "Const", 0, 10, ""),
            ("next", "IteratorGetNext", 20, 50_000, ""),
            ("x", "Add", 50_030, 10_000, input),
        ]);
        bounds(study.trace(), study.causes()).into_iter().find(|own| own.0 == Bound::Threads).map(|own| own.1)
    };
    // Its only input was there after 10 µs: it waited until the thread was free. With a second thread the step takes as long as `next`.
    assert_eq!(threads("c"), Some(Nanos(10_030_000)));
    // What a GPU sent came at a time that nobody wrote down.
    assert_eq!(threads("Cast/_245"), Some(Nanos(0)));
}

/// A GPU that waits for `kind`, an op of 40 µs that is placed on it and runs no kernel.
fn waits_for(kind: &str) -> Option<Value> {
    let own = op(&format!("u = {kind}(a)"), 1_000, 40_000);
    let study = Scenario::new()
        .device(CPU, [op("a = _Arg()", 0, 1_000)])
        .device(GPU, [own, op("m = MatMul(u)", 41_000, 5_000)])
        .device("/device:GPU:0/stream:13", [op("m = MatMul(u)", 42_000, 60_000)])
        .study();
    row(&list(&study), Rule::HostOpBetween)
}

#[test]
fn tf_device_is_no_advice_for_what_is_placed_on_the_gpu_already() {
    let said = |own: &Value, key: &str| own[key].as_str().unwrap_or_default().to_owned();
    let on_gpu = waits_for("Unique").expect("a finding");
    assert!(
        said(&on_gpu, "sentence").contains("Placed on the GPU, but run on the host: 1 of them."),
        "{on_gpu}"
    );
    assert!(said(&on_gpu, "advice").contains("tf.device does not help"), "{on_gpu}");
    // It hands its input on: what took long was something else.
    assert_eq!(waits_for("Identity"), None);
    // Two `Unique` of the GPU, and two lookups of the CPU.
    let Some(bytes) = sample("gpu/gpu-feeddict.pb") else { return };
    let study = Study::new(open(&[("gpu-feeddict.pb", &bytes)]).trace);
    let both = row(&list(&study), Rule::HostOpBetween).expect("a finding");
    assert!(said(&both, "sentence").contains("Placed on the GPU, but run on the host: 2 of them."), "{both}");
    assert!(said(&both, "advice").contains("Place them on the GPU (tf.device)"), "{both}");
}

#[test]
fn a_copy_counts_once_and_not_with_the_op_that_asks_for_it() {
    let Some(bytes) = sample("real/timeline-py/memory-swapping.json.gz") else { return };
    let study = Study::new(open(&[("timeline.json.gz", &bytes)]).trace);
    let found = Findings::found(&study, &Replay::of(&study), None);
    let facts = &found.rows.iter().find(|own| own.rule == Rule::Copies).expect("a finding").facts;
    // The rows of /memcpy by a script: five to the device, 147.5 ms, four from it, 131.1 ms, and three of 1 µs. Six ops ask for them.
    let rows: Vec<(u64, i64)> = facts.copies.iter().map(|own| (own.count, own.time.0 / 100_000)).collect();
    assert_eq!(rows, [(5, 1_474), (4, 1_310), (3, 0)]);
    assert_eq!(facts.of, 6);
    // Any copy at all was under way for 278.6 ms, so the step was not copying for longer.
    let figures = verdict::of(&study, false).figures.expect("figures");
    assert!(figures.path_part != Some("copy") || figures.path_ns <= Some(278_700_000), "{figures:?}");
}

#[test]
fn the_beginning_of_an_executor_is_no_work_of_the_host() {
    let study = Scenario::new()
        .device(CPU, [op("_SOURCE = NoOp()", 0, 180_000), op("a = _Arg()", 180_000, 4_000)])
        .device(GPU, [op("m = MatMul(a)", 184_000, 5_000)])
        .device(STREAM, [op("m = MatMul(a)", 186_000, 10_000)])
        .study();
    let hosts = host_idle(study.edges(), study.kernels());
    let [own] = hosts.as_slice() else { panic!("{hosts:?}") };
    assert!(own.part(HostPart::Operators) <= Nanos(9_000), "{own:?}");
    assert!(own.part(HostPart::Beginning) >= Nanos(180_000), "{own:?}");
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
fn a_profiler_that_ran_longer_than_its_recording_is_said() {
    let study = |profiler: f64| {
        let events = [
            event("Trace", "PyTorch Profiler (0)", (7, 7), (0.0, profiler), &json!({})),
            event("cpu_op", "aten::mm", (100, 1), (10.0, 100.0), &json!({})),
        ];
        Study::new(open(&[("made.json", &torch(&events, &json!({})))]).trace)
    };
    let said = verdict::of(&study(13_834.0), false).sentence;
    assert!(
        said.contains("The profiler ran for 13.83 ms, and all that it recorded lies within 100.0 µs"),
        "{said}"
    );
    assert!(!verdict::of(&study(300.0), false).sentence.contains("profiler"));
}

#[test]
fn a_saving_of_several_steps_is_that_of_the_recording_with_its_mean_for_a_step() {
    let Some(bytes) = sample("real/pytorch/v100-resnet50.json.gz") else { return };
    let study = Study::new(open(&[("v100.json.gz", &bytes)]).trace);
    let list = list(&study);
    let rows = list["findings"].as_array().expect("findings");
    let steps = study.steps() as i64;
    assert_eq!(steps, 6);
    for own in rows.iter().filter(|own| own["saving_ns"].is_i64()) {
        let sentence = own["sentence"].as_str().unwrap_or_default();
        assert!(sentence.contains("the recording") && !sentence.contains("the step would"), "{sentence}");
        assert!(sentence.contains("In the mean of 6 steps, that is "), "{sentence}");
    }
    // One step of it is a step.
    let first = rows[0]["saving_ns"].as_i64().unwrap_or_default();
    assert!(first / steps > 30_000_000 && first / steps < 32_000_000, "{first}");
}

#[test]
fn a_fused_optimizer_is_advised_where_one_takes_its_parameters_one_by_one() {
    let step: TorchEvent<'_> = ("user_annotation", "Optimizer.step#Adam.step", 1, 0, 100, 0);
    let one: TorchEvent<'_> = ("cpu_op", "aten::addcdiv_", 1, 10, 20, 0);
    let many: TorchEvent<'_> = ("cpu_op", "aten::_foreach_addcdiv_", 1, 40, 20, 0);
    let of = |events: &[TorchEvent<'_>]| steps_one_by_one(torch_study(events).trace());
    assert!(of(&[step, one]));
    assert!(!of(&[step, one, many]));
    assert!(!of(&[one]));
}
