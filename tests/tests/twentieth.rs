//! What a stranger found wrong in the eighteenth reading of PyTorch's traces next to their data: threads that stand still, waits for a GPU that was
//! not recorded, starting ops, convolutions. Each case is made here, and its figures follow from its numbers.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_report::verdict;
use steplens_tests::opened::{HOST, event, found, on_host, open, row, study, text, torch};

fn on_cpu(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({})))]))
}

fn said(study: &Study) -> String {
    verdict::of(study, true).sentence
}

/// Operators one after the other, each a name and a length in µs, with 2 µs between them.
fn in_turn(ops: &[(&str, f64)]) -> Vec<Value> {
    let mut at = 0.0;
    let placed = ops.iter().map(|&(name, length)| {
        at += length + 2.0;
        on_host("cpu_op", name, at - length, length)
    });
    placed.collect()
}

/// Views that take 8 µs, and six that take 10 ms; after each a product of 100 µs, and after six of them one of `longest`.
fn views_and_products(longest: f64) -> Study {
    let names = ["aten::view", "aten::expand", "aten::t"];
    let ops: Vec<(&str, f64)> = (0..90)
        .flat_map(|id| {
            let is_long = id % 15 == id / 15;
            let view = (names[id % 3], if is_long { 10_000.0 } else { 8.0 });
            [view, ("aten::addmm", if is_long { longest } else { 100.0 })]
        })
        .collect();
    on_cpu(&in_turn(&ops))
}

#[test]
fn an_operator_that_computes_for_long_does_not_stand_still() {
    let short = said(&views_and_products(100.0));
    assert!(short.contains("stands still 6 times, for 60.00 ms in all"), "{short}");
    // 60 ms are less than a tenth of 1.27 s, whatever the products take.
    let long = said(&views_and_products(200_000.0));
    assert!(!long.contains("stands still"), "{long}");
}

/// Launches of kernels that were not recorded, 20 of them, and a read of a value after each: an operator with the same one within it.
fn reads(length: f64) -> Vec<Value> {
    let launched = (0..20).flat_map(|id| {
        let at = f64::from(id) * (length + 60.0);
        [
            on_host("cpu_op", "aten::mm", at, 50.0),
            on_host("cuda_runtime", "cudaLaunchKernel", at + 10.0, 5.0),
            on_host("cpu_op", "aten::item", at + 52.0, length),
            on_host("cpu_op", "aten::_local_scalar_dense", at + 52.5, length - 1.0),
        ]
    });
    launched.collect()
}

#[test]
fn an_operator_and_the_one_within_it_wait_once() {
    let own = on_cpu(&reads(1_000.0));
    let waits = found(&own, "synchronising");
    let sentence = text(&waits, "sentence");
    assert!(sentence.contains("which was not recorded, 20 times, for 20 ms together"), "{waits}");
    // 20 ms of 21.19 ms.
    let verdict = said(&own);
    assert!(verdict.contains("for 94.4 % of the time it probably waits there for its GPU"), "{verdict}");
    // What is ready already is no wait.
    let own = on_cpu(&reads(50.0));
    assert!(row(&own, Rule::Synchronising).is_none(), "{}", found(&own, "synchronising"));
    assert!(!said(&own).contains("probably waits"), "{}", said(&own));
}

/// 60 ms of other work, and the step of an optimizer: one operator of 40 ms that waits, and others for `rest` ms.
fn optimizer(rest: usize) -> Study {
    let mut events = in_turn(&[("aten::cudnn_convolution", 1_998.0); 30]);
    let length = 40_000.0 + 1_000.0 * rest as f64;
    events.push(on_host("user_annotation", "Optimizer.step#AdamW.step", 60_000.0, length));
    let small =
        (0..rest * 10).map(|id| on_host("cpu_op", "aten::addcdiv_", 60_000.0 + 100.0 * id as f64, 99.0));
    events.extend(small);
    events.push(on_host("cpu_op", "aten::addcdiv_", 60_000.0 + 1_000.0 * rest as f64, 40_000.0));
    on_cpu(&events)
}

#[test]
fn two_findings_do_not_claim_one_wait() {
    // 5 of 105 ms are no fifth of the time.
    assert!(row(&optimizer(5), Rule::OptimizerStep).is_none());
    // 40 of 140 ms are.
    let own = found(&optimizer(40), "optimizer-step");
    let sentence = text(&own, "sentence");
    assert!(sentence.contains("takes 80 ms"), "{own}");
    assert!(sentence.contains("For 40 ms of it the host probably waits for its GPU"), "{own}");
}

#[test]
fn running_and_starting_ops_is_both() {
    // Of each 200 µs an operator runs for 110 µs, and its call that launches has 40 µs of these.
    let events = |launches: &str| {
        let ops = (0..100).flat_map(|id| {
            let at = 200.0 * f64::from(id);
            [on_host("cpu_op", "aten::mm", at, 110.0), on_host("cuda_runtime", launches, at + 20.0, 40.0)]
        });
        ops.collect::<Vec<Value>>()
    };
    let verdict = said(&on_cpu(&events("cudaLaunchKernel")));
    // 11.00 ms of 19.91 ms.
    assert!(
        verdict.contains("running and starting ops on the host is 55.2 % of its critical path"),
        "{verdict}"
    );
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
    found(&on_cpu(&in_turn(&ops)), "dominant-work")
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
    text(&found(&on_cpu(&events), "dominant-work"), "advice").to_owned()
}

#[test]
fn no_larger_batch_where_shapes_say_that_it_is_large() {
    let many = layers(400_400);
    assert!(many.contains("larger batches do not help"), "{many}");
    let few = layers(128);
    assert!(few.contains("larger batches,") && !few.contains("do not help"), "{few}");
}
