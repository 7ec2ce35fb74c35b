//! The critical paths of several steps: each as its step alone has it, and how often an op is on them by a second count.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::sync::Arc;
use steplens_core::questions::over_steps::OverSteps;
use steplens_core::steps::rule::Steps;
use steplens_core::{CategoryRules, Nanos, Study, Trace, View};
use steplens_formats::{Limits, Opener};
use steplens_tests::fixtures::fixture;
use steplens_tests::writer::{PS, Scenario, op};

const US: i64 = 1_000;

/// Several files as one trace.
fn opened(files: &[Vec<u8>]) -> Arc<Trace> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for (number, file) in files.iter().enumerate() {
        opener.begin_file(&format!("{number}.pb"));
        opener.push(file);
        opener.end_file();
    }
    Arc::new(opener.finish().unwrap().trace)
}

#[test]
fn each_step_has_the_paths_that_it_has_alone() {
    let whole = opened(&[fixture("ps4w").bytes, fixture("ps4w-later").bytes]);
    let found = OverSteps::of(&whole, &View::default(), 0..usize::MAX);
    assert_eq!(found.steps.len(), 2);
    let mut counts: BTreeMap<(String, String), Vec<(i64, i64)>> = BTreeMap::new();
    let mut floor = 0;
    for own in &found.steps {
        let study = Study::of_view(&whole, View { step: Some(own.step), ..View::default() });
        let causes = study.causes();
        assert_eq!((own.length, own.floor), (causes.observed.length(), causes.floor.length));
        assert_eq!(own.by_kind, causes.observed.by_kind());
        floor += causes.floor.length.0;
        let mut of_step: BTreeMap<(String, String), i64> = BTreeMap::new();
        for segment in &causes.observed.segments {
            let device = study.trace().device_of(segment.op);
            let device = study.trace().text(study.trace().devices().get(device).name);
            let key = (device.to_owned(), study.title(segment.op).to_owned());
            *of_step.entry(key).or_default() += segment.interval.length().0;
        }
        for (key, length) in of_step {
            counts.entry(key).or_default().push((length, causes.observed.length().0));
        }
    }
    // With a barrier between them: one after the other.
    assert_eq!(found.floor(), Nanos(floor));
    assert_eq!(found.ops.len(), counts.len());
    for own in &found.ops {
        let count = &counts[&(own.device.clone(), own.op.clone())];
        assert_eq!(own.steps as usize, count.len(), "{}", own.op);
        assert_eq!(own.length.0, count.iter().map(|(length, _)| length).sum::<i64>(), "{}", own.op);
        let least = count.iter().map(|(length, step)| *length as f64 / *step as f64).fold(1.0, f64::min);
        assert!((f64::from(own.median_share) / 1e6 - least).abs() < 2e-6, "{}: of two the lower", own.op);
    }
    assert!(found.ops.is_sorted_by_key(|own| (std::cmp::Reverse(own.steps), std::cmp::Reverse(own.length))));
}

/// Five steps, of which `slow` is longer than `other` in the first three.
fn planted() -> Arc<Trace> {
    let step = |number: i64| {
        let slow = if number < 3 { 500 + 100 * number } else { 10 };
        let at = number * 10_000 * US;
        let ops = [
            op("start = Const()", at, 20 * US),
            op("slow = Neg(start)", at + 21 * US, slow * US),
            op("other = Exp(start)", at + 21 * US, 100 * US),
            op("end = Add(slow, other)", at + (22 + slow.max(100)) * US, 30 * US),
        ];
        let ops = ops.map(|own| {
            own.clone().scheduled((own.all_start_nanos - steplens_tests::writer::BASE_UNIX_NS) - US)
        });
        Scenario::new().device(PS, ops).bytes()
    };
    opened(&(0..5).map(step).collect::<Vec<_>>())
}

#[test]
fn an_op_is_on_the_paths_of_the_steps_that_it_is_planted_in() {
    let whole = planted();
    let view = View { rule: steplens_core::steps::rule::StepRule::File, ..View::default() };
    assert_eq!(Steps::divided(&whole, view.rule).rows().len(), 5);
    let found = OverSteps::of(&whole, &view, 0..5);
    let of = |name: &str| found.ops.iter().find(|own| own.op == name).unwrap();
    assert_eq!((of("start").steps, of("slow").steps, of("other").steps, of("end").steps), (5, 3, 2, 5));
    assert_eq!(of("slow").longest.0, 2);
    assert!(of("slow").longest.1 >= Nanos(700 * US));
    // 600 of 652 us in the step in the middle of the three; what launching takes is the op's, too.
    assert!((915_000..925_000).contains(&of("slow").median_share), "{}", of("slow").median_share);
    // Some of them only.
    let last = OverSteps::of(&whole, &view, 3..5);
    assert_eq!(last.steps.iter().map(|own| own.step).collect::<Vec<_>>(), [3, 4]);
    assert!(last.ops.iter().all(|own| own.op != "slow"));
    // A window beyond the last step has nothing.
    assert!(OverSteps::of(&whole, &view, 7..9).steps.is_empty());
}
