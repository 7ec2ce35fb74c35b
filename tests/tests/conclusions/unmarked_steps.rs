//! Steps of programs of PyTorch that mark none: the ranges around the steps of an optimizer end them (`prof.step()` comes before these).
//! Passes that come again are counted, and are no steps.

use super::made::of_torch;
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::Findings;
use steplens_core::findings::passes::passes;
use steplens_core::replay::Replay;
use steplens_core::steps::ended_by::ended_by;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_report::{findings, steps};
use steplens_tests::opened::{on_host, open, study, torch, with_gpu};

fn of(events: &[Value]) -> Study {
    study(open(&[("made.json", &torch(events, &json!({ "deviceProperties": [] })))]))
}

/// A pass from `at` on: so many operators of 100 µs, and the step of an optimizer of 50 µs. Returns when it ends.
fn pass(events: &mut Vec<Value>, at: f64, operators: usize, optimizer: &str) -> f64 {
    for number in 0..operators {
        events.push(on_host("cpu_op", &format!("aten::op{number}"), at + 110.0 * number as f64, 100.0));
    }
    let step = at + 110.0 * operators as f64;
    if !optimizer.is_empty() {
        events.push(on_host("user_annotation", optimizer, step, 50.0));
        events.push(on_host("cpu_op", "aten::add_", step + 5.0, 40.0));
    }
    step + 60.0
}

fn divided(study: &Study) -> Steps {
    Steps::divided(study.trace(), StepRule::Content)
}

/// The lengths of the steps in µs, and what ends them.
fn found(study: &Study) -> (Vec<i64>, Option<String>) {
    let steps = divided(study);
    let lengths = steps.rows().iter().map(|step| step.span.length().0 / 1_000).collect();
    (lengths, ended_by(study.trace(), &steps).map(str::to_owned))
}

const ADAM: &str = "Optimizer.step#Adam.step";

#[test]
fn steps_end_where_an_optimizer_has_stepped() {
    let (mut events, mut at) = (Vec::new(), 0.0);
    for _ in 0..5 {
        at = pass(&mut events, at, 10, ADAM);
    }
    // What comes after the last one is no part of it.
    pass(&mut events, at, 30, "");
    let own = of(&events);
    let (lengths, range) = found(&own);
    assert_eq!((lengths, range.as_deref()), (vec![1_150; 5], Some(ADAM)));
    let answer = steps::json(own.trace(), &divided(&own), StepRule::Content, &[]);
    let all: Value = serde_json::from_str(&answer).unwrap_or_default();
    assert_eq!((all["ended_by"].as_str(), all["steps"][4]["number"].as_i64()), (Some(ADAM), Some(5)));
}

#[test]
fn a_program_that_marks_its_steps_has_those() {
    let (mut events, mut at) = (Vec::new(), 0.0);
    for number in 0..4 {
        let start = at;
        at = pass(&mut events, at, 5, ADAM);
        at = pass(&mut events, at, 5, ADAM);
        events.push(on_host("user_annotation", &format!("ProfilerStep#{number}"), start, at - start));
    }
    let own = of(&events);
    let (lengths, range) = found(&own);
    assert_eq!((lengths.len(), range), (4, None));
    // They are on the axis of the recording, which is shown first.
    assert_eq!(divided(&own).apart(own.trace()), None);
}

const SGD: &str = "Optimizer.step#SGD.step";

#[test]
fn two_optimizers_are_one_step() {
    // Of one name, as in a GAN, and of two; one of them may step more often.
    for (kinds, count) in [
        (&[(10, ADAM), (25, ADAM)][..], 5),
        (&[(10, ADAM), (25, SGD)], 5),
        (&[(10, SGD), (10, SGD), (10, SGD), (25, ADAM)], 5),
        (&[(10, ADAM), (10, ADAM), (10, ADAM), (25, ADAM)], 5),
    ] {
        let (mut events, mut at) = (Vec::new(), 0.0);
        for _ in 0..5 {
            for &(operators, optimizer) in kinds {
                at = pass(&mut events, at, operators, optimizer);
            }
        }
        let (lengths, range) = found(&of(&events));
        assert_eq!((lengths.len(), range.is_some()), (count, true), "{kinds:?}");
        assert!(lengths.iter().all(|&length| (length - lengths[0]).abs() <= 60), "{kinds:?}: {lengths:?}");
    }
}

#[test]
fn gradients_of_several_batches_are_one_step() {
    let (mut events, mut at) = (Vec::new(), 0.0);
    for _ in 0..4 {
        for batch in 0..3 {
            at = pass(&mut events, at, 10, if batch == 2 { ADAM } else { "" });
        }
    }
    assert_eq!(found(&of(&events)).0.len(), 4);
}

#[test]
fn optimizers_that_step_now_and_then_mark_nothing() {
    // Two steps are no habit, and passes that never come again no passes.
    for kinds in [&[10, 10][..], &[3, 8, 20, 50, 120, 300]] {
        let (mut events, mut at) = (Vec::new(), 0.0);
        for &operators in kinds {
            at = pass(&mut events, at, operators, ADAM);
        }
        let (lengths, range) = found(&of(&events));
        assert_eq!((lengths.len(), range), (1, None), "{kinds:?}");
    }
    // On two threads it is not known which of them the program is.
    let (mut events, mut at) = (Vec::new(), 0.0);
    for number in 0..6 {
        at = pass(&mut events, at, 10, ADAM);
        if number % 2 == 0 {
            events.iter_mut().rev().take(12).for_each(|own| own["tid"] = json!(101));
        }
    }
    assert_eq!(found(&of(&events)).1, None);
}

#[test]
fn passes_without_marks_are_counted_and_are_no_step() {
    let names = ["aten::conv2d", "aten::relu_", "aten::conv2d", "aten::add_", "aten::linear"];
    let events = |passes: i32| -> Vec<Value> {
        let all =
            (0..passes).flat_map(|pass| (0..).zip(names).map(move |(place, name)| (pass * 5 + place, name)));
        all.map(|(place, name)| on_host("cpu_op", name, f64::from(place) * 100.0, 90.0)).collect()
    };
    assert_eq!(passes(with_gpu(&events(10)).trace()), Some(10));
    assert_eq!(passes(with_gpu(&events(2)).trace()), None);
    let list: Value =
        serde_json::from_str(&findings::json(&with_gpu(&events(10)), &[], None)).unwrap_or_default();
    let sentence = list["sentence"].as_str().unwrap_or_default();
    assert!(
        sentence.contains("each of about 10 passes") && !sentence.contains("several steps"),
        "{sentence}"
    );
    // A replay has nothing to save here.
    let study = with_gpu(&events(10));
    assert!(Findings::found(&study, &Replay::of(&study), None).rows.iter().all(|own| own.saving.is_none()));
}

#[test]
fn layers_of_one_pass_are_no_passes() {
    let layer = ["aten::conv2d", "aten::add_", "aten::batch_norm", "aten::relu_", "aten::max_pool2d"];
    let passes_of = |head: &[&str], times: usize| {
        let names = (0..times).flat_map(|_| layer.iter().chain(head)).copied();
        let ends =
            if head.is_empty() { vec!["aten::view", "aten::dropout", "aten::linear"] } else { Vec::new() };
        let all: Vec<&str> = names.chain(ends).collect();
        let place = |at: usize| on_host("cpu_op", all[at], 100.0 * at as f64, 90.0);
        passes(with_gpu(&(0..all.len()).map(place).collect::<Vec<_>>()).trace())
    };
    assert_eq!(passes_of(&[], 3), None);
    assert_eq!(passes_of(&["aten::linear"], 3), Some(3));
}

#[test]
fn layers_between_what_comes_once_are_no_passes() {
    let layer =
        ["aten::layer_norm", "aten::linear", "aten::softmax", "aten::matmul", "aten::gelu", "aten::add"];
    let all = |before: &[&str], between: &[&str], after: &[&str], range: bool| {
        let layers = (0..8).flat_map(|_| layer.iter().chain(between));
        let names: Vec<&str> = before.iter().chain(layers).chain(after).copied().collect();
        let mut events: Vec<Value> = (0..)
            .zip(&names)
            .map(|(place, name)| on_host("cpu_op", name, 100.0 * f64::from(place), 90.0))
            .collect();
        if range {
            events.push(on_host("user_annotation", "infer", 0.0, 100.0 * names.len() as f64));
        }
        passes(of_torch(&events).trace())
    };
    assert_eq!(all(&["aten::embedding"], &[], &["aten::layer_norm"], false), None);
    assert_eq!(all(&[], &[], &["aten::layer_norm", "aten::linear"], false), None);
    assert_eq!(all(&[], &[], &[], true), None);
    // A program that makes its input, and reads a result, repeats itself.
    assert_eq!(all(&["aten::randn"], &["aten::item"], &["aten::to"], false), Some(8));
}
