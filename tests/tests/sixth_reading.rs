//! What a stranger found wrong in traces that he read next to their data: containers that were named, dispatch that was called compute, kernels
//! that ran during their own op, one step that is most of a recording. Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::{Finding, Findings, Rule};
use steplens_core::model::file::FileReport;
use steplens_core::replay::Replay;
use steplens_report::{findings, verdict};
use steplens_tests::opened::{TorchEvent, open, torch_study};
use steplens_tests::writer::{Scenario, op};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";
const CPU: &str = "/job:localhost/replica:0/task:0/device:CPU:0";
const UNRECORDED: &str = "What its GPU did was not recorded.";

fn found(study: &Study) -> Vec<Finding> {
    Findings::found(study, &Replay::of(study), None).rows
}

/// An event of TensorFlow 2's profiler on a thread of its host: name, thread, start and length in µs, arguments.
type HostEvent<'a> = (&'a str, i64, i64, i64, Value);

/// What TensorFlow 2's profiler wrote; with the name of a GPU that has no event.
fn tensorflow2(has_gpu: bool, events: &[HostEvent<'_>]) -> (Study, Vec<FileReport>) {
    let named = |pid: i64, name: &str| json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": name } });
    let mut all = vec![named(49, "/host:CPU")];
    all.extend(has_gpu.then(|| named(0, "/device:GPU:0")));
    all.extend(events.iter().map(|(name, tid, ts, dur, args)| {
        json!({ "ph": "X", "name": name, "pid": 49, "tid": tid, "ts": ts, "dur": dur, "args": args })
    }));
    let text = json!({ "displayTimeUnit": "ns", "traceEvents": all }).to_string();
    let opened = open(&[("host.trace.json", text.as_bytes())]);
    (Study::new(opened.trace), opened.files)
}

/// One step of a `tf.function` of 50 ms, whose ops run on another thread, and three small ops after it.
fn one_function() -> Vec<HostEvent<'static>> {
    let mut events = Vec::new();
    for (place, length) in [50_000, 40, 30, 40].into_iter().enumerate() {
        let at = [0, 50_100, 50_200, 50_300][place];
        events.push(("EagerExecute: __inference_train_function_9", 1, at, length, json!({})));
        events.push(("EagerKernelExecute", 1, at, length, json!({})));
    }
    events.push(("ExecutorState::Process", 2, 100, 30_000, json!({})));
    events.push(("Adam/update/Unique:Unique", 2, 200, 20_000, json!({})));
    events
}

#[test]
fn an_op_that_contains_a_whole_function_is_no_first_operator_and_is_named_nowhere() {
    let (study, files) = tensorflow2(false, &one_function());
    assert!(found(&study).iter().all(|own| own.rule != Rule::FirstStep));
    let said = findings::json(&study, &files, None);
    assert!(!said.contains("mostly EagerKernelExecute"), "{said}");
    // The same lengths of an operator that works by itself are a first call of it.
    let mut events: Vec<TorchEvent<'_>> = vec![("cpu_op", "aten::mm", 1, 0, 50_000, 0)];
    events.extend([50_100, 50_200, 50_300].map(|at| ("cpu_op", "aten::mm", 1, at, 40, 0)));
    assert!(found(&torch_study(&events)).iter().any(|own| own.rule == Rule::FirstStep));
}

#[test]
fn a_row_that_is_called_a_thread_is_named_nowhere() {
    let (study, files) =
        tensorflow2(false, &[("THREAD", 1, 0, 900, json!({})), ("x", 2, 900, 10, json!({}))]);
    let said = verdict::of_files(&study, &files).sentence;
    assert!(said.contains("compute") && !said.contains("mostly"), "{said}");
}

#[test]
fn ops_of_a_host_whose_gpu_was_not_recorded_are_not_called_compute() {
    // The CPU sends a tensor to another device, which can only be the GPU that is named.
    let mut events = one_function();
    events.push(("x/_3:_Send", 2, 20_300, 10, json!({})));
    let (study, files) = tensorflow2(true, &events);
    let said = verdict::of_files(&study, &files).sentence;
    assert!(said.contains("ops ran on the host") && said.ends_with(UNRECORDED), "{said}");
    assert!(!said.contains("compute"), "{said}");
    let list: Value = serde_json::from_str(&findings::json(&study, &files, None)).unwrap_or_default();
    assert!(list["sentence"].as_str().is_some_and(|own| !own.contains("compute")), "{list}");
    // No GPU is named: the CPU computes.
    let (study, files) = tensorflow2(false, &one_function());
    let said = verdict::of_files(&study, &files).sentence;
    assert!(said.contains("compute on the CPU") && !said.contains(UNRECORDED), "{said}");
}

#[test]
fn an_executor_that_only_starts_ops_of_a_gpu_does_not_compute() {
    let started = Scenario::new()
        .device(CPU, [op("_arg_0 = _Arg()", 0, 10_000)])
        .device(GPU, [op("m = MatMul(_arg_0)", 10_000, 60_000), op("c = _XlaRun(m)", 70_000, 30_000)]);
    let said = verdict::of(&started.study(), false).sentence;
    assert!(said.ends_with(UNRECORDED) && !said.contains("compute"), "{said}");
    assert!(found(&started.study()).iter().all(|own| own.rule != Rule::FewThreads));
    // With its stream it is the GPU that computes.
    let whole = started.device("/device:GPU:0/stream:all", [op("m = MatMul(_arg_0)", 20_000, 60_000)]);
    let said = verdict::of(&whole.study(), false).sentence;
    assert!(said.contains("compute on the GPU") && !said.contains(UNRECORDED), "{said}");
}

/// An op of an executor that takes 80 of 100 µs, and its kernels, which run for 50 µs of these.
#[test]
fn while_kernels_of_an_op_run_that_waits_for_them_the_path_is_on_the_gpu() {
    let study = |kernels: &[(i64, i64)]| {
        let stream = kernels.iter().map(|&(at, length)| op("c = Conv2D(a)", at * 1_000, length * 1_000));
        Scenario::new()
            .device(CPU, [op("a = _Arg()", 0, 5_000)])
            .device(GPU, [op("c = Conv2D(a)", 5_000, 85_000), op("d = Identity(c)", 90_000, 10_000)])
            .device("/device:GPU:0/stream:all", stream)
            .study()
    };
    // 20 to 40 and 30 to 45 overlap: 25 µs, and 30 µs more.
    let own = verdict::of(&study(&[(20, 20), (30, 15), (50, 30)]), false);
    let figures = own.figures.map(|own| (own.path_part, own.path_ns));
    assert_eq!(figures, Some((Some("compute"), Some(55_000))), "{}", own.sentence);
    // 85 - 20 µs, and 10 µs of the next op: what came before the first is not known.
    let own = verdict::of(&study(&[(20, 20)]), false);
    let figures = own.figures.map(|own| (own.path_part, own.path_ns));
    assert_eq!(figures, Some((Some("host"), Some(75_000))), "{}", own.sentence);
}

#[test]
fn what_an_executor_begins_with_is_not_called_compute_alone() {
    let begins = |source: i64| {
        let rest = 100_000 - source;
        let ops = [op("_SOURCE = NoOp()", 0, source), op("m = MatMul(a)", source, rest)];
        verdict::of(&Scenario::new().device(CPU, ops).study(), false).sentence
    };
    let said = begins(57_000);
    assert!(said.contains("57.0") && said.contains("the executor only began (_SOURCE"), "{said}");
    assert!(!said.contains("mostly NoOp"), "{said}");
    assert!(!begins(9_000).contains("_SOURCE"));
}

/// Steps of these lengths in µs, one after the other, marked as Keras does, which counts from 0.
fn steps(lengths: &[i64]) -> String {
    let (mut events, mut at): (Vec<HostEvent<'_>>, i64) = (Vec::new(), 0);
    for (place, &length) in lengths.iter().enumerate() {
        let number = place.to_string();
        events.push(("TraceContext", 1, at, length, json!({ "step_num": number, "group_id": number })));
        events.push(("x:MatMul", 1, at, length, json!({ "group_id": number })));
        at += length;
    }
    let (study, files) = tensorflow2(false, &events);
    verdict::of_files(&study, &files).sentence
}

#[test]
fn a_step_that_is_most_of_a_recording_is_said() {
    let said = steps(&[100, 120, 600, 80, 100]);
    assert!(
        said.contains("Step 2 alone takes 60.0") && said.contains("no other step more than 120"),
        "{said}"
    );
    assert!(!steps(&[100, 120, 400, 80, 300]).contains("alone"));
    // Of two steps one always has half.
    assert!(!steps(&[400, 600]).contains("alone"));
}

#[test]
fn loading_is_named_after_what_has_half_of_it() {
    let load = |name: &'static str, from: i64, length: i64| ("cpu_op", name, 1, from, length, 0);
    let study = |outer: &'static str| {
        let mut events = Vec::new();
        for step in 0..4 {
            let at = step * 1_000;
            events.push(load(outer, at, 900));
            // The longest piece of one kind is in the middle.
            events.extend((0..8).map(|place| load("aten::to", at + place * 100, 40)));
            events.push(load("aten::_cat", at + 840, 60));
            events.push(load("aten::mm", at + 900, 100));
        }
        torch_study(&events)
    };
    let name = |study: &Study| {
        found(study).into_iter().find(|own| own.rule == Rule::InputBound).map(|own| own.facts.name)
    };
    let loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    assert_eq!(name(&study(loader)).as_deref(), Some(loader));
}

#[test]
fn operators_of_kineto_are_those_of_pytorch_whatever_they_are_called() {
    let mut events: Vec<TorchEvent<'_>> = Vec::new();
    for place in 0..10 {
        let at = place * 100;
        events.push(("cpu_op", "op1", 1, at, 90, 0));
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, at + 5, 80, place + 1));
        events.push(("kernel", "Kernel", 7, at + 86, 5, place + 1));
    }
    let study = torch_study(&events);
    let said = findings::json(&study, &[], None);
    assert!(said.contains("\"framework\":\"pytorch\"") && !said.contains("tf.function"), "{said}");
}
