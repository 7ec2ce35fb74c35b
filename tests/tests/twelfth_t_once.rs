//! What a stranger found wrong in the twelfth reading of TensorFlow's and JAX's traces next to their data: what happens once and is most of the
//! time, and what follows the last step. Each case is made here, and its figures follow from its numbers.

use steplens_core::findings::{OnceKind, Rule, Subject, Verdict};
use steplens_report::verdict;
use steplens_tests::opened::torch_study;
use steplens_tests::tensorflow::{list, profiled, row, text, timeline};

/// An op of the host of an executor: (row, op type, name, start, length), in µs.
type TimelineOp = (i64, &'static str, &'static str, i64, i64);

/// Ten ops on a GPU that take 100 µs each, with their kernels, from `at` on.
fn usual_ops(at: i64) -> Vec<TimelineOp> {
    const NAMES: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let each = NAMES.into_iter().zip(0..).flat_map(|(name, place)| {
        let from = at + place * 110;
        [(1, "MatMul", name, from, 100), (2, "MatMul", name, from + 20, 60)]
    });
    each.collect()
}

#[test]
fn a_verdict_begins_with_what_happens_once_and_is_most_of_the_time() {
    let of = |first: i64| {
        let mut ops =
            vec![(1, "RandomUniform", "random", 0, first), (2, "RandomUniform", "random", first - 50, 40)];
        ops.extend(usual_ops(first + 10));
        timeline(&ops)
    };
    let long = of(90_000);
    let said = verdict::of(&long, false);
    assert!(said.main.contains("is what only a first step does (mostly random)"), "{}", said.main);
    assert!(said.main.contains("98.8\u{a0}%") || said.main.contains("98.8 %"), "{}", said.main);
    assert!(said.sentence.contains("As a whole: "), "{}", said.sentence);
    assert_eq!(text(&list(&long)["findings"][0], "rule"), Rule::FirstStep.word());
    // What is no first step is not said.
    let said = verdict::of(&of(600), false);
    assert!(!said.sentence.contains("first step"), "{}", said.sentence);
}

#[test]
fn the_capture_of_a_graph_comes_first_too() {
    let mut events = vec![
        ("cuda_runtime", "cudaStreamBeginCapture", 1, 0, 10, 0),
        ("cpu_op", "aten::mm", 1, 100, 50_000, 0),
        ("cuda_runtime", "cudaStreamEndCapture", 1, 80_000, 10, 0),
    ];
    for place in 0..10 {
        let at = 81_000 + place * 100;
        events.push(("cuda_runtime", "cudaLaunchKernel", 1, at, 5, place + 1));
        events.push(("kernel", "gemm", 7, at + 10, 50, place + 1));
    }
    let study = torch_study(&events);
    let once = Verdict::of(&Subject::of(&study)).and_then(|own| own.once).map(|own| own.kind);
    assert_eq!(once, Some(OnceKind::Capture));
    let said = verdict::of(&study, true).main;
    assert!(said.contains("a graph of kernels is captured, which happens once"), "{said}");
    assert_eq!(text(&list(&study)["findings"][0], "rule"), Rule::FirstStep.word());
}

#[test]
fn what_takes_most_of_a_first_step_comes_first() {
    // One convolution starts the library for 1 s; another one tries algorithms for 20 ms.
    let of = |first: i64| {
        let mut ops = vec![(1, "Conv2D", "first", 0, first), (2, "Conv2D", "first", first - 100, 90)];
        let mut at = first + 5;
        for place in 0..20_i64 {
            let length = 300 + place % 5 * 300;
            ops.push((2, ["Conv2D", "gemm", "winograd", "fft"][place as usize % 4], "tries", at + 5, length));
            at += length + 10;
        }
        ops.push((1, "Conv2D", "tries", first + 1, at - first));
        ops.extend(usual_ops(at + 10));
        let found = row(&timeline(&ops), Rule::FirstStep).expect("a finding");
        text(&found, "sentence").to_owned()
    };
    let said = of(1_000_000);
    let (most, least) = (said.find("first (1"), said.find("1 convolution among them tries"));
    assert!(most.is_some() && most < least, "{said}");
    let said = of(12_000);
    assert!(said.contains("1 convolution tries the algorithms") && !said.contains("among them"), "{said}");
}

/// A program of TensorFlow 2 on a CPU that makes variables, traces for a second, and calls a function `calls` times.
fn traced(makes: &'static str, calls: i64) -> Vec<(i64, &'static str, i64, i64, i64, &'static str)> {
    let mut events = vec![
        (2, "ReadVariableOp", 0, 100, 0, ""),
        (2, makes, 500_000, 100, 0, ""),
        (2, makes, 1_000_000, 100, 0, ""),
    ];
    for call in 0..calls {
        let at = 1_200_000 + call * 60_000;
        events.push((2, "EagerExecute: __inference_train_function_7", at, 55_000, 0, ""));
        events.push((2, "EagerLocalExecute: __inference_train_function_7", at + 1, 54_000, 0, ""));
        events.push((2, "EagerKernelExecute", at + 20_000, 30_000, 0, ""));
        events.push((1, "a:MatMul", at + 21_000, 28_000, 0, ""));
    }
    events
}

#[test]
fn the_first_call_of_a_function_of_tensorflow_is_a_first_step() {
    let study = profiled(&traced("VarHandleOp", 1));
    let once = Verdict::of(&Subject::of(&study)).and_then(|own| own.once).expect("it happens once");
    // From the pause before the first variable to the kernel: 499.9 + 499.9 + 199.9 + 20 ms, without the variables.
    assert_eq!((once.kind, once.time.0), (OnceKind::FirstFunction, 1_219_700_000));
    let said = verdict::of(&study, true).main;
    assert!(said.contains("runs for the first time: TensorFlow traces and prepares it then"), "{said}");
    let found = list(&study);
    assert!(text(&found["findings"][0], "sentence").contains("first call of a function"), "{found}");
    // Without variables that are made, a pause before a call is any pause.
    let study = profiled(&traced("ReadVariableOp", 1));
    assert_eq!(Verdict::of(&Subject::of(&study)).and_then(|own| own.once), None);
}

/// A call that takes no time must not be taken for its own next one: the search for the first call went on for ever.
#[test]
fn a_call_of_a_function_that_takes_no_time_ends_the_search() {
    let events = [
        (2, "EagerExecute: VarHandleOp", 0, 10, 0, ""),
        (2, "EagerExecute: __inference_f_1", 90_000, 0, 0, ""),
        (2, "EagerExecute: __inference_g_2", 90_000, 0, 0, ""),
        (2, "EagerKernelExecute", 90_000, 0, 0, ""),
    ];
    let said = verdict::of(&profiled(&events), false);
    assert!(!said.sentence.is_empty());
}

#[test]
fn what_follows_the_last_step_of_keras_is_no_part_of_it() {
    // A step of 50 ms, whose first op comes after 1 ms, and in which the GPU works for 40 ms; then callbacks for 150 ms, with a kernel of 5 µs.
    let of = |after: i64, late: i64| {
        let mut events =
            vec![(2, "train_function", 0, 30_000, 0, ""), (2, "EagerExecute: f", 10, 29_000, 0, "")];
        for place in 0..40 {
            events.push((1, "cuLaunchKernel", 1_000 + place * 500, 10, place + 1, ""));
            events.push((13, "gemm", 10_000 + place * 1_000, 1_000, place + 1, "a:MatMul"));
        }
        events.push((2, "cuStreamSynchronize", 30_100, 19_950, 99, ""));
        events.push((2, "LogicalAnd", 50_050 + after - 200, 50, 0, ""));
        events.push((1, "cuLaunchKernel", 50_050 + after - 190, 10, 77, ""));
        events.push((13, "and", 50_050 + after - 100, late, 77, "b:LogicalAnd"));
        profiled(&events)
    };
    let study = of(150_000, 5);
    let said = verdict::of(&study, true);
    let call =
        "The step (train_function), 50.05 ms of a recording of 200.0 ms: compute on the GPU takes 79.9";
    assert!(said.main.starts_with(call), "{}", said.main);
    assert!(said.sentence.contains("no part of a step"), "{}", said.sentence);
    // A short rest is no other part.
    assert!(Verdict::of(&Subject::of(&of(1_000, 5))).is_some_and(|own| own.in_steps.is_none()));
}
