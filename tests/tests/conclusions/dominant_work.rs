//! Ops that have most of the time: which, of what kind, and what is left to do. An op that was held up, or only passes a tensor on, is not to be made
//! smaller.

use super::made::{CPU, GPU, Ran, STREAM_13, in_turn, of_devices, of_torch, said};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::Study;
use steplens_core::compare::Comparison;
use steplens_core::findings::Rule;
use steplens_report::compare::{Compare, Shown};
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, open, row, rows, study, text, torch};
use steplens_tests::tensorflow::{list, profiled, timeline};
use steplens_tests::writer::{Scenario, op};

#[test]
fn one_op_on_the_cpu_is_named_where_a_gpu_was_recorded() {
    let of = |label: &str| {
        Scenario::new()
            .device(GPU, [op("m = MatMul(a)", 0, 1_000_000)])
            .device(STREAM_13, [op("m = MatMul(a)", 500_000, 1_500_000)])
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
fn an_op_that_only_passes_a_tensor_on_is_not_to_be_split() {
    let mut events = Vec::new();
    for place in 0..20 {
        events.push((1, "x:ReadVariableOp", place * 10, 2, 0, ""));
    }
    events.push((1, "embedding:ReadVariableOp", 300, 36_000, 0, ""));
    events.push((1, "c:MatMul", 36_400, 5_000, 0, ""));
    let own = profiled(&events);
    let found = row(&own, Rule::DominantWork).unwrap_or_else(|| panic!("{}", list(&own)));
    let said = text(&found, "sentence");
    assert!(said.contains("only passes a tensor on") && said.contains("the 20 others"), "{said}");
    assert!(text(&found, "advice").contains("later step"), "{found}");
}

#[test]
fn a_long_kernel_gets_no_advice_about_threads() {
    let mut ops: Vec<(i64, &str, &str, i64, i64)> =
        vec![(1, "MatMul", "long", 0, 10), (2, "MatMul", "long", 20, 5_000)];
    for (place, name) in (0..).zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
        ops.push((1, "MatMul", name, 20 + place * 10, 5));
        ops.push((2, "MatMul", name, 5_100 + place * 100, 90));
    }
    let found = row(&timeline(&ops), Rule::DominantWork).expect("a finding");
    let advice = text(&found, "advice");
    assert!(advice.contains("half precision") && !advice.contains("threads"), "{advice}");
}

const SYCL: &str = "/job:localhost/replica:0/task:0/device:SYCL:0";

/// A step of 100 ms on one device: `convolutions` in pieces of `piece` µs, the rest in an op that is none.
fn convolving(device: &str, op_type: &str, convolutions: i64, piece: i64) -> Study {
    let count = convolutions / piece;
    let mut ops: Vec<Ran<'_>> =
        (0..count).map(|at| (0, op_type, "c", at * piece, piece, [].as_slice())).collect();
    let rest = 100_000 - convolutions;
    ops.extend((0..10).map(|at| (0, "Relu", "r", convolutions + at * rest / 10, rest / 10, [].as_slice())));
    of_devices(&[device], &ops)
}

#[test]
fn convolutions_that_are_the_step_of_a_cpu_are_a_finding() {
    let own = found(&convolving(CPU, "Conv2DBackpropFilter", 80_000, 20_000), "dominant-work");
    let what = text(&own, "what");
    assert!(what.contains("Convolutions on the CPU") && what.contains("(80.0 %)"), "{own}");
    assert_eq!((own["basis"].clone(), own["saving_ns"].clone()), (json!("figure"), Value::Null), "{own}");
    let advice = text(&own, "advice");
    assert!(advice.contains("intra_op_parallelism_threads") && advice.contains("TF_ENABLE_ONEDNN_OPTS"));
    let own = found(&convolving(CPU, "_MklFusedMatMul", 80_000, 20_000), "dominant-work");
    assert!(text(&own, "what").contains("Products of matrices on the CPU"), "{own}");
    assert!(text(&own, "advice").contains("oneDNN carries them out already"), "{own}");
    for silent in [
        // Other ops have most of the time; each is short; it is no CPU.
        convolving(CPU, "Conv2D", 40_000, 20_000),
        convolving(CPU, "Conv2D", 80_000, 500),
        convolving(SYCL, "Conv2D", 80_000, 20_000),
        // Where an executor ran them on a GPU, nothing says how long that took.
        timeline(&[(1, "Conv2D", "c", 0, 80_000), (0, "Relu", "r", 80_000, 20_000)]),
    ] {
        let own = found(&silent, "dominant-work");
        assert!(!text(&own, "what").contains("on the CPU take"), "{own}");
    }
}

#[test]
fn convolutions_without_onednn_and_products_of_matrices_are_found_on_a_cpu() {
    let cpu = |ops: &[(&str, f64)]| {
        let mut at = 0.0;
        let mut events = Vec::new();
        for &(name, length) in ops {
            events.push(on_host("cpu_op", name, at, length));
            at += length + 1.0;
        }
        study(open(&[("made.json", &torch(&events, &json!({})))]))
    };
    let own = found(&cpu(&[("aten::_slow_conv2d_forward", 9_000.0), ("aten::relu", 900.0)]), "dominant-work");
    assert!(text(&own, "advice").contains("mkldnn"), "{own}");
    let own = cpu(&[("aten::mm", 4_400.0), ("aten::addmm", 3_300.0), ("aten::relu", 2_300.0)]);
    let finding = found(&own, "dominant-work");
    let sentence = text(&finding, "sentence");
    assert!(
        sentence.contains("Products of matrices")
            && sentence.contains("aten::mm")
            && sentence.contains("aten::addmm"),
        "{sentence}"
    );
    assert!(text(&finding, "advice").contains("set_num_threads"), "{finding}");
    let said = verdict::of(&own, true).sentence;
    assert!(said.contains("aten::mm 44") && said.contains("aten::addmm 33"), "{said}");
}

#[test]
fn operators_of_a_gpu_get_no_advice_for_a_cpu() {
    let mut events = Vec::new();
    for number in 0..10 {
        let at = 1_000.0 * f64::from(number);
        events.push(on_host("cpu_op", "aten::cudnn_convolution", at, 800.0));
        events.push(on_host("cpu_op", "aten::relu", at + 800.0, 150.0));
    }
    assert!(found(&of_torch(&events), "dominant-work").is_null());
}

#[test]
fn what_has_most_of_the_path_comes_first() {
    let args = json!({ "Concrete Inputs": ["", "", "", "", "", "True", "0.1", "1e-05", "True"] });
    let norms = |convolution: f64| {
        let mut events = Vec::new();
        for number in 0..10 {
            let at = 10_000.0 * f64::from(number);
            events.push(on_host("cpu_op", "aten::mkldnn_convolution", at, convolution));
            events.push(event("cpu_op", "aten::batch_norm", HOST, (at + convolution, 1_500.0), &args));
            events.push(on_host("cpu_op", "aten::relu", at + convolution + 1_500.0, 8_400.0 - convolution));
        }
        rows(&of_torch(&events)).into_iter().map(|own| text(&own, "rule").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(norms(6_000.0), ["dominant-work", "training-mode"]);
    assert_eq!(norms(4_000.0), ["training-mode", "dominant-work"]);
}

#[test]
fn what_contains_a_product_of_matrices_is_none() {
    let mut events = Vec::new();
    for id in 0..20 {
        let at = 1_000.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::linear", at, 990.0));
        events.push(on_host("cpu_op", "aten::addmm", at + 10.0 + f64::from(id), 500.0));
    }
    let own = found(&of_torch(&events), "dominant-work");
    let sentence = text(&own, "sentence");
    assert!(sentence.contains("aten::addmm 10 ms") && !sentence.contains("aten::linear"), "{own}");
}

#[test]
fn a_kind_is_the_largest_part_only_if_no_other_type_has_more() {
    let of = |clamp: f64| {
        let operators = [("aten::clamp_min", clamp), ("aten::addmm", 3_400.0), ("aten::copy_", 2_800.0)];
        let mut at = 0.0;
        let mut events = Vec::new();
        for (name, length) in operators {
            events.push(on_host("cpu_op", name, at, length));
            at += length;
        }
        found(&study(open(&[("made.json", &torch(&events, &json!({})))])), "dominant-work")
    };
    let own = of(3_500.0);
    assert!(!text(&own, "what").contains("Products of matrices"), "{own}");
    assert!(text(&own, "what").contains("aten::clamp_min"), "{own}");
    assert!(text(&of(3_300.0), "what").contains("Products of matrices"));
}

/// Convolutions of a library and of PyTorch, in ms, and a product of 2 ms.
fn convolutions(library: f64, own: f64) -> Value {
    let ms = 1_000.0;
    let ops = [
        ("aten::mkldnn_convolution", library * ms),
        ("aten::_slow_conv2d_forward", own * ms),
        ("aten::_convolution", 100.0),
        ("aten::mm", 2.0 * ms),
    ];
    found(&of_torch(&in_turn(&ops)), "dominant-work")
}

#[test]
fn convolutions_of_pytorch_itself_are_convolutions() {
    let mixed = convolutions(6.0, 2.0);
    let sentence = text(&mixed, "sentence");
    assert!(sentence.contains("mkldnn_convolution") && sentence.contains("_slow_conv2d_forward"), "{mixed}");
    assert!(!text(&mixed, "advice").contains("oneDNN"), "{mixed}");
    // A Mac has a GPU that its own convolution does not use.
    let slow = convolutions(1.0, 7.0);
    let advice = text(&slow, "advice");
    assert!(advice.contains("oneDNN") && advice.contains("On a Mac") && advice.contains("mps"), "{slow}");
}

/// The advice for layers of this many rows.
fn layers(rows: u64) -> String {
    let shapes = json!({ "Input Dims": [[64], [rows, 64], [64, 64], [], []] });
    let mut events = in_turn(&[("aten::relu", 1_000.0); 10]);
    events.extend((0..10).map(|id| {
        event("cpu_op", "aten::addmm", HOST, (11_000.0 + 2_000.0 * f64::from(id), 1_990.0), &shapes)
    }));
    text(&found(&of_torch(&events), "dominant-work"), "advice").to_owned()
}

#[test]
fn no_larger_batch_where_shapes_say_that_it_is_large() {
    let many = layers(400_400);
    assert!(many.contains("larger batches do not help"), "{many}");
    let few = layers(128);
    assert!(few.contains("larger batches,") && !few.contains("do not help"), "{few}");
}

/// A step of an executor on a CPU, as `timeline.py` writes it: ops behind one another, each a name, a type and a length in µs.
fn of_executor(ops: &[(&str, &str, i64)]) -> Study {
    let device = "/job:localhost/replica:0/task:0/device:CPU:0 Compute";
    let mut all = vec![json!({ "ph": "M", "name": "process_name", "pid": 1, "args": { "name": device } })];
    let mut at = 0;
    for &(name, op, dur) in ops {
        let args = json!({ "name": name, "op": op });
        all.push(json!({ "ph": "X", "cat": "Op", "name": op, "pid": 1, "tid": 0, "ts": at, "dur": dur, "args": args }));
        at += dur;
    }
    study(open(&[("timeline.json", json!({ "traceEvents": all }).to_string().as_bytes())]))
}

/// What differs between two such steps: how many ops have another type, how many only A has, and the sentences of the bars.
fn compared(a: &[(&str, &str, i64)], b: &[(&str, &str, i64)]) -> (u64, u64, String) {
    let shown = [a, b].map(|ops| {
        let study = Rc::new(of_executor(ops));
        let whole = Arc::clone(study.trace());
        Shown::of(&study, &whole)
    });
    let found = Comparison::made(shown[0].side(), shown[1].side());
    let answer = Compare::new(&found);
    let bars: Vec<&str> = answer.waterfall.iter().map(|bar| bar.sentence.as_str()).collect();
    (answer.matches.retyped, answer.matches.only_a, bars.join("\n"))
}

#[test]
fn an_op_that_a_library_carries_out_is_the_same_op() {
    let a =
        [("net/Relu", "_FusedConv2D", 900), ("net/pool", "MaxPool", 100), ("net/out", "_FusedMatMul", 50)];
    let b = [
        ("net/Relu", "_MklNativePadWithFusedConv2D", 400),
        ("net/pool", "_MklMaxPool", 100),
        ("net/out", "_MklNativeFusedMatMul", 50),
    ];
    let (retyped, only_a, bars) = compared(&a, &b);
    assert_eq!((retyped, only_a), (3, 0), "{bars}");
    assert!(bars.contains("takes 500.0 µs less"), "{bars}");
    assert!(bars.contains("_FusedConv2D in A, and _MklNativePadWithFusedConv2D in B"), "{bars}");
    assert!(!bars.contains("is gone") && !bars.contains("is new"), "{bars}");
    // The conversion of a layout has no other op, nor has work of another kind a partner, nor what no library rewrote.
    let b = [("net/Relu", "Relu", 400), ("net/pool", "AvgPool", 100), ("net/out/Mkl2Tf", "_MklToTf", 50)];
    let (retyped, only_a, bars) = compared(&a, &b);
    assert_eq!((retyped, only_a), (0, 3), "{bars}");
    let (retyped, ..) = compared(&[("n", "FusedBatchNorm", 9)], &[("n", "FusedBatchNormV3", 9)]);
    assert_eq!(retyped, 0);
}
