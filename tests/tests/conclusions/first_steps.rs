//! What only a first step of TensorFlow or JAX does: functions are traced and compiled, libraries start, convolutions try the algorithms of
//! their library. What runs many kernels each time tries nothing.

use super::made::{number, of_host, program, said};
use steplens_core::Study;
use steplens_core::findings::{OnceKind, Rule, Subject, Verdict};
use steplens_report::verdict;
use steplens_tests::opened::{row, text};
use steplens_tests::tensorflow::{list, profiled, timeline};

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
fn compiling_is_no_compute_of_a_program_that_otherwise_rests() {
    let own =
        of_host(&[("TfrtCpuClient::Compile", 0, 27_300), ("TfrtCpuExecutable::ExecuteHelper", 273_500, 40)]);
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("what only a first call does takes 10.0 % of the time"), "{said}");
    let found = row(&own, Rule::FirstStep).expect("a finding");
    assert_eq!(found["saving_ns"], 27_300_000, "{found}");
}

/// The first step of a graph on a GPU: an iterator is made, its first batch takes 40 ms, and two convolutions run nine unlike kernels each; the first
/// takes `first` µs.
fn first_step(made: i64, first: i64) -> Study {
    let mut ops = vec![
        (0, "OneShotIterator", "OneShotIterator", 0, made),
        (0, "IteratorGetNext", "IteratorGetNext", 3_000, 40_000),
        (1, "Conv2D", "a", 44_000, first),
        (1, "Conv2D", "b", 45_000 + first, 4_000),
        (1, "MatMul", "m", 50_000 + first, 100),
        (2, "MatMul", "m", 50_050 + first, 3_000),
        (1, "MatMul", "n", 52_000 + first, 100),
        (2, "MatMul", "n", 53_050 + first, 900),
    ];
    for (name, start) in [("a", 44_000 + first - 2_500), ("b", 45_000 + first + 200)] {
        let lengths = [8, 296, 4, 229, 181, 295, 4, 229, 39];
        let kernels = lengths.iter().zip(0..).map(|(&own, at)| (2, "Conv2D", name, start + at * 300, own));
        ops.extend(kernels);
    }
    timeline(&ops)
}

#[test]
fn all_that_only_a_first_step_does_is_counted_together() {
    let own = first_step(2_000, 400_000);
    let found = row(&own, Rule::FirstStep).expect("a finding");
    // The iterator and its batch, and two convolutions without their last kernels of 39 us.
    assert_eq!(number(&found, "saving_ns"), (2_000 + 40_000 + 400_000 + 4_000 - 2 * 39) * 1_000, "{found}");
    assert!(text(&found, "what").contains("2 convolutions try"), "{found}");
    assert_eq!(row(&own, Rule::InputBound), None);
    // An iterator that is there is handed out, and the batch may be slow each time.
    let own = first_step(20, 400_000);
    assert!(row(&own, Rule::InputBound).is_some());
    // Nothing else says that it is a first step: nine kernels may be one algorithm's.
    let own = first_step(20, 4_000);
    assert_eq!(row(&own, Rule::FirstStep), None, "{}", list(&own));
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

/// Kernels of `op`, one after the other from `at` on; when the last one ends.
fn kernels<'a>(
    ops: &mut Vec<(i64, &'a str, &'a str, i64, i64)>,
    op: &'a str,
    mut at: i64,
    lengths: impl Iterator<Item = i64>,
) -> i64 {
    for length in lengths {
        ops.push((2, "Conv2D", op, at, length));
        at += length + 5;
    }
    at
}

#[test]
fn an_algorithm_of_many_kernels_is_no_trial() {
    // Winograd's transforms filters and data, and multiplies 36 tiles. A convolution with a filter of one element runs two kernels.
    let winograd =
        |scale: i64| [12, 224, 14, 33].into_iter().chain([28; 36]).chain([171]).map(move |own| own * scale);
    let names = ["a/Conv2D", "b/Conv2D", "c/Conv2D", "d/Conv2D"];
    // Four layers of one shape, and one of another shape: three quarters of its kernels take the same time.
    for scales in [[1, 1, 1, 1], [2, 1, 1, 1], [3, 2, 1, 1]] {
        let (mut ops, mut at) = (Vec::new(), 0);
        for (name, scale) in names.into_iter().zip(scales) {
            let until = kernels(&mut ops, name, at + 5, winograd(scale));
            ops.push((1, "Conv2D", name, at, until - at));
            at = until;
        }
        ops.push((1, "Conv2D", "e/Conv2D", at, 300));
        kernels(&mut ops, "e/Conv2D", at + 5, [7, 122].into_iter());
        ops.push((0, "Identity", "i", at + 300, 10));
        assert_eq!(row(&timeline(&ops), Rule::FirstStep), None, "{scales:?}");
    }
}

#[test]
fn convolutions_that_run_alike_try_nothing_and_two_of_a_kind_may() {
    // Forty kernels that take unlike times.
    let unlike = || (0..40).map(|place| 100 + place % 5 * 300).chain([9_000]);
    let of = |count: usize| {
        let (mut ops, mut at) = (Vec::new(), 0);
        for name in ["a/Conv2D", "b/Conv2D", "c/Conv2D", "d/Conv2D"].into_iter().take(count) {
            let until = kernels(&mut ops, name, at + 5, unlike());
            ops.push((1, "Conv2D", name, at, until - at));
            at = until;
        }
        ops.push((1, "Conv2D", "e/Conv2D", at, 300));
        kernels(&mut ops, "e/Conv2D", at + 5, [7, 122].into_iter());
        ops.push((0, "Identity", "i", at + 300, 10));
        row(&timeline(&ops), Rule::FirstStep)
    };
    // The library tries once for each shape.
    assert_eq!(of(3), None);
    assert!(of(2).is_some());
}

#[test]
fn how_long_nothing_is_tried_is_said() {
    // The GPU is idle for 2 s of the op; then it tries.
    let of = |idle: i64| {
        let mut ops = Vec::new();
        let until = kernels(
            &mut ops,
            "a/Conv2D",
            idle,
            (0..60).map(|place| 5_000 + place % 5 * 9_000).chain([200_000]),
        );
        ops.push((1, "Conv2D", "a/Conv2D", 0, until));
        ops.push((1, "Conv2D", "b/Conv2D", until, 300));
        kernels(&mut ops, "b/Conv2D", until + 5, [122].into_iter());
        ops.push((0, "Identity", "i", until + 300, 10));
        row(&timeline(&ops), Rule::FirstStep).map(|own| text(&own, "sentence").to_owned()).unwrap_or_default()
    };
    let said = of(2_000_000);
    assert!(said.contains("While they are tried, the GPU is idle for 2.00 s"), "{said}");
    let said = of(100);
    assert!(said.contains("tries the algorithms") && !said.contains("idle"), "{said}");
}

#[test]
fn kernels_in_a_row_are_those_of_one_op() {
    // Each of three convolutions of one type runs ten kernels in a row, with a look at the memory around them: none has sixteen.
    let of = |each: i64| {
        let (mut events, mut at, mut id) = (Vec::new(), 0, 0);
        for op in ["net/a:Conv2D", "net/b:Conv2D", "net/c:Conv2D"] {
            for place in 0..each {
                id += 1;
                let name = if place % 2 == 1 { "redzone_checker" } else { "gemm" };
                events.push((1, "cuLaunchKernel", at, 10, id, ""));
                events.push((13, name, at + 15, 1_000, id, op));
                at += 1_016;
            }
        }
        row(&profiled(&events), Rule::FirstStep)
    };
    assert_eq!(of(10), None);
    let found = of(20).expect("a finding");
    assert!(text(&found, "sentence").contains("3 convolutions try"), "{found}");
}
